/*
 * Proves puzzles by rules of its own (own_rules.h) and a search of its own: nothing here is shared
 * with what made them, nor with the games that the programs play.
 *
 * usage: prove_puzzles FILE...
 *        prove_puzzles --perft DEPTH
 *
 * A FILE has lines such as those in common/puzzles/ (common/puzzle.h tells what they say). Prints
 * how many of each are proved, and what is wrong with the others; the status is 1 if there are any.
 * With --perft reads lines "GAME:VARIANT; POSITION" from standard input, and prints for each the
 * legal moves, with the perft below them and the position after them, and how it stands.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "own_rules.h"

enum { SLOTS = 1 << 19, LINE_BYTES = 8192, PLIES_MAX = 100, MESSAGE_MAX = 128 };

/* What is known of a position, which is kept whole. It holds for every puzzle. */
struct known {
    struct own_position position;
    unsigned char attacker_black;
    unsigned char wins_within;   /* plies that are enough, 0: unknown */
    unsigned char holds_through; /* plies that are not */
};

struct proof {
    unsigned char attacker_black;
    struct known *table;
    uint64_t nodes;
    struct own_move best[PLIES_MAX + 1]; /* by the plies left: what decided last; tried first */
};

/* The six fields of a line, and what they say. */
struct puzzle {
    char *game, *text, *line, *replies;
    struct own_position position;
    int plies;
};

static bool same_move(struct own_move a, struct own_move b)
{
    return a.from == b.from && a.to == b.to && a.piece == b.piece;
}

static struct known *look_up(struct proof *proof, const struct own_position *position)
{
    uint64_t words[sizeof *position / sizeof(uint64_t)], hash = proof->attacker_black;

