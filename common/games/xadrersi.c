/*
 * Xadrersi, also known as Cheversi: the players take turns to place chess pieces on an empty board.
 *
 * A position has one bit for each square: white's pieces in bits[0], black's in bits[1], and the
 * five kinds, of either colour, in bits[2..6]. notes[0] is the square of the last piece placed, 0
 * on the empty board. The pieces in hand and the queen call follow from these.
 */
#include "../game.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../move.h"
#include "../position_text.h"
#include "../zobrist.h"
#include "xadrersi_board.h"

typedef uint64_t set; /* of squares */

enum { SIZE = 8 };
enum { HAND_TEXT_MAX = 2 * SIDE_PIECES + 3 }; /* bytes with the brackets and the final NUL */

static const char letters[2][KINDS + 1] = {"KQRBN", "kqrbn"};
static const char *const kind_names[KINDS] = {N_("king"), N_("queen"), N_("rook"), N_("bishop"),
                                              N_("knight")};

#define FILE_A       UINT64_C(0x0101010101010101)
#define FILE_H       UINT64_C(0x8080808080808080)
#define RANK_1       UINT64_C(0xff)
#define RANK_8       UINT64_C(0xff00000000000000)
#define DARK_SQUARES UINT64_C(0xaa55aa55aa55aa55) /* a1 is dark */

/* A step in one direction: rotates a set, then masks off what wrapped around an edge. */
struct direction {
    int rotation;
    set mask;
};

enum { NORTH, SOUTH, EAST, WEST, DIAGONALS, JUMPS = 8, DIRECTIONS = 16 };

static const struct direction directions[DIRECTIONS] = {
    [NORTH] = {8, ~RANK_1},
    [SOUTH] = {56, ~RANK_8},
    [EAST] = {1, ~FILE_A},
    [WEST] = {63, ~FILE_H},
    [DIAGONALS] = {9, ~(RANK_1 | FILE_A)},
    {7, ~(RANK_1 | FILE_H)},
    {57, ~(RANK_8 | FILE_A)},
    {55, ~(RANK_8 | FILE_H)},
    [JUMPS] = {17, ~(RANK_1 | RANK_1 << 8 | FILE_A)},
    {15, ~(RANK_1 | RANK_1 << 8 | FILE_H)},
    {10, ~(RANK_1 | FILE_A | FILE_A << 1)},
    {6, ~(RANK_1 | FILE_H | FILE_H >> 1)},
    {58, ~(RANK_8 | FILE_A | FILE_A << 1)},
    {54, ~(RANK_8 | FILE_H | FILE_H >> 1)},
    {49, ~(RANK_8 | RANK_8 >> 8 | FILE_A)},
    {47, ~(RANK_8 | RANK_8 >> 8 | FILE_H)},
};

static set stepped(set from, int direction)
{
    const struct direction *d = &directions[direction];

    return (from << d->rotation | from >> (64 - d->rotation)) & d->mask;
}

/* The squares next to a square of the set. */
static set adjacent(set s)
{
    set row = stepped(s, EAST) | stepped(s, WEST);

    return row | stepped(s | row, NORTH) | stepped(s | row, SOUTH);
}

static set square_set(int square)
{
    return (set)1 << square;
}

static set occupied(const struct position *p)
{
    return p->bits[WHITE] | p->bits[BLACK];
}

static set pieces(const struct position *p, int color, int kind)
{
    return p->bits[color] & p->bits[KIND_WORD + kind];
}

static int placed(const struct position *p, int color)
{
    return __builtin_popcountll(p->bits[color]);
}

static int in_hand(const struct position *p, int color, int kind)
{
    return kind_pieces[kind] - __builtin_popcountll(pieces(p, color, kind));
}

static bool is_full(const struct position *p)
{
    return placed(p, WHITE) + placed(p, BLACK) == 2 * SIDE_PIECES;
}

static void put(struct position *p, int color, int kind, int square)
{
    p->bits[color] |= square_set(square);
    p->bits[KIND_WORD + kind] |= square_set(square);
}

