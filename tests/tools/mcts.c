/*
 * A yardstick for level max: plain Monte Carlo tree search (UCT, Kocsis and Szepesvári, 2006; wins
 * and losses that are proven go up the tree, Winands, Björnsson and Saito, 2008). It knows a game
 * by its rules alone (struct game), and speaks as much UGI as the gauntlet needs:
 *
 *     ludus-bot gauntlet --game xadrersi:touch --movetime 1000 max "build/tools/mcts"
 *
 * A playout takes random moves, and ends after PLAYOUT_PLIES as a draw. A node is a playout.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/base/search_question.h"
#include "common/game.h"
#include "common/move.h"
#include "common/rng.h"

enum { NODES_MAX = 1 << 22, PLAYOUT_PLIES = 150, DEPTH_MAX = 256, LINE_BYTES = 16384 };

#define EXPLORATION 0.7

/* Who has won: seen from the side that moved to the node. */
enum proof { OPEN, WON, LOST, DRAWN };

/* A position, by the move that leads to it. */
struct node {
    struct move move;
    enum proof proof;
    uint32_t first, count; /* its children; none: not expanded */
    uint32_t visits;
    double points; /* of the side that moved there: 1 a win, 0.5 a draw */
};

static struct node *nodes; /* [0] is the root */
static uint32_t nodes_count;
static const struct game *game;
static struct position root;
static uint64_t rng = 1;

/* What an outcome is worth to a side. */
static double points_of(struct outcome outcome, int side)
{
    return outcome.result == RESULT_DRAW ? 0.5 : outcome.result == result_win(side);
}

/* Plays at random to the end. Returns the points of `side`. */
static double play_out(struct position position, int side)
{
    struct move moves[MOVES_MAX];

    for (int ply = 0; ply < PLAYOUT_PLIES; ply++) {
        int count = game->legal(&position, moves);
        if (count == 0)
            return points_of(game->outcome(&position), side);
        game->apply(&position, moves[rng_below(&rng, count)]);
    }
    return 0.5;
}

/* Adds the children of a node, in random order, or notes how the game ended. */
static void expand_node(struct node *node, const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = game->legal(position, moves);

    if (count == 0) {
        double points = points_of(game->outcome(position), !position->side);
        node->proof = points > 0.5 ? WON : points < 0.5 ? LOST : DRAWN;
        return;
    }
    if (nodes_count + (uint32_t)count > NODES_MAX)
        return; /* full: the leaf stays one */
    node->first = nodes_count;
    node->count = (uint32_t)count;
    for (int i = count - 1; i >= 0; i--) {
        int j = rng_below(&rng, i + 1);
        nodes[nodes_count++] = (struct node){.move = moves[j]};
        moves[j] = moves[i];
    }
}

/* A node is lost if a reply to it wins, and won if all replies lose. */
static void prove_node(struct node *node)
{
    uint32_t lost = 0, decided = 0;

    for (uint32_t i = 0; i < node->count; i++) {
        enum proof proof = nodes[node->first + i].proof;
        if (proof == WON)
            node->proof = LOST;
        lost += proof == LOST;
        decided += proof != OPEN;
    }
    if (node->proof == OPEN && node->count > 0 && decided == node->count)
        node->proof = lost == node->count ? WON : DRAWN;
}

static struct node *child_to_visit(const struct node *node)
{
    struct node *best = NULL;
    double best_value = -DBL_MAX, most = log((double)node->visits + 1);

    for (uint32_t i = 0; i < node->count; i++) {
        struct node *child = &nodes[node->first + i];
        if (child->visits == 0 && child->proof == OPEN)
            return child;
        double value = child->proof == LOST    ? -1
                       : child->proof == DRAWN ? 0.5
                                               : child->points / child->visits +
                                                     EXPLORATION * sqrt(most / child->visits);
        if (value > best_value) {
            best_value = value;
            best = child;
        }
    }
    return best;
}

static double points_of_proof(enum proof proof)
{
    return proof == WON ? 1 : proof == LOST ? 0 : 0.5;
}

/* Goes down the tree, plays once, and goes up again. */
static void visit_tree(void)
{
    struct node *path[DEPTH_MAX] = {nodes};
    struct position position = root;
    int depth = 0;

    while (path[depth]->count > 0 && path[depth]->proof == OPEN && depth < DEPTH_MAX - 1) {
        struct node *child = child_to_visit(path[depth]);
        game->apply(&position, child->move);
        path[++depth] = child;
    }
    struct node *leaf = path[depth];
    if (leaf->proof == OPEN && leaf->count == 0)
        expand_node(leaf, &position);
    double points =
        leaf->proof != OPEN ? points_of_proof(leaf->proof) : play_out(position, !position.side);
    for (; depth >= 0; depth--, points = 1 - points) {
        path[depth]->visits++;
        path[depth]->points += points;
        if (path[depth]->proof == OPEN)
            prove_node(path[depth]);
    }
}

