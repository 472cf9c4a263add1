/*
 * Clobber (Albert, Grossman, Nowakowski and Wolfe, 2005), on every board from 1x2 to 10x10.
 *
 * A position has one bit for each square: white's stones in bits[0..1], black's in bits[2..3], the
 * low word first. Boards of up to 64 squares use the low words only, for which functions that must
 * be fast have a path of their own.
 */
#include "clobber.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../move.h"
#include "../position_text.h"
#include "../text.h"
#include "../zobrist.h"

__extension__ typedef unsigned __int128 set; /* of squares */

enum { WHITE_WORD = 0, BLACK_WORD = 2 };

/* The squares of file a on a board `w` files wide, of at most 20 ranks and 128 squares. */
#define SQUARE_A(w, rank) ((w) * (rank) < 128 ? (set)1 << (w) * (rank) % 128 : 0)
#define FIVE_A(w, rank)                                                                            \
    (SQUARE_A(w, rank) | SQUARE_A(w, (rank) + 1) | SQUARE_A(w, (rank) + 2) |                       \
     SQUARE_A(w, (rank) + 3) | SQUARE_A(w, (rank) + 4))
#define FILE_A(w) (FIVE_A(w, 0) | FIVE_A(w, 5) | FIVE_A(w, 10) | FIVE_A(w, 15))

static const set file_a[CLOBBER_LONG_SIDE + 1] = {
    0,          FILE_A(1),  FILE_A(2),  FILE_A(3),  FILE_A(4),  FILE_A(5),  FILE_A(6),
    FILE_A(7),  FILE_A(8),  FILE_A(9),  FILE_A(10), FILE_A(11), FILE_A(12), FILE_A(13),
    FILE_A(14), FILE_A(15), FILE_A(16), FILE_A(17), FILE_A(18), FILE_A(19), FILE_A(20)};

static int word_of(int color)
{
    return color == WHITE ? WHITE_WORD : BLACK_WORD;
}

static set stones(const struct position *p, int color)
{
    int word = word_of(color);

    return (set)p->bits[word + 1] << 64 | p->bits[word];
}

static bool has_stone(const struct position *p, int color, int square)
{
    return p->bits[word_of(color) + square / 64] >> square % 64 & 1;
}

static void flip_stone(struct position *p, int color, int square)
{
    p->bits[word_of(color) + square / 64] ^= (uint64_t)1 << square % 64;
}

static bool fits_word(const struct position *p)
{
    return p->width * p->height <= 64;
}

/* Whether a board is no larger than those of matches, or one of the longer ones in clobber.h. */
static bool is_size(long width, long height, bool takes_long)
{
    long squares = width * height;

    return squares >= 2 && ((width <= BOARD_SIDE_MAX && height <= BOARD_SIDE_MAX) ||
                            (takes_long && squares <= CLOBBER_LONG_SQUARES));
}

static bool refuse_size(const char *size, bool takes_long, struct cause *cause)
{
    return cause_set(cause,
                     takes_long
                         ? N_("invalid size '%.12s' of Clobber: write files x ranks, 1x2 to 10x10, "
                              "or at most 20 of each and 64 squares")
                         : N_("invalid size '%.12s' of Clobber: write files x ranks, 1x2 to 10x10"),
                     size);
}

/* Reads a size such as "5x6", files first. */
static bool size_parse(const char *text, bool takes_long, int *width, int *height,
                       struct cause *cause)
{
    const char *x = strpbrk(text, "xX");
    long w, h;

    if (x == NULL || !number_parse(text, (size_t)(x - text), 1, CLOBBER_LONG_SIDE, &w) ||
        !number_parse(x + 1, strlen(x + 1), 1, CLOBBER_LONG_SIDE, &h) || !is_size(w, h, takes_long))
        return refuse_size(text, takes_long, cause);
    *width = (int)w;
    *height = (int)h;
    return true;
}

/* Sets the start position of a board that size_parse() takes. */
static bool set_start(const char *variant, bool takes_long, struct position *position,
                      struct cause *cause)
{
    int width, height;

