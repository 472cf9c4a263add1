/*
 * Traits of Xadrersi positions: recounted square by square in random matches, their weights, and
 * perfect play on the last ply.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/bot/search/tree.h"
#include "client/games/guide.h"
#include "client/games/xadrersi_traits.h"
#include "common/rng.h"

enum { SIZE = 8, SQUARES = SIZE * SIZE, POSITIONS = 400 };

static const char kinds[] = "KQRBN";
static uint64_t rng = 16;

/* By square: the number of attackers of each side. */
struct attacks {
    int of[2][SQUARES];
};

/* A position, its attacks, and the traits counted so far. */
struct count {
    struct board board;
    struct attacks attacks;
    bool touch;
    int wanted[TRAITS];
};

static bool is_on_board(int file, int rank)
{
    return file >= 0 && file < SIZE && rank >= 0 && rank < SIZE;
}

static bool is_near(const struct board *board, int square)
{
    for (int step = 0; step < 9; step++) {
        int file = square % SIZE + step % 3 - 1, rank = square / SIZE + step / 3 - 1;
        if (is_on_board(file, rank) && board->cell[rank * SIZE + file] != '.')
            return true;
    }
    return false;
}

/* Walks from a piece in one direction. Returns the number of squares that it attacks there. */
static int walk(struct count *c, int square, int files, int ranks, int steps, int *points)
{
    bool black = islower((unsigned char)c->board.cell[square]);
    int file = square % SIZE + files, rank = square / SIZE + ranks, reached = 0;

    for (; reached < steps && is_on_board(file, rank); file += files, rank += ranks) {
        int to = rank * SIZE + file;
        c->attacks.of[black][to]++;
        reached++;
        *points += !c->touch || c->board.cell[to] == '.';
        if (c->board.cell[to] != '.')
            break;
    }
    return reached;
}

static void count_piece(struct count *c, int square, int *traits)
{
    int kind = (int)(strchr(kinds, toupper((unsigned char)c->board.cell[square])) - kinds);

    for (int files = -2; files <= 2; files++) {
        for (int ranks = -2; ranks <= 2; ranks++) {
            bool jump = abs(files * ranks) == 2, straight = abs(files) + abs(ranks) == 1;
            bool diagonal = abs(files * ranks) == 1, line = straight || diagonal;
            bool goes = kinds[kind] == 'N'   ? jump
                        : kinds[kind] == 'R' ? straight
                        : kinds[kind] == 'B' ? diagonal
                                             : line;
            int far = kinds[kind] == 'N' || kinds[kind] == 'K' ? 1 : SIZE;
            if (!goes)
                continue;
            int reached = walk(c, square, files, ranks, far, &traits[TRAIT_POINTS + kind]);
            if (far > 1)
                traits[TRAIT_CUTS] += reached * (reached - 1) / 2;
        }
    }
    if (kind > 0 && kinds[kind] != 'N')
        traits[TRAIT_IN_HAND + kind - 1]--;
}

/* Counts the traits that depend on all attacks. */
static void count_square(const struct count *c, int square, int color, int *traits)
{
    int own = c->attacks.of[color][square], enemy = c->attacks.of[!color][square];

    traits[TRAIT_REACHED] += own > 0;
    traits[TRAIT_CONTESTED] += enemy > 0 ? own : 0;
    traits[TRAIT_NEAR] += is_near(&c->board, square) ? own : 0;
}

static void count_traits(const struct position *position, struct count *c)
{
    int *of[2] = {&c->wanted[position->side == WHITE ? TRAIT_OWN : TRAIT_ENEMY],
                  &c->wanted[position->side == WHITE ? TRAIT_ENEMY : TRAIT_OWN]};
    char text[POSITION_TEXT_MAX];

    memset(c, 0, sizeof *c);
    c->touch = position->variant == 0;
    xadrersi.board(position, &c->board);
    xadrersi.format(position, text);
    c->wanted[TRAIT_ONE] = 1;
    c->wanted[TRAIT_CALLED] = strstr(text, " Q ") != NULL;
    for (int color = WHITE; color <= BLACK; color++)
        memcpy(of[color] + TRAIT_IN_HAND, (const int[]){1, 2, 2}, 3 * sizeof(int));
    for (int square = 0; square < SQUARES; square++)
        if (c->board.cell[square] != '.')
            count_piece(c, square, of[islower((unsigned char)c->board.cell[square]) != 0]);
    for (int square = 0; square < SQUARES; square++) {
        if (c->board.cell[square] != '.')
            continue;
        c->wanted[TRAIT_EDGE] += is_near(&c->board, square);
        count_square(c, square, WHITE, of[WHITE]);
        count_square(c, square, BLACK, of[BLACK]);
    }
}

