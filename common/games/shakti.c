/*
 * Shakti: 45 tiles, a king and two warriors on each side, and a board that shrinks.
 *
 * A position has the sets of the remaining tiles, and of the king and the warriors of each colour:
 * see shakti_board.h. notes[PASSES] counts the passes just before.
 *
 * Sight ends at the first tile, whether or not a piece stands on it. So pieces never block sight, a
 * step changes only what the moving piece sees, and only the tile that a jump removes changes what
 * others see. Therefore the generator need not try moves out.
 */
#include "../game.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../move.h"
#include "../position_text.h"
#include "../zobrist.h"
#include "shakti_board.h"

enum { WARRIORS_MAX = 2, PASSES_MAX = 2 };

static const char letters[] = ".KkWw"; /* of each word of bits[] */

#define START_TEXT "*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0"
#define CORNERS    ((uint64_t)1 | (uint64_t)1 << 6 | (uint64_t)1 << 42 | (uint64_t)1 << 48)

/* The first four directions lead to higher squares, the others to lower ones. */
enum { DIRECTIONS_UP = 4 };

/* The ray of squares from (file, rank) in one direction, without its origin. Squares off the board
 * add nothing; the mask keeps their shift in range. */
#define ON_BOARD(f, r)        ((f) >= 0 && (f) < WIDTH && (r) >= 0 && (r) < WIDTH)
#define SQUARE(f, r)          ((uint64_t)ON_BOARD(f, r) << (((r)*WIDTH + (f)) & 63))
#define STEP(f, r, df, dr, n) SQUARE((f) + (n) * (df), (r) + (n) * (dr))
#define RAY(f, r, df, dr)                                                                          \
    (STEP(f, r, df, dr, 1) | STEP(f, r, df, dr, 2) | STEP(f, r, df, dr, 3) |                       \
     STEP(f, r, df, dr, 4) | STEP(f, r, df, dr, 5) | STEP(f, r, df, dr, 6))
#define RAYS(f, r)                                                                                 \
    {                                                                                              \
        RAY(f, r, 1, 0), RAY(f, r, -1, 1), RAY(f, r, 0, 1), RAY(f, r, 1, 1), RAY(f, r, -1, 0),     \
            RAY(f, r, 1, -1), RAY(f, r, 0, -1), RAY(f, r, -1, -1)                                  \
    }
#define RANK_RAYS(r)                                                                               \
    RAYS(0, r), RAYS(1, r), RAYS(2, r), RAYS(3, r), RAYS(4, r), RAYS(5, r), RAYS(6, r)

static const uint64_t rays[SQUARES][DIRECTIONS] = {RANK_RAYS(0), RANK_RAYS(1), RANK_RAYS(2),
                                                   RANK_RAYS(3), RANK_RAYS(4), RANK_RAYS(5),
                                                   RANK_RAYS(6)};

static uint64_t bit(int square)
{
    return (uint64_t)1 << square;
}

static int square_of(uint64_t set)
{
    return __builtin_ctzll(set);
}

/* The first of the tiles on a ray in this direction, or none. */
static inline uint64_t first(uint64_t on_ray, int direction)
{
    if (direction < DIRECTIONS_UP)
        return on_ray & -on_ray;
    /* a1 is never a tile, so its bit may stand for an empty set. */
    return bit(63 - __builtin_clzll(on_ray | 1)) & ~(uint64_t)1;
}

/* The tiles seen from one square. Searches spend much of their time here. */
static inline uint64_t seen_from(uint64_t tiles, int square)
{
    const uint64_t *ray = rays[square];
    uint64_t seen = 0;

    for (int direction = 0; direction < DIRECTIONS_UP; direction++)
        seen |= first(ray[direction] & tiles, direction);
    for (int direction = DIRECTIONS_UP; direction < DIRECTIONS; direction++)
        seen |= first(ray[direction] & tiles, direction);
    return seen;
}

