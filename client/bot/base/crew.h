/*
 * The threads that search for one answer together: each searches all, and they learn from each
 * other by the memory they share (lazy SMP). The crew starts and ends them and counts for all.
 */
#ifndef LUDUS_BOT_CREW_H
#define LUDUS_BOT_CREW_H

#include <pthread.h>

#include "client/bot/search/engine.h"

struct crew {
    int helpers; /* wanted, set by the owner: at most THREADS_MAX - 1; the rest begins zero */
    int running;
    pthread_t threads[THREADS_MAX];
    atomic_bool done;
    _Atomic uint64_t nodes;
};

/* Starts a helper. False if there is no thread for it: then there are fewer. */
bool crew_add(struct crew *crew, void *(*help)(void *context), void *context);

/* Adds nodes to those of all, and returns their sum. */
uint64_t crew_count(struct crew *crew, uint64_t nodes);

/* Whether the answer is there, so that helpers may go. */
bool crew_is_done(const struct crew *crew);

/* Sends the helpers away and waits for them. */
void crew_end(struct crew *crew);

#endif
