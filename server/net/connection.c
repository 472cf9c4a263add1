#include "connection.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "certificate.h"
#include "common/message.h"
#include "common/xmalloc.h"
#include "now.h"
#include "server/base/log.h"
#include "server/play/dispatch.h"
#include "server/play/presence.h"
#include "sniff.h"
#include "splitter.h"

enum {
    CLOSE_WAIT_MS = 5000, /* for a peer to read its last lines */
    DISCARD_READS = 64    /* of 4 KiB, before a socket is closed */
};

enum connection_state {
    CONNECTION_OPEN,
    CONNECTION_ENDED,   /* the peer sends no more; the lines that have arrived are handled */
    CONNECTION_SLOW,    /* too much unread output: about to be closed */
    CONNECTION_CLOSING, /* the session has said bye; the rest of the output is sent */
    CONNECTION_DEAD     /* about to be freed */
};

enum input_state {
    INPUT_READ,   /* read and handled */
    INPUT_PAUSED, /* not read until the lines that have arrived are handled */
    INPUT_ASLEEP  /* neither read nor handled until sink_wake() */
};

static const size_t any_size = SIZE_MAX / 2;

struct connection {
    struct connections *set;
    struct bufferevent *bufferevent;
    bool tls;
    struct session *session;
    struct splitter splitter; /* of the input */
    bool known;               /* its first line was one of the protocol */
    enum connection_state state;
    enum input_state input;
    size_t allowance; /* bytes of a welcome or a long answer, which may exceed the limit */
    bool is_due;      /* in set->due */
    bool has_output;  /* in set->outputs */
    bool blocked;     /* libevent writes the output when the socket has room */
    int64_t close_by_ms;
    int64_t clogged_ms;           /* when unread output exceeded a quarter of the limit; 0: less */
    TAILQ_ENTRY(connection) link; /* in set->all */
    TAILQ_ENTRY(connection) due;  /* in set->due */
    TAILQ_ENTRY(connection) output;
};

/* Queues the connection for connections_work(), after the turn of others. */
static void make_due(struct connection *connection)
{
    if (connection->is_due)
        return;
    connection->is_due = true;
    TAILQ_INSERT_TAIL(&connection->set->due, connection, due);
}

/* Changes the state, which never goes back; nothing else changes it. */
static void change(struct connection *connection, enum connection_state state)
{
    if (state <= connection->state)
        return;
    connection->state = state;
    if (state >= CONNECTION_SLOW)
        make_due(connection);
}

static bool takes_lines(const struct connection *connection)
{
    return connection->state <= CONNECTION_ENDED;
}

static size_t pending_bytes(const struct connection *connection)
{
    return evbuffer_get_length(bufferevent_get_output(connection->bufferevent));
}

/* Writes output of the session. It must not close it: callers may be walking over lists. */
static void sink_write(void *context, const char *bytes, size_t length)
{
    struct connection *connection = context;
    size_t limit = (size_t)connection->set->server->limits.pending_bytes;
    bool last_word = connection->allowance == any_size;

    /* Long answers cannot pile up: the next line is handled when this one has been read. */
    if (!last_word &&
        ((connection->session != NULL && connection->session->welcoming) || length > limit / 4))
        connection->allowance += length;
    if (!last_word && pending_bytes(connection) > limit + connection->allowance)
        change(connection, CONNECTION_SLOW);
    if (connection->state == CONNECTION_DEAD ||
        (connection->state == CONNECTION_SLOW && !last_word))
        return;
    bufferevent_write(connection->bufferevent, bytes, length);
    if (connection->tls)
        connection->blocked = true; /* libevent encrypts and writes it */
    if (connection->has_output || connection->blocked)
        return;
    connection->has_output = true;
    TAILQ_INSERT_TAIL(&connection->set->outputs, connection, output);
}

