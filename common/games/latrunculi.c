/*
 * Latrunculi XXI: each side has soldiers and a dux on 8x8 squares, all of which move like rooks and
 * capture by surrounding.
 *
 * The generator moves whole sets of pieces, one direction at a time. In one direction at most one
 * piece can reach an empty square, so each square reached is a move.
 */
#include "latrunculi_board.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../move.h"
#include "../position_text.h"
#include "../zobrist.h"

enum { SQUARES = WIDTH * WIDTH, SOLDIERS_MAX = 8 };

/* A position as the side to move sees it. */
struct view {
    uint64_t soldiers, dux, own, enemy_soldiers, enemy_dux, enemy, empty;
};

/* Own pieces by the moves they may make. A piece may be in more than one set. */
struct movers {
    uint64_t any;       /* all moves */
    uint64_t one;       /* moves of one square */
    uint64_t offensive; /* offensive moves */
};

static struct view view_of(const struct position *p)
{
    struct view v = {.soldiers = p->bits[SOLDIERS + p->side],
                     .dux = p->bits[DUCES + p->side],
                     .enemy_soldiers = p->bits[SOLDIERS + !p->side],
                     .enemy_dux = p->bits[DUCES + !p->side]};

    v.own = v.soldiers | v.dux;
    v.enemy = v.enemy_soldiers | v.enemy_dux;
    v.empty = ~(v.own | v.enemy);
    return v;
}

static bool immobilised(uint64_t dux, uint64_t enemy, uint64_t empty)
{
    uint64_t beside = neighbours(dux);

    return (beside & empty) == 0 && (beside & enemy) != 0;
}

/* The soldiers that an arrival on square `at` in direction d captures. In `v` the mover may still
 * stand on its origin, which lies behind it, where no rule looks. */
static uint64_t captured(const struct view *v, uint64_t at, int d)
{
    uint64_t own = v->own | at, next = step(at, d), taken = 0;

    /* By any rule, the soldier stands next to the mover or beyond a friend ahead of it. */
    if ((neighbours(at) & v->enemy_soldiers) == 0 && (next & v->own) == 0)
        return 0;
    /* Custodial. A corner has just two neighbours, so both are needed there. */
    for (int e = 0; e < DIRECTIONS; e++) {
        uint64_t target = step(at, e) & v->enemy_soldiers;
        if (target & RIM ? __builtin_popcountll(neighbours(target) & own) >= 2
                         : (step(target, e) & own) != 0)
            taken |= target;
    }
    /* Flank. */
    uint64_t run = slide(next & v->enemy_soldiers, d, v->enemy);
    if (run != next && (step(run, d) & own) != 0)
        taken |= run & next;
    /* Push and crush. */
    uint64_t crushed = step(next & own, d) & v->enemy_soldiers, past = step(crushed, d);
    if (past == 0 || (past & own) != 0)
        taken |= crushed;
    /* Phalanx: the mover and the friends ahead of it, each with a friend on the same side. */
    uint64_t column = slide(at, d, own);
    for (int side = 2; side <= 3; side++)
        if (column != at && (column & ~step(own, d ^ side ^ 1)) == 0)
            taken |= step(column, d) & v->enemy_soldiers;
    return taken;
}

/* The squares where an arrival from any direction captures by the custodial rule. */
static uint64_t custodial_squares(const struct view *v)
{
    uint64_t rim = v->enemy_soldiers & RIM & neighbours(v->own), squares = neighbours(rim);

    for (int d = 0; d < DIRECTIONS; d++)
        squares |= step(step(v->own, d) & v->enemy_soldiers & ~RIM, d);
    return squares;
}

/* The squares where an arrival in direction d captures by the flank rule. */
static uint64_t flank_squares(const struct view *v, int d)
{
    int back = d ^ 1;
    uint64_t runs = slide(v->own, back, v->enemy);

    return step(runs & v->enemy_soldiers & step(v->enemy, back), back);
}

