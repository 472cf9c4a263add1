/* Latrunculi. */
#include <stddef.h>

#include "common/games/latrunculi_board.h"
#include "eval.h"
#include "terms.h"

enum { PLIES_NEAR_DRAW = 84 };

#define CENTRE UINT64_C(0x00003c3c3c3c0000)

/* The terms with their weights at the start and late. Up to OPEN, each is counted for both sides:
 * up for the side to move, down for the other. OTHER marks what the side to move does to the other.
 */
#define TERMS_OF_LATRUNCULI(TERM)                                                                  \
    TERM(MEN_1, 170, -509) /* one soldier is left */                                               \
    TERM(MEN_2, -195, -312)                                                                        \
    TERM(MEN_3, -510, 26)                                                                          \
    TERM(MEN_4, -135, 110)                                                                         \
    TERM(MEN_5, 95, 158)                                                                           \
    TERM(MEN_6, 308, 101)                                                                          \
    TERM(MEN_7, 350, 480)                                                                          \
    TERM(MEN_8, 473, 305)                                                                          \
    TERM(PRESSED, -12, -16) /* enemies beside the dux */                                           \
    TERM(GAPS_0, 0, 0)      /* no empty square beside the dux */                                   \
    TERM(GAPS_1, 137, -41)  /* one */                                                              \
    TERM(GAPS_2, 4, -31)                                                                           \
    TERM(GAPS_3, 1, -8)                                                                            \
    TERM(CHOKED, -75, -7)     /* one gap, and an enemy beside the dux */                           \
    TERM(STUCK, -75, -7)      /* the dux cannot move, or only to capture */                        \
    TERM(DUX_RIM, -42, 13)    /* the dux is on the rim */                                          \
    TERM(DUX_MID, 19, -2)     /* the dux is in the centre */                                       \
    TERM(NEAR, 7, -8)         /* soldiers within two steps of the enemy dux */                     \
    TERM(LOCKED, -5, -56)     /* locked soldiers */                                                \
    TERM(MOBILITY, 2, 2)      /* moves of pieces that are not locked */                            \
    TERM(GUARDED, 7, 6)       /* soldiers beside a friend */                                       \
    TERM(ON_EDGE, -24, -8)    /* soldiers on the rim, corners included */                          \
    TERM(IN_CORNER, -13, -26) /* soldiers in a corner */                                           \
    TERM(MIDDLE, -4, -1)      /* soldiers in the centre */                                         \
    TERM(OPEN, -4, 28)        /* soldiers between an enemy and an empty square */                  \
    TERM(TEMPO, 8, -2)                                                                             \
    TERM(HANGING, -37, -63)      /* soldiers of the side to move that can be captured */           \
    TERM(HANGING_OTHER, 52, 106) /* soldiers that it can capture */                                \
    TERM(AIMED, -3, 10)          /* gaps beside the own dux that the enemy can reach */            \
    TERM(AIMED_OTHER, 5, -8)                                                                       \
    TERM(FINAL, -13, -90) /* the enemy can fill the last gap beside the own dux */                 \
    TERM(FINAL_OTHER, 0, 0)

DEFINE_TERMS(TERMS_OF_LATRUNCULI);

