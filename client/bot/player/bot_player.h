/* A bot on a server: it connects like any client and plays in any number of matches at once. */
#ifndef LUDUS_BOT_BOT_PLAYER_H
#define LUDUS_BOT_BOT_PLAYER_H

#include "client/bot/search/engine.h"
#include "client/seating/account.h"
#include "client/seating/policy.h"

/* The options of the command line. A text is NULL if the option was not given. */
struct bot_player_options {
    struct account account;
    struct policy policy;
    const struct engine *engine;
    long seed;          /* of all chances */
    const char *join;   /* a match to join first */
    const char *secret; /* of a house bot; its name is then the one for its level */
    long threads;       /* to think in; 0: one */
    bool house;         /* it is a house bot */
    bool quiet;         /* prints errors only */
};

/* Plays until the server says bye or the connection is lost for good. A bot with a name reconnects.
 * Prints errors and returns the exit status. */
int bot_player_run(const struct bot_player_options *options);

#endif
