/*
 * Shakti at the leaves of a search: terms.h has the frame. Sets of squares, a1 in the lowest bit;
 * positions keep theirs as common/games/shakti.c says. Sight is found for a whole set of pieces at
 * once, one direction at a time: over holes, to the first tile.
 */
#include "eval.h"
#include "terms.h"

enum { WIDTH = 7, SQUARES = WIDTH * WIDTH, TILES = 0, KING = 1, WARRIORS = 3, DIRECTIONS = 8 };

/* Holes from the start, and those made by when it is late. */
enum { CORNERS = 4, HOLES_LATE = 24 };

#define BOARD  (((uint64_t)1 << SQUARES) - 1)
#define FILE_A (BOARD / 127) /* one bit in each rank of seven */
#define FILE_G (FILE_A << 6)
#define RIM    (FILE_A | FILE_G | UINT64_C(0x7f) | UINT64_C(0x7f) << 42)

/* Up to TEMPO counted up for the side to move and down for the other. */
enum term {
    MEN_1, /* has one warrior */
    MEN_2,
    REACH,      /* tiles that the warriors can come to */
    SIGHT,      /* those among them without a jump */
    KING_MOVES, /* tiles the king sees, empty and out of the enemy's sight */
    RING,       /* tiles beside the king */
    ESCAPES_0,  /* no tile beside the king is empty and out of the enemy's sight, or one ... */
    ESCAPES_1,
    ESCAPES_2,
    ESCAPES_3,
    RING_SEEN, /* tiles beside the king that enemy warriors see */
    ON_RIM,    /* the king stands on the rim */
    FAR_HOLES, /* holes two steps from the king */
    SEES_FAR,  /* tiles beyond its neighbours that see the king: checks come from there */
    NEAR,      /* warriors at most two steps from the enemy king */
    STUCK,     /* no warrior can move */
    MEN_LATE,  /* warriors times holes */
    TEMPO,
    CHECKS,       /* tiles from which the side to move can give check */
    CHECKS_OTHER, /* and the other one */
    SAFE,         /* those among them where the king cannot take the warrior */
    SAFE_OTHER,
    NET, /* such a check while the king has no escape, or one */
    NET_OTHER,
    NET_1,
    NET_1_OTHER,
    TERMS
};

static const char *const names[TERMS] = {
    "MEN_1",      "MEN_2",     "REACH",     "SIGHT",     "KING_MOVES", "RING",         "ESCAPES_0",
    "ESCAPES_1",  "ESCAPES_2", "ESCAPES_3", "RING_SEEN", "ON_RIM",     "FAR_HOLES",    "SEES_FAR",
    "NEAR",       "STUCK",     "MEN_LATE",  "TEMPO",     "CHECKS",     "CHECKS_OTHER", "SAFE",
    "SAFE_OTHER", "NET",       "NET_OTHER", "NET_1",     "NET_1_OTHER"};

static const int16_t early[TERMS] = {
    [MEN_1] = -228,    [MEN_2] = 229,      [REACH] = 5,      [SIGHT] = -4,      [KING_MOVES] = -15,
    [RING] = 36,       [ESCAPES_0] = -6,   [ESCAPES_1] = 2,  [ESCAPES_2] = -19, [ESCAPES_3] = 3,
    [RING_SEEN] = -10, [ON_RIM] = 55,      [FAR_HOLES] = -7, [SEES_FAR] = 15,   [NEAR] = -1,
    [STUCK] = 0,       [MEN_LATE] = 232,   [TEMPO] = 5,      [CHECKS] = 0,      [CHECKS_OTHER] = 2,
    [SAFE] = 6,        [SAFE_OTHER] = -10, [NET] = -1,       [NET_OTHER] = 8,   [NET_1] = 7,
    [NET_1_OTHER] = -6};

static const int16_t late[TERMS] = {
    [MEN_1] = -31,     [MEN_2] = 31,       [REACH] = 0,      [SIGHT] = 2,      [KING_MOVES] = 18,
    [RING] = 37,       [ESCAPES_0] = 32,   [ESCAPES_1] = 40, [ESCAPES_2] = 53, [ESCAPES_3] = 8,
    [RING_SEEN] = 16,  [ON_RIM] = 22,      [FAR_HOLES] = 3,  [SEES_FAR] = -8,  [NEAR] = 21,
    [STUCK] = 0,       [MEN_LATE] = 78,    [TEMPO] = 6,      [CHECKS] = 5,     [CHECKS_OTHER] = -2,
    [SAFE] = 8,        [SAFE_OTHER] = -16, [NET] = -25,      [NET_OTHER] = 33, [NET_1] = -17,
    [NET_1_OTHER] = 22};

/* What a side has and sees. */
struct camp {
    uint64_t king, warriors;
    uint64_t watched;         /* tiles that its warriors see */
    uint64_t king_sees, ring; /* tiles that its king sees, and those beside it */
    uint64_t sight, reach;    /* empty tiles its warriors come to by a step, and by jumps too */
};

static int count(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* The squares one step on in a direction; the opposite one is direction ^ 1. */
static inline uint64_t step(uint64_t set, int direction)
{
    static const int shifts[DIRECTIONS / 2] = {1, WIDTH, WIDTH + 1, WIDTH - 1};
    static const uint64_t leave[DIRECTIONS] = {~FILE_G, ~FILE_A, ~UINT64_C(0), ~UINT64_C(0),
                                               ~FILE_G, ~FILE_A, ~FILE_A,      ~FILE_G};
    int shift = shifts[direction / 2];

    set &= leave[direction];
    return (direction & 1 ? set >> shift : set << shift) & BOARD;
}

/* The first tiles from the squares of the set. */
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
    terms[STUCK] += warriors > 0 && camp->reach == 0 ? sign : 0;
    terms[MEN_LATE] += sign * warriors * (count(BOARD & ~tiles) / 4);
}

/* The checks of one side, and how they meet the king's escapes. */
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
    uint64_t tiles = bits[TILES];
    uint64_t empty = tiles & ~(bits[KING] | bits[KING + 1] | bits[WARRIORS] | bits[WARRIORS + 1]);
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

const struct terms shakti_terms = {&shakti, TERMS, names, early, late, find};

int still_shakti(const struct position *position)
{
    return terms_value(&shakti_terms, position);
}