/* The tiles that pieces on these squares see. */
static uint64_t sight(uint64_t tiles, uint64_t pieces)
{
    uint64_t seen = 0;

    for (; pieces != 0; pieces &= pieces - 1)
        seen |= seen_from(tiles, square_of(pieces));
    return seen;
}

/* The squares between two squares of one line; none if they share no line. */
static uint64_t between(int from, int to)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (rays[from][direction] & bit(to))
            return rays[from][direction] & ~rays[to][direction] & ~bit(to);
    return 0;
}

/* The squares one step away. */
static uint64_t neighbours(uint64_t square)
{
    uint64_t row = square | (square << 1 & ~FILE_A) | (square & ~FILE_A) >> 1;

    return (row | row << WIDTH | row >> WIDTH) & ~square;
}

static uint64_t pieces_of(const struct position *p, int color)
{
    return p->bits[KING + color] | p->bits[WARRIORS + color];
}

static uint64_t free_tiles(const struct position *p)
{
    return p->bits[TILES] & ~pieces_of(p, WHITE) & ~pieces_of(p, BLACK);
}

static bool in_check(const struct position *p, int color)
{
    /* Sight is mutual: only holes lie between two tiles that see each other. */
    return (sight(p->bits[TILES], p->bits[KING + color]) & p->bits[WARRIORS + !color]) != 0;
}

static bool kings_meet(const struct position *p)
{
    return (sight(p->bits[TILES], p->bits[KING + WHITE]) & p->bits[KING + BLACK]) != 0;
}

static char letter_at(const struct position *p, int square)
{
    for (int word = WORDS - 1; word >= 0; word--)
        if (p->bits[word] & bit(square))
            return letters[word];
    return '*';
}

static void put(struct position *p, int square, char letter)
{
    if (letter == '*')
        return;
    p->bits[TILES] |= bit(square);
    p->bits[strchr(letters, letter) - letters] |= bit(square);
}

static bool army_valid(const struct position *p, enum color color, struct cause *cause)
{
    int kings = __builtin_popcountll(p->bits[KING + color]);
    int warriors = __builtin_popcountll(p->bits[WARRIORS + color]);

    if (kings != 1)
        return cause_set(cause, "%s has %d kings instead of 1", _(color_name(color)), kings);
    if (warriors > WARRIORS_MAX)
        return cause_set(cause, "%s has %d warriors instead of at most %d", _(color_name(color)),
                         warriors, WARRIORS_MAX);
    return true;
}

static bool valid(const struct position *p, struct cause *cause)
{
    uint64_t corners = p->bits[TILES] & CORNERS;
    char square[SQUARE_TEXT_MAX];

    if (corners != 0) {
        square_format(WIDTH, square_of(corners), square);
        return cause_set(cause, "the four corners are holes, but %s is a tile", square);
    }
    if (!army_valid(p, WHITE, cause) || !army_valid(p, BLACK, cause))
        return false;
    if (kings_meet(p))
        return cause_set(cause, "the kings see each other");
    if (in_check(p, !p->side))
        return cause_set(cause, "%s is in check, but it is the other side's move",
                         _(color_name(!p->side)));
    return true;
}

static bool shakti_parse(const char *variant, const char *text, struct position *position,
                         struct cause *cause)
{
    struct position read = {.width = WIDTH, .height = WIDTH};
    struct field fields[3];
    struct board board;

    if (variant != NULL && strcasecmp(variant, shakti.variants[0]) != 0)
        return cause_set(cause, "unknown variant '%.16s' of Shakti: write %s", variant,
                         shakti.variants[0]);
    if (!fields_split(text, fields, 3, N_("placement, side, passes"), cause) ||
        !placement_parse(fields[0], "KWkw*", WIDTH, WIDTH, &board, cause) ||
        !field_side(fields[1], &read.side, cause) ||
        !field_number(fields[2], N_("the pass count"), 0, PASSES_MAX, &read.notes[PASSES], cause))
        return false;
    for (int square = 0; square < SQUARES; square++)
        put(&read, square, board.cell[square]);
    if (!valid(&read, cause))
        return false;
    *position = read;
    return true;
}