static uint64_t push_squares(const struct view *v, int d)
{
    int back = d ^ 1;
    uint64_t off_board_next = ~onto[back];
    uint64_t crushed = v->enemy_soldiers & (off_board_next | step(v->own, back));

    return step(step(crushed, back) & v->own, back);
}

static uint64_t phalanx_squares(const struct view *v, int d)
{
    int back = d ^ 1;
    uint64_t squares = 0;

    for (int side = 2; side <= 3; side++) {
        uint64_t accompanied = step(v->own, d ^ side ^ 1), pairs = v->own & accompanied;
        uint64_t columns = slide(step(v->enemy_soldiers, back) & pairs, back, pairs);
        squares |= step(columns, back) & accompanied;
    }
    return squares;
}

/* Counts the occupied squares beside the dux; 0 if none holds an enemy. */
static int dux_count(const struct view *v)
{
    uint64_t beside = neighbours(v->dux);

    return beside & v->enemy ? __builtin_popcountll(beside & ~v->empty) : 0;
}

/* A soldier is locked by an enemy piece beside it that has no other enemy beside it. */
static uint64_t locked_soldiers(const struct view *v)
{
    uint64_t once = 0, twice = 0;

    for (int d = 0; d < DIRECTIONS; d++) {
        uint64_t beside = step(v->own, d);
        twice |= once & beside;
        once |= beside;
    }
    return v->soldiers & neighbours(v->enemy & ~twice);
}

static struct movers movers_of(const struct view *v)
{
    uint64_t locked = locked_soldiers(v);
    struct movers m = {.any = v->soldiers & ~locked, .offensive = locked};
    int count = dux_count(v);

    if (count == 0) {
        m.any |= v->dux;
    } else if (count == 1 && !(v->dux & CORNERS)) {
        m.one = v->dux;
        m.offensive |= v->dux;
    } else if (count == 2 && !(v->dux & RIM)) {
        m.offensive |= v->dux;
    }
    return m;
}

/* Removes the moves that leave no empty square beside the own dux. The dux itself cannot make one,
 * as the square it left is empty; nor can a soldier while two are empty. */
static void guard_dux(const struct view *v, uint64_t beside, uint64_t to[DIRECTIONS])
{
    uint64_t gap = beside & v->empty;

    if (__builtin_popcountll(gap) != 1)
        return;
    for (int d = 0; d < DIRECTIONS; d++)
        if (step(v->dux, d) != gap && (to[d] & gap) && !(captured(v, gap, d) & beside))
            to[d] &= ~gap;
}

/* Sets to[d] to the target squares of legal moves in direction d. Ignores that the game may be over
 * by an immobilised dux, no soldiers or the count of plies. */
static void reach(const struct view *v, uint64_t to[DIRECTIONS])
{
    struct movers m = movers_of(v);
    uint64_t beside = neighbours(v->dux), offensive = 0;

    /* If no square beside the dux is empty, only a soldier that leaves one opens it. */
    if ((beside & v->empty) == 0) {
        m.any &= beside;
        m.offensive &= beside;
    }
    if (m.offensive != 0)
        offensive = custodial_squares(v) | neighbours(v->enemy_dux);
    for (int d = 0; d < DIRECTIONS; d++) {
        to[d] = slide(m.any, d, v->empty) | (step(m.one, d) & v->empty);
        if (m.offensive != 0)
            to[d] |= slide(m.offensive, d, v->empty) &
                     (offensive | flank_squares(v, d) | push_squares(v, d) | phalanx_squares(v, d));
    }
    guard_dux(v, beside, to);
}

static const char letters[] = "SsDd"; /* in the order of bits[] */

static bool latrunculi_start(const char *variant, struct position *position, struct cause *cause)
{
    if (variant != NULL && strcasecmp(variant, latrunculi.variants[0]) != 0)
        return cause_set(cause, "unknown variant '%.12s' of Latrunculi: write %s", variant,
                         latrunculi.variants[0]);
    memset(position, 0, sizeof *position);
    position->width = position->height = WIDTH;
    position->bits[SOLDIERS + WHITE] = RANK_1;
    position->bits[SOLDIERS + BLACK] = RANK_8;
    position->bits[DUCES + WHITE] = (uint64_t)1 << (1 * WIDTH + 4);
    position->bits[DUCES + BLACK] = (uint64_t)1 << (6 * WIDTH + 3);
    return true;
}