    _Static_assert(sizeof words == sizeof *position, "whole words");
    memcpy(words, position, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    struct known *known = &proof->table[hash % SLOTS];
    if (known->attacker_black != proof->attacker_black ||
        memcmp(&known->position, position, sizeof *position) != 0)
        *known = (struct known){*position, proof->attacker_black, 0, 0};
    return known;
}

static bool is_won(const struct proof *proof, const struct own_position *position)
{
    return strcmp(own_end(position).result, proof->attacker_black ? "0-1" : "1-0") == 0;
}

/* More plies than these change nothing: each move of Clobber takes a stone, each of Xadrersi places
 * a piece. */
static int most_plies(const struct own_position *position)
{
    int stones = 0;

    if (position->game != OWN_CLOBBER)
        return own_in_hand(position) > 0 ? own_in_hand(position) : PLIES_MAX;
    for (int i = 0; i < OWN_CELLS; i++)
        stones += position->board[i] == 'P' || position->board[i] == 'p';
    return stones > 0 ? stones - 1 : 0;
}

/* Whether the attacker can force a win within `plies` plies. */
static bool forces(struct proof *proof, const struct own_position *position, int plies)
{
    struct own_move moves[OWN_MOVES_MAX];
    bool attacks = position->black == proof->attacker_black;

    if (plies < own_in_hand(position)) /* the score counts at the end only */
        return false;
    if (plies == 0)
        return own_over(position) && is_won(proof, position);
    if (plies > most_plies(position))
        plies = most_plies(position);
    struct known *known = plies > 1 ? look_up(proof, position) : NULL;
    if (known != NULL && known->wins_within > 0 && plies >= known->wins_within)
        return true;
    if (known != NULL && plies <= known->holds_through)
        return false;
    int count = own_legal(position, moves);
    if (count == 0)
        return is_won(proof, position);
    for (int i = 1; i < count; i++)
        if (same_move(moves[i], proof->best[plies])) {
            moves[i] = moves[0];
            moves[0] = proof->best[plies];
        }
    bool won = !attacks;
    for (int i = 0; i < count && won != attacks; i++) {
        struct own_position next = *position;
        own_play(&next, moves[i]);
        proof->nodes++;
        won = forces(proof, &next, plies - 1);
        if (won == attacks)
            proof->best[plies] = moves[i];
    }
    if (known != NULL) {
        known = look_up(proof, position); /* another may have taken its place */
        if (won)
            known->wins_within = (unsigned char)plies;
        else
            known->holds_through = (unsigned char)plies;
    }
    return won;
}

/* Finds a legal move by its text. */
static bool find_move(const struct own_position *position, const char *text, struct own_move *move)
{
    struct own_move moves[OWN_MOVES_MAX];
    int count = own_legal(position, moves);
    char name[OWN_MOVE_TEXT_MAX];

    for (int i = 0; i < count; i++) {
        own_move_format(moves[i], name);
        if (strcmp(name, text) == 0) {
            *move = moves[i];
            return true;
        }
    }
    return false;
}

/* Plays the line of the puzzle, the best one, to the end that wins. Returns NULL or what is wrong.
 */
static const char *follow_line(const struct proof *proof, const struct puzzle *puzzle)
{
    struct own_position position = puzzle->position;
    char moves[LINE_BYTES], *rest = moves;
    int plies = 0;

    snprintf(moves, sizeof moves, "%s", puzzle->line);
    for (char *text; (text = strtok_r(rest, " ", &rest)) != NULL; plies++) {
        struct own_move move;
        if (!find_move(&position, text, &move))
            return "its line has a move that is not legal";
        own_play(&position, move);
    }
    if (plies != puzzle->plies || !own_over(&position) || !is_won(proof, &position))
        return "its line does not end in a win at the last ply";
    return NULL;
}

/* Finds the reply to a move: that behind "MOVE:", or the first of all. */
static void find_reply(const char *replies, const char *move, char reply[OWN_MOVE_TEXT_MAX])
{
    char words[LINE_BYTES], *rest = words;
    size_t length = strlen(move);

    snprintf(words, sizeof words, "%s", replies);
    const char *found = strtok_r(rest, " ", &rest);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        if (strncmp(word, move, length) == 0 && word[length] == ':')
            found = word + length + 1;
    snprintf(reply, OWN_MOVE_TEXT_MAX, "%.*s", OWN_MOVE_TEXT_MAX - 1, found != NULL ? found : "");
}

/* Whether no move wins after the wrong move and the reply to it: at all where the game is over by
 * itself, else within the plies that are left. */
static bool is_refuted(struct proof *proof, const struct puzzle *puzzle, struct own_move wrong)
{
    struct own_position next = puzzle->position;
    char name[OWN_MOVE_TEXT_MAX], text[OWN_MOVE_TEXT_MAX];
    struct own_move reply;

    own_move_format(wrong, name);
    find_reply(puzzle->replies, name, text);
    own_play(&next, wrong);
    if (strcmp(text, "-") == 0)
        return own_over(&next) && !is_won(proof, &next);
    if (!find_move(&next, text, &reply))
        return false;
    own_play(&next, reply);
    return !forces(proof, &next,
                   puzzle->position.game == OWN_CLOBBER ? PLIES_MAX : puzzle->plies - 2);
}

/* Writes into `wrong` what is not true of a puzzle. False if there is something. */
static bool prove(struct proof *proof, const struct puzzle *puzzle, char wrong[MESSAGE_MAX])
{
    struct own_position next = puzzle->position;
    struct own_move moves[OWN_MOVES_MAX], answer;
    char first[OWN_MOVE_TEXT_MAX], name[OWN_MOVE_TEXT_MAX];
    int count = own_legal(&puzzle->position, moves);
    const char *fault = NULL;

    proof->attacker_black = puzzle->position.black;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(puzzle->line, " ") % OWN_MOVE_TEXT_MAX,
             puzzle->line);
    if (!find_move(&puzzle->position, first, &answer)) {
        fault = "its move is not legal";
    } else {
        own_play(&next, answer);
        if (!forces(proof, &next, puzzle->plies - 1))
            fault = "its move does not win";
        else if (forces(proof, &puzzle->position, puzzle->plies - 1))
            fault = "it wins in fewer plies";
        else
            fault = follow_line(proof, puzzle);
    }
    snprintf(wrong, MESSAGE_MAX, "%s", fault != NULL ? fault : "");
    for (int i = 0; i < count && fault == NULL; i++) {
        if (same_move(moves[i], answer) || is_refuted(proof, puzzle, moves[i]))
            continue;
        own_move_format(moves[i], name);
        snprintf(wrong, MESSAGE_MAX, "%s is not refuted", name);
        return false;
    }
    return fault == NULL;
}