static int kind_of(char piece)
{
    int kind = KING;

    while (letters[WHITE][kind] != piece)
        kind++;
    return kind;
}

/* The squares from the sliders on, up to and including the first occupied one. */
static set line(set sliders, set empty, int direction)
{
    set reached = 0;

    for (set front = stepped(sliders, direction); front != 0;
         front = stepped(front & empty, direction))
        reached |= front;
    return reached;
}

/* The squares that the side's pieces attack, as a set for each direction of attack. Lines end at
 * the first piece, so no square is attacked twice in one direction, and the sizes of the sets add
 * up to the number of attacks. */
static void attacks(const struct position *p, int color, set from[DIRECTIONS])
{
    set king = pieces(p, color, KING), queen = pieces(p, color, QUEEN);
    set straight = queen | pieces(p, color, ROOK), diagonal = queen | pieces(p, color, BISHOP);
    set empty = ~occupied(p);

    for (int i = 0; i < JUMPS; i++)
        from[i] = line(i < DIAGONALS ? straight : diagonal, empty, i) | stepped(king, i);
    for (int i = JUMPS; i < DIRECTIONS; i++)
        from[i] = stepped(pieces(p, color, KNIGHT), i);
}

static set attacked(const struct position *p, int color)
{
    set from[DIRECTIONS], all = 0;

    attacks(p, color, from);
    for (int i = 0; i < DIRECTIONS; i++)
        all |= from[i];
    return all;
}

/* Rule 1: the king is white's first piece and black's last. */
static bool owes_king(const struct position *p)
{
    return p->side == WHITE ? placed(p, WHITE) == 0 : placed(p, BLACK) == SIDE_PIECES - 1;
}

/* Rule 3: the answer to a queen is the queen. */
static bool owes_queen(const struct position *p)
{
    return (pieces(p, !p->side, QUEEN) & square_set(p->notes[LAST_NOTE])) != 0 &&
           in_hand(p, p->side, QUEEN) > 0;
}

/* Rule 2: the squares that the side's first bishop, if placed, leaves to the second. */
static set bishop_squares(const struct position *p)
{
    set bishop = pieces(p, p->side, BISHOP);

    if (bishop == 0)
        return ~(set)0;
    return (bishop & DARK_SQUARES) != 0 ? ~DARK_SQUARES : DARK_SQUARES;
}

/* Rule 6 of touch: white's last piece leaves room for the king that goes next to it. */
static bool must_leave_room(const struct position *p)
{
    return p->side == WHITE && placed(p, WHITE) == SIDE_PIECES - 1;
}

/* The squares that rules 5 and 6 allow, occupied or not. */
static set near_squares(const struct position *p)
{
    if (occupied(p) == 0)
        return ~(set)0;
    if (p->variant == ATTACK)
        return attacked(p, !p->side);
    if (owes_king(p))
        return adjacent(square_set(p->notes[LAST_NOTE]));
    if (must_leave_room(p))
        return adjacent(occupied(p)) & adjacent(~occupied(p));
    return adjacent(occupied(p));
}

/* The squares where each kind of piece may be placed. */
static void placements(const struct position *p, set to[KINDS])
{
    set empty = ~occupied(p), near = near_squares(p), any_near = 0;
    bool king = owes_king(p), queen = owes_queen(p);

    for (int kind = KING; kind < KINDS; kind++) {
        bool allowed =
            in_hand(p, p->side, kind) > 0 && (kind == KING) == king && (kind == QUEEN || !queen);
        to[kind] = allowed ? empty : 0;
    }
    to[BISHOP] &= bishop_squares(p);
    for (int kind = KING; kind < KINDS; kind++)
        any_near |= to[kind] & near;
    if (any_near == 0) /* rules 5 and 6 are waived */
        return;
    for (int kind = KING; kind < KINDS; kind++)
        to[kind] &= near;
}