static bool shakti_start(const char *variant, struct position *position, struct cause *cause)
{
    return shakti_parse(variant, START_TEXT, position, cause);
}

static void shakti_board(const struct position *position, struct board *board)
{
    board_clear(board, WIDTH, WIDTH);
    for (int square = 0; square < SQUARES; square++)
        board->cell[square] = letter_at(position, square);
}

static void shakti_format(const struct position *position, char text[POSITION_TEXT_MAX])
{
    struct board board;

    shakti_board(position, &board);
    size_t length = placement_format(&board, text);
    side_and_count_format(position->side, position->notes[PASSES], text + length);
}

static void shakti_variant_name(const struct position *position, char name[VARIANT_NAME_MAX])
{
    (void)position;
    memcpy(name, shakti.variants[0], strlen(shakti.variants[0]) + 1);
}

/* Where the king of the side to move may go, given whether it is in check. The move does not change
 * what the enemy sees: the king leaves a tile behind, and a warrior does not see its own square. */
static uint64_t king_targets(const struct position *p, bool check, uint64_t seen_by_enemy)
{
    uint64_t king = p->bits[KING + p->side], reached;

    if (check)
        reached = neighbours(king) & (free_tiles(p) | p->bits[WARRIORS + !p->side]);
    else
        reached = sight(p->bits[TILES], king) & free_tiles(p);
    return reached & ~seen_by_enemy;
}

/* The tiles that shield the king of the side to move from the sight of an enemy. */
static uint64_t shields(const struct position *p)
{
    uint64_t tiles = p->bits[TILES], enemies = pieces_of(p, !p->side), found = 0;
    int king = square_of(p->bits[KING + p->side]);

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        uint64_t ray = rays[king][direction] & tiles, near = first(ray, direction);
        if (first(ray ^ near, direction) & enemies)
            found |= near;
    }
    return found;
}

/* Where a warrior may go if its king is not in check: to the tiles it sees, or with a jump over a
 * tile in `jumped`, which is removed, to the next tile. */
static uint64_t warrior_targets(const struct position *p, int square, uint64_t jumped)
{
    uint64_t tiles = p->bits[TILES], reached = 0;

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        uint64_t ray = rays[square][direction] & tiles, near = first(ray, direction);
        reached |= near;
        if (near & jumped)
            reached |= first(ray ^ near, direction);
    }
    return reached & free_tiles(p);
}

/* Appends moves from a square to `moves`, unless that is NULL. Returns the new count. */
static int add_moves(struct move *moves, int count, int from, uint64_t targets)
{
    if (moves == NULL)
        return count + __builtin_popcountll(targets);
    for (; targets != 0; targets &= targets - 1)
        moves[count++] = (struct move){.from = (uint8_t)from, .to = (uint8_t)square_of(targets)};
    return count;
}

static int shakti_legal(const struct position *position, struct move moves[MOVES_MAX])
{
    const uint64_t *bits = position->bits;
    int side = position->side;

    if (position->notes[PASSES] == PASSES_MAX)
        return 0;
    uint64_t seen = sight(bits[TILES], pieces_of(position, !side));
    bool check = (seen & bits[KING + side]) != 0; /* by a warrior: kings never see each other */
    int count =
        add_moves(moves, 0, square_of(bits[KING + side]), king_targets(position, check, seen));
    /* No warrior helps: it cannot capture, and only holes separate the king and its attacker. */
    if (check)
        return count;
    uint64_t jumped = free_tiles(position) & ~shields(position);
    for (uint64_t left = bits[WARRIORS + side]; left != 0; left &= left - 1)
        count = add_moves(moves, count, square_of(left),
                          warrior_targets(position, square_of(left), jumped));
    if (count > 0)
        return count;
    if (moves != NULL)
        moves[0] = (struct move){.kind = MOVE_PASS};
    return 1;
}

