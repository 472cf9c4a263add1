/*
 * The server for the evening (lan/host.h) that the client starts for the player and their friends,
 * and the messages about it.
 */
#ifndef LUDUS_HOSTING_H
#define LUDUS_HOSTING_H

#include "client.h"

/* Starts the server before login, which then goes there, and says how friends join. A failure is
 * reported, ends the program and returns false. */
bool hosting_start(struct client *client);

/* Starts the server if it is not running; the client stays where it is. False with the cause. */
bool hosting_launch(struct client *client, struct cause *cause);

/* Whether hosting would let a friend on another machine join: the client is at a server of this
 * machine that it did not start. */
bool hosting_would_help(const struct client *client);

/* What a friend types to join where the client is, borrowed; NULL when that is no server of its
 * own. */
const char *hosting_invitation(const struct client *client);

/* The address by which a friend's browser joins there, borrowed; NULL when there is none. */
const char *hosting_page(const struct client *client);

/* Prints that address as a QR code, if the client hosts and the output is a terminal. */
void hosting_print_code(const struct client *client);

enum { HOSTING_LINE_MAX = 640 }; /* bytes with the final NUL */
/* Writes what somebody types to join the match on the screen; returns whether that is the
 * invitation to the client's own server. */
bool hosting_write_join(const struct client *client, char line[HOSTING_LINE_MAX]);

/* Says how friends join, if the client hosts. */
void hosting_tell(struct client *client);

/* Warns if the own server will not keep the matches. */
void hosting_warn(struct client *client);

/* Before the player quits while a friend plays at the own server: warns that it ends for the
 * friend, too, and says what is kept. */
void hosting_warn_of_end(struct client *client);

/* Whether the player may quit now; false once, after a warning. */
bool hosting_may_quit(struct client *client);

/* Ends the server, if there is one, after the client is closed, and says so. */
void hosting_end(struct client *client);

#endif