/* Splits a line, which is changed. */
static bool read_puzzle(char *line, struct puzzle *puzzle, char wrong[MESSAGE_MAX])
{
    char *fields[6];
    int count = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *next = line; next != NULL && count < 6; count++) {
        fields[count] = next;
        next = strstr(next, "; ");
        if (next != NULL && count < 5) {
            *next = '\0';
            next += 2;
        }
    }
    snprintf(wrong, MESSAGE_MAX, "it has %d fields", count);
    if (count < 6)
        return false;
    *puzzle = (struct puzzle){fields[0], fields[1], fields[4], fields[5], .plies = 0};
    const char *fault = own_parse(puzzle->game, puzzle->text, &puzzle->position);
    snprintf(wrong, MESSAGE_MAX, "%s",
             fault != NULL ? fault : "its plies are no number from 1 to 99");
    puzzle->plies = (int)strtol(fields[2], NULL, 10);
    return fault == NULL && puzzle->plies >= 1 && puzzle->plies < PLIES_MAX;
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Returns how many puzzles of a file are wrong. */
static int prove_file(struct proof *proof, const char *path)
{
    char line[LINE_BYTES], wrong[MESSAGE_MAX];
    double begin = now_s(), longest = 0;
    int count = 0, bad = 0;
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        perror(path);
        return 1;
    }
    proof->nodes = 0;
    for (; fgets(line, sizeof line, file) != NULL; count++) {
        struct puzzle puzzle;
        double start = now_s();
        if (!read_puzzle(line, &puzzle, wrong) || !prove(proof, &puzzle, wrong)) {
            printf("%s, puzzle %d: %s\n", path, count + 1, wrong);
            bad++;
        }
        longest = now_s() - start > longest ? now_s() - start : longest;
    }
    fclose(file);
    printf(
        "%s: %d puzzles proved by rules of their own, %d wrong; %.1f million positions in %.1f s,"
        " the longest in %.2f s\n",
        path, count - bad, bad, (double)proof->nodes / 1e6, now_s() - begin, longest);
    fflush(stdout);
    return bad + (count == 0);
}

static uint64_t perft(const struct own_position *position, int depth)
{
    struct own_move moves[OWN_MOVES_MAX];
    uint64_t nodes = 0;

    if (depth == 0)
        return 1;
    int count = own_legal(position, moves);
    if (depth == 1)
        return (uint64_t)count;
    for (int i = 0; i < count; i++) {
        struct own_position next = *position;
        own_play(&next, moves[i]);
        nodes += perft(&next, depth - 1);
    }
    return nodes;
}

static void print_moves(const char *game, const char *text, int depth)
{
    struct own_move moves[OWN_MOVES_MAX];
    struct own_position position;
    struct own_end end = {"*", ""};
    char move[OWN_MOVE_TEXT_MAX], after[OWN_TEXT_MAX];
    uint64_t total = 0;

    const char *fault = own_parse(game, text, &position);
    if (fault != NULL) {
        printf("refused: %s\n", fault);
        return;
    }
    int count = own_legal(&position, moves);
    for (int i = 0; i < count; i++) {
        struct own_position next = position;
        own_play(&next, moves[i]);
        uint64_t nodes = perft(&next, depth - 1);
        total += nodes;
        own_move_format(moves[i], move);
        own_format(&next, after);
        printf("%s: %" PRIu64 ": %s\n", move, nodes, after);
    }
    if (count == 0)
        end = own_end(&position);
    printf("nodes: %" PRIu64 " %s %s\n", total, end.result, end.reason);
}

static int print_perft(const char *depth_text)
{
    int depth = (int)strtol(depth_text, NULL, 10);
    char line[LINE_BYTES];

    if (depth < 1) {
        fprintf(stderr, "prove_puzzles: %s: a depth is at least 1\n", depth_text);
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *text = strstr(line, "; ");
        if (text == NULL) {
            fprintf(stderr, "prove_puzzles: %s: no position\n", line);
            return 2;
        }
        *text = '\0';
        print_moves(line, text + 2, depth);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int wrong = 0;

    if (argc == 3 && strcmp(argv[1], "--perft") == 0)
        return print_perft(argv[2]);
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: prove_puzzles FILE... | prove_puzzles --perft DEPTH\n");
        return 2;
    }
    struct proof proof = {.table = calloc(SLOTS, sizeof(struct known))};
    if (proof.table == NULL) {
        perror("prove_puzzles");
        return 1;
    }
    for (int i = 1; i < argc; i++)
        wrong += prove_file(&proof, argv[i]);
    free(proof.table);
    return wrong > 0;
}
