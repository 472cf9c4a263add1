#include "analysis.h"

#include <math.h>
#include <stdlib.h>

#include "client/bot/eval/eval.h"
#include "client/bot/search/deepening.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum { SOLVER_MB = 32 };

/* For a move that decides nothing. */
static const struct effort short_effort = {.time_ms = INT64_MAX, .nodes = 500};

/* A move is marked for what it takes off its side's chance to win, in percent. */
enum { MISTAKE_PERCENT = 15, BLUNDER_PERCENT = 30 };

enum { CERTAIN = SCORE_WIN - 1000 }; /* values from here on are wins */

static int for_white(const struct position *position, int value)
{
    return position->side == WHITE ? value : -value;
}

/* A position in which the match is over by the rules needs no thought. */
static bool judge_end(struct analysis *analysis, int ply)
{
    const struct position *position = &analysis->positions[ply];
    struct history history = {.keys = analysis->history.keys, .count = ply + 1};
    struct outcome outcome = history_outcome(&history, analysis->game, position);

    if (outcome.result == RESULT_NONE)
        return false;
    analysis->verdicts[ply] = (struct verdict){.eval = outcome.result == RESULT_WHITE   ? SCORE_WIN
                                                       : outcome.result == RESULT_BLACK ? -SCORE_WIN
                                                                                        : 0,
                                               .exact = analysis->game == &clobber,
                                               .deep = true};
    return true;
}

void analysis_open(struct analysis *analysis, const struct pgn_match *match)
{
    size_t count = (size_t)match->plies + 1;
    struct position position = match->start;
    struct cause cause;

    *analysis = (struct analysis){.game = match->game,
                                  .plies = match->plies,
                                  .positions = xcalloc(count, sizeof(struct position)),
                                  .moves = xcalloc(count, sizeof(struct move)),
                                  .verdicts = xcalloc(count, sizeof(struct verdict)),
                                  .forced = xcalloc(count, sizeof(bool))};
    pthread_mutex_init(&analysis->lock, NULL);
    for (int ply = 0; ply <= match->plies; ply++) {
        analysis->positions[ply] = position;
        history_add(&analysis->history, match->game->key(&position));
        if (ply == match->plies || !move_parse(match->game, &position, match->moves[ply].text,
                                               &analysis->moves[ply], &cause))
            break;
        analysis->forced[ply] = match->game->legal(&position, NULL) == 1;
        match->game->apply(&position, analysis->moves[ply]);
    }
    judge_end(analysis, match->plies);
}

static void keep_line(const struct info *info, struct verdict *verdict)
{
    int plies = info->pv_plies < ANALYSIS_LINE_MAX ? info->pv_plies : ANALYSIS_LINE_MAX;

    verdict->line_plies = plies;
    for (int i = 0; i < plies; i++)
        verdict->line[i] = info->pv[i];
}

/* Takes the value for the side to move, unless a deeper search has found one. The first depth of a
 * search that ran out of time has none. */
static void take_report(void *context, const struct info *info)
{
    struct verdict *verdict = context;

    if (info->depth_plies <= verdict->depth_plies)
        return;
    verdict->depth_plies = info->depth_plies;
    verdict->eval = info->score;
    keep_line(info, verdict);
}

/* Searches a position, of which `known` is the history: one ply deep without a limit, then as deep
 * as the effort allows. Values are for the side to move. */
static void search(const struct analysis *analysis, struct judge *judge,
                   const struct position *position, const struct history *known,
                   const struct effort *effort, const atomic_bool *stop, struct verdict *verdict)
{
    struct question question = {.game = analysis->game,
                                .position = *position,
                                .history = *known,
                                .limits = NO_LIMITS,
                                .tt = &judge->tt,
                                .rng = &judge->rng,
                                .stop = stop,
                                .report = take_report,
                                .context = verdict};
    int64_t begun_ms = clock_ms();

    if (judge->tt.megabytes == 0)
        tt_resize(&judge->tt, TT_MB);
    if (verdict->depth_plies == 0) {
        question.limits.depth_plies = 1;
        search_think(&question, &(struct skill){.nodes = 0});
        question.limits.depth_plies = INT_MAX;
    }
    question.limits.nodes = effort->nodes;
    if (effort->time_ms != INT64_MAX)
        question.limits.deadline_ms = begun_ms + effort->time_ms;
    search_think(&question, &(struct skill){.nodes = 0});
}

