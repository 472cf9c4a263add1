/* Premoves: a move that is entered while the opponent thinks, and played at once when it is the
 * player's turn. */
#ifndef LUDUS_SCREEN_PREMOVE_H
#define LUDUS_SCREEN_PREMOVE_H

#include "match_part.h"

/* Takes a typed line where a move can be made ahead; false when it is something else. */
bool premove_type(struct match_part *part, const char *line);

/* Takes the square of the cursor where a move can be made ahead: a piece, then where it goes. */
void premove_choose(struct match_part *part);

/* Takes the premove back; false when there is none. */
bool premove_drop(struct match_part *part);

/* Call this after a new state. Plays the premove when it is the player's turn and it is legal, and
 * drops it with a word when it is not. */
void premove_follow(struct match_part *part);

/* Marks its squares on the board. */
void premove_mark(struct match_part *part);

#endif
