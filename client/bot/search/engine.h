/*
 * An engine answers questions with moves. Each exports a struct engine, and is listed in engine.c;
 * random.c is the example to copy.
 *
 * An engine knows games and questions only: no protocol, no sockets. Between questions it keeps
 * nothing but what lies in the question's transposition table, so any number of matches can share
 * it, and so can threads with a table each.
 */
#ifndef LUDUS_BOT_ENGINE_H
#define LUDUS_BOT_ENGINE_H

#include "client/bot/base/search_question.h"

struct engine {
    const char *name;    /* the level, as in bot:NAME: lower-case letters and digits */
    const char *summary; /* one line for people */
    /* Returns a legal move: the best one found when a limit is reached or stop is set. May report
     * any number of times. */
    struct move (*think)(const struct question *question);
};

extern const struct engine random_engine, greedy_engine, easy_engine, medium_engine, hard_engine,
    max_engine;

/* All engines, the weakest first, NULL-terminated. */
extern const struct engine *const engines[];

/* The engine of that name (any case), or NULL. */
const struct engine *engine_find(const char *name);

#endif
