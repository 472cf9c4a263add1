#include "clobber_end.h"

#include <math.h>
#include <stdlib.h>

#include "client/games/guide.h"
#include "clobber_solve.h"
#include "common/move.h"
#include "common/xmalloc.h"

/*
 * Where the solver has not found a move that wins, the choice is the move after which the other
 * side is likeliest to lose, be it that the move wins after all, or that the other side replies
 * wrongly.
 */

enum { SCORE_MOST = 2000 };

/* To find out whether a reply is right. */
enum { NODES_A_REPLY = 2000 };

/* A reply of the other side. */
struct reply {
    struct position position; /* after it */
    double weight;            /* how good it looks to the other side, beside its other replies */
    double odds;              /* that it is wrong */
    bool is_open;             /* `odds` is a guess, and it is worth finding out */
};

/* One of the moves to choose from. */
struct candidate {
    struct position position; /* after it */
    bool loses;               /* for sure */
    double odds;              /* that the other side wins */
    double errs;              /* the chance that it replies wrongly */
    struct reply *replies;
    int count;
};

struct chooser {
    struct solver *solver;
    const struct solve_request *request;
    struct candidate *candidates;
    int count;
    uint64_t nodes;
};

static double chance_of(double odds)
{
    return odds == INFINITY ? 1 : odds / (1 + odds);
}

/* The chance that the other side loses. */
static double worth_of(const struct candidate *candidate)
{
    return 1 - chance_of(candidate->odds) * (1 - candidate->errs);
}

static struct candidate *best_of(const struct chooser *chooser)
{
    struct candidate *best = &chooser->candidates[0];

    for (int i = 1; i < chooser->count; i++)
        if (worth_of(&chooser->candidates[i]) > worth_of(best))
            best = &chooser->candidates[i];
    return best;
}

/* The nodes left before a limit. */
static uint64_t nodes_left(const struct chooser *chooser)
{
    uint64_t most = chooser->request->limits.nodes;

    return chooser->nodes < most && !solve_is_over(chooser->request) ? most - chooser->nodes : 0;
}

static void list_replies(struct candidate *candidate)
{
    struct move moves[MOVES_MAX];

    candidate->count = clobber.legal(&candidate->position, moves);
    candidate->replies = xcalloc((size_t)candidate->count, sizeof *candidate->replies);
    for (int i = 0; i < candidate->count; i++) {
        candidate->replies[i].position = candidate->position;
        clobber.apply(&candidate->replies[i].position, moves[i]);
    }
}

static void list_candidates(struct chooser *chooser, const struct move *moves)
{
    chooser->candidates = xcalloc((size_t)chooser->count, sizeof *chooser->candidates);
    for (int i = 0; i < chooser->count; i++) {
        struct candidate *candidate = &chooser->candidates[i];
        candidate->position = chooser->request->position;
        clobber.apply(&candidate->position, moves[i]);
        list_replies(candidate);
    }
}

static void free_candidates(struct chooser *chooser)
{
    for (int i = 0; i < chooser->count; i++)
        free(chooser->candidates[i].replies);
    free(chooser->candidates);
}

static void look_at(struct chooser *chooser, struct candidate *candidate)
{
    struct solve_look look = solver_look(chooser->solver, &candidate->position, 0);

    candidate->loses = look.known == SOLVE_WON;
    candidate->odds = candidate->loses ? INFINITY : look.odds;
}

/* The other side judges otherwise, so a reply that looks better than another is not much likelier,
 * hence the root. See tests/bench/STRENGTH.md. */
static void look_at_reply(struct chooser *chooser, struct reply *reply, int plies)
{
    struct solve_look look = solver_look(chooser->solver, &reply->position, plies);

    if (plies == 0)
        reply->weight = pow(look.odds, -0.25);
    reply->odds = look.known == SOLVE_WON ? INFINITY : look.known == SOLVE_LOST ? 0 : look.odds;
    reply->is_open = reply->odds > 0 && reply->odds < INFINITY;
}

/* Goes by the replies. Odds add up: guesses are off, and the more replies look right, the likelier
 * one of them is. */
static void judge_candidate(struct candidate *candidate)
{
    double weight = 0, wrong = 0, odds = 0;

    for (int i = 0; i < candidate->count; i++) {
        const struct reply *reply = &candidate->replies[i];
        weight += reply->weight;
        wrong += reply->weight * chance_of(reply->odds);
        odds += 1 / reply->odds;
    }
    candidate->errs = candidate->count > 0 ? wrong / weight : 1;
    candidate->odds = candidate->loses ? INFINITY : odds;
}

