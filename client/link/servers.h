/*
 * The servers of one lobby: the one that the user named, and the others that it names in `nodes`
 * (protocol.md). A client goes to the next one when its own is gone. The others are known for as
 * long as the program runs and never saved: they are a server's word, not the user's.
 */
#ifndef LUDUS_SERVERS_H
#define LUDUS_SERVERS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "link.h"

enum { SERVERS_MAX = 32, SERVER_TEXT_MAX = 144 };

struct servers {
    char at[LINK_ADDRESS_MAX]; /* of the one in use, or tried next */
    char others[SERVERS_MAX][SERVER_TEXT_MAX];
    int count; /* of the others */
    int place; /* of `at`, as far as it is there: 0 is home, then the others */
};

/* Begins with the address that the user gave: with every function below it is `home`. */
void servers_init(struct servers *servers, const char *home);

/* Takes the addresses of `nodes` of a message, if it has any. They get TLS if home has it. Invalid
 * ones and those beyond SERVERS_MAX are left out. */
void servers_take(struct servers *servers, const char *home, const cJSON *message);

/* Whether the one in use is the one that the user named. */
bool servers_is_home(const struct servers *servers, const char *home);

/* Turns to any of the servers but the one in use, which is gone. */
void servers_leave(struct servers *servers, const char *home, unsigned seed);

/* Turns to the next one. Returns whether that begins another round through all. */
bool servers_next(struct servers *servers, const char *home);

#endif