/* Checks the pieces of each side, and that the side not to move can have moved last. */
static bool valid(const struct position *p, struct cause *cause)
{
    for (int color = WHITE; color <= BLACK; color++) {
        int duces = __builtin_popcountll(p->bits[DUCES + color]);
        int soldiers = __builtin_popcountll(p->bits[SOLDIERS + color]);
        if (duces != 1)
            return cause_set(cause, "%s has %d duces instead of one", _(color_name(color)), duces);
        if (soldiers > SOLDIERS_MAX)
            return cause_set(cause, "%s has %d soldiers: there are at most %d",
                             _(color_name(color)), soldiers, SOLDIERS_MAX);
    }
    struct view v = view_of(p);
    const char *waiting = _(color_name(!p->side));
    if (v.enemy_soldiers == 0)
        return cause_set(cause, "%s is not to move and has no soldiers", waiting);
    if (immobilised(v.enemy_dux, v.own, v.empty))
        return cause_set(cause, "%s is not to move and its dux is immobilised", waiting);
    return true;
}

static bool latrunculi_parse(const char *variant, const char *text, struct position *position,
                             struct cause *cause)
{
    struct position read;
    struct field fields[3];
    struct board board;

    if (!latrunculi_start(variant, &read, cause) ||
        !fields_split(text, fields, 3, N_("placement, side, plies since the last capture"),
                      cause) ||
        !placement_parse(fields[0], letters, WIDTH, WIDTH, &board, cause) ||
        !field_side(fields[1], &read.side, cause) ||
        !field_number(fields[2], N_("the count of plies since the last capture"), 0, PLIES_MAX,
                      &read.notes[PLIES], cause))
        return false;
    memset(read.bits, 0, sizeof read.bits);
    for (int square = 0; square < SQUARES; square++) {
        const char *letter = strchr(letters, board.cell[square]);
        if (letter != NULL)
            read.bits[letter - letters] |= (uint64_t)1 << square;
    }
    if (!valid(&read, cause))
        return false;
    *position = read;
    return true;
}

static void latrunculi_board(const struct position *position, struct board *board)
{
    board_clear(board, WIDTH, WIDTH);
    for (int i = 0; letters[i] != '\0'; i++)
        for (uint64_t left = position->bits[i]; left != 0; left &= left - 1)
            board->cell[__builtin_ctzll(left)] = letters[i];
}

static void latrunculi_format(const struct position *position, char text[POSITION_TEXT_MAX])
{
    struct board board;

    latrunculi_board(position, &board);
    size_t length = placement_format(&board, text);
    side_and_count_format(position->side, position->notes[PLIES], text + length);
}

static void latrunculi_variant_name(const struct position *position, char name[VARIANT_NAME_MAX])
{
    (void)position;
    memcpy(name, latrunculi.variants[0], strlen(latrunculi.variants[0]) + 1);
}

/* The square of the piece that arrives on an empty one in direction d: the nearest one behind it.
 */
static int origin_of(const struct view *v, int square, int d)
{
    uint64_t line = d <= WEST ? ~(uint64_t)0 : FILE_A << square % WIDTH;
    uint64_t occupied = ~v->empty & line, before = ((uint64_t)1 << square) - 1;

    return steps[d] > 0 ? SQUARES - 1 - __builtin_clzll(occupied & before)
                        : __builtin_ctzll(occupied & ~before);
}

