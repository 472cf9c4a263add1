/* Playing on from a position, against a bot or a person. */
#ifndef LUDUS_SCREEN_PLAY_ON_H
#define LUDUS_SCREEN_PLAY_ON_H

#include "client/ludus/screen/stage/stage.h"

/* Lets the player choose an opponent (a bot, whoever joins, a player who is here), and opens a
 * match from the position that is not rated, in which the side to move is the player's. The match
 * then comes to the screen; shows why not. */
void play_on_run(struct stage *stage, const struct game *game, const struct position *position);

/* The word for that in the bar; NULL: there is no server to play at. */
const char *play_on_word(const struct stage *stage);

#endif
