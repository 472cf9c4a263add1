#include "connection.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <stdint.h>
#include <stdlib.h>

#include "certificate.h"
#include "common/xmalloc.h"
#include "now.h"
#include "server/base/log.h"
#include "server/play/dispatch.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "visitor.h"
#include "websocket.h"

enum {
    CLOSE_WAIT_MS = 5000,      /* for a peer to read its last lines */
    ROOM_LOOKS = 64,           /* at connections, when the server is full */
    VISITOR_RECORDS_MAX = 4096 /* of TLS, before it is known who it is */
};

static struct connection *connection_of(struct stream *stream)
{
    return (struct connection *)(void *)stream;
}

static struct connections *set_of(struct connection *connection)
{
    return (struct connections *)(void *)connection->stream.set;
}

static void sink_write(void *context, const char *bytes, size_t length)
{
    struct connection *connection = context;
    bool welcome = connection->session != NULL && connection->session->welcoming;

    if (stream_admits(&connection->stream, length, welcome))
        connection->framing->write(connection, bytes, length);
}

static void sink_close(void *context)
{
    struct connection *connection = context;

    if (connection->stream.state != STREAM_DEAD)
        connection->framing->end(connection);
    stream_close(&connection->stream, CLOSE_WAIT_MS);
}

static void sink_wake(void *context)
{
    struct connection *connection = context;

    stream_wake(&connection->stream); /* a line may have to run again, though none is waiting */
}

static bool sink_ping(void *context)
{
    struct connection *connection = context;

    return connection->framing->ping(connection);
}

static bool sink_behind(void *context)
{
    const struct connection *connection = context;

    return stream_is_behind(&connection->stream);
}

/* The server waits no longer to learn what it is. */
static void leave_strangers(struct connection *connection)
{
    if (connection->is_new)
        TAILQ_REMOVE(&set_of(connection)->strangers, connection, stranger);
    connection->is_new = false;
}

/* Opens the session of what was a visitor. */
static void open_session(struct connection *connection, const struct framing *framing)
{
    const struct sink sink = {connection, sink_write, sink_close,
                              sink_wake,  sink_ping,  sink_behind};
    struct server *server = connection->stream.set->server;
    struct origin *origin = connection->origin;

    leave_strangers(connection);
    connection->framing = framing;
    connection->origin = NULL;
    server->visitor_count--;
    connection->session = presence_open(server, sink, origin);
    rate_limit_count(connection->session, connection->records);
}

/* Handles lines up to the limits on their number and on the work that they cause. */
static enum taken take_lines(struct connection *connection)
{
    const struct session *session = connection->session;
    int left = connection->stream.set->server->limits.lines_per_turn;
    int64_t enough = session->spent + left;
    enum taken taken = TAKEN;

    while (taken == TAKEN && stream_is_heard(&connection->stream) &&
           !stream_is_clogged(&connection->stream)) {
        taken =
            left-- > 0 && session->spent < enough ? connection->framing->take(connection) : ENOUGH;
        connection->record_open = connection->record_open && taken != TAKEN;
    }
    return taken;
}

static void handle_lines(struct connection *connection)
{
    struct stream *stream = &connection->stream;

    if (stream->input == INPUT_ASLEEP) {
        stream_stop_reading(stream); /* not before: most wake before more arrives */
        return;
    }
    if (!stream_is_heard(stream))
        return;
    enum taken taken = dispatch_resume(connection->session) ? take_lines(connection) : ASLEEP;
    if (!stream_is_heard(stream))
        return;
    if (taken == ASLEEP) {
        stream_set_input(stream, INPUT_ASLEEP);
    } else if (taken == ENOUGH) {
        stream_set_input(stream, INPUT_PAUSED);
        stream_make_due(stream);
    } else if (stream_is_clogged(stream)) {
        stream_set_input(stream, INPUT_PAUSED); /* until all is written: others go first */
        waiter_leave(&connection->session->waiter);
    } else if (stream->state == STREAM_ENDED) {
        presence_close(connection->session, "quit");
    } else {
        stream_set_input(stream, INPUT_READ);
    }
}

static void handle_visitor(struct connection *connection)
{
    enum visit visit = visitor_take(connection, set_of(connection)->names);

    if (connection->browses)
        leave_strangers(connection);
    if (visit == VISIT_IS_CLIENT) {
        open_session(connection, &framing_lines);
    } else if (visit == VISIT_IS_WEBSOCKET) {
        framing_upgrade(connection);
        open_session(connection, &framing_websocket);
    }
}

/* Handles the input that has arrived. */
static void handle(struct connection *connection)
{
    if (connection->session == NULL)
        handle_visitor(connection);
    if (connection->session != NULL && connection->stream.lingers)
        connection->framing->linger(connection);
    else if (connection->session != NULL)
        handle_lines(connection);
}

