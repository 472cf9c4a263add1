/* Joining a friend's server: which match is meant. */
#ifndef LUDUS_JOINING_H
#define LUDUS_JOINING_H

#include <cjson/cJSON.h>

#include "client/talk/client.h"

/* Brings the match to the screen that one comes for: the one in which one sits already, or else the
 * only one with a free seat. What is returned is what to ask the person, or to tell him, then. */
enum beginning joining_begin(struct client *client);

/* Tells that there is none, for BEGIN_ALONE: where the person sees it. */
void joining_tell_alone(struct client *client);

/* Whether a row of the server's `list` has that status; an open match also needs a free seat. */
bool joining_is_listed(const cJSON *row, const char *status);

#endif