static int latrunculi_legal(const struct position *position, struct move moves[MOVES_MAX])
{
    struct view v = view_of(position);
    uint64_t to[DIRECTIONS];
    int count = 0;

    if (position->notes[PLIES] == PLIES_MAX || v.soldiers == 0 ||
        immobilised(v.dux, v.enemy, v.empty))
        return 0;
    reach(&v, to);
    if (moves == NULL) {
        for (int d = 0; d < DIRECTIONS; d++)
            count += __builtin_popcountll(to[d]);
        return count;
    }
    for (int d = 0; d < DIRECTIONS; d++)
        for (; to[d] != 0; to[d] &= to[d] - 1) {
            int square = __builtin_ctzll(to[d]);
            moves[count++] =
                (struct move){.from = (uint8_t)origin_of(&v, square, d), .to = (uint8_t)square};
        }
    return count;
}

/* The direction of travel, or DIRECTIONS if the squares are equal or not in line. */
static int direction_of(struct move move)
{
    if (move.from == move.to)
        return DIRECTIONS;
    if (move.from / WIDTH == move.to / WIDTH)
        return move.from < move.to ? EAST : WEST;
    if (move.from % WIDTH == move.to % WIDTH)
        return move.from < move.to ? NORTH : SOUTH;
    return DIRECTIONS;
}

static void latrunculi_apply(struct position *position, struct move move)
{
    struct view v = view_of(position);
    uint64_t from = (uint64_t)1 << move.from, to = (uint64_t)1 << move.to;
    int mover = position->side + (v.dux == from ? DUCES : SOLDIERS);
    uint64_t taken = captured(&v, to, direction_of(move));

    position->bits[mover] ^= from | to;
    position->bits[SOLDIERS + !position->side] &= ~taken;
    position->notes[PLIES] = taken != 0 ? 0 : (uint8_t)(position->notes[PLIES] + 1);
    position->side = !position->side;
}

/* Whether there is a legal move, of one square if possible: with two squares empty beside the own
 * dux, no such move of a piece that is free is forbidden. */
static bool can_move(const struct view *v)
{
    uint64_t any = movers_of(v).any, to[DIRECTIONS];

    if (__builtin_popcountll(neighbours(v->dux) & v->empty) >= 2 &&
        (neighbours(any) & v->empty) != 0)
        return true;
    reach(v, to);
    return (to[EAST] | to[WEST] | to[NORTH] | to[SOUTH]) != 0;
}

static struct outcome latrunculi_outcome(const struct position *position)
{
    struct view v = view_of(position);
    enum result lost = result_win(!position->side);

    if (immobilised(v.dux, v.enemy, v.empty))
        return (struct outcome){lost, REASON_DUX_IMMOBILISED};
    if (v.soldiers == 0)
        return (struct outcome){lost, REASON_NO_SOLDIERS};
    if (!can_move(&v))
        return (struct outcome){lost, REASON_NO_MOVES};
    if (position->notes[PLIES] == PLIES_MAX)
        return (struct outcome){RESULT_DRAW, REASON_NO_CAPTURE};
    return (struct outcome){RESULT_NONE, REASON_NONE};
}

static uint64_t latrunculi_key(const struct position *position)
{
    uint64_t key = zobrist(4, position->side);

    for (unsigned i = 0; letters[i] != '\0'; i++)
        for (uint64_t left = position->bits[i]; left != 0; left &= left - 1)
            key ^= zobrist(i, (unsigned)__builtin_ctzll(left));
    return key;
}

/* Which rule of dux mobility an illegal move of the dux breaks. */
static const char *dux_refusal(const struct view *v)
{
    switch (dux_count(v)) {
    case 1:
        return v->dux & CORNERS ? _("with an enemy beside it a dux in a corner cannot move")
                                : _("with one piece beside it, an enemy, the dux moves one square, "
                                    "or farther to "
                                    "capture or to attack the enemy dux");
    case 2:
        return v->dux & RIM
                   ? _("with two squares beside it occupied, not both by friends, a dux on an edge "
                       "cannot move")
                   : _("with two squares beside it occupied, not both by friends, the dux may only "
                       "capture or attack the enemy dux");
    default: /* three; with four, or three on an edge, the game is over */
        return _("with three squares beside it occupied, not all by friends, the dux cannot "
                 "move");
    }
}