static struct position random_position(const char *variant, int plies)
{
    struct move moves[MOVES_MAX];
    struct position position;
    struct cause cause;

    CHECK(xadrersi.start(variant, &position, &cause));
    for (; plies > 0; plies--)
        xadrersi.apply(&position, moves[rng_below(&rng, xadrersi.legal(&position, moves))]);
    return position;
}

static void test_traits(void)
{
    for (int i = 0; i < POSITIONS; i++) {
        struct position position =
            random_position(xadrersi.variants[i % 2], i / 2 % XADRERSI_PLIES);
        int16_t traits[TRAITS];
        struct count c;
        char text[POSITION_TEXT_MAX];
        xadrersi.format(&position, text);
        check_about("%s", text);
        xadrersi_traits(&position, traits);
        count_traits(&position, &c);
        for (int j = 0; j < TRAITS; j++)
            CHECK_THAT(traits[j] == c.wanted[j], "trait %d is %d, not %d", j, traits[j],
                       c.wanted[j]);
    }
}

/* Returns the winner when both sides play on well. */
static enum result played_out(struct position position)
{
    static atomic_bool stop;

    while (xadrersi.outcome(&position).result == RESULT_NONE) {
        struct search_question question = {.game = &xadrersi,
                                           .position = position,
                                           .limits = {INT64_MAX, INT_MAX, 1500, 0},
                                           .rng = &rng,
                                           .stop = &stop};
        xadrersi.apply(&position, search_think(&question, &(struct skill){0}));
    }
    return xadrersi.outcome(&position).result;
}

/* The static value predicts the winner more often than not, for either side to move. */
static void test_weights(void)
{
    enum { MATCHES = 60 };

    for (int i = 0; i < 4; i++) {
        int right = 0, plies = 10 + i % 2;
        check_about("%s after %d plies", xadrersi.variants[i / 2], plies);
        for (int j = 0; j < MATCHES; j++) {
            struct position position = random_position(xadrersi.variants[i / 2], plies);
            enum color seen = guide_of(&xadrersi)->value(&position) > 0
                                  ? position.side
                                  : (enum color) !position.side;
            right += played_out(position) == result_win(seen);
        }
        CHECK_THAT(right >= MATCHES * 2 / 3, "right only %d times of %d", right, MATCHES);
    }
}

/* With one ply to go, the move is the best of all legal ones. */
static int best_by_rules(const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = xadrersi.legal(position, moves), best = -1;

    for (int i = 0; i < count; i++) {
        struct position full = *position;
        xadrersi.apply(&full, moves[i]);
        enum result result = xadrersi.outcome(&full).result;
        int reached = result == RESULT_DRAW ? 0 : result == RESULT_BLACK ? 1 : -1;
        best = reached > best ? reached : best;
    }
    return best;
}

static void check_last(const struct position *position, int seen[3])
{
    char text[POSITION_TEXT_MAX];
    int wanted = best_by_rules(position);

    xadrersi.format(position, text);
    check_about("%s", text);
    CHECK_INT(guide_of(&xadrersi)->last(position), wanted);
    seen[wanted + 1]++;
}

static void test_last(void)
{
    static const char *const waived[][2] = {
        /* rules 5 and 6 */
        {"touch", "8/8/8/8/BNR5/Bbbn4/nNQr4/RKqr4[k] b - a1"},
        {"attack", "8/8/8/8/bbr5/BBRn4/NNRn4/KqQr4[k] b - a3"},
    };
    int seen[3] = {0};

    for (int i = 0; i < 5 * POSITIONS; i++) {
        struct position position = random_position(xadrersi.variants[i % 2], XADRERSI_PLIES - 1);
        check_last(&position, seen);
    }
    for (int i = 0; i < 3; i++)
        CHECK_THAT(seen[i] > 10, "only %d positions with the result %d", seen[i], i - 1);
    for (size_t i = 0; i < LENGTH(waived); i++) {
        struct position position;
        struct cause cause = {""};
        CHECK_THAT(xadrersi.parse(waived[i][0], waived[i][1], &position, &cause), "%s", cause.text);
        check_last(&position, seen);
    }
}

int main(void)
{
    test_traits();
    test_last();
    test_weights();
    return check_end("test_xadrersi_traits");
}