/* Looks at all replies. Returns false, with no candidate changed, if a limit was reached. */
static bool look_further(struct chooser *chooser, int plies)
{
    for (int i = 0; i < chooser->count; i++) {
        const struct candidate *candidate = &chooser->candidates[i];
        for (int j = 0; j < candidate->count; j++) {
            if (nodes_left(chooser) == 0)
                return false;
            look_at_reply(chooser, &candidate->replies[j], plies);
            chooser->nodes += (uint64_t)plies;
        }
    }
    for (int i = 0; i < chooser->count; i++)
        judge_candidate(&chooser->candidates[i]);
    return true;
}

/* Returns how many plies it looked ahead. */
static int look_ahead(struct chooser *chooser)
{
    for (int i = 0; i < chooser->count; i++)
        look_at(chooser, &chooser->candidates[i]);
    return !look_further(chooser, 0) ? 1 : !look_further(chooser, 1) ? 2 : 3;
}

static struct reply *likeliest_open(const struct candidate *candidate)
{
    struct reply *likeliest = NULL;

    for (int i = 0; i < candidate->count; i++) {
        struct reply *reply = &candidate->replies[i];
        if (reply->is_open && (likeliest == NULL || reply->weight > likeliest->weight))
            likeliest = reply;
    }
    return likeliest;
}

static void solve_reply(struct chooser *chooser, struct reply *reply, uint64_t nodes_max)
{
    struct solve_request request = *chooser->request;
    struct solve_answer answer;

    request.position = reply->position;
    request.limits.nodes = nodes_max < NODES_A_REPLY ? nodes_max : NODES_A_REPLY;
    if (solver_solve(chooser->solver, &request, &answer) == SOLVE_DONE)
        reply->odds = answer.wins ? INFINITY : 0;
    reply->is_open = false;
    chooser->nodes += answer.nodes;
}

/* Finds out about the replies to the best move, until they are known or a limit is reached. Returns
 * the move that is best then. */
static struct candidate *probe_replies(struct chooser *chooser)
{
    struct candidate *best = best_of(chooser);
    struct reply *reply;
    uint64_t left;

    while ((left = nodes_left(chooser)) > 0 && (reply = likeliest_open(best)) != NULL) {
        solve_reply(chooser, reply, left);
        judge_candidate(best);
        best = best_of(chooser);
    }
    return best;
}

static int score_of(const struct candidate *candidate)
{
    double score = -100 * log(candidate->odds);

    return score < -SCORE_MOST ? -SCORE_MOST : score > SCORE_MOST ? SCORE_MOST : (int)score;
}

/* What a node of the solver costs, in nodes of a search. */
enum { NODE_COST = 4 };

/* Nodes of the solver for a question without any limit of time or nodes. */
enum { NODES_UNLIMITED = 200000 };

/* 1000 nodes often suffice with MOVES_FOR_1000_NODES moves of a side left, and twice as many for
 * every two moves more. Trying is worth more than that: what the solver finds out serves a
 * guess. The solver searches about NODES_EACH_MS nodes a millisecond. */
enum { MOVES_FOR_1000_NODES = 24, MOVES_FOR_TWICE = 3, NODES_EACH_MS = 500 };

/* The nodes for each megabyte after which the tables of a solver are full of old games. */
enum { NODES_KEPT_EACH_MB = 1000000 };

/* Huge pages pay for a solver that soon uses most of its memory, up to this size. */
enum { HUGE_PAGES_MB_MAX = 64 };

/* The solver that a transposition table keeps. */
struct end {
    struct solver *solver;
    uint64_t nodes; /* since it was made */
};

static void end_free(void *extra)
{
    struct end *end = extra;

    solver_free(end->solver);
    free(end);
}

/* Borrowed from the table; NULL if it has size 0 or the system refuses the memory. */
static struct end *end_of(struct tt *tt, bool is_busy)
{
    struct end *end = tt->extra;

    if (end != NULL && end->nodes > NODES_KEPT_EACH_MB * (uint64_t)tt->megabytes) {
        end_free(end);
        tt->extra = end = NULL;
    }
    if (end != NULL || tt->megabytes == 0)
        return end;
    bool huge_pages = is_busy && tt->megabytes <= HUGE_PAGES_MB_MAX;
    struct solver *solver = solver_new((size_t)tt->megabytes << 20, huge_pages);
    if (solver == NULL)
        return NULL;
    end = xcalloc(1, sizeof *end);
    end->solver = solver;
    tt->extra_free = end_free;
    tt->extra = end;
    return end;
}

