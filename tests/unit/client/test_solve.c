/*
 * The Clobber solver, compared with searches that know only the rules, with published outcomes, and
 * with itself on equivalent positions. It has no time limits here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/bot/clobber/cgt.h"
#include "client/bot/clobber/clobber_group.h"
#include "client/bot/clobber/clobber_solve.h"
#include "common/games/clobber.h"
#include "common/rng.h"

enum { PLAIN_BITS = 20, MEMORY_BYTES = 4 << 20 };

static struct plain {
    uint64_t key[1 << PLAIN_BITS]; /* lowest bit: whether the side to move wins */
} plain;

/* Returns whether the side to move wins, by trying all moves, with a table that ignores
 * symmetry. */
static bool plain_wins(const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = clobber.legal(position, moves);
    uint64_t key = clobber.key(position) & ~(uint64_t)1;
    uint64_t *slot = &plain.key[key >> (64 - PLAIN_BITS)];
    bool won = false;

    if ((*slot & ~(uint64_t)1) == key)
        return *slot & 1;
    for (int i = 0; i < count && !won; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        won = !plain_wins(&next);
    }
    *slot = key | won;
    return won;
}

static struct solve_request about(const struct position *position)
{
    return (struct solve_request){.position = *position, .limits = NO_LIMITS};
}

/* Returns whether the side to move wins, according to the solver. */
static bool solver_wins(struct solver *solver, const struct position *position)
{
    struct solve_request request = about(position);
    struct solve_answer answer;

    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
    return answer.wins;
}

/* Checks the winner, and that the move, if any, leaves a lost position. */
static void check_position(struct solver *solver, const struct position *position)
{
    struct solve_request request = about(position);
    struct solve_answer answer;
    char text[POSITION_TEXT_MAX];

    clobber.format(position, text);
    check_about("%s", text);
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
    CHECK_INT(answer.wins, plain_wins(position));
    if (!answer.wins)
        return;
    struct move moves[MOVES_MAX];
    struct position next = *position;
    bool is_legal = false;
    for (int i = clobber.legal(position, moves); i-- > 0;)
        is_legal = is_legal || memcmp(&moves[i], &answer.move, sizeof answer.move) == 0;
    if (!CHECK(is_legal))
        return;
    clobber.apply(&next, answer.move);
    CHECK(!plain_wins(&next));
}

/* Sets the start of a board, which may be longer than those of matches. */
static void lay(struct position *position, int width, int height)
{
    char name[VARIANT_NAME_MAX];
    struct cause cause;

    snprintf(name, sizeof name, "%ux%u", width % 100u, height % 100u);
    check_about("%s", name);
    CHECK(clobber_start_long(name, position, &cause));
}

/* Boards within reach of the plain search, including all starts and one long strip. */
static void test_small_boards(struct solver *solver)
{
    for (int width = 1; width <= CLOBBER_LONG_SIDE; width++)
        for (int height = 1; height <= CLOBBER_LONG_SIDE; height++) {
            struct position position;
            int most = width <= 2 || height <= 2 ? 22 : 20;
            if (width * height < 2 || width * height > most)
                continue;
            lay(&position, width, height);
            check_position(solver, &position);
        }
}

/* Chen et al., "A Proof of the 2004 Albert-Grossman-Nowakowski-Wolfe Conjecture on Alternating
 * Linear Clobber" (2025): the first player wins every single row of even length but 6. */
static void test_rows(struct solver *solver)
{
    for (int width = 2; width <= CLOBBER_LONG_SIDE; width += 2) {
        struct position position;
        lay(&position, width, 1);
        CHECK_INT(solver_wins(solver, &position), width != 6);
    }
}

/* Larger boards, which took a plain search with a larger table 593,278, 54,894,643 and 23,732,593
 * positions. */
static const struct {
    const char *board;
    bool first_wins;
} known[] = {{"3x7", true}, {"3x8", false}, {"2x12", false}};

static void test_known_boards(struct solver *solver)
{
    for (size_t i = 0; i < LENGTH(known); i++) {
        struct position position;
        struct cause cause;
        check_about("%s", known[i].board);
        CHECK(clobber_start_long(known[i].board, &position, &cause));
        CHECK_INT(solver_wins(solver, &position), known[i].first_wins);
    }
}

static void set_stone(struct position *position, int color, int square)
{
    position->bits[(color == WHITE ? 0 : 2) + square / 64] |= (uint64_t)1 << square % 64;
}

/* Returns a position with about that many stones at random, of random colours and side to move. */
static struct position random_position(uint64_t *rng, int width, int height, int stones)
{
    struct position position = {.width = (uint8_t)width, .height = (uint8_t)height};

    position.side = (uint8_t)rng_below(rng, 2);
    for (int square = 0; square < width * height; square++)
        if (rng_below(rng, width * height) < stones)
            set_stone(&position, rng_below(rng, 2), square);
    return position;
}

