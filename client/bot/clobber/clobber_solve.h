/*
 * The Clobber solver: who wins a position with best play, and by which move.
 *
 * The search is depth first, through sums (clobber_sum.h), moves that leave the fewest answers
 * first. Its transposition table lasts from one position to the next. Every group must fit into one
 * box for all, of at most 64 squares (clobber_group.h). One thread at a time may use a solver.
 */
#ifndef LUDUS_BOT_CLOBBER_SOLVE_H
#define LUDUS_BOT_CLOBBER_SOLVE_H

#include <stdatomic.h>
#include <stddef.h>

#include "client/bot/base/search_question.h"
#include "common/game.h"

enum solve_status {
    SOLVE_DONE,
    SOLVE_LIMIT,    /* a limit was reached, or it was stopped */
    SOLVE_TOO_WIDE, /* a group does not fit */
    SOLVE_TOO_DEEP  /* the stack of moves is full */
};

struct solve_progress {
    uint64_t nodes;
    int moves_done, moves;
};

struct solve_request {
    struct position position;
    struct search_limits limits; /* only deadline_ms and nodes */
    const atomic_bool *stop;     /* another thread sets it: give up; NULL: never */
    /* Called about ten times a second; NULL: nobody listens. */
    void (*report)(void *context, const struct solve_progress *progress);
    void *context;
};

/* Whether the time of the request is up, or it was stopped. */
bool solve_is_over(const struct solve_request *request);

struct solve_answer {
    bool wins;        /* SOLVE_DONE: the side to move does */
    struct move move; /* a winning move, if `wins` */
    uint64_t nodes;   /* searched, whatever the status */
    /* Some moves that lose, whatever the status. */
    struct move lost[MOVES_MAX];
    int lost_count;
};

struct solver;

/* Makes a solver with `bytes` of memory, at least 1 MiB. Huge pages make it faster, but it may then
 * miss its deadline by milliseconds. Returns NULL if the system refuses as much memory. */
struct solver *solver_new(size_t bytes, bool huge_pages);
void solver_free(struct solver *solver); /* NULL is allowed */

/* Forgets who wins what, but not the values of groups. */
void solver_forget(struct solver *solver);

/* Finds out who wins. The answer depends on this request and the earlier ones only. */
enum solve_status solver_solve(struct solver *solver, const struct solve_request *request,
                               struct solve_answer *answer);

/* What a solver knows without proving more. */
enum solve_known { SOLVE_UNKNOWN, SOLVE_WON, SOLVE_LOST };

struct solve_look {
    enum solve_known known; /* whether the side to move wins, by earlier searches or plain */
    int effort;             /* the number of bits of the nodes that it took, or 0 */
    double odds;            /* a guess at the odds that it wins, from 0 to INFINITY */
};

/* Looks at a position. The guess goes by the position itself, or, with one ply, by what each move
 * leads to and is known of that. */
struct solve_look solver_look(struct solver *solver, const struct position *position, int plies);

#endif