/* The child visited most, unless another one is proven better. */
static const struct node *best_child(void)
{
    const struct node *best = NULL;

    for (uint32_t i = 0; i < nodes[0].count; i++) {
        const struct node *child = &nodes[nodes[0].first + i];
        if (child->proof == WON)
            return child;
        if (best == NULL ||
            (child->proof != LOST && (best->proof == LOST || child->visits > best->visits)))
            best = child;
    }
    return best;
}

static void think(uint64_t visits_most, int64_t ms)
{
    int64_t deadline_ms = ms == 0 ? INT64_MAX : clock_ms() + ms;
    uint64_t visits = 0;
    char text[MOVE_TEXT_MAX];

    nodes_count = 1;
    nodes[0] = (struct node){.proof = OPEN};
    while (visits < visits_most && nodes[0].proof == OPEN &&
           (visits % 16 != 0 || clock_ms() < deadline_ms)) {
        visit_tree();
        visits++;
    }
    const struct node *best = best_child();
    if (best == NULL) {
        puts("bestmove 0000");
        return;
    }
    double share = best->visits > 0 ? best->points / best->visits : 0.5;
    share = best->proof == WON ? 0.999 : share < 0.001 ? 0.001 : share > 0.999 ? 0.999 : share;
    move_format(&root, best->move, text);
    printf("info depth 1 nodes %" PRIu64 " score cp %d pv %s\nbestmove %s\n", visits,
           (int)(100 * log(share / (1 - share))), text, text);
}

/* The number after a word of a line, or 0. */
static long number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);

    return at == NULL ? 0 : strtol(at + strlen(word), NULL, 10);
}

/* Reads `position startpos|fen POSITION [moves MOVE...]`. */
static void read_position(char *line, const struct position *start)
{
    char *moves = strstr(line, " moves "), *fen = strstr(line, " fen "), variant[VARIANT_NAME_MAX];
    struct cause cause;
    struct move move;

    if (moves != NULL)
        *moves = '\0';
    root = *start;
    game->variant_name(start, variant);
    if (fen != NULL && !game->parse(variant, fen + strlen(" fen "), &root, &cause))
        printf("info string error: %s\n", cause.text);
    if (moves == NULL)
        return;
    char *rest = moves + strlen(" moves ");
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        if (!move_parse(game, &root, word, &move, &cause)) {
            printf("info string error: %s\n", cause.text);
            return;
        }
        game->apply(&root, move);
    }
}

static void obey_go(const char *line)
{
    long ms = number_after(line, "movetime "), visits = number_after(line, "nodes ");
    long left_ms = number_after(line, root.side == WHITE ? "p1time " : "p2time ");

    if (left_ms > 0)
        ms = left_ms / 30 + number_after(line, root.side == WHITE ? "p1inc " : "p2inc ") / 2 + 1;
    think(visits > 0 ? (uint64_t)visits : UINT64_MAX, ms == 0 && visits == 0 ? 1000 : ms);
}

int main(void)
{
    static char line[LINE_BYTES];
    struct position start;
    struct cause cause;

    game = game_open("clobber:5x6", &start, NULL, &cause);
    root = start;
    nodes = calloc(NODES_MAX, sizeof *nodes);
    if (nodes == NULL)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin) != NULL && strncmp(line, "quit", 4) != 0) {
        static const char set_game[] = "setoption name Game value ";
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, "ugi") == 0) {
            puts("id name MCTS\nid author Ludus\noption name Game type string default "
                 "clobber:5x6\nugiok");
        } else if (strcmp(line, "isready") == 0) {
            puts("readyok");
        } else if (strncmp(line, set_game, strlen(set_game)) == 0) {
            const struct game *asked = game_open(line + strlen(set_game), &start, NULL, &cause);
            if (asked == NULL)
                printf("info string error: %s\n", cause.text);
            game = asked == NULL ? game : asked;
            root = start;
        } else if (strncmp(line, "position ", 9) == 0) {
            read_position(line, &start);
        } else if (strncmp(line, "go", 2) == 0) {
            obey_go(line);
        }
    }
    free(nodes);
    return 0;
}
