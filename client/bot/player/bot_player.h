/* A bot on a server: it connects like any client and plays in any number of matches at once. */
#ifndef LUDUS_BOT_BOT_PLAYER_H
#define LUDUS_BOT_BOT_PLAYER_H

#include "talk.h"

/* Plays until the server says bye or the connection is lost for good. A bot with a name reconnects.
 * Prints errors and returns the exit status. */
int bot_player_run(const struct bot_player_options *options);

#endif
