#include "swiss.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "matching.h"

enum {
    WINDOW_MIN = 12,     /* candidates on each side of where a player's opponent should be */
    ALL_PAIRS_MAX = 100, /* with at most this many players, consider all pairs */
    ROUNDS_EXTRA = 1
};

/* The costs of a pair. Distances in a group, squared, are below 2^20; the square of the half points
 * between two is below 2^16. */
static const int64_t COST_COLOR = INT64_C(1) << 21;    /* both had the same one last */
static const int64_t COST_FLOAT = INT64_C(1) << 23;    /* floats again, for each of two rounds */
static const int64_t COST_SCORE = INT64_C(1) << 26;    /* times the square of half points between */
static const int64_t COST_BALANCE = INT64_C(1) << 42;  /* colours differ by two, or three alike */
static const int64_t COST_BALANCE3 = INT64_C(1) << 44; /* by more */

struct player_row {
    int entrant;
    double rating;
    int points2;
    int colors;     /* how many more with white than with black */
    int last_color; /* 1: white, -1: black, 0: none */
    int round;      /* the last one, of those replayed */
    bool had_bye;
    int floated;                 /* the last round in which the opponent had another score */
    int group_start, group_size; /* in the order of rows: players of equal score */
};

struct round {
    const struct contest *contest;
    int number;
    struct player_row *rows; /* owned; those who are paired, the best first */
    int count;
    unsigned char *met;          /* owned; bits, by two rows */
    struct matching_edge *edges; /* owned */
    int edge_count, edge_capacity;
};

int swiss_rounds(int players)
{
    int rounds = 0;

    while (players > 1 && 1 << rounds < players)
        rounds++;
    rounds += ROUNDS_EXTRA;
    int most = players % 2 == 0 ? players - 1 : players;
    return rounds < most ? rounds : most;
}

static void note_pairing_of(struct player_row rows[], const struct contest_pairing *pairing,
                            int entrant)
{
    struct player_row *row = &rows[entrant];
    int opponent = pairing_opponent(pairing, entrant);

    row->round = pairing->round;
    if (opponent != NOBODY && row->points2 != rows[opponent].points2)
        row->floated = pairing->round;
    row->had_bye = row->had_bye || opponent == NOBODY;
    if (!pairing_has_match(pairing))
        return;
    row->last_color = pairing->white == entrant ? 1 : -1;
    row->colors += row->last_color;
}

/* Replays the record. Scores are those from before a round when its pairings are noted; a return
 * match, which follows them all, adds points only. */
static void replay_rounds(const struct contest *contest, struct player_row rows[])
{
    for (int i = 0; i < contest->pairings.count; i++) {
        const struct contest_pairing *pairing = &contest->pairings.rows[i];
        bool returns = rows[pairing->white].round == pairing->round;
        if (!returns)
            note_pairing_of(rows, pairing, pairing->white);
        if (!returns && pairing->black != NOBODY)
            note_pairing_of(rows, pairing, pairing->black);
        rows[pairing->white].points2 += pairing_points2(pairing, pairing->white);
        if (pairing->black != NOBODY)
            rows[pairing->black].points2 += pairing_points2(pairing, pairing->black);
    }
}

static int compare_rows(const void *left, const void *right)
{
    const struct player_row *a = left, *b = right;

    if (a->points2 != b->points2)
        return b->points2 - a->points2;
    if (a->rating != b->rating)
        return a->rating < b->rating ? 1 : -1;
    return a->entrant - b->entrant;
}

static void find_groups(struct round *round)
{
    for (int start = 0, end; start < round->count; start = end) {
        for (end = start; end < round->count; end++)
            if (round->rows[end].points2 != round->rows[start].points2)
                break;
        for (int i = start; i < end; i++) {
            round->rows[i].group_start = start;
            round->rows[i].group_size = end - start;
        }
    }
}

static bool have_met(const struct round *round, int a, int b)
{
    size_t bit = (size_t)a * (size_t)round->count + (size_t)b;

    return (round->met[bit / 8] & 1u << bit % 8) != 0;
}

static void set_met(struct round *round, int a, int b)
{
    size_t bit = (size_t)a * (size_t)round->count + (size_t)b;

    round->met[bit / 8] |= (unsigned char)(1u << bit % 8);
}

