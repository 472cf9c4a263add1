/*
 * Latrunculi at the leaves of a search: terms.h has the frame. Sets of squares, a1 in the lowest
 * bit; positions keep theirs as common/games/latrunculi.c says.
 */
#include <stddef.h>

#include "eval.h"
#include "terms.h"

enum { SOLDIERS = 0, DUCES = 2, PLIES = 0, PLIES_DRAW = 100, PLIES_NEAR_DRAW = 84 };

#define FILE_A  UINT64_C(0x0101010101010101)
#define FILE_H  (FILE_A << 7)
#define RANK_1  UINT64_C(0xff)
#define RANK_8  (RANK_1 << 56)
#define RIM     (FILE_A | FILE_H | RANK_1 | RANK_8)
#define CORNERS ((FILE_A | FILE_H) & (RANK_1 | RANK_8))
#define CENTRE  UINT64_C(0x00003c3c3c3c0000)

/* For each colour, counted up for the side to move and down for the other; from TEMPO on for the
 * position as a whole. HANGING and AIMED tell the two sides apart, as it matters whose turn it is.
 */
enum term {
    MEN_1, /* has one soldier left */
    MEN_2,
    MEN_3,
    MEN_4,
    MEN_5,
    MEN_6,
    MEN_7,
    MEN_8,
    PRESSED, /* enemies beside the dux */
    GAPS_0,  /* no empty square beside the dux, or one, or two, or three */
    GAPS_1,
    GAPS_2,
    GAPS_3,
    CHOKED,    /* one gap, and an enemy beside the dux */
    STUCK,     /* the dux cannot move, or only to attack */
    DUX_RIM,   /* the dux stands on an edge */
    DUX_MID,   /* the dux stands in the middle */
    NEAR,      /* own soldiers at most two steps from the enemy dux */
    LOCKED,    /* locked soldiers */
    MOBILITY,  /* squares that pieces which are not locked reach */
    GUARDED,   /* soldiers beside own pieces */
    ON_EDGE,   /* soldiers on an edge, corners among them */
    IN_CORNER, /* soldiers in a corner */
    MIDDLE,    /* soldiers in the middle */
    OPEN,      /* soldiers between an enemy and an empty square */
    TEMPO,
    HANGING,       /* soldiers of the side to move that the other can capture */
    HANGING_OTHER, /* and the other way round */
    AIMED,         /* gaps beside the mover's dux that the enemy can reach */
    AIMED_OTHER,
    FINAL, /* the last gap beside the mover's dux can be filled */
    FINAL_OTHER,
    TERMS
};

static const char *const names[TERMS] = {
    "MEN_1",   "MEN_2",       "MEN_3",   "MEN_4",      "MEN_5",  "MEN_6",    "MEN_7",
    "MEN_8",   "PRESSED",     "GAPS_0",  "GAPS_1",     "GAPS_2", "GAPS_3",   "CHOKED",
    "STUCK",   "DUX_RIM",     "DUX_MID", "NEAR",       "LOCKED", "MOBILITY", "GUARDED",
    "ON_EDGE", "IN_CORNER",   "MIDDLE",  "OPEN",       "TEMPO",  "HANGING",  "HANGING_OTHER",
    "AIMED",   "AIMED_OTHER", "FINAL",   "FINAL_OTHER"};

static const int16_t early[TERMS] = {
    [MEN_1] = 170,   [MEN_2] = -195,   [MEN_3] = -510,       [MEN_4] = -135,  [MEN_5] = 95,
    [MEN_6] = 308,   [MEN_7] = 350,    [MEN_8] = 473,        [PRESSED] = -12, [GAPS_0] = 0,
    [GAPS_1] = 137,  [GAPS_2] = 4,     [GAPS_3] = 1,         [CHOKED] = -75,  [STUCK] = -75,
    [DUX_RIM] = -42, [DUX_MID] = 19,   [NEAR] = 7,           [LOCKED] = -5,   [MOBILITY] = 2,
    [GUARDED] = 7,   [ON_EDGE] = -24,  [IN_CORNER] = -13,    [MIDDLE] = -4,   [OPEN] = -4,
    [TEMPO] = 8,     [HANGING] = -37,  [HANGING_OTHER] = 52, [AIMED] = -3,    [AIMED_OTHER] = 5,
    [FINAL] = -13,   [FINAL_OTHER] = 0};