/* Explains why a piece whose way is free may not move. */
static void explain_held(const struct view *v, struct move move, int d, struct cause *cause)
{
    uint64_t from = (uint64_t)1 << move.from, to = (uint64_t)1 << move.to;
    bool offensive = captured(v, to, d) != 0 || (to & neighbours(v->enemy_dux)) != 0;
    const char *refusal = _("after it your own dux would have no empty square beside it");

    if (from == v->dux)
        refusal = dux_refusal(v);
    else if ((from & locked_soldiers(v)) && !offensive)
        refusal = _("that soldier is locked: only a capture or an attack on the dux is allowed");
    cause_set(cause, "%s", refusal);
}

/* Explains why a piece may not move along its line. */
static void explain_way(const struct view *v, struct move move, int d, struct cause *cause)
{
    char to[SQUARE_TEXT_MAX], obstacle[SQUARE_TEXT_MAX];
    int square = move.from + steps[d];

    while (square != move.to && (v->empty >> square & 1))
        square += steps[d];
    square_format(WIDTH, move.to, to);
    square_format(WIDTH, square, obstacle);
    if (square != move.to)
        cause_set(cause, "the way to %s is blocked by the piece on %s", to, obstacle);
    else if (!(v->empty >> square & 1))
        cause_set(cause, "%s is occupied: a piece moves only onto an empty square", to);
    else
        explain_held(v, move, d, cause);
}

static void latrunculi_explain(const struct position *position, struct move move,
                               struct cause *cause)
{
    struct view v = view_of(position);
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
    int d = direction_of(move);

    square_format(WIDTH, move.from, from);
    square_format(WIDTH, move.to, to);
    if (move.kind == MOVE_PASS)
        cause_set(cause, "passing is not allowed in Latrunculi");
    else if (v.empty >> move.from & 1)
        cause_set(cause, "%s is empty", from);
    else if (v.enemy >> move.from & 1)
        cause_set(cause, "the piece on %s is not yours: %s moves", from,
                  _(color_name(position->side)));
    else if (move.from == move.to)
        cause_set(cause, "the piece stands on %s already: it moves to another square", to);
    else if (d == DIRECTIONS)
        cause_set(cause, "a piece moves up, down, left or right; %s is not in line with %s", to,
                  from);
    else
        explain_way(&v, move, d, cause);
}

static const char *const variants[] = {"standard", NULL};

static const char *const rules[] = {
    N_("Each side has eight soldiers and a dux, its leader. All of them move like a rook in chess: "
       "any distance along a file or rank, over empty squares, onto an empty square. White moves "
       "first."),
    N_("You win when your opponent is to move and every square next to their dux is occupied, one "
       "of "
       "them at least by you; or they have no soldiers left; or they have no legal move."),
    N_("Only soldiers are captured, and only by a piece that has just moved. It captures an enemy "
       "soldier next to it: one between it and another piece of its side; on an edge, one with two "
       "of "
       "its three neighbours of its side; in a corner, one with both."),
    N_("More captures lie straight ahead of a piece that has moved: the nearest of a row of "
       "enemies "
       "with a friend at its far end (flank); an enemy behind a friend, against the edge or "
       "another "
       "friend (push and crush); and an enemy ahead of two rows of friends side by side (phalanx). "
       "A "
       "move may capture in many ways and many soldiers at once."),
    N_("Locked: a soldier next to an enemy may only make a move that captures, or that brings it "
       "next "
       "to the enemy dux. It is free again when every enemy next to it has a second piece of yours "
       "beside it."),
    N_("A dux with an enemy beside it is held by its occupied neighbours. With one it goes a "
       "single "
       "step, or further to capture or to attack the other dux; with two it may only capture or "
       "attack; with three (on an edge two, in a corner one) it cannot move. You may not move so "
       "that "
       "all squares next to your own dux are occupied."),
    N_("Draws: 100 moves in a row without a capture, both sides counted, or a position for the "
       "third "
       "time."),
    NULL};

