/* A bot on a server: it connects like any client and plays in any number of matches at once. */
#ifndef LUDUS_BOT_SOCKET_H
#define LUDUS_BOT_SOCKET_H

#include "client/bot/search/engine.h"

/* What the command line asks for; texts are NULL when not given. */
struct socket_options {
    const char *address;
    const struct engine *engine;
    uint64_t rng;
    const char *name;
    const char *token;
    const char *code;
    const char *join;   /* a match to join first */
    const char *secret; /* of a house bot; its name is then the one for its level */
    int retry_s;        /* how long to try when the connection is lost */
    int threads;        /* to think in; 0: one */
    bool tls;           /* address is to be one with TLS */
    bool quiet;         /* prints errors only */
};

/* Plays until the server says bye, and in the house until the connection ends. A bot with a name
 * comes back after a lost connection. Returns the exit status, errors printed. */
int socket_play(const struct socket_options *options);

#endif
