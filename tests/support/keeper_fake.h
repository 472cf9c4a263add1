/*
 * A test keeper that imitates one shared by many servers: it answers on request, and units can be
 * stale or fail. It passes kept units to another keeper, in memory or with a store, so that every
 * conversation can run with it.
 */
#ifndef LUDUS_KEEPER_FAKE_H
#define LUDUS_KEEPER_FAKE_H

#include "server/keep/keeper.h"

enum { FAKE_ASKED_MAX = 64 };

struct keeper_fake {
    struct keeper keeper; /* the keeper for the server */
    struct keeper_kind kind;
    struct keeper *inner; /* borrowed */
    struct batch *batch;  /* the batch that the server awaits; borrowed; NULL: none */
    struct look_up *asked[FAKE_ASKED_MAX]; /* look-ups that wait; borrowed */
    int asked_count;
    bool stale_at_first; /* the first unit of each line is stale */
    bool was_stale;      /* the last unit was stale, and its line will run again */
    int stale, failed;   /* number of next units of a session or a pairing to make stale or fail */
    /* Simulates a change at another server to the data that a stale unit then reads; NULL: none. */
    void (*meanwhile)(struct table *fresh);
};

/* Starts with the inner keeper's data. The inner keeper must outlive it. */
void keeper_fake_init(struct keeper_fake *fake, struct keeper *inner);

/* Answers the look-ups and the batch that the server awaits. Returns whether there were any. */
bool keeper_fake_answer(struct keeper_fake *fake);

#endif