static const int16_t late[TERMS] = {
    [MEN_1] = -509, [MEN_2] = -312,   [MEN_3] = 26,          [MEN_4] = 110,   [MEN_5] = 158,
    [MEN_6] = 101,  [MEN_7] = 480,    [MEN_8] = 305,         [PRESSED] = -16, [GAPS_0] = 0,
    [GAPS_1] = -41, [GAPS_2] = -31,   [GAPS_3] = -8,         [CHOKED] = -7,   [STUCK] = -7,
    [DUX_RIM] = 13, [DUX_MID] = -2,   [NEAR] = -8,           [LOCKED] = -56,  [MOBILITY] = 2,
    [GUARDED] = 6,  [ON_EDGE] = -8,   [IN_CORNER] = -26,     [MIDDLE] = -1,   [OPEN] = 28,
    [TEMPO] = -2,   [HANGING] = -63,  [HANGING_OTHER] = 106, [AIMED] = 10,    [AIMED_OTHER] = -8,
    [FINAL] = -90,  [FINAL_OTHER] = 0};

/* A side's pieces and what they can do. */
struct camp {
    uint64_t soldiers, dux, men;
    uint64_t reach;  /* where a piece can come to, leaving locks aside */
    uint64_t beside; /* squares next to the dux */
    uint64_t locked;
    int mobility;
};

static int count(uint64_t set)
{
    return __builtin_popcountll(set);
}

static uint64_t east(uint64_t set)
{
    return (set & ~FILE_H) << 1;
}

static uint64_t west(uint64_t set)
{
    return (set & ~FILE_A) >> 1;
}

static uint64_t neighbours(uint64_t set)
{
    return east(set) | west(set) | set << 8 | set >> 8;
}

/* What can be slid to over empty squares, the way of the shift. The reach doubles three times. */
static uint64_t slide_up(uint64_t set, int shift, uint64_t pass)
{
    uint64_t from = set;

    for (int i = 0; i < 3; i++) {
        from |= pass & from << shift;
        pass &= pass << shift;
        shift *= 2;
    }
    return from & ~set;
}

static uint64_t slide_down(uint64_t set, int shift, uint64_t pass)
{
    uint64_t from = set;

    for (int i = 0; i < 3; i++) {
        from |= pass & from >> shift;
        pass &= pass >> shift;
        shift *= 2;
    }
    return from & ~set;
}

/* Where the pieces can come to; *moves, where not NULL, is the number of moves. */
static uint64_t slides(uint64_t set, uint64_t empty, int *moves)
{
    uint64_t n = slide_up(set, 8, empty), s = slide_down(set, 8, empty);
    uint64_t e = slide_up(set, 1, empty & ~FILE_A), w = slide_down(set, 1, empty & ~FILE_H);

    if (moves != NULL)
        *moves = count(n) + count(s) + count(e) + count(w);
    return n | s | e | w;
}

/* Soldiers next to an enemy that has no second piece of theirs beside it. */
static uint64_t locked(uint64_t soldiers, uint64_t men, uint64_t enemies)
{
    uint64_t a = east(men), b = west(men), c = men << 8, d = men >> 8;
    uint64_t twice = (a & b) | (c & d) | ((a | b) & (c | d));

    return soldiers & neighbours(enemies & ~twice);
}

static struct camp camp_of(const struct position *p, int color)
{
    uint64_t soldiers = p->bits[SOLDIERS + color], dux = p->bits[DUCES + color];
    uint64_t enemies = p->bits[SOLDIERS + !color] | p->bits[DUCES + !color];
    struct camp camp = {.soldiers = soldiers,
                        .dux = dux,
                        .men = soldiers | dux,
                        .beside = neighbours(dux),
                        .locked = locked(soldiers, soldiers | dux, enemies)};
    uint64_t empty = ~(camp.men | enemies), free = camp.men & ~camp.locked;

    camp.reach = slides(free, empty, &camp.mobility);
    if (camp.locked != 0)
        camp.reach |= slides(camp.locked, empty, NULL);
    return camp;
}

/* The squares from which an arrival takes a soldier that stands off the edges, and the soldiers
 * that could be taken so if `arrive` is where the captors come to. */