static void find_met(struct round *round)
{
    const struct contest *contest = round->contest;
    int *places = xcalloc((size_t)contest->entrant_count, sizeof *places);

    round->met = xcalloc((size_t)round->count * (size_t)round->count / 8 + 1, 1);
    for (int i = 0; i < contest->entrant_count; i++)
        places[i] = NOBODY;
    for (int i = 0; i < round->count; i++)
        places[round->rows[i].entrant] = i;
    for (int i = 0; i < contest->pairings.count; i++) {
        const struct contest_pairing *pairing = &contest->pairings.rows[i];
        if (pairing->black == NOBODY || places[pairing->white] == NOBODY ||
            places[pairing->black] == NOBODY)
            continue;
        set_met(round, places[pairing->white], places[pairing->black]);
        set_met(round, places[pairing->black], places[pairing->white]);
    }
    free(places);
}

static void round_init(struct round *round, const struct contest *contest)
{
    int entrants = contest->entrant_count;

    *round = (struct round){.contest = contest, .number = contest_round(contest) + 1};
    round->rows = xcalloc((size_t)entrants + 1, sizeof *round->rows);
    for (int i = 0; i < entrants; i++) {
        round->rows[i].entrant = i;
        round->rows[i].rating = contest->entrants[i].rating;
    }
    replay_rounds(contest, round->rows);
    for (int i = 0; i < entrants; i++) {
        if (contest->pairs) /* everyone has both colours in each round */
            round->rows[i].colors = round->rows[i].last_color = 0;
        if (!contest->entrants[i].left)
            round->rows[round->count++] = round->rows[i];
    }
    qsort(round->rows, (size_t)round->count, sizeof *round->rows, compare_rows);
    find_groups(round);
    find_met(round);
}

/* Returns the cost of a colour that one of the two has too often after this round. */
static int64_t color_cost(const struct player_row *a, const struct player_row *b)
{
    int most = abs(a->colors) < abs(b->colors) ? abs(a->colors) : abs(b->colors);

    if (a->colors == 0 || b->colors == 0 || (a->colors > 0) != (b->colors > 0))
        return a->colors == b->colors && a->last_color != 0 && a->last_color == b->last_color
                   ? COST_COLOR
                   : 0;
    return most > 1 ? COST_BALANCE3 : COST_BALANCE;
}

static int64_t square(int64_t number)
{
    return number * number;
}

static int64_t pair_cost(const struct round *round, int a_place, int b_place)
{
    const struct player_row *a = &round->rows[a_place], *b = &round->rows[b_place];
    /* In a group the better half is to meet the other half in order; across groups the last meets
     * the first. */
    int64_t distance = a->points2 == b->points2 ? a->group_size / 2 : 1;
    int64_t cost = color_cost(a, b) + square(llabs((int64_t)b_place - a_place) - distance);

    if (a->points2 == b->points2)
        return cost;
    for (int ago = 1; ago <= 2; ago++)
        cost += ((a->floated != 0 && a->floated == round->number - ago) +
                 (b->floated != 0 && b->floated == round->number - ago)) *
                COST_FLOAT;
    return cost + COST_SCORE * square(a->points2 - b->points2);
}

static void add_edge(struct round *round, int a, int b, int64_t cost)
{
    if (round->edge_count == round->edge_capacity) {
        round->edge_capacity = round->edge_capacity > 0 ? 2 * round->edge_capacity : 1024;
        round->edges =
            xreallocarray(round->edges, (size_t)round->edge_capacity, sizeof *round->edges);
    }
    round->edges[round->edge_count++] = (struct matching_edge){a, b, cost};
}

/* Returns whether two places are near each other, or the one is near where the other's opponent
 * should be.
 */
static bool are_candidates(const struct round *round, int a, int b, int window)
{
    const struct player_row *row = &round->rows[a];
    bool same_group = row->group_start == round->rows[b].group_start;

    return b - a <= window || (same_group && abs(b - a - row->group_size / 2) <= window);
}