    if (!size_parse(variant != NULL ? variant : clobber.variants[0], takes_long, &width, &height,
                    cause))
        return false;
    memset(position, 0, sizeof *position);
    position->width = (uint8_t)width;
    position->height = (uint8_t)height;
    for (int square = 0; square < width * height; square++)
        flip_stone(position, (square / width + square % width) % 2 == 0 ? BLACK : WHITE, square);
    return true;
}

static bool clobber_start(const char *variant, struct position *position, struct cause *cause)
{
    return set_start(variant, false, position, cause);
}

bool clobber_start_long(const char *variant, struct position *position, struct cause *cause)
{
    return set_start(variant, true, position, cause);
}

static void set_board(struct position *position, const struct board *board)
{
    position->width = (uint8_t)board->width;
    position->height = (uint8_t)board->height;
    for (int square = 0; square < board->width * board->height; square++)
        if (board->cell[square] != '.')
            flip_stone(position, board->cell[square] == 'P' ? WHITE : BLACK, square);
}

static void clobber_variant_name(const struct position *position, char name[VARIANT_NAME_MAX])
{
    size_t length = number_format(position->width, name);

    name[length++] = 'x';
    length += number_format(position->height, name + length);
    name[length] = '\0';
}

static const char form[] = N_("placement, side");

static bool clobber_parse(const char *variant, const char *text, struct position *position,
                          struct cause *cause)
{
    struct position read = {0};
    struct field fields[2];
    struct board board;
    int width = 0, height = 0;

    if (variant != NULL && !size_parse(variant, false, &width, &height, cause))
        return false;
    if (!fields_split(text, fields, 2, form, cause) ||
        !placement_parse(fields[0], "Pp", width, height, &board, cause) ||
        !field_side(fields[1], &read.side, cause))
        return false;
    if (board.width * board.height < 2)
        return cause_set(cause, "a Clobber board has at least 2 squares");
    set_board(&read, &board);
    *position = read;
    return true;
}

bool clobber_parse_long(const char *text, struct position *position, struct cause *cause)
{
    struct position read = {0};
    struct field fields[2];
    struct board board;
    char size[VARIANT_NAME_MAX];

    if (!fields_split(text, fields, 2, form, cause) ||
        !placement_parse_long(fields[0], "Pp", CLOBBER_LONG_SIDE, &board, cause) ||
        !field_side(fields[1], &read.side, cause))
        return false;
    set_board(&read, &board);
    clobber_variant_name(&read, size);
    if (!is_size(board.width, board.height, true))
        return refuse_size(size, true, cause);
    *position = read;
    return true;
}

static void put_stones(struct board *board, const struct position *position, int color, char letter)
{
    for (int word = 0; word < 2; word++)
        for (uint64_t left = position->bits[word_of(color) + word]; left != 0; left &= left - 1)
            board->cell[64 * word + __builtin_ctzll(left)] = letter;
}

static void clobber_board(const struct position *position, struct board *board)
{
    board_clear(board, position->width, position->height);
    put_stones(board, position, WHITE, 'P');
    put_stones(board, position, BLACK, 'p');
}

static void clobber_format(const struct position *position, char text[POSITION_TEXT_MAX])
{
    struct board board;

    clobber_board(position, &board);
    size_t length = placement_format(&board, text);
    text[length] = ' ';
    text[length + 1] = position->side == WHITE ? 'w' : 'b';
    text[length + 2] = '\0';
}

/* Each pair of neighbours of different colours is one move for either side, so the count is the
 * same whoever moves. */
