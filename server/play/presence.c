#include "presence.h"

#include <stdlib.h>

#include "announce.h"
#include "common/xmalloc.h"
#include "due.h"
#include "referee.h"
#include "relay.h"
#include "server/base/log.h"
#include "server/wire/wire.h"
#include "settle.h"

struct session *presence_open(struct server *server, struct sink sink, struct origin *origin)
{
    struct session *session = xcalloc(1, sizeof *session);
    struct player *player = players_add_guest(&server->players);

    session->server = server;
    session->sink = sink;
    if (server->code[0] == '\0')
        session_change(session, SESSION_ADMITTED);
    session->origin = origin;
    session->opened_ms = session->heard_ms = server->now_ms;
    session->lag_ms = -1;
    session->waiter = (struct waiter){.wake = session_wake, .context = session};
    LIST_INIT(&session->watches);
    LIST_INIT(&session->tournaments);
    TAILQ_INIT(&session->seeks);
    session->player = player;
    player_set_session(player, session);
    TAILQ_INSERT_TAIL(&server->sessions, session, link);
    server->session_count++;
    server->tally.connections++;
    log_line(LOG_DEBUG, "event=connected peer=%s", player->name);

    struct wire greeting = session_wire(session, NULL);
    wire_greeting(&greeting, server->code[0] != '\0', server->limits.line_bytes,
                  server->limits.address_kept, player, &server->nodes);
    session_send(session, &greeting);
    return session;
}

/* A note that waits until a unit has released its player. */
struct late_note {
    struct waiter waiter;
    struct server *server;
    struct player *player; /* held */
    int login;
};

static void note_late(void *context)
{
    struct late_note *late = context;
    struct server *server = late->server;
    struct player *player = late->player;
    bool is_new = player->login == late->login; /* else they have come back */

    waiter_leave(&late->waiter);
    free(late);
    if (is_new && !server->stopping)
        presence_note_seen(server, player);
    player_let_go(player);
}

static void note_later(struct server *server, struct player *player)
{
    struct late_note *late = xmalloc(sizeof *late);

    *late = (struct late_note){{.wake = note_late, .context = late}, server, player, player->login};
    player_hold(player);
    waiter_sleep(&late->waiter, &player->lock);
}

void presence_note_seen(struct server *server, struct player *player)
{
    if (player->lock.owner != NULL)
        settle_now(server);
    if (player->lock.owner != NULL) {
        note_later(server, player);
        return;
    }
    if (player->kind == PLAYER_GUEST)
        return; /* perhaps as their new name was not kept */
    struct unit *unit = unit_new();
    struct identity identity = player_identity(player);
    identity.seen_s = server->wall_s;
    unit_identify(unit, player, &identity);
    settle_add(server, unit);
}

void presence_give_back(struct server *server, const struct look_up *look_up)
{
    if (look_up == NULL || look_up->question.kind != LOOK_CLAIM || look_up->login == 0)
        return;
    struct player *player = players_find(&server->players, look_up->question.key);
    if (player == NULL || player->login > look_up->login)
        return;
    player->login = look_up->login;
    if (player->session == NULL)
        presence_note_seen(server, player);
}

void presence_learn(struct server *server, const struct look_up *look_up)
{
    if (look_up->question.kind != LOOK_NAME || look_up->state != LOOK_FOUND)
        return;
    struct player *player = players_find(&server->players, look_up->question.key);
    if (player == NULL || player->here)
        return;
    announce_presence(server, player);
    due_watch_all_of(server, player);
}

/* Gives up the watches and the player, and tells the others. */
static void leave(struct session *session)
{
    struct server *server = session->server;
    struct player *player = session->player;

    waiter_leave(&session->waiter);
    while (!LIST_EMPTY(&session->watches))
        table_unwatch(LIST_FIRST(&session->watches));
    while (!LIST_EMPTY(&session->tournaments))
        tournament_unwatch(LIST_FIRST(&session->tournaments));
    session_watch_lobby(session, false);
    seeks_drop_all(&server->seeks, &session->seeks);
    session->player = NULL;
    if (player == NULL)
        return;
    log_line(LOG_DEBUG, "event=left peer=%s", player->name);
    player->away_ms = server->now_ms;
    player->seen_s = server->wall_s;
    player_hold(player);
    player_set_session(player, NULL);
    if (!server->stopping) { /* else nobody has left: the server has */
        if (player->kind != PLAYER_GUEST)
            relay_presence(server, player);
        referee_gone(server, player);
        presence_note_seen(server, player);
    }
    player_let_go(player);
}

void presence_end(struct session *session)
{
    session_hang_up(session);
    leave(session);
}

void presence_close(struct session *session, const char *reason)
{
    if (session_is_closing(session))
        return;
    settle_for(session);
    presence_give_back(session->server, session->look_up);
    session_drop_look_up(session);
    session_say_bye(session, reason);
    leave(session);
}

void presence_free(struct session *session)
{
    struct server *server = session->server;

    settle_for(session);
    presence_give_back(server, session->look_up);
    session_drop_look_up(session);
    session_change(session, SESSION_CLOSING);
    leave(session);
    if (session->origin != NULL)
        origins_leave(&server->origins, session->origin);
    TAILQ_REMOVE(&server->sessions, session, link);
    server->session_count--;
    free(session->again);
    free(session);
}

void presence_close_erring(struct server *server)
{
    struct session *session;

    if (!server->some_erring)
        return;
    server->some_erring = false;
    TAILQ_FOREACH (session, &server->sessions, link)
        if (session->errors_in_row >= server->limits.errors)
            presence_close(session, "too-many-errors");
}

void presence_hand_over(struct session *session)
{
    struct player *player = session->player;

    settle_for(session);
    session->player = NULL; /* so that it leaves as nobody */
    presence_close(session, "replaced");
    player_set_session(player, NULL);
}

/* The session, which was a guest's, is the player's now. */
static void become(struct session *session, struct player *player)
{
    struct session *former = player->session;

    if (former != NULL)
        presence_hand_over(former);
    session->player = player;
    player->node = 0;
    player_set_session(player, session);
    for (struct watch *watch = LIST_FIRST(&session->watches), *next; watch != NULL; watch = next) {
        next = LIST_NEXT(watch, by_session);
        if (table_seats_of(watch->table, player) != SEATS_NONE)
            table_unwatch(watch);
    }
}

void presence_come_back(struct session *session, struct player *player)
{
    struct server *server = session->server;
    struct player *guest = session->player;
    bool was_away = !player->here;

    seeks_drop_all(&server->seeks, &session->seeks); /* they were the guest's */
    player_hold(guest);
    player_set_session(guest, NULL);
    become(session, player);
    if (was_away)
        announce_presence(server, player);
    relay_presence(server, player);
    due_watch_all_of(server, player);
    announce_welcome(session);
    if (keeper_has_more(server->keeper)) /* then it was perhaps at another server */
        announce_to_house(player);
    if (player->timed > 0)
        session_measure_lag(session);
    referee_gone(server, guest); /* refuses what the guest was challenged to */
    player_let_go(guest);
}
