#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/search/tree.h"
#include "client/games/guide.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum { SOLVER_MB = 32 };

/* For a move that decides nothing. */
static const struct effort short_effort = {.time_ms = INT64_MAX, .nodes = 500};

/* A move is marked for what it takes off its side's chance to win, in percent, or off the value,
 * which tells more where the chance is near its end. Values count up to CLEAR then. A move that
 * loses what was lost is no blunder. */
enum { MISTAKE_PERCENT = 15, BLUNDER_PERCENT = 30, MISTAKE_LOSS = 300, BLUNDER_LOSS = 700 };
enum { CLEAR = 800 };

/* Positions in a row that the solver may fail at before it is not asked about earlier ones. */
enum { FAILURES_MAX = 4 };

/* A move that looked best and lost DOUBT is a mistake only if a search of MUCH_DEEPER times the
 * nodes finds a better one: players may have had it as a hint. */
enum { DOUBT = 50, MUCH_DEEPER = 8 };

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

/* Takes the value for the side to move, unless a deeper search has found one. The first depth of a
 * search that ran out of time has none. */
static void keep_report(void *context, const struct info *info)
{
    struct verdict *verdict = context;

    if (info->depth_plies <= verdict->depth_plies)
        return;
    verdict->depth_plies = info->depth_plies;
    verdict->eval = info->score;
    int plies = info->pv_plies < ANALYSIS_LINE_MAX ? info->pv_plies : ANALYSIS_LINE_MAX;
    verdict->line_plies = plies;
    for (int i = 0; i < plies; i++)
        verdict->line[i] = info->pv[i];
}

/* Searches a position, of which `known` is the history, for a move other than `without` (NULL:
 * any): one ply deep without a limit, then as deep as the effort allows. Values are for the side to
 * move.
 */
static void search_position(const struct analysis *analysis, struct judge *judge,
                            const struct position *position, const struct history *known,
                            const struct move *without, const struct effort *effort,
                            const atomic_bool *stop, struct verdict *verdict)
{
    static const struct skill steady = {.steady = true};
    struct search_question question = {.game = analysis->game,
                                       .position = *position,
                                       .history = *known,
                                       .limits = NO_LIMITS,
                                       .tt = &judge->tt,
                                       .rng = &judge->rng,
                                       .without = without,
                                       .stop = stop,
                                       .report = keep_report,
                                       .context = verdict};
    int64_t begun_ms = clock_ms();

    if (judge->tt.megabytes == 0)
        tt_resize(&judge->tt, TT_MB);
    if (verdict->depth_plies == 0) {
        question.limits.depth_plies = 1;
        search_think(&question, &steady);
        question.limits.depth_plies = INT_MAX;
    }
    question.limits.nodes = effort->nodes;
    if (effort->time_ms != INT64_MAX)
        question.limits.deadline_ms = begun_ms + effort->time_ms;
    search_think(&question, &steady);
}

static struct verdict load_verdict(struct analysis *analysis, int ply)
{
    pthread_mutex_lock(&analysis->lock);
    struct verdict verdict = analysis->verdicts[ply];
    pthread_mutex_unlock(&analysis->lock);
    return verdict;
}

/* Keeps a verdict, unless another thread has found out more. */
static void keep_verdict(struct analysis *analysis, int ply, const struct verdict *verdict)
{
    struct verdict *kept = &analysis->verdicts[ply];

    pthread_mutex_lock(&analysis->lock);
    if (verdict->exact || (!kept->exact && (verdict->deep || !kept->deep)))
        *kept = *verdict;
    pthread_mutex_unlock(&analysis->lock);
}

/* A forced move tells nothing: what counts is the first position behind it that leaves a choice. */
static struct verdict verdict_of(struct analysis *analysis, int ply)
{
    int from = ply;

    while (analysis->forced[ply])
        ply++;
    struct verdict verdict = load_verdict(analysis, ply), own = verdict;
    own.line_plies = 0;
    if (abs(own.eval) >= CERTAIN)
        own.eval += own.eval > 0 ? from - ply : ply - from;
    while (from < ply && own.line_plies < ANALYSIS_LINE_MAX)
        own.line[own.line_plies++] = analysis->moves[from++];
    for (int i = 0; i < verdict.line_plies && own.line_plies < ANALYSIS_LINE_MAX; i++)
        own.line[own.line_plies++] = verdict.line[i];
    return own;
}

static bool solve_position(struct judge *judge, const struct position *position,
                           const struct effort *effort, const atomic_bool *stop,
                           struct solve_answer *answer)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS, .stop = stop};

    if (judge->solver == NULL)
        judge->solver = solver_new((size_t)SOLVER_MB << 20, false);
    request.limits.nodes = effort->proof_nodes;
    if (effort->time_ms != INT64_MAX)
        request.limits.deadline_ms = clock_ms() + effort->time_ms / 2;
    return judge->solver != NULL && solver_solve(judge->solver, &request, answer) == SOLVE_DONE;
}

