#include "server.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "referee.h"
#include "session.h"
#include "store.h"

void server_init(struct server *server, const struct limits *limits)
{
    if (sodium_init() < 0)
        abort(); /* without randomness no secret may be given out */
    memset(server, 0, sizeof *server);
    server->limits = *limits;
    players_init(&server->players, limits->names);
    origins_init(&server->origins);
    lobby_init(&server->lobby, &server->players, &server->origins, limits->finished);
    TAILQ_INIT(&server->sessions);
    LIST_INIT(&server->lobby_watchers);
}

void server_set_limits(struct server *server, const struct limits *limits)
{
    turn_end(server);
    server->limits = *limits;
    server->players.named_max = limits->names;
    server->lobby.finished_max = limits->finished;
    players_trim(&server->players);
    lobby_trim(&server->lobby);
    referee_limits_changed(server);
}

bool server_take_up(struct server *server, struct store *store, struct cause *cause)
{
    if (!store_load(store, &server->players, &server->lobby, server->now_ms, cause))
        return false;
    players_trim(&server->players);
    server->store = store;
    referee_take_up(server);
    server_end_turn(server);
    return !server->turn.failing ||
           cause_set(cause, "cannot write the store: %.120s", store_error(store));
}

bool server_add_levels(struct server *server)
{
    for (int i = 0; i < server->house.count; i++)
        if (players_add_house(&server->players, server->house.bots[i].level) == NULL)
            return false;
    return true;
}

bool server_has_player(const struct server *server, const struct player *player)
{
    return player->kind != PLAYER_HOUSE ||
           house_has_level(&server->house, player->name + strlen("bot:"));
}

enum { CONNECT_COST = 10 }; /* to connect is as much work as so many commands */

bool server_may_connect(struct server *server, struct origin *origin)
{
    const struct limits *limits = &server->limits;

    if (origin == NULL || server->session_count >= limits->connections)
        return false;
    if (origin->loopback && !limits->limit_loopback)
        return true;
    if (origin->connections > limits->address_connections)
        return false;
    if (limits->address_rate == 0)
        return true;
    int64_t cost_us = CONNECT_COST * INT64_C(1000000) / limits->address_rate;
    if (bucket_wait_ms(&origin->commands, server->now_ms, cost_us, ORIGIN_BURST_US) > 0)
        return false;
    bucket_take(&origin->commands, server->now_ms, cost_us);
    return true;
}

bool server_is_full(const struct server *server)
{
    return server->lobby.open + server->lobby.playing >= server->limits.unfinished;
}

void server_end_turn(struct server *server)
{
    turn_end(server);
    session_close_lost(server);
    lobby_trim(&server->lobby);
    if (server->players.grown)
        players_trim(&server->players);
}

static void tick_session(struct server *server, struct session *session)
{
    int64_t idle_ms = (session->text ? server->limits.text_idle_s : server->limits.idle_s) * 1000LL;
    int64_t silent_ms = server->now_ms - session->heard_ms;

    if (session_is_mute(session) || (silent_ms >= idle_ms && session->pinged)) {
        session_close(session, "idle");
        return;
    }
    if (silent_ms >= idle_ms) /* the server itself was stopped: it has not asked yet */
        session->heard_ms = server->now_ms - idle_ms / 2;
    if ((silent_ms >= idle_ms / 2 && !session->pinged) || session_lag_is_due(session))
        session_ping(session);
}

void server_tick(struct server *server)
{
    struct session *session;

    turn_end(server);
    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session->closing)
            tick_session(server, session);
    if (server->guests_wait)
        referee_gone_late(server);
    house_tick(&server->house, server->now_ms);
}

int64_t server_next_deadline_ms(const struct server *server)
{
    const struct deadline *first = deadlines_first(&server->lobby.deadlines);

    return first != NULL && !server->stopping ? first->at_ms : -1;
}

void server_run_deadlines(struct server *server)
{
    const struct deadline *first;

    turn_end(server);
    if (server->stopping)
        return;
    while ((first = deadlines_first(&server->lobby.deadlines)) != NULL &&
           first->at_ms <= server->now_ms) {
        referee_settle(server, first->table);
        if (server->turn.length > TURN_BYTES_MAX)
            turn_end(server);
    }
}

/* Writes down how much time is left on each clock that runs, and who was here. */
static void write_present(struct server *server)
{
    struct session *session;
    struct table *table;

    TAILQ_FOREACH (session, &server->sessions, link)
        if (session->player != NULL)
            session_note_seen(server, session->player);

    TAILQ_FOREACH (table, &server->lobby.unfinished, link)
        if (table->match.clock.runs && turn_touch(server, table))
            match_charge(&table->match, server->now_ms);
    turn_end(server);
}

void server_shutdown(struct server *server)
{
    struct session *session;

    turn_end(server);
    write_present(server);
    server->stopping = true;
    server->house.stopping = true; /* its bots hear it, too, and end */
    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session->closing)
            session_say_bye(session, "shutdown");
}

void server_release(struct server *server)
{
    turn_end(server);
    turn_release(&server->turn);
    lobby_release(&server->lobby);
    players_release(&server->players);
    origins_release(&server->origins);
    buffer_release(&server->reply);
    buffer_release(&server->event);
}
