/*
 * The threads of a Clobber solver at work on one position: meeting points, where several of them
 * try the moves that one of them came to.
 *
 * A thread opens a meeting point where moves have failed and more are left. Threads without work
 * join the newest one, which is mostly the deepest, and try a move each. Meanwhile its owner goes
 * on with the others. When none is left, the owner helps those who still try one, so it joins
 * meeting points below its own only. All leave as soon as one finds a win there or further up.
 */
#ifndef LUDUS_BOT_CLOBBER_CREW_H
#define LUDUS_BOT_CLOBBER_CREW_H

#include <pthread.h>
#include <stdatomic.h>

#include "clobber_sum.h"

/* A position that a move leads to. */
struct child {
    struct sum_brief brief;
    int score; /* the least is searched first */
    struct sum_move move;
};

/* It lies on the stack of its owner, who sets the first part and closes it before the search goes
 * back. */
struct meeting {
    struct meeting *above; /* the innermost one that the owner is in; NULL: none */
    struct sums *sums;     /* of the owner */
    const struct child *children;
    int color;       /* to move, to one of the children */
    int next, count; /* nobody tries the children from `next` on yet */

    struct meeting *older; /* among the open ones */
    int helpers;
    atomic_bool won;
};

struct crew {
    pthread_mutex_t lock; /* of the rest and of open meeting points, but for what never changes */
    pthread_cond_t changed;
    struct meeting *newest;
    atomic_bool is_over;
};

void crew_init(struct crew *crew);
void crew_release(struct crew *crew);

/* Begins, before any thread is at work, or ends: threads find nothing more to do. */
void crew_begin(struct crew *crew);
void crew_end(struct crew *crew);

/* Whether the crew has ended. NULL, no crew, never does. */
bool crew_is_over(const struct crew *crew);

/* Whether a win is known at a meeting point or at one above it, so that everybody has to leave it.
 * NULL is allowed. */
bool meeting_is_decided(const struct meeting *meeting);

void crew_open(struct crew *crew, struct meeting *meeting);

/* Takes the next child for the owner, or returns NULL. */
const struct child *crew_take(struct crew *crew, struct meeting *meeting);

/* Waits for a child to try below `meeting`, which the caller owns, as long as somebody helps there;
 * NULL: anywhere, until the end. Copies the child for a thread with these values. Returns where it
 * was, for crew_leave(), or NULL if there is nothing more to do. */
struct meeting *crew_join(struct crew *crew, const struct meeting *meeting, struct sums *sums,
                          struct child *child);

/* Leaves the meeting point with a child that was tried, and whether that wins. */
void crew_leave(struct crew *crew, struct meeting *meeting, bool won);

/* Closes a meeting point: waits until the helpers have left, which they do at once if the owner has
 * won or is to leave itself. Returns whether anybody won. */
bool crew_close(struct crew *crew, struct meeting *meeting, bool won);

#endif
