#include "lifecycle.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "due.h"
#include "keeper_calls.h"
#include "pairing/seek_offers.h"
#include "pairing/seeking.h"
#include "presence.h"
#include "referee.h"
#include "server/base/log.h"
#include "server/play/pairing/tournament_run.h"
#include "settle.h"

enum { RETIRE_US = 5000, STOOD_STILL_MS = 3000 };
static const int64_t DAY_S = 86400;

void server_init(struct server *server, const struct limits *limits)
{
    if (sodium_init() < 0)
        abort(); /* without randomness no secret may be given out */
    memset(server, 0, sizeof *server);
    server->limits = *limits;
    server->memory = keeper_none();
    server_set_keeper(server, &server->memory);
    TAILQ_INIT(&server->ready.units);
    players_init(&server->players, limits->names);
    origins_init(&server->origins);
    seeks_init(&server->seeks);
    lobby_init(&server->lobby, &server->origins, limits->finished);
    TAILQ_INIT(&server->sessions);
    LIST_INIT(&server->lobby_watchers);
    review_jobs_init(&server->reviews);
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
    settle_ready(server);
    presence_close_erring(server);
    tournament_run(server);
    seeking_pair(server);
    seek_offers_withdraw(server);
    settle_ready(server); /* what they leave behind, and new pairs */
    lobby_trim(&server->lobby);
    if (server->players.grown)
        players_trim(&server->players);
    if (server->keeper->kind->end_turn != NULL)
        server->keeper->kind->end_turn(server->keeper);
}

static void tick_session(struct server *server, struct session *session)
{
    int64_t idle_ms = (session->text ? server->limits.text_idle_s : server->limits.idle_s) * 1000LL;
    int64_t silent_ms = server->now_ms - session->heard_ms;

    if (session_is_mute(session) || (silent_ms >= idle_ms && session->pinged)) {
        presence_close(session, "idle");
        return;
    }
    if (silent_ms >= idle_ms) /* the server itself was stopped: it has not asked yet */
        session->heard_ms = server->now_ms - idle_ms / 2;
    if ((silent_ms >= idle_ms / 2 && !session->pinged) || session_lag_is_due(session))
        session_ping(session);
}

/* The finished matches that the server does not keep, as the limits say. */
static struct retention retention_of(const struct server *server)
{
    const struct limits *limits = &server->limits;
    const struct table *oldest = TAILQ_FIRST(&server->lobby.finished);

    return (struct retention){
        .before_s = limits->keep_days > 0 ? server->wall_s - limits->keep_days * DAY_S : 0,
        .bytes_max = limits->keep_megabytes * INT64_C(1000000),
        .before_ended = oldest != NULL ? oldest->ended : 0};
}

/* Retires finished matches for a few milliseconds, and says once when that fails. */
static void retire(struct server *server)
{
    const struct retention retention = retention_of(server);
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
        if (!session_is_closing(session))
            tick_session(server, session);
    if (server->guests_wait)
        referee_gone_late(server);
    if (server->keeper->kind->tick != NULL)
        server->keeper->kind->tick(server->keeper, server->now_ms);
    tournament_tick(server);
    seeks_unblock(&server->seeks);
    house_bots_tick(&server->house, server->now_ms);
    review_jobs_work(&server->reviews, server->house.program, server->now_ms);
    retire(server);
}

void server_reap(struct server *server)
{
    house_bots_reap(&server->house, server->now_ms);
    review_jobs_work(&server->reviews, server->house.program, server->now_ms);
}

int64_t server_next_deadline_ms(const struct server *server)
{
    const struct deadline *first = deadlines_first(&server->lobby.deadlines);

    return first != NULL && !server->stopping ? first->at_ms : -1;
}

void server_run_deadlines(struct server *server)
{
    const struct deadline *first;

    while (!server->stopping && (first = deadlines_first(&server->lobby.deadlines)) != NULL &&
           first->at_ms <= server->now_ms)
        referee_when_due(server, first->table);
}

/* Has the keeper know how much time is left on a clock that runs. */
static void charge_clock(struct server *server, struct table *table)
{
    if (!table->match.clock.runs || table->lock.owner != NULL)
        return;
    struct unit *unit = unit_new();
    match_charge(&unit_edit(unit, table)->match, server->now_ms);
    unit->tables[0].quiet = true;
    settle_add(server, unit);
}

/* Has the keeper know who was here, and how the clocks stand. */
static void keep_present(struct server *server)
{
    struct session *session;
    struct table *table, *next;

    TAILQ_FOREACH (session, &server->sessions, link)
        if (session->player != NULL)
            presence_note_seen(server, session->player);
    for (table = TAILQ_FIRST(&server->lobby.unfinished); table != NULL; table = next) {
        next = TAILQ_NEXT(table, link);
        charge_clock(server, table);
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
static void drop_units(struct server *server, struct batch *batch)
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
    drop_units(server, &server->ready);
    if (server->keeping != NULL)
        drop_units(server, server->keeping);
    free(server->keeping);
    lobby_release(&server->lobby);
    seeks_release(&server->seeks); /* those of other servers hold players */
    players_release(&server->players);
    origins_release(&server->origins);
    buffer_release(&server->reply);
    buffer_release(&server->event);
}
