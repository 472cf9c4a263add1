/* Latrunculi: evaluation by terms, locked soldiers, the mobility of each dux, and lessons. */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/games/latrunculi_board.h"
#include "guide.h"
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

/* At a glance, for eval(). */
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

static int eval_latrunculi(const struct position *position)
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

/* Sets hints[i] to the captures of moves[i]. Most moves need not be made to see that they capture
 * nothing. */
static void find_hints_latrunculi(const struct position *position, const struct move *moves,
                                  int moves_count, int32_t *hints)
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
struct latrunculi_camp {
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

static struct latrunculi_camp camp_of(const struct position *p, int color)
{
    uint64_t soldiers = p->bits[SOLDIERS + color], dux = p->bits[DUCES + color];
    uint64_t enemies = p->bits[SOLDIERS + !color] | p->bits[DUCES + !color];
    struct latrunculi_camp camp = {.soldiers = soldiers,
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

static uint64_t hanging(const struct latrunculi_camp *camp, const struct latrunculi_camp *other)
{
    return between(camp->soldiers & ~RIM, other->men, other->reach) |
           (camp->soldiers & RIM & neighbours(other->men) & neighbours(other->reach));
}

static uint64_t occupied_by(const struct position *p)
{
    return p->bits[SOLDIERS] | p->bits[SOLDIERS + 1] | p->bits[DUCES] | p->bits[DUCES + 1];
}

/* The gaps beside the enemy dux. */
static uint64_t vital_latrunculi(const struct position *p)
{
    return neighbours(p->bits[DUCES + !p->side]) & ~occupied_by(p);
}

/* Whether an enemy can fill the last gap beside the dux of the side to move. */
static bool is_threatened(const struct position *p)
{
    uint64_t enemies = p->bits[SOLDIERS + !p->side] | p->bits[DUCES + !p->side];
    uint64_t beside = neighbours(p->bits[DUCES + p->side]), empty = ~occupied_by(p);
    uint64_t gaps = beside & empty;

    if (gaps == 0 || (gaps & (gaps - 1)) != 0)
        return false;
    uint64_t seen = step(slide(gaps, NORTH, empty), NORTH) |
                    step(slide(gaps, SOUTH, empty), SOUTH) | step(slide(gaps, EAST, empty), EAST) |
                    step(slide(gaps, WEST, empty), WEST);
    return (seen & enemies & ~beside) != 0;
}

/* Whether a dux with `occupied` occupied squares beside it may not move. */
static bool is_stuck(const struct latrunculi_camp *camp, int occupied)
{
    if (camp->dux & CORNERS)
        return true;
    return occupied >= (camp->dux & RIM ? 2 : 3);
}

static void add_dux(const struct latrunculi_camp *camp, const struct latrunculi_camp *other,
                    uint64_t empty, int sign, int terms[TERMS_MAX])
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

static void add_men(const struct latrunculi_camp *camp, const struct latrunculi_camp *other,
                    uint64_t empty, int sign, int terms[TERMS_MAX])
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

static int find_terms_latrunculi(const struct position *position, int terms[TERMS_MAX])
{
    struct latrunculi_camp own = camp_of(position, position->side);
    struct latrunculi_camp other = camp_of(position, !position->side);
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
                                       .find = find_terms_latrunculi};

/* A lead shrinks to nothing as the draw by the count of plies approaches. */
static int static_eval_latrunculi(const struct position *position)
{
    int value = terms_value(&latrunculi_terms, position);
    int left = PLIES_MAX - position->notes[PLIES];

    if (left < PLIES_MAX - PLIES_NEAR_DRAW)
        value = value * left / (PLIES_MAX - PLIES_NEAR_DRAW);
    return value;
}

enum { SOLDIERS_AT_START = 8 }; /* a side, at the start */

static bool is_enemy(const struct board *board, int square, enum color color)
{
    enum color other;

    return scene_piece(board->cell[square], &other) && other != color;
}

/* The number of neighbours that are enemies of `color`. */
static int count_enemies(const struct board *board, int square, enum color color)
{
    int next[4], neighbours = board_neighbours(board, square, next), count = 0;

    for (int i = 0; i < neighbours; i++)
        count += is_enemy(board, next[i], color);
    return count;
}

/* A soldier next to an enemy is locked, unless every such enemy has two enemies next to it. */
static bool is_locked(const struct board *board, int square)
{
    int next[4], neighbours = board_neighbours(board, square, next);
    enum color color;

    if (tolower((unsigned char)board->cell[square]) != 's')
        return false;
    scene_piece(board->cell[square], &color);
    for (int i = 0; i < neighbours; i++)
        if (is_enemy(board, next[i], color) && count_enemies(board, next[i], !color) < 2)
            return true;
    return false;
}

static void mark_locked(const struct scene *scene, bool overlay, struct marks *marks)
{
    const struct board *board = &scene->board;

    for (int square = 0; square < board->width * board->height && overlay; square++)
        if (is_locked(board, square))
            marks->right[square] = '=';
}

static int count_soldiers(const struct board *board, char soldier)
{
    int count = 0;

    for (int square = 0; square < board->width * board->height; square++)
        count += board->cell[square] == soldier;
    return count;
}

/* What a dux may do, by its occupied neighbours. */
static const char *freedom(const struct board *board, int square, enum color color)
{
    int next[4], neighbours = board_neighbours(board, square, next), occupied = 0;

    for (int i = 0; i < neighbours; i++)
        occupied += board->cell[next[i]] != '.';
    if (count_enemies(board, square, color) == 0)
        return _("The dux is free");
    if (occupied == neighbours)
        return _("The dux is trapped");
    if (occupied == 1 && neighbours > 2)
        return _("The dux may step or attack");
    if (occupied == 2 && neighbours == 4)
        return _("The dux may only attack");
    return _("The dux cannot move");
}

static void tell_side(const struct scene *scene, enum color color, char facts[FACTS_MAX])
{
    const struct board *board = &scene->board;
    const char *dux =
        memchr(board->cell, color == WHITE ? 'D' : 'd', (size_t)(board->width * board->height));

    int soldiers = count_soldiers(board, color == WHITE ? 'S' : 's');
    const char *side = color == WHITE ? _("White") : _("Black");
    unsigned long count = (unsigned long)soldiers;

    if (soldiers < SOLDIERS_AT_START)
        facts_add(facts, text_counted("%s: %d soldier, %d lost", "%s: %d soldiers, %d lost", count),
                  side, soldiers, SOLDIERS_AT_START - soldiers);
    else
        facts_add(facts, text_counted("%s: %d soldier", "%s: %d soldiers", count), side, soldiers);
    if (dux != NULL)
        facts_add(facts, " %s", freedom(board, (int)(dux - board->cell), color));
}

static void tell_sides(const struct scene *scene, bool overlay, char facts[FACTS_MAX])
{
    bool locked = false;

    tell_side(scene, BLACK, facts);
    tell_side(scene, WHITE, facts);
    for (int square = 0; square < scene->board.width * scene->board.height; square++)
        locked = locked || is_locked(&scene->board, square);
    if (overlay && locked)
        facts_add(facts, "=  locked: it may only capture or threaten the dux");
}

/* White is solid, black stands on a broad base, and is shaded where there are no colours. */
static const struct look looks[] = {
    {'S', N_("soldier"), "●", {" ▄▄▄ ", "▐███▌", " ▀▀▀ "}, {" ooo ", "ooSoo", " ooo "}},
    {'D', N_("dux"), "◆", {"▙ ▄ ▟", "█████", "▜███▛"}, {"o o o", "ooDoo", "\\ooo/"}},
    {'s', N_("soldier"), "■", {"▗▄▄▄▖", "▐▓▓▓▌", "▝▀▀▀▘"}, {"%%%%%", "%%s%%", "%%%%%"}},
    {'d', N_("dux"), "◆", {"▙ ▄ ▟", "█▓▓▓█", "█▀▀▀█"}, {"% % %", "%%d%%", "%%%%%"}},
    {0},
};

const struct guide latrunculi_guide = {
    .game = &latrunculi,
    .eval = eval_latrunculi,
    .value = static_eval_latrunculi,
    .hints = find_hints_latrunculi,
    .hint_depth_plies = 1,
    .loud_plies = 8,
    .reduce_after = 3,
    .reduce = 60,
    .late_moves = 4,
    .vital = vital_latrunculi,
    .threatened = is_threatened,
    .count_from = PLIES_NEAR_DRAW,
    .levels = {[GENTLE] = {.nodes = 700, .noise = 163},
               [EASY] = {.nodes = 1150, .noise = 142},
               [MEDIUM] = {.nodes = 1750, .noise = 121},
               [HARD] = {.nodes = 2900, .noise = 96},
               [EXPERT] = {.nodes = 6200, .noise = 60},
               [MASTER] = {.nodes = 22000, .noise = 28}},
    .looks = looks,
    .overlay = N_("locked soldiers"),
    .overlay_at_first = true,
    .mark = mark_locked,
    .tell = tell_sides,
};
