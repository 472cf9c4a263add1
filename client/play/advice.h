/* What a bot would play in the match on the screen, for the client line by line. */
#ifndef LUDUS_ADVICE_H
#define LUDUS_ADVICE_H

#include "client/talk/client.h"

/* Thinks about it for a second, and says it; or says why there is no hint. Ctrl-C ends it. */
void advice_give(struct client *client);

#endif
