/*
 * The server without its event loop: sessions, players and the lobby, as one struct that is
 * handed down. The loop feeds it lines and the time; tests do the same in memory. lifecycle.h
 * begins and ends it.
 */
#ifndef LUDUS_SERVER_H
#define LUDUS_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "common/buffer.h"
#include "house.h"
#include "reviews.h"
#include "server/base/limits.h"
#include "server/base/nodes.h"
#include "server/base/tally.h"
#include "server/keep/keeper.h"
#include "server/model/lobby.h"
#include "server/model/origin.h"
#include "server/model/player.h"
#include "server/model/seek.h"

enum { CODE_TEXT_MAX = 64, PAUSES_MAX = 8 };

struct command;

struct server {
    struct limits limits;
    char code[CODE_TEXT_MAX]; /* join code; "" for none */
    int64_t now_ms;           /* monotonic; set by the loop before it hands anything over */
    uint64_t turn;            /* of the loop */
    time_t wall_s;            /* calendar time, set with now_ms */
    int64_t started_ms;
    time_t started_s;   /* that moment by the calendar */
    bool hosted;        /* it ends with a player's program */
    bool stopping;      /* everyone has been told */
    bool some_to_close; /* sessions have made too many errors, or their token has ended, or one is
                           to be its player's only one */
    bool guests_wait;   /* matches of guests who are gone could not be ended yet */

    const struct command *const *commands; /* the families of commands; NULL after the last */

    struct keeper *keeper; /* borrowed */
    struct keeper memory;  /* the keeper where there is no other */
    struct batch ready;    /* units for the next batch, in order; owned */
    struct batch *keeping; /* the batch that the keeper has; owned; NULL: none */
    int64_t keeping_us;    /* when the keeper got it, as tally_now_us() */
    int64_t database_us;   /* how long the keeper took for the last one */
    bool keeper_fails;     /* the last batch had a unit that failed */
    bool retire_fails;     /* the last finished matches that were due could not be retired */
    bool database_away;    /* long enough that nobody may come */
    struct pause pauses[PAUSES_MAX]; /* in which nothing could be kept: the last ones, in order */
    int pause_count;
    struct nodes nodes; /* the servers that share the keeper */

    struct players players;
    struct lobby lobby;
    struct pairing_job *pairing; /* owned; NULL: no thread pairs a tournament */
    int woken_fd;                /* owned; readable when that thread is done: tournament_wake() */
    struct house_bots house;
    struct review_jobs reviews;
    struct origins origins;
    struct seeks seeks;
    TAILQ_HEAD(session_list, session) sessions;
    LIST_HEAD(lobby_watcher_list, session) lobby_watchers;
    int session_count;
    int visitor_count; /* connections without a session */
    struct tally tally;
    struct buffer reply, event; /* where messages are written before they are sent */
};

/* The present time, as messages and claims need it. */
static inline struct instant server_instant(const struct server *server)
{
    return (struct instant){.now_ms = server->now_ms,
                            .started_ms = server->started_ms,
                            .grace_s = server->limits.grace_s,
                            .wall_s = server->wall_s,
                            .stall_days = server->limits.stall_days};
}

#endif
