/*
 * The matches one sits in, on the screen or not: noted from every state that comes, so that the
 * menu can offer them.
 */
#ifndef LUDUS_SITTING_H
#define LUDUS_SITTING_H

#include "client.h"

/* Notes what a state says; a match that is over, or in which one does not sit, goes. Returns the
 * entry, owned by the client; NULL when there is none, or no room for it. */
struct sitting *sitting_note(struct client *client, const struct match_state *view);

/* How many matches one sits in. */
int sitting_count(const struct client *client);

/* Whether one sits in that match. */
bool sitting_has(const struct client *client, const char *match);

/* The entry of that match, owned by the client, or NULL. */
struct sitting *sitting_find(struct client *client, const char *match);

/* The one match that is not on the screen, borrowed; NULL when there is none, or several. */
const char *sitting_other(const struct client *client);

#endif
