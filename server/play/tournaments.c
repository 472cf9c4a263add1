#include "tournaments.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "common/xmalloc.h"
#include "seeks.h"
#include "server/tournament/rounds.h"
#include "session.h"
#include "settle.h"

enum {
    STEPS_A_TURN = 4,     /* such as a result, a round, its matches */
    MATCHES_A_TURN = 4,   /* which take a millisecond; then others have their turn */
    PAIRED_AT_ONCE = 100, /* players: that takes a few milliseconds; of 1,000 it may take seconds */
    LEFT_TO_OTHERS_MS = 3000,
    DAY_S = 86400
};

static void add_change(struct server *server, struct tournament_change *change)
{
    struct unit *unit = unit_new();

    unit_change(unit, change, true);
    settle_add(server, unit);
}

static void set_tournament_status(struct server *server, struct tournament *tournament,
                                  enum tournament_status status)
{
    struct tournament_change *change = tournament_change_new(tournament, CHANGE_STATUS);

    change->status = status;
    change->at_s = server->wall_s;
    add_change(server, change);
}

/* Whether a tournament waits for its director, who has not been here for days. Whoever came before
 * the server was killed has the grace time to come back. */
static bool is_abandoned(const struct server *server, const struct tournament *tournament)
{
    const struct player *director = tournament->plan.director;
    bool waits = tournament->status == TOURNAMENT_PAUSED ||
                 (tournament->status == TOURNAMENT_OPEN && tournament->plan.starts_s == 0);
    time_t since_s = tournament->plan.created_s;

    if (director->seen_s > since_s)
        since_s = director->seen_s;
    return waits && !director->here &&
           server->wall_s >= since_s + server->limits.abandon_days * (time_t)DAY_S &&
           server->now_ms >= server->started_ms + server->limits.grace_s * 1000LL;
}

/* Starts a tournament whose time has come. Without two players it is called off. */
static void start_if_due(struct server *server, struct tournament *tournament)
{
    if (tournament->plan.starts_s == 0 || tournament->plan.starts_s > server->wall_s)
        return;
    if (contest_active(&tournament->contest) < ENTRANTS_MIN)
        set_tournament_status(server, tournament, TOURNAMENT_ABORTED);
    else
        add_change(server, tournament_start(tournament, server->wall_s));
}

/* Opens the match of a pairing. White answers for it: one match each is no burden. */
static void open_pairing(struct server *server, struct tournament *tournament, int number)
{
    const struct contest_pairing *row = &tournament->contest.pairings.rows[number];
    const struct tournament_plan *plan = &tournament->plan;
    struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRING);
    struct player *white = tournament->players[row->white];
    struct position start;
    struct pair_plan pair = {.players = {white, tournament->players[row->black]},
                             .game = plan->game,
                             .start = &start,
                             .clock = plan->clock,
                             .casual = plan->casual,
                             .opener = white,
                             .paired = {.round = row->round}};
    struct unit *unit = unit_new();

    tournament_opening(tournament, number, &start);
    memcpy(pair.paired.tournament, tournament->id, sizeof tournament->id);
    struct table *next = pair_open(server, unit, &pair);
    next->tournament = tournament->number;
    next->pairing = change->pairing = number;
    next->round = row->round;
    change->match = next->number;
    unit_change(unit, change, false);
    pair_settle(server, unit);
}

/* Opens the matches that pairings lack. False: there are more, or no room for them for now. */
static bool open_pairings(struct server *server, struct tournament *tournament)
{
    const struct pairing_list *list = &tournament->contest.pairings;
    int opened = 0;

    for (int i = tournament->first_open; i < list->count; i++) {
        if (list->rows[i].result != PAIRING_OPEN || tournament->matches[i] != 0) {
            tournament->first_open += i == tournament->first_open;
            continue;
        }
        if (!pair_may_open(server, NULL, NULL)) {
            tournament->retry = true;
            return false;
        }
        if (opened++ == MATCHES_A_TURN) {
            tournament->retry = true;
            eventfd_write(server->woken_fd, 1); /* the next turn begins at once */
            return false;
        }
        open_pairing(server, tournament, i);
    }
    return opened == 0;
}

/* Returns whether somebody has lost the match of a pairing by being away. A match that is no longer
 * in memory was long ago, or at another server. */
static bool was_absent(const struct server *server, const struct tournament *tournament,
                       int pairing, int entrant)
{
    const struct contest_pairing *row = &tournament->contest.pairings.rows[pairing];
    char id[TABLE_ID_MAX];

    snprintf(id, sizeof id, "%" PRId64, tournament->matches[pairing]);
    const struct table *table = lobby_find(&server->lobby, id);
    bool forfeit = table != NULL ? table->match.outcome.reason == REASON_FORFEIT
                                 : tournament->forfeits[pairing];
    return forfeit && pairing_points2(row, entrant) == 0;
}