static int xadrersi_legal(const struct position *position, struct move moves[MOVES_MAX])
{
    set to[KINDS];
    int count = 0;

    placements(position, to);
    if (moves == NULL) {
        for (int kind = KING; kind < KINDS; kind++)
            count += __builtin_popcountll(to[kind]);
        return count;
    }
    for (int kind = KING; kind < KINDS; kind++)
        for (set left = to[kind]; left != 0; left &= left - 1)
            moves[count++] = (struct move){.kind = MOVE_PLACE,
                                           .to = (uint8_t)__builtin_ctzll(left),
                                           .piece = letters[WHITE][kind]};
    return count;
}

static void xadrersi_apply(struct position *position, struct move move)
{
    put(position, position->side, kind_of(move.piece), move.to);
    position->notes[LAST_NOTE] = move.to;
    position->side = !position->side;
}

static void xadrersi_score(const struct position *position, int points[2])
{
    set counted = position->variant == TOUCH ? ~occupied(position) : ~(set)0;
    set from[DIRECTIONS];

    for (int color = WHITE; color <= BLACK; color++) {
        attacks(position, color, from);
        points[color] = 0;
        for (int i = 0; i < DIRECTIONS; i++)
            points[color] += __builtin_popcountll(from[i] & counted);
    }
}

static struct outcome xadrersi_outcome(const struct position *position)
{
    int points[2];

    if (!is_full(position))
        return (struct outcome){RESULT_NONE, REASON_NONE};
    xadrersi_score(position, points);
    if (points[WHITE] == points[BLACK])
        return (struct outcome){RESULT_DRAW, REASON_SCORE};
    return (struct outcome){result_win(points[BLACK] > points[WHITE]), REASON_SCORE};
}

/* The side to move and the call follow from the rest, so they are not hashed. */
static uint64_t xadrersi_key(const struct position *position)
{
    uint64_t key = zobrist(2 * KINDS + position->variant, position->notes[LAST_NOTE]);

    for (int color = WHITE; color <= BLACK; color++)
        for (int kind = KING; kind < KINDS; kind++)
            for (set left = pieces(position, color, kind); left != 0; left &= left - 1)
                key ^= zobrist((unsigned)(color * KINDS + kind), (unsigned)__builtin_ctzll(left));
    return key;
}

/* Whether no placement is near enough, so that any empty square will do. */
static bool near_is_waived(const struct position *p)
{
    set to[KINDS], any = 0;

    placements(p, to);
    for (int kind = KING; kind < KINDS; kind++)
        any |= to[kind];
    return (any & near_squares(p)) == 0;
}

enum { NEAR_ANYWHERE, NEAR_PIECE, NEAR_ATTACKED };

/* What to place where, and what to mind. */
static void advise_usual(const struct position *p, int near, char text[ADVICE_MAX])
{
    static const char *const places[2][3] = {
        {N_("Place a piece on any empty square"), N_("Place a piece next to another piece"),
         N_("Place a piece on a square that an enemy piece attacks")},
        {N_("Place any piece but the king on any empty square"),
         N_("Place any piece but the king next to another piece"),
         N_("Place any piece but the king on a square that an enemy piece attacks")}};
    const char *mind = p->variant == TOUCH ? _("each empty square it attacks is a point.")
                                           : _("each square it attacks is a point.");

    if (in_hand(p, p->side, BISHOP) == 1)
        mind = (bishop_squares(p) & DARK_SQUARES) != 0
                   ? _("your second bishop goes on a dark square.")
                   : _("your second bishop goes on a light square.");
    snprintf(text, ADVICE_MAX, "%s; %s", _(places[p->side == BLACK][near]), mind);
}