static int count(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* At a glance, for eval_latrunculi(). */
enum { SOLDIER_VALUE = 100, PRESS_VALUE = 10 };

static int press(const struct position *p, int color)
{
    uint64_t enemies = p->bits[SOLDIERS + !color] | p->bits[DUCES + !color];

    return count(neighbours(p->bits[DUCES + color]) & enemies);
}

/* The most soldiers that one move of the side to move captures. */
static int threatened(const struct position *position)
{
    struct move moves[MOVES_MAX];
    int moves_count = latrunculi.legal(position, moves), most = 0;
    int enemy = SOLDIERS + !position->side, before = count(position->bits[enemy]);

    for (int i = 0; i < moves_count; i++) {
        struct position next = *position;
        latrunculi.apply(&next, moves[i]);
        int captured = before - count(next.bits[enemy]);
        if (captured > most)
            most = captured;
    }
    return most;
}

int eval_latrunculi(const struct position *position)
{
    int own = position->side, enemy = !own;
    int soldiers = count(position->bits[SOLDIERS + own]) - count(position->bits[SOLDIERS + enemy]);

    return SOLDIER_VALUE * (soldiers + threatened(position)) +
           PRESS_VALUE * (press(position, enemy) - press(position, own));
}

/* Squares next to an enemy soldier, or next to a line of friends that ends at one: only a move to
 * one of them may capture. */
static uint64_t near_soldiers(uint64_t soldiers, uint64_t friends)
{
    uint64_t e = soldiers, w = soldiers, n = soldiers, s = soldiers, near = 0;

    while ((e | w | n | s) != 0) {
        e = step(e, EAST);
        w = step(w, WEST);
        n <<= 8;
        s >>= 8;
        near |= e | w | n | s;
        e &= friends;
        w &= friends;
        n &= friends;
        s &= friends;
    }
    return near;
}

void hints_latrunculi(const struct position *position, const struct move *moves, int moves_count,
                      int32_t *hints)
{
    int side = position->side;
    uint64_t soldiers = position->bits[SOLDIERS + !side];
    uint64_t friends = position->bits[SOLDIERS + side] | position->bits[DUCES + side];
    uint64_t near = near_soldiers(soldiers, friends);

    for (int i = 0; i < moves_count; i++) {
        struct position next = *position;
        hints[i] = 0;
        if (!(near >> moves[i].to & 1))
            continue;
        latrunculi.apply(&next, moves[i]);
        hints[i] = count(soldiers) - count(next.bits[SOLDIERS + !side]);
    }
}

/* The pieces of a side and what they can do. */
struct camp {
    uint64_t soldiers, dux, men;
    uint64_t reach;  /* squares they can move to, leaving locks aside */
    uint64_t beside; /* squares next to the dux */
    uint64_t locked;
    int mobility;
};

/* The squares that the pieces can move to, and in *moves (may be NULL) the number of moves. */
static uint64_t slides(uint64_t set, uint64_t empty, int *moves)
{
    uint64_t n = slide(set, NORTH, empty), s = slide(set, SOUTH, empty);
    uint64_t e = slide(set, EAST, empty), w = slide(set, WEST, empty);

    if (moves != NULL)
        *moves = count(n) + count(s) + count(e) + count(w);
    return n | s | e | w;
}

/* Soldiers beside an enemy that no second piece of theirs stands beside. */
static uint64_t locked(uint64_t soldiers, uint64_t men, uint64_t enemies)
{
    uint64_t a = step(men, EAST), b = step(men, WEST), c = men << 8, d = men >> 8;
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

/* Soldiers, off the rim, between a captor and a square where another can arrive. */
static uint64_t between(uint64_t soldiers, uint64_t captors, uint64_t arrive)
{
    return soldiers & ((step(captors, EAST) & step(arrive, WEST)) |
                       (step(captors, WEST) & step(arrive, EAST)) | (captors << 8 & arrive >> 8) |
                       (captors >> 8 & arrive << 8));
}

/* Soldiers on the rim, where captors beside them need not be opposite each other. */
static uint64_t cornered(uint64_t soldiers, uint64_t captors, uint64_t arrive)
{
    return soldiers & RIM & neighbours(captors) & neighbours(arrive);
}

static uint64_t hanging(const struct camp *camp, const struct camp *other)
{
    return between(camp->soldiers & ~RIM, other->men, other->reach) |
           cornered(camp->soldiers, other->men, other->reach);
}

/* Whether the rules stop a dux that has so many occupied squares beside it. */
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

const struct terms latrunculi_terms = {.game = &latrunculi,
                                       .count = TERMS,
                                       .names = term_names,
                                       .early = term_early,
                                       .late = term_late,
                                       .find = find};

/* A lead shrinks to nothing as the draw by the count of plies approaches. */
int static_eval_latrunculi(const struct position *position)
{
    int value = terms_value(&latrunculi_terms, position);
    int left = PLIES_MAX - position->notes[PLIES];

    if (left < PLIES_MAX - PLIES_NEAR_DRAW)
        value = value * left / (PLIES_MAX - PLIES_NEAR_DRAW);
    return value;
}
