/* The review of a match in line mode. */
#ifndef LUDUS_REVIEW_GIVE_H
#define LUDUS_REVIEW_GIVE_H

#include "client/talk/client.h"

/* Gets a match that is over from the server, reviews it and prints that; Ctrl-C stops it. Says why
 * there is none. */
void review_give(struct client *client, const char *match);

#endif
