/*
 * `ludus-bot puzzles`: positions in which exactly one move wins, with the proof. A match is played
 * with many random moves until the search, or the solver, sees such a position; then all moves of
 * it are tried to the end. A line a puzzle, in the form of common/puzzle.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot.h"
#include "client/bot/clobber/clobber_solve.h"
#include "client/bot/search/force.h"
#include "client/bot/search/tree.h"
#include "common/buffer.h"
#include "common/move.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "likeness.h"

enum {
    PUZZLES_MAX = 100000,
    GAME_PLIES = 160,     /* of a match in which to look */
    MATCHES_EACH = 10000, /* without a puzzle, after which it gives up */
    CHOICES_LEAST = 6,    /* legal moves of a puzzle */
    STONES_CHOICES = 20,  /* most legal moves of one that the solver proves */
    THINK_NODES = 3000,
    THINK_NODES_ENDING = 200, /* where how to play is all the same, as the end is searched anyway */
    PROOF_NODES = 1000000,
    SHORTEST_PLIES = 5,        /* three moves of the winner */
    SHORTEST_SOLVED_PLIES = 7, /* Clobber: an odd number, as the winner moves last */
    LONGEST_PLIES = 7,
    LONGEST_ENDING_PLIES = 6, /* Xadrersi: to the end of the game */
    WIDE_CHOICES = 40,        /* with more legal moves, the longest take too long to prove */
    LONGEST_SOLVED_PLIES = 13,
    SOLVER_BYTES = 64 << 20
};

struct puzzles_options {
    long seed;
};

const struct option_row puzzles_rows[] = {
    {OPTION("seed", "N", "the same puzzles for the same number"),
     TO_NUMBER(puzzles_options, seed, 0, 2147483647), .standard = "1"},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Makes N puzzles: positions in which exactly one move wins, by proof. In Clobber the\n"
    "solver knows that no other move wins, and the win takes at least seven plies. In\n"
    "Xadrersi no other move wins, as every line is searched to the end. In Latrunculi XXI\n"
    "and Shakti the move wins within five or seven plies whatever the reply, and no other\n"
    "move wins within as many. No puzzle is another one mirrored, turned or with the\n"
    "colours exchanged.\n"
    "\n"
    "Prints a line a puzzle, with \"; \" between its fields:\n"
    "  GAME:VARIANT\n"
    "  the position\n"
    "  the number of plies within which the side to move wins\n"
    "  the nodes that the proof took: how hard it may be\n"
    "  the move, and a best line to the end\n"
    "  the reply that refutes the wrong moves, then MOVE:REPLY for each wrong move that\n"
    "  another reply refutes (- where the move ends the game)";

/* A puzzle in work. */
struct puzzle_maker {
    const struct game *game;
    struct position start;
    uint64_t rng;
    struct tt tt;
    struct force force;
    struct solver *solver; /* NULL: force proves all */
    uint64_t *seen;        /* hash_alike() of each puzzle so far; owned */
    long count;
    /* The present one. */
    struct position position;
    int plies;
    uint64_t nodes;
    struct move moves[MOVES_MAX], replies[MOVES_MAX];
    int move_count, answer;
};

/* ---- The proof ---- */

/* Whether the position, in which the other side is to move, is won for the one that solves. */
static bool is_won(struct puzzle_maker *maker, const struct position *position, int plies)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (maker->solver == NULL)
        return force_wins(&maker->force, position, plies);
    request.limits.nodes = PROOF_NODES;
    if (solver_solve(maker->solver, &request, &answer) != SOLVE_DONE)
        maker->force.stopped = true;
    return answer.wins == (position->side == maker->position.side);
}

/* Finds a reply after which a wrong move no longer wins: `first`, if it will do. */
static bool refute(struct puzzle_maker *maker, int wrong, struct move first)
{
    struct position next = maker->position;
    struct move moves[MOVES_MAX];

    maker->game->apply(&next, maker->moves[wrong]);
    int count = maker->game->legal(&next, moves);
    maker->replies[wrong] = (struct move){.kind = NO_MOVE};
    for (int i = 0; i < count; i++)
        if (move_equal(moves[i], first)) {
            moves[i] = moves[0];
            moves[0] = first;
        }
    for (int i = 0; i < count && !maker->force.stopped; i++) {
        struct position after = next;
        maker->game->apply(&after, moves[i]);
        if (!is_won(maker, &after, maker->plies - 2)) {
            maker->replies[wrong] = moves[i];
            return !maker->force.stopped;
        }
    }
    return count == 0;
}

/* The reply that refutes the most wrong moves. */
static struct move common_reply(const struct puzzle_maker *maker)
{
    int best = -1, best_count = 0;

