/*
 * A keeper for tests that behaves as one that is shared by many servers: it answers later, when it
 * is told to, and its units can be stale or fail. What is kept, it hands on to another keeper,
 * in memory or with a store, so that every conversation can be held with it.
 */
#ifndef LUDUS_KEEPER_FAKE_H
#define LUDUS_KEEPER_FAKE_H

#include "server/keep/keeper.h"

struct keeper_fake {
    struct keeper keeper; /* what the server is given */
    struct keeper_kind kind;
    struct keeper *inner; /* borrowed */
    struct batch *batch;  /* what the server waits for; borrowed; NULL: nothing */
    bool stale_at_first;  /* each line's unit is stale when it first comes */
    bool was_stale;       /* the last one was, and its line comes again */
    int stale, failed;    /* so many of the next units with a session are */
    /* Has something happen at another server, to what a stale unit then reads; NULL: nothing. */
    void (*meanwhile)(struct table *fresh);
};

/* Begins with what the inner keeper has. It ends with the inner one. */
void keeper_fake_init(struct keeper_fake *fake, struct keeper *inner);

/* Answers what the server waits for; whether there was anything. */
bool keeper_fake_answer(struct keeper_fake *fake);

#endif
