/* A match at the press of one key: the game played last, against a bot of the player's strength. */
#ifndef LUDUS_FIRST_GAME_H
#define LUDUS_FIRST_GAME_H

#include "client/talk/client.h"

/* Opens a match and brings it to the screen: the player's last game against a house bot, with a
 * bot one level stronger after a win and one weaker after a loss; before that Clobber against
 * bot:greedy. The player is white, who moves first. False when the server refuses, which is shown.
 */
bool first_game_open(struct client *client);

#endif
