/*
 * A thinker lets an engine think in a thread of its own, about one question at a time, so that
 * the one who asked can go on listening.
 */
#ifndef LUDUS_BOT_THINKER_H
#define LUDUS_BOT_THINKER_H

#include <pthread.h>

#include "engine.h"

struct thinker {
    /* Set by the owner, the rest zero. done() takes the answer, in the thinking thread, as the
     * last thing there. */
    void (*done)(void *context, struct move move);
    void *context;

    const struct engine *engine;
    struct question question; /* its history is the thinker's own copy */
    atomic_bool stop;
    bool busy; /* a thread was started and not waited for */
    pthread_t thread;
};

/* Begins to think; the thinker must not be busy. The history is copied, what else the question
 * points to must last; `stop` is filled in. Without a thread the program ends. */
void thinker_start(struct thinker *thinker, const struct engine *engine,
                   const struct question *question);

/* Asks for the answer now. Harmless when there is no thread. */
void thinker_stop(struct thinker *thinker);

/* Waits until the answer is given, if the thinker is busy. */
void thinker_wait(struct thinker *thinker);

/* Frees what the thinker owns; it must not be busy. */
void thinker_release(struct thinker *thinker);

#endif
