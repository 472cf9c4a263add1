/*
 * The way back: by which command one comes again to the matches that go on without this program.
 */
#ifndef LUDUS_WAY_BACK_H
#define LUDUS_WAY_BACK_H

#include "client.h"

/* Tells it on standard error, when the connection is gone or another program has the name: the way
 * to one's own matches, or to the one watched. A guest, who cannot come back to his own, is told
 * nothing of them. `when`, such as "once the server answers again, ", stands before the command; it
 * may be "". */
void way_back_tell(struct client *client, const char *when);

/* The same at an ordinary end, where one sits in a match that goes on; so none does at the own
 * server, which ends as well. */
void way_back_tell_at_end(struct client *client);

#endif
