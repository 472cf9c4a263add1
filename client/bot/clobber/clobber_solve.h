/*
 * The Clobber solver: who wins a position with best play, and by which move.
 *
 * The search is a depth-first one over sums (clobber_sum.h), with a transposition table that
 * threads share; moves that leave the other side the fewest answers come first. It takes positions
 * with every connected group in a box of up to 8x8, or 10x6, squares.
 *
 * A solver remembers what it has found from one position to the next, and is used by one caller at
 * a time.
 */
#ifndef LUDUS_BOT_CLOBBER_SOLVE_H
#define LUDUS_BOT_CLOBBER_SOLVE_H

#include <stdatomic.h>
#include <stddef.h>

#include "client/bot/search/engine.h"
#include "common/game.h"

enum { SOLVE_THREADS_MAX = 2 };

enum solve_status {
    SOLVE_DONE,
    SOLVE_LIMIT,    /* a limit was reached, or it was stopped */
    SOLVE_TOO_WIDE, /* the position has a group that is too wide */
    SOLVE_NO_THREAD /* a thread could not be started */
};

struct solve_progress {
    uint64_t nodes; /* of the reporting thread */
    int moves_done, moves;
};

struct solve_request {
    struct position position;
    struct limits limits;    /* deadline_ms and nodes count */
    const atomic_bool *stop; /* set from another thread: give up; NULL: never */
    /* Called about ten times a second, in a thread of the solver's; NULL: nobody listens. */
    void (*report)(void *context, const struct solve_progress *progress);
    void *context;
};

struct solve_answer {
    bool wins;        /* whether the side to move does */
    struct move move; /* a move that wins, if `wins` */
    uint64_t nodes;   /* looked at, whatever the status */
    /* Moves that are known to lose, whatever the status. With several threads maybe not all that
     * are known. */
    struct move lost[MOVES_MAX];
    int lost_count;
};

struct solver;

/* `bytes` of memory, at least 1 MiB, for 1 to SOLVE_THREADS_MAX threads. With huge pages it is
 * faster, but does not keep its limit of time to the millisecond. NULL without memory. */
struct solver *solver_new(size_t bytes, int threads, bool huge_pages);
void solver_free(struct solver *solver);

/* The answer says who wins when the status is SOLVE_DONE. With one thread, an answer depends on the
 * request and on what was asked before only. */
enum solve_status solver_solve(struct solver *solver, const struct solve_request *request,
                               struct solve_answer *answer);

#endif
