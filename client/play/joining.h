/* Joining a friend's server: finding the match. */
#ifndef LUDUS_JOINING_H
#define LUDUS_JOINING_H

#include <cjson/cJSON.h>

#include "client/talk/client.h"

/* Brings the player's match to the screen: the one they sit in, or else the only one with a free
 * seat. Returns what to ask or say next. */
enum beginning joining_begin(struct client *client);

/* Says that no match is open, for BEGIN_ALONE. */
void joining_tell_alone(struct client *client);

/* Whether a row of the server's `list` has that status. An open match also needs a free seat. */
bool joining_is_listed(const cJSON *row, const char *status);

#endif
