/*
 * Xadrersi: the points so far at a glance, the odds of winning in a search, and the last ply,
 * black's king, settled without making moves: most positions of an endgame search lie behind it.
 * Then attacks on squares, hands and the score, and lessons.
 *
 * common/games/xadrersi.c computes what pieces attack more plainly;
 * tests/unit/client/test_xadrersi_traits.c compares the two. The evaluation does without loops:
 * lines use obstruction difference (Michael Hoffmann;
 * https://www.chessprogramming.org/Obstruction_Difference): subtracting the nearest piece below
 * from the nearest one above leaves ones on the squares between.
 */
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "common/games/xadrersi_board.h"
#include "guide.h"
#include "xadrersi_traits.h"

typedef uint64_t set; /* of squares */

enum { SIGHT_RANK, SIGHT_FILE, SIGHT_RISING, SIGHT_FALLING, SIGHT_LINES };

#define SIGHT_FILE_A UINT64_C(0x0101010101010101)
#define SIGHT_FILE_H UINT64_C(0x8080808080808080)

/* The long diagonal, shifted up by this number of ranks, or down. */
static set sight_moved(set diagonal, int ranks)
{
    return ranks >= 0 ? diagonal << 8 * ranks : diagonal >> -8 * ranks;
}

/* The squares of the line through a square, itself included. */
static set sight_line(int square, int line)
{
    int file = square & 7, rank = square >> 3;

    if (line == SIGHT_RANK)
        return UINT64_C(0xff) << 8 * rank;
    if (line == SIGHT_FILE)
        return SIGHT_FILE_A << file;
    if (line == SIGHT_RISING)
        return sight_moved(UINT64_C(0x8040201008040201), rank - file);
    return sight_moved(UINT64_C(0x0102040810204080), rank + file - 7);
}

/* What a slider attacks along one of its lines, in both directions. */
static set sight_along(int square, int line, set occupied)
{
    set own = UINT64_C(1) << square, all = sight_line(square, line) & ~own;
    set below = all & occupied & (own - 1), above = all & occupied & ~(own - 1);
    set nearest_below = UINT64_C(1) << (63 - __builtin_clzll(below | 1));

    return all & (2 * (above & -above) - nearest_below);
}

/* The squares next to a square of the set, some of which may lie in the set. */
static set sight_adjacent(set squares)
{
    set row = (squares << 1 & ~SIGHT_FILE_A) | (squares >> 1 & ~SIGHT_FILE_H), rows = squares | row;

    return row | rows << 8 | rows >> 8;
}

