/* The way back: the command that returns to matches that go on without this program. */
#ifndef LUDUS_WAY_BACK_H
#define LUDUS_WAY_BACK_H

#include "client.h"

/* Prints it on standard error when the connection is gone or another program has the name: for the
 * player's matches, or the one they watch. A guest cannot return to theirs. `when`, such as "once
 * the server answers again, ", comes before the command; it may be "". */
void way_back_tell(struct client *client, const char *when);

/* Prints it at an ordinary end if a match goes on; none does at the own server, which ends as
 * well. */
void way_back_tell_at_end(struct client *client);

#endif
