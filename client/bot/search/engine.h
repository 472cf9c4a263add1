/*
 * An engine finds a move. Each is one file that exports one struct engine, and one row in
 * engine.c; random.c is the example to copy.
 *
 * Whoever wants a move (ugi.c, socket.c, the tests) fills in a question. An engine knows games
 * and questions only: no protocol, no sockets. It keeps nothing from one question to the next
 * but in the memory that comes with the question, so that any number of matches can take turns with
 * it, and any number of threads, each with a memory of its own.
 */
#ifndef LUDUS_BOT_ENGINE_H
#define LUDUS_BOT_ENGINE_H

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "client/bot/base/key_history.h"
#include "client/bot/base/transposition.h"
#include "common/game.h"

/* When to answer; the first limit that is reached counts. */
struct limits {
    int64_t deadline_ms; /* by clock_ms(); INT64_MAX: none */
    int depth_plies;     /* at least 1; INT_MAX: none */
    uint64_t nodes;      /* positions looked at; UINT64_MAX: none */
    int64_t target_ms;   /* about when to answer if nothing is hard to decide, by clock_ms(); 0:
                          * at the other limits */
};

#define NO_LIMITS ((struct limits){INT64_MAX, INT_MAX, UINT64_MAX, 0})

enum { THREADS_MAX = 16 };

/* How far an engine has got. */
struct info {
    int depth_plies;
    int score; /* in the units of eval.h, for the side to move */
    uint64_t nodes;
    const struct move *pv; /* the principal variation, borrowed for the call */
    int pv_plies;
};

struct question {
    const struct game *game;
    struct position position; /* the game is not over, by repetition neither */
    struct history history;   /* of the positions up to this one, as far as they are known */
    struct limits limits;
    struct memory *memory;   /* lent by whoever asks; NULL: the engine starts from nothing */
    int threads;             /* to search in, from 1 to THREADS_MAX; 0: one. With one, an answer
                              * within a limit of nodes is always the same */
    uint64_t *rng;           /* see rng.h */
    const atomic_bool *stop; /* set from another thread: answer as soon as possible */
    /* Takes what the engine reports, in the thread it thinks in; NULL: nobody listens. */
    void (*report)(void *context, const struct info *info);
    void *context;
};

struct engine {
    const char *name;    /* the level, as in bot:NAME: lower-case letters and digits */
    const char *summary; /* one line for people */
    /* Returns a legal move, the best one found when a limit is reached or stop is set. May
     * report as often as it likes. */
    struct move (*think)(const struct question *question);
};

extern const struct engine random_engine, greedy_engine, easy_engine, medium_engine, hard_engine,
    max_engine;

/* All engines, the weakest first, NULL-terminated. */
extern const struct engine *const engines[];

/* The engine of that name (any case), or NULL. */
const struct engine *engine_find(const char *name);

/* Milliseconds of the monotonic clock. */
int64_t clock_ms(void);

/* How long to think about one move. */
struct clock_share {
    int64_t target_ms, most_ms; /* as a rule, and where it is hard to decide */
};

/* With so much time left on the clock, this increment, and about so many moves to come. */
struct clock_share clock_share(int64_t left_ms, int64_t increment_ms, int moves);

/* Whether it is time to answer, after so many nodes; the depth is the engine's own affair. */
bool question_is_due(const struct question *question, uint64_t nodes);

#endif
