/* Hints in line mode: a move that a bot would play. */
#ifndef LUDUS_ADVICE_H
#define LUDUS_ADVICE_H

#include "client/talk/client.h"

/* Thinks for a second and says the move, or why there is none. Ctrl-C stops it. */
void advice_give(struct client *client);

#endif
