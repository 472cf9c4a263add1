#include "tournament_run.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "pair.h"
#include "server/model/tournament/next_round.h"
#include "server/play/settle.h"

enum {
    STEPS_A_TURN = 4,   /* such as a result, a round, its matches */
    MATCHES_A_TURN = 64 /* then others have their turn */
};

static void change_alone(struct server *server, struct tournament_change *change)
{
    struct unit *unit = unit_new();

    unit_change(unit, change, true);
    settle_add(server, unit);
}

static void set_status(struct server *server, struct tournament *tournament,
                       enum tournament_status status)
{
    struct tournament_change *change = tournament_change_new(tournament, CHANGE_STATUS);

    change->status = status;
    change->at_s = server->wall_s;
    change_alone(server, change);
}

/* Starts a tournament whose time has come. Without two players it is called off. */
static void start_in_time(struct server *server, struct tournament *tournament)
{
    if (tournament->plan.starts_s == 0 || tournament->plan.starts_s > server->wall_s)
        return;
    if (contest_active(&tournament->contest) < ENTRANTS_MIN)
        set_status(server, tournament, TOURNAMENT_ABORTED);
    else
        change_alone(server, tournament_start(tournament, server->wall_s));
}

/* Opens the match of a pairing. White answers for it: one match each is no burden. */
static void open_match(struct server *server, struct tournament *tournament, int number)
{
    const struct contest_pairing *row = &tournament->contest.pairings.rows[number];
    const struct tournament_plan *plan = &tournament->plan;
    struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRING);
    struct player *white = tournament->players[row->white];
    struct pairing pairing = {.players = {white, tournament->players[row->black]},
                              .game = plan->game,
                              .start = &plan->start,
                              .clock = plan->clock,
                              .casual = plan->casual,
                              .opener = white,
                              .paired = {.round = row->round}};
    struct unit *unit = unit_new();

    memcpy(pairing.paired.tournament, tournament->id, sizeof tournament->id);
    struct table *next = pair_open(server, unit, &pairing);
    next->tournament = tournament->number;
    next->pairing = change->pairing = number;
    change->match = next->number;
    unit_change(unit, change, false);
    pair_settle(server, unit);
}

/* Opens the matches that pairings lack. False: there is no more room for now. */
static bool open_matches(struct server *server, struct tournament *tournament)
{
    const struct pairing_list *list = &tournament->contest.pairings;
    int opened = 0;

    for (int i = tournament->first_open; i < list->count; i++) {
        if (list->rows[i].result != PAIRING_OPEN || tournament->matches[i] != 0) {
            tournament->first_open += i == tournament->first_open;
            continue;
        }
        if (opened++ == MATCHES_A_TURN || !pair_may_open(server, NULL, NULL)) {
            tournament->retry = true;
            return false;
        }
        open_match(server, tournament, i);
    }
    return opened == 0;
}

/* Finds who is here and in no open pairing. The caller owns the array. */
static bool *find_idle(const struct tournament *tournament)
{
    const struct contest *contest = &tournament->contest;
    bool *idle = xcalloc((size_t)contest->entrant_count + 1, sizeof *idle);

    for (int i = 0; i < contest->entrant_count; i++)
        idle[i] = tournament->players[i]->here;
    for (int i = 0; i < contest->pairings.count; i++) {
        const struct contest_pairing *pairing = &contest->pairings.rows[i];
        if (pairing->result == PAIRING_OPEN)
            idle[pairing->white] = idle[pairing->black] = false;
    }
    return idle;
}

/* Whether the time of an arena is up. */
static bool time_is_up(const struct server *server, const struct tournament *tournament)
{
    const struct tournament_plan *plan = &tournament->plan;

    return plan->format == FORMAT_ARENA && plan->minutes > 0 &&
           server->wall_s >= tournament->started_s + plan->minutes * 60;
}

/* Pairs the next round, or ends the tournament when there is none. */
static void pair_next(struct server *server, struct tournament *tournament)
{
    struct pairing_list next = {0};
    bool over = time_is_up(server, tournament);

    if (!over) {
        bool *idle = find_idle(tournament);
        over = !next_round(&tournament->contest, idle, &next);
        free(idle);
    }
    if (next.count > 0) {
        struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRED);
        change->pairings = next;
        change_alone(server, change);
    } else if (over && tournament->contest.open == 0) {
        set_status(server, tournament, TOURNAMENT_OVER);
    }
}

/* Takes the next step of a tournament that nobody else changes. */
static void step(struct server *server, struct tournament *tournament)
{
    tournament->due = tournament->retry = false;
    if (tournament->status == TOURNAMENT_OPEN)
        start_in_time(server, tournament);
    else if (tournament->status == TOURNAMENT_RUNNING && open_matches(server, tournament))
        pair_next(server, tournament);
}

static void step_all(struct server *server)
{
    struct tournaments *tournaments = &server->lobby.tournaments;
    struct tournament *tournament;

    tournaments->due = false;
    TAILQ_FOREACH (tournament, &tournaments->list, link)
        if (tournament->due && tournament->pending == 0 && tournament->lock.owner == NULL &&
            !tournament_is_over(tournament))
            step(server, tournament);
}

void tournament_run(struct server *server)
{
    for (int i = 0; i < STEPS_A_TURN && server->lobby.tournaments.due && !server->stopping; i++) {
        step_all(server);
        settle_ready(server);
    }
}

void tournament_tick(struct server *server)
{
    struct tournament *tournament;

    TAILQ_FOREACH (tournament, &server->lobby.tournaments.list, link) {
        bool waits = tournament->plan.format == FORMAT_ARENA ||
                     (tournament->status == TOURNAMENT_OPEN && tournament->plan.starts_s != 0);
        if (tournament_is_over(tournament) || (!waits && !tournament->retry && !tournament->due))
            continue;
        tournament->due = server->lobby.tournaments.due = true;
    }
}