/* A forced move tells nothing: what counts is the first position behind it that leaves a choice. */
static struct verdict verdict_of(struct analysis *analysis, int ply)
{
    int from = ply;

    while (analysis->forced[ply])
        ply++;
    pthread_mutex_lock(&analysis->lock);
    struct verdict verdict = analysis->verdicts[ply], own = verdict;
    pthread_mutex_unlock(&analysis->lock);
    own.line_plies = 0;
    if (abs(own.eval) >= CERTAIN)
        own.eval += own.eval > 0 ? from - ply : ply - from;
    while (from < ply && own.line_plies < ANALYSIS_LINE_MAX)
        own.line[own.line_plies++] = analysis->moves[from++];
    for (int i = 0; i < verdict.line_plies && own.line_plies < ANALYSIS_LINE_MAX; i++)
        own.line[own.line_plies++] = verdict.line[i];
    return own;
}

static bool solve(struct judge *judge, const struct position *position, const struct effort *effort,
                  const atomic_bool *stop, struct solve_answer *answer)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS, .stop = stop};

    if (judge->solver == NULL)
        judge->solver = solver_new((size_t)SOLVER_MB << 20, 1, false);
    request.limits.nodes = effort->nodes;
    if (effort->time_ms != INT64_MAX)
        request.limits.deadline_ms = clock_ms() + effort->time_ms / 2;
    return judge->solver != NULL && solver_solve(judge->solver, &request, answer) == SOLVE_DONE;
}

/* Adds the next move to the line of a won position: the winner's by the solver, the loser's by a
 * short search. Returns false if there is none. */
static bool extend(const struct analysis *analysis, struct judge *judge,
                   const struct position *position, const atomic_bool *stop,
                   struct verdict *verdict)
{
    static const struct effort sure = {.time_ms = INT64_MAX, .nodes = 20000};
    struct verdict next = {.line_plies = 0};
    struct solve_answer answer;

    if (verdict->line_plies == ANALYSIS_LINE_MAX || analysis->game->legal(position, NULL) == 0)
        return false;
    if (verdict->line_plies % 2 == 1)
        search(analysis, judge, position, &(struct history){.count = 0}, &short_effort, stop,
               &next);
    else if (solve(judge, position, &sure, stop, &answer) && answer.wins)
        next.line[0] = answer.move;
    else
        return false;
    verdict->line[verdict->line_plies++] = next.line[0];
    return true;
}

/* Completes the verdict on a position whose winner is proven. Each move leaves fewer, so a win
 * takes at most as many plies as there are moves. */
static void note_proof(const struct analysis *analysis, struct judge *judge,
                       const struct position *before, const struct move *winning,
                       const atomic_bool *stop, struct verdict *verdict)
{
    struct position position = *before;
    int value = SCORE_WIN - analysis->game->legal(before, NULL);

    if (winning == NULL) {
        /* Every move loses: the search finds one that makes it hard. */
        if (verdict->line_plies == 0)
            search(analysis, judge, before, &(struct history){.count = 0}, &short_effort, stop,
                   verdict);
        verdict->eval = -value;
    } else {
        verdict->line[0] = *winning;
        verdict->line_plies = 1;
        do
            analysis->game->apply(&position, verdict->line[verdict->line_plies - 1]);
        while (extend(analysis, judge, &position, stop, verdict));
        verdict->eval = value;
    }
    verdict->exact = true;
}

