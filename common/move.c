#include "move.h"

#include <ctype.h>
#include <string.h>

#include "text.h"

/* Writes a square without a final NUL and returns its length. Every state lists all moves, so
 * snprintf() would be too slow. */
static size_t put_square(int width, int square, char *text)
{
    int rank = square / width + 1;
    size_t length = 0;

    text[length++] = (char)('a' + square % width);
    if (rank >= 10)
        text[length++] = (char)('0' + rank / 10);
    text[length++] = (char)('0' + rank % 10);
    return length;
}

void square_format(int width, int square, char text[SQUARE_TEXT_MAX])
{
    text[put_square(width, square, text)] = '\0';
}

void move_format(const struct position *position, struct move move, char text[MOVE_TEXT_MAX])
{
    size_t length = 0;

    if (move.kind == MOVE_PASS) {
        memcpy(text, "pass", sizeof "pass");
        return;
    }
    if (move.kind == MOVE_STEP) {
        length = put_square(position->width, move.from, text);
    } else {
        text[length++] = move.piece;
        text[length++] = '@';
    }
    length += put_square(position->width, move.to, text + length);
    text[length] = '\0';
}

/* Every letter with a number behind it is a square. */
void move_mark_squares(const char *text, int width, int height, bool squares[BOARD_SQUARES_MAX])
{
    memset(squares, 0, BOARD_SQUARES_MAX * sizeof squares[0]);
    for (; *text != '\0'; text++) {
        int file = tolower((unsigned char)*text) - 'a', rank = 0;
        while (isdigit((unsigned char)text[1]) && rank < BOARD_SIDE_MAX)
            rank = rank * 10 + *++text - '0';
        if (file >= 0 && file < width && rank >= 1 && rank <= height)
            squares[(rank - 1) * width + file] = true;
    }
}

int moves_from(const struct game *game, const struct position *position, int from,
               struct move moves[MOVES_MAX])
{
    int count = game->legal(position, moves), kept = 0;

    if (from < 0)
        return count;
    for (int i = 0; i < count; i++) {
        int square = moves[i].kind == MOVE_STEP ? moves[i].from : moves[i].to;
        if (moves[i].kind != MOVE_PASS && square == from)
            moves[kept++] = moves[i];
    }
    return kept;
}

/* Reads a square at *text and moves past it. Returns its number, -1 if it is not a square, or -2
 * with the cause if it is off the board. */
static int square_read(const struct position *position, const char **text, struct cause *cause)
{
    const char *start = *text, *digits = start + 1;
    size_t length = 0;
    long rank;

    if (!isalpha((unsigned char)*start))
        return -1;
    while (isdigit((unsigned char)digits[length]))
        length++;
    if (length == 0 || length > 6)
        return -1;
    *text = digits + length;
    int file = tolower((unsigned char)*start) - 'a';
    if (file >= position->width || !number_parse(digits, length, 1, position->height, &rank)) {
        cause_set(cause, "%.*s is off the board", (int)length + 1, start);
        return -2;
    }
    return (int)(rank - 1) * position->width + file;
}

int square_parse(const struct position *position, const char *text, struct cause *cause)
{
    const char *end = text;
    int square = square_read(position, &end, cause);

    if (square == -1 || *end != '\0') {
        cause_set(cause, "'%.20s' is not a square: write a file and a rank, such as b2", text);
        return -1;
    }
    return square < 0 ? -1 : square;
}

static bool is_pass(const char *text)
{
    static const char pass[] = "pass";

    for (int i = 0; i < 4; i++)
        if (tolower((unsigned char)text[i]) != pass[i])
            return false;
    return text[4] == '\0';
}

static bool not_a_move(const struct game *game, const char *text, struct cause *cause)
{
    const char *form = game->pieces[0] != '\0' ? _("Q@d4: the piece, @ and the square")
                                               : _("b2b3: from square, to square");

    return cause_set(cause, "'%.20s' is not a move: write it as %s", text, form);
}

