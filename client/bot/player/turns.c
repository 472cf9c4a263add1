#include "turns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "client/bot/search/guide.h"
#include "common/xmalloc.h"

enum {
    MOVE_MS = 1000,     /* for a move in a match without clock */
    AROUND_MOVE_MS = 2, /* what goes by around each thought: messages, a thread */
    MOVES_KEPT = 40 /* so many moves of each who waits can still be made then, without thought */
};

bool seat_read(struct seat *seat, const struct match_state *state, struct cause *cause)
{
    const struct match_clock *clock = &state->clock;

    *seat = (struct seat){.status = state->status,
                          .colors = (unsigned)state->seats[WHITE].mine << WHITE |
                                    (unsigned)state->seats[BLACK].mine << BLACK,
                          .ply = state->ply,
                          .left_ms = -1,
                          .told_ms = clock->told_ms};
    memcpy(seat->match, state->match, sizeof seat->match);
    if (!match_state_parse(state, &seat->game, &seat->position, cause))
        return false;
    if (clock->known)
        seat->left_ms = clock->left_ms[seat->position.side];
    if (clock->increment_ms > 0)
        seat->increment_ms = clock->increment_ms;
    return true;
}

struct seat *seats_find(const struct seats *seats, const char *match)
{
    struct seat *seat;

    TAILQ_FOREACH (seat, seats, link)
        if (strcmp(seat->match, match) == 0)
            return seat;
    return NULL;
}

/* Records the key of the current ply. Plies taken back are dropped; after a gap the history starts
 * over. */
static void record_ply(struct seat *seat)
{
    int plies = seat->ply - seat->first_ply;

    if (plies < 0 || plies > seat->history.count) {
        seat->first_ply = seat->ply;
        plies = 0;
    }
    seat->history.count = plies;
    history_add(&seat->history, seat->game->key(&seat->position));
}

struct seat *seats_update(struct seats *seats, const struct seat *read)
{
    struct seat *seat = seats_find(seats, read->match);
    struct seat old = {.first_ply = read->ply};

    if (seat != NULL) {
        TAILQ_REMOVE(seats, seat, link);
        old = *seat;
    } else {
        seat = xmalloc(sizeof *seat);
    }
    *seat = *read;
    seat->history = old.history;
    seat->first_ply = old.first_ply;
    record_ply(seat);
    seat->owes_move = seat->status == STATE_PLAYING &&
                      (seat->colors & 1u << seat->position.side) != 0 &&
                      seat->game->legal(&seat->position, NULL) > 0;
    TAILQ_INSERT_TAIL(seats, seat, link);
    return seat;
}

void seats_remove(struct seats *seats, struct seat *seat)
{
    TAILQ_REMOVE(seats, seat, link);
    history_release(&seat->history);
    free(seat);
}

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
