/*
 * Clobber for the bots: patterns, and perfect play at the end. Limits count nodes; a separate
 * solver verifies the winner.
 */

#include <stdlib.h>

#include "check.h"
#include "client/bot/clobber/clobber_end.h"
#include "client/bot/clobber/clobber_solve.h"
#include "client/bot/search/engine.h"
#include "client/bot/search/tree.h"
#include "client/games/clobber_pattern.h"
#include "client/games/guide.h"
#include "common/rng.h"

enum { MEMORY_BYTES = 4 << 20 };

static uint64_t rng = 5;
static atomic_bool stop;

/* Returns a position from a random game with between one and `moves_max` moves left. */
static struct position random_position(const char *board, int moves_max)
{
    struct position position;
    struct move moves[MOVES_MAX];
    struct cause cause;

    CHECK(clobber.start(board, &position, &cause));
    for (;;) {
        int count = clobber.legal(&position, moves);
        if (count == 0)
            return random_position(board, moves_max);
        if (count <= moves_max)
            return position;
        clobber.apply(&position, moves[rng_below(&rng, count)]);
    }
}

static bool wins(struct solver *solver, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
    return answer.wins;
}

static void keep(void *context, const struct info *info)
{
    *(struct info *)context = *info;
}

static struct search_question about(const struct position *position, struct tt *tt, uint64_t nodes,
                                    struct info *info)
{
    return (struct search_question){.game = &clobber,
                                    .position = *position,
                                    .limits = {INT64_MAX, INT_MAX, nodes, 0},
                                    .tt = tt,
                                    .rng = &rng,
                                    .stop = &stop,
                                    .report = keep,
                                    .context = info};
}

/* A won position stays won, and the report names the winner. */
static void check_end_of(const struct position *position, struct solver *solver, struct tt *tt)
{
    struct info info = {0};
    struct search_question question = about(position, tt, 4000000, &info);
    struct position next = *position;
    char text[POSITION_TEXT_MAX];
    bool won = wins(solver, position);

    clobber.format(position, text);
    check_about("%s", text);
    clobber.apply(&next, engine_find("max")->think(&question));
    CHECK_INT(info.score > 0, won);
    /* A lost one is searched, once it is clear that no move makes it hard for the other side. */
    CHECK(!won || info.score > SCORE_WIN / 2);
    CHECK(info.nodes <= 4000000);
    CHECK(!won || !wins(solver, &next));
}

static void test_ends(struct solver *solver)
{
    static const char *const boards[] = {"5x6", "8x8", "6x6", "4x5"};
    struct tt tt = {.megabytes = 2};

    for (int i = 0; i < 80; i++) {
        struct position position = random_position(boards[i % 4], 1 + i % 15);
        check_end_of(&position, solver, &tt);
    }
    tt_clear(&tt);
}

/* Whether the list has a move that wins. */
static bool has_win(struct solver *solver, const struct position *position,
                    const struct move_list *list)
{
    for (int i = 0; i < list->count; i++) {
        struct position next = *position;
        clobber.apply(&next, list->moves[i]);
        if (!wins(solver, &next))
            return true;
    }
    return false;
}

/* When the proof is out of reach, the list leaves out losing moves only. */
static void test_left_out(struct solver *solver)
{
    int left_out = 0;

    for (int i = 0; i < 60; i++) {
        struct tt tt = {.megabytes = 1};
        struct position position = random_position("5x6", 18);
        struct info info;
        struct search_question question = about(&position, &tt, UINT64_MAX, &info);
        struct move_list list;
        uint64_t nodes = 0;
        bool lost = false;
        int all = list.count = clobber.legal(&position, list.moves);
        check_about("moves left out, %d", i);
        bool known = clobber_prove(&question, &tt, 4000, false, &list, &nodes, &lost);
        CHECK(list.count >= 1 && nodes <= 4000);
        CHECK_INT(has_win(solver, &position, &list), wins(solver, &position));
        left_out += !known && list.count < all;
        tt_clear(&tt);
    }
    CHECK(left_out > 0);
}

enum { GUESSED_NODES = 100000 };

/* Proves within `prove_nodes`, then guesses. Returns whether that gave a move, which goes to *next.
 */
static bool guess_at(const struct position *position, uint64_t nodes_max, uint64_t prove_nodes,
                     struct position *next)
{
    struct tt tt = {.megabytes = 1};
    struct info info;
    struct search_question question = about(position, &tt, nodes_max, &info);
    struct move_list list;
    uint64_t nodes = 0;
    bool lost = false;
    int all = list.count = clobber.legal(position, list.moves);
    bool known = clobber_prove(&question, &tt, prove_nodes, true, &list, &nodes, &lost);

    CHECK(nodes <= nodes_max);
    CHECK(known ? list.count == 1 && info.pv_plies == 1 : list.count <= all);
    *next = *position;
    clobber.apply(next, list.moves[0]);
    tt_clear(&tt);
    return known;
}

