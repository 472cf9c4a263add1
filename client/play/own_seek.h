/*
 * Seeks: the server finds an opponent. A seek ends with the connection, so whoever waits calls
 * seeking_keep() now and then. When an opponent is found the match comes to the screen
 * (client->go).
 */
#ifndef LUDUS_OWN_SEEK_H
#define LUDUS_OWN_SEEK_H

#include "client/talk/client.h"

enum { SEEK_LINE_MAX = 256 }; /* bytes with the final NUL */

/* What to seek. Texts are borrowed; NULL: any. */
struct new_seek {
    const char *game;
    const char *clock, *color, *rating, *bots; /* as the protocol has them */
    bool unrated;
};

struct seeking {
    char line[SEEK_LINE_MAX];  /* the command */
    char words[SEEK_LINE_MAX]; /* for people: "clobber:5x6, 5 + 3, against people" */
    int64_t since_ms;          /* by clock_ms() */
    int64_t login_ms;          /* of the connection on which it was asked */
    char id[MATCH_ID_MAX];     /* the server's */
    bool refused;
};

/* Seeks. False if the server refuses, which is shown, or the program ends. */
bool seeking_begin(struct seeking *seeking, struct client *client, const struct new_seek *what);

/* Seeks again if the connection has been lost and is back. Returns whether to wait on: nobody has
 * been found yet, and the server has not refused. */
bool seeking_keep(struct seeking *seeking, struct client *client);

/* Takes the seek back, unless somebody was found. */
void seeking_end(struct seeking *seeking, struct client *client);

#endif