/* Adds all pairs that may play, and byes for those of a score. */
static void add_edges(struct round *round, int window, int bye_points2)
{
    int last = round->count - 1;

    round->edge_count = 0;
    for (int a = 0; a < round->count; a++)
        for (int b = a + 1; b < round->count; b++)
            if (are_candidates(round, a, b, window) && !have_met(round, a, b))
                add_edge(round, a, b, pair_cost(round, a, b));
    for (int a = 0; a < round->count && round->count % 2 == 1; a++)
        if (!round->rows[a].had_bye && round->rows[a].points2 == bye_points2)
            add_edge(round, a, round->count, square(last - a));
}

/* Gives White to the one who had it less often, or had black last; among equals, to the better one
 * at every other place. */
static bool first_is_white(const struct round *round, int a_place, int b_place)
{
    const struct player_row *a = &round->rows[a_place], *b = &round->rows[b_place];

    if (a->colors != b->colors)
        return a->colors < b->colors;
    if (a->last_color != b->last_color)
        return a->last_color < b->last_color;
    return (a_place + round->number) % 2 == 1;
}

static void add_pairings(const struct round *round, const int mates[], struct pairing_list *next)
{
    for (int place = 0; place < round->count; place++) {
        struct contest_pairing pairing = {.round = round->number,
                                          .white = round->rows[place].entrant};
        if (mates[place] < place)
            continue;
        if (mates[place] == round->count) {
            pairing.black = NOBODY;
            pairing.result = PAIRING_WHITE_WINS;
        } else if (first_is_white(round, place, mates[place])) {
            pairing.black = round->rows[mates[place]].entrant;
        } else {
            pairing.black = pairing.white;
            pairing.white = round->rows[mates[place]].entrant;
        }
        pairing_list_add(next, pairing);
    }
}

/* Finds the cheapest round in which somebody of that score has the bye, with more and more
 * candidates until there is one. */
static bool pair_with_bye(struct round *round, int bye_points2, int mates[])
{
    int vertices = round->count + round->count % 2;

    for (int window = round->count <= ALL_PAIRS_MAX ? ALL_PAIRS_MAX : WINDOW_MIN;
         window < 2 * round->count + ALL_PAIRS_MAX; window *= 2) {
        add_edges(round, window, bye_points2);
        if (matching_find(vertices, round->edges, round->edge_count, mates))
            return true;
    }
    return false;
}

static bool pair_round(struct round *round, struct pairing_list *next)
{
    int *mates = xcalloc((size_t)round->count + 2, sizeof *mates), bye_points2 = -1;
    bool odd = round->count % 2 == 1;
    bool found = !odd && pair_with_bye(round, 0, mates);

    for (int i = round->count - 1; odd && !found && i >= 0; i--) {
        const struct player_row *row = &round->rows[i];
        if (row->had_bye || row->points2 == bye_points2)
            continue;
        bye_points2 = row->points2;
        found = pair_with_bye(round, bye_points2, mates);
    }
    if (found)
        add_pairings(round, mates, next);
    free(mates);
    return found;
}

/* Adds the return matches of the latest round, and the other half of its bye. False: they were
 * played, or there was no round. */
static bool add_returns(const struct contest *contest, struct pairing_list *next)
{
    const struct pairing_list *list = &contest->pairings;
    int round = contest_round(contest), first = list->count;

    while (first > 0 && list->rows[first - 1].round == round)
        first--;
    const struct contest_pairing *rows = list->rows + first;
    int count = list->count - first;
    /* The first of the returns would have the two of the first pairing. */
    for (int i = 1; i < count; i++)
        if (rows[i].white == rows[0].white || rows[i].black == rows[0].white)
            return false;
    for (int i = 0; i < count; i++)
        pairing_list_add(next, rows[i].black == NOBODY
                                   ? rows[i]
                                   : contest_meet(contest, round, rows[i].black, rows[i].white));
    return count > 0;
}

bool swiss_next(const struct contest *contest, struct pairing_list *next)
{
    struct round round;

    if (contest->open > 0 || (contest->pairs && add_returns(contest, next)))
        return true;
    if (contest_round(contest) >= contest->rounds || contest_active(contest) < 2)
        return false;
    round_init(&round, contest);
    bool found = pair_round(&round, next);
    free(round.rows);
    free(round.met);
    free(round.edges);
    return found;
}
