/*
 * `ludus-bot openings`: balanced openings, for leagues in which colours are not to decide. Random
 * moves lead to a position that the search finds even, and finds even again with ten times the
 * nodes; then equal players play matches from there, of which neither side may win too many. A
 * line an opening, in the form of common/opening.h, behind a comment with what was found.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bot.h"
#include "client/bot/search/tree.h"
#include "common/move.h"
#include "common/opening.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "likeness.h"

enum {
    OPENINGS_WANTED_MAX = 10000,
    TRIES_EACH = 2000,   /* without an opening, after which it gives up */
    EVEN_CP = 150,       /* a value within which a position is even */
    LONGER = 10,         /* times the nodes of the first look has the second */
    FEWEST_PERCENT = 40, /* of the points, that either side must have */
    GAME_PLIES_MAX = 1000
};

struct openings_options {
    long plies, nodes, matches, seed;
    const char *level;
};

const struct option_row openings_rows[] = {
    {OPTION("plies", "N", "moves of each, of both sides together"),
     TO_NUMBER(openings_options, plies, 1, OPENING_PLIES_MAX), .standard = "4"},
    {OPTION("nodes", "N", "nodes for the first look at it; ten times as many for the second"),
     TO_NUMBER(openings_options, nodes, 1, 100000000), .standard = "20000"},
    {OPTION("matches", "N", "matches of equal players from it"),
     TO_NUMBER(openings_options, matches, 1, 100000), .standard = "100"},
    {OPTION("level", "LEVEL", "who plays them"), TO_WORD(openings_options, level),
     .standard = "medium"},
    {OPTION("seed", "N", "the same openings for the same number"),
     TO_NUMBER(openings_options, seed, 0, 2147483647), .standard = "1"},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Makes N balanced openings: random moves after which neither side is better. The\n"
    "search gives the position a value within 150, with --nodes and then with ten times\n"
    "as many (in Clobber without the solver, for which no position is even), and each\n"
    "side gets 40 to 60 % of the points in --matches of equal players. No opening is\n"
    "another one mirrored, turned or with the colours exchanged.\n"
    "\n"
    "Prints two lines an opening, as gauntlet --openings reads them: a comment with White's\n"
    "value (hundredths of the natural logarithm of the odds) and share of the points, then\n"
    "the moves.";

/* Openings in work. */
struct opening_maker {
    const struct openings_options *options;
    const struct game *game;
    struct position start;
    const struct engine *player;
    struct tt tt;
    uint64_t rng;
    uint64_t *seen; /* hash_alike() of each opening so far; owned */
    long count;
};

static void take_score(void *context, const struct info *info)
{
    *(int *)context = info->score;
}

/* Begins with an empty table. */
static struct search_question ask_about(struct opening_maker *maker,
                                        const struct position *position, uint64_t *rng)
{
    static const atomic_bool never;

    tt_clear(&maker->tt);
    tt_resize(&maker->tt, 1);
    return (struct search_question){.game = maker->game,
                                    .position = *position,
                                    .limits = NO_LIMITS,
                                    .tt = &maker->tt,
                                    .rng = rng,
                                    .stop = &never};
}

/* Whether the search, which does not ask the solver of Clobber, finds the position even. *value is
 * what it is worth to White. */
static bool looks_even(struct opening_maker *maker, const struct position *position, long nodes,
                       int *value)
{
    static const struct skill skill = {.steady = true};
    struct search_question question = ask_about(maker, position, &maker->rng);
    int score = 0;

    question.limits.nodes = (uint64_t)nodes;
    question.report = take_score;
    question.context = &score;
    search_think(&question, &skill);
    *value = position->side == WHITE ? score : -score;
    return abs(score) <= EVEN_CP;
}

/* Plays a match from there. Returns the half points of White. */
static int play_match(struct opening_maker *maker, const struct position *position, uint64_t rng)
{
    struct search_question question = ask_about(maker, position, &rng);
    struct outcome outcome;

    for (int ply = 0;; ply++) {
        history_add(&question.history, maker->game->key(&question.position));
        outcome = history_outcome(&question.history, maker->game, &question.position);
        if (outcome.result != RESULT_NONE || ply == GAME_PLIES_MAX)
            break;
        maker->game->apply(&question.position, maker->player->think(&question));
    }
    history_release(&question.history);
    return outcome.result == RESULT_WHITE ? 2 : outcome.result == RESULT_BLACK ? 0 : 1;
}

/* Plays the matches, unless one side has won too many before. *points2 are White's half points. */
static bool plays_even(struct opening_maker *maker, const struct position *position, int *points2)
{
    long matches = maker->options->matches;
    long most = 2 * matches * (100 - FEWEST_PERCENT) / 100;

    *points2 = 0;
    for (long i = 0; i < matches; i++) {
        *points2 += play_match(maker, position, rng_next(&maker->rng));
        if (*points2 > most || 2 * (i + 1) - *points2 > most)
            return false;
    }
    return true;
}

static void print_opening(const struct opening_maker *maker, const struct opening *opening,
                          int value, int points2)
{
    struct position position = opening->start;
    char text[MOVE_TEXT_MAX];

    printf("# value %d, White has %.1f %%\nstartpos moves", value,
           50.0 * points2 / (double)maker->options->matches);
    for (int i = 0; i < opening->plies; i++) {
        move_format(&position, opening->moves[i], text);
        printf(" %s", text);
        maker->game->apply(&position, opening->moves[i]);
    }
    printf("\n");
    fflush(stdout); /* one after the other, for people who look while it works */
}

/* Tries one opening, and prints it if it is balanced. */
static bool try_opening(struct opening_maker *maker, struct opening *opening)
{
    struct position end;
    int value, points2;

    opening_play(maker->game, opening, &end);
    uint64_t hash = hash_alike(maker->game, &end);
    if (is_among(maker->seen, maker->count, hash) ||
        !looks_even(maker, &end, maker->options->nodes, &value) ||
        !looks_even(maker, &end, maker->options->nodes * LONGER, &value) ||
        !plays_even(maker, &end, &points2))
        return false;
    print_opening(maker, opening, value, points2);
    maker->seen[maker->count++] = hash;
    return true;
}

static int make_openings(struct opening_maker *maker, long wanted)
{
    struct opening_book book;
    int dry = 0;

    maker->rng = splitmix64((uint64_t)maker->options->seed);
    book_init(&book, maker->game, &maker->start, (int)maker->options->plies,
              (uint64_t)maker->options->seed);
    while (maker->count < wanted && dry < TRIES_EACH && !ferror(stdout)) {
        const struct opening *next = book_opening(&book, book.count);
        if (next == NULL)
            break;
        struct opening opening = *next;
        dry = try_opening(maker, &opening) ? 0 : dry + 1;
    }
    book_release(&book);
    if (maker->count == wanted || ferror(stdout))
        return 0;
    bot_error("openings", "only %ld found", maker->count);
    return 1;
}

int openings_main(const struct usage_command *command, int argc, char **argv)
{
    struct openings_options options = {.seed = 0};
    int status = options_read("ludus-bot", openings_rows, OPTIONS_ANYWHERE, argc, argv, &options);
    struct opening_maker maker = {.options = &options};
    struct cause cause;
    long wanted;

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        usage_print_games();
        return bot_print_levels();
    }
    if (status != OPTIONS_RUN)
        return status;
    if (argc - optind != 2) {
        bot_error("openings", "give two arguments: GAME or GAME:VARIANT, and how many");
        return EXIT_USAGE;
    }
    maker.game = game_open(argv[optind], &maker.start, NULL, &cause);
    if (maker.game == NULL ||
        !option_number(argv[optind + 1], 1, OPENINGS_WANTED_MAX, &wanted, &cause) ||
        !bot_find_level(&maker.player, options.level, &cause)) {
        bot_error("openings", "%s", cause.text);
        return EXIT_USAGE;
    }
    maker.seen = xcalloc((size_t)wanted, sizeof maker.seen[0]);
    status = make_openings(&maker, wanted);
    free(maker.seen);
    tt_clear(&maker.tt);
    return status;
}
