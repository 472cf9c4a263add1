#include "turns.h"

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOVE_MS = 1000 }; /* for a move in a match without clock */

/* In the thinker's thread. */
static void take_answer(void *context, struct move move)
{
    struct turns *turns = context;

    turns->answer = move;
    eventfd_write(turns->answered_fd, 1);
}

bool turns_init(struct turns *turns, const struct engine *engine, uint64_t rng)
{
    *turns = (struct turns){.engine = engine, .rng = rng, .memory = {.megabytes = MEMORY_MB}};
    TAILQ_INIT(&turns->seats);
    turns->thinker.done = take_answer;
    turns->thinker.context = turns;
    turns->answered_fd = eventfd(0, EFD_CLOEXEC);
    return turns->answered_fd >= 0;
}

void turns_clear(struct turns *turns)
{
    struct seat *seat;
    struct move move;

    while ((seat = TAILQ_FIRST(&turns->seats)) != NULL)
        seats_remove(&turns->seats, seat);
    if (turns->thinker.busy) {
        thinker_stop(&turns->thinker);
        turns_take(turns, &move);
    }
}

void turns_release(struct turns *turns)
{
    thinker_release(&turns->thinker);
    memory_release(&turns->memory);
    close(turns->answered_fd);
}

/* The first seat that may move; *waiting is the number of all those. */
static const struct seat *first_waiting(const struct turns *turns, int64_t now_ms, int *waiting)
{
    const struct seat *seat, *first = NULL;

    *waiting = 0;
    TAILQ_FOREACH (seat, &turns->seats, link) {
        if (!seat->owes_move || seat->not_before_ms > now_ms)
            continue;
        if (first == NULL)
            first = seat;
        ++*waiting;
    }
    return first;
}

/* The seat's clock has run since its state came. The time of others who wait runs as well, so
 * that each gets its share of this thought. */
static int64_t deadline_ms(const struct seat *seat, int64_t now_ms, int waiting)
{
    int64_t left_ms = seat->left_ms - (now_ms - seat->told_ms), end_ms = now_ms + MOVE_MS;

    if (seat->left_ms >= 0)
        end_ms = clock_deadline_ms(left_ms > 0 ? left_ms : 0, seat->increment_ms);
    return end_ms > now_ms ? now_ms + (end_ms - now_ms) / waiting : now_ms;
}

void turns_think(struct turns *turns)
{
    int64_t now_ms = clock_ms();
    int waiting;

    if (turns->thinker.busy)
        return;
    const struct seat *seat = first_waiting(turns, now_ms, &waiting);
    if (seat == NULL)
        return;
    struct question question = {.game = seat->game,
                                .position = seat->position,
                                .history = seat->history,
                                .limits = NO_LIMITS,
                                .memory = &turns->memory,
                                .rng = &turns->rng};
    question.limits.deadline_ms = deadline_ms(seat, now_ms, waiting);
    memcpy(turns->match, seat->match, sizeof turns->match);
    thinker_start(&turns->thinker, turns->engine, &question);
}

/* The seat that still waits for what the thinker was asked about, or NULL. */
static struct seat *seat_asked_about(const struct turns *turns)
{
    struct seat *seat = seats_find(&turns->seats, turns->match);
    const struct position *asked = &turns->thinker.question.position;

    if (seat == NULL || !seat->owes_move || memcmp(&seat->position, asked, sizeof *asked) != 0)
        return NULL;
    return seat;
}

void turns_check(struct turns *turns)
{
    if (turns->thinker.busy && seat_asked_about(turns) == NULL)
        thinker_stop(&turns->thinker);
}

struct seat *turns_take(struct turns *turns, struct move *move)
{
    eventfd_t count;

    eventfd_read(turns->answered_fd, &count);
    thinker_wait(&turns->thinker);
    struct seat *seat = seat_asked_about(turns);
    if (seat != NULL) {
        *move = turns->answer;
        seat->owes_move = false;
    }
    return seat;
}

int64_t turns_wake_ms(const struct turns *turns)
{
    int64_t wake_ms = INT64_MAX, now_ms = clock_ms();
    const struct seat *seat;

    TAILQ_FOREACH (seat, &turns->seats, link)
        if (seat->owes_move && seat->not_before_ms > now_ms && seat->not_before_ms < wake_ms)
            wake_ms = seat->not_before_ms;
    return wake_ms;
}
