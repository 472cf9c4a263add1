/* The client in full screen: the way in for the rest of the client, which sees nothing else of
 * this folder. */
#ifndef LUDUS_SCREEN_FULL_H
#define LUDUS_SCREEN_FULL_H

#include "client/talk/client.h"
#include "common/pgn.h"

/* Plays in full screen until the person quits: first the match that is on its way to the screen, or
 * else what `beginning` asks, then the menu. False, with nothing done, when the terminal does not
 * allow it. */
bool full_run(struct client *client, enum beginning beginning);

/* Steps through a file of which every match has passed pgn_check(), for a client without a server.
 * False as above. */
bool full_replay(struct client *client, const struct pgn_file *file);

#endif