static uint64_t between(uint64_t soldiers, uint64_t captors, uint64_t arrive)
{
    return soldiers & ((east(captors) & west(arrive)) | (west(captors) & east(arrive)) |
                       (captors << 8 & arrive >> 8) | (captors >> 8 & arrive << 8));
}

/* On an edge any two neighbours will do. */
static uint64_t cornered(uint64_t soldiers, uint64_t captors, uint64_t arrive)
{
    return soldiers & RIM & neighbours(captors) & neighbours(arrive);
}

static uint64_t hanging(const struct camp *camp, const struct camp *other)
{
    return between(camp->soldiers & ~RIM, other->men, other->reach) |
           cornered(camp->soldiers, other->men, other->reach);
}

/* What the rules let a dux with so many occupied squares beside it do. */
static bool is_stuck(const struct camp *camp, int occupied)
{
    if (camp->dux & CORNERS)
        return true;
    return occupied >= (camp->dux & RIM ? 2 : 3);
}

static void add_dux(const struct camp *camp, const struct camp *other, uint64_t empty, int sign,
                    int terms[TERMS_MAX])
{
    int gaps = count(camp->beside & empty), pressed = count(camp->beside & other->men);

    terms[PRESSED] += sign * pressed;
    if (gaps < 4)
        terms[GAPS_0 + gaps] += sign;
    if (pressed > 0) {
        terms[CHOKED] += gaps == 1 ? sign : 0;
        terms[STUCK] += is_stuck(camp, count(camp->beside & ~empty)) ? sign : 0;
    }
    terms[DUX_RIM] += camp->dux & RIM ? sign : 0;
    terms[DUX_MID] += camp->dux & CENTRE ? sign : 0;
}

static void add_men(const struct camp *camp, const struct camp *other, uint64_t empty, int sign,
                    int terms[TERMS_MAX])
{
    terms[MEN_1 + count(camp->soldiers) - 1] += sign;
    terms[NEAR] += sign * count(camp->soldiers & (other->beside | neighbours(other->beside)));
    terms[LOCKED] += sign * count(camp->locked);
    terms[MOBILITY] += sign * camp->mobility;
    terms[GUARDED] += sign * count(camp->soldiers & neighbours(camp->men));
    terms[ON_EDGE] += sign * count(camp->soldiers & RIM);
    terms[IN_CORNER] += sign * count(camp->soldiers & CORNERS);
    terms[MIDDLE] += sign * count(camp->soldiers & CENTRE);
    terms[OPEN] += sign * count(between(camp->soldiers & ~RIM, other->men, empty));
}

static int find(const struct position *position, int terms[TERMS_MAX])
{
    struct camp own = camp_of(position, position->side);
    struct camp other = camp_of(position, !position->side);
    uint64_t empty = ~(own.men | other.men);

    for (int i = 0; i < TERMS; i++)
        terms[i] = 0;
    add_men(&own, &other, empty, 1, terms);
    add_men(&other, &own, empty, -1, terms);
    add_dux(&own, &other, empty, 1, terms);
    add_dux(&other, &own, empty, -1, terms);
    terms[TEMPO] = 1;
    terms[HANGING] = count(hanging(&own, &other));
    terms[HANGING_OTHER] = count(hanging(&other, &own));
    terms[AIMED] = count(own.beside & empty & other.reach);
    terms[AIMED_OTHER] = count(other.beside & empty & own.reach);
    terms[FINAL] = terms[AIMED] == 1 && count(own.beside & empty) == 1;
    terms[FINAL_OTHER] = terms[AIMED_OTHER] == 1 && count(other.beside & empty) == 1;
    return LATE - count(own.soldiers | other.soldiers) / 2;
}

const struct terms latrunculi_terms = {&latrunculi, TERMS, names, early, late, find};

/* A lead shrinks to nothing as the draw by the count of plies comes near. */
int still_latrunculi(const struct position *position)
{
    int value = terms_value(&latrunculi_terms, position),
        left = PLIES_DRAW - position->notes[PLIES];

    if (left < PLIES_DRAW - PLIES_NEAR_DRAW)
        value = value * left / (PLIES_DRAW - PLIES_NEAR_DRAW);
    return value;
}
