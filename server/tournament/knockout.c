#include "knockout.h"

#include <stdlib.h>

#include "common/xmalloc.h"

/* The seeds that are left in a round: those at places 2 * i and 2 * i + 1 meet. The lower of two
 * is the better one. */
struct bracket {
    const struct contest *contest;
    int *entrants; /* owned; by seed */
    int *places;   /* owned; seeds; from the number of entrants on: nobody */
    int count, round;
};

/* By rating, then by who came first. */
static bool is_better(const struct contest *contest, int a, int b)
{
    double a_rating = contest->entrants[a].rating, b_rating = contest->entrants[b].rating;

    return a_rating > b_rating || (a_rating == b_rating && a < b);
}

/* Sets up the first round: each bracket comes from one half as large, in which everyone gets an
 * opponent so that the seeds of two add up alike. */
static void bracket_init(struct bracket *bracket, const struct contest *contest)
{
    *bracket = (struct bracket){.contest = contest, .count = 1, .round = 1};
    bracket->entrants = xcalloc((size_t)contest->entrant_count + 1, sizeof *bracket->entrants);
    bracket->places = xcalloc(2 * (size_t)contest->entrant_count + 1, sizeof *bracket->places);
    for (int i = 0; i < contest->entrant_count; i++) { /* the best comes first */
        int place = i;
        for (; place > 0 && is_better(contest, i, bracket->entrants[place - 1]); place--)
            bracket->entrants[place] = bracket->entrants[place - 1];
        bracket->entrants[place] = i;
    }
    for (; bracket->count < contest->entrant_count; bracket->count *= 2)
        for (int i = bracket->count - 1; i >= 0; i--) {
            int seed = bracket->places[i];
            bracket->places[2 * i] = seed;
            bracket->places[2 * i + 1] = 2 * bracket->count - 1 - seed;
        }
}

static void bracket_release(struct bracket *bracket)
{
    free(bracket->entrants);
    free(bracket->places);
}

static int entrant_of(const struct bracket *bracket, int seed)
{
    return seed < bracket->contest->entrant_count ? bracket->entrants[seed] : NOBODY;
}

/* All matches of two players in a round. */
struct duel {
    int seeds[2];      /* the better one first */
    int better, other; /* entrants */
    int matches, points2[2];
    bool open;
    bool decided;
    bool better_goes_on;
};

static void count_pairing(struct duel *duel, const struct contest_pairing *pairing)
{
    duel->matches++;
    duel->open = duel->open || pairing->result == PAIRING_OPEN;
    duel->points2[0] += pairing_points2(pairing, duel->better);
    duel->points2[1] += pairing_points2(pairing, duel->other);
    if (!pairing->walkover && pairing->black != NOBODY)
        return;
    duel->decided = true;
    duel->better_goes_on = pairing_points2(pairing, duel->other) == 0;
}

static struct duel look_at_duel(const struct bracket *bracket, int place)
{
    const struct pairing_list *list = &bracket->contest->pairings;
    int one = bracket->places[place], two = bracket->places[place + 1];
    struct duel duel = {.seeds = {one < two ? one : two, one < two ? two : one}};

    duel.better = entrant_of(bracket, duel.seeds[0]);
    duel.other = entrant_of(bracket, duel.seeds[1]);
    for (int i = 0; i < list->count && !duel.decided; i++) {
        const struct contest_pairing *pairing = &list->rows[i];
        if (pairing->round == bracket->round &&
            (pairing->white == duel.better || pairing->black == duel.better))
            count_pairing(&duel, pairing);
    }
    bool level = duel.points2[0] == duel.points2[1];
    if (duel.decided || duel.open || duel.matches == 0 || duel.matches % 2 != 0 ||
        (level && duel.matches < KNOCKOUT_MATCHES_MAX))
        return duel;
    duel.decided = true;
    duel.better_goes_on = duel.points2[0] >= duel.points2[1];
    return duel;
}

/* Returns whether both have lost a match of this duel by being away, and are away still: others do
 * not wait for them. */
static bool are_absent(const struct duel *duel, const enum entrant_state states[])
{
    return states != NULL && duel->matches > 0 && duel->other != NOBODY &&
           states[duel->better] == ENTRANT_ABSENT && states[duel->other] == ENTRANT_ABSENT;
}

static void add_duel_match(const struct bracket *bracket, const struct duel *duel,
                           const enum entrant_state states[], struct pairing_list *next)
{
    if (are_absent(duel, states)) {
        pairing_list_add(next, (struct contest_pairing){.round = bracket->round,
                                                        .white = duel->better,
                                                        .black = duel->other,
                                                        .result = PAIRING_WHITE_WINS,
                                                        .walkover = true});
        return;
    }
    if (duel->other == NOBODY) {
        pairing_list_add(next, (struct contest_pairing){.round = bracket->round,
                                                        .white = duel->better,
                                                        .black = NOBODY,
                                                        .result = PAIRING_WHITE_WINS});
        return;
    }
    bool better_is_white = duel->matches % 2 == 0;
    pairing_list_add(next, contest_meet(bracket->contest, bracket->round,
                                        better_is_white ? duel->better : duel->other,
                                        better_is_white ? duel->other : duel->better));
}

/* Moves on to the next round, if this one is decided. With `next`, adds what it lacks. */
static bool play_round(struct bracket *bracket, const enum entrant_state states[],
                       struct pairing_list *next, int *survived)
{
    bool decided = true;

    for (int place = 0; place < bracket->count; place += 2) {
        struct duel duel = look_at_duel(bracket, place);
        if (!duel.decided && !duel.open && next != NULL)
            add_duel_match(bracket, &duel, states, next);
        decided = decided && duel.decided;
        int winner = duel.seeds[!duel.better_goes_on];
        if (duel.decided && survived != NULL)
            survived[bracket->entrants[winner]]++;
        if (decided) /* else the places are not used any more, but by this round */
            bracket->places[place / 2] = winner;
    }
    bracket->count /= 2;
    bracket->round++;
    return decided;
}

bool knockout_next(const struct contest *contest, const enum entrant_state states[],
                   struct pairing_list *next)
{
    struct bracket bracket;
    bool decided = contest->entrant_count >= 2;

    bracket_init(&bracket, contest);
    while (decided && bracket.count > 1)
        decided = play_round(&bracket, states, next, NULL);
    bracket_release(&bracket);
    return contest->entrant_count >= 2 && !decided;
}

void knockout_survived(const struct contest *contest, int survived[])
{
    struct bracket bracket;
    bool decided = true;

    for (int i = 0; i < contest->entrant_count; i++)
        survived[i] = 0;
    bracket_init(&bracket, contest);
    while (decided && bracket.count > 1)
        decided = play_round(&bracket, NULL, NULL, survived);
    bracket_release(&bracket);
}
