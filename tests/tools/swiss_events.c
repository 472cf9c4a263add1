/*
 * Plays random Swiss events and prints them, for swiss_rules.py to judge.
 * usage: swiss_events EVENTS [SEED]
 *
 *     event 7 players 5 rounds 4
 *     pair 1 0 3 2-0      round, white, black (-: a bye), half points
 *     late 5 2            that player has come after round 2
 *     left 3 2            that one has gone after it
 *     end                 or `stuck`: a round of the plan could not be paired
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/tournament/rounds.h"
#include "server/tournament/swiss.h"

static uint64_t state;

static int random_below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

/* The better one wins more often. */
static enum pairing_result random_result(const struct contest *contest,
                                         const struct contest_pairing *row)
{
    double lead = contest->entrants[row->white].rating - contest->entrants[row->black].rating;
    int luck = random_below(1000);

    if (luck < 200)
        return PAIRING_DRAW;
    return luck < 600 + (int)(lead * 0.4) ? PAIRING_WHITE_WINS : PAIRING_BLACK_WINS;
}

static void play_round(struct contest *contest, const struct pairing_list *next)
{
    for (int i = 0; i < next->count; i++) {
        const struct contest_pairing *row = &next->rows[i];
        int number = contest_add(contest, *row);
        if (row->black == NOBODY) {
            printf("pair %d %d - 2-0\n", row->round, row->white);
            continue;
        }
        enum pairing_result result = random_result(contest, row);
        contest_score(contest, number, result);
        const struct contest_pairing *played = &contest->pairings.rows[number];
        printf("pair %d %d %d %d-%d\n", row->round, row->white, row->black,
               pairing_points2(played, row->white), pairing_points2(played, row->black));
    }
}

/* In a third of the events people come late, in a third they leave. */
static void come_and_leave(struct contest *contest, int kind, int round)
{
    if (kind == 1 && random_below(3) == 0) {
        contest_enter(contest, 1000 + random_below(1000));
        printf("late %d %d\n", contest->entrant_count - 1, round);
    }
    int who = random_below(contest->entrant_count);
    if (kind == 2 && random_below(4) == 0 && !contest->entrants[who].left) {
        contest->entrants[who].left = true;
        printf("left %d %d\n", who, round);
    }
}

static void play_event(int number)
{
    int players = 4 + random_below(14);
    struct contest contest = {.format = FORMAT_SWISS, .rounds = swiss_rounds(players)};

    for (int i = 0; i < players; i++)
        contest_enter(&contest, 2000 - 50 * i + random_below(40));
    printf("event %d players %d rounds %d\n", number, players, contest.rounds);
    for (int round = 1; round <= contest.rounds; round++) {
        struct pairing_list next = {0};
        bool found = next_round(&contest, NULL, &next);
        if (!found)
            printf("stuck\n");
        play_round(&contest, &next);
        pairing_list_release(&next);
        if (!found)
            break;
        come_and_leave(&contest, number % 3, round);
    }
    printf("end\n");
    contest_release(&contest);
}

int main(int argc, char *argv[])
{
    int events = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1000;

    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int i = 0; i < events; i++)
        play_event(i);
    return 0;
}
