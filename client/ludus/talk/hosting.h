/*
 * The server (lan/host.h) that the client starts for the player and their friends, or for the
 * player alone, and the messages about it.
 */
#ifndef LUDUS_HOSTING_H
#define LUDUS_HOSTING_H

#include "client.h"
#include "client/ludus/lan/host.h"

/* Start the server before login, which then goes there: for friends, and say how they join; or for
 * the player alone, if none of theirs runs, and say so. A failure is reported, ends the program and
 * returns false. */
bool hosting_start(struct client *client, bool new_code);
bool hosting_start_private(struct client *client);

/* Finds the private server of another program of the player; login may go there then. */
bool hosting_find_private(struct client *client);

/* Where the private server has ended, be it with another program that had started it, finds the
 * next one or starts one, and turns the uplink there. A failure is reported and ends the program.
 */
void hosting_replace_private(struct client *client);

/* Starts a server, in place of an own one that runs; the client is not moved. False with the cause;
 * then there is no own server. */
bool hosting_launch(struct client *client, const struct host_terms *terms, struct cause *cause);

/* Whether the client is at an own server that nobody else can reach. */
bool hosting_is_private(const struct client *client);

/* The key under which tokens for the present server are kept, borrowed. Own servers of one store
 * share it, whatever their ports; the usual store has that of the usual address. */
const char *hosting_realm(const struct client *client);

/* The command that starts the own server again; NULL elsewhere. */
const char *hosting_command(const struct client *client);

/* Whether hosting would let a friend on another machine join: the client is at a server of this
 * machine that it did not start. */
bool hosting_would_help(const struct client *client);

/* The line that a friend types to join where the client is, borrowed; NULL when that is no server
 * of its own. */
const char *hosting_invitation(const struct client *client);

enum { HOSTING_LINE_MAX = 640 }; /* bytes with the final NUL */
/* Writes the address by which a friend's browser joins there, or goes straight to the match on the
 * screen if that waits; false when there is none. */
bool hosting_page(const struct client *client, char page[HOSTING_LINE_MAX]);

/* Prints that address as a QR code, if the client hosts and the output is a terminal. */
void hosting_print_code(const struct client *client);

/* Writes the line that joins the match on the screen. Returns the words before it, borrowed: for
 * whom it is. */
const char *hosting_write_join(const struct client *client, char line[HOSTING_LINE_MAX]);

/* Says how friends join, if the client hosts. */
void hosting_tell(struct client *client);

/* Warns if the own server will not keep the matches. */
void hosting_warn(struct client *client);

/* Whether a friend plays the player at the own server, which ends with the program. */
bool hosting_ends_friend(const struct client *client);

/* The question to ask then before the program ends, borrowed. */
const char *hosting_question(const struct client *client);

/* The player has typed Ctrl-C once: full screen asks while a friend plays. */
void hosting_interrupted(struct client *client);

/* Ends the server, if there is one, after the client is closed, and says what is kept. */
void hosting_end(struct client *client);

#endif
