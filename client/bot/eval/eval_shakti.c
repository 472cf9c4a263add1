/*
 * Shakti. Positions keep their sets of squares as common/games/shakti.c describes: the tiles, the
 * king of each colour, then the warriors of each colour. Sight is found for a set of pieces at
 * once, one direction at a time: over holes, to the first tile.
 */
#include "eval.h"
#include "terms.h"

enum { WIDTH = 7, SQUARES = WIDTH * WIDTH, TILES = 0, KING = 1, WARRIORS = 3, DIRECTIONS = 8 };

/* Holes at the start, and the number of further ones when it is late. */
enum { CORNERS = 4, HOLES_LATE = 24 };

#define BOARD  (((uint64_t)1 << SQUARES) - 1)
#define FILE_A (BOARD / 127) /* one bit in each rank of seven */
#define FILE_G (FILE_A << 6)
#define RIM    (FILE_A | FILE_G | UINT64_C(0x7f) | UINT64_C(0x7f) << 42)

/* The terms with their weights at the start and late. Up to MEN_LATE, each is counted for both
 * sides: up for the side to move, down for the other. OTHER marks what the other side can do. */
#define TERMS_OF_SHAKTI(TERM)                                                                      \
    TERM(MEN_1, -228, -31) /* one warrior is left */                                               \
    TERM(MEN_2, 229, 31)                                                                           \
    TERM(REACH, 5, 0)         /* tiles that the warriors can move to */                            \
    TERM(SIGHT, -4, 2)        /* those of them that take no jump */                                \
    TERM(KING_MOVES, -15, 18) /* empty tiles the king sees, out of the enemy's sight */            \
    TERM(RING, 36, 37)        /* tiles beside the king */                                          \
    TERM(ESCAPES_0, -6, 32)   /* the king has no safe tile beside it */                            \
    TERM(ESCAPES_1, 2, 40)    /* one */                                                            \
    TERM(ESCAPES_2, -19, 53)                                                                       \
    TERM(ESCAPES_3, 3, 8)                                                                          \
    TERM(RING_SEEN, -10, 16) /* tiles beside the king that enemy warriors see */                   \
    TERM(ON_RIM, 55, 22)     /* the king is on the rim */                                          \
    TERM(FAR_HOLES, -7, 3)   /* holes two steps from the king */                                   \
    TERM(SEES_FAR, 15, -8)   /* farther tiles that see the king: checks come from there */         \
    TERM(NEAR, -1, 21)       /* warriors within two steps of the enemy king */                     \
    TERM(MEN_LATE, 232, 78)  /* warriors times holes */                                            \
    TERM(TEMPO, 5, 6)                                                                              \
    TERM(CHECKS, 0, 5)        /* tiles from which the side to move can give check */               \
    TERM(CHECKS_OTHER, 2, -2) /* and the other side */                                             \
    TERM(SAFE, 6, 8)          /* those where the king cannot capture the warrior */                \
    TERM(SAFE_OTHER, -10, -16)                                                                     \
    TERM(NET, -1, -25) /* such a check, and the king has no escape */                              \
    TERM(NET_OTHER, 8, 33)                                                                         \
    TERM(NET_1, 7, -17) /* or one */                                                               \
    TERM(NET_1_OTHER, -6, 22)

DEFINE_TERMS(TERMS_OF_SHAKTI);