static void shakti_apply(struct position *position, struct move move)
{
    int side = position->side;

    position->side = !side;
    if (move.kind == MOVE_PASS) {
        position->notes[PASSES]++;
        return;
    }
    int word = position->bits[KING + side] == bit(move.from) ? KING : WARRIORS;
    position->bits[word + side] ^= bit(move.from) | bit(move.to);
    position->bits[WARRIORS + !side] &= ~bit(move.to);
    /* Only a jump passes over a tile, which it removes. */
    position->bits[TILES] &= ~between(move.from, move.to);
    position->notes[PASSES] = 0;
}

static struct outcome shakti_outcome(const struct position *position)
{
    if (position->notes[PASSES] == PASSES_MAX)
        return (struct outcome){RESULT_DRAW, REASON_NO_MOVES};
    if (shakti_legal(position, NULL) > 0)
        return (struct outcome){RESULT_NONE, REASON_NONE};
    return (struct outcome){result_win(!position->side), REASON_CHECKMATE};
}

static uint64_t shakti_key(const struct position *position)
{
    uint64_t key = zobrist(WORDS + position->side, 0);

    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t left = position->bits[word];
        if (word == TILES) /* holes: as good as tiles, and fewer for most of a game */
            left ^= BOARD & ~CORNERS;
        for (; left != 0; left &= left - 1)
            key ^= zobrist(word, (unsigned)square_of(left));
    }
    return key;
}

static bool shakti_check(const struct position *position)
{
    return in_check(position, position->side);
}

static bool must_pass(const struct position *position)
{
    struct move moves[MOVES_MAX];

    return shakti_legal(position, moves) == 1 && moves[0].kind == MOVE_PASS;
}

static const char *piece_name(char letter)
{
    return letter == 'K' || letter == 'k' ? _("king") : _("warrior");
}

/* Why a move is illegal that only endangers the mover's own king. */
static const char *exposure(const struct position *position, struct move move)
{
    struct position next = *position;

    shakti_apply(&next, move);
    return in_check(&next, position->side) ? _("your king would be in check")
                                           : _("the kings would see each other");
}

/* Explains what is wrong with the squares, for any piece. Returns false if nothing is. */
static bool explain_squares(const struct position *p, struct move move, const char *from,
                            const char *to, struct cause *cause)
{
    char origin = letter_at(p, move.from), target = letter_at(p, move.to);

    if (origin == '*')
        cause_set(cause, "%s is a hole", from);
    else if (origin == '.')
        cause_set(cause, "%s is empty", from);
    else if (pieces_of(p, !p->side) & bit(move.from))
        cause_set(cause, "the %s on %s is not yours: %s moves", piece_name(origin), from,
                  _(color_name(p->side)));
    else if (move.from == move.to)
        cause_set(cause, "the %s stands on %s already", piece_name(origin), to);
    else if (target == '*')
        cause_set(cause, "%s is a hole: a piece can only stand on a tile", to);
    else if (pieces_of(p, p->side) & bit(move.to))
        cause_set(cause, "your own %s stands on %s", piece_name(target), to);
    else
        return false;
    return true;
}

static void explain_king(const struct position *p, struct move move, const char *from,
                         const char *to, struct cause *cause)
{
    uint64_t target = bit(move.to);
    bool check = shakti_check(p);

    if (p->bits[KING + !p->side] & target)
        cause_set(cause, "the enemy king stands on %s: a king is never captured", to);
    else if (check && !(neighbours(bit(move.from)) & target))
        cause_set(cause, "your king is in check: it may only step to an adjacent square");
    else if (!check && (p->bits[WARRIORS + !p->side] & target))
        cause_set(cause, "your king is not in check: only in check may it capture");
    else if (!check && !(sight(p->bits[TILES], bit(move.from)) & target))
        cause_set(cause, "%s is not in sight from %s: a king moves to a tile that it sees", to,
                  from);
    else
        cause_set(cause, "after %s%s %s", from, to, exposure(p, move));
}

