#include "turns.h"

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "schedule.h"

/* Runs in the thinker's thread. */
static void take_answer(void *context, struct move move)
{
    struct turns *turns = context;

    turns->answer = move;
    eventfd_write(turns->answered_fd, 1);
}

bool turns_init(struct turns *turns, const struct engine *engine, uint64_t rng)
{
    *turns = (struct turns){.engine = engine, .rng = rng, .tt = {.megabytes = TT_MB}};
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
    tt_clear(&turns->tt);
    close(turns->answered_fd);
}

void turns_think(struct turns *turns)
{
    int64_t now_ms = clock_ms();

    if (turns->thinker.busy)
        return;
    struct plan plan = plan_turns(&turns->seats, NULL, 0, now_ms);
    if (plan.seat == NULL)
        return;
    struct question question = {.game = plan.seat->game,
                                .position = plan.seat->position,
                                .history = plan.seat->history,
                                .limits = plan.limits,
                                .tt = &turns->tt,
                                .threads = turns->threads,
                                .rng = &turns->rng};
    turns->begun_ms = now_ms;
    turns->end_ms = plan.limits.deadline_ms;
    memcpy(turns->match, plan.seat->match, sizeof turns->match);
    thinker_start(&turns->thinker, turns->engine, &question);
}

/* Returns the seat that still waits for the move in question, or NULL. */
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
    if (!turns->thinker.busy)
        return;
    int64_t now_ms = clock_ms();
    const struct seat *seat = seat_asked_about(turns);
    if (seat != NULL) {
        struct plan plan = plan_turns(&turns->seats, seat, turns->begun_ms, now_ms);
        if (plan.limits.deadline_ms < turns->end_ms)
            turns->end_ms = plan.limits.deadline_ms;
    }
    if (seat == NULL || turns->end_ms <= now_ms) {
        turns->end_ms = INT64_MAX;
        thinker_stop(&turns->thinker);
    }
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
    int64_t wake_ms = turns->thinker.busy ? turns->end_ms : INT64_MAX, now_ms = clock_ms();
    const struct seat *seat;

    TAILQ_FOREACH (seat, &turns->seats, link)
        if (seat->owes_move && seat->not_before_ms > now_ms && seat->not_before_ms < wake_ms)
            wake_ms = seat->not_before_ms;
    return wake_ms;
}
