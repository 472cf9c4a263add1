/*
 * An engine answers questions with moves. All are listed in engine.c; random is the example to
 * copy. A thinker runs one in a thread.
 *
 * An engine knows games and questions only: no protocol, no sockets. Between questions it keeps
 * nothing but what lies in the question's transposition table, so any number of matches can share
 * it, and so can threads with a table each.
 */
#ifndef LUDUS_BOT_ENGINE_H
#define LUDUS_BOT_ENGINE_H

#include <pthread.h>

#include "client/bot/base/search_question.h"

struct engine {
    const char *name;    /* the level, as in bot:NAME: lower-case letters and digits */
    const char *summary; /* one line for people */
    /* Returns a legal move: the best one found when a limit is reached or stop is set. May report
     * any number of times. */
    struct move (*think)(const struct search_question *question);
};

/* All engines, the weakest first, NULL-terminated. */
extern const struct engine *const engines[];

/* The engine of that name (any case), or NULL. */
const struct engine *engine_find(const char *name);

/* Runs an engine in a thread of its own, one question at a time, while the asker goes on. */
struct thinker {
    /* The owner sets these and zeroes the rest. done() takes the answer, as the last thing in the
     * thread. */
    void (*done)(void *context, struct move move);
    void *context;

    const struct engine *engine;
    struct search_question question; /* its history is the thinker's own copy */
    atomic_bool stop;
    bool busy; /* a thread was started and not waited for */
    pthread_t thread;
};

/* Starts to think about a question, whose `stop` it fills in. The thinker must not be busy. It
 * copies the history; all else that the question points to must last. Ends the program if the
 * system refuses a thread. */
void thinker_start(struct thinker *thinker, const struct engine *engine,
                   const struct search_question *question);

/* Asks for the answer now. Harmless without a thread. */
void thinker_stop(struct thinker *thinker);

/* Waits for the answer, if the thinker is busy. */
void thinker_wait(struct thinker *thinker);

/* Frees what the thinker owns. It must not be busy. */
void thinker_release(struct thinker *thinker);

#endif