    for (int i = 0; i < maker->move_count; i++) {
        int count = 0;
        for (int j = 0; j < maker->move_count; j++)
            count += j != maker->answer && move_equal(maker->replies[j], maker->replies[i]);
        if (i != maker->answer && count > best_count) {
            best = i;
            best_count = count;
        }
    }
    return maker->replies[best];
}

/* Refutes the wrong moves, as many as possible by the same reply. */
static bool refute_all(struct puzzle_maker *maker)
{
    struct move reply = {.kind = NO_MOVE};

    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < maker->move_count; i++)
            if (i != maker->answer && !refute(maker, i, reply))
                return false;
        reply = common_reply(maker);
    }
    return true;
}

/* Proves that exactly one move wins, and refutes the others. */
static bool prove(struct puzzle_maker *maker)
{
    int least = maker->solver != NULL ? SHORTEST_SOLVED_PLIES : SHORTEST_PLIES;
    int most = maker->solver != NULL ? LONGEST_SOLVED_PLIES : LONGEST_PLIES;

    force_begin(&maker->force, maker->game, &maker->position, PROOF_NODES);
    maker->plies = force_length(&maker->force, &maker->position, most);
    if (maker->force.stopped || maker->plies < least)
        return false;
    maker->nodes = maker->force.nodes;
    maker->answer = -1;
    for (int i = 0; i < maker->move_count; i++) {
        struct position next = maker->position;
        maker->game->apply(&next, maker->moves[i]);
        bool won = is_won(maker, &next, maker->plies - 1);
        if (maker->force.stopped || (won && maker->answer >= 0))
            return false;
        if (won)
            maker->answer = i;
    }
    return maker->answer >= 0 && refute_all(maker);
}

/* ---- Writing ---- */

static void write_move(struct buffer *line, const struct position *position, struct move move)
{
    char text[MOVE_TEXT_MAX] = "-";

    if (move.kind != NO_MOVE)
        move_format(position, move, text);
    buffer_puts(line, text);
}

/* Writes the answer and what follows: the loser holds out as long as it can. */
static bool write_line(struct puzzle_maker *maker, struct buffer *line)
{
    struct position position = maker->position;
    struct move move = maker->moves[maker->answer];

    for (int left = maker->plies; left > 0; left--) {
        if (left < maker->plies) {
            struct move moves[MOVES_MAX];
            int count = maker->game->legal(&position, moves), longest = -1;
            for (int i = 0; i < count; i++) {
                struct position next = position;
                maker->game->apply(&next, moves[i]);
                int length = force_length(&maker->force, &next, left - 1);
                bool attacks = position.side == maker->position.side;
                if (length >= 0 &&
                    (longest < 0 || (attacks ? length < longest : length > longest))) {
                    longest = length;
                    move = moves[i];
                }
            }
            if (longest < 0 || maker->force.stopped)
                return false;
            left = longest + 1;
            buffer_puts(line, " ");
        }
        write_move(line, &position, move);
        maker->game->apply(&position, move);
    }
    return true;
}

/* Writes the common reply, then the other ones. */
static void write_replies(const struct puzzle_maker *maker, struct buffer *line)
{
    struct move reply = common_reply(maker);

    write_move(line, &maker->position, reply);
    for (int i = 0; i < maker->move_count; i++)
        if (i != maker->answer && !move_equal(maker->replies[i], reply)) {
            buffer_puts(line, " ");
            write_move(line, &maker->position, maker->moves[i]);
            buffer_puts(line, ":");
            write_move(line, &maker->position, maker->replies[i]);
        }
}

/* Prints the puzzle. False if its line took too long to find. */
static bool print_puzzle(struct puzzle_maker *maker)
{
    struct buffer line = {0};
    char position[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX];

    maker->game->format(&maker->position, position);
    maker->game->variant_name(&maker->position, variant);
    buffer_printf(&line, "%s:%s; %s; %d; %llu; ", maker->game->name, variant, position,
                  maker->plies, (unsigned long long)maker->nodes);
    bool done = write_line(maker, &line);
    buffer_puts(&line, "; ");
    write_replies(maker, &line);
    if (done) {
        printf("%.*s\n", (int)line.length, line.bytes);
        fflush(stdout); /* one after the other, for people who look while it works */
    }
    buffer_release(&line);
    return done;
}

/* ---- The search for positions ---- */

static void take_score(void *context, const struct info *info)
{
    *(int *)context = info->score;
}

