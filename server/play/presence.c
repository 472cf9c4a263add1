#include "presence.h"

#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "common/xmalloc.h"
#include "due.h"
#include "referee.h"
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
    session->window.session = session;
    player_add_window(player, &session->window);
    TAILQ_INSERT_TAIL(&server->sessions, session, link);
    server->session_count++;
    session->number = (int64_t)++server->tally.connections;
    log_line(LOG_DEBUG, "event=connected peer=%s", player->name);

    struct wire greeting = session_wire(session, NULL);
    wire_greeting(&greeting, server->code[0] != '\0', &server->limits, player, &server->nodes);
    session_send(session, &greeting);
    return session;
}

/* A change that waits until a unit has released its player. */
struct late_change {
    struct waiter waiter;
    struct server *server;
    struct player *player; /* held */
    int login;
    int token; /* the number of the one to end; 0: notes that they were here */
};

static void on_player_free(void *context)
{
    struct late_change *late = context;
    struct server *server = late->server;
    struct player *player = late->player;
    int token = late->token;
    bool is_new = player->login == late->login; /* else they have come back */

    waiter_leave(&late->waiter);
    free(late);
    if (token != 0 && !server->stopping)
        presence_end_token(server, player, token);
    else if (is_new && !server->stopping)
        presence_note_seen(server, player);
    player_let_go(player);
}

static void change_late(struct server *server, struct player *player, int token)
{
    struct late_change *late = xmalloc(sizeof *late);

    *late = (struct late_change){
        {.wake = on_player_free, .context = late}, server, player, player->login, token};
    player_hold(player);
    waiter_sleep(&late->waiter, &player->lock);
}