/* The squares a knight's move away from a square of the set. */
static set sight_jumps(set squares)
{
    set east = squares << 1 & ~SIGHT_FILE_A, west = squares >> 1 & ~SIGHT_FILE_H;
    set east2 = east << 1 & ~SIGHT_FILE_A, west2 = west >> 1 & ~SIGHT_FILE_H;
    set one = east | west, two = east2 | west2;

    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

static int count(set squares)
{
    return __builtin_popcountll(squares);
}

/* What the pieces of a side attack. */
struct sight {
    int pieces;
    int kinds[SIDE_PIECES];
    set attacked[SIDE_PIECES]; /* by each piece */
    set reached;               /* by any piece */
    int cuts;
};

/* The attacks that pieces on a ray would cut off: summed over its squares, those beyond each. */
static int cuts(set ray)
{
    int size = count(ray);

    return size * (size - 1) / 2;
}

/* What a slider attacks along the lines from `first` to before `end`. */
static set look_along(struct sight *sight, int square, int first, int end, set occupied)
{
    set attacked = 0;

    for (int line = first; line < end; line++) {
        set part = sight_along(square, line, occupied);
        sight->cuts +=
            cuts(part & (((set)1 << square) - 1)) + cuts(part & ~(((set)1 << square) - 1));
        attacked |= part;
    }
    return attacked;
}

static set look_from(struct sight *sight, int kind, int square, set occupied)
{
    set own = (set)1 << square;

    switch (kind) {
    case KING:
        return sight_adjacent(own);
    case QUEEN:
        return look_along(sight, square, SIGHT_RANK, SIGHT_LINES, occupied);
    case ROOK:
        return look_along(sight, square, SIGHT_RANK, SIGHT_RISING, occupied);
    case BISHOP:
        return look_along(sight, square, SIGHT_RISING, SIGHT_LINES, occupied);
    default:
        return sight_jumps(own);
    }
}

static void find_sight(const struct position *p, int color, set occupied, struct sight *sight)
{
    *sight = (struct sight){0};
    for (int kind = KING; kind < KINDS; kind++) {
        for (set left = p->bits[color] & p->bits[KIND_WORD + kind]; left != 0; left &= left - 1) {
            set attacked = look_from(sight, kind, __builtin_ctzll(left), occupied);
            sight->kinds[sight->pieces] = kind;
            sight->attacked[sight->pieces++] = attacked;
            sight->reached |= attacked;
        }
    }
}

static void add_side_traits(const struct sight *sight, const struct sight *other, set counted,
                            set empty, set near, int16_t traits[SIDE_TRAITS])
{
    int hand[KINDS];

    for (int kind = KING; kind < KINDS; kind++)
        hand[kind] = kind_pieces[kind];
    for (int i = 0; i < sight->pieces; i++) {
        set attacked = sight->attacked[i];
        traits[TRAIT_POINTS + sight->kinds[i]] += count(attacked & counted);
        traits[TRAIT_NEAR] += count(attacked & near);
        traits[TRAIT_CONTESTED] += count(attacked & empty & other->reached);
        hand[sight->kinds[i]]--;
    }
    traits[TRAIT_IN_HAND] = hand[QUEEN];
    traits[TRAIT_IN_HAND + 1] = hand[ROOK];
    traits[TRAIT_IN_HAND + 2] = hand[BISHOP];
    traits[TRAIT_REACHED] = count(sight->reached & empty);
    traits[TRAIT_CUTS] = sight->cuts;
}

void xadrersi_traits(const struct position *position, int16_t traits[TRAITS])
{
    set occupied = position->bits[WHITE] | position->bits[BLACK], empty = ~occupied;
    set counted = position->variant == TOUCH ? empty : ~(set)0;
    set near = sight_adjacent(occupied) & empty, last = (set)1 << position->notes[LAST_NOTE];
    int side = position->side;
    struct sight own, enemy;

    for (int i = 0; i < TRAITS; i++)
        traits[i] = 0;
    find_sight(position, side, occupied, &own);
    find_sight(position, !side, occupied, &enemy);
    add_side_traits(&own, &enemy, counted, empty, near, traits + TRAIT_OWN);
    add_side_traits(&enemy, &own, counted, empty, near, traits + TRAIT_ENEMY);
    traits[TRAIT_ONE] = 1;
    traits[TRAIT_EDGE] = count(near);
    traits[TRAIT_CALLED] =
        (position->bits[!side] & position->bits[KIND_WORD + QUEEN] & last) != 0 &&
        traits[TRAIT_OWN + TRAIT_IN_HAND] > 0;
}

enum { POINT = 100, HANDFUL = 10 };

/* Makes a point worth about POINT in the middle of a match. */
enum { ODDS_UNIT = 4 };

static int lead(const struct position *position)
{
    int points[2];

    xadrersi.score(position, points);
    return points[position->side] - points[!position->side];
}

/* Counts points by the handful. */
static int eval_xadrersi(const struct position *position)
{
    return lead(position) / HANDFUL * HANDFUL * POINT;
}

/* The odds of winning, fitted to matches between bots: see xadrersi_traits.h. */
static int static_eval_xadrersi(const struct position *position)
{
    int plies = count(position->bits[WHITE] | position->bits[BLACK]);
    int16_t traits[TRAITS];
    int odds = 0;

    if (plies == XADRERSI_PLIES) /* a hint at the last ply asks for this */
        return POINT * lead(position);
    const int16_t *weights = xadrersi_weights[position->variant][plies];
    xadrersi_traits(position, traits);
    for (int i = 0; i < TRAITS; i++)
        odds += weights[i] * traits[i];
    return odds / ODDS_UNIT;
}

enum { PIECES = 15 };

/* A piece on the board, and the lines it moves along: from `first` to before `end`. */
struct attacker {
    int square, first, end;
    int sign; /* 1: black, -1: white */
    set attacked;
};

struct last {
    set occupied, counted; /* counted: where attacks score */
    set white_attacks;
    int pieces, lead; /* lead: of black */
    struct attacker attackers[PIECES];
};

static set along_lines(const struct attacker *a, set occupied)
{
    set attacked = 0;

    for (int line = a->first; line < a->end; line++)
        attacked |= sight_along(a->square, line, occupied);
    return attacked;
}

static void add_attacker(struct last *last, int color, int kind, int square)
{
    static const int first[KINDS] = {0, SIGHT_RANK, SIGHT_RANK, SIGHT_RISING, 0};
    static const int end[KINDS] = {0, SIGHT_LINES, SIGHT_RISING, SIGHT_LINES, 0};
    struct attacker *a = &last->attackers[last->pieces++];
    set own = (set)1 << square;

    *a = (struct attacker){square, first[kind], end[kind], color == BLACK ? 1 : -1, 0};
    a->attacked = kind == KING     ? sight_adjacent(own)
                  : kind == KNIGHT ? sight_jumps(own)
                                   : along_lines(a, last->occupied);
    last->lead += a->sign * count(a->attacked & last->counted);
    if (color == WHITE)
        last->white_attacks |= a->attacked;
}

/* Where rules 5 and 6 allow the king; any empty square if that is nowhere. */
static set king_squares(const struct position *p, const struct last *last)
{
    set empty = ~last->occupied;
    set near =
        p->variant == TOUCH ? sight_adjacent((set)1 << p->notes[LAST_NOTE]) : last->white_attacks;

    return (near & empty) != 0 ? near & empty : empty;
}

/* The lead of black with its king on the square. The king attacks its neighbours, ends the attacks
 * on its square as an empty one, and cuts lines. */
static int lead_with(const struct last *last, bool touch, set king)
{
    set occupied = last->occupied | king, counted = touch ? ~occupied : ~(set)0;
    int lead = last->lead + count(sight_adjacent(king) & counted);

    for (int i = 0; i < last->pieces; i++) {
        const struct attacker *a = &last->attackers[i];
        if ((a->attacked & king) == 0)
            continue;
        set attacked = a->end > 0 ? along_lines(a, occupied) : a->attacked;
        lead += a->sign * (count(attacked & counted) - count(a->attacked & last->counted));
    }
    return lead;
}

static int last_result(const struct position *position)
{
    bool touch = position->variant == TOUCH;
    struct last last = {.occupied = position->bits[WHITE] | position->bits[BLACK]};
    int best = -1;

    last.counted = touch ? ~last.occupied : ~(set)0;
    for (int color = WHITE; color <= BLACK; color++)
        for (int kind = KING; kind < KINDS; kind++)
            for (set left = position->bits[color] & position->bits[KIND_WORD + kind]; left != 0;
                 left &= left - 1)
                add_attacker(&last, color, kind, __builtin_ctzll(left));
    for (set left = king_squares(position, &last); left != 0 && best < 1; left &= left - 1) {
        int lead = lead_with(&last, touch, left & -left);
        int reached = (lead > 0) - (lead < 0);
        best = reached > best ? reached : best;
    }
    return best;
}

/* The value of the position after the placement. */
static int hint_xadrersi(const struct position *before, const struct position *after)
{
    (void)before;
    int hint = -static_eval_xadrersi(after) - 15000;

    return hint > -1 ? -1 : hint < -30000 ? -30000 : hint; /* no move is loud */
}

/* Each ply fills a square. */
static int plies_left_xadrersi(const struct position *position)
{
    return XADRERSI_PLIES - count(position->bits[WHITE] | position->bits[BLACK]);
}

static int moves_left_xadrersi(const struct position *position)
{
    return (plies_left_xadrersi(position) + 1) / 2;
}

static const int jumps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

struct attacks {
    int count[2][BOARD_SQUARES_MAX];
};

/* Counts the squares of a ray up to the first piece, or only the first square. */
static void add_ray(const struct board *board, int square, const int step[2], bool far, int count[])
{
    while (board_step(board, &square, step)) {
        count[square]++;
        if (!far || board->cell[square] != '.')
            return;
    }
}

static void add_piece(const struct board *board, int square, int count[])
{
    char kind = (char)toupper((unsigned char)board->cell[square]);

    for (int i = 0; i < 8; i++) {
        if (kind == 'N')
            add_ray(board, square, jumps[i], false, count);
        else if (kind == 'K')
            add_ray(board, square, board_steps[i], false, count);
        else if (kind == 'Q' || (kind == 'R' && i < 4) || (kind == 'B' && i >= 4))
            add_ray(board, square, board_steps[i], true, count);
    }
}

static struct attacks attacks_of(const struct board *board)
{
    struct attacks attacks = {0};
    enum color color;

    for (int square = 0; square < board->width * board->height; square++)
        if (scene_piece(board->cell[square], &color))
            add_piece(board, square, attacks.count[color]);
    return attacks;
}

static char digit(int count)
{
    return (char)(count > 9 ? '+' : count > 0 ? '0' + count : 0);
}

static void mark_attacks(const struct scene *scene, bool overlay, struct marks *marks)
{
    struct attacks attacks = attacks_of(&scene->board);
    char variant[VARIANT_NAME_MAX];
    scene->game->variant_name(&scene->position, variant);
    bool all = strcmp(variant, "attack") == 0;

    marks->by_side = true;
    for (int square = 0; square < 64 && overlay; square++) {
        if (!all && scene->board.cell[square] != '.')
            continue;
        marks->left[square] = digit(attacks.count[WHITE][square]);
        marks->right[square] = digit(attacks.count[BLACK][square]);
    }
}

static void tell_hands(const struct scene *scene, char facts[FACTS_MAX])
{
    char text[POSITION_TEXT_MAX];

    scene->game->format(&scene->position, text);
    const char *open = strchr(text, '[');
    const char *black = open + 1;
    int close = (int)strcspn(open, "]");
    while (isupper((unsigned char)*black))
        black++;
    int whites = (int)(black - open) - 1, blacks = close - whites - 1;
    facts_add(facts, "In hand: %.*s %.*s", whites > 0 ? whites : 1, whites > 0 ? open + 1 : "-",
              blacks > 0 ? blacks : 1, blacks > 0 ? black : "-");
    if (strstr(open + close, " Q ") != NULL)
        facts_add(facts, scene->position.side == WHITE
                             ? N_("Black placed its queen: White's comes next")
                             : N_("White placed its queen: Black's comes next"));
}

static void tell_score(const struct scene *scene, bool overlay, char facts[FACTS_MAX])
{
    int points[2];

    scene->game->score(&scene->position, points);
    facts_add(facts, "Score: white %d, black %d", points[WHITE], points[BLACK]);
    tell_hands(scene, facts);
    if (overlay)
        facts_add(facts, "1 2: white, black attackers");
}

/* White is solid, black stands on a broad base, and is shaded where there are no colours. */
static const struct look looks[] = {
    {'K', N_("king"), "♚", {" ▄█▄ ", "▗▄█▄▖", "▝███▘"}, {" _+_ ", "\\oKo/", "/ooo\\"}},
    {'Q', N_("queen"), "♛", {"▙ █ ▟", "▜███▛", "▟███▙"}, {"o o o", "\\oQo/", "/ooo\\"}},
    {'R', N_("rook"), "♜", {"█▄█▄█", "▝███▘", "▟███▙"}, {"|_|_|", " oRo ", "/ooo\\"}},
    {'B', N_("bishop"), "♝", {" ▟▞▖ ", " ▜█▛ ", "▗▟█▙▖"}, {"  ^  ", " oBo ", " /o\\ "}},
    {'N', N_("knight"), "♞", {" ▗▙▙ ", "▟█▜█▌", " ▄██▙"}, {" _/\\ ", "<oNo|", " /oo\\"}},
    {'k', N_("king"), "♚", {" ▄█▄ ", "▄▄▓▄▄", "█▓▓▓█"}, {" _+_ ", "\\%k%/", "%%%%%"}},
    {'q', N_("queen"), "♛", {"▙ █ ▟", "▜▓▓▓▛", "█▓▓▓█"}, {"% % %", "\\%q%/", "%%%%%"}},
    {'r', N_("rook"), "♜", {"█▄█▄█", "▝▓▓▓▘", "█▓▓▓█"}, {"|_|_|", " %r% ", "%%%%%"}},
    {'b', N_("bishop"), "♝", {" ▟▞▖ ", " ▜▓▛ ", "▐█▓█▌"}, {"  ^  ", " %b% ", " %%% "}},
    {'n', N_("knight"), "♞", {" ▗▙▙ ", "▟▓▜▓▌", " █▓▓█"}, {" _/\\ ", "<%n%|", " %%%%"}},
    {0},
};

const struct guide xadrersi_guide = {
    .game = &xadrersi,
    .eval = eval_xadrersi,
    .value = static_eval_xadrersi,
    .hint = hint_xadrersi,
    .hint_depth_plies = 2,
    .reduce_after = 3,
    .reduce = 80,
    .margin = 100,
    .margin_plies = 3,
    .plies_left = plies_left_xadrersi,
    .last = last_result,
    .moves = moves_left_xadrersi,
    .exact_plies = 6,
    .levels = {[GENTLE] = {.nodes = 150, .noise = 4000},
               [EASY] = {.nodes = 320, .noise = 2900},
               [MEDIUM] = {.nodes = 1300, .noise = 1030},
               [HARD] = {.nodes = 2350, .noise = 690},
               [EXPERT] = {.nodes = 4200, .noise = 420},
               [MASTER] = {.nodes = 9000, .noise = 220}},
    .looks = looks,
    .chequered = true,
    .overlay = N_("attacks"),
    .mark = mark_attacks,
    .tell = tell_score,
};
