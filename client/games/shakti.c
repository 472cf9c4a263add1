/*
 * Shakti: evaluation by terms, checks and the warriors that give them, jumps, and lessons.
 *
 * Positions keep their sets of squares as shakti_board.h describes: the tiles, the
 * king of each colour, then the warriors of each colour. Sight is found for a set of pieces at
 * once, one direction at a time: over holes, to the first tile.
 */
#include <ctype.h>
#include <string.h>

#include "common/games/shakti_board.h"
#include "guide.h"
#include "terms.h"

/* Holes at the start, and the number of further ones when it is late. */
enum { CORNERS = 4, HOLES_LATE = 24 };

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

/* At a glance, for eval(): what an empty tile that a warrior sees, a tile beside the king,
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

static int glance(const struct position *p, int color)
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
static int eval_shakti(const struct position *position)
{
    int value = glance(position, position->side) - glance(position, !position->side);

    return value + (shakti.check(position) ? CHECK_VALUE : 0);
}

/* The pieces of a side and what they see. */
struct shakti_camp {
    uint64_t king, warriors;
    uint64_t watched;         /* tiles that its warriors see */
    uint64_t king_sees, ring; /* tiles that its king sees, and those beside it */
    uint64_t sight, reach;    /* empty tiles its warriors move to by a step, and by jumps too */
};