static void xadrersi_advise(const struct position *p, char text[ADVICE_MAX])
{
    static const char *const kings[] = {
        N_("Place your king, the last piece, on any empty square."),
        N_("Place your king, the last piece, next to the piece just placed."),
        N_("Place your king, the last piece, on a square that an enemy piece attacks.")};
    static const char *const queens[] = {
        N_("Your opponent has placed the queen: answer with yours, on any empty square."),
        N_("Your opponent has placed the queen: answer with yours, next to another piece."),
        N_("Your opponent has placed the queen: answer with yours, on a square that an enemy piece "
           "attacks.")};
    int near = near_is_waived(p) ? NEAR_ANYWHERE : p->variant == TOUCH ? NEAR_PIECE : NEAR_ATTACKED;

    if (occupied(p) == 0)
        snprintf(text, ADVICE_MAX, "%s", _("Place your king on any square; pieces never move."));
    else if (owes_king(p))
        snprintf(text, ADVICE_MAX, "%s", _(kings[near]));
    else if (p->variant == TOUCH && must_leave_room(p) && near != NEAR_ANYWHERE)
        snprintf(text, ADVICE_MAX, "%s",
                 _("Place your last piece next to another, with an empty square beside it: Black's "
                   "king goes there."));
    else if (owes_queen(p))
        snprintf(text, ADVICE_MAX, "%s", _(queens[near]));
    else
        advise_usual(p, near, text);
}

static const struct symbol symbols[] = {
    {'K', N_("king"), N_("attacks the squares around it")},
    {'Q', N_("queen"), N_("attacks along files, ranks and diagonals")},
    {'R', N_("rook"), N_("attacks along files and ranks")},
    {'B', N_("bishop"), N_("attacks along diagonals")},
    {'N', N_("knight"), N_("attacks two squares away and one to the side, whatever is between")},
    {0}};

static bool variant_parse(const char *name, uint8_t *variant, struct cause *cause)
{
    for (uint8_t i = 0; xadrersi.variants[i] != NULL; i++) {
        if (name == NULL || strcasecmp(name, xadrersi.variants[i]) == 0) {
            *variant = i;
            return true;
        }
    }
    return cause_set(cause, "unknown variant '%.12s' of Xadrersi: write touch or attack", name);
}

static bool xadrersi_start(const char *variant, struct position *position, struct cause *cause)
{
    struct position start = {.width = SIZE, .height = SIZE};

    if (!variant_parse(variant, &start.variant, cause))
        return false;
    *position = start;
    return true;
}

/* Writes the pieces in hand, in brackets, and returns the length. */
static size_t hand_format(const struct position *p, char text[HAND_TEXT_MAX])
{
    size_t length = 0;

    text[length++] = '[';
    for (int color = WHITE; color <= BLACK; color++)
        for (int kind = KING; kind < KINDS; kind++)
            for (int left = in_hand(p, color, kind); left > 0; left--)
                text[length++] = letters[color][kind];
    text[length++] = ']';
    text[length] = '\0';
    return length;
}

static bool pieces_place(const struct board *board, struct position *p, struct cause *cause)
{
    for (int color = WHITE; color <= BLACK; color++) {
        for (int kind = KING; kind < KINDS; kind++) {
            for (int square = 0; square < SIZE * SIZE; square++)
                if (board->cell[square] == letters[color][kind])
                    put(p, color, kind, square);
            if (in_hand(p, color, kind) < 0)
                return cause_set(cause,
                                 kind_pieces[kind] > 1 ? N_("the board holds more than %d %s %ss")
                                                       : N_("the board holds more than %d %s %s"),
                                 kind_pieces[kind], _(color_name(color)), _(kind_names[kind]));
        }
    }
    return true;
}

/* Reads the placement and the hand, which follows from the placement. */
static bool pieces_parse(struct field field, struct position *p, struct cause *cause)
{
    const char *bracket = memchr(field.text, '[', field.length);
    char hand[HAND_TEXT_MAX];
    struct board board;

    if (bracket == NULL)
        return cause_set(cause, "the placement ends with the pieces in hand in brackets, [] for "
                                "none");
    size_t length = (size_t)(bracket - field.text);
    if (!placement_parse((struct field){field.text, length}, "KQRBNkqrbn", SIZE, SIZE, &board,
                         cause) ||
        !pieces_place(&board, p, cause))
        return false;
    hand_format(p, hand);
    if (field.length - length != strlen(hand) || memcmp(bracket, hand, strlen(hand)) != 0)
        return cause_set(cause,
                         "the pieces in hand must be %s: with the board all 16, in the "
                         "order KQRRBBNNkqrrbbnn",
                         hand);
    return true;
}

