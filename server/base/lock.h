/*
 * A lock on an object that one unit at a time may change, with a queue. Nothing blocks: a line that
 * needs a locked object sleeps in the queue and is woken when its turn comes. The first in the
 * queue stays first until it has used the lock or left.
 */
#ifndef LUDUS_LOCK_H
#define LUDUS_LOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
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

static inline void lock_init(struct lock *lock)
{
    lock->owner = NULL;
    TAILQ_INIT(&lock->queue);
}

/* Returns whether the waiter may take the lock now: it is free, and no other waiter is first. */
static inline bool lock_is_free_for(const struct lock *lock, const struct waiter *waiter)
{
    const struct waiter *first = TAILQ_FIRST(&lock->queue);

    return lock->owner == NULL && (first == NULL || first == waiter);
}

/* Takes a free lock. */
static inline void lock_take(struct lock *lock, const void *owner)
{
    assert(lock->owner == NULL && owner != NULL);
    lock->owner = owner;
}

static inline void lock_wake_first(const struct lock *lock)
{
    const struct waiter *first = TAILQ_FIRST(&lock->queue);

    if (first != NULL)
        first->wake(first->context);
}

/* Frees the lock and wakes the first in the queue, which stays there until waiter_leave(). */
static inline void lock_release(struct lock *lock)
{
    lock->owner = NULL;
    lock_wake_first(lock);
}

/* Wakes all waiters and empties the queue, before the object goes away. */
static inline void lock_destroy(struct lock *lock)
{
    struct waiter *waiter;

    while ((waiter = TAILQ_FIRST(&lock->queue)) != NULL) {
        TAILQ_REMOVE(&lock->queue, waiter, link);
        waiter->lock = NULL;
        waiter->wake(waiter->context);
    }
}

/* Removes the waiter from its queue, if it is in one. Wakes the next if the lock is free. */
static inline void waiter_leave(struct waiter *waiter)
{
    struct lock *lock = waiter->lock;

    if (lock == NULL)
        return;
    TAILQ_REMOVE(&lock->queue, waiter, link);
    waiter->lock = NULL;
    if (lock->owner == NULL)
        lock_wake_first(lock);
}

/* Puts the waiter to sleep at the end of the queue, unless it is in that queue already. It leaves
 * any other queue. */
static inline void waiter_sleep(struct waiter *waiter, struct lock *lock)
{
    if (waiter->lock == lock)
        return;
    waiter_leave(waiter);
    waiter->lock = lock;
    TAILQ_INSERT_TAIL(&lock->queue, waiter, link);
}

/* Puts a waiter that had the lock, and needs it again, to sleep at the head of the queue. */
static inline void waiter_sleep_first(struct waiter *waiter, struct lock *lock)
{
    waiter_leave(waiter);
    waiter->lock = lock;
    TAILQ_INSERT_HEAD(&lock->queue, waiter, link);
}

#endif
