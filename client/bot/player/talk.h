/*
 * The conversation of a bot with its server: the command that answers each message. The server is
 * not trusted: invalid messages are ignored.
 */
#ifndef LUDUS_BOT_TALK_H
#define LUDUS_BOT_TALK_H

#include "client/link/uplink.h"
#include "turns.h"

/* The options of the command line. A text is NULL if the option was not given. */
struct bot_player_options {
    const char *address;
    const struct engine *engine;
    uint64_t rng;
    const char *name;
    const char *token;
    const char *code;
    const char *join;   /* a match to join first */
    const char *secret; /* of a house bot; its name is then the one for its level */
    long retry_s;       /* how long to try when the connection is lost */
    long threads;       /* to think in; 0: one */
    bool house;         /* it is a house bot */
    bool tls;           /* address is to be one with TLS */
    bool quiet;         /* prints errors only */
};

struct bot_player {
    const struct bot_player_options *options;
    struct uplink uplink;
    struct turns turns;
    bool joined; /* the match of --join */
    bool failed; /* for a reason that was printed */
};

/* Call it after each login. */
void talk_begin(struct bot_player *player);

/* Handles one message. */
void talk_handle(struct bot_player *player, const cJSON *message);

/* Sends the move that the thinker found, if it is still wanted. */
void talk_move(struct bot_player *player);

/* Prints a line, made safe for a terminal, unless the player is quiet. */
void talk_print(const struct bot_player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
