/*
 * Hosting: a server for the evening (lan/host.h), which the client has started for itself and its
 * friends, and what there is to say about it.
 */
#ifndef LUDUS_HOSTING_H
#define LUDUS_HOSTING_H

#include "client.h"

/* Starts the server before the login, which then goes there, and tells how friends join. False when
 * it does not start, which is told and ends the program. */
bool hosting_start(struct client *client);

/* Starts the server, if it does not run yet; the client stays at the server where it is. False with
 * the cause. */
bool hosting_launch(struct client *client, struct cause *cause);

/* Whether a friend at another machine could join at the server where the client is only if this
 * client hosted: it is a server of this machine that others have started. */
bool hosting_would_help(const struct client *client);

/* What a friend types to join at the server where the client is, borrowed; NULL where that is not
 * one of its own. */
const char *hosting_invitation(const struct client *client);

/* Says how friends join, where the client hosts; else nothing. */
void hosting_tell(struct client *client);

/* Says so where nothing of what is played at the own server will be kept. */
void hosting_warn(struct client *client);

/* When the person is about to quit, and a friend plays at the own server: says that it ends for him
 * as well, and what is kept. */
void hosting_warn_of_end(struct client *client);

/* Whether the program may end now that the person wants it to: not when that is yet to be said. */
bool hosting_may_quit(struct client *client);

/* Ends the server, where there is one, when the client is closed, and says so. */
void hosting_end(struct client *client);

#endif
