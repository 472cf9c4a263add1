#include "clobber_crew.h"

void crew_init(struct crew *crew)
{
    *crew = (struct crew){.newest = NULL};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
}

void crew_release(struct crew *crew)
{
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->changed);
}

static void lock(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
}

static void unlock(struct crew *crew)
{
    pthread_mutex_unlock(&crew->lock);
}

/* Unlocks, after a change that threads may wait for. */
static void unlock_and_wake(struct crew *crew)
{
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
}

void crew_begin(struct crew *crew)
{
    crew->newest = NULL;
    atomic_store(&crew->is_over, false);
}

void crew_end(struct crew *crew)
{
    lock(crew);
    atomic_store(&crew->is_over, true);
    unlock_and_wake(crew);
}

bool crew_is_over(const struct crew *crew)
{
    return crew != NULL && atomic_load(&crew->is_over);
}

bool meeting_is_decided(const struct meeting *meeting)
{
    for (; meeting != NULL; meeting = meeting->above)
        if (atomic_load_explicit(&meeting->won, memory_order_relaxed))
            return true;
    return false;
}

void crew_open(struct crew *crew, struct meeting *meeting)
{
    lock(crew);
    meeting->older = crew->newest;
    crew->newest = meeting;
    unlock_and_wake(crew);
}

const struct child *crew_take(struct crew *crew, struct meeting *meeting)
{
    lock(crew);
    const struct child *child =
        meeting->next < meeting->count ? &meeting->children[meeting->next++] : NULL;
    unlock(crew);
    return child;
}

static bool is_below(const struct meeting *meeting, const struct meeting *other)
{
    while (meeting != NULL && meeting != other)
        meeting = meeting->above;
    return meeting == other;
}

/* Copies the next child of a meeting point, for a thread with these values. */
static bool copy_next(const struct meeting *meeting, struct sums *sums, struct child *child)
{
    if (meeting->next == meeting->count || meeting_is_decided(meeting))
        return false;
    *child = meeting->children[meeting->next];
    return sum_brief_copy(sums, &child->brief, meeting->sums);
}

static struct meeting *find_work(struct crew *crew, const struct meeting *within, struct sums *sums,
                                 struct child *child)
{
    struct meeting *meeting = crew->newest;

    while (meeting != NULL && !(is_below(meeting, within) && copy_next(meeting, sums, child)))
        meeting = meeting->older;
    return meeting;
}

struct meeting *crew_join(struct crew *crew, const struct meeting *within, struct sums *sums,
                          struct child *child)
{
    struct meeting *meeting = NULL;

    lock(crew);
    while (!crew_is_over(crew) &&
           (within == NULL || (within->helpers > 0 && !meeting_is_decided(within))) &&
           (meeting = find_work(crew, within, sums, child)) == NULL)
        pthread_cond_wait(&crew->changed, &crew->lock);
    if (meeting != NULL) {
        meeting->next++;
        meeting->helpers++;
    }
    unlock(crew);
    return meeting;
}

void crew_leave(struct crew *crew, struct meeting *meeting, bool won)
{
    lock(crew);
    meeting->helpers--;
    if (won)
        atomic_store(&meeting->won, true);
    unlock_and_wake(crew);
}

/* Takes a meeting point from the list of the open ones. */
static void drop(struct crew *crew, const struct meeting *meeting)
{
    struct meeting **link = &crew->newest;

    while (*link != meeting)
        link = &(*link)->older;
    *link = meeting->older;
}

bool crew_close(struct crew *crew, struct meeting *meeting, bool won)
{
    lock(crew);
    drop(crew, meeting);
    if (won)
        atomic_store(&meeting->won, true);
    pthread_cond_broadcast(&crew->changed);
    while (meeting->helpers > 0)
        pthread_cond_wait(&crew->changed, &crew->lock);
    unlock(crew);
    return atomic_load(&meeting->won);
}