static void sink_close(void *context)
{
    struct connection *connection = context;
    const struct server *server = connection->set->server;

    /* When the server stops, the loop limits the time. */
    connection->close_by_ms = server->stopping ? INT64_MAX : server->now_ms + CLOSE_WAIT_MS;
    bufferevent_disable(connection->bufferevent, EV_READ);
    change(connection, CONNECTION_CLOSING);
}

static void sink_wake(void *context)
{
    struct connection *connection = context;

    if (connection->input == INPUT_ASLEEP)
        connection->input = INPUT_PAUSED;
    make_due(connection); /* a line may have to run again, though none is waiting */
}

/* Answers a browser that HTTP is not spoken here. */
static void refuse_browser(struct connection *connection, enum sniffed sniffed)
{
    static const char request[] = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n"
                                  "Allow:\r\nConnection: close\r\n\r\n",
                      header[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"
                                 "Connection: close\r\n\r\n";

    log_line(LOG_DEBUG, "event=not-lines peer=%s", connection->session->player->name);
    if (sniffed == SNIFFED_REQUEST)
        sink_write(connection, request, sizeof request - 1);
    else if (sniffed == SNIFFED_HEADER)
        sink_write(connection, header, sizeof header - 1);
    presence_end(connection->session);
}

/* Returns whether the connection is a client's. One that is not ends, whatever else it has sent. */
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

enum taken { TAKEN, NOTHING_THERE, ENOUGH, ASLEEP };

/* Handles the next line if it is complete, or discards a piece of one that is too long. */
static enum taken next_line(struct connection *connection)
{
    struct evbuffer *input = bufferevent_get_input(connection->bufferevent);
    size_t count = evbuffer_get_length(input);

    if (count == 0)
        return NOTHING_THERE;
    if (connection->splitter.discarding)
        count = evbuffer_get_contiguous_space(input);
    else if (count > LINE_BYTES_MAX)
        count = LINE_BYTES_MAX;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    struct piece piece = splitter_look(&connection->splitter, bytes, count,
                                       (size_t)connection->set->server->limits.line_bytes);
    if (piece.kind == PIECE_NONE || !is_client(connection, bytes, &piece))
        return NOTHING_THERE;
    if (piece.kind == PIECE_LINE && !dispatch_line(connection->session, bytes, piece.length))
        return ASLEEP;
    if (piece.kind == PIECE_TOO_LONG && !dispatch_too_long(connection->session))
        return ASLEEP;
    splitter_take(&connection->splitter, &piece);
    evbuffer_drain(input, piece.size);
    return TAKEN;
}

/* Returns whether answers pile up unread, so that no more lines are handled. */
static bool is_clogged(const struct connection *connection)
{
    return pending_bytes(connection) > (size_t)connection->set->server->limits.pending_bytes / 4;
}

/* Has libevent read or write. If epoll cannot watch the socket, nothing would ever end the
 * connection, so this does. */
static void want(struct connection *connection, short what)
{
    if (bufferevent_enable(connection->bufferevent, what) != 0)
        change(connection, CONNECTION_DEAD);
}

static void set_input(struct connection *connection, enum input_state input)
{
    bool was_read = connection->input == INPUT_READ;

    connection->input = input;
    if (input != INPUT_READ && was_read)
        bufferevent_disable(connection->bufferevent, EV_READ);
    if (input == INPUT_READ && !was_read && connection->state == CONNECTION_OPEN)
        want(connection, EV_READ);
}

/* Handles lines up to the limits on their number and on the work that they cause. */
static enum taken take_lines(struct connection *connection)
{
    const struct session *session = connection->session;
    int left = connection->set->server->limits.lines_per_turn;
    int64_t enough = session->spent + left;
    enum taken taken = TAKEN;

    while (taken == TAKEN && takes_lines(connection) && !is_clogged(connection))
        taken = left-- > 0 && session->spent < enough ? next_line(connection) : ENOUGH;
    return taken;
}

static void handle_lines(struct connection *connection)
{
    if (connection->input == INPUT_ASLEEP || !takes_lines(connection))
        return;
    enum taken taken = dispatch_resume(connection->session) ? take_lines(connection) : ASLEEP;
    if (!takes_lines(connection))
        return;
    if (taken == ASLEEP) {
        set_input(connection, INPUT_ASLEEP);
    } else if (taken == ENOUGH) {
        set_input(connection, INPUT_PAUSED);
        make_due(connection);
    } else if (is_clogged(connection)) {
        set_input(connection, INPUT_PAUSED); /* until all is written: others go first */
        waiter_leave(&connection->session->waiter);
    } else if (connection->state == CONNECTION_ENDED) {
        presence_close(connection->session, "quit");
    } else {
        set_input(connection, INPUT_READ);
    }
}

static void on_read(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    now_set(connection->set->server);
    handle_lines(connection);
    connections_write(connection->set);
}

/* Goes on after the last byte of output has been handed to the kernel. */
static void all_written(struct connection *connection)
{
    connection->allowance = 0;
    if (connection->state == CONNECTION_CLOSING)
        change(connection, CONNECTION_DEAD);
    else if (connection->input == INPUT_PAUSED)
        make_due(connection);
}

/* libevent has written the output. */
static void on_write(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    if (pending_bytes(connection) > 0)
        return; /* with TLS this call comes late, when there may be more */
    now_set(connection->set->server);
    if (!connection->tls)
        bufferevent_disable(bufferevent, EV_WRITE);
    connection->blocked = false;
    all_written(connection);
}

/* Writes what the kernel takes at once, which is nearly always everything. libevent would wait for
 * the socket first and change twice what it waits for. */
static void write_output(struct connection *connection)
{
    struct evbuffer *output = bufferevent_get_output(connection->bufferevent);

    evbuffer_unfreeze(output, 1);
    int written = evbuffer_write(output, bufferevent_getfd(connection->bufferevent));
    int error = errno;
    evbuffer_freeze(output, 1);
    if (written < 0 && error != EAGAIN && error != EINTR) {
        change(connection, CONNECTION_DEAD);
    } else if (pending_bytes(connection) > 0) {
        connection->blocked = true;
        want(connection, EV_WRITE);
    } else {
        all_written(connection);
    }
}

void connections_write(struct connections *connections)
{
    struct connection *connection;

    while ((connection = TAILQ_FIRST(&connections->outputs)) != NULL) {
        TAILQ_REMOVE(&connections->outputs, connection, output);
        connection->has_output = false;
        if (connection->state != CONNECTION_DEAD)
            write_output(connection);
    }
}

static void on_event(struct bufferevent *bufferevent, short what, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    now_set(connection->set->server);
    if (what & BEV_EVENT_ERROR) {
        change(connection, CONNECTION_DEAD);
        return;
    }
    if (what & BEV_EVENT_EOF) {
        change(connection, CONNECTION_ENDED);
        if (connection->tls)
            want(connection, EV_WRITE); /* libevent has stopped that, too */
        handle_lines(connection);
    }
}

/* Discards input that has arrived. Closing a socket with unread input would reset the connection,
 * and the peer could lose the last lines sent to it. */
static void discard_input(const struct connection *connection)
{
    int fd = bufferevent_getfd(connection->bufferevent);
    char bytes[4096];

    for (int i = 0; i < DISCARD_READS; i++)
        if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0)
            return;
}

