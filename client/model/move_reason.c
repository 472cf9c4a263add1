#include "move_reason.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The names of pieces, by their upper-case letters; others are stones. */
static const char *piece_name(const struct game *game, char piece)
{
    static const struct {
        const struct game *game;
        char letter;
        const char *name;
    } names[] = {
        {&latrunculi, 'S', "soldier"}, {&latrunculi, 'D', "dux"},  {&shakti, 'W', "warrior"},
        {&shakti, 'K', "king"},        {&xadrersi, 'K', "king"},   {&xadrersi, 'Q', "queen"},
        {&xadrersi, 'R', "rook"},      {&xadrersi, 'B', "bishop"}, {&xadrersi, 'N', "knight"}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].game == game && names[i].letter == toupper((unsigned char)piece))
            return names[i].name;
    return "stone";
}

/* Counts the pieces of a side; *last is one of them. */
static int count_pieces(const struct board *board, bool white, char *last)
{
    int count = 0;

    for (int square = 0; square < board->width * board->height; square++) {
        unsigned char cell = (unsigned char)board->cell[square];
        if (white ? isupper(cell) : islower(cell)) {
            *last = (char)cell;
            count++;
        }
    }
    return count;
}

/* Writes what the move takes off the board; false when that is nothing. */
static bool write_captures(const struct game *game, const struct position *before,
                           const struct position *after, char text[MOVE_REASON_MAX])
{
    struct board old, new;
    char piece = 0, left;
    bool white = before->side == BLACK; /* the side that loses them */

    game->board(before, &old);
    game->board(after, &new);
    int taken = count_pieces(&old, white, &left) - count_pieces(&new, white, &left);
    for (int square = 0; square < old.width * old.height && taken > 0; square++) {
        unsigned char cell = (unsigned char)old.cell[square];
        if (new.cell[square] != (char)cell && (white ? isupper(cell) : islower(cell)))
            piece = (char)cell;
    }
    if (taken == 1)
        snprintf(text, MOVE_REASON_MAX, "captures a %s", piece_name(game, piece));
    else if (taken > 1)
        snprintf(text, MOVE_REASON_MAX, "captures %d %ss", taken, piece_name(game, piece));
    return taken > 0;
}

/* Writes the points that the move gains, in games with points. */
static bool write_points(const struct game *game, const struct position *before,
                         const struct position *after, char text[MOVE_REASON_MAX])
{
    int old[2], new[2], me = before->side;

    if (game->score == NULL)
        return false;
    game->score(before, old);
    game->score(after, new);
    int mine = new[me] - old[me], theirs = new[!me] - old[!me];
    snprintf(text, MOVE_REASON_MAX, "changes the score by %+d for you and %+d for your opponent",
             mine, theirs);
    return true;
}

/* The effect of the move on the other side's choice. */
static void write_choice(const struct game *game, const struct position *after,
                         char text[MOVE_REASON_MAX])
{
    int count = game->legal(after, NULL);

    snprintf(text, MOVE_REASON_MAX, "leaves your opponent %d move%s", count, count == 1 ? "" : "s");
}

void move_reason(const struct game *game, const struct position *position, struct move move,
                 char text[MOVE_REASON_MAX])
{
    struct position after = *position;

    game->apply(&after, move);
    enum result result = game->outcome(&after).result;
    bool takes = game != &clobber && /* where every move does */
                 write_captures(game, position, &after, text);
    if (result == result_win((enum color)position->side))
        snprintf(text, MOVE_REASON_MAX, "wins the game");
    else if (result == RESULT_DRAW)
        snprintf(text, MOVE_REASON_MAX, "draws the game");
    else if (takes)
        return;
    else if (move.kind == MOVE_PASS)
        snprintf(text, MOVE_REASON_MAX, "is the only one");
    else if (game->check != NULL && game->check(&after))
        snprintf(text, MOVE_REASON_MAX, "gives check");
    else if (game->check != NULL && game->check(position))
        snprintf(text, MOVE_REASON_MAX, "gets out of check");
    else if (!write_points(game, position, &after, text))
        write_choice(game, &after, text);
}