/* Reads a text of the form that this game uses, with squares on the board. */
static bool move_read(const struct game *game, const struct position *position, const char *text,
                      struct move *move, struct cause *cause)
{
    bool placing = game->pieces[0] != '\0';
    const char *rest = text;

    if (is_pass(text)) {
        *move = (struct move){.kind = MOVE_PASS};
        return true;
    }
    if (isalpha((unsigned char)text[0]) && text[1] == '@') {
        char piece = (char)toupper((unsigned char)text[0]);
        rest = text + 2;
        int to = square_read(position, &rest, cause);
        if (to == -2)
            return false;
        if (to == -1 || *rest != '\0')
            return not_a_move(game, text, cause);
        if (!placing)
            return cause_set(cause, "pieces are not placed in this game but moved: write b2b3");
        if (strchr(game->pieces, piece) == NULL)
            return cause_set(cause, "unknown piece %c: the pieces are %s", piece, game->pieces);
        *move = (struct move){.kind = MOVE_PLACE, .to = (uint8_t)to, .piece = piece};
        return true;
    }
    int from = square_read(position, &rest, cause);
    if (from == -2)
        return false;
    int to = from >= 0 ? square_read(position, &rest, cause) : -1;
    if (to == -2)
        return false;
    if (to == -1 || *rest != '\0')
        return not_a_move(game, text, cause);
    if (placing)
        return cause_set(cause, "pieces do not move in this game but are placed: write Q@d4");
    *move = (struct move){.kind = MOVE_STEP, .from = (uint8_t)from, .to = (uint8_t)to};
    return true;
}

bool move_parse(const struct game *game, const struct position *position, const char *text,
                struct move *move, struct cause *cause)
{
    struct move moves[MOVES_MAX], read;

    if (!move_read(game, position, text, &read, cause))
        return false;
    int count = game->legal(position, moves);
    for (int i = 0; i < count; i++) {
        if (move_equal(moves[i], read)) {
            *move = read;
            return true;
        }
    }
    if (count == 0)
        return cause_set(cause, "the game is over");
    game->explain(position, read, cause);
    return false;
}

/* The square next to a piece, across holes, that shows best what stops it: straight ahead before
 * diagonally, and an empty one before one where something stands. -1: there is none. */
static int telling_neighbour(const struct board *board, int square, bool white)
{
    int best = -1, best_score = 0;

    for (int i = 0; i < 9; i++) {
        int x = square % board->width, y = square / board->width;
        unsigned char cell;
        do {
            x += i % 3 - 1;
            y += i / 3 - 1;
            cell = x < 0 || y < 0 || x >= board->width || y >= board->height || i == 4
                       ? '\0'
                       : (unsigned char)board->cell[y * board->width + x];
        } while (cell == '*');
        int score = i % 2 == 1 ? 10 : 0;
        score += cell == '.' ? 3 : (isupper(cell) != 0) == white ? 1 : 2;
        if (cell != '\0' && score > best_score) {
            best_score = score;
            best = y * board->width + x;
        }
    }
    return best;
}

void move_explain_square(const struct game *game, const struct position *position, int square,
                         struct cause *cause)
{
    struct move moves[MOVES_MAX], tried = {.kind = MOVE_STEP, .to = (uint8_t)square};
    bool white = position->side == WHITE;
    struct board board;

    if (game->legal(position, moves) == 0) {
        cause_set(cause, "the game is over");
        return;
    }
    game->board(position, &board);
    unsigned char cell = (unsigned char)board.cell[square];
    if (game->pieces[0] != '\0') {
        tried.kind = MOVE_PLACE;
        tried.piece = moves[0].piece;
    } else {
        int way = isalpha(cell) && (isupper(cell) != 0) == white
                      ? telling_neighbour(&board, square, white)
                      : -1;
        tried.from = (uint8_t)square;
        tried.to = (uint8_t)(way >= 0 ? way : square);
    }
    game->explain(position, tried, cause);
}
