/*
 * Choosing a move on the board: a cursor, and the piece chosen on a square or in hand. This module
 * knows neither keys nor the screen.
 */
#ifndef LUDUS_SCREEN_SELECT_H
#define LUDUS_SCREEN_SELECT_H

#include "client/games/scene.h"

struct selection {
    int cursor; /* a square */
    int from;   /* the square of the chosen piece, or -1 */
    char piece; /* the piece in hand to place; 0: none */
};

/* Resets the choice for a new position. Where pieces are placed, the first that may be placed is
 * chosen. The cursor stays if it is on the board. */
void select_begin(struct selection *selection, const struct scene *scene);

/* Moves the cursor by files and ranks, up to the edge of the board. */
void select_step(struct selection *selection, const struct scene *scene, int files, int ranks);

enum { PIECES_MAX = 16 }; /* bytes with the final NUL */
/* Writes the kinds of pieces that may be placed, in the order of the game. */
void select_list_pieces(const struct scene *scene, char pieces[PIECES_MAX]);

/* Whether there are several. */
bool select_has_choice(const struct scene *scene);

/* Chooses the next kind of piece that may be placed. Where pieces move, goes to the next that can,
 * or to the next square in its reach if one is chosen. With step -1 goes to the one before. */
void select_next_piece(struct selection *selection, const struct scene *scene, int step);

/* Whether the chosen piece can go to the square; the move in *move. */
bool select_reaches(const struct selection *selection, const struct scene *scene, int square,
                    struct move *move);

/* Chooses the square of the cursor. True when that completes a move, in *move. Otherwise a piece is
 * chosen or dropped, or cause->text says why not; it is "" if there is nothing to say. */
bool select_choose(struct selection *selection, const struct scene *scene, struct move *move,
                   struct cause *cause);

/* Chooses the square to which a piece was dragged, as select_choose() does; `from` is where it
 * stood, or -1 for the piece in hand. Nothing happens if it is not of the side to move. */
bool select_drop(struct selection *selection, const struct scene *scene, int from, int to,
                 struct move *move, struct cause *cause);

/* Makes a line that is one square the move there of the piece in hand, in `move`. Returns that, or
 * the line as it is. */
const char *select_complete(const struct selection *selection, const struct scene *scene,
                            const char *line, char move[MOVE_TEXT_MAX]);

enum { PLAYER_MOVE_MAX = 32 }; /* bytes with the final NUL; no move is longer */
/* Reads "B2 b3", "move b2b3" and "Nf3" as b2b3 and N@f3. False for text that cannot be a move:
 * every move but the pass names a square. The game may be NULL. */
bool player_move_read(const struct game *game, const char *line, char move[PLAYER_MOVE_MAX]);

/* Whether passing is the only legal move; then it is in *move. */
bool select_must_pass(const struct scene *scene, struct move *move);

#endif
