#include "arena_pairing.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

enum {
    RECENT = 8 /* opponents of each player that count */,
    SCORE_SCALE = 1000,
    AGE_COST = SCORE_SCALE /* of a point between two, for each step more recent */
};

struct recent {
    int points2, matches;
    int colors;            /* how many more with white than with black */
    int last_color;        /* 1: white, -1: black, 0: none */
    int opponents[RECENT]; /* the latest first, or NOBODY */
    bool taken;
};

static void note(struct recent *recent, const struct contest_pairing *pairing, int entrant)
{
    recent->points2 += pairing_points2(pairing, entrant);
    recent->matches++;
    recent->last_color = pairing->white == entrant ? 1 : -1;
    recent->colors += recent->last_color;
    memmove(recent->opponents + 1, recent->opponents, (RECENT - 1) * sizeof(int));
    recent->opponents[0] = pairing_opponent(pairing, entrant);
}

static struct recent *look_back(const struct contest *contest)
{
    struct recent *all = xcalloc((size_t)contest->entrant_count + 1, sizeof *all);

    for (int i = 0; i < contest->entrant_count; i++)
        for (int j = 0; j < RECENT; j++)
            all[i].opponents[j] = NOBODY;
    for (int i = 0; i < contest->pairings.count; i++) {
        const struct contest_pairing *pairing = &contest->pairings.rows[i];
        note(&all[pairing->white], pairing, pairing->white);
        note(&all[pairing->black], pairing, pairing->black);
    }
    return all;
}

/* Returns the share of possible points that somebody has won, in thousandths. */
static int share(const struct recent *recent)
{
    return recent->matches > 0 ? recent->points2 * SCORE_SCALE / (2 * recent->matches)
                               : SCORE_SCALE / 2;
}

static int cost(const struct recent *all, int a, int b)
{
    int cost = abs(share(&all[a]) - share(&all[b]));

    for (int i = 0; i < RECENT; i++)
        cost += (all[a].opponents[i] == b) * (RECENT - i) * AGE_COST +
                (all[b].opponents[i] == a) * (RECENT - i) * AGE_COST;
    return cost;
}

/* Whether both have just played each other. */
static bool just_met(const struct recent *all, int a, int b)
{
    return all[a].opponents[0] == b && all[b].opponents[0] == a;
}

static int best_opponent(const struct contest *contest, const struct recent *all, int entrant,
                         const bool idle[])
{
    bool again = contest_active(contest) <= 2;
    int best = NOBODY, least = INT_MAX;

    for (int i = 0; i < contest->entrant_count; i++) {
        if (i == entrant || !idle[i] || contest->entrants[i].left || all[i].taken ||
            (!again && just_met(all, entrant, i)))
            continue;
        int here = cost(all, entrant, i);
        if (here < least) {
            least = here;
            best = i;
        }
    }
    return best;
}

/* White is who had it less often, or else less lately. */
static struct contest_pairing seat(const struct contest *contest, const struct recent *all, int a,
                                   int b)
{
    int balance = all[a].colors != all[b].colors ? all[a].colors - all[b].colors
                                                 : all[a].last_color - all[b].last_color;
    int round = contest_round(contest) + 1;

    return (struct contest_pairing){
        .round = round, .white = balance <= 0 ? a : b, .black = balance <= 0 ? b : a};
}

static int count_idle(const struct contest *contest, const bool idle[])
{
    int count = 0;

    for (int i = 0; i < contest->entrant_count; i++)
        count += idle[i] && !contest->entrants[i].left;
    return count;
}

bool arena_next(const struct contest *contest, const bool idle[], struct pairing_list *next)
{
    if (contest->pairings.count + contest->entrant_count / 2 > PAIRINGS_MAX)
        return contest->open > 0;
    if (count_idle(contest, idle) < 2)
        return true;
    struct recent *all = look_back(contest);
    for (int i = 0; i < contest->entrant_count; i++) {
        if (!idle[i] || contest->entrants[i].left || all[i].taken)
            continue;
        int opponent = best_opponent(contest, all, i, idle);
        if (opponent == NOBODY)
            continue;
        all[i].taken = all[opponent].taken = true;
        pairing_list_add(next, seat(contest, all, i, opponent));
    }
    free(all);
    return true;
}
