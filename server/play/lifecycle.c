#include "lifecycle.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cluster.h"
#include "dispatch.h"
#include "due.h"
#include "presence.h"
#include "referee.h"
#include "seeks.h"
#include "server/base/log.h"
#include "settle.h"
#include "tournaments.h"

enum { RETIRE_US = 5000, STOOD_STILL_MS = 3000 };
static const int64_t DAY_S = 86400;

void server_init(struct server *server, const struct limits *limits)
{
    /* In this order `help` lists them. */
    static const struct command *const commands[] = {
        session_commands, people_commands,     lobby_commands,  match_commands, review_commands,
        seek_commands,    tournament_commands, puzzle_commands, help_commands,  NULL};

    if (sodium_init() < 0)
        abort(); /* without randomness no secret may be given out */
    memset(server, 0, sizeof *server);
    server->limits = *limits;
    server->commands = commands;
    server->memory = keeper_none();
    server_set_keeper(server, &server->memory);
    TAILQ_INIT(&server->ready.units);
    players_init(&server->players, limits->names);
    origins_init(&server->origins);
    seeks_init(&server->seeks);
    lobby_init(&server->lobby, &server->origins, limits->finished);
    server->players.observer = (struct player_observer){lobby_note_player, &server->lobby};
    TAILQ_INIT(&server->sessions);
    LIST_INIT(&server->lobby_watchers);
    review_jobs_init(&server->reviews);
    server->woken_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void server_set_limits(struct server *server, const struct limits *limits)
{
    server->limits = *limits;
    server->players.named_max = limits->names;
    server->lobby.finished_max = limits->finished;
    players_trim(&server->players);
    lobby_trim(&server->lobby);
    due_watch_all(server);
}

bool server_take_up(struct server *server, struct keeper *keeper, struct cause *cause)
{
    server_set_keeper(server, keeper);
    if (!keeper->kind->load(keeper, &server->players, &server->lobby, server->now_ms, cause))
        return false;
    players_trim(&server->players);
    referee_take_up(server);
    server_end_turn(server);
    return !server->keeper_fails ||
           cause_set(cause, "cannot write the store: %.120s", keeper->kind->error(keeper));
}

void server_add_levels(struct server *server)
{
    for (int i = 0; i < server->house.count; i++)
        players_add_house(&server->players, server->house.bots[i].level);
}

void server_end_turn(struct server *server)
{
    /* Twice: only what is settled closes sessions in error, scores and pairs a round, and repeats a
     * seek after its match. What these leave behind, such as a new pair's match, must not wait for
     * the next turn, which may be a second away. Mostly there is nothing, and that costs nothing.
     */
    settle_ready(server);
    if (server->some_to_close)
        presence_close_marked(server);
    if (server->lobby.tournaments.due)
        tournament_run(server);
    if (!TAILQ_EMPTY(&server->seeks.fresh))
        seeking_pair(server);
    if (server->seeks.withdrawn.count > 0)
        seek_offers_withdraw(server);
    settle_ready(server);
    lobby_trim(&server->lobby);
    if (server->players.grown)
        players_trim(&server->players);
    if (server->keeper->kind->end_turn != NULL)
        server->keeper->kind->end_turn(server->keeper);
}

/* Retires finished matches for a few milliseconds, and says once when that fails. */
static void retire_matches(struct server *server)
{
    const struct limits *limits = &server->limits;
    const struct table *oldest = TAILQ_FIRST(&server->lobby.finished);
    const struct retention retention = {
        .before_s = limits->keep_days > 0 ? server->wall_s - limits->keep_days * DAY_S : 0,
        .bytes_max = limits->keep_megabytes * INT64_C(1000000),
        .before_ended = oldest != NULL ? oldest->ended : 0};
    struct keeper *keeper = server->keeper;
    int64_t until_us = tally_now_us() + RETIRE_US;
    struct cause cause;
    int count;

    if (keeper->kind->retire == NULL || (retention.before_s == 0 && retention.bytes_max == 0))
        return;
    do
        count = keeper->kind->retire(keeper, &retention, &cause);
    while (count > 0 && tally_now_us() < until_us);
    if (count < 0 && !server->retire_fails)
        log_line(LOG_ERROR, "event=archive-fails error=%s", log_quote(cause.text).text);
    server->retire_fails = count < 0;
}

void server_pass_time(struct server *server, int64_t now_ms, time_t wall_s)
{
    int64_t gap_ms = server->now_ms != 0 ? now_ms - server->now_ms : 0;

    server->now_ms = now_ms;
    server->wall_s = wall_s;
    if (gap_ms < STOOD_STILL_MS)
        return;
    log_line(LOG_WARN, "event=stood-still ms=%lld", (long long)gap_ms);
    due_forgive_all(server, gap_ms);
}

void server_tick(struct server *server)
{
    struct session *session;

    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session_is_closing(session) && !session_tick(session))
            presence_close(session, "idle");
    if (server->guests_wait)
        referee_gone_late(server);
    if (server->keeper->kind->tick != NULL)
        server->keeper->kind->tick(server->keeper, server->now_ms);
    tournament_tick(server);
    seeks_unblock(&server->seeks);
    house_bots_tick(&server->house, server->now_ms);
    review_jobs_work(&server->reviews, server->keeper, house_bots_program(&server->house),
                     server->now_ms);
    retire_matches(server);
}