static void test_random_positions(struct solver *solver)
{
    uint64_t rng = 4711;

    for (int i = 0; i < 1500; i++) {
        int width = 1 + rng_below(&rng, 8), height = 1 + rng_below(&rng, 8);
        if (width * height < 2)
            continue;
        int stones = width * height < 12 ? width * height : 12;
        struct position position = random_position(&rng, width, height, stones);
        check_position(solver, &position);
    }
}

/* Groups that are too long for 8x8 squares. */
static void test_long_boards(struct solver *solver)
{
    uint64_t rng = 42;

    for (int i = 0; i < 400; i++) {
        int width = 9 + rng_below(&rng, 12), height = 1 + rng_below(&rng, 64 / width);
        struct position position = random_position(&rng, width, height, 13);
        if (i % 2 == 0)
            position = random_position(&rng, height, width, 13);
        check_position(solver, &position);
    }
}

/* The strides of clobber_group.h read one word as different groups: twelve stones in a row, or
 * eight to eleven with the others above them. */
static void test_layouts(void)
{
    struct solver *solver = solver_new(MEMORY_BYTES, true);
    uint64_t rng = 12;

    for (int i = 0; i < 60; i++) {
        int colors = rng_below(&rng, 1 << 12);
        for (int width = 8; width <= 12; width++) {
            struct position position = {.width = (uint8_t)width, .height = 2};
            for (int square = 0; square < 12; square++)
                set_stone(&position, colors >> square & 1, square);
            check_position(solver, &position);
        }
    }
    solver_free(solver);
}

/* Returns the position mirrored along an axis, rotated, or with the colours exchanged. */
static struct position changed(const struct position *position, int change)
{
    struct board board;
    struct position result = {.side = position->side};

    clobber.board(position, &board);
    result.width = change == 2 ? position->height : position->width;
    result.height = change == 2 ? position->width : position->height;
    for (int square = 0; square < board.width * board.height; square++) {
        int file = square % board.width, rank = square / board.width;
        int to = square;
        if (change == 0)
            to = rank * board.width + board.width - 1 - file;
        else if (change == 1)
            to = (board.height - 1 - rank) * board.width + file;
        else if (change == 2)
            to = file * result.width + rank;
        if (board.cell[square] != '.')
            set_stone(&result, (board.cell[square] == 'P') == (change < 3) ? WHITE : BLACK, to);
    }
    if (change == 3)
        result.side = !position->side;
    return result;
}

/* Checks that a changed position has the groups of the original, as their keys tell. */
static void check_groups(const struct position *position, const struct position *same, bool swapped)
{
    for (int stride = group_stride(position); stride <= 16; stride++) {
        struct groups groups, other;
        struct layout layout;
        uint64_t difference = 0;
        layout_set(&layout, stride);
        groups_of_position(&groups, position, &layout);
        groups_of_position(&other, same, &layout);
        CHECK_INT(other.count, groups.count);
        for (int j = 0; j < groups.count && j < other.count; j++)
            difference += group_key(&groups.group[j], WHITE) -
                          group_key(&other.group[j], swapped ? BLACK : WHITE);
        CHECK(difference == 0);
    }
}

/* A sum of groups too large for values has one key in every orientation. */
static void test_symmetry(struct solver *solver)
{
    uint64_t rng = 99;

    for (int i = 0; i < 60; i++) {
        struct position position = i < 40 ? random_position(&rng, 3 + i % 4, 4, 16)
                                          : random_position(&rng, 9 + i % 4, 2 + i % 3, 20);
        bool wins = solver_wins(solver, &position);
        for (int change = 0; change < 4; change++) {
            struct position same = changed(&position, change);
            check_about("symmetry: position %d, change %d", i, change);
            struct solver *fresh = solver_new(MEMORY_BYTES, true);
            CHECK_INT(solver_wins(fresh, &same), wins);
            solver_free(fresh);
            check_groups(&position, &same, change == 3);
        }
    }
}

