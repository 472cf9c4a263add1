#include "session.h"

#include <strings.h>

#include "common/message.h"
#include "server.h"
#include "server/base/log.h"

void session_change(struct session *session, enum session_state state)
{
    if (state > session->state)
        session->state = state;
}

bool session_is_closing(const struct session *session)
{
    return session->state == SESSION_CLOSING;
}

bool session_is_admitted(const struct session *session)
{
    return session->state != SESSION_STRANGER;
}

struct session *first_session_of(const struct player *player)
{
    const struct window *window = TAILQ_FIRST(&player->windows);

    return window != NULL ? window->session : NULL;
}

struct session *next_session_of(const struct session *session)
{
    const struct window *window = TAILQ_NEXT(&session->window, link);

    return window != NULL ? window->session : NULL;
}

struct session *latest_session_of(const struct player *player)
{
    const struct window *window = TAILQ_LAST(&player->windows, window_list);

    return window != NULL ? window->session : NULL;
}

bool player_is_stranger(const struct player *player)
{
    const struct session *session = first_session_of(player);

    return session != NULL && !session_is_admitted(session);
}

struct seek *session_seek_of(const struct player *player, int64_t number)
{
    const struct session *session = first_session_of(player);
    struct seek *seek = NULL;

    for (; session != NULL && seek == NULL; session = next_session_of(session))
        seek = seek_find(&session->seeks, number);
    return seek;
}

int session_seeks_of(const struct player *player)
{
    int count = 0;

    for (const struct session *session = first_session_of(player); session != NULL;
         session = next_session_of(session))
        count += seek_count(&session->seeks);
    return count;
}

void session_revoke_all(const struct player *player, int token_number)
{
    for (struct session *session = first_session_of(player); session != NULL;
         session = next_session_of(session))
        if (session->window.token == token_number)
            session->revoked = session->server->some_to_close = true;
}

void session_stay_alone(struct session *session)
{
    session->stays_alone = session->server->some_to_close = true;
}

bool player_refuses_challenges(const struct player *player)
{
    const struct session *session = first_session_of(player);

    while (session != NULL && session->no_challenges)
        session = next_session_of(session);
    return session == NULL && player_is_connected(player) && player->elsewhere == NULL;
}

bool player_is_full(const struct player *player, int most)
{
    const struct seat *seat;
    int count = player->drafted;

    for (const struct session *session = first_session_of(player); session != NULL;
         session = next_session_of(session))
        if (session->matches_max > 0 && (most == 0 || session->matches_max < most))
            most = session->matches_max;
    if (most == 0)
        return false;
    TAILQ_FOREACH (seat, &player->seats, link) {
        const struct table *table = seat->table;
        bool both = table->seats[WHITE].player == table->seats[BLACK].player;
        if (table->match.status != MATCH_OVER && table->broken == NULL &&
            !(both && seat->color == BLACK))
            count++;
    }
    return count >= most;
}

struct wire session_wire(const struct session *session, const char *id)
{
    struct buffer *out = &session->server->event;

    out->length = 0;
    return (struct wire){out, session->text, id};
}

void session_write(struct session *session, const char *bytes, size_t length)
{
    if (!session_is_closing(session) && length > 0)
        session->sink.write(session->sink.context, bytes, length);
}

bool session_is_behind(const struct session *session)
{
    return session->sink.behind != NULL && session->sink.behind(session->sink.context);
}

void session_send(struct session *session, const struct wire *wire)
{
    session_write(session, wire->out->bytes, wire->out->length);
}

void session_wake(void *waiting)
{
    const struct session *session = waiting;

    if (session->sink.wake != NULL)
        session->sink.wake(session->sink.context);
}

void session_drop_look_up(struct session *session)
{
    struct look_up *look_up = session->look_up;

    session->look_up = NULL;
    if (look_up != NULL && look_up->state == LOOK_WAITS)
        look_up->asker = NULL; /* the keeper has it until it answers */
    else
        look_up_free(look_up);
}

void session_watch_lobby(struct session *session, bool watch)
{
    if (watch && !session->in_lobby)
        LIST_INSERT_HEAD(&session->server->lobby_watchers, session, lobby_link);
    if (!watch && session->in_lobby)
        LIST_REMOVE(session, lobby_link);
    session->in_lobby = watch;
}

