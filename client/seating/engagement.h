/*
 * How a bot comes to matches by itself, and how it leaves. It seeks (--seek), or takes part in a
 * tournament (--tournament): the server pairs it, and the matches then come as states. After a
 * signal (stop_signal.h), or when its tournament is over, the bot takes no more matches, and ends
 * once none runs.
 *
 * Every command is sent with an id of its own, which is no id of a match, and is sent again if it
 * was refused for a reason that may pass. In each turn of its loop the owner calls
 * engagement_hear() for each message, and then engagement_tick() and engagement_is_over(). Whenever
 * it could take a match, it asks engagement_leaves() first.
 */
#ifndef LUDUS_ENGAGEMENT_H
#define LUDUS_ENGAGEMENT_H

#include "client/link/uplink.h"
#include "policy.h"

/* The commands. */
enum ask {
    ASK_SEEK,
    ASK_WATCH, /* the tournament: when it is over */
    ASK_SHOW,  /* whether it is for this bot, and has it already */
    ASK_JOIN,
    ASK_UNSEEK,
    ASK_LEAVE,
    ASK_IDLE, /* a ping: its reply comes after the states of matches that are on their way */
    ASKS
};

struct engagement {
    /* Set by the owner, with everything else zero. */
    const struct policy *policy;
    struct uplink *uplink;

    bool leaves;          /* takes no more matches */
    int64_t due_ms[ASKS]; /* when to send it; 0: not */
    bool awaits[ASKS];    /* it was sent, and the reply has not come */
    int row;              /* of the standings, from 1: ASK_SHOW begins there */
    bool plays;           /* a match runs, or ran when the connection was lost */
    bool is_idle;         /* ASK_IDLE was answered, and no match has come */
};

enum engagement_event {
    ENGAGEMENT_NOTHING,
    ENGAGEMENT_WAITS,  /* it was refused, with the cause, and asks again in a while */
    ENGAGEMENT_REFUSED /* for good, with the cause */
};

/* Asks the server, after each login. */
void engagement_begin(struct engagement *engagement);

/* Takes any message of the server, which is not trusted. The cause names the option. */
enum engagement_event engagement_hear(struct engagement *engagement, const cJSON *message,
                                      int64_t now_ms, struct cause *cause);

/* Heeds signals, and returns whether the bot takes no more matches. What came after a signal is
 * never taken, even if both are found at once. */
bool engagement_leaves(struct engagement *engagement);

/* Sends challenges, seeks and joins whose time has come. The bot plays `matches` that cannot be
 * left alone. */
void engagement_tick(struct engagement *engagement, int matches, int64_t now_ms);

/* Returns when engagement_tick() is due even without input; INT64_MAX: never. */
int64_t engagement_due_ms(const struct engagement *engagement);

/* Whether the bot is to end now: at once after a signal that says so, otherwise once it leaves and
 * plays `matches` = 0. One that has lost the connection in a match comes back first. */
bool engagement_is_over(const struct engagement *engagement, int matches);

#endif
