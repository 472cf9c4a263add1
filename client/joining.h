/* Joining a friend's server: which match is meant. */
#ifndef LUDUS_JOINING_H
#define LUDUS_JOINING_H

#include <cjson/cJSON.h>

#include "client.h"

/* Brings the match to the screen that one comes for: the one in which one sits already, or else the
 * only one with a free seat. Where there is none or several, says so; what is returned is what to
 * ask the person then. */
enum beginning joining_begin(struct client *client);

/* Whether a row of the server's `list` has that status; an open match also needs a free seat. */
bool joining_is_listed(const cJSON *row, const char *status);

#endif
