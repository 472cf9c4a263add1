/* The network in full screen: looking for servers, and going to one. */
#ifndef LUDUS_SCREEN_NETWORK_H
#define LUDUS_SCREEN_NETWORK_H

#include "stage.h"

/* Looks for servers on the network, lets the person choose one, goes there and takes the match that
 * is open. What goes wrong is said; the client then stays where it is. */
void network_join(struct stage *stage);

/* The same with a server whose address the person types. */
void network_join_typed(struct stage *stage);

#endif