static void explain_warrior(const struct position *p, struct move move, const char *from,
                            const char *to, struct cause *cause)
{
    uint64_t passed = between(move.from, move.to) & p->bits[TILES];
    char over[SQUARE_TEXT_MAX];

    if (pieces_of(p, !p->side) & bit(move.to)) {
        cause_set(cause, "an enemy %s stands on %s: warriors do not capture",
                  piece_name(letter_at(p, move.to)), to);
        return;
    }
    if (__builtin_popcountll(passed) != 1) {
        cause_set(cause,
                  "%s is not in sight from %s: a warrior moves to a tile that it sees, or jumps "
                  "over it to the next one",
                  to, from);
        return;
    }
    square_format(WIDTH, square_of(passed), over);
    if (passed & free_tiles(p))
        cause_set(cause, "the jump removes %s: %s", over, exposure(p, move));
    else
        cause_set(cause, "a %s stands on %s: a jump leads only over an unoccupied tile",
                  piece_name(letter_at(p, square_of(passed))), over);
}

static void shakti_explain(const struct position *position, struct move move, struct cause *cause)
{
    bool check = shakti_check(position);
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];

    square_format(WIDTH, move.from, from);
    square_format(WIDTH, move.to, to);
    if (move.kind == MOVE_PASS)
        cause_set(cause, check ? N_("you may not pass while your king is in check")
                               : N_("you may not pass while you have a legal move"));
    else if (must_pass(position))
        cause_set(cause, "you have no legal move: you must pass");
    else if (explain_squares(position, move, from, to, cause))
        return;
    else if (position->bits[KING + position->side] & bit(move.from))
        explain_king(position, move, from, to, cause);
    else if (check)
        cause_set(cause, "your king is in check: a warrior cannot help, move the king");
    else
        explain_warrior(position, move, from, to, cause);
}

static void shakti_advise(const struct position *position, char text[ADVICE_MAX])
{
    if (shakti_check(position))
        snprintf(
            text, ADVICE_MAX,
            _("Your king is in check: step to a tile next to it that no enemy sees, or capture "
              "a warrior there."));
    else if (must_pass(position) && position->notes[PASSES] > 0)
        snprintf(text, ADVICE_MAX, _("You have no move either: pass, and the game is drawn."));
    else if (must_pass(position))
        snprintf(text, ADVICE_MAX, _("You have no move that keeps your king safe: pass."));
    else if (position->bits[WARRIORS + position->side] == 0)
        snprintf(text, ADVICE_MAX,
                 _("You have no warrior left to give check with: keep your king out of sight."));
    else
        snprintf(text, ADVICE_MAX,
                 _("Move a piece to a tile that it sees, or let a warrior jump over an empty tile, "
                   "which is gone then."));
}

static const struct symbol symbols[] = {
    {'K', N_("king"), N_("goes to the nearest tile in any direction; in check it only steps")},
    {'W', N_("warrior"),
     N_("moves like the king, or jumps over that tile, which is gone then; gives check to a king "
        "it "
        "sees")},
    {'*', N_("hole"), N_("no tile: pieces see and move across it")},
    {0}};

static const char *const variants[] = {"standard", NULL};

static const char *const rules[] = {
    N_("Pieces stand on tiles, and see the first tile in each of the eight directions: across "
       "holes, and no farther than that tile, be it empty or not."),
    N_("A king moves to an empty tile that it sees. In check it may only step one square, to an "
       "empty "
       "tile or onto an enemy warrior, which is captured."),
    N_("A warrior moves to an empty tile that it sees, or jumps over it to the next tile seen "
       "beyond "
       "if that is empty, too. The tile jumped over goes and leaves a hole. Warriors never "
       "capture."),
    N_("A king that an enemy warrior sees is in check. Kings may never see each other. A player in "
       "check who cannot move loses. A player who cannot move otherwise passes; two passes are a "
       "draw, and so is the third occurrence of a position."),
    NULL};

