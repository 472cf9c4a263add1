#include "lock.h"

#include <assert.h>
#include <stddef.h>

void lock_init(struct lock *lock)
{
    lock->owner = NULL;
    TAILQ_INIT(&lock->queue);
}

bool lock_is_free_for(const struct lock *lock, const struct waiter *waiter)
{
    const struct waiter *first = TAILQ_FIRST(&lock->queue);

    return lock->owner == NULL && (first == NULL || first == waiter);
}

void lock_take(struct lock *lock, const void *owner)
{
    assert(lock->owner == NULL && owner != NULL);
    lock->owner = owner;
}

static void wake_first(const struct lock *lock)
{
    const struct waiter *first = TAILQ_FIRST(&lock->queue);

    if (first != NULL)
        first->wake(first->context);
}

void lock_release(struct lock *lock)
{
    lock->owner = NULL;
    wake_first(lock);
}

void lock_destroy(struct lock *lock)
{
    struct waiter *waiter;

    while ((waiter = TAILQ_FIRST(&lock->queue)) != NULL) {
        TAILQ_REMOVE(&lock->queue, waiter, link);
        waiter->lock = NULL;
        waiter->wake(waiter->context);
    }
}

void waiter_sleep(struct waiter *waiter, struct lock *lock)
{
    if (waiter->lock == lock)
        return;
    waiter_leave(waiter);
    waiter->lock = lock;
    TAILQ_INSERT_TAIL(&lock->queue, waiter, link);
}

void waiter_sleep_first(struct waiter *waiter, struct lock *lock)
{
    waiter_leave(waiter);
    waiter->lock = lock;
    TAILQ_INSERT_HEAD(&lock->queue, waiter, link);
}

void waiter_leave(struct waiter *waiter)
{
    struct lock *lock = waiter->lock;

    if (lock == NULL)
        return;
    TAILQ_REMOVE(&lock->queue, waiter, link);
    waiter->lock = NULL;
    if (lock->owner == NULL)
        wake_first(lock);
}
