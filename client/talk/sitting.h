/*
 * The matches in which the player has a seat, noted from every state, so that the menu can offer
 * them.
 */
#ifndef LUDUS_SITTING_H
#define LUDUS_SITTING_H

#include "client.h"

/* Notes a state; removes the match when it is over or the player has no seat. Returns the entry,
 * owned by the client; NULL when there is none, or no room. */
struct sitting *sitting_note(struct client *client, const struct match_state *view);

/* The number of matches. */
int sitting_count(const struct client *client);

/* Whether the player sits in that match. */
bool sitting_has(const struct client *client, const char *match);

/* The entry of that match, owned by the client, or NULL. */
struct sitting *sitting_find(struct client *client, const char *match);

/* The only match that is not on the screen, borrowed; NULL when there are none or several. */
const char *sitting_other(const struct client *client);

#endif
