#include "connection.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/message.h"
#include "common/xmalloc.h"
#include "server/base/log.h"
#include "server/play/dispatch.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "visitor.h"
#include "websocket.h"

enum {
    ROOM_LOOKS = 64,    /* at connections, when the server is full */
    COLLECTORS_MAX = 32 /* at a time */
};

/* What a trusted proxy says on a port with TLS, before the handshake. */
struct introduction {
    int fd;              /* owned; -1: the stream has it */
    struct event *event; /* owned: something has come */
    size_t count;
    char bytes[PROXY_HEADER_MAX]; /* of the header, taken from the socket */
};

struct connection {
    struct stream stream; /* first: the lists of streams are those of connections */
    struct visitor visitor;
    struct session *session; /* owned; NULL: a visitor, whose protocol is not known or is HTTP */

    struct introduction *introduction; /* owned; NULL: over, or there is none */

    bool is_new; /* in connections->strangers */
    TAILQ_ENTRY(connection) stranger;

    bool record_open; /* no message was handled since the last TLS record */

    struct splitter splitter;    /* lines: of the input */
    bool known;                  /* lines: the first one was of the protocol */
    struct websocket *websocket; /* owned; NULL: lines */
    const char *message;         /* of the WebSocket, which is being handled; NULL: none */
    size_t message_length;
};

/* About what it takes to read a message, the first one in a turn or another, and to write what
 * comes of it. */
enum { INPUT_US = 20, LINE_US = 3 };

/* What became of the next message. */
enum taken {
    TAKEN,
    NOTHING_THERE,
    ENOUGH,
    NO_TIME, /* none was handled, as others have used what its network may take of the turn */
    ASLEEP
};

static struct connection *connection_of(struct stream *stream)
{
    return (struct connection *)(void *)stream;
}

static struct connections *set_of(struct connection *connection)
{
    return (struct connections *)(void *)connection->stream.set;
}

struct piece splitter_look(struct splitter *splitter, const char *bytes, size_t count,
                           size_t line_max)
{
    const char *end = memchr(bytes + splitter->scanned, '\n', count - splitter->scanned);
    size_t size = end != NULL ? (size_t)(end - bytes) + 1 : count;
    struct piece piece = {.size = size, .ended = end != NULL};

    if (splitter->discarding) {
        piece.kind = PIECE_REST;
    } else if (size > line_max || (size == line_max && end == NULL)) {
        piece.kind = PIECE_TOO_LONG;
    } else if (end != NULL) {
        piece.kind = PIECE_LINE;
        piece.length = size - 1 - (size > 1 && bytes[size - 2] == '\r');
    } else {
        piece = (struct piece){.kind = PIECE_NONE};
        splitter->scanned = count;
    }
    return piece;
}

void splitter_advance(struct splitter *splitter, const struct piece *piece)
{
    splitter->scanned = 0;
    splitter->discarding = !piece->ended;
}

static void write_lines(struct connection *connection, const char *bytes, size_t length)
{
    stream_add(&connection->stream, bytes, length);
    stream_send(&connection->stream);
}

