/*
 * Getting in: the connection, the greeting, the name; and getting in again when the connection
 * was lost.
 */
#ifndef LUDUS_LOGIN_H
#define LUDUS_LOGIN_H

#include "client.h"

/* Connects and takes a name: the one given, or with NULL the person's own, with a number if it is
 * taken; with NULL and guest none, where the server allows that. What fails is told and ends the
 * program: client->quit. Where nobody is there, `advice` is told as well, NULL for the
 * usual one. */
void login(struct client *client, const char *name, bool guest, const char *advice);

/* Goes from the server where the client is to another one, under the same name if that is free
 * there. The code may be NULL; both are copied. False with the cause; then everything is as it
 * was, and *code_missing says whether the server wants a code and none was given. */
bool login_elsewhere(struct client *client, const char *address, const char *code,
                     bool *code_missing, struct cause *cause);

/* The connection is lost: says so and tries for ten minutes to come back to the same name and the
 * match on the screen. When that fails, the program ends. */
void login_again(struct client *client);

#endif