/* Whether the position is worth a proof; `score`: what the search thinks of it. */
static bool looks_promising(const struct puzzle_maker *maker, int score, int wanted)
{
    const struct guide *guide = guide_of(maker->game);

    if (maker->move_count < CHOICES_LEAST)
        return false;
    if (maker->solver != NULL)
        return maker->move_count <= CHOICES_LEAST + 2 + wanted % (STONES_CHOICES - CHOICES_LEAST);
    if (guide != NULL && guide->plies_left != NULL)
        return guide->plies_left(&maker->position) ==
               SHORTEST_PLIES + wanted % (LONGEST_ENDING_PLIES - SHORTEST_PLIES + 1);
    return score <= SCORE_WIN - SHORTEST_PLIES &&
           score >= SCORE_WIN - (maker->move_count > WIDE_CHOICES ? SHORTEST_PLIES : LONGEST_PLIES);
}

/* Counters that only bring draws nearer are no part of a puzzle. */
static void forget_counters(const struct game *game, struct position *position)
{
    if (game == &latrunculi)
        position->notes[0] = 0;
}

/* Plays one match, and prints the first puzzle in it. */
static bool search_match(struct puzzle_maker *maker)
{
    static const atomic_bool never;
    int wanted = rng_below(&maker->rng, 1 << 20), score = 0;
    const struct guide *guide = guide_of(maker->game);
    bool ends = maker->solver != NULL || (guide != NULL && guide->plies_left != NULL);
    struct skill skill = {.steady = true};

    maker->position = maker->start;
    tt_clear(&maker->tt);
    tt_resize(&maker->tt, 1);
    for (int ply = 0; ply < GAME_PLIES; ply++) {
        struct position played = maker->position;
        maker->move_count = maker->game->legal(&played, maker->moves);
        if (maker->move_count == 0)
            return false;
        struct search_question question = {.game = maker->game,
                                           .position = played,
                                           .limits = NO_LIMITS,
                                           .tt = &maker->tt,
                                           .rng = &maker->rng,
                                           .stop = &never,
                                           .report = take_score,
                                           .context = &score};
        question.limits.nodes = ends ? THINK_NODES_ENDING : THINK_NODES;
        struct move move = search_think(&question, &skill);
        forget_counters(maker->game, &maker->position);
        if (looks_promising(maker, score, wanted) && prove(maker)) {
            uint64_t hash = hash_alike(maker->game, &maker->position);
            if (is_among(maker->seen, maker->count, hash) || !print_puzzle(maker))
                return false;
            maker->seen[maker->count++] = hash;
            return true;
        }
        maker->position = played;
        if (rng_below(&maker->rng, 2) == 0)
            move = maker->moves[rng_below(&maker->rng, maker->move_count)];
        maker->game->apply(&maker->position, move);
    }
    return false;
}

static int make_puzzles(struct puzzle_maker *maker, long wanted, long seed)
{
    int dry = 0;

    for (long match = 0; maker->count < wanted && dry < MATCHES_EACH && !ferror(stdout); match++) {
        maker->rng = splitmix64((uint64_t)seed ^ splitmix64((uint64_t)match));
        dry = search_match(maker) ? 0 : dry + 1;
    }
    if (maker->count == wanted || ferror(stdout))
        return 0;
    bot_error("puzzles", "only %ld found, and none in the last %d matches", maker->count,
              MATCHES_EACH);
    return 1;
}

int puzzles_main(const struct usage_command *command, int argc, char **argv)
{
    struct puzzles_options options = {.seed = 0};
    int status = options_read("ludus-bot", puzzles_rows, OPTIONS_ANYWHERE, argc, argv, &options);
    struct puzzle_maker maker = {.count = 0};
    struct cause cause;
    long wanted;

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        usage_print_games();
        return 0;
    }
    if (status != OPTIONS_RUN)
        return status;
    if (argc - optind != 2) {
        bot_error("puzzles", "give two arguments: GAME or GAME:VARIANT, and how many");
        return EXIT_USAGE;
    }
    maker.game = game_open(argv[optind], &maker.start, NULL, &cause);
    if (maker.game == NULL || !option_number(argv[optind + 1], 1, PUZZLES_MAX, &wanted, &cause)) {
        bot_error("puzzles", "%s", cause.text);
        return EXIT_USAGE;
    }
    if (maker.game == &clobber && (maker.solver = solver_new(SOLVER_BYTES, false)) == NULL) {
        bot_error("puzzles", "not enough memory for the solver");
        return 1;
    }
    maker.seen = xcalloc((size_t)wanted, sizeof maker.seen[0]);
    status = make_puzzles(&maker, wanted, options.seed);
    free(maker.seen);
    tt_clear(&maker.tt);
    force_release(&maker.force);
    solver_free(maker.solver);
    return status;
}