/* Adds the next move to the line of a won position: the winner's by the solver, the loser's by a
 * short search. Returns false if there is none. */
static bool extend_line(const struct analysis *analysis, struct judge *judge,
                        const struct position *position, const atomic_bool *stop,
                        struct verdict *verdict)
{
    static const struct effort sure = {.time_ms = INT64_MAX, .proof_nodes = 20000};
    struct verdict next = {.line_plies = 0};
    struct solve_answer answer;

    if (verdict->line_plies == ANALYSIS_LINE_MAX || analysis->game->legal(position, NULL) == 0)
        return false;
    if (verdict->line_plies % 2 == 1)
        search_position(analysis, judge, position, &(struct history){.count = 0}, NULL,
                        &short_effort, stop, &next);
    else if (solve_position(judge, position, &sure, stop, &answer) && answer.wins)
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
        search_position(analysis, judge, before, &(struct history){.count = 0}, NULL, &short_effort,
                        stop, verdict);
        verdict->eval = -value;
    } else {
        verdict->line[0] = *winning;
        verdict->line_plies = 1;
        do
            analysis->game->apply(&position, verdict->line[verdict->line_plies - 1]);
        while (extend_line(analysis, judge, &position, stop, verdict));
        verdict->eval = value;
    }
    verdict->exact = true;
}

/* Proves who wins a position, if it can. */
static bool prove_ply(struct analysis *analysis, struct judge *judge, int ply,
                      const struct effort *effort, const atomic_bool *stop, struct verdict *verdict)
{
    const struct position *position = &analysis->positions[ply];
    struct solve_answer answer;

    if (ply < analysis->plies) {
        struct verdict next = verdict_of(analysis, ply + 1);
        if (next.exact && for_white(position, next.eval) > 0) {
            note_proof(analysis, judge, position, &analysis->moves[ply], stop, verdict);
            return true;
        }
    }
    if (!solve_position(judge, position, effort, stop, &answer))
        return false;
    note_proof(analysis, judge, position, answer.wins ? &answer.move : NULL, stop, verdict);
    return true;
}

void analysis_prove(struct analysis *analysis, const struct effort *effort, const atomic_bool *stop,
                    analysis_teller *tell, void *context)
{
    struct judge judge = {.rng = 1}; /* of its own: nothing else changes what it knows */
    int failures = 0;

    if (analysis->game != &clobber || effort->proof_nodes == 0)
        return;
    for (int ply = analysis->plies; ply >= 0 && failures < FAILURES_MAX; ply--) {
        struct verdict verdict = {.deep = true};
        if (analysis->forced[ply] || load_verdict(analysis, ply).exact)
            continue;
        failures++;
        if (!prove_ply(analysis, &judge, ply, effort, stop, &verdict))
            continue;
        failures = 0;
        verdict.eval = for_white(&analysis->positions[ply], verdict.eval);
        keep_verdict(analysis, ply, &verdict);
        if (tell != NULL)
            tell(context, ply);
    }
    judge_release(&judge);
}

/* Searches with tools that know nothing of other positions, so that the order does not matter. */
static void search_ply(struct analysis *analysis, struct judge *judge, int ply,
                       const struct move *without, const struct effort *effort,
                       const atomic_bool *stop, struct verdict *verdict)
{
    const struct position *position = &analysis->positions[ply];
    const struct history known = {.keys = analysis->history.keys, .count = ply + 1};

    tt_clear(&judge->tt);
    judge->rng = 1;
    *verdict = (struct verdict){.deep = effort->deep};
    search_position(analysis, judge, position, &known, without, effort, stop, verdict);
    verdict->eval = for_white(position, verdict->eval);
}

void analysis_judge(struct analysis *analysis, struct judge *judge, int ply,
                    const struct effort *effort, const atomic_bool *stop)
{
    struct verdict verdict = load_verdict(analysis, ply);

    if (analysis->forced[ply] || verdict.deep || (verdict.line_plies > 0 && !effort->deep))
        return;
    search_ply(analysis, judge, ply, NULL, effort, stop, &verdict);
    keep_verdict(analysis, ply, &verdict);
}

/* ---- Making verdicts agree ---- */

static bool is_certain(const struct verdict *verdict)
{
    return abs(verdict->eval) >= CERTAIN;
}

/* The first position behind a move that leaves a choice. */
static int next_choice(const struct analysis *analysis, int ply)
{
    do
        ply++;
    while (analysis->forced[ply]);
    return ply;
}

/* Hands what is certain of a position on to the next one, if its move keeps it: a winning one, or
 * any move of a side that is lost. */
