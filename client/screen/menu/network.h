/* The network in full screen: looking for servers, and going to one. */
#ifndef LUDUS_SCREEN_NETWORK_H
#define LUDUS_SCREEN_NETWORK_H

#include "client/screen/stage/stage.h"

/* Looks for servers on the network, lets the person choose one, goes there and takes the match that
 * is open. Returns what to ask the person next. What goes wrong is said; the client then stays
 * where it is. */
enum beginning network_join(struct stage *stage);

/* Joins a server whose address the person types; else as network_join(). */
enum beginning network_join_typed(struct stage *stage);

#endif