/* The newest measurement counts 1 / LAG_WEIGHT. */
enum { LAG_WEIGHT = 4 };

/* Only what nobody sends for another reason counts as the answer to a ping. */
static void measure_answer(struct session *session, const struct message *message)
{
    bool blank = message->verb == NULL && message->id == NULL;
    int64_t took_ms = session->server->now_ms - session->ping_ms;

    if (!session->measuring ||
        !(blank || (message->verb != NULL && strcasecmp(message->verb, "ping") == 0)))
        return;
    session->measuring = false;
    if (took_ms > CLOCK_LAG_MAX_MS)
        took_ms = CLOCK_LAG_MAX_MS; /* one hiccup is not to be felt for minutes */
    if (session->lag_ms < 0)
        session->lag_ms = took_ms;
    else
        session->lag_ms += (took_ms - session->lag_ms) / LAG_WEIGHT;
}

void session_heard(struct session *session, const struct message *message)
{
    session->heard_ms = session->server->now_ms;
    session->pinged = false;
    session->spoken = true;
    if (message != NULL)
        measure_answer(session, message);
}

void session_ponged(struct session *session)
{
    session->heard_ms = session->server->now_ms;
    session->pinged = false;
    measure_answer(session, &(struct message){.verb = NULL});
}

/* Asks whether the peer is there, and unless in text format measures how long the answer takes. */
static void ping_peer(struct session *session)
{
    if (session->sink.ping == NULL || !session->sink.ping(session->sink.context)) {
        struct wire ping = session_wire(session, NULL);
        wire_ping(&ping);
        session_send(session, &ping);
    }
    session->pinged = true;
    session->measuring = !session->text;
    session->ping_ms = session->server->now_ms;
}

bool session_tick(struct session *session)
{
    const struct server *server = session->server;
    int64_t idle_ms = (session->text ? server->limits.text_idle_s : server->limits.idle_s) * 1000LL;
    int64_t age_ms = server->now_ms - session->opened_ms;
    int64_t silent_ms = server->now_ms - session->heard_ms;
    bool lag_is_due = !session->text && session->player->timed > 0 &&
                      server->now_ms - session->ping_ms >= LAG_EVERY_MS;

    if (!session->spoken && age_ms >= server->limits.first_line_s * 1000LL)
        return false;
    if (!session_is_admitted(session) &&
        age_ms >= server->limits.idle_s * (int64_t)ADMISSION_IDLES * 1000)
        return false;
    /* While a review is made for its line, nothing is read that it answers. */
    if (session->sleeps == SLEEPS_FOR_LOCK) {
        session->heard_ms = server->now_ms;
        return true;
    }
    if (silent_ms >= idle_ms && session->pinged)
        return false;
    if (silent_ms >= idle_ms) /* the server itself was stopped: it has not asked yet */
        session->heard_ms = server->now_ms - idle_ms / 2;
    if ((silent_ms >= idle_ms / 2 && !session->pinged) || lag_is_due)
        ping_peer(session);
    return true;
}

void session_measure_lag(struct session *session)
{
    if (!session->text && !session->measuring)
        ping_peer(session);
}

void session_set_text(struct session *session, bool text)
{
    session->text = text;
    if (!text)
        return;
    session->measuring = false;
    session->lag_ms = -1;
}

void session_trust(struct session *session)
{
    session->trusted = true;
    if (session->origin != NULL)
        origins_leave(&session->server->origins, session->origin);
    session->origin = NULL;
}

void session_hang_up(struct session *session)
{
    struct player *player = session->player;
    session_change(session, SESSION_CLOSING);
    if (player != NULL) {
        bool here = player->elsewhere != NULL;
        for (const struct session *own = first_session_of(player); own != NULL;
             own = next_session_of(own))
            here = here || !session_is_closing(own);
        player_set(player, player->bot, here);
    }
    session->sink.close(session->sink.context);
}

void session_say_bye(struct session *session, const char *reason)
{
    struct wire bye = session_wire(session, NULL);

    if (session->player != NULL)
        log_line(LOG_DEBUG, "event=bye peer=%s reason=%s", session->player->name, reason);
    wire_bye(&bye, reason);
    session_send(session, &bye);
    session_hang_up(session);
}