/* Finds what each entrant does. The caller owns the array. */
static enum entrant_state *find_states(const struct server *server,
                                       const struct tournament *tournament)
{
    const struct contest *contest = &tournament->contest;
    enum entrant_state *states = xcalloc((size_t)contest->entrant_count + 1, sizeof *states);
    int round = contest_round(contest);

    for (int i = 0; i < contest->entrant_count; i++)
        states[i] = !tournament->players[i]->here ? ENTRANT_AWAY
                    : contest->format == FORMAT_ARENA && player_is_full(tournament->players[i], 0)
                        ? ENTRANT_PLAYING
                        : ENTRANT_FREE;
    for (int i = 0; i < contest->pairings.count; i++) {
        const struct contest_pairing *row = &contest->pairings.rows[i];
        const int both[] = {row->white, row->black};
        for (int j = 0; j < 2 && row->black != NOBODY; j++)
            if (row->result == PAIRING_OPEN)
                states[both[j]] = ENTRANT_PLAYING;
            else if (contest->format == FORMAT_KNOCKOUT && row->round == round &&
                     states[both[j]] == ENTRANT_AWAY && was_absent(server, tournament, i, both[j]))
                states[both[j]] = ENTRANT_ABSENT;
    }
    return states;
}

/* What a thread of its own pairs, as many players take long. It has copies of all that it needs. */
struct pairing_job {
    char tournament[TOURNAMENT_ID_MAX];
    struct contest contest;     /* owned */
    enum entrant_state *states; /* owned */
    struct pairing_list next;   /* owned; the answer, */
    bool over;                  /* and whether there are no more rounds, */
    atomic_bool done;           /* once this is set */
    pthread_t thread;
    int woken_fd; /* of the server */
};

static void *run_pairing(void *context)
{
    struct pairing_job *job = context;

    job->over = !next_round(&job->contest, job->states, &job->next);
    job->done = true;
    eventfd_write(job->woken_fd, 1); /* if it fails, the server looks each second */
    return NULL;
}

/* Begins to pair a tournament in a thread, or does it if there can be none. */
static void begin_pairing(struct server *server, const struct tournament *tournament)
{
    const struct contest *contest = &tournament->contest;
    struct pairing_job *job = xcalloc(1, sizeof *job);
    sigset_t all, before;

    memcpy(job->tournament, tournament->id, sizeof job->tournament);
    job->contest = *contest;
    job->contest.entrants =
        xcalloc((size_t)contest->entrant_count + 1, sizeof *job->contest.entrants);
    memcpy(job->contest.entrants, contest->entrants,
           (size_t)contest->entrant_count * sizeof *contest->entrants);
    job->contest.pairings.rows =
        xcalloc((size_t)contest->pairings.count + 1, sizeof *job->contest.pairings.rows);
    if (contest->pairings.count > 0)
        memcpy(job->contest.pairings.rows, contest->pairings.rows,
               (size_t)contest->pairings.count * sizeof *contest->pairings.rows);
    job->states = find_states(server, tournament);
    job->woken_fd = server->woken_fd;
    server->pairing = job;
    sigfillset(&all); /* signals are for the loop */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&job->thread, NULL, run_pairing, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        run_pairing(job);
        job->thread = pthread_self();
    }
}

void tournament_drop_pairing(struct server *server)
{
    struct pairing_job *job = server->pairing;

    if (job == NULL)
        return;
    if (!pthread_equal(job->thread, pthread_self()))
        pthread_join(job->thread, NULL);
    contest_release(&job->contest);
    pairing_list_release(&job->next);
    free(job->states);
    free(job);
    server->pairing = NULL;
}

/* Whether an entrant of an arena, who had no match, can be paired still. */
static bool is_free(const struct tournament *tournament, int entrant)
{
    return tournament->players[entrant]->here && !tournament->contest.entrants[entrant].left &&
           !player_is_full(tournament->players[entrant], 0);
}

/* Pairs the next round of a tournament, with few players at once. False: a thread is at it, or at
 * another tournament. Where a player has left meanwhile, the other one wins; in an arena they are
 * not paired, nor is who has gone. */
static bool find_next_round(struct server *server, const struct tournament *tournament,
                            struct pairing_list *next, bool *over)
{
    struct pairing_job *job = server->pairing;