/* Where the proof is out of reach, two guesses in three keep a win. */
static void test_guesses(struct solver *solver)
{
    int won = 0, kept = 0;

    for (int i = 0; i < 60; i++) {
        struct position position = random_position("5x6", 20), next;
        check_about("a guess, %d", i);
        bool wins_now = wins(solver, &position);
        if (!guess_at(&position, GUESSED_NODES, 400, &next) || !wins_now)
            continue;
        won++;
        kept += !wins(solver, &next);
    }
    check_about("guesses that keep a win: %d of %d", kept, won);
    CHECK(won > 20 && kept * 3 >= won * 2);
}

/* Whether a move leads to such a position. */
static bool leads_to(struct solver *solver, const struct position *position,
                     bool (*is_such)(struct solver *solver, const struct position *position))
{
    struct move moves[MOVES_MAX];
    int count = clobber.legal(position, moves);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        if (is_such(solver, &next))
            return true;
    }
    return false;
}

/* Whether the side to move, which wins, has a move that throws the win away. */
static bool may_err(struct solver *solver, const struct position *position)
{
    return leads_to(solver, position, wins);
}

/* In a lost position, the other side can err after the move, unless it cannot after any. */
static void test_traps(struct solver *solver)
{
    int lost = 0, trapped = 0;

    for (int i = 0; i < 200; i++) {
        struct position position = random_position("5x6", 1 + i % 12), next;
        if (wins(solver, &position))
            continue;
        check_about("a lost position, %d", i);
        bool trap = leads_to(solver, &position, may_err);
        CHECK_INT(guess_at(&position, UINT64_MAX - 1, UINT64_MAX, &next), trap);
        CHECK(!trap || may_err(solver, &next));
        lost++;
        trapped += trap;
    }
    check_about("traps in %d of %d lost positions", trapped, lost);
    CHECK(trapped > 20 && trapped < lost);
}

/* Level max proves with two threads what it does with one. */
static void test_threads(struct solver *solver)
{
    struct tt tt = {.megabytes = 4};

    for (int i = 0; i < 30; i++) {
        struct position position = random_position("5x6", 22);
        struct info info = {0};
        struct search_question question = about(&position, &tt, 4000000, &info);
        struct position next = position;
        question.threads = 2 - i / 10 % 2; /* and changes between the moves */
        check_about("two threads, %d", i);
        clobber.apply(&next, engine_find("max")->think(&question));
        CHECK_INT(info.score > 0, wins(solver, &position));
        CHECK(info.score < 0 || !wins(solver, &next));
    }
    tt_clear(&tt);
}

/* Returns the position rotated by 90 degrees, with or without the colours exchanged. */
static struct position turned(const struct position *position, bool exchange)
{
    struct position result = {
        .side = position->side ^ exchange, .width = position->height, .height = position->width};
    struct board board;

    clobber.board(position, &board);
    for (int square = 0; square < board.width * board.height; square++) {
        int to = square % board.width * board.height + board.height - 1 - square / board.width;
        int color = (board.cell[square] == 'P' ? WHITE : BLACK) ^ exchange;
        if (board.cell[square] != '.')
            result.bits[2 * color + to / 64] |= (uint64_t)1 << to % 64;
    }
    return result;
}

/* Symmetric positions have equal values. */
static void test_values(void)
{
    static const char *const boards[] = {"5x6", "8x8", "10x10", "4x7", "9x10"};

    for (int i = 0; i < 100; i++) {
        struct position position = random_position(boards[i % 5], 1 + rng_below(&rng, 170));
        struct position quarter = turned(&position, false), other = turned(&position, true);
        char text[POSITION_TEXT_MAX];
        clobber.format(&position, text);
        check_about("value of %s", text);
        CHECK_INT(guide_of(&clobber)->value(&quarter), guide_of(&clobber)->value(&position));
        CHECK_INT(guide_of(&clobber)->value(&other), guide_of(&clobber)->value(&position));
        other.side = !other.side;
        CHECK_INT(guide_of(&clobber)->value(&other) + guide_of(&clobber)->value(&position),
                  2 * pattern_tempo);
    }
}

/* A search scores a finished position by its winner, whatever the patterns say and whatever its
 * window. */