static const struct lesson lessons[] = {
    {.title = N_("Between two"),
     .task =
         N_("All pieces move like rooks. You capture an enemy soldier by moving next to it when "
            "another piece of yours is right behind it. Capture d5."),
     .position = "7d/8/8/3sS3/8/8/8/2S4D w 0",
     .effect = "takes d5",
     .moves = "c1c5",
     .done = N_("It stood between c5 and e5."),
     .frame = "b4f6"},
    {.title = N_("Walking in is safe"),
     .task =
         N_("Only the side that moves captures: a soldier may step between two enemies. Go to d5, "
            "between the two."),
     .position = "7d/8/8/2s1s3/8/8/8/3S3D w 0",
     .effect = "to d5",
     .moves = "d1d5",
     .done = N_("Nothing is captured. To capture you, one of the two has to leave and come back."),
     .frame = "b4f6"},
    {.title = N_("On the edge"),
     .task = N_("A soldier on an edge has three neighbours. Occupy any two of them, one by the "
                "move itself. Capture a4."),
     .position = "7d/8/8/S7/s7/8/8/1S5D w 0",
     .effect = "takes a4",
     .moves = "b1b4",
     .done =
         N_("You hold a5 and b4. Off the edges, the two would have to stand opposite each other."),
     .frame = "a3c6"},
    {.title = N_("In a corner"),
     .task = N_("A soldier in a corner has two neighbours. Hold both. Capture a1."),
     .position = "1S5d/8/8/8/8/8/S6D/s7 w 0",
     .effect = "takes a1",
     .moves = "b8b1",
     .done = N_("You hold a2 and b1."),
     .frame = "a1c3"},
    {.title = N_("Flank"),
     .task =
         N_("Two or more enemies stand in a row, a piece of yours at its far end. Move along the "
            "row up to its near end: the nearest soldier is captured. Capture c5."),
     .position = "7d/8/8/S1ssS3/8/8/8/7D w 0",
     .effect = "takes c5",
     .moves = "a5b5",
     .done = N_("c5 and d5 stood between b5 and e5. Only the nearest soldier goes."),
     .frame = "a4f6"},
    {.title = N_("Push and crush"),
     .task = N_("Move up behind a piece of yours. An enemy soldier right ahead of that is crushed "
                "against the edge, or against another piece of yours. Capture h5."),
     .position = "7d/8/8/2S3Ss/8/8/8/D7 w 0",
     .effect = "takes h5",
     .moves = "c5f5",
     .done = N_("f5 pushes g5, and h5 cannot give way. Nothing else moves."),
     .frame = "c4h6"},
    {.title = N_("Phalanx"),
     .task =
         N_("Move up behind pieces of yours, so that you stand in two full rows. They capture the "
            "soldier ahead, whatever is behind it. Capture e5."),
     .position = "7d/8/2SS4/S2Ss3/8/8/8/7D w 0",
     .effect = "takes e5",
     .moves = "a5c5",
     .done = N_("c5 and d5 with c6 and d6 are a block of two by two."),
     .frame = "a4f7"},
    {.title = N_("Locked"),
     .task =
         N_("A soldier next to an enemy that no other piece of yours touches is locked: it may "
            "only capture, or attack the enemy dux, that is, go next to it. Move the one on d4."),
     .position = "8/8/8/d2s4/3S4/8/8/S6D w 0",
     .effect = "moves d4",
     .moves = "d4a4",
     .done =
         N_("On a4 it attacks the dux. It could capture nothing, and no other move was allowed."),
     .frame = NULL},
    {.title = N_("The dux"),
     .task =
         N_("The dux is never captured. With an enemy as its only neighbour it goes one step, or "
            "further to capture or to stop next to the other dux. Move it."),
     .position = "d7/8/8/8/3Ds3/8/8/S6s w 0",
     .effect = "moves d4",
     .moves = "d4d5 d4c4 d4d3",
     .done = N_("A single step was all it had. With two neighbours it may only capture or attack; "
                "with three it cannot move."),
     .frame = NULL},
    {.title = N_("Surround the dux"),
     .task =
         N_("You win when all squares next to the enemy dux are occupied, by anyone, and one of "
            "them by you. Win."),
     .position = "2sd4/3s4/8/8/4S3/8/8/S6D w 0",
     .effect = "ends 1-0 dux-immobilised",
     .moves = "e4e8",
     .done = N_("c8, d7 and e8 are occupied: the dux cannot move any more."),
     .frame = "b6f8"},
    {.title = N_("The last soldier"),
     .task = N_("You also win when you capture the last enemy soldier. Take the one on c2."),
     .position = "d6D/8/8/8/8/2S5/2s5/S7 w 0",
     .effect = "ends 1-0 no-soldiers",
     .moves = "a1c1",
     .done = N_("A dux without soldiers has lost. A hundred moves in a row without a capture, or "
                "the same position for the third time, make a draw."),
     .frame = NULL},
};

