#include "clobber_choice.h"

#include <math.h>
#include <stdlib.h>

#include "common/xmalloc.h"

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
static double worth(const struct candidate *candidate)
{
    return 1 - chance_of(candidate->odds) * (1 - candidate->errs);
}

static struct candidate *best_of(const struct chooser *chooser)
{
    struct candidate *best = &chooser->candidates[0];

    for (int i = 1; i < chooser->count; i++)
        if (worth(&chooser->candidates[i]) > worth(best))
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

static void release(struct chooser *chooser)
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
static void judge(struct candidate *candidate)
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
        judge(&chooser->candidates[i]);
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

static void find_out(struct chooser *chooser, struct reply *reply, uint64_t nodes_max)
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
static struct candidate *probe(struct chooser *chooser)
{
    struct candidate *best = best_of(chooser);
    struct reply *reply;
    uint64_t left;

    while ((left = nodes_left(chooser)) > 0 && (reply = likeliest_open(best)) != NULL) {
        find_out(chooser, reply, left);
        judge(best);
        best = best_of(chooser);
    }
    return best;
}

static int score_of(const struct candidate *candidate)
{
    double score = -100 * log(candidate->odds);

    return score < -SCORE_MOST ? -SCORE_MOST : score > SCORE_MOST ? SCORE_MOST : (int)score;
}

bool choose_move(struct solver *solver, const struct solve_request *request,
                 const struct move *moves, int count, struct choice *choice, uint64_t *nodes)
{
    struct chooser chooser = {.solver = solver, .request = request, .count = count};

    list_candidates(&chooser, moves);
    int plies = look_ahead(&chooser);
    const struct candidate *best = best_of(&chooser);
    if (plies > 1 && best->loses)
        best = probe(&chooser);
    *choice = (struct choice){(int)(best - chooser.candidates), plies, score_of(best)};
    *nodes += chooser.nodes;
    bool done = worth(best) > 0;
    release(&chooser);
    return done;
}
