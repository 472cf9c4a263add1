/* Connecting and taking a name, and coming back after a lost connection. */
#ifndef LUDUS_LOGIN_H
#define LUDUS_LOGIN_H

#include "client.h"

/* Prints at an ordinary end how to come back, if a match goes on; none does at the own server,
 * which ends as well. */
void login_tell_way_back(struct client *client);

/* Connects and takes a name: the given one, or with NULL the player's own, numbered if it is taken.
 * With NULL and `guest` it takes none if the server allows that. A failure is reported and sets
 * client->quit. If nothing answers, `advice` is printed, too; NULL is the usual one. */
void login(struct client *client, const char *name, bool guest, const char *advice);

/* Moves to another server, under the same name if it is free there. The code may be NULL; both are
 * copied. False with the cause; then everything is as it was, and *code_missing says whether the
 * server wants a code and none was given. */
bool login_elsewhere(struct client *client, const char *address, const char *code,
                     bool *code_missing, struct cause *cause);

/* Call this when the connection is lost: says so, and tries for ten minutes to come back to the
 * same name and match. If that fails, the program ends. */
void login_again(struct client *client);

#endif