void presence_note_seen(struct server *server, struct player *player)
{
    if (player->lock.owner != NULL)
        settle_now(server);
    if (player->lock.owner != NULL) {
        change_late(server, player, 0);
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

void presence_end_token(struct server *server, struct player *player, int token)
{
    if (player->lock.owner != NULL) {
        change_late(server, player, token);
        return;
    }
    struct tokens *tokens = tokens_without(player, token);
    if (player->kind == PLAYER_GUEST) {
        player_set_tokens(player, tokens);
        return;
    }
    struct unit *unit = unit_new();
    struct identity identity = player_identity(player);
    unit_identify(unit, player, &identity);
    unit->tokens = tokens;
    unit->revokes = token;
    settle_add(server, unit);
}

/* A token that is not kept yet ends when it is. */
static void return_token(struct session *session)
{
    struct server *server = session->server;
    struct player *player = players_find_id(&server->players, session->device_of);
    struct device *device = player != NULL ? player->device : NULL;

    session->device_of = 0;
    if (device == NULL || device->taker != session->number)
        return;
    if (device->state == DEVICE_KEEPING) {
        device->taker = 0;
        return;
    }
    int token = device->state == DEVICE_KEPT ? device->number : 0;
    player_drop_device(player);
    if (token != 0)
        presence_end_token(server, player, token);
}

/* A claim has brought a player to this server: without a session they are nowhere. */
static void return_claim(struct server *server, const struct look_up *look_up)
{
    if (look_up->question.kind != LOOK_CLAIM || look_up->login == 0)
        return;
    struct player *player = players_find(&server->players, look_up->question.key);
    if (player == NULL || player->login > look_up->login)
        return;
    player->login = look_up->login;
    if (!player_is_connected(player))
        presence_note_seen(server, player);
}

void presence_end_line(struct session *session)
{
    if (session->look_up != NULL)
        return_claim(session->server, session->look_up);
    session_drop_look_up(session);
    if (session->device_of != 0)
        return_token(session);
}

void presence_learn(struct server *server, const struct look_up *look_up)
{
    return_claim(server, look_up);
}

/* Whether what is kept of the connections of a player, who has come or gone here, is to follow. */
static bool is_kept_elsewhere(const struct server *server, const struct player *player)
{
    return keeper_has_more(server->keeper) && player->kind == PLAYER_NAMED;
}

/* Tells a player in each window here how many there are at all servers. */
static void tell_windows(const struct player *player)
{
    for (struct session *session = first_session_of(player); session != NULL;
         session = next_session_of(session)) {
        struct wire wire = session_wire(session, NULL);
        wire_windows(&wire, player_window_total(player));
        session_send(session, &wire);
    }
}

/* Closes the other sessions of its player as replaced. */
static void close_others(struct session *session)
{
    struct session *other, *next;

    for (other = first_session_of(session->player); other != NULL; other = next) {
        next = next_session_of(other);
        other->makes_way = other != session;
        other->stays_alone = false; /* of two in one turn, one stays */
        if (other->makes_way)
            presence_close(other, "replaced");
    }
}

/* Makes the session the only one of its player, unless it is that by now. At other servers the
 * keeper has told of it. */
static void end_others(struct session *session)
{
    struct player *player = session->player;
    bool any = player_window_total(player) > 1;

    close_others(session);
    if (player->elsewhere != NULL) {
        player_set_elsewhere(player, NULL);
        due_watch_all_of(session->server, player);
        announce_to_house(player);
    }
    if (any)
        tell_windows(player);
}

/* Gives up the watches and the player, and tells the others. */
static void leave_session(struct session *session)
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
    if (session->stays_alone && player != NULL)
        end_others(session);
    session->player = NULL;
    if (player == NULL)
        return;
    log_line(LOG_DEBUG, "event=left peer=%s", player->name);
    player_hold(player);
    bool last = player->window_count == 1;
    if (last && player->elsewhere == NULL) {
        player->away_ms = server->now_ms;
        player->seen_s = server->wall_s;
    }
    player_remove_window(player, &session->window);
    if (!last)
        due_forget_lag(server, player, session->window.slot);
    if (!last && !session->makes_way)
        tell_windows(player);
    if (last && !server->stopping) { /* else nobody has left: the server has */
        if (player->here)
            due_watch_all_of(server, player);
        else
            referee_gone(server, player);
        presence_note_seen(server, player);
    } else if (!server->stopping && is_kept_elsewhere(server, player)) {
        presence_note_seen(server, player);
    }
    player_let_go(player);
}

void presence_end(struct session *session)
{
    session_hang_up(session);
    leave_session(session);
}

void presence_close(struct session *session, const char *reason)
{
    if (session_is_closing(session))
        return;
    settle_for(session);
    presence_end_line(session);
    session_say_bye(session, reason);
    leave_session(session);
}

void presence_free(struct session *session)
{
    struct server *server = session->server;

    settle_for(session);
    presence_end_line(session);
    session_change(session, SESSION_CLOSING);
    leave_session(session);
    if (session->origin != NULL)
        origins_leave(&server->origins, session->origin);
    TAILQ_REMOVE(&server->sessions, session, link);
    server->session_count--;
    free(session->again.text);
    free(session);
}

void presence_close_marked(struct server *server)
{
    struct session *session;

    server->some_to_close = false;
    TAILQ_FOREACH (session, &server->sessions, link)
        if (session->revoked)
            presence_close(session, "revoked");
        else if (session->errors_in_row >= server->limits.errors)
            presence_close(session, "too-many-errors");
        else if (session->stays_alone && !session_is_closing(session))
            end_others(session);
}

void presence_hand_over(struct server *server, struct player *player)
{
    struct session *session;

    player_hold(player);
    while ((session = first_session_of(player)) != NULL) {
        settle_for(session);
        session->player = NULL; /* so that it leaves as nobody */
        presence_close(session, "replaced");
        player_remove_window(player, &session->window);
    }
    if (!player->here)
        player->away_ms = server->now_ms;
    due_watch_all_of(server, player);
    player_let_go(player);
}

/* The session, which was a guest's, is another window of the player now. */
static void adopt_player(struct session *session, struct player *player, bool only)
{
    int limit = session->server->limits.player_connections;
    int most = limit > 0 ? limit : WINDOWS_MAX;

    session->player = player;
    player_add_window(player, &session->window);
    if (only) {
        player_set_elsewhere(player, NULL); /* the keeper has called them here */
        close_others(session);
    }
    while (player->window_count > most) {
        struct session *oldest = first_session_of(player);
        oldest->makes_way = true;
        presence_close(oldest, "limit");
    }
    for (struct watch *watch = LIST_FIRST(&session->watches), *next; watch != NULL; watch = next) {
        next = LIST_NEXT(watch, by_session);
        if (table_seats_of(watch->table, player) != SEATS_NONE)
            table_unwatch(watch);
    }
}

void presence_come_back(struct session *session, struct player *player, bool only)
{
    struct server *server = session->server;
    struct player *guest = session->player;
    bool was_away = !player->here;

    seeks_drop_all(&server->seeks, &session->seeks); /* they were the guest's */
    player_hold(guest);
    player_remove_window(guest, &session->window);
    adopt_player(session, player, only);
    if (was_away)
        announce_presence(server, player);
    if (player->window_count == 1)
        due_watch_all_of(server, player);
    announce_welcome(session);
    if (keeper_has_more(server->keeper)) /* then it was perhaps at another server */
        announce_to_house(player);
    if (player->timed > 0)
        session_measure_lag(session);
    if (!player_is_connected(guest))
        referee_gone(server, guest); /* refuses what the guest was challenged to */
    player_let_go(guest);
    if (player_window_total(player) > 1)
        tell_windows(player);
    if (player->window_count > 1 &&
        is_kept_elsewhere(server, player)) /* one is kept by the claim */
        presence_note_seen(server, player);
}

void presence_placed(struct server *server, struct player *player, const struct places *before,
                     bool renamed)
{
    bool connected = player_is_connected(player), was_here = connected || before != NULL;
    bool was_ours = before == NULL || (connected && server->nodes.own < before->list[0].node);
    const struct places *now = player->elsewhere;
    bool comes = false;

    for (int i = 0; !connected && now != NULL && i < now->count; i++) {
        bool is_new = true;
        for (int j = 0; before != NULL && j < before->count; j++)
            is_new = is_new && before->list[j].node != now->list[i].node;
        comes = comes || is_new;
    }
    int64_t silent_ms = places_silence_ms(before, &server->nodes);
    if (comes)
        due_forgive_cut(server, player,
                        player->cut_ms != 0 ? server->now_ms - player->cut_ms : silent_ms);
    if (now == NULL && !connected && silent_ms >= NODE_SILENT_MS && player->cut_ms == 0)
        player->cut_ms = server->now_ms - silent_ms; /* told before that their server is dead */
    if (was_here && !player->here)
        player->seen_s = server->wall_s;
    if (was_here != player->here || renamed)
        announce_presence(server, player);
    if (!was_ours && connected && player_is_ours(player))
        announce_to_house(player);
    due_watch_all_of(server, player);
    if (connected)
        tell_windows(player);
}

void presence_meet(struct server *server, struct player *player, const struct presence_news *news)
{
    if (player_is_connected(player) || player->lock.owner != NULL)
        return;
    if (player->kind == PLAYER_GUEST && news->kind == PLAYER_NAMED &&
        players_find(&server->players, news->name) == NULL) {
        struct identity identity = player_identity(player); /* with a name taken elsewhere */
        memcpy(identity.name, news->name, sizeof identity.name);
        identity.kind = PLAYER_NAMED;
        identity.bot = news->bot;
        player_settle(player, &identity);
    }
    if (!player->here && news->node != 0)
        player_set_elsewhere(player, places_add(NULL, news->node, 1));
}
