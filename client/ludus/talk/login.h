/* Connecting and taking a name, and coming back after a lost connection. */
#ifndef LUDUS_LOGIN_H
#define LUDUS_LOGIN_H

#include "client.h"

/* Prints at an ordinary end how to come back, if a match goes on; none does at the own server,
 * which ends as well. */
void login_tell_way_back(struct client *client);

/* Saves the token that the server has just given, if it has. `tell`: or says why not. */
void login_keep_token(const struct client *client, bool tell);

struct login_terms {
    const char *name;   /* NULL: the player's own, numbered if it is taken */
    const char *device; /* the code of another device, for the name; NULL: none */
    bool guest;         /* take no name if the server allows that */
    bool unnamed;       /* no server is named: that of another program of the player will do */
    bool alone;         /* if nothing answers, start a private server and go there */
    const char *advice; /* what to print if nothing answers; NULL: the usual */
};

/* Connects and takes a name. A failure is reported and sets client->quit. */
void login(struct client *client, const struct login_terms *terms);

/* Moves to another server, under the same name if it is free there. The code may be NULL; both are
 * copied. False with the cause; then everything is as it was, and *wants_code says whether the
 * server wants a code, and none was given or a wrong one. */
bool login_elsewhere(struct client *client, const char *address, const char *code, bool *wants_code,
                     struct cause *cause);

/* Call this when the connection is lost: says so, and tries for ten minutes to come back to the
 * same name and match. If that fails, the program ends. */
void login_again(struct client *client);

#endif