static void free_connection(struct connection *connection)
{
    struct connections *set = connection->set;

    if (session_is_closing(connection->session))
        discard_input(connection);
    if (connection->tls)
        certificate_shut_down(connection->bufferevent);
    change(connection, CONNECTION_DEAD); /* presence_free() writes nothing more to it */
    presence_free(connection->session);
    if (connection->is_due)
        TAILQ_REMOVE(&set->due, connection, due);
    if (connection->has_output)
        TAILQ_REMOVE(&set->outputs, connection, output);
    TAILQ_REMOVE(&set->all, connection, link);
    bufferevent_free(connection->bufferevent);
    free(connection);
}

static void close_slow(struct connection *connection)
{
    log_line(LOG_WARN, "event=closed peer=%s reason=slow-reader",
             connection->session->player->name);
    connection->allowance = any_size; /* the last word always fits */
    presence_close(connection->session, "slow-reader");
}

static void work_on(struct connection *connection)
{
    if (connection->state == CONNECTION_SLOW)
        close_slow(connection);
    bool unreachable = connection->tls && !certificate_handshake_done(connection->bufferevent);
    if (connection->state == CONNECTION_CLOSING && (unreachable || pending_bytes(connection) == 0))
        change(connection, CONNECTION_DEAD);
    if (connection->state == CONNECTION_DEAD)
        free_connection(connection);
    else
        handle_lines(connection);
}