/* When to answer the question: at its target or its deadline, whichever is sooner. */
static int64_t answer_ms(const struct search_limits *limits)
{
    return limits->target_ms != 0 ? sooner_ms(limits->target_ms, limits->deadline_ms)
                                  : limits->deadline_ms;
}

/* Whether the question has a limit of time or nodes. Without one it asks for an analysis, as deep
 * as the search gets. */
static bool has_limit(const struct search_question *question)
{
    return answer_ms(&question->limits) != INT64_MAX || question->limits.nodes != UINT64_MAX;
}

/* The limits of the solver: seven eighths of the time left, and its share of the nodes. */
static struct search_limits limits_of(const struct search_question *question, uint64_t nodes_max)
{
    struct search_limits limits = NO_LIMITS;
    int64_t now_ms = clock_ms(), end_ms = answer_ms(&question->limits);

    limits.nodes = nodes_max / NODE_COST;
    if (end_ms != INT64_MAX)
        limits.deadline_ms = end_ms - (end_ms - now_ms + 7) / 8;
    else if (nodes_max == UINT64_MAX)
        limits.nodes = NODES_UNLIMITED;
    return limits;
}

/* Whether there is a chance to find out who wins, with `moves` moves of a side left. */
static bool is_worth_trying(const struct search_limits *limits, int moves)
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

static void drop_move(struct move_list *list, struct move move)
{
    int kept = 0;

    for (int i = 0; i < list->count; i++)
        if (!move_equal(list->moves[i], move))
            list->moves[kept++] = list->moves[i];
    list->count = kept;
}

static void report_move(const struct search_question *question, struct move move, int plies,
                        int score, uint64_t nodes)
{
    if (question->report != NULL)
        question->report(
            question->context,
            &(struct info){
                .depth_plies = plies, .score = score, .nodes = nodes, .pv = &move, .pv_plies = 1});
}

/* Chooses a move of the list by what the solver knows and a search of up to three plies, and leaves
 * it alone there, in what is left of the time. `lost`: it is known to lose. Returns false if there
 * is no time, or the other side cannot reply wrongly. */
static bool guess_move(struct end *end, const struct search_question *question, bool lost,
                       struct move_list *list, uint64_t *nodes)
{
    struct solve_request request = {
        .position = question->position, .limits = question->limits, .stop = question->stop};
    struct chooser chooser = {.solver = end->solver, .request = &request, .count = list->count};
    int most_plies = list->count;

    request.limits.deadline_ms = answer_ms(&question->limits);
    request.limits.nodes =
        *nodes < request.limits.nodes ? (request.limits.nodes - *nodes) / NODE_COST : 0;
    list_candidates(&chooser, list->moves);
    int plies = look_ahead(&chooser);
    const struct candidate *best = best_of(&chooser);
    if (plies > 1 && best->loses)
        best = probe_replies(&chooser);
    bool done = worth_of(best) > 0;
    end->nodes += chooser.nodes;
    *nodes += chooser.nodes * NODE_COST;
    if (done) {
        list->moves[0] = list->moves[best - chooser.candidates];
        list->count = 1;
        report_move(question, list->moves[0], lost ? most_plies : plies,
                    lost ? most_plies - SCORE_WIN : score_of(best), *nodes);
    }
    free_candidates(&chooser);
    return done;
}

bool clobber_prove(const struct search_question *question, struct tt *tt, uint64_t nodes_max,
                   bool guesses, struct move_list *list, uint64_t *nodes, bool *lost)
{
    struct solve_request request = {.position = question->position,
                                    .limits = limits_of(question, nodes_max),
                                    .stop = question->stop};
    struct solve_answer answer;
    int plies = list->count; /* the most there can be: each move leaves fewer */

    if (!is_worth_trying(&request.limits, plies))
        return false;
    struct end *end = end_of(tt, guesses);
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
        report_move(question, answer.move, plies, SCORE_WIN - plies, *nodes);
        return true;
    }
    *lost = status == SOLVE_DONE;
    for (int i = 0; !*lost && i < answer.lost_count && list->count > 1; i++)
        drop_move(list, answer.lost[i]);
    return guesses && has_limit(question) && guess_move(end, question, *lost, list, nodes);
}