static int count_moves(const struct position *p)
{
    int width = p->width;

    if (fits_word(p)) {
        uint64_t white = p->bits[WHITE_WORD], black = p->bits[BLACK_WORD];
        uint64_t inner = ~(uint64_t)file_a[width]; /* a step along the rank never ends on file a */
        uint64_t ranks = ((white << 1 & black) | (black << 1 & white)) & inner;
        uint64_t files = (white << width & black) | (black << width & white);
        return __builtin_popcountll(ranks) + __builtin_popcountll(files);
    }
    set white = stones(p, WHITE), black = stones(p, BLACK);
    set ranks = ((white << 1 & black) | (black << 1 & white)) & ~file_a[width];
    set files = (white << width & black) | (black << width & white);
    return __builtin_popcountll((uint64_t)ranks) + __builtin_popcountll((uint64_t)(ranks >> 64)) +
           __builtin_popcountll((uint64_t)files) + __builtin_popcountll((uint64_t)(files >> 64));
}

/* Adds the moves from the squares of `from` in the 64 squares that start at `base`. */
static int add_steps(struct move *moves, int count, uint64_t from, int base, int step)
{
    for (; from != 0; from &= from - 1) {
        int square = base + __builtin_ctzll(from);
        moves[count++] = (struct move){.from = (uint8_t)square, .to = (uint8_t)(square + step)};
    }
    return count;
}

static int clobber_legal(const struct position *position, struct move moves[MOVES_MAX])
{
    int width = position->width, count = 0;

    if (moves == NULL)
        return count_moves(position);
    set own = stones(position, position->side), enemy = stones(position, !position->side);
    set not_a = ~file_a[width];
    const struct {
        set from;
        int step;
    } directions[] = {
        {own & (enemy & not_a) >> 1, 1},
        {own & not_a & enemy << 1, -1},
        {own & enemy >> width, width},
        {own & enemy << width, -width},
    };
    for (int i = 0; i < 4; i++) {
        set from = directions[i].from;
        count = add_steps(moves, count, (uint64_t)from, 0, directions[i].step);
        count = add_steps(moves, count, (uint64_t)(from >> 64), 64, directions[i].step);
    }
    return count;
}

static void clobber_apply(struct position *position, struct move move)
{
    flip_stone(position, position->side, move.from);
    flip_stone(position, position->side, move.to);
    flip_stone(position, !position->side, move.to);
    position->side = !position->side;
}

static struct outcome clobber_outcome(const struct position *position)
{
    if (count_moves(position) > 0)
        return (struct outcome){RESULT_NONE, REASON_NONE};
    return (struct outcome){result_win(!position->side), REASON_NO_MOVES};
}

static uint64_t clobber_key(const struct position *position)
{
    unsigned width = position->width, height = position->height;
    uint64_t key = zobrist(2 + position->side + 2 * (width / 16) + 4 * (height / 16),
                           width % 16 * 16 + height % 16);

    for (int color = WHITE; color <= BLACK; color++)
        for (int half = 0; half < 2; half++)
            for (uint64_t left = position->bits[word_of(color) + half]; left != 0; left &= left - 1)
                key ^= zobrist((unsigned)color, (unsigned)(half * 64 + __builtin_ctzll(left)));
    return key;
}

static void clobber_explain(const struct position *position, struct move move, struct cause *cause)
{
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
    int width = position->width, side = position->side;
    int files = abs(move.from % width - move.to % width);
    int ranks = abs(move.from / width - move.to / width);

    square_format(width, move.from, from);
    square_format(width, move.to, to);
    if (move.kind == MOVE_PASS)
        cause_set(cause, "passing is not allowed in Clobber");
    else if (has_stone(position, !side, move.from))
        cause_set(cause, "the stone on %s is not yours: %s moves", from, _(color_name(side)));
    else if (!has_stone(position, side, move.from))
        cause_set(cause, "%s is empty", from);
    else if (files + ranks != 1)
        cause_set(cause, "a stone moves one square up, down, left or right; %s is not next to %s",
                  to, from);
    else if (has_stone(position, side, move.to))
        cause_set(cause, "your own stone stands on %s: only an enemy stone can be taken", to);
    else
        cause_set(cause, "%s is empty: a stone moves only onto an enemy stone", to);
}