static int count(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* The squares one step away in a direction. The opposite direction is direction ^ 1. */
static inline uint64_t step(uint64_t set, int direction)
{
    static const int shifts[DIRECTIONS / 2] = {1, WIDTH, WIDTH + 1, WIDTH - 1};
    static const uint64_t leave[DIRECTIONS] = {~FILE_G, ~FILE_A, ~UINT64_C(0), ~UINT64_C(0),
                                               ~FILE_G, ~FILE_A, ~FILE_A,      ~FILE_G};
    int shift = shifts[direction / 2];

    set &= leave[direction];
    return (direction & 1 ? set >> shift : set << shift) & BOARD;
}

/* The first tile in a direction from each square of the set. */
static inline uint64_t first(uint64_t set, int direction, uint64_t tiles)
{
    uint64_t seen = 0;

    for (set = step(set, direction); set != 0; set = step(set & ~tiles, direction))
        seen |= set & tiles;
    return seen;
}

static uint64_t around(uint64_t set)
{
    uint64_t row = set | (set & ~FILE_G) << 1 | (set & ~FILE_A) >> 1;

    return (row | row << WIDTH | row >> WIDTH) & BOARD & ~set;
}

/* At a glance, for eval_shakti(): what an empty tile that a warrior sees, a tile beside the king,
 * and a warrior are worth. */
enum { FREEDOM_VALUE = 10, ROOM_VALUE = 5, WARRIOR_VALUE = 100, CHECK_VALUE = 50 };

static uint64_t sight(uint64_t pieces, uint64_t tiles)
{
    uint64_t seen = 0;

    for (int direction = 0; direction < DIRECTIONS; direction++)
        seen |= first(pieces, direction, tiles);
    return seen;
}

static uint64_t empty_tiles(const uint64_t *bits)
{
    return bits[TILES] & ~(bits[KING] | bits[KING + 1] | bits[WARRIORS] | bits[WARRIORS + 1]);
}

static int value_of(const struct position *p, int color)
{
    const uint64_t *bits = p->bits;
    uint64_t tiles = bits[TILES], empty = empty_tiles(bits), room = around(bits[KING + color]);
    uint64_t attacked = sight(bits[KING + !color] | bits[WARRIORS + !color], tiles);

    return FREEDOM_VALUE * count(sight(bits[WARRIORS + color], tiles) & empty) +
           ROOM_VALUE * (count(room & tiles) + count(room & empty & ~attacked)) +
           WARRIOR_VALUE * count(bits[WARRIORS + color]);
}

/* A check counts for the side that is in it, because only then may the king capture a warrior.
 * Without this, greedy would give check for ever. */
int eval_shakti(const struct position *position)
{
    int value = value_of(position, position->side) - value_of(position, !position->side);

    return value + (shakti.check(position) ? CHECK_VALUE : 0);
}

/* The pieces of a side and what they see. */
struct camp {
    uint64_t king, warriors;
    uint64_t watched;         /* tiles that its warriors see */
    uint64_t king_sees, ring; /* tiles that its king sees, and those beside it */
    uint64_t sight, reach;    /* empty tiles its warriors move to by a step, and by jumps too */
};

static struct camp camp_of(const struct position *p, int color, uint64_t empty)
{
    uint64_t tiles = p->bits[TILES];
    struct camp camp = {.king = p->bits[KING + color], .warriors = p->bits[WARRIORS + color]};

    camp.ring = around(camp.king) & tiles;
    for (int d = 0; d < DIRECTIONS; d++) {
        uint64_t near = first(camp.warriors, d, tiles);
        camp.watched |= near;
        camp.reach |= first(near & empty, d, tiles);
        camp.king_sees |= first(camp.king, d, tiles);
    }
    camp.sight = camp.watched & empty;
    camp.reach = (camp.reach & empty) | camp.sight;
    return camp;
}

static uint64_t escapes(const struct camp *camp, const struct camp *other, uint64_t empty)
{
    return camp->ring & empty & ~other->watched & ~other->king_sees;
}

static void add(const struct camp *camp, const struct camp *other, uint64_t tiles, uint64_t empty,
                int sign, int terms[TERMS_MAX])
{
    int warriors = count(camp->warriors), flights = count(escapes(camp, other, empty));
    uint64_t seen = other->watched | other->king_sees;
    uint64_t far = around(around(camp->king) | camp->king);

    if (warriors > 0)
        terms[MEN_1 + warriors - 1] += sign;
    terms[REACH] += sign * count(camp->reach);
    terms[SIGHT] += sign * count(camp->sight);
    terms[KING_MOVES] += sign * count(camp->king_sees & empty & ~seen);
    terms[RING] += sign * count(camp->ring);
    if (flights <= 3)
        terms[ESCAPES_0 + flights] += sign;
    terms[RING_SEEN] += sign * count(camp->ring & other->watched);
    terms[ON_RIM] += camp->king & RIM ? sign : 0;
    terms[FAR_HOLES] += sign * count(far & ~tiles);
    terms[SEES_FAR] += sign * count(camp->king_sees & ~camp->ring);
    terms[NEAR] += sign * count(camp->warriors & (other->ring | around(other->ring)));
    terms[MEN_LATE] += sign * warriors * (count(BOARD & ~tiles) / 4);
}

/* The checks that one side can give, and the escapes they leave the king. `waiting`: 0 for the side
 * to move, 1 for the other. */
static void add_checks(const struct camp *camp, const struct camp *other, uint64_t empty,
                       int waiting, int terms[TERMS_MAX])
{
    uint64_t checks = camp->reach & other->king_sees;
    uint64_t safe = checks & ~(other->ring & ~camp->king_sees & ~camp->watched);
    int flights = count(escapes(other, camp, empty));

    terms[CHECKS + waiting] = count(checks);
    terms[SAFE + waiting] = count(safe);
    terms[NET + waiting] = safe != 0 && flights == 0;
    terms[NET_1 + waiting] = safe != 0 && flights == 1;
}

static int find(const struct position *position, int terms[TERMS_MAX])
{
    const uint64_t *bits = position->bits;
    int side = position->side;
    uint64_t tiles = bits[TILES], empty = empty_tiles(bits);
    struct camp own = camp_of(position, side, empty), other = camp_of(position, !side, empty);

    for (int i = 0; i < TERMS; i++)
        terms[i] = 0;
    add(&own, &other, tiles, empty, 1, terms);
    add(&other, &own, tiles, empty, -1, terms);
    terms[TEMPO] = 1;
    add_checks(&own, &other, empty, 0, terms);
    add_checks(&other, &own, empty, 1, terms);
    int holes = count(BOARD & ~tiles) - CORNERS;
    return holes < HOLES_LATE ? holes * LATE / HOLES_LATE : LATE;
}

const struct terms shakti_terms = {.game = &shakti,
                                   .count = TERMS,
                                   .names = term_names,
                                   .early = term_early,
                                   .late = term_late,
                                   .find = find};

int static_eval_shakti(const struct position *position)
{
    return terms_value(&shakti_terms, position);
}
