#include "turns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "client/games/guide.h"
#include "common/xmalloc.h"

enum {
    MOVE_MS = 1000,     /* for a move in a match without clock */
    AROUND_MOVE_MS = 2, /* what goes by around each thought: messages, a thread */
    MOVES_KEPT = 40     /* time is kept for this many moves without thought in each match */
};

/* A match that waits for a move. */
struct turn {
    const struct bot_match *match;
    int64_t due_ms; /* when its move is due, by clock_ms() */
    struct clock_share share;
};

/* Returns what one move of the match may take while `waiting` matches wait. */
static struct clock_share share_of(const struct bot_match *match, int64_t at_ms, int waiting)
{
    const struct match_clock *clock = &match->clock;
    const struct position *position = &match->course.position;

    if (!clock->known)
        return (struct clock_share){MOVE_MS, MOVE_MS};
    int64_t kept_ms = (int64_t)AROUND_MOVE_MS * MOVES_KEPT * (waiting - 1);
    int64_t left_ms = clock->left_ms[position->side] - (at_ms - clock->told_ms) - kept_ms;
    int64_t increment_ms = clock->increment_ms > 0 ? clock->increment_ms : 0;
    return clock_share(left_ms > 0 ? left_ms : 0, increment_ms, guide_moves(match->game, position),
                       SERVER_OVERHEAD_MS);
}

static int by_due(const void *a, const void *b)
{
    const struct turn *one = a, *other = b;

    return (one->due_ms > other->due_ms) - (one->due_ms < other->due_ms);
}

/* Lists the waiting matches by due time. The caller frees the list. */
static struct turn *list_turns(const struct bot_match_list *matches,
                               const struct bot_match *thinking, int64_t now_ms, int waiting)
{
    struct turn *turns = xcalloc((size_t)waiting, sizeof *turns);
    const struct bot_match *match;
    int count = 0;

    TAILQ_FOREACH (match, matches, link) {
        if (!bot_match_waits(match))
            continue;
        int64_t told_ms = match->clock.told_ms;
        int64_t due_ms = told_ms + share_of(match, told_ms, 1).target_ms;
        turns[count++] = (struct turn){.match = match,
                                       .due_ms = match == thinking ? INT64_MIN : due_ms,
                                       .share = share_of(match, now_ms, waiting)};
    }
    qsort(turns, (size_t)count, sizeof *turns, by_due);
    return turns;
}

/* Returns the longest time that every waiting move can take with all of them in time. Matches
 * without a clock can wait. */
static int64_t fair_share_ms(const struct turn *turns, int count)
{
    int64_t share_ms = turns[0].share.target_ms;

    if (!turns[0].match->clock.known)
        share_ms /= count;
    for (int i = 0; i < count; i++) {
        int64_t most_ms = turns[i].share.target_ms / (i + 1);
        if (turns[i].match->clock.known && most_ms < share_ms)
            share_ms = most_ms;
    }
    return share_ms;
}

struct turn_plan plan_turns(const struct bot_match_list *matches, const struct bot_match *thinking,
                            int64_t begun_ms, int64_t now_ms)
{
    const struct bot_match *match;
    int count = 0;
    TAILQ_FOREACH (match, matches, link)
        count += bot_match_waits(match);
    int waiting = count;
    struct turn_plan plan = {.match = NULL, .limits = NO_LIMITS};
    int64_t from_ms = thinking != NULL ? begun_ms : now_ms;

    if (waiting == 0)
        return plan;
    struct turn *turns = list_turns(matches, thinking, now_ms, waiting);
    int64_t share_ms = fair_share_ms(turns, waiting);
    plan.match = turns[0].match;
    plan.limits.target_ms = from_ms + share_ms;
    plan.limits.deadline_ms = from_ms + (waiting > 1 ? share_ms : turns[0].share.most_ms);
    free(turns);
    return plan;
}

