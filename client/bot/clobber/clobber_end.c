#include "clobber_end.h"

#include <stdlib.h>

#include "client/bot/eval/eval.h"
#include "clobber_choice.h"
#include "common/move.h"
#include "common/xmalloc.h"

/* What a node of the solver costs, in nodes of a search. */
enum { NODE_COST = 4 };

/* Nodes of the solver for a question without any limit of time or nodes. */
enum { NODES_UNLIMITED = 200000 };

/* 1000 nodes often suffice to find out who wins with so many moves of a side left, and twice as
 * many for every two moves more. Trying is worth more than that: what the solver finds out serves a
 * guess. The solver searches about NODES_EACH_MS nodes a millisecond. */
enum { MOVES_FOR_1000_NODES = 24, MOVES_FOR_TWICE = 3, NODES_EACH_MS = 500 };

/* After so many nodes for each megabyte, the tables of a solver are full of old games. */
enum { NODES_KEPT_EACH_MB = 1000000 };

/* Huge pages pay for a solver that soon uses most of its memory, up to so much. */
enum { HUGE_PAGES_MB_MAX = 64 };

/* The solver that a transposition table keeps. */
struct end {
    struct solver *solver;
    int threads;
    uint64_t nodes; /* since it was made */
};

static void end_free(void *extra)
{
    struct end *end = extra;

    solver_free(end->solver);
    free(end);
}

static bool is_fit(const struct end *end, const struct tt *tt, int threads)
{
    return end->threads == threads && end->nodes <= NODES_KEPT_EACH_MB * (uint64_t)tt->megabytes;
}

/* Borrowed from the table; NULL if it has size 0 or the system refuses the memory. */
static struct end *end_of(struct tt *tt, int threads, bool is_busy)
{
    struct end *end = tt->extra;

    if (end != NULL && !is_fit(end, tt, threads)) {
        end_free(end);
        tt->extra = end = NULL;
    }
    if (end != NULL || tt->megabytes == 0)
        return end;
    bool huge_pages = is_busy && tt->megabytes <= HUGE_PAGES_MB_MAX;
    struct solver *solver = solver_new((size_t)tt->megabytes << 20, threads, huge_pages);
    if (solver == NULL)
        return NULL;
    end = xcalloc(1, sizeof *end);
    end->solver = solver;
    end->threads = threads;
    tt->extra_free = end_free;
    tt->extra = end;
    return end;
}

/* The threads for the solver of a level that guesses; the others do not ask much of it. */
static int threads_for(const struct question *question, bool guesses)
{
    int threads = question->threads < SOLVE_THREADS_MAX ? question->threads : SOLVE_THREADS_MAX;

    return guesses && threads > 1 ? threads : 1;
}

/* When to answer the question: at its target or its deadline, whichever is sooner. */
static int64_t answer_ms(const struct limits *limits)
{
    return limits->target_ms != 0 ? sooner_ms(limits->target_ms, limits->deadline_ms)
                                  : limits->deadline_ms;
}

/* Whether the question has a limit of time or nodes. Without one it asks for an analysis, as deep
 * as the search gets. */
static bool has_limit(const struct question *question)
{
    return answer_ms(&question->limits) != INT64_MAX || question->limits.nodes != UINT64_MAX;
}

/* The limits of the solver: seven eighths of the time left, and its share of the nodes. */
static struct limits limits_of(const struct question *question, uint64_t nodes_max)
{
    struct limits limits = NO_LIMITS;
    int64_t now_ms = clock_ms(), end_ms = answer_ms(&question->limits);

    limits.nodes = nodes_max / NODE_COST;
    if (end_ms != INT64_MAX)
        limits.deadline_ms = end_ms - (end_ms - now_ms + 7) / 8;
    else if (nodes_max == UINT64_MAX)
        limits.nodes = NODES_UNLIMITED;
    return limits;
}

/* Whether there is a chance to find out who wins, with so many moves of a side left. */
static bool is_worth_trying(const struct limits *limits, int moves)
{
    uint64_t nodes = limits->nodes;

    if (limits->deadline_ms != INT64_MAX) {
        int64_t left_ms = limits->deadline_ms - clock_ms();
        uint64_t in_time = left_ms > 0 ? (uint64_t)left_ms * NODES_EACH_MS : 0;
        nodes = in_time < nodes ? in_time : nodes;
    }
    int most = MOVES_FOR_1000_NODES;
    for (; nodes > 1000; nodes /= 2)
        most += MOVES_FOR_TWICE;
    return nodes > 0 && moves <= most;
}

static void drop(struct move_list *list, struct move move)
{
    int kept = 0;

    for (int i = 0; i < list->count; i++)
        if (!move_equal(list->moves[i], move))
            list->moves[kept++] = list->moves[i];
    list->count = kept;
}

static void report(const struct question *question, struct move move, int plies, int score,
                   uint64_t nodes)
{
    if (question->report != NULL)
        question->report(
            question->context,
            &(struct info){
                .depth_plies = plies, .score = score, .nodes = nodes, .pv = &move, .pv_plies = 1});
}

/* Chooses a move of the list and leaves it alone there, in what is left of the time. `lost`: it is
 * known to lose. Returns false if there is no choice, or no time for one. */
static bool choose(struct end *end, const struct question *question, bool lost,
                   struct move_list *list, uint64_t *nodes)
{
    struct solve_request request = {
        .position = question->position, .limits = question->limits, .stop = question->stop};
    int plies = list->count;
    struct choice choice;
    uint64_t searched = 0;

    request.limits.deadline_ms = answer_ms(&question->limits);
    request.limits.nodes =
        *nodes < request.limits.nodes ? (request.limits.nodes - *nodes) / NODE_COST : 0;
    bool done = choose_move(end->solver, &request, list->moves, list->count, &choice, &searched);
    end->nodes += searched;
    *nodes += searched * NODE_COST;
    if (!done)
        return false;
    list->moves[0] = list->moves[choice.number];
    list->count = 1;
    report(question, list->moves[0], lost ? plies : choice.plies,
           lost ? plies - SCORE_WIN : choice.score, *nodes);
    return true;
}

bool clobber_prove(const struct question *question, struct tt *tt, uint64_t nodes_max, bool guesses,
                   struct move_list *list, uint64_t *nodes)
{
    struct solve_request request = {.position = question->position,
                                    .limits = limits_of(question, nodes_max),
                                    .stop = question->stop};
    struct solve_answer answer;
    int plies = list->count; /* the most there can be: each move leaves fewer */

    if (!is_worth_trying(&request.limits, plies))
        return false;
    struct end *end = end_of(tt, threads_for(question, guesses), guesses);
    if (end == NULL)
        return false;
    enum solve_status status = solver_solve(end->solver, &request, &answer);
    end->nodes += answer.nodes;
    *nodes += answer.nodes * NODE_COST;
    if (status != SOLVE_DONE && status != SOLVE_LIMIT)
        return false;
    if (status == SOLVE_DONE && answer.wins) {
        list->count = 1;
        list->moves[0] = answer.move;
        report(question, answer.move, plies, SCORE_WIN - plies, *nodes);
        return true;
    }
    bool lost = status == SOLVE_DONE;
    for (int i = 0; !lost && i < answer.lost_count && list->count > 1; i++)
        drop(list, answer.lost[i]);
    return guesses && has_limit(question) && choose(end, question, lost, list, nodes);
}
