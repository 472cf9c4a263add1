#include "rounds.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "knockout.h"
#include "swiss.h"

long berger_pairings(int players, int cycles)
{
    return (long)cycles * players * (players - 1) / 2;
}

/* Round by round the table turns by half the number of players; the last player stays, and has the
 * colours in turn. */
struct berger_pair berger_pair(int players, int round, int board)
{
    int turning = players - 1, offset = round * (players / 2) % turning;

    if (board > 0)
        return (struct berger_pair){(offset + board) % turning,
                                    (offset - board + turning) % turning};
    return round % 2 == 0 ? (struct berger_pair){offset, turning}
                          : (struct berger_pair){turning, offset};
}

/* Adds the next round to `next`, once the one before is over. False: all rounds were played. */
static bool add_berger_round(const struct contest *contest, struct pairing_list *next)
{
    /* With an odd number one place stays empty: its opponent has no match in that round. */
    int players = contest->entrant_count + contest->entrant_count % 2,
        round = contest_round(contest);
    int rounds = players - 1; /* of a cycle */

    if (contest->open > 0)
        return true;
    if (players < 2 || round >= rounds * contest->cycles || contest_active(contest) < 2)
        return false;
    for (int board = 0; board < players / 2; board++) {
        struct berger_pair pair = berger_pair(players, round % rounds, board);
        bool swapped = round / rounds % 2 == 1;
        if (pair.white < contest->entrant_count && pair.black < contest->entrant_count)
            pairing_list_add(next,
                             contest_meet(contest, round + 1, swapped ? pair.black : pair.white,
                                          swapped ? pair.white : pair.black));
    }
    return true;
}

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

static void note_pairing(struct recent *recent, const struct contest_pairing *pairing, int entrant)
{
    recent->points2 += pairing_points2(pairing, entrant);
    recent->matches++;
    recent->last_color = pairing->white == entrant ? 1 : -1;
    recent->colors += recent->last_color;
    memmove(recent->opponents + 1, recent->opponents, (RECENT - 1) * sizeof(int));
    recent->opponents[0] = pairing_opponent(pairing, entrant);
}

static struct recent *recall_pairings(const struct contest *contest)
{
    struct recent *all = xcalloc((size_t)contest->entrant_count + 1, sizeof *all);

    for (int i = 0; i < contest->entrant_count; i++)
        for (int j = 0; j < RECENT; j++)
            all[i].opponents[j] = NOBODY;
    for (int i = 0; i < contest->pairings.count; i++) {
        const struct contest_pairing *pairing = &contest->pairings.rows[i];
        note_pairing(&all[pairing->white], pairing, pairing->white);
        note_pairing(&all[pairing->black], pairing, pairing->black);
    }
    return all;
}

/* Returns the share of possible points that somebody has won, in thousandths. */
static int score_share(const struct recent *recent)
{
    return recent->matches > 0 ? recent->points2 * SCORE_SCALE / (2 * recent->matches)
                               : SCORE_SCALE / 2;
}

static int pairing_cost(const struct recent *all, int a, int b)
{
    int cost = abs(score_share(&all[a]) - score_share(&all[b]));

    for (int i = 0; i < RECENT; i++)
        cost += (all[a].opponents[i] == b) * (RECENT - i) * AGE_COST +
                (all[b].opponents[i] == a) * (RECENT - i) * AGE_COST;
    return cost;
}

static bool is_free(const struct contest *contest, const enum entrant_state states[], int entrant)
{
    return states[entrant] == ENTRANT_FREE && !contest->entrants[entrant].left;
}

/* Finds an opponent among those who are free. `again`: even the one of just before. */
static int best_opponent(const struct contest *contest, const struct recent *all, int entrant,
                         const enum entrant_state states[], bool again)
{
    int best = NOBODY, least = INT_MAX;

    for (int i = 0; i < contest->entrant_count; i++) {
        if (i == entrant || !is_free(contest, states, i) || all[i].taken ||
            (!again && all[entrant].opponents[0] == i && all[i].opponents[0] == entrant))
            continue; /* the two have just played each other */
        int here = pairing_cost(all, entrant, i);
        if (here < least) {
            least = here;
            best = i;
        }
    }
    return best;
}

/* Gives White to the one who had it less often, or else less lately; in pairs, to the one who has
 * yet to have it against the other. */
static struct contest_pairing make_pairing(const struct contest *contest, const struct recent *all,
                                           int a, int b)
{
    int balance = all[a].colors != all[b].colors ? all[a].colors - all[b].colors
                                                 : all[a].last_color - all[b].last_color;
    int round = contest_round(contest) + 1;

    if (contest->pairs) {
        struct meetings before = contest_meetings(contest, a, b, contest->pairings.count);
        if (before.count % 2 == 1)
            balance = contest->pairings.rows[before.last].white == a ? 1 : -1;
    }

    return (struct contest_pairing){
        .round = round, .white = balance <= 0 ? a : b, .black = balance <= 0 ? b : a};
}

/* Adds the return matches of those who have just played the first of two, if both are free. */
static void add_arena_returns(const struct contest *contest, struct recent *all,
                              const enum entrant_state states[], struct pairing_list *next)
{
    for (int i = 0; i < contest->entrant_count; i++) {
        int opponent = all[i].opponents[0];
        if (opponent <= i || all[opponent].opponents[0] != i || !is_free(contest, states, i) ||
            !is_free(contest, states, opponent) ||
            contest_meetings(contest, i, opponent, contest->pairings.count).count % 2 == 0)
            continue;
        all[i].taken = all[opponent].taken = true;
        pairing_list_add(next, make_pairing(contest, all, i, opponent));
    }
}

/* Adds pairings among those who are free. False: there is no room for more pairings, and none is
 * open. */
static bool add_arena_pairings(const struct contest *contest, const enum entrant_state states[],
                               struct pairing_list *next)
{
    int free_count = 0, playing = 0;

    if (contest->pairings.count + contest->entrant_count / 2 > PAIRINGS_MAX)
        return contest->open > 0;
    for (int i = 0; i < contest->entrant_count; i++) {
        free_count += is_free(contest, states, i);
        playing += states[i] == ENTRANT_PLAYING && !contest->entrants[i].left;
    }
    if (free_count < 2)
        return true;
    struct recent *all = recall_pairings(contest);
    if (contest->pairs)
        add_arena_returns(contest, all, states, next);
    for (int i = 0; i < contest->entrant_count; i++) {
        if (!is_free(contest, states, i) || all[i].taken)
            continue;
        /* Nobody waits for those who are away. */
        int opponent = best_opponent(contest, all, i, states, free_count + playing <= 2);
        if (opponent == NOBODY)
            continue;
        all[i].taken = all[opponent].taken = true;
        pairing_list_add(next, make_pairing(contest, all, i, opponent));
    }
    free(all);
    return true;
}

bool next_round(const struct contest *contest, const enum entrant_state states[],
                struct pairing_list *next)
{
    switch (contest->format) {
    case FORMAT_ROUND_ROBIN:
        return add_berger_round(contest, next);
    case FORMAT_SWISS:
        return swiss_next(contest, next);
    case FORMAT_KNOCKOUT:
        return knockout_next(contest, states, next);
    default:
        return add_arena_pairings(contest, states, next);
    }
}

bool round_takes_late(enum contest_format format)
{
    return format == FORMAT_SWISS || format == FORMAT_ARENA;
}