/* Proves who wins a position of Clobber, if it can. */
static bool prove(struct analysis *analysis, struct judge *judge, int ply,
                  const struct effort *effort, const atomic_bool *stop, struct verdict *verdict)
{
    const struct position *position = &analysis->positions[ply];
    struct solve_answer answer;

    if (analysis->game != &clobber || !effort->deep)
        return false;
    if (ply < analysis->plies) {
        struct verdict next = verdict_of(analysis, ply + 1);
        if (next.exact && for_white(position, next.eval) > 0) {
            note_proof(analysis, judge, position, &analysis->moves[ply], stop, verdict);
            return true;
        }
    }
    if (!solve(judge, position, effort, stop, &answer))
        return false;
    note_proof(analysis, judge, position, answer.wins ? &answer.move : NULL, stop, verdict);
    return true;
}

void analysis_judge(struct analysis *analysis, struct judge *judge, int ply,
                    const struct effort *effort, const atomic_bool *stop)
{
    const struct position *position = &analysis->positions[ply];
    const struct history known = {.keys = analysis->history.keys, .count = ply + 1};
    struct verdict verdict = verdict_of(analysis, ply);
    struct effort rest = *effort;
    int64_t begun_ms = clock_ms();

    if (analysis->forced[ply] || verdict.deep || (verdict.line_plies > 0 && !effort->deep))
        return;
    verdict.eval = for_white(position, verdict.eval); /* for the side to move */
    if (!prove(analysis, judge, ply, effort, stop, &verdict)) {
        if (rest.time_ms != INT64_MAX)
            rest.time_ms -= clock_ms() - begun_ms;
        search(analysis, judge, position, &known, &rest, stop, &verdict);
    }
    verdict.eval = for_white(position, verdict.eval);
    verdict.deep = effort->deep;
    pthread_mutex_lock(&analysis->lock);
    if (verdict.deep || !analysis->verdicts[ply].deep) /* another thread may have been faster */
        analysis->verdicts[ply] = verdict;
    pthread_mutex_unlock(&analysis->lock);
}

/* The chance of white to win, in percent. */
static double chance_of(int eval)
{
    return 100 / (1 + exp(-eval / 100.0));
}

void analysis_tell(struct analysis *analysis, int ply, struct ply_review *review)
{
    const struct position *position = &analysis->positions[ply];

    *review = (struct ply_review){.verdict = verdict_of(analysis, ply)};
    review->judged = review->verdict.deep || review->verdict.line_plies > 0;
    review->chance = (int)lround(chance_of(review->verdict.eval));
    if (ply == analysis->plies || !review->judged)
        return;
    struct verdict next = verdict_of(analysis, ply + 1);
    if (move_equal(review->verdict.line[0], analysis->moves[ply]) ||
        !(next.deep || next.line_plies > 0))
        return;
    int loss = for_white(position, review->verdict.eval - next.eval);
    if (abs(review->verdict.eval) >= CERTAIN && abs(next.eval) >= CERTAIN && loss < CERTAIN)
        return; /* who wins stays the same: how soon is a bound */
    double percent = chance_of(for_white(position, review->verdict.eval)) -
                     chance_of(for_white(position, next.eval));
    review->loss = loss > 0 ? loss : 0;
    review->mark = percent >= BLUNDER_PERCENT   ? MARK_BLUNDER
                   : percent >= MISTAKE_PERCENT ? MARK_MISTAKE
                                                : MARK_NONE;
}

int analysis_last_win(struct analysis *analysis)
{
    for (int ply = analysis->plies - 1; ply >= 0; ply--) {
        const struct position *position = &analysis->positions[ply];
        struct verdict before = verdict_of(analysis, ply), after = verdict_of(analysis, ply + 1);
        if (before.exact && after.exact && for_white(position, before.eval) > 0 &&
            for_white(position, after.eval) < 0)
            return ply;
    }
    return -1;
}

void analysis_close(struct analysis *analysis)
{
    pthread_mutex_destroy(&analysis->lock);
    history_release(&analysis->history);
    free(analysis->positions);
    free(analysis->moves);
    free(analysis->verdicts);
    free(analysis->forced);
}

void judge_release(struct judge *judge)
{
    solver_free(judge->solver);
    tt_clear(&judge->tt);
}