/* Runs in the thinker's thread: the last report is about the answer. */
static void keep_thought(void *context, const struct info *info)
{
    struct turns *turns = context;
    int plies = info->pv_plies < BOT_PV_MAX ? info->pv_plies : BOT_PV_MAX;

    turns->thought =
        (struct bot_thought){.has_eval = true, .eval_cp = info->score, .pv_plies = plies};
    memcpy(turns->thought.pv, info->pv, (size_t)plies * sizeof info->pv[0]);
}

/* Runs in the thinker's thread. */
static void keep_answer(void *context, struct move move)
{
    struct turns *turns = context;

    turns->answer = move;
    eventfd_write(turns->answered_fd, 1);
}

bool turns_init(struct turns *turns, const struct engine *engine, uint64_t rng,
                const struct bot_match_list *matches)
{
    *turns = (struct turns){
        .engine = engine, .rng = rng, .tt = {.megabytes = TT_MB}, .matches = matches};
    turns->thinker.done = keep_answer;
    turns->thinker.context = turns;
    turns->answered_fd = eventfd(0, EFD_CLOEXEC);
    return turns->answered_fd >= 0;
}

void turns_release(struct turns *turns)
{
    thinker_stop(&turns->thinker);
    thinker_wait(&turns->thinker);
    thinker_release(&turns->thinker);
    history_release(&turns->history);
    tt_clear(&turns->tt);
    close(turns->answered_fd);
}

void turns_think(struct turns *turns)
{
    int64_t now_ms = clock_ms();

    if (turns->thinker.busy)
        return;
    struct turn_plan plan = plan_turns(turns->matches, NULL, 0, now_ms);
    if (plan.match == NULL)
        return;
    /* List the keys of the positions in the course, to see repetitions. */
    struct position position = plan.match->course.start;
    turns->history.count = 0;
    history_add(&turns->history, plan.match->course.game->key(&position));
    for (int i = 0; i < plan.match->course.count; i++) {
        plan.match->course.game->apply(&position, plan.match->course.moves[i]);
        history_add(&turns->history, plan.match->course.game->key(&position));
    }
    struct search_question question = {.game = plan.match->game,
                                       .position = plan.match->course.position,
                                       .history = turns->history,
                                       .limits = plan.limits,
                                       .tt = &turns->tt,
                                       .threads = turns->threads,
                                       .rng = &turns->rng,
                                       .report = keep_thought,
                                       .context = turns};
    turns->thought = (struct bot_thought){.pv_plies = 0};
    turns->begun_ms = now_ms;
    turns->end_ms = plan.limits.deadline_ms;
    memcpy(turns->match, plan.match->id, sizeof turns->match);
    thinker_start(&turns->thinker, turns->engine, &question);
}

/* Returns the match that still waits for the move in question, or NULL. */
static struct bot_match *match_asked_about(const struct turns *turns)
{
    struct bot_match *match = bot_match_find(turns->matches, turns->match);
    const struct position *asked = &turns->thinker.question.position;

    if (match == NULL || !bot_match_waits(match) ||
        memcmp(&match->course.position, asked, sizeof *asked) != 0)
        return NULL;
    return match;
}

void turns_check(struct turns *turns)
{
    if (!turns->thinker.busy)
        return;
    int64_t now_ms = clock_ms();
    const struct bot_match *match = match_asked_about(turns);
    if (match != NULL) {
        struct turn_plan plan = plan_turns(turns->matches, match, turns->begun_ms, now_ms);
        if (plan.limits.deadline_ms < turns->end_ms)
            turns->end_ms = plan.limits.deadline_ms;
    }
    if (match == NULL || turns->end_ms <= now_ms) {
        turns->end_ms = INT64_MAX;
        thinker_stop(&turns->thinker);
    }
}

struct bot_match *turns_fetch(struct turns *turns, struct move *move)
{
    eventfd_t count;

    eventfd_read(turns->answered_fd, &count);
    thinker_wait(&turns->thinker);
    *move = turns->answer;
    return match_asked_about(turns);
}

int64_t turns_due_ms(const struct turns *turns)
{
    return turns->thinker.busy ? turns->end_ms : INT64_MAX;
}
