/*
 * How a bot gets matches by itself: it seeks (--seek), or takes part in a tournament
 * (--tournament). The server pairs it; the matches then come as states.
 *
 * Its commands have the ids "seek" and "tournament", which are no ids of matches.
 */
#ifndef LUDUS_ENGAGEMENT_H
#define LUDUS_ENGAGEMENT_H

#include "client/link/uplink.h"
#include "policy.h"

struct engagement {
    const struct policy *policy; /* set by the owner */
    int64_t again_ms;            /* when to ask again after a refusal that may pass; 0: not */
};

enum engagement_event {
    ENGAGEMENT_NOTHING,
    ENGAGEMENT_OVER,   /* the tournament is */
    ENGAGEMENT_REFUSED /* for good, with the cause */
};

/* Asks the server, after each login. */
void engagement_begin(struct engagement *engagement, struct uplink *uplink);

/* Takes any message of the server. */
enum engagement_event engagement_take(struct engagement *engagement, const cJSON *message,
                                      int64_t now_ms, struct cause *cause);

/* Asks again if that is due. */
void engagement_tick(struct engagement *engagement, struct uplink *uplink, int64_t now_ms);

/* Returns when engagement_tick() is due; INT64_MAX: never. */
int64_t engagement_due_ms(const struct engagement *engagement);

/* Asks for no more matches. */
void engagement_end(struct engagement *engagement, struct uplink *uplink);

#endif
