/*
 * A question: a position for which somebody wants a move, and what the search for it may cost.
 * Whoever asks (UGI, a bot on a server, a test) fills one in for an engine.
 */
#ifndef LUDUS_BOT_SEARCH_QUESTION_H
#define LUDUS_BOT_SEARCH_QUESTION_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

#include "client/link/clock_ms.h"
#include "common/key_history.h"
#include "transposition.h"

enum { THREADS_MAX = 16, LINES_MAX = 16 };

/* When to answer; whichever limit is reached first counts. */
struct search_limits {
    int64_t deadline_ms; /* by clock_ms(); INT64_MAX: none */
    int depth_plies;     /* at least 1; INT_MAX: none */
    uint64_t nodes;      /* positions searched; UINT64_MAX: none */
    int64_t target_ms;   /* when to answer unless the choice is hard, by clock_ms(); 0: search to
                          * the other limits */
};

#define NO_LIMITS                                                                                  \
    ((struct search_limits){                                                                       \
        .deadline_ms = INT64_MAX, .depth_plies = INT_MAX, .nodes = UINT64_MAX, .target_ms = 0})

/* How well to search: what makes one level weaker than another. Limits that hold beside those of a
 * question. All zero: as well as possible. */
struct skill {
    uint64_t nodes;       /* 0: no limit */
    int depth_plies;      /* 0: no limit */
    int noise;            /* the largest random error of an evaluation, either way */
    uint64_t prove_nodes; /* to spend on proving moves, where the game has a solver; they count as
                           * nodes; 0: prove nothing */
    bool guesses;         /* play what the solver thinks best where its proofs take too long */
    bool no_threats;      /* does not look for wins by threats (threats.h) */
    bool book;            /* play what the solver's book knows to win */
    bool steady;          /* nothing is left to chance: moves that look equal keep their order */
    /* For tests: every line ends at its depth, and the transposition table answers for that depth
     * only. The value is then that of plain minimax with guide.h's values at the leaves. */
    bool plain;
};

/* How far a search has got. */
struct info {
    int line; /* of how many, from 1, where several were asked for; else 0 */
    int depth_plies,
        deepest_plies; /* how deep the search went everywhere, and at most; 0: as deep */
    int score;         /* in the units of value() in guide.h, for the side to move */
    uint64_t nodes;
    const struct move *pv; /* the principal variation, borrowed for the call */
    int pv_plies;
};

struct search_question {
    const struct game *game;
    struct position position; /* the game is not over, nor drawn by repetition */
    struct history history;   /* the known positions that led to this one */
    struct search_limits limits;
    struct tt *tt; /* lent by the asker; NULL: the engine starts from nothing */
    int lines;     /* to report, each about another move, up to LINES_MAX, where the engine searches
                    * moves and does not prove them; 0, 1: only the best one */
    int threads;   /* to search in, up to THREADS_MAX; 0: one. One thread always gives the
                    * same answer within the same limit of nodes */
    uint64_t *rng; /* see common/rng.h */
    const struct move *without; /* a move that is not to be the answer, though not the only one;
                                 * NULL: none. The solver and its book are not asked then */
    const atomic_bool *stop;    /* another thread sets it: answer as soon as possible */
    /* Takes reports, in the thread of the search; NULL: nobody listens. */
    void (*report)(void *context, const struct info *info);
    void *context;
};

/* Whether to answer now. `nodes`: those searched. The depth is the engine's own affair. */
bool question_is_due(const struct search_question *question, uint64_t nodes);

/* How long to think about one move. */
struct clock_share {
    int64_t target_ms, most_ms; /* in general, and when the choice is hard */
};

/* Shares out the time on a clock, with about `moves` moves still to make. The last overhead_ms are
 * for the way of the move. */
struct clock_share clock_share(int64_t left_ms, int64_t increment_ms, int moves,
                               int64_t overhead_ms);

/* What a move takes to a server that may be far away. */
enum { SERVER_OVERHEAD_MS = 100 };

#endif
