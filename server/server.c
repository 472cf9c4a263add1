#include "server.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "session.h"
#include "store.h"
#include "view.h"

void server_init(struct server *server, const struct limits *limits)
{
    if (sodium_init() < 0)
        abort(); /* without randomness no secret may be given out */
    memset(server, 0, sizeof *server);
    server->limits = *limits;
    players_init(&server->players, limits->names);
    lobby_init(&server->lobby, &server->players, limits->finished);
    TAILQ_INIT(&server->sessions);
    LIST_INIT(&server->lobby_watchers);
}

bool server_take_up(struct server *server, struct store *store, struct cause *cause)
{
    if (!store_load(store, &server->players, &server->lobby, server->now_ms, cause))
        return false;
    players_trim(&server->players);
    server->store = store;
    announce_abort_for_guests(server);
    server_end_turn(server);
    return !server->turn.failing ||
           cause_set(cause, "the store cannot be written: %.120s", store_error(store));
}

bool server_add_levels(struct server *server)
{
    for (int i = 0; i < server->house.count; i++)
        if (players_add_house(&server->players, server->house.bots[i].level) == NULL)
            return false;
    return true;
}

void server_end_turn(struct server *server)
{
    turn_end(server);
    lobby_trim(&server->lobby);
}

static void tick_session(struct server *server, struct session *session)
{
    int64_t idle_ms = (session->text ? server->limits.text_idle_s : server->limits.idle_s) * 1000LL;
    int64_t silent_ms = server->now_ms - session->heard_ms;

    if (silent_ms >= idle_ms) {
        session_close(session, "idle");
    } else if (silent_ms >= idle_ms / 2 && !session->pinged) {
        cJSON *ping = view_event("ping");
        session_send(session, ping);
        cJSON_Delete(ping);
        session->pinged = true;
    }
}

void server_tick(struct server *server)
{
    struct session *session;

    turn_end(server);
    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session->closing)
            tick_session(server, session);
    if (server->guests_wait)
        announce_gone_late(server);
    house_tick(&server->house, server->now_ms);
}

void server_shutdown(struct server *server)
{
    struct session *session;

    turn_end(server);
    server->stopping = true;
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
}