/* Answers a browser that HTTP is not spoken here, or not any more. */
static void refuse_browser(struct connection *connection, enum sniffed sniffed)
{
    static const char request[] = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n"
                                  "Allow:\r\nConnection: close\r\n\r\n",
                      other[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"
                                "Connection: close\r\n\r\n";

    log_line(LOG_DEBUG, "event=not-lines peer=%s", connection->session->player->name);
    if (sniffed == SNIFFED_REQUEST)
        write_lines(connection, request, sizeof request - 1);
    else
        write_lines(connection, other, sizeof other - 1);
    presence_end(connection->session);
}

/* Returns whether the connection is a client's. Other connections are closed, even if they sent
 * more. */
static bool is_client(struct connection *connection, const char *bytes, const struct piece *piece)
{
    bool cut = piece->kind == PIECE_TOO_LONG;

    if (connection->known || piece->kind == PIECE_REST)
        return true;
    enum sniffed sniffed = sniff_first_line(bytes, cut ? piece->size : piece->length, cut);
    connection->known = sniffed == SNIFFED_LINE && !cut;
    if (sniffed <= SNIFFED_LINE)
        return true;
    refuse_browser(connection, sniffed);
    return false;
}

/* Handles the next line if it is complete, or discards a piece of one that is too long. */
static enum taken handle_line(struct connection *connection)
{
    struct evbuffer *input = stream_input(&connection->stream);
    struct splitter *splitter = &connection->splitter;
    size_t count = evbuffer_get_length(input);
    int line_max = connection->stream.set->server->limits.line_bytes;

    if (count == 0)
        return NOTHING_THERE;
    if (splitter->discarding)
        count = evbuffer_get_contiguous_space(input);
    else if (count > LINE_BYTES_MAX)
        count = LINE_BYTES_MAX;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    struct piece piece = splitter_look(splitter, bytes, count, (size_t)line_max);
    if (piece.kind == PIECE_NONE || !is_client(connection, bytes, &piece))
        return NOTHING_THERE;
    if (piece.kind == PIECE_LINE && !dispatch_line(connection->session, bytes, piece.length))
        return ASLEEP;
    if (piece.kind == PIECE_TOO_LONG && !dispatch_too_long(connection->session))
        return ASLEEP;
    splitter_advance(splitter, &piece);
    evbuffer_drain(input, piece.size);
    return TAKEN;
}

static size_t read_frame_bytes(void *context, void *bytes, size_t size)
{
    const struct connection *connection = context;
    int count = evbuffer_remove(stream_input(&connection->stream), bytes, size);

    return count > 0 ? (size_t)count : 0;
}

static void write_frame_bytes(void *context, const void *bytes, size_t length)
{
    struct connection *connection = context;

    stream_add(&connection->stream, bytes, length);
}

/* Each line is a message. */
static void write_messages(struct connection *connection, const char *bytes, size_t length)
{
    const char *end;

    stream_reserve(&connection->stream, length + WEBSOCKET_FRAME_BYTES);
    for (; length > 0 && (end = memchr(bytes, '\n', length)) != NULL; bytes = end + 1) {
        size_t size = (size_t)(end - bytes);
        websocket_send(connection->websocket, bytes, size);
        length -= size + 1;
    }
    stream_send(&connection->stream);
}

/* Reads up to the next message. */
static enum taken next_message(struct connection *connection)
{
    switch (
        websocket_next(connection->websocket, &connection->message, &connection->message_length)) {
    case WEBSOCKET_MESSAGE:
        return TAKEN;
    case WEBSOCKET_CLOSED:
        presence_close(connection->session, "quit");
        break;
    case WEBSOCKET_PING:
        rate_limit_count(connection->session, 1);
        stream_send(&connection->stream);
        break;
    case WEBSOCKET_PONG:
        session_ponged(connection->session);
        break;
    case WEBSOCKET_NOTHING:
        connection->message = NULL;
        return NOTHING_THERE;
    }
    connection->message = NULL;
    return TAKEN;
}

static enum taken handle_message(struct connection *connection)
{
    if (connection->message == NULL) {
        enum taken taken = next_message(connection);
        if (connection->message == NULL)
            return taken;
    }
    if (!dispatch_line(connection->session, connection->message, connection->message_length))
        return ASLEEP;
    connection->message = NULL;
    return TAKEN;
}

static void sink_write(void *context, const char *bytes, size_t length)
{
    struct connection *connection = context;
    bool welcome = connection->session != NULL && connection->session->welcoming;

    if (!stream_admits(&connection->stream, length, welcome))
        return;
    if (connection->websocket != NULL)
        write_messages(connection, bytes, length);
    else
        write_lines(connection, bytes, length);
}

static void sink_close(void *context)
{
    struct connection *connection = context;

    struct stream *stream = &connection->stream;

    if (connection->websocket != NULL && stream->state != STREAM_DEAD) {
        websocket_close(connection->websocket,
                        stream->set->server->stopping ? WEBSOCKET_GOING_AWAY : WEBSOCKET_NORMAL);
        if (!websocket_is_over(connection->websocket))
            stream->linger = LINGER_FOR_WORD;
        stream_send(stream);
    }
    stream_close(stream, CLOSE_WAIT_MS);
}

static void sink_wake(void *context)
{
    struct connection *connection = context;

    stream_wake(&connection->stream); /* a line may have to run again, though none is waiting */
}

static bool sink_ping(void *context)
{
    struct connection *connection = context;

    if (connection->websocket == NULL)
        return false;
    websocket_ping(connection->websocket);
    stream_send(&connection->stream);
    return true;
}

static bool sink_behind(void *context)
{
    const struct connection *connection = context;

    return stream_is_behind(&connection->stream);
}

/* The server waits no longer to learn what the peer is. */
static void leave_strangers(struct connection *connection)
{
    if (connection->is_new)
        TAILQ_REMOVE(&set_of(connection)->strangers, connection, stranger);
    connection->is_new = false;
}

/* Opens the session of what was a visitor. */
static void open_session(struct connection *connection)
{
    const struct sink sink = {connection, sink_write, sink_close,
                              sink_wake,  sink_ping,  sink_behind};
    struct server *server = connection->stream.set->server;

    leave_strangers(connection);
    server->visitor_count--;
    connection->session = presence_open(server, sink, connection->visitor.origin);
}

/* Handles lines up to the limits on their number, on the work that they cause, and on the time that
 * their network may take of a turn. */
static enum taken handle_all_messages(struct connection *connection)
{
    const struct session *session = connection->session;
    int left = connection->stream.set->server->limits.lines_per_turn;
    int64_t enough = session->spent + left;
    enum taken taken = TAKEN;
    bool any = false;

    while (taken == TAKEN && stream_is_heard(&connection->stream) &&
           !stream_is_clogged(&connection->stream)) {
        if (rate_limit_turn_is_used(session->server, session->origin))
            taken = any ? ENOUGH : NO_TIME;
        else if (left-- <= 0 || session->spent >= enough)
            taken = ENOUGH;
        else if (connection->websocket != NULL)
            taken = handle_message(connection);
        else
            taken = handle_line(connection);
        if (taken == TAKEN)
            rate_limit_count_handling(session->server, session->origin, any ? LINE_US : INPUT_US);
        any = any || taken == TAKEN;
        connection->record_open = connection->record_open && taken != TAKEN;
    }
    return taken;
}

static void handle_session(struct connection *connection)
{
    struct stream *stream = &connection->stream;

    if (stream->input == INPUT_ASLEEP) {
        stream_stop_reading(stream); /* not before: most wake before more arrives */
        return;
    }
    if (!stream_is_heard(stream))
        return;
    enum taken taken =
        dispatch_resume(connection->session) ? handle_all_messages(connection) : ASLEEP;
    if (!stream_is_heard(stream))
        return;
    if (taken == ASLEEP) {
        stream_set_input(stream, INPUT_ASLEEP);
    } else if (taken == ENOUGH || taken == NO_TIME) {
        stream_set_input(stream, INPUT_PAUSED);
        if (taken == ENOUGH)
            stream_make_late(stream);
        else
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
    const struct websocket_io io = {connection, read_frame_bytes, write_frame_bytes};
    struct stream *stream = &connection->stream;
    struct server *server = stream->set->server;

    if (rate_limit_turn_is_used(server, connection->visitor.origin)) {
        stream_set_input(stream, INPUT_PAUSED);
        stream_make_due(stream);
        return;
    }
    if (stream->input == INPUT_PAUSED)
        stream_set_input(stream, INPUT_READ);
    rate_limit_count_handling(server, connection->visitor.origin, INPUT_US);
    enum visit visit = visitor_handle(&connection->visitor, set_of(connection)->names);

    if (connection->visitor.kind == VISITOR_BROWSER)
        leave_strangers(connection);
    if (visit == VISIT_IS_WEBSOCKET) /* a message is a line without its end */
        connection->websocket = websocket_new(io, (size_t)server->limits.line_bytes - 1);
    if (visit != VISIT_GOES_ON)
        open_session(connection);
}

/* Handles the input that has arrived. */
static void handle_input(struct connection *connection)
{
    const char *message;
    size_t length;

    if (connection->session == NULL)
        handle_visitor(connection);
    if (connection->session == NULL)
        return;
    if (connection->stream.linger != LINGER_FOR_WORD) {
        handle_session(connection);
        return;
    }
    /* Only the peer's close frame counts now. */
    while (websocket_next(connection->websocket, &message, &length) != WEBSOCKET_NOTHING)
        continue;
    if (websocket_is_over(connection->websocket))
        stream_stop_lingering(&connection->stream);
}

static void on_read(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    now_set(connection->stream.set->server);
    handle_input(connection);
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

/* Sets the time at which the first stranger is greeted, if there is one. */
static void await_greeting(struct connections *connections)
{
    const struct connection *first = TAILQ_FIRST(&connections->strangers);

    if (first == NULL)
        return;
    int64_t left_ms = visitor_greeting_ms(&first->visitor) - connections->streams.server->now_ms;
    if (left_ms < 0)
        left_ms = 0;
    const struct timeval wait = {left_ms / 1000, left_ms % 1000 * 1000};
    evtimer_add(connections->greeting, &wait);
}

/* Waits for the first line of a stranger, in the order of their coming. */
static void join_strangers(struct connection *connection)
{
    struct connections *connections = set_of(connection);

    visitor_begin(&connection->visitor);
    if (connection->visitor.kind != VISITOR_NEW)
        return;
    connection->is_new = true;
    TAILQ_INSERT_TAIL(&connections->strangers, connection, stranger);
    if (TAILQ_FIRST(&connections->strangers) == connection)
        await_greeting(connections);
}

static void on_stream_event(struct bufferevent *bufferevent, short what, void *context)
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
        handle_input(connection);
        stream_stop_lingering(stream);
    } else if (what & BEV_EVENT_CONNECTED && connection->session == NULL) {
        join_strangers(connection); /* TLS has shaken hands */
    }
}

/* Greets strangers that have been silent for long enough. */
static void on_greeting(evutil_socket_t fd, short what, void *context)
{
    struct connections *connections = context;
    struct server *server = connections->streams.server;
    struct connection *first;

    (void)fd, (void)what;
    now_set(server);
    while ((first = TAILQ_FIRST(&connections->strangers)) != NULL &&
           visitor_greeting_ms(&first->visitor) <= server->now_ms) {
        leave_strangers(first);
        if (visitor_is_silent_client(&first->visitor))
            open_session(first);
        stream_make_due(&first->stream);
    }
    await_greeting(connections);
}

static void free_introduction(struct connection *connection)
{
    if (connection->introduction == NULL)
        return;
    if (connection->introduction->event != NULL)
        event_free(connection->introduction->event);
    if (connection->introduction->fd >= 0)
        evutil_closesocket(connection->introduction->fd);
    free(connection->introduction);
    connection->introduction = NULL;
}

/* Takes the header of the PROXY protocol from the socket, and not a byte of what follows it: that
 * is for TLS. A handshake never begins as such a header does. */
static void on_introduction(evutil_socket_t fd, short what, void *context)
{
    struct connection *connection = context;
    struct introduction *introduction = connection->introduction;
    size_t count = introduction->count, size = 0;
    char *end = introduction->bytes + count;
    ssize_t peeked = recv(fd, end, sizeof introduction->bytes - count, MSG_PEEK | MSG_DONTWAIT);

    (void)what;
    now_set(connection->stream.set->server);
    if (peeked < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    enum proxy_header header = peeked > 0
                                   ? visitor_introduce(&connection->visitor, introduction->bytes,
                                                       count + (size_t)peeked, &size)
                                   : PROXY_BROKEN;
    size_t taken = header == PROXY_PARTIAL ? (size_t)peeked
                   : header > PROXY_BROKEN ? size - count
                                           : 0;
    if (taken > 0 && recv(fd, end, taken, MSG_DONTWAIT) != (ssize_t)taken)
        header = PROXY_BROKEN;
    introduction->count += taken;
    if (header == PROXY_PARTIAL)
        return;
    if (header == PROXY_BROKEN || (header == PROXY_ABSENT && count > 0)) {
        event_del(introduction->event);
        stream_change(&connection->stream, STREAM_DEAD);
        return;
    }
    introduction->fd = -1;
    free_introduction(connection);
    stream_shake_hands(&connection->stream, (int)fd);
}

/* Waits for the header before the handshake. */
static void await_introduction(struct connection *connection, int fd)
{
    struct introduction *introduction = xcalloc(1, sizeof *introduction);

    introduction->fd = fd;
    introduction->event = event_new(connection->stream.set->base, fd, EV_READ | EV_PERSIST,
                                    on_introduction, connection);
    connection->introduction = introduction;
    if (introduction->event == NULL || event_add(introduction->event, NULL) != 0)
        stream_change(&connection->stream, STREAM_DEAD);
}

static void free_connection(struct connection *connection)
{
    struct server *server = connection->stream.set->server;
    const struct visitor *visitor = &connection->visitor;
    bool tells = connection->session == NULL ? visitor->kind != VISITOR_NEW
                                             : session_is_closing(connection->session);

    stream_change(&connection->stream, STREAM_DEAD); /* presence_free() writes nothing more to it */
    leave_strangers(connection);
    visitor_end(&connection->visitor);
    if (connection->session != NULL) {
        presence_free(connection->session);
    } else if (visitor->kind == VISITOR_COLLECTOR) {
        set_of(connection)->collectors--;
    } else {
        origins_leave(&server->origins, visitor->origin);
        server->visitor_count--;
    }
    stream_release(&connection->stream, tells);
    free_introduction(connection);
    websocket_free(connection->websocket);
    free(connection);
}

static void handle_due(struct connection *connection)
{
    struct stream *stream = &connection->stream;
    struct session *session = connection->session;

    if (stream->state == STREAM_FLOODING)
        presence_close(session, "too-many-errors");
    if (stream->state == STREAM_SLOW) {
        if (rate_limit_log(stream->set->server, session->origin, LOG_CLOSED))
            log_line(LOG_WARN, "event=closed peer=%s reason=slow-reader", session->player->name);
        stream_admit_all(stream); /* the last word always fits */
        presence_close(session, "slow-reader");
    }
    if (stream_is_finished(stream))
        stream_change(stream, STREAM_DEAD);
    if (stream->state == STREAM_DEAD)
        free_connection(connection);
    else
        handle_input(connection);
}

bool connections_have_work(const struct connections *connections)
{
    return !TAILQ_EMPTY(&connections->streams.due) || !TAILQ_EMPTY(&connections->streams.late);
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
    TAILQ_CONCAT(&now, &streams->late, due);
    while ((stream = TAILQ_FIRST(&now)) != NULL) {
        TAILQ_REMOVE(&now, stream, due);
        stream->is_due = false;
        handle_due(connection_of(stream));
    }
}

void connections_write(struct connections *connections)
{
    streams_write(&connections->streams);
}

void connections_tick(struct connections *connections)
{
    int64_t now_ms = connections->streams.server->now_ms;
    struct stream *stream;

    TAILQ_FOREACH (stream, &connections->streams.all, link) {
        struct connection *connection = connection_of(stream);
        if (stream->state >= STREAM_CLOSING && now_ms >= stream->close_by_ms)
            stream_change(stream, STREAM_DEAD);
        if (stream->state >= STREAM_CLOSING)
            continue;
        if (connection->session != NULL) {
            stream_note_clogged(stream);
            continue;
        }
        visitor_tick(&connection->visitor);
    }
}

/* A TLS record counts like commands, unless it brings one. */
static void on_tls_record(struct stream *stream)
{
    struct connection *connection = connection_of(stream);

    if (connection->session == NULL) {
        const struct visitor *visitor = &connection->visitor;
        if (visitor->trusted == NULL && /* a proxy is not limited, but those behind it */
            !rate_limit_may_send_record(stream->set->server, visitor->origin))
            stream_change(stream, STREAM_DEAD);
    } else if (connection->record_open && stream_is_heard(stream) &&
               !dispatch_no_line(connection->session)) {
        stream_change(stream, STREAM_FLOODING);
    }
    connection->record_open = true;
}

/* Makes a connection for a visitor whose input is to be read. */
static struct connection *open_connection(struct connections *connections, int fd,
                                          struct ssl_ctx_st *certificate, enum visitor_kind kind,
                                          struct origin *origin)
{
    struct connection *connection = xcalloc(1, sizeof *connection);

    stream_open(&connection->stream, &connections->streams, fd, certificate);
    connection->visitor =
        (struct visitor){.stream = &connection->stream, .kind = kind, .origin = origin};
    visitor_begin(&connection->visitor);
    bufferevent_setcb(connection->stream.bufferevent, on_read, on_write, on_stream_event,
                      connection);
    stream_want(&connection->stream, EV_READ);
    return connection;
}

void connections_open(struct connections *connections, int fd, struct origin *origin,
                      struct ssl_ctx_st *certificate, bool proxy)
{
    bool later = certificate != NULL && proxy; /* it may say for whom it comes */
    struct connection *connection =
        open_connection(connections, later ? -1 : fd, certificate, VISITOR_NEW, origin);

    connection->visitor.key = origin->key;
    connection->visitor.trusted = proxy ? connections->trusted : NULL;
    connections->streams.server->visitor_count++;
    if (later)
        await_introduction(connection, fd);
    if (connections->names == NULL && !proxy)
        open_session(connection);
    else if (certificate == NULL)
        join_strangers(connection);
}

void connections_open_collector(struct connections *connections, int fd)
{
    if (connections->collectors == COLLECTORS_MAX) {
        evutil_closesocket(fd);
        return;
    }
    open_connection(connections, fd, NULL, VISITOR_COLLECTOR, NULL);
    connections->collectors++;
}

static int network_connections(const struct server *server, const struct origin *origin)
{
    return rate_limit_is_for(server, origin) ? origin_widest(origin)->connections : 0;
}

/* Returns whether a connection may be ended for others: it has taken no name and no seat. */
static bool is_loose(const struct connection *connection)
{
    const struct session *session = connection->session;

    if (connection->stream.state >= STREAM_CLOSING || connection->visitor.kind == VISITOR_COLLECTOR)
        return false;
    return session == NULL ||
           (session->player->kind == PLAYER_GUEST && TAILQ_EMPTY(&session->player->seats) &&
            TAILQ_EMPTY(&session->player->created));
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
        const struct origin *from = session != NULL ? session->origin : connection->visitor.origin;
        TAILQ_REMOVE(&connections->streams.all, stream, link); /* the next call looks at others */
        TAILQ_INSERT_TAIL(&connections->streams.all, stream, link);
        if (is_loose(connection) && network_connections(server, from) > least) {
            if (connection->session != NULL) {
                presence_close(connection->session, "limit");
                connections_write(connections);
            }
            stream_change(stream, STREAM_DEAD); /* waiting for it would take the place */
            return true;
        }
    }
    return false;
}

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server)
{
    streams_init(&connections->streams, base, server, on_tls_record);
    connections->names = NULL;
    connections->trusted = NULL;
    connections->collectors = 0;
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

void connections_release(struct connections *connections)
{
    while (!connections_empty(connections))
        free_connection(connection_of(TAILQ_FIRST(&connections->streams.all)));
    event_free(connections->greeting);
}