static void hand_on(struct analysis *analysis, int ply)
{
    const struct verdict *verdict = &analysis->verdicts[ply];
    int next = next_choice(analysis, ply), plies = next - ply;
    struct verdict *after = &analysis->verdicts[next];
    bool wins = for_white(&analysis->positions[ply], verdict->eval) > 0;
    bool follows = !verdict->guessed && verdict->line_plies > 0 &&
                   move_equal(verdict->line[0], analysis->moves[ply]);

    if (!is_certain(verdict) || (wins && !follows) || after->exact ||
        (is_certain(after) && ((after->eval > 0) != (verdict->eval > 0) || !verdict->exact)))
        return;
    for (int i = 1; i < plies && follows; i++)
        follows = i < verdict->line_plies && move_equal(verdict->line[i], analysis->moves[ply + i]);
    after->eval = verdict->eval > 0 ? verdict->eval + plies : verdict->eval - plies;
    after->exact = verdict->exact;
    after->guessed = !(follows && verdict->line_plies > plies);
    if (after->guessed)
        return;
    after->line_plies = verdict->line_plies - plies;
    memcpy(after->line, verdict->line + plies, (size_t)after->line_plies * sizeof after->line[0]);
}

/* What the move played in a position made of it, by what is known of the next one. */
static struct verdict verdict_of_move(struct analysis *analysis, int ply)
{
    struct verdict next = verdict_of(analysis, ply + 1), played = next;

    if (is_certain(&next))
        played.eval += next.eval > 0 ? -1 : 1;
    played.line[0] = analysis->moves[ply];
    played.line_plies = next.line_plies < ANALYSIS_LINE_MAX ? next.line_plies + 1 : next.line_plies;
    memcpy(played.line + 1, next.line, (size_t)(played.line_plies - 1) * sizeof next.line[0]);
    played.exact = next.exact && for_white(&analysis->positions[ply], next.eval) > 0;
    return played;
}

/* Gives a position at least the value of the move played. If that move was thought best and made
 * less of it, a deeper search may find another one. */
static void take_back(struct analysis *analysis, struct judge *judge, int ply,
                      const struct effort *effort, const atomic_bool *stop)
{
    const struct position *position = &analysis->positions[ply];
    const struct move *move = &analysis->moves[ply];
    struct verdict *verdict = &analysis->verdicts[ply];
    struct verdict played = verdict_of_move(analysis, ply), other;
    bool follows = verdict->line_plies > 0 && move_equal(verdict->line[0], *move);
    bool is_sure = verdict->exact || verdict->guessed;
    int worse = for_white(position, verdict->eval - played.eval);
    struct effort deeper = *effort;

    if (effort->nodes < UINT64_MAX / MUCH_DEEPER)
        deeper.nodes = effort->nodes * MUCH_DEEPER;
    if (follows && worse >= DOUBT && !is_sure) {
        search_ply(analysis, judge, ply, NULL, &deeper, stop, &other);
        if (other.line_plies > 0 && !move_equal(other.line[0], *move)) {
            *verdict = other;
            follows = false;
            worse = for_white(position, verdict->eval - played.eval);
        }
    } else if (follows && worse >= DOUBT && verdict->guessed) {
        search_ply(analysis, judge, ply, move, effort, stop, &other);
        memcpy(verdict->line, other.line, sizeof other.line);
        verdict->line_plies = other.line_plies;
        verdict->depth_plies = other.depth_plies;
        follows = false;
        worse = for_white(position, verdict->eval - played.eval);
    }
    if (is_sure ? worse >= 0 : worse > 0 && !follows)
        return;
    if (verdict->exact) {
        verdict->eval =
            played.eval; /* a closer bound of the same end, which says nothing of moves */
        return;
    }
    played.depth_plies = verdict->depth_plies;
    played.deep = verdict->deep;
    *verdict = played;
}

void analysis_settle(struct analysis *analysis, const struct effort *effort,
                     const atomic_bool *stop)
{
    struct judge judge = {.rng = 1};

    for (int ply = 0; ply < analysis->plies; ply++)
        if (!analysis->forced[ply])
            hand_on(analysis, ply);
    for (int ply = analysis->plies - 1; ply >= 0; ply--)
        if (!analysis->forced[ply])
            take_back(analysis, &judge, ply, effort, stop);
    judge_release(&judge);
}

/* ---- Telling ---- */

/* The chance of white to win, in percent. */
static double chance_of(int eval)
{
    return 100 / (1 + exp(-eval / 100.0));
}

static int up_to_clear(int value)
{
    return value > CLEAR ? CLEAR : value < -CLEAR ? -CLEAR : value;
}

/* The mark of a move, by the values before and after it for its side. */
static int mark_of(int before, int after)
{
    double percent = chance_of(before) - chance_of(after);
    int loss = up_to_clear(before) - up_to_clear(after);

    if (percent >= BLUNDER_PERCENT || (loss >= BLUNDER_LOSS && before >= 0))
        return MARK_BLUNDER;
    return percent >= MISTAKE_PERCENT || loss >= MISTAKE_LOSS ? MARK_MISTAKE : MARK_NONE;
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
    review->loss = loss > 0 ? loss : 0;
    review->mark =
        mark_of(for_white(position, review->verdict.eval), for_white(position, next.eval));
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