/* Whether the sides can have placed these pieces in turn, by rules 1 and 2. */
static bool pieces_check(const struct position *p, struct cause *cause)
{
    int white = placed(p, WHITE), black = placed(p, BLACK);

    if (white != black + (p->side == BLACK))
        return cause_set(cause,
                         "with %d white and %d black pieces on the board it is not %s's turn",
                         white, black, _(color_name(p->side)));
    if (white > 0 && in_hand(p, WHITE, KING) > 0)
        return cause_set(cause, "white's king must be on the board: it is white's first piece");
    if (in_hand(p, BLACK, KING) == 0 && !is_full(p))
        return cause_set(cause, "black's king must be in hand: it is black's last piece");
    for (int color = WHITE; color <= BLACK; color++) {
        set bishops = pieces(p, color, BISHOP), dark = bishops & DARK_SQUARES;
        if (in_hand(p, color, BISHOP) == 0 && (dark == 0 || dark == bishops))
            return cause_set(cause,
                             dark == 0 ? N_("both bishops of %s stand on light squares")
                                       : N_("both bishops of %s stand on dark squares"),
                             _(color_name(color)));
    }
    return true;
}

static bool last_parse(struct field field, struct position *p, struct cause *cause)
{
    const char *text = field.text;
    bool none = field.length == 1 && text[0] == '-';

    if (none && occupied(p) != 0)
        return cause_set(cause, "the last square is missing: - is for the empty board");
    if (none)
        return true;
    if (field.length != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return cause_set(cause, "the last square is a square such as d4, or -, not %.*s",
                         (int)field.length, text);
    int square = (text[1] - '1') * SIZE + text[0] - 'a';
    if ((p->bits[!p->side] & square_set(square)) == 0)
        return cause_set(cause, "the last square, %.2s, must hold a piece of %s", text,
                         _(color_name(!p->side)));
    if (is_full(p) && pieces(p, BLACK, KING) != square_set(square))
        return cause_set(cause, "on the full board the last square must hold black's king");
    p->notes[LAST_NOTE] = (uint8_t)square;
    return true;
}

/* Checks the call, which follows from the other fields. */
static bool call_check(struct field field, const struct position *p, struct cause *cause)
{
    bool owed = owes_queen(p);

    if (field.length == 1 && field.text[0] == (owed ? 'Q' : '-'))
        return true;
    return cause_set(cause,
                     owed ? N_("the call must be Q: %s owes the queen")
                          : N_("the call must be -: %s owes no queen"),
                     _(color_name(p->side)));
}

static bool xadrersi_parse(const char *variant, const char *text, struct position *position,
                           struct cause *cause)
{
    struct position read = {.width = SIZE, .height = SIZE};
    struct field fields[4];

    if (!variant_parse(variant, &read.variant, cause) ||
        !fields_split(text, fields, 4, N_("placement with hand, side, call, last square"), cause) ||
        !field_side(fields[1], &read.side, cause) || !pieces_parse(fields[0], &read, cause) ||
        !pieces_check(&read, cause) || !last_parse(fields[3], &read, cause) ||
        !call_check(fields[2], &read, cause))
        return false;
    *position = read;
    return true;
}

static void xadrersi_board(const struct position *position, struct board *board)
{
    board_clear(board, SIZE, SIZE);
    for (int color = WHITE; color <= BLACK; color++)
        for (int kind = KING; kind < KINDS; kind++)
            for (set left = pieces(position, color, kind); left != 0; left &= left - 1)
                board->cell[__builtin_ctzll(left)] = letters[color][kind];
}

static void xadrersi_format(const struct position *position, char text[POSITION_TEXT_MAX])
{
    const char side = position->side == WHITE ? 'w' : 'b';
    const char queen = owes_queen(position) ? 'Q' : '-';
    const char fields[] = {' ', side, ' ', queen, ' ', '-', '\0'};
    struct board board;

    xadrersi_board(position, &board);
    size_t length = placement_format(&board, text);
    length += hand_format(position, text + length);
    memcpy(text + length, fields, sizeof fields);
    if (occupied(position) != 0)
        square_format(SIZE, position->notes[LAST_NOTE], text + length + sizeof fields - 2);
}

static void xadrersi_variant_name(const struct position *position, char name[VARIANT_NAME_MAX])
{
    const char *variant = xadrersi.variants[position->variant];

    memcpy(name, variant, strlen(variant) + 1);
}

/* Says which of rules 5 and 6 forbids an empty square. */
static void explain_near(const struct position *p, int square, struct cause *cause)
{
    char to[SQUARE_TEXT_MAX], last[SQUARE_TEXT_MAX];

    square_format(SIZE, square, to);
    square_format(SIZE, p->notes[LAST_NOTE], last);
    if (p->variant == ATTACK)
        cause_set(cause, "%s is not attacked by a piece of %s", to, _(color_name(!p->side)));
    else if (owes_king(p))
        cause_set(cause, "black's king must stand next to the piece just placed on %s", last);
    else if ((adjacent(occupied(p)) & square_set(square)) == 0)
        cause_set(cause, "%s is not next to a piece", to);
    else
        cause_set(cause, "white's last piece must leave an empty square next to it");
}

static void xadrersi_explain(const struct position *position, struct move move, struct cause *cause)
{
    const char *color = _(color_name(position->side));
    char to[SQUARE_TEXT_MAX];

    if (move.kind == MOVE_PASS) {
        cause_set(cause, "passing is not allowed in Xadrersi");
        return;
    }
    int kind = kind_of(move.piece);
    square_format(SIZE, move.to, to);
    if ((occupied(position) & square_set(move.to)) != 0)
        cause_set(cause, "%s is occupied", to);
    else if (in_hand(position, position->side, kind) == 0)
        cause_set(cause, "%s has no %s left to place", color, _(kind_names[kind]));
    else if (kind != QUEEN && owes_queen(position))
        cause_set(cause, "%s must answer with the queen", color);
    else if (kind != KING && owes_king(position))
        cause_set(cause, "white's first piece is the king");
    else if (kind == KING && !owes_king(position))
        cause_set(cause, "black's king is black's last piece");
    else if (kind == BISHOP && (bishop_squares(position) & square_set(move.to)) == 0)
        cause_set(cause, (DARK_SQUARES & square_set(move.to)) != 0
                             ? N_("the bishop must stand on a light square")
                             : N_("the bishop must stand on a dark square"));
    else
        explain_near(position, move.to, cause);
}

static const char *const variants[] = {[TOUCH] = "touch", [ATTACK] = "attack", NULL};

static const char *const rules[] = {
    N_("The players take turns placing a piece on an empty square: a king, a queen, two rooks, two "
       "bishops and two knights each. Pieces never move and are never taken. White's first piece "
       "is "
       "the king, black's king is black's last. Bishops of a side stand on squares of different "
       "colours."),
    N_("When a queen is placed and the other side still holds its own, that is its next piece."),
    N_("touch: each piece stands next to another one, of either colour; black's king next to the "
       "piece that white has just placed. A side scores a point for each empty square that one of "
       "its "
       "pieces attacks, once for each such piece."),
    N_("attack: each piece stands where a piece of the other side attacks, and all squares count."),
    N_("When all 16 pieces are placed, the side with more points wins. Equal points are a draw."),
    NULL};

static const struct lesson lessons[] = {
    {.title = N_("The king first"),
     .task = N_(
         "You place pieces and never move them. White's first piece is the king, anywhere; off the "
         "edges it attacks most. Place it on b2."),
     .position = "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -",
     .effect = "to b2",
     .moves = "K@b2",
     .done = N_("It attacks the eight squares around it, a point each. Near a corner it is out of "
                "the way of your other pieces."),
     .frame = NULL},
    {.title = N_("Touch"),
     .task = N_("Every other piece is placed next to a piece on the board, of either side. You are "
                "Black: place a knight."),
     .position = "8/8/8/8/3K4/8/8/8[QRRBBNNkqrrbbnn] b - d4",
     .effect = "places N",
     .moves = "N@c3 N@d3 N@e3 N@c4 N@e4 N@c5 N@d5 N@e5",
     .done = N_("It takes a square from the king, and attacks up to eight itself."),
     .frame = NULL},
    {.title = N_("Points"),
     .task =
         N_("You get a point for each empty square that a piece of yours attacks, once for each "
            "such piece. Place the piece that puts you furthest ahead."),
     .position = "8/8/8/8/8/2K5/1n6/8[QRRBBNNkqrrbbn] w - b2",
     .effect = "gains",
     .moves = "Q@d4",
     .done = N_("A queen in the middle attacks most, and d4 is the nearest such square."),
     .frame = NULL},
    {.title = N_("Get in the way"),
     .task =
         N_("A line ends at the first piece. Place your queen in the long line of the rook, where "
            "it attacks most itself."),
     .position = "8/8/8/8/8/2K5/3r4/8[QRRBBNNkqrbbnn] w - d2",
     .effect = "gains",
     .moves = "Q@d4",
     .done = N_("The rook has lost the squares from d4 up, and the queen has gained them."),
     .frame = "b1g5"},
    {.title = N_("Two bishops"),
     .task = N_("Your two bishops stand on squares of different colours. Place the second one."),
     .position = "8/8/2n5/2B5/3K4/4n3/8/8[QRRBNNkqrrbb] w - e3",
     .effect = "places B",
     .moves = "B@e2 B@d3 B@f3 B@c4 B@e4 B@b5 B@d5 B@b7 B@d7",
     .done = N_("The bishop on c5 stands on a dark square, so this one had to take a light one."),
     .frame = NULL},
    {.title = N_("The queen is called"),
     .task = N_("When a queen is placed and the other side still holds its own, that is its next "
                "piece. Black has placed the queen: answer with yours."),
     .position = "8/8/8/3q4/3K4/8/8/8[QRRBBNNkrrbbnn] w Q d5",
     .effect = "places Q",
     .moves = "Q@e5 Q@c3 Q@d3 Q@e3 Q@c4 Q@e4 Q@c5 Q@c6 Q@d6 Q@e6",
     .done = N_("It was the only piece that you could place."),
     .frame = NULL},
    {.title = N_("The last king"),
     .task = N_("Black's king is the last piece, and is placed next to the piece that white has "
                "just placed. You are Black: place it."),
     .position = "8/8/8/8/BNRR4/Bbbn4/nNQr4/1Kqr4[k] b - d4",
     .effect = "places K",
     .moves = "K@e3 K@e4 K@c5 K@d5 K@e5",
     .done = N_("The game is over. The higher score wins, and equal scores make a draw."),
     .frame = NULL},
    {.title = N_("The variant attack"),
     .task =
         N_("In the variant attack a piece is placed where an enemy piece attacks, and occupied "
            "squares count, too. You are Black: place a rook."),
     .variant = "attack",
     .position = "8/8/8/3K4/8/8/8/8[QRRBBNNkqrrbbnn] b - d5",
     .effect = "places R",
     .moves = "R@d4 R@c4 R@e4 R@c5 R@e5 R@c6 R@d6 R@e6",
     .done = N_("The king attacks these eight squares, and no others."),
     .frame = NULL},
};

const struct game xadrersi = {
    .name = "xadrersi",
    .title = N_("Xadrersi"),
    .summary = N_("Place chess pieces in turn; the side that attacks the most squares wins."),
    .variants_text = N_("touch (next to a piece) or attack (where the enemy attacks)"),
    .rules = rules,
    .lessons = lessons,
    .lesson_count = sizeof lessons / sizeof lessons[0],
    .symbols = symbols,
    .variants = variants,
    .pieces = letters[WHITE],
    .repetition_draws = false,
    .start = xadrersi_start,
    .parse = xadrersi_parse,
    .format = xadrersi_format,
    .variant_name = xadrersi_variant_name,
    .board = xadrersi_board,
    .legal = xadrersi_legal,
    .apply = xadrersi_apply,
    .outcome = xadrersi_outcome,
    .key = xadrersi_key,
    .explain = xadrersi_explain,
    .advise = xadrersi_advise,
    .score = xadrersi_score,
};
