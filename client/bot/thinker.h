/* Runs an engine in a thread of its own, one question at a time, while the asker goes on. */
#ifndef LUDUS_BOT_THINKER_H
#define LUDUS_BOT_THINKER_H

#include <pthread.h>

#include "client/bot/search/engine.h"

struct thinker {
    /* The owner sets these and zeroes the rest. done() takes the answer, as the last thing in the
     * thread. */
    void (*done)(void *context, struct move move);
    void *context;

    const struct engine *engine;
    struct question question; /* its history is the thinker's own copy */
    atomic_bool stop;
    bool busy; /* a thread was started and not waited for */
    pthread_t thread;
};

/* Starts to think about a question, whose `stop` it fills in. The thinker must not be busy. It
 * copies the history; all else that the question points to must last. Ends the program if the
 * system refuses a thread. */
void thinker_start(struct thinker *thinker, const struct engine *engine,
                   const struct question *question);

/* Asks for the answer now. Harmless without a thread. */
void thinker_stop(struct thinker *thinker);

/* Waits for the answer, if the thinker is busy. */
void thinker_wait(struct thinker *thinker);

/* Frees what the thinker owns. It must not be busy. */
void thinker_release(struct thinker *thinker);

#endif
