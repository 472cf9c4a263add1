#include "server.h"

#include <string.h>

#include "announce.h"
#include "session.h"
#include "view.h"

void server_init(struct server *server, const struct limits *limits)
{
    memset(server, 0, sizeof *server);
    server->limits = *limits;
    players_init(&server->players, limits->names);
    lobby_init(&server->lobby, &server->players, limits->finished);
    TAILQ_INIT(&server->sessions);
    LIST_INIT(&server->lobby_watchers);
}

bool server_add_levels(struct server *server)
{
    for (int i = 0; i < server->house.count; i++)
        if (players_add_house(&server->players, server->house.bots[i].level) == NULL)
            return false;
    return true;
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

    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session->closing)
            tick_session(server, session);
    house_tick(&server->house, server->now_ms);
}

void server_shutdown(struct server *server)
{
    struct session *session;

    server->stopping = true;
    TAILQ_FOREACH (session, &server->sessions, link)
        if (!session->closing)
            session_say_bye(session, "shutdown");
}

void server_release(struct server *server)
{
    lobby_release(&server->lobby);
    players_release(&server->players);
}