static struct shakti_camp camp_of(const struct position *p, int color, uint64_t empty)
{
    uint64_t tiles = p->bits[TILES];
    struct shakti_camp camp = {.king = p->bits[KING + color],
                               .warriors = p->bits[WARRIORS + color]};

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

static uint64_t escapes(const struct shakti_camp *camp, const struct shakti_camp *other,
                        uint64_t empty)
{
    return camp->ring & empty & ~other->watched & ~other->king_sees;
}

static void add_camp(const struct shakti_camp *camp, const struct shakti_camp *other,
                     uint64_t tiles, uint64_t empty, int sign, int terms[TERMS_MAX])
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
static void add_checks(const struct shakti_camp *camp, const struct shakti_camp *other,
                       uint64_t empty, int waiting, int terms[TERMS_MAX])
{
    uint64_t checks = camp->reach & other->king_sees;
    uint64_t safe = checks & ~(other->ring & ~camp->king_sees & ~camp->watched);
    int flights = count(escapes(other, camp, empty));

    terms[CHECKS + waiting] = count(checks);
    terms[SAFE + waiting] = count(safe);
    terms[NET + waiting] = safe != 0 && flights == 0;
    terms[NET_1 + waiting] = safe != 0 && flights == 1;
}

static int find_terms_shakti(const struct position *position, int terms[TERMS_MAX])
{
    const uint64_t *bits = position->bits;
    int side = position->side;
    uint64_t tiles = bits[TILES], empty = empty_tiles(bits);
    struct shakti_camp own = camp_of(position, side, empty),
                       other = camp_of(position, !side, empty);

    for (int i = 0; i < TERMS; i++)
        terms[i] = 0;
    add_camp(&own, &other, tiles, empty, 1, terms);
    add_camp(&other, &own, tiles, empty, -1, terms);
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
                                   .find = find_terms_shakti};

static int static_eval_shakti(const struct position *position)
{
    return terms_value(&shakti_terms, position);
}

/* Checks and captures by the king. */
static int hint_shakti(const struct position *before, const struct position *after)
{
    int enemy = WARRIORS + !before->side;

    return 2 * (count(before->bits[enemy]) - count(after->bits[enemy])) + shakti.check(after);
}

/* The first tile in a direction, past holes; -1: none. */
static int seen_from(const struct board *board, int square, const int step[2])
{
    while (board_step(board, &square, step))
        if (board->cell[square] != '*')
            return square;
    return -1;
}

static bool sees(const struct board *board, int from, int to)
{
    for (int i = 0; i < 8; i++)
        if (seen_from(board, from, board_steps[i]) == to)
            return true;
    return false;
}

/* Marks the king of that colour, and the warriors that check it. */
static void mark_checks(const struct board *board, enum color color, struct marks *marks)
{
    const char *cell = board->cell, *king;
    size_t squares = (size_t)(board->width * board->height);
    char warrior = color == WHITE ? 'w' : 'W';

    king = memchr(cell, color == WHITE ? 'K' : 'k', squares);
    for (int square = 0; square < (int)squares && king != NULL; square++) {
        if (cell[square] != warrior || !sees(board, square, (int)(king - cell)))
            continue;
        marks->left[square] = '+';
        marks->left[king - cell] = marks->right[king - cell] = '!';
    }
}

/* Marks the empty tiles that a warrior sees: a king of the other side may not go there. */
static void mark_seen(const struct board *board, struct marks *marks)
{
    enum color color;

    for (int square = 0; square < board->width * board->height; square++) {
        if (tolower((unsigned char)board->cell[square]) != 'w')
            continue;
        scene_piece(board->cell[square], &color);
        for (int i = 0; i < 8; i++) {
            int seen = seen_from(board, square, board_steps[i]);
            if (seen >= 0 && board->cell[seen] == '.')
                (color == WHITE ? marks->left : marks->right)[seen] = '-';
        }
    }
}

static void mark_sight(const struct scene *scene, bool overlay, struct marks *marks)
{
    marks->by_side = overlay;
    if (overlay)
        mark_seen(&scene->board, marks);
    mark_checks(&scene->board, WHITE, marks);
    mark_checks(&scene->board, BLACK, marks);
}

static void tell_tiles(const struct scene *scene, bool overlay, char facts[FACTS_MAX])
{
    int tiles = 0, warriors[2] = {0, 0}, squares = scene->board.width * scene->board.height;
    bool check = scene->game->check(&scene->position);

    for (int square = 0; square < squares; square++)
        tiles += scene->board.cell[square] != '*';
    for (int square = 0; square < squares; square++)
        if (tolower((unsigned char)scene->board.cell[square]) == 'w')
            warriors[scene->board.cell[square] == 'w' ? BLACK : WHITE]++;
    facts_add(facts, "%d tiles left", tiles);
    if (warriors[WHITE] + warriors[BLACK] < 4)
        facts_add(facts, "Warriors: white %d, black %d", warriors[WHITE], warriors[BLACK]);
    if (check)
        facts_add(facts, scene->position.side == WHITE ? N_("! White is in check, from +")
                                                       : N_("! Black is in check, from +"));
    facts_add(facts, "x  jump; removes the tile between");
    if (overlay)
        facts_add(facts, "- -: white, black sees it");
}

/* White is solid, black stands on a broad base, and is shaded where there are no colours. */
static const struct look looks[] = {
    {'K', N_("king"), "♚", {" ▄█▄ ", "▗▄█▄▖", "▝███▘"}, {" _+_ ", "\\oKo/", "/ooo\\"}},
    {'W', N_("warrior"), "▲", {" ▗█▖ ", "▗███▖", "█████"}, {"  ^  ", " /W\\ ", "/ooo\\"}},
    {'k', N_("king"), "♚", {" ▄█▄ ", "▄▄▓▄▄", "█▓▓▓█"}, {" _+_ ", "\\%k%/", "%%%%%"}},
    {'w', N_("warrior"), "▼", {"█▓▓▓█", "▝▓▓▓▘", " ▝█▘ "}, {"\\%%%/", " \\w/ ", "  v  "}},
    {0},
};

const struct guide shakti_guide = {
    .game = &shakti,
    .eval = eval_shakti,
    .value = static_eval_shakti,
    .hint = hint_shakti,
    .hint_depth_plies = 1,
    .loud_plies = 4,
    .levels = {[GENTLE] = {.nodes = 700, .noise = 150},
               [EASY] = {.nodes = 1200, .noise = 101},
               [MEDIUM] = {.nodes = 3000, .noise = 74},
               [HARD] = {.nodes = 6500, .noise = 55},
               [EXPERT] = {.nodes = 12500, .noise = 42},
               [MASTER] = {.nodes = 27000, .noise = 27}},
    .looks = looks,
    .overlay = N_("seen tiles"),
    .mark = mark_sight,
    .tell = tell_tiles,
};