static void on_read(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    now_set(connection->stream.set->server);
    handle(connection);
    streams_write(connection->stream.set);
}

/* libevent has written the output. */
static void on_write(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    now_set(connection->stream.set->server);
    stream_written(&connection->stream);
}

/* Waits for the first line of a stranger, in the order of their coming. */
static void join_strangers(struct connection *connection)
{
    const struct timeval wait = {.tv_usec = GREETING_WAIT_MS * 1000};
    struct connections *connections = set_of(connection);

    visitor_begin(connection);
    if (TAILQ_EMPTY(&connections->strangers))
        evtimer_add(connections->greeting, &wait);
    connection->is_new = true;
    TAILQ_INSERT_TAIL(&connections->strangers, connection, stranger);
}

static void on_event(struct bufferevent *bufferevent, short what, void *context)
{
    struct connection *connection = context;
    struct stream *stream = &connection->stream;
    /* The line that sleeps is run: writing to the peer will fail soon enough. */
    bool is_reset =
        (what & BEV_EVENT_ERROR) && (what & BEV_EVENT_READING) && stream->input == INPUT_ASLEEP;

    (void)bufferevent;
    now_set(stream->set->server);
    if ((what & BEV_EVENT_ERROR) && !is_reset) {
        stream_change(stream, STREAM_DEAD);
    } else if ((what & BEV_EVENT_EOF) || is_reset) {
        stream_change(stream, STREAM_ENDED);
        if (stream->tls)
            stream_want(stream, EV_WRITE); /* libevent has stopped that, too */
        handle(connection);
        stream_stop_lingering(stream);
    } else if (what & BEV_EVENT_CONNECTED && connection->session == NULL) {
        join_strangers(connection); /* TLS has shaken hands */
    }
}

/* Greets those who have been silent for long enough. */
static void on_greeting(evutil_socket_t fd, short what, void *context)
{
    struct connections *connections = context;
    struct server *server = connections->streams.server;
    struct connection *first;
    int64_t left_ms = 0;

    (void)fd, (void)what;
    now_set(server);
    while (left_ms <= 0 && (first = TAILQ_FIRST(&connections->strangers)) != NULL) {
        left_ms = first->opened_ms + GREETING_WAIT_MS - server->now_ms;
        if (left_ms > 0)
            continue;
        leave_strangers(first);
        if (visitor_is_silent_client(first))
            open_session(first, &framing_lines);
        stream_make_due(&first->stream);
    }
    const struct timeval wait = {.tv_usec = left_ms * 1000};
    if (!TAILQ_EMPTY(&connections->strangers))
        evtimer_add(connections->greeting, &wait);
}

static void free_connection(struct connection *connection)
{
    struct server *server = connection->stream.set->server;
    bool tells =
        connection->session == NULL ? connection->browses : session_is_closing(connection->session);

    stream_change(&connection->stream, STREAM_DEAD); /* presence_free() writes nothing more to it */
    leave_strangers(connection);
    if (connection->session != NULL) {
        presence_free(connection->session);
    } else {
        origins_leave(&server->origins, connection->origin);
        server->visitor_count--;
    }
    stream_release(&connection->stream, tells);
    websocket_free(connection->websocket);
    free(connection);
}

static void close_slow(struct connection *connection)
{
    if (rate_limit_log(connection->stream.set->server, connection->session->origin, LOG_CLOSED))
        log_line(LOG_WARN, "event=closed peer=%s reason=slow-reader",
                 connection->session->player->name);
    stream_admit_all(&connection->stream); /* the last word always fits */
    presence_close(connection->session, "slow-reader");
}

static void work_on(struct connection *connection)
{
    struct stream *stream = &connection->stream;

    if (stream->state == STREAM_FLOODING)
        presence_close(connection->session, "too-many-errors");
    if (stream->state == STREAM_SLOW)
        close_slow(connection);
    if (stream_is_finished(stream))
        stream_change(stream, STREAM_DEAD);
    if (stream->state == STREAM_DEAD)
        free_connection(connection);
    else
        handle(connection);
}

bool connections_have_work(const struct connections *connections)
{
    return !TAILQ_EMPTY(&connections->streams.due);
}

void connections_work(struct connections *connections)
{
    struct streams *streams = &connections->streams;
    struct stream_list now;
    struct stream *stream;

    if (!connections_have_work(connections))
        return;
    now_set(streams->server);
    TAILQ_INIT(&now);
    TAILQ_CONCAT(&now, &streams->due, due);
    while ((stream = TAILQ_FIRST(&now)) != NULL) {
        TAILQ_REMOVE(&now, stream, due);
        stream->is_due = false;
        work_on(connection_of(stream));
    }
}

void connections_write(struct connections *connections)
{
    streams_write(&connections->streams);
}

