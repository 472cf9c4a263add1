/*
 * A lock on something that one unit at a time may change, with a queue of those who need it next.
 *
 * Nobody blocks: a line that needs a locked thing goes to sleep in its queue, and is woken when
 * its turn has come. The queue is served in order: whoever is first keeps the first place until it
 * has used the lock or left.
 */
#ifndef LUDUS_LOCK_H
#define LUDUS_LOCK_H

#include <stdbool.h>
#include <sys/queue.h>

/* One who may sleep in one queue at a time. */
struct waiter {
    struct lock *lock; /* whose queue it is in; NULL: none */
    TAILQ_ENTRY(waiter) link;
    void (*wake)(void *context); /* the lock is free, and this waiter is next */
    void *context;
};

struct lock {
    const void *owner; /* NULL: free */
    TAILQ_HEAD(waiter_queue, waiter) queue;
};

void lock_init(struct lock *lock);

/* Whether the waiter may have the lock now: it is free, and nobody else comes first. */
bool lock_is_free_for(const struct lock *lock, const struct waiter *waiter);

/* Takes a free lock. */
void lock_take(struct lock *lock, const void *owner);

/* Frees the lock and wakes the first in the queue, who stays there until waiter_leave(). */
void lock_release(struct lock *lock);

/* Sends everybody in the queue away, awake: the lock is about to be destroyed. */
void lock_destroy(struct lock *lock);

/* Puts the waiter to sleep at the end of the queue, unless it is in it already; it leaves any
 * other queue. */
void waiter_sleep(struct waiter *waiter, struct lock *lock);

/* Puts the waiter to sleep at the head of the queue: it had the lock, and needs it again. */
void waiter_sleep_first(struct waiter *waiter, struct lock *lock);

/* Takes the waiter out of its queue, if it is in one. When the lock is free, the next is woken. */
void waiter_leave(struct waiter *waiter);

#endif
