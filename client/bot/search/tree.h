/*
 * The search of all bots that think ahead, for every game of game.h: alpha-beta, deepened ply by
 * ply. An engine is this search with a skill (engine.c).
 */
#ifndef LUDUS_BOT_TREE_H
#define LUDUS_BOT_TREE_H

#include <pthread.h>

#include "client/bot/base/move_order.h"
#include "client/bot/base/search_question.h"
#include "client/games/guide.h"

enum {
    PLIES_MAX = ORDER_PLIES - 1,
    INFINITE = SCORE_WIN + 1,
    WON = SCORE_WIN - 2 * PLIES_MAX, /* a value from here on is a win */
    WORK_UNWATCHED = 256,            /* most positions made between two looks at the clock */
    SEEN = 1024                      /* slots that quickly tell what is not in the history */
};

/* The threads that work on one question. Each searches the whole tree; they help each other through
 * the transposition table (lazy SMP). */
struct search_crew {
    int helpers; /* wanted: at most THREADS_MAX - 1 */
    int running;
    pthread_t threads[THREADS_MAX];
    atomic_bool done; /* the answer is there */
    _Atomic uint64_t nodes;
};

/* One thread's search. */
struct tree_search {
    const struct search_question *question;
    const struct skill *skill;
    const struct game *game;
    const struct guide *guide; /* NULL: the game has none that evaluates positions */
    uint64_t game_key;         /* tells games apart in the transposition table */
    struct tt *tt;
    struct search_crew *crew; /* borrowed */
    bool helps;               /* does not give the answer */
    uint64_t nodes;           /* of this thread */
    uint64_t counted_nodes;   /* of them, in the crew's count */
    uint64_t node_limit;      /* of the crew */
    int work;                 /* positions made since the last look at the clock */
    int work_unwatched;       /* units of work until it looks again */
    int64_t looked_ms;        /* when that look was */
    bool stopped;
    uint64_t noise_seed;
    uint64_t path[PLIES_MAX + 1]; /* the keys of the line, by ply, where repetition draws */
    bool seen[SEEN];              /* by the low bits of a key: may be in the history */
    int deepest_plies;            /* of this depth */
    int lost_plies;               /* in which the root is proven lost, at most; 0: it is not */
    struct order order;
    int pv_plies[PLIES_MAX + 1];
    struct move pv[PLIES_MAX + 1][PLIES_MAX + 1];
};

/* Searches a position `ply` plies below the root to `depth` plies. Returns its value for the side
 * to move there: exact between alpha and beta, else a bound. Sets its line in search->pv. The value
 * means nothing once search->stopped is set. */
int tree_value(struct tree_search *search, const struct position *position, int depth, int alpha,
               int beta, int ply);

/* Returns the best move found within the limits of the question and the skill. Reports after each
 * depth. */
struct move search_think(const struct search_question *question, const struct skill *skill);

#endif