void server_reap(struct server *server)
{
    house_bots_reap(&server->house, server->now_ms);
    review_jobs_work(&server->reviews, server->keeper, house_bots_program(&server->house),
                     server->now_ms);
}

int64_t server_next_deadline_ms(const struct server *server)
{
    const struct deadline *first = deadlines_first(&server->lobby.deadlines);

    return first != NULL && !server->stopping ? first->at_ms : -1;
}

void server_run_deadlines(struct server *server)
{
    const struct keeper *keeper = server->keeper;
    /* The database may be away: then nobody is charged for the time, and no deadline counts. */
    bool away = keeper->kind->is_stalled != NULL && keeper->kind->is_stalled(keeper);
    const struct deadline *first;

    while (!server->stopping && (first = deadlines_first(&server->lobby.deadlines)) != NULL &&
           first->at_ms <= server->now_ms) {
        struct table *table = first->table;
        /* Lines that came before the deadline wait for the match: they go first. */
        bool lines_first = table->lock.owner == NULL && !TAILQ_EMPTY(&table->lock.queue);
        if (away || lines_first)
            deadline_set(&server->lobby.deadlines, &table->deadline,
                         server->now_ms + RETRY_SOON_MS);
        else
            referee_enforce(server, table);
    }
}

/* Saves presence, and how much time is left on the clocks that run. */
static void keep_present(struct server *server)
{
    struct session *session;
    struct table *table, *next;

    TAILQ_FOREACH (session, &server->sessions, link)
        if (session->player != NULL && session == first_session_of(session->player))
            presence_note_seen(server, session->player); /* in whichever window */
    for (table = TAILQ_FIRST(&server->lobby.unfinished); table != NULL; table = next) {
        next = TAILQ_NEXT(table, link);
        if (!table->match.clock.runs || table->lock.owner != NULL)
            continue;
        struct unit *unit = unit_new();
        match_charge(&unit_edit(unit, table)->match, server->now_ms);
        settle_add(server, unit);
    }
    settle_ready(server);
}

void server_shutdown(struct server *server)
{
    struct session *session;

    settle_ready(server);
    keep_present(server);
    server->stopping = true;
    server->house.stopping = true; /* its bots hear it, too, and end */
    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session_is_closing(session))
            session_say_bye(session, server->hosted ? "closed" : "shutdown");
}

bool server_is_settled(const struct server *server)
{
    return server->keeping == NULL && TAILQ_EMPTY(&server->ready.units);
}

/* Drops units that nobody will keep any more. */
static void free_units(struct server *server, struct batch *batch)
{
    struct unit *unit;

    while ((unit = TAILQ_FIRST(&batch->units)) != NULL) {
        TAILQ_REMOVE(&batch->units, unit, link);
        unit_free(unit, &server->lobby);
    }
}

void server_release(struct server *server)
{
    review_jobs_release(&server->reviews);
    settle_ready(server);
    server->stopping = true;
    free_units(server, &server->ready);
    if (server->keeping != NULL)
        free_units(server, server->keeping);
    free(server->keeping);
    tournament_drop_pairing(server);
    if (server->woken_fd >= 0)
        close(server->woken_fd);
    lobby_release(&server->lobby);
    seeks_release(&server->seeks); /* those of other servers hold players */
    players_release(&server->players);
    origins_release(&server->origins);
    buffer_release(&server->reply);
    buffer_release(&server->event);
}