static void tick_visitor(struct connection *connection)
{
    visitor_tick(connection);
    if (!connection->is_new && stream_is_reachable(&connection->stream) &&
        visitor_is_silent_client(connection))
        open_session(connection, &framing_lines);
}

void connections_tick(struct connections *connections)
{
    int64_t now_ms = connections->streams.server->now_ms;
    struct stream *stream;

    TAILQ_FOREACH (stream, &connections->streams.all, link)
        if (stream->state >= STREAM_CLOSING && now_ms >= stream->close_by_ms)
            stream_change(stream, STREAM_DEAD);
        else if (stream->state < STREAM_CLOSING && connection_of(stream)->session == NULL)
            tick_visitor(connection_of(stream));
        else if (stream->state < STREAM_CLOSING)
            stream_note_clogged(stream);
}

/* A TLS record counts like a command, unless it brings one. */
static void on_record(void *context)
{
    struct connection *connection = context;
    struct stream *stream = &connection->stream;

    if (connection->session == NULL && ++connection->records > VISITOR_RECORDS_MAX)
        stream_change(stream, STREAM_DEAD);
    else if (connection->session != NULL && connection->record_open && stream_is_heard(stream) &&
             !dispatch_no_line(connection->session))
        stream_change(stream, STREAM_FLOODING);
    connection->record_open = true;
}

void connections_open(struct connections *connections, evutil_socket_t fd, struct origin *origin,
                      struct ssl_ctx_st *certificate)
{
    struct connection *connection = xcalloc(1, sizeof *connection);

    stream_open(&connection->stream, &connections->streams, fd, certificate);
    connection->origin = origin;
    connections->streams.server->visitor_count++;
    visitor_begin(connection);
    if (connections->names == NULL)
        open_session(connection, &framing_lines);
    else if (certificate == NULL)
        join_strangers(connection);
    connection->record = (struct record_hook){on_record, connection};
    if (certificate != NULL)
        certificate_watch_records(connection->stream.bufferevent, &connection->record);
    bufferevent_setcb(connection->stream.bufferevent, on_read, on_write, on_event, connection);
    stream_want(&connection->stream, EV_READ);
}

static int network_connections(const struct server *server, const struct origin *origin)
{
    return rate_limit_is_for(server, origin) ? origin_widest(origin)->connections : 0;
}

/* Returns whether a connection may be ended for others: it has taken no name and no seat. */
static bool is_loose(const struct connection *connection)
{
    const struct session *session = connection->session;

    if (connection->stream.state >= STREAM_CLOSING)
        return false;
    return session == NULL ||
           (session->player->kind == PLAYER_GUEST && TAILQ_EMPTY(&session->player->seats) &&
            TAILQ_EMPTY(&session->player->created));
}

static void end_for_others(struct connection *connection)
{
    if (connection->session != NULL) {
        presence_close(connection->session, "limit");
        connections_write(set_of(connection));
    }
    stream_change(&connection->stream, STREAM_DEAD); /* waiting for it would take the place */
}

bool connections_make_room(struct connections *connections, const struct origin *origin)
{
    struct server *server = connections->streams.server;
    int least = network_connections(server, origin);

    for (int i = 0; i < ROOM_LOOKS; i++) {
        struct stream *stream = TAILQ_FIRST(&connections->streams.all);
        if (stream == NULL)
            return false;
        struct connection *connection = connection_of(stream);
        const struct session *session = connection->session;
        const struct origin *from = session != NULL ? session->origin : connection->origin;
        TAILQ_REMOVE(&connections->streams.all, stream, link); /* the next call looks at others */
        TAILQ_INSERT_TAIL(&connections->streams.all, stream, link);
        if (is_loose(connection) && network_connections(server, from) > least) {
            end_for_others(connection);
            return true;
        }
    }
    return false;
}

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server)
{
    streams_init(&connections->streams, base, server);
    connections->names = NULL;
    TAILQ_INIT(&connections->strangers);
    connections->greeting = evtimer_new(base, on_greeting, connections);
}

void connections_stop(struct connections *connections)
{
    struct stream *stream;

    TAILQ_FOREACH (stream, &connections->streams.all, link)
        if (connection_of(stream)->session == NULL)
            stream_change(stream, STREAM_DEAD);
}

bool connections_empty(const struct connections *connections)
{
    return TAILQ_EMPTY(&connections->streams.all);
}

size_t connections_pending_bytes(const struct connections *connections)
{
    const struct stream *stream;
    size_t sum = 0;

    TAILQ_FOREACH (stream, &connections->streams.all, link)
        sum += stream_pending_bytes(stream);
    return sum;
}

void connections_release(struct connections *connections)
{
    while (!connections_empty(connections))
        free_connection(connection_of(TAILQ_FIRST(&connections->streams.all)));
    event_free(connections->greeting);
}