/* Whether a move surrounds the enemy dux. */
static bool can_surround(const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = latrunculi_legal(position, moves);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        latrunculi_apply(&next, moves[i]);
        if (latrunculi_outcome(&next).reason == REASON_DUX_IMMOBILISED)
            return true;
    }
    return false;
}

enum { PLIES_WARNED = 20 }; /* before the draw */

/* Says as a sentence what holds the dux. */
static void advise_dux(const struct view *v, char text[ADVICE_MAX])
{
    snprintf(text, ADVICE_MAX, "%s.", dux_refusal(v));
    text[0] = (char)toupper((unsigned char)text[0]);
}

static void latrunculi_advise(const struct position *position, char text[ADVICE_MAX])
{
    struct view v = view_of(position);
    int gaps = __builtin_popcountll(neighbours(v.dux) & v.empty);
    int left = PLIES_MAX - position->notes[PLIES];
    bool enemy_beside = (neighbours(v.dux) & v.enemy) != 0;

    if (gaps == 0)
        snprintf(text, ADVICE_MAX,
                 _("Your own pieces shut in your dux: move one that is next to it."));
    else if (can_surround(position))
        snprintf(text, ADVICE_MAX,
                 _("The enemy dux has one empty square next to it: fill that, and you win."));
    else if (gaps == 1 && enemy_beside)
        snprintf(text, ADVICE_MAX,
                 _("Your dux has one empty square left next to it: if it is filled, you lose."));
    else if (left <= PLIES_WARNED)
        snprintf(text, ADVICE_MAX,
                 text_counted("Without a capture the game is drawn in %d more move.",
                              "Without a capture the game is drawn in %d more moves.",
                              (unsigned long)left),
                 left);
    else if (dux_count(&v) > 0)
        advise_dux(&v, text);
    else if (locked_soldiers(&v) != 0)
        snprintf(
            text, ADVICE_MAX,
            _("A soldier next to an enemy is locked unless another of yours touches that enemy: "
              "it may only capture or attack the dux."));
    else
        snprintf(text, ADVICE_MAX,
                 _("Slide a piece like a rook: catch enemy soldiers between two of yours, and "
                   "surround the enemy dux."));
}

static const struct symbol symbols[] = {
    {'S', N_("soldier"),
     N_("slides along files and ranks; captured when it stands between two enemies")},
    {'D', N_("dux"), N_("slides, too, and is never captured; surrounded, it loses")},
    {0}};

const struct game latrunculi = {
    .name = "latrunculi",
    .title = N_("Latrunculi XXI"),
    .summary = N_(
        "Slide like rooks, capture soldiers between your own, and surround the enemy dux to win."),
    .variants_text = N_("standard only"),
    .rules = rules,
    .lessons = lessons,
    .lesson_count = sizeof lessons / sizeof lessons[0],
    .symbols = symbols,
    .variants = variants,
    .pieces = "",
    .repetition_draws = true,
    .start = latrunculi_start,
    .parse = latrunculi_parse,
    .format = latrunculi_format,
    .variant_name = latrunculi_variant_name,
    .board = latrunculi_board,
    .legal = latrunculi_legal,
    .apply = latrunculi_apply,
    .outcome = latrunculi_outcome,
    .key = latrunculi_key,
    .explain = latrunculi_explain,
    .advise = latrunculi_advise,
};
