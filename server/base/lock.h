/*
 * A lock on an object that one unit at a time may change, with a queue. Nothing blocks: a line that
 * needs a locked object sleeps in the queue and is woken when its turn comes. The first in the
 * queue stays first until it has used the lock or left.
 */
#ifndef LUDUS_LOCK_H
#define LUDUS_LOCK_H

#include <stdbool.h>
#include <sys/queue.h>

/* A line that may sleep, in one queue at a time. */
struct waiter {
    struct lock *lock; /* of the queue that it sleeps in; NULL: none */
    TAILQ_ENTRY(waiter) link;
    void (*wake)(void *context); /* the lock is free, and this waiter is next */
    void *context;
};

struct lock {
    const void *owner; /* NULL: free */
    TAILQ_HEAD(waiter_queue, waiter) queue;
};

void lock_init(struct lock *lock);

/* Returns whether the waiter may take the lock now: it is free, and no other waiter is first. */
bool lock_is_free_for(const struct lock *lock, const struct waiter *waiter);

/* Takes a free lock. */
void lock_take(struct lock *lock, const void *owner);

/* Frees the lock and wakes the first in the queue, which stays there until waiter_leave(). */
void lock_release(struct lock *lock);

/* Wakes all waiters and empties the queue, before the object goes away. */
void lock_destroy(struct lock *lock);

/* Puts the waiter to sleep at the end of the queue, unless it is in that queue already. It leaves
 * any other queue. */
void waiter_sleep(struct waiter *waiter, struct lock *lock);

/* Puts a waiter that had the lock, and needs it again, to sleep at the head of the queue. */
void waiter_sleep_first(struct waiter *waiter, struct lock *lock);

/* Removes the waiter from its queue, if it is in one. Wakes the next if the lock is free. */
void waiter_leave(struct waiter *waiter);

#endif