static const struct lesson lessons[] = {
    {.title = N_("Jump"),
     .task =
         N_("A warrior goes one tile in any of eight directions, or over that tile to the next, "
            "if both are empty. The tile jumped over is gone for good. Remove d4."),
     .position = "*5*/5k1/7/2W4/7/1K5/*5* w 0",
     .effect = "takes d4",
     .moves = "c4e4",
     .done = N_("d4 is a hole now. Nobody can stand there."),
     .frame = "b3f5"},
    {.title = N_("Across holes"),
     .task = N_("The next tile in a direction is the first one behind any holes. Move your warrior "
                "across the hole to e4."),
     .position = "*5*/5k1/7/2W*3/7/1K5/*5* w 0",
     .effect = "to e4",
     .moves = "c4e4",
     .done = N_("The first tile that c4 sees to the right is e4."),
     .frame = "b3f5"},
    {.title = N_("Check"),
     .task = N_(
         "A piece sees the first tile in each direction, across holes and no farther. A king that "
         "an enemy warrior sees is in check. Give check."),
     .position = "*5*/7/7/4k2/1W5/1K5/*5* w 0",
     .effect = "checks",
     .moves = "b3d3 b3d5",
     .done = N_("The king on e4 is right beside your warrior now, and has to move."),
     .frame = NULL},
    {.title = N_("Out of check"),
     .task = N_("In check, only the king may move, and one square only. Get out of check."),
     .position = "*5*/5k1/7/7/3w3/3K3/*5* w 0",
     .effect = "moves d2",
     .moves = "d2c1 d2d1 d2e1 d2d3",
     .done = N_("The warrior does not see your king any more."),
     .frame = NULL},
    {.title = N_("Capture"),
     .task = N_("A king in check may capture a warrior right next to it, if no other one sees that "
                "tile. Nothing else captures. Take the warrior."),
     .position = "*5*/5k1/7/7/3w3/3K3/*5* w 0",
     .effect = "takes d3",
     .moves = "d2d3",
     .done = N_("Black has one warrior less."),
     .frame = "c1e4"},
    {.title = N_("Kings can travel"),
     .task = N_("Not in check, the king moves to the tile that it sees in a direction, across any "
                "number of holes. Kings may never see each other. Bring yours from a4 to f4."),
     .position = "*5*/3k3/7/K****2/7/7/*5* w 0",
     .effect = "to f4",
     .moves = "a4f4",
     .done = N_("Where tiles are few, kings travel far."),
     .frame = NULL},
    {.title = N_("Checkmate"),
     .task =
         N_("A king in check that cannot move is mated, and the game is over. Mate in one move."),
     .position = "*W1*2*/1****2/2*1*2/kw****1/2****1/1W***2/*2w1K* w 0",
     .effect = "ends 1-0 checkmate",
     .moves = "b7b5",
     .done = N_("b5 sees the king on a4. b5 and b2 see each tile that it could step to, and if it "
                "took b5, the kings would see each other."),
     .frame = "a1e7"},
    {.title = N_("Pass"),
     .task = N_("A player who is not in check and has no move must pass. Stop the black warrior by "
                "going to d3."),
     .position = "***k***/***w***/*******/*******/***1***/*1W****/***K*** w 0",
     .effect = "to d3",
     .moves = "c2d3",
     .done = N_("Black must pass, and you move again. Two passes in a row make a draw. So does the "
                "same position for the third time."),
     .frame = NULL},
};

const struct game shakti = {
    .name = "shakti",
    .title = N_("Shakti"),
    .summary = N_("Checkmate the enemy king on a board that loses a tile with every jump."),
    .variants_text = N_("standard only"),
    .rules = rules,
    .lessons = lessons,
    .lesson_count = sizeof lessons / sizeof lessons[0],
    .symbols = symbols,
    .variants = variants,
    .pieces = "",
    .repetition_draws = true,
    .start = shakti_start,
    .parse = shakti_parse,
    .format = shakti_format,
    .variant_name = shakti_variant_name,
    .board = shakti_board,
    .legal = shakti_legal,
    .apply = shakti_apply,
    .outcome = shakti_outcome,
    .key = shakti_key,
    .explain = shakti_explain,
    .advise = shakti_advise,
    .check = shakti_check,
};
