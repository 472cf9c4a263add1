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

/* The weight of the newest measurement: 1 in so many. */
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

static void ping_by_line(struct session *session)
{
    struct wire ping = session_wire(session, NULL);

    wire_ping(&ping);
    session_send(session, &ping);
}

void session_ping(struct session *session)
{
    if (session->sink.ping == NULL || !session->sink.ping(session->sink.context))
        ping_by_line(session);
    session->pinged = true;
    session->measuring = !session->text;
    session->ping_ms = session->server->now_ms;
}

bool session_lag_is_due(const struct session *session)
{
    return !session->text && session->player->timed > 0 &&
           session->server->now_ms - session->ping_ms >= LAG_EVERY_MS;
}

void session_measure_lag(struct session *session)
{
    if (!session->text && !session->measuring)
        session_ping(session);
}

void session_set_text(struct session *session, bool text)
{
    session->text = text;
    if (!text)
        return;
    session->measuring = false;
    session->lag_ms = -1;
}

bool session_is_mute(const struct session *session)
{
    int64_t age_ms = session->server->now_ms - session->opened_ms;

    return (!session->spoken && age_ms >= session->server->limits.first_line_s * 1000LL) ||
           (!session_is_admitted(session) &&
            age_ms >= session->server->limits.idle_s * (int64_t)ADMISSION_IDLES * 1000);
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
    session_change(session, SESSION_CLOSING);
    if (session->player != NULL)
        session->player->here = false;
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