/* The arithmetic of canonical values, on which the search relies. */
static void test_values(void)
{
    struct cgt_options options = {.count = {0}};
    const uint32_t *of;
    struct arena arena;

    check_about("values");
    if (!CHECK(arena_map(&arena, 2 << 20, true)))
        return;
    struct cgt *cgt = cgt_new(1 << 20, &arena);
    cgt_option_add(&options, WHITE, CGT_ZERO);
    cgt_option_add(&options, BLACK, CGT_ZERO);
    uint32_t star = cgt_make(cgt, &options);
    CHECK(!cgt_good_for(cgt, star, WHITE) && !cgt_good_for(cgt, star, BLACK));
    CHECK_INT(cgt_add(cgt, star, star), CGT_ZERO);

    options = (struct cgt_options){.option = {{CGT_ZERO}, {star}}, .count = {1, 1}};
    uint32_t up = cgt_make(cgt, &options);
    options = (struct cgt_options){.option = {{star}, {CGT_ZERO}}, .count = {1, 1}};
    uint32_t down = cgt_make(cgt, &options);
    CHECK(cgt_good_for(cgt, up, WHITE) && !cgt_good_for(cgt, up, BLACK));
    CHECK(cgt_add(cgt, up, up) != CGT_ZERO);
    CHECK(cgt_key(cgt, up, WHITE) == cgt_key(cgt, down, BLACK));
    CHECK_INT(cgt_add(cgt, up, down), CGT_ZERO);

    /* up + star = {0, star | 0}; twice up is {0 | up + star}. */
    uint32_t up_star = cgt_add(cgt, up, star);
    CHECK_INT(cgt_options_of(cgt, up_star, WHITE, &of), 2);
    CHECK(!cgt_good_for(cgt, up_star, WHITE) && !cgt_good_for(cgt, up_star, BLACK));
    options = (struct cgt_options){.option = {{CGT_ZERO}, {up_star}}, .count = {1, 1}};
    uint32_t twice = cgt_make(cgt, &options);
    CHECK_INT(cgt_add(cgt, up, up), twice);
    CHECK_INT(cgt_add(cgt, twice, down), up);
    CHECK_INT(cgt_add(cgt, up_star, star), up);

    /* A move to star that the other side answers to zero reverses out. */
    options = (struct cgt_options){.option = {{star}, {star}}, .count = {1, 1}};
    CHECK_INT(cgt_make(cgt, &options), CGT_ZERO);
    CHECK_INT(cgt_add(cgt, CGT_NONE, up), CGT_NONE);
    free(cgt);
    arena_unmap(&arena);
}

static void test_limits(struct solver *solver)
{
    struct solve_request request;
    struct solve_answer answer;
    struct position position;
    struct cause cause;
    atomic_bool stop = true;

    check_about("limits");
    CHECK(clobber.start("6x6", &position, &cause));
    request = about(&position);
    request.limits.nodes = 1000;
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_LIMIT);
    CHECK_INT(answer.nodes, 1000);
    request.limits.nodes = 0;
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_LIMIT);
    request = about(&position);
    request.limits.deadline_ms = clock_ms() - 1;
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_LIMIT);
    CHECK(answer.nodes <= 1);
    request = about(&position);
    request.stop = &stop;
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_LIMIT);
    CHECK(answer.nodes <= 1);

    check_about("a limit leaves nothing wrong behind");
    CHECK(clobber.start("3x6", &position, &cause));
    request = about(&position);
    for (uint64_t nodes = 1; nodes <= 256; nodes *= 4) {
        request.limits.nodes = nodes;
        solver_solve(solver, &request, &answer);
    }
    CHECK(!solver_wins(solver, &position));
}

/* A word takes each box of at most 64 squares, with a guard file where there is room. */
static void test_strides(void)
{
    static const struct {
        const char *board;
        int stride;
    } boards[] = {{"1x2", 8},   {"8x8", 8},   {"9x6", 10},  {"9x7", 9},
                  {"10x6", 10}, {"11x5", 12}, {"12x5", 12}, {"13x3", 14},
                  {"16x4", 16}, {"20x3", 21}, {"3x20", 21}, {"9x8", 0}};

    for (size_t i = 0; i < LENGTH(boards); i++) {
        struct position position;
        struct cause cause;
        check_about("%s", boards[i].board);
        CHECK(clobber_start_long(boards[i].board, &position, &cause));
        CHECK_INT(group_stride(&position), boards[i].stride);
    }
}

static void test_too_wide(struct solver *solver)
{
    struct solve_request request;
    struct solve_answer answer;
    struct position position;
    struct cause cause;

    check_about("a group that is too wide");
    CHECK(clobber.start("9x8", &position, &cause));
    request = about(&position);
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_TOO_WIDE);

    check_about("one group too long for 9x7, another one too high for 10x6");
    CHECK(clobber.parse(NULL, "PpPpPpPpPp/10/10/p9/P9/p9/P9/p9/P9/pPpPpPp3 w", &position, &cause));
    request = about(&position);
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_TOO_WIDE);

    check_about("small groups on the largest board");
    CHECK(clobber.parse(NULL, "10/1pP6P/9p/10/PpP7/10/10/9P/9p/8pP w", &position, &cause));
    check_position(solver, &position);
    check_about("nothing left");
    CHECK(clobber.parse(NULL, "10/1PP6P/10/10/10/10/10/10/10/9p b", &position, &cause));
    check_position(solver, &position);
}

/* With the least memory, overflowing tables must not cause wrong answers. */
static void test_little_memory(void)
{
    struct solver *solver = solver_new(1 << 20, true);
    uint64_t rng = 31;

    for (int i = 0; i < 200; i++) {
        struct position position = random_position(&rng, 4, 4, 14);
        check_position(solver, &position);
    }
    solver_free(solver);
}

int main(void)
{
    struct solver *solver = solver_new(MEMORY_BYTES, true);

    test_values();
    test_small_boards(solver);
    test_rows(solver);
    test_known_boards(solver);
    test_random_positions(solver);
    test_long_boards(solver);
    test_layouts();
    test_symmetry(solver);
    test_limits(solver);
    test_strides();
    test_too_wide(solver);
    test_little_memory();
    solver_free(solver);
    return check_end("test_solve");
}
