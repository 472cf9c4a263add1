/* The search tree below the root: for deepening.c, which searches the root itself. */
#ifndef LUDUS_BOT_TREE_H
#define LUDUS_BOT_TREE_H

#include <pthread.h>

#include "client/bot/base/move_order.h"
#include "client/bot/base/search_question.h"
#include "client/bot/eval/eval.h"
#include "guide.h"

enum {
    PLIES_MAX = ORDER_PLIES - 1,
    INFINITE = SCORE_WIN + 1,
    WON = SCORE_WIN - 2 * PLIES_MAX, /* a value from here on is a win in so many plies */
    WORK_UNWATCHED = 256,            /* most positions made between two looks at the clock */
    SEEN = 1024                      /* slots that quickly tell what is not in the history */
};

/* The threads that work on one question. Each searches the whole tree; they help each other through
 * the transposition table (lazy SMP). */
struct crew {
    int helpers; /* wanted: at most THREADS_MAX - 1 */
    int running;
    pthread_t threads[THREADS_MAX];
    atomic_bool done; /* the answer is there */
    _Atomic uint64_t nodes;
};

/* One thread's search. */
struct search {
    const struct question *question;
    const struct skill *skill;
    const struct game *game;
    const struct guide *guide; /* NULL: the game has none */
    struct tt *tt;
    struct crew *crew;      /* borrowed */
    bool helps;             /* does not give the answer */
    uint64_t nodes;         /* of this thread */
    uint64_t counted_nodes; /* of them, in the crew's count */
    uint64_t node_limit;    /* of the crew */
    int work;               /* positions made since the last look at the clock */
    int work_unwatched;     /* look again after so many */
    int64_t looked_ms;      /* when that look was */
    bool stopped;
    uint64_t noise_seed;
    uint64_t path[PLIES_MAX + 1]; /* the keys of the line, by ply, where repetition draws */
    bool seen[SEEN];              /* by the low bits of a key: may be in the history */
    struct order order;
    int pv_plies[PLIES_MAX + 1];
    struct move pv[PLIES_MAX + 1][PLIES_MAX + 1];
};

/* The nodes of the whole crew, as far as they are counted. */
uint64_t tree_nodes(struct search *search);

/* Counts a position about to be searched. Returns whether it is time to answer. */
bool tree_is_due(struct search *search);

/* The position after a move. */
struct position tree_after(const struct search *search, const struct position *position,
                           struct move move);

/* Whether a search to this depth is sure to see the end of the game. */
bool tree_sees_end(const struct search *search, const struct position *position, int depth);

/* Searches a position `ply` plies below the root to `depth` plies. Returns its value for the side
 * to move there: exact between alpha and beta, else a bound. Sets its line in search->pv. The value
 * means nothing once search->stopped is set. */
int tree_value(struct search *search, const struct position *position, int depth, int alpha,
               int beta, int ply);

/* Ranks the moves of the position from `from` on. */
void tree_rank(struct search *search, const struct position *position, struct move_list *list,
               int from, int depth, int ply);

/* Makes the move, and the line below it, the line of this ply. */
void tree_extend_pv(struct search *search, int ply, struct move move);

#endif
