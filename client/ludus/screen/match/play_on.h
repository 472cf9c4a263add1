/* Playing on from a position of a recorded match, against a bot. */
#ifndef LUDUS_SCREEN_PLAY_ON_H
#define LUDUS_SCREEN_PLAY_ON_H

#include "client/ludus/screen/stage/stage.h"

/* Lets the player choose a bot, and opens a match from the position, in which the side to move is
 * the player's. The match then comes to the screen; shows why not. */
void play_on_run(struct stage *stage, const struct game *game, const struct position *position);

/* The word for that in the bar; NULL: there is no server to play at. */
const char *play_on_word(const struct stage *stage);

#endif
