#include "schedule.h"

#include <stdlib.h>

#include "client/bot/search/guide.h"
#include "common/xmalloc.h"

enum {
    MOVE_MS = 1000,     /* for a move in a match without clock */
    AROUND_MOVE_MS = 2, /* what goes by around each thought: messages, a thread */
    MOVES_KEPT = 40 /* so many moves of each who waits can still be made then, without thought */
};

/* A seat that waits for a move. */
struct turn {
    const struct seat *seat;
    int64_t due_ms; /* when its move is due, by clock_ms() */
    struct clock_share share;
};

/* Returns what one move of the seat may take while so many wait. */
static struct clock_share share_of(const struct seat *seat, int64_t at_ms, int waiting)
{
    if (seat->left_ms < 0)
        return (struct clock_share){MOVE_MS, MOVE_MS};
    int64_t kept_ms = (int64_t)AROUND_MOVE_MS * MOVES_KEPT * (waiting - 1);
    int64_t left_ms = seat->left_ms - (at_ms - seat->told_ms) - kept_ms;
    return clock_share(left_ms > 0 ? left_ms : 0, seat->increment_ms,
                       guide_moves(seat->game, &seat->position));
}

static bool waits(const struct seat *seat, int64_t now_ms)
{
    return seat->owes_move && seat->not_before_ms <= now_ms;
}

static int by_due(const void *a, const void *b)
{
    const struct turn *one = a, *other = b;

    return (one->due_ms > other->due_ms) - (one->due_ms < other->due_ms);
}

static int count_waiting(const struct seats *seats, int64_t now_ms)
{
    const struct seat *seat;
    int count = 0;

    TAILQ_FOREACH (seat, seats, link)
        count += waits(seat, now_ms);
    return count;
}

/* Lists the waiting seats by due time. The caller frees the list. */
static struct turn *list_turns(const struct seats *seats, const struct seat *thinking,
                               int64_t now_ms, int waiting)
{
    struct turn *turns = xcalloc((size_t)waiting, sizeof *turns);
    const struct seat *seat;
    int count = 0;

    TAILQ_FOREACH (seat, seats, link) {
        if (!waits(seat, now_ms))
            continue;
        int64_t due_ms = seat->told_ms + share_of(seat, seat->told_ms, 1).target_ms;
        turns[count++] = (struct turn){.seat = seat,
                                       .due_ms = seat == thinking ? INT64_MIN : due_ms,
                                       .share = share_of(seat, now_ms, waiting)};
    }
    qsort(turns, (size_t)count, sizeof *turns, by_due);
    return turns;
}

/* Returns the longest time that every waiting move can take with all of them in time. Seats without
 * a clock can wait. */
static int64_t fair_share_ms(const struct turn *turns, int count)
{
    int64_t share_ms = turns[0].share.target_ms;

    if (turns[0].seat->left_ms < 0)
        share_ms /= count;
    for (int i = 0; i < count; i++) {
        int64_t most_ms = turns[i].share.target_ms / (i + 1);
        if (turns[i].seat->left_ms >= 0 && most_ms < share_ms)
            share_ms = most_ms;
    }
    return share_ms;
}

struct plan plan_turns(const struct seats *seats, const struct seat *thinking, int64_t begun_ms,
                       int64_t now_ms)
{
    int waiting = count_waiting(seats, now_ms);
    struct plan plan = {.seat = NULL, .limits = NO_LIMITS};
    int64_t from_ms = thinking != NULL ? begun_ms : now_ms;

    if (waiting == 0)
        return plan;
    struct turn *turns = list_turns(seats, thinking, now_ms, waiting);
    int64_t share_ms = fair_share_ms(turns, waiting);
    plan.seat = turns[0].seat;
    plan.limits.target_ms = from_ms + share_ms;
    plan.limits.deadline_ms = from_ms + (waiting > 1 ? share_ms : turns[0].share.most_ms);
    free(turns);
    return plan;
}
