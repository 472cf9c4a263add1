/* Finding and joining servers in full screen. */
#ifndef LUDUS_SCREEN_NETWORK_H
#define LUDUS_SCREEN_NETWORK_H

#include "client/screen/stage/stage.h"

/* Searches the network, lets the player choose a server, goes there and takes the match that is
 * open. Returns what to ask next. Errors are shown; the client then stays where it is. */
enum beginning network_join(struct stage *stage);

/* Joins a server whose address the player types; else as network_join(). */
enum beginning network_join_typed(struct stage *stage);

#endif