static void clobber_advise(const struct position *position, char text[ADVICE_MAX])
{
    if (clobber_legal(position, NULL) == 1)
        snprintf(text, ADVICE_MAX, _("You have one capture left: make it."));
    else
        snprintf(text, ADVICE_MAX,
                 _("Take an enemy stone next to one of yours, up, down, left or right; whoever "
                   "cannot capture loses."));
}

static const struct symbol symbols[] = {
    {'P', N_("stone"), N_("takes an enemy stone next to it, up, down, left or right")}, {0}};

static const char *const sizes[] = {"5x6", "4x5", "6x6", "8x8", "10x10", NULL};

static const char *const rules[] = {
    N_("Each turn you capture: one of your stones takes the place of an enemy stone next to it, "
       "up, "
       "down, left or right. There is no other move."),
    N_("If you cannot capture on your turn, you lose. There are no draws."),
    N_("A group of stones of one colour is out of play. What happens in one group changes nothing "
       "in "
       "the others; the last capture on the whole board wins."),
    NULL};

static const struct lesson lessons[] = {
    {.title = N_("The move"),
     .task =
         N_("A move takes an enemy stone next to one of yours: left, right, above or below. Take "
            "the black stone."),
     .position = "3/1Pp/3 w",
     .effect = "takes c2",
     .moves = "b2c2",
     .done = N_("Your stone stands where the black one was."),
     .frame = "a1c3"},
    {.title = N_("Not diagonally"),
     .task =
         N_("Stones that touch only at a corner are safe from each other. Take the one stone that "
            "you can take."),
     .position = "p1p/1P1/pp1 w",
     .effect = "takes b1",
     .moves = "b2b1",
     .done = N_("The others stood diagonally from your stone."),
     .frame = "a1c3"},
    {.title = N_("Always take"),
     .task = N_(
         "Every move takes a stone, and there is no passing. A player who cannot take loses. Take, "
         "so that black cannot."),
     .position = "3/pPp/3 w",
     .effect = "ends 1-0 no-moves",
     .moves = "b2a2 b2c2",
     .done = N_("The black stone that is left has no white one beside it: black loses."),
     .frame = NULL},
    {.title = N_("Mind what you leave"),
     .task = N_("Three moves are possible, and one of them wins at once. Find it."),
     .position = "PpPp w",
     .effect = "ends 1-0 no-moves",
     .moves = "c1b1",
     .done = N_("The black stone on d1 stands alone now, out of play."),
     .frame = NULL},
    {.title = N_("Read ahead"),
     .task = N_("Three moves again. After one of them black loses, whatever it replies."),
     .position = "Ppp1/p1pP w",
     .effect = "wins",
     .moves = "a2b2",
     .done = N_("Two fights are left, of one move each. Black takes in one, and you take the last "
                "stone in the other."),
     .frame = NULL},
    {.title = N_("Two fights"),
     .task =
         N_("Groups that do not touch are fights of their own, and the last move in all of them "
            "together wins. Leave black two fights of one move each."),
     .position = "pP1p/p3/1PpP w",
     .effect = "wins",
     .moves = "b3a3",
     .done = N_("Whatever black takes now, you take in the other fight, and black is stuck."),
     .frame = NULL},
};

const struct game clobber = {
    .name = "clobber",
    .title = N_("Clobber"),
    .summary =
        N_("Each turn, capture an enemy stone next to one of yours. If you can't, you lose."),
    .variants_text = N_("every board from 1x2 to 10x10, files x ranks"),
    .rules = rules,
    .lessons = lessons,
    .lesson_count = sizeof lessons / sizeof lessons[0],
    .symbols = symbols,
    .variants = sizes,
    .pieces = "",
    .repetition_draws = false,
    .drawless = true,
    .start = clobber_start,
    .parse = clobber_parse,
    .format = clobber_format,
    .variant_name = clobber_variant_name,
    .board = clobber_board,
    .legal = clobber_legal,
    .apply = clobber_apply,
    .outcome = clobber_outcome,
    .key = clobber_key,
    .explain = clobber_explain,
    .advise = clobber_advise,
};