bool connections_have_work(const struct connections *connections)
{
    return !TAILQ_EMPTY(&connections->due);
}

void connections_work(struct connections *connections)
{
    struct connection_list now;
    struct connection *connection;

    if (!connections_have_work(connections))
        return;
    now_set(connections->server);
    TAILQ_INIT(&now);
    TAILQ_CONCAT(&now, &connections->due, due);
    while ((connection = TAILQ_FIRST(&now)) != NULL) {
        TAILQ_REMOVE(&now, connection, due);
        connection->is_due = false;
        work_on(connection);
    }
}

/* Limits how long a peer may read less than it is sent. While input is paused for unread output,
 * the peer has not caught up. */
static void note_clogged(struct connection *connection)
{
    const struct server *server = connection->set->server;

    if (!is_clogged(connection) && !(connection->input == INPUT_PAUSED && connection->blocked)) {
        connection->clogged_ms = 0;
    } else if (connection->clogged_ms == 0) {
        connection->clogged_ms = server->now_ms;
    } else if (server->now_ms - connection->clogged_ms >= server->limits.slow_s * 1000LL) {
        change(connection, CONNECTION_SLOW);
    }
}

void connections_tick(struct connections *connections)
{
    struct connection *connection;

    TAILQ_FOREACH (connection, &connections->all, link)
        if (connection->state < CONNECTION_CLOSING)
            note_clogged(connection);
        else if (connections->server->now_ms >= connection->close_by_ms)
            change(connection, CONNECTION_DEAD);
}

void connections_open(struct connections *connections, evutil_socket_t fd, struct origin *origin,
                      struct ssl_ctx_st *certificate)
{
    struct connection *connection = xcalloc(1, sizeof *connection);
    const struct sink sink = {connection, sink_write, sink_close, sink_wake};

    connection->set = connections;
    connection->tls = certificate != NULL;
    if (connection->tls) {
        connection->bufferevent = certificate_accept(certificate, connections->base, fd);
    } else {
        connection->bufferevent =
            bufferevent_socket_new(connections->base, fd, BEV_OPT_CLOSE_ON_FREE);
        bufferevent_disable(connection->bufferevent, EV_WRITE); /* see write_output() */
    }
    TAILQ_INSERT_TAIL(&connections->all, connection, link);
    connection->session = presence_open(connections->server, sink, origin);
    bufferevent_setcb(connection->bufferevent, on_read, on_write, on_event, connection);
    want(connection, EV_READ);
}

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server)
{
    connections->base = base;
    connections->server = server;
    TAILQ_INIT(&connections->all);
    TAILQ_INIT(&connections->due);
    TAILQ_INIT(&connections->outputs);
}

bool connections_empty(const struct connections *connections)
{
    return TAILQ_EMPTY(&connections->all);
}

size_t connections_pending_bytes(const struct connections *connections)
{
    const struct connection *connection;
    size_t sum = 0;

    TAILQ_FOREACH (connection, &connections->all, link)
        sum += pending_bytes(connection);
    return sum;
}

void connections_release(struct connections *connections)
{
    while (!connections_empty(connections))
        free_connection(TAILQ_FIRST(&connections->all));
}