static void test_over(void)
{
    struct tt tt = {.megabytes = 1};
    struct search_crew crew = {0};
    struct tree_search *search = calloc(1, sizeof *search);

    tt_begin(&tt);
    for (int i = 0; search != NULL && i < 200; i++) {
        struct position position = random_position("5x6", 1);
        struct move moves[MOVES_MAX];
        clobber.legal(&position, moves);
        clobber.apply(&position, moves[0]);
        if (clobber.legal(&position, NULL) > 0)
            continue;
        struct search_question question = about(&position, &tt, UINT64_MAX, NULL);
        *search = (struct tree_search){.question = &question,
                                       .skill = &(struct skill){0},
                                       .game = &clobber,
                                       .guide = guide_of(&clobber),
                                       .tt = &tt,
                                       .crew = &crew,
                                       .node_limit = UINT64_MAX};
        for (int alpha = -600; alpha <= 600; alpha += 100)
            for (int depth = 0; depth <= 4; depth++) {
                check_about("over at depth %d, alpha %d", depth, alpha);
                CHECK_INT(tree_value(search, &position, depth, alpha, alpha + 1, 2), 2 - SCORE_WIN);
            }
    }
    free(search);
    tt_clear(&tt);
}

/* Computes the pattern of each stone, square by square. */
static void test_patterns(void)
{
    struct position position;
    struct patterns patterns;
    struct cause cause;

    check_about("patterns");
    CHECK(clobber.parse(NULL, "P1p/pPp/Pp1 w", &position, &cause));
    patterns_of(&position, &patterns);
    CHECK_INT(patterns.count[WHITE], 3);
    CHECK_INT(patterns.count[BLACK], 4);
    CHECK_INT(patterns.number[WHITE][0], pattern_number((int[]){0, 0, 0, 0, 2, 0, 2, 1}));
    CHECK_INT(patterns.number[WHITE][1], pattern_number((int[]){1, 2, 0, 2, 2, 1, 0, 2}));
    CHECK_INT(patterns.number[BLACK][0], pattern_number((int[]){0, 0, 0, 2, 0, 1, 2, 1}));
    CHECK_INT(patterns.number[BLACK][3], pattern_number((int[]){2, 1, 0, 0, 0, 0, 0, 0}));
}

/* Plays a match against itself and returns a hash of its moves. */
static uint64_t play_match(uint64_t seed, struct tt *tt)
{
    struct position position = random_position("5x6", 45);
    struct info info;
    uint64_t sum = 0;

    for (rng = seed; clobber.legal(&position, NULL) > 0;) {
        struct search_question question = about(&position, tt, 4000, &info);
        struct move move = engine_find("max")->think(&question);
        sum = 31 * (31 * sum + move.from) + move.to;
        clobber.apply(&position, move);
    }
    return sum;
}

/* With node limits a seed always gives one match, also after the table was cleared. */
static void test_same_again(void)
{
    struct tt tt = {.megabytes = 2};

    check_about("equal seeds give equal matches");
    rng = 11;
    uint64_t first = play_match(3, &tt);
    tt_clear(&tt);
    rng = 11;
    CHECK(play_match(3, &tt) == first);
    tt_clear(&tt);
}

enum { LATE_TIMES = 3, THINK_MS = 20 };

/* The first use of a large table delays no answer: to write to all of it would take many times as
 * long. */
static void test_large_memory(void)
{
    for (int i = 0; i < LATE_TIMES; i++) {
        struct tt tt = {.megabytes = 1024};
        struct position position = random_position("8x8", 22);
        struct info info;
        struct search_question question = about(&position, &tt, UINT64_MAX, &info);
        int64_t before_ms = check_cpu_ms();
        question.limits.deadline_ms = clock_ms() + THINK_MS;
        engine_find("max")->think(&question);
        check_about("a large table, %d", i);
        CHECK_THAT(check_cpu_ms() - before_ms < 5 * THINK_MS, "it takes %d ms",
                   (int)(check_cpu_ms() - before_ms));
        tt_clear(&tt);
    }
}

/* How deep a position is searched, if a hard move may take three times its share of time. */
static int depth_in(const struct position *position, int64_t share_ms)
{
    struct tt tt = {.megabytes = 16};
    struct info info = {0};
    struct search_question question = about(position, &tt, UINT64_MAX, &info);

    question.limits.target_ms = clock_ms() + share_ms;
    question.limits.deadline_ms = clock_ms() + 3 * share_ms;
    engine_find("max")->think(&question);
    tt_clear(&tt);
    return info.depth_plies;
}

/* A position without a proof still gets a guess within the move's share of time, which is larger
 * where the machine is slow. */
static void test_time_left(void)
{
    for (int i = 0; i < 4; i++) {
        struct position position = random_position("8x8", 30);
        int depth = 0;
        for (int64_t share_ms = 300; depth < 3 && share_ms < 30000; share_ms *= 3)
            depth = depth_in(&position, share_ms);
        check_about("time left for a guess, %d", i);
        CHECK(depth >= 3);
    }
}

int main(void)
{
    struct solver *solver = solver_new(MEMORY_BYTES, false);

    CHECK(solver != NULL);
    test_patterns();
    test_values();
    test_over();
    test_ends(solver);
    test_left_out(solver);
    test_guesses(solver);
    test_traps(solver);
    test_threads(solver);
    test_same_again();
    test_large_memory();
    test_time_left();
    solver_free(solver);
    return check_end("test_clobber_bot");
}