    if (contest_active(&tournament->contest) <= PAIRED_AT_ONCE) {
        enum entrant_state *states = find_states(server, tournament);
        *over = !next_round(&tournament->contest, states, next);
        free(states);
        return true;
    }
    if (job == NULL)
        begin_pairing(server, tournament);
    if (job == NULL || !job->done || strcmp(job->tournament, tournament->id) != 0)
        return false;
    if (job->contest.pairings.count != tournament->contest.pairings.count) {
        tournament_drop_pairing(server); /* it was for a round that has been paired without it */
        return false;
    }
    *over = job->over;
    *next = job->next;
    job->next = (struct pairing_list){0};
    int kept = 0;
    for (int i = 0; i < next->count; i++) {
        struct contest_pairing *row = &next->rows[i];
        if (tournament->plan.format == FORMAT_ARENA &&
            (!is_free(tournament, row->white) || !is_free(tournament, row->black)))
            continue;
        if (row->black != NOBODY)
            *row = contest_meet(&tournament->contest, row->round, row->white, row->black);
        next->rows[kept++] = *row;
    }
    next->count = kept;
    tournament_drop_pairing(server);
    return true;
}

/* Pairs the next round, or ends the tournament when there is none. */
static void pair_next(struct server *server, struct tournament *tournament)
{
    const struct tournament_plan *plan = &tournament->plan;
    struct pairing_list next = {0};
    bool over = plan->format == FORMAT_ARENA && plan->minutes > 0 &&
                server->wall_s >= tournament->started_s + plan->minutes * 60;

    if (!over && !find_next_round(server, tournament, &next, &over)) {
        tournament->retry = true;
        return;
    }
    if (next.count > 0) {
        struct tournament_change *change = tournament_change_new(tournament, CHANGE_PAIRED);
        change->pairings = next;
        add_change(server, change);
        return;
    }
    pairing_list_release(&next); /* those of its pairs who could no longer be paired */
    if (over && tournament->contest.open == 0)
        set_tournament_status(server, tournament, TOURNAMENT_OVER);
}

/* Drops what was paired for a tournament that is not running any more, or is damaged, or that had
 * so few players meanwhile that it was paired at once. */
static void drop_stale_pairing(struct server *server)
{
    const struct pairing_job *job = server->pairing;

    if (job == NULL || !job->done)
        return;
    const struct tournament *tournament =
        tournaments_find(&server->lobby.tournaments, job->tournament);
    if (tournament == NULL || tournament->status != TOURNAMENT_RUNNING || tournament->broken ||
        job->contest.pairings.count != tournament->contest.pairings.count)
        tournament_drop_pairing(server);
}

/* Any of the servers that share a tournament may take its next step, and the keeper lets one of
 * them through. One goes first, so that they do not all try; another one does if that has done
 * nothing. */
static bool is_left_to_others(const struct server *server, struct tournament *tournament)
{
    const struct nodes *nodes = &server->nodes;

    if (nodes->count == 0 || nodes->list[tournament->number % nodes->count].id == nodes->own)
        return false;
    if (tournament->left_ms == 0)
        tournament->left_ms = server->now_ms;
    return server->now_ms < tournament->left_ms + LEFT_TO_OTHERS_MS;
}

void tournament_run(struct server *server)
{
    struct tournaments *tournaments = &server->lobby.tournaments;
    struct tournament *tournament;

    for (int i = 0; i < STEPS_A_TURN && tournaments->due && !server->stopping; i++) {
        tournaments->due = false;
        TAILQ_FOREACH (tournament, &tournaments->list, link) {
            if (!tournament->due || tournament->pending > 0 || tournament->lock.owner != NULL ||
                tournament_is_over(tournament) || tournament->broken)
                continue; /* there is no step, or somebody else changes it */
            tournament->due = false;
            tournament->retry = is_left_to_others(server, tournament);
            if (tournament->retry)
                continue;
            if (is_abandoned(server, tournament))
                set_tournament_status(server, tournament, TOURNAMENT_ABORTED);
            else if (tournament->status == TOURNAMENT_OPEN)
                start_if_due(server, tournament);
            else if (tournament->status == TOURNAMENT_RUNNING && open_pairings(server, tournament))
                pair_next(server, tournament);
        }
        settle_ready(server);
    }
}

void tournament_wake(struct server *server)
{
    struct tournament *tournament;
    eventfd_t count;

    eventfd_read(server->woken_fd, &count);
    drop_stale_pairing(server);
    TAILQ_FOREACH (tournament, &server->lobby.tournaments.list, link)
        if (tournament->retry && !tournament_is_over(tournament))
            tournament->due = server->lobby.tournaments.due = true;
}

void tournament_tick(struct server *server)
{
    struct tournament *tournament;

    drop_stale_pairing(server);
    TAILQ_FOREACH (tournament, &server->lobby.tournaments.list, link) {
        bool waits = tournament->plan.format == FORMAT_ARENA || is_abandoned(server, tournament) ||
                     (tournament->status == TOURNAMENT_OPEN && tournament->plan.starts_s != 0);
        if (tournament_is_over(tournament) || (!waits && !tournament->retry && !tournament->due))
            continue;
        tournament->due = server->lobby.tournaments.due = true;
    }
}
