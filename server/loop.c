#include "loop.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"
#include "common/message.h"
#include "log.h"
#include "options.h"
#include "session.h"

enum {
    TICK_MS = 1000,        /* looks at every connection: ten thousand idle ones would be felt */
    ACCEPT_PAUSE_MS = 250, /* when descriptors have run out */
    CLOSE_WAIT_MS = 5000,  /* for a peer to read its last lines */
    CALLS_MAX = 4
};

struct connection {
    struct loop *loop;
    struct bufferevent *bufferevent;
    struct session *session;
    size_t scanned;   /* bytes of input known to hold no line end */
    bool discarding;  /* dropping the rest of an overlong line */
    bool ended;       /* the peer will send no more */
    bool closing;     /* the session has said bye: only its output is left */
    bool slow;        /* too much unread output: to be closed */
    bool dead;        /* to be freed */
    size_t allowance; /* bytes of a welcome or a long answer that do not count as unread yet */
    bool paused;      /* not read from, until what is there has been handled */
    bool is_due;      /* in loop->due, or */
    bool is_waiting;  /* in loop->waiting */
    bool has_output;  /* in loop->outputs */
    bool blocked;     /* the system takes no more output for now: libevent writes the rest */
    int64_t close_by_ms;
    TAILQ_ENTRY(connection) link; /* in loop->connections */
    TAILQ_ENTRY(connection) due;  /* in loop->due or loop->waiting */
    TAILQ_ENTRY(connection) output;
};

TAILQ_HEAD(connection_list, connection);

/* What others want to be called for. */
struct call {
    struct event *event; /* of those that come again and again */
    void (*function)(void *context);
    void *context;
};

struct loop {
    struct event_base *base;
    struct server *server;
    struct evconnlistener *listeners[LISTEN_MAX];
    int listener_count;
    struct event *tick, *accept_again, *term, *interrupt, *child, *hangup;
    struct call hangup_call, calls[CALLS_MAX];
    int call_count;
    struct event *deadline; /* the nearest thing that happens at a match by itself */
    int64_t deadline_ms;    /* when that is; -1: the timer does not run */
    struct connection_list connections;
    struct connection_list due;     /* those with more lines to handle, to be closed or freed */
    struct connection_list waiting; /* those that got no line in: they come first */
    struct connection_list outputs; /* those with output of this turn */
    int spare_descriptor;           /* given up to accept and refuse when there are no others */
    int64_t refusal_logged_ms;
    int64_t stop_by_ms; /* 0: running */
    bool done;
};

static void set_time(struct loop *loop)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    loop->server->now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    loop->server->wall_s = time(NULL);
}

/* Sets the timer to the server's nearest deadline, where that has changed. */
static void follow_deadline(struct loop *loop)
{
    int64_t at_ms = server_next_deadline_ms(loop->server);

    if (at_ms == loop->deadline_ms)
        return;
    set_time(loop);
    loop->deadline_ms = at_ms;
    if (at_ms < 0) {
        evtimer_del(loop->deadline);
        return;
    }
    /* One more millisecond, as now_ms is rounded down: the timer is rather late than early. */
    int64_t left_ms = at_ms > loop->server->now_ms ? at_ms - loop->server->now_ms + 1 : 0;
    struct timeval left = {.tv_sec = left_ms / 1000, .tv_usec = left_ms % 1000 * 1000};
    evtimer_add(loop->deadline, &left);
}

static void on_deadline(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    set_time(loop);
    loop->deadline_ms = -1; /* it has fired, be it early */
    server_run_deadlines(loop->server);
}

/* Has the connection looked at by work(), after the others had their turn. */
static void make_due(struct connection *connection)
{
    if (connection->is_due || connection->is_waiting)
        return;
    connection->is_due = true;
    TAILQ_INSERT_TAIL(&connection->loop->due, connection, due);
}

/* The same, but before those who had a turn. */
static void make_waiting(struct connection *connection)
{
    if (connection->is_due || connection->is_waiting)
        return;
    connection->is_waiting = true;
    TAILQ_INSERT_TAIL(&connection->loop->waiting, connection, due);
}

/* Takes the connection off the list it is in, if any. */
static void unlist(struct connection *connection)
{
    if (connection->is_due)
        TAILQ_REMOVE(&connection->loop->due, connection, due);
    if (connection->is_waiting)
        TAILQ_REMOVE(&connection->loop->waiting, connection, due);
    connection->is_due = connection->is_waiting = false;
}

static bool has_work(const struct loop *loop)
{
    return !TAILQ_EMPTY(&loop->due) || !TAILQ_EMPTY(&loop->waiting);
}

static void kill_connection(struct connection *connection)
{
    connection->dead = true;
    make_due(connection);
}

static size_t pending_bytes(const struct connection *connection)
{
    return evbuffer_get_length(bufferevent_get_output(connection->bufferevent));
}

/* The sink of a session. It must not close the session: others may be walking over lists. */
static void sink_write(void *context, const char *bytes, size_t length)
{
    struct connection *connection = context;
    size_t limit = (size_t)connection->loop->server->limits.pending_bytes;

    if (connection->dead)
        return;
    /* One long answer cannot pile up: no more questions are taken until it is read. */
    if ((connection->session != NULL && connection->session->welcoming) || length > limit / 4)
        connection->allowance += length;
    if (pending_bytes(connection) > limit + connection->allowance && !connection->closing) {
        connection->slow = true;
        make_due(connection);
    }
    if (connection->slow)
        return;
    bufferevent_write(connection->bufferevent, bytes, length);
    if (connection->has_output || connection->blocked)
        return;
    connection->has_output = true;
    TAILQ_INSERT_TAIL(&connection->loop->outputs, connection, output);
}

static void sink_close(void *context)
{
    struct connection *connection = context;

    connection->closing = true;
    connection->close_by_ms = connection->loop->server->now_ms + CLOSE_WAIT_MS;
    bufferevent_disable(connection->bufferevent, EV_READ);
    make_due(connection);
}

/* Takes an overlong line, or what there is of it, out of the input. */
static void discard_line(struct connection *connection, struct evbuffer *input)
{
    struct evbuffer_ptr end = evbuffer_search_eol(input, NULL, NULL, EVBUFFER_EOL_LF);
    size_t length = end.pos >= 0 ? (size_t)end.pos + 1 : evbuffer_get_length(input);

    connection->discarding = end.pos < 0;
    connection->scanned = 0;
    evbuffer_drain(input, length);
}

/* Handles the line of `size` bytes (its LF included) at the front of the input. False when it has
 * to wait. */
static bool handle_line(struct connection *connection, struct evbuffer *input, size_t size)
{
    char line[LINE_BYTES_MAX];
    size_t length = size - 1;

    evbuffer_copyout(input, line, size);
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (!session_line(connection->session, line, length))
        return false;
    evbuffer_drain(input, size);
    connection->scanned = 0;
    return true;
}

enum taken { TAKEN, NOTHING_THERE, MUST_WAIT };

/* Handles or discards one line, if a complete one is there. */
static enum taken next_line(struct connection *connection)
{
    struct evbuffer *input = bufferevent_get_input(connection->bufferevent);
    struct evbuffer_ptr start;

    if (evbuffer_get_length(input) == 0)
        return NOTHING_THERE;
    if (connection->discarding) {
        discard_line(connection, input);
        return TAKEN;
    }
    evbuffer_ptr_set(input, &start, connection->scanned, EVBUFFER_PTR_SET);
    struct evbuffer_ptr end = evbuffer_search_eol(input, &start, NULL, EVBUFFER_EOL_LF);
    size_t length = end.pos >= 0 ? (size_t)end.pos + 1 : evbuffer_get_length(input);
    if (length > LINE_BYTES_MAX || (end.pos < 0 && length == LINE_BYTES_MAX)) {
        if (!session_line_too_long(connection->session))
            return MUST_WAIT;
        discard_line(connection, input);
        return TAKEN;
    }
    if (end.pos < 0) {
        connection->scanned = length;
        return NOTHING_THERE;
    }
    return handle_line(connection, input, length) ? TAKEN : MUST_WAIT;
}

/* A peer that lets its answers pile up is not asked for more questions. */
static bool is_clogged(const struct connection *connection)
{
    return pending_bytes(connection) > (size_t)connection->loop->server->limits.pending_bytes / 4;
}

static void set_paused(struct connection *connection, bool paused)
{
    if (paused == connection->paused)
        return;
    connection->paused = paused;
    if (paused)
        bufferevent_disable(connection->bufferevent, EV_READ);
    else if (!connection->ended)
        bufferevent_enable(connection->bufferevent, EV_READ);
}

/* Handles the lines that are there, but only so many, and none that has to wait for the end of the
 * turn; then it is the others' turn. */
static void handle_lines(struct connection *connection)
{
    int most = connection->loop->server->limits.lines_per_turn, left = most;
    enum taken taken = TAKEN;

    while (taken == TAKEN && !connection->closing && !connection->slow && !connection->dead) {
        if (is_clogged(connection)) {
            set_paused(connection, true); /* until on_write() */
            return;
        }
        taken = left-- > 0 ? next_line(connection) : MUST_WAIT;
    }
    if (taken == MUST_WAIT) {
        set_paused(connection, true);
        if (left == most - 1)
            make_waiting(connection);
        else
            make_due(connection);
        return;
    }
    if (connection->closing || connection->slow || connection->dead)
        return;
    if (connection->ended)
        session_close(connection->session, "quit");
    else
        set_paused(connection, false);
}

static void on_read(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    set_time(connection->loop);
    handle_lines(connection);
}

/* All output has been handed to the system. */
static void all_written(struct connection *connection)
{
    connection->allowance = 0;
    if (connection->closing)
        kill_connection(connection);
    else if (connection->paused)
        make_due(connection);
}

/* The same, where libevent had to write. */
static void on_write(struct bufferevent *bufferevent, void *context)
{
    struct connection *connection = context;

    set_time(connection->loop);
    bufferevent_disable(bufferevent, EV_WRITE);
    connection->blocked = false;
    all_written(connection);
}

/* Writes what the system takes at once, which is nearly always all. Left to libevent, each output
 * would cost waiting for the socket and two changes to what is waited for. */
static void write_output(struct connection *connection)
{
    struct evbuffer *output = bufferevent_get_output(connection->bufferevent);

    evbuffer_unfreeze(output, 1);
    int written = evbuffer_write(output, bufferevent_getfd(connection->bufferevent));
    int error = errno;
    evbuffer_freeze(output, 1);
    if (written < 0 && error != EAGAIN && error != EINTR) {
        kill_connection(connection);
    } else if (pending_bytes(connection) > 0) {
        connection->blocked = true;
        bufferevent_enable(connection->bufferevent, EV_WRITE);
    } else {
        all_written(connection);
    }
}

static void write_outputs(struct loop *loop)
{
    struct connection *connection;

    while ((connection = TAILQ_FIRST(&loop->outputs)) != NULL) {
        TAILQ_REMOVE(&loop->outputs, connection, output);
        connection->has_output = false;
        if (!connection->dead)
            write_output(connection);
    }
}

static void forget_output(struct connection *connection)
{
    if (connection->has_output)
        TAILQ_REMOVE(&connection->loop->outputs, connection, output);
    connection->has_output = false;
}

static void on_event(struct bufferevent *bufferevent, short what, void *context)
{
    struct connection *connection = context;

    (void)bufferevent;
    set_time(connection->loop);
    if (what & BEV_EVENT_ERROR) {
        kill_connection(connection);
        return;
    }
    if (what & BEV_EVENT_EOF) {
        connection->ended = true;
        handle_lines(connection);
    }
}

static void free_connection(struct connection *connection)
{
    connection->dead = true; /* nothing more is written to it */
    session_free(connection->session);
    unlist(connection);
    forget_output(connection);
    TAILQ_REMOVE(&connection->loop->connections, connection, link);
    bufferevent_free(connection->bufferevent);
    free(connection);
}

static void work_on(struct connection *connection)
{
    if (connection->slow && !connection->closing && !connection->dead) {
        log_line(LOG_WARN, "peer=%s closed reason=slow-reader", connection->session->player->name);
        connection->slow = false;             /* for the last word, */
        connection->allowance = SIZE_MAX / 2; /* which always fits */
        session_close(connection->session, "slow-reader");
        connection->slow = true;
    }
    if (connection->closing && !connection->dead && pending_bytes(connection) == 0)
        connection->dead = true;
    if (connection->dead)
        free_connection(connection);
    else
        handle_lines(connection);
}

/* Looks at the connections that were due when it began; what they cause is for the next time. Who
 * got no line in comes before those who did: the first of them finds no turn open, so each comes
 * to his turn, however much the others send. */
static void work(struct loop *loop)
{
    struct connection_list now;
    struct connection *connection;

    if (!has_work(loop))
        return;
    set_time(loop);
    TAILQ_INIT(&now);
    TAILQ_CONCAT(&now, &loop->waiting, due);
    TAILQ_CONCAT(&now, &loop->due, due);
    while ((connection = TAILQ_FIRST(&now)) != NULL) {
        TAILQ_REMOVE(&now, connection, due);
        connection->is_due = connection->is_waiting = false;
        work_on(connection);
    }
    if (loop->stop_by_ms != 0 && TAILQ_EMPTY(&loop->connections))
        loop->done = true;
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;
    struct connection *connection;

    (void)fd, (void)what;
    set_time(loop);
    TAILQ_FOREACH (connection, &loop->connections, link)
        if (connection->closing && loop->server->now_ms >= connection->close_by_ms)
            kill_connection(connection);
    if (loop->stop_by_ms == 0)
        server_tick(loop->server);
    else if (loop->server->now_ms >= loop->stop_by_ms)
        loop->done = true;
}

static void set_socket_options(evutil_socket_t fd)
{
    int one = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

/* Tells a peer for whom there is no room, without a session. */
static void refuse(struct loop *loop, evutil_socket_t fd)
{
    static const char line[] = "{\"type\":\"error\",\"code\":\"server-busy\","
                               "\"message\":\"the server is full: try again later\"}\n"
                               "{\"type\":\"bye\",\"reason\":\"limit\"}\n";

    (void)send(fd, line, sizeof line - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    loop->server->tally.refused++;
    if (loop->server->now_ms - loop->refusal_logged_ms >= 1000) {
        loop->refusal_logged_ms = loop->server->now_ms;
        log_line(LOG_WARN, "refused connections=%d", loop->server->session_count);
    }
    evutil_closesocket(fd);
}

static struct connection *open_connection(struct loop *loop, evutil_socket_t fd)
{
    struct connection *connection = calloc(1, sizeof *connection);

    if (connection == NULL)
        return NULL;
    connection->loop = loop;
    connection->bufferevent = bufferevent_socket_new(loop->base, fd, BEV_OPT_CLOSE_ON_FREE);
    if (connection->bufferevent == NULL) {
        free(connection);
        return NULL;
    }
    bufferevent_disable(connection->bufferevent, EV_WRITE); /* see write_output() */
    TAILQ_INSERT_TAIL(&loop->connections, connection, link);
    connection->session =
        session_open(loop->server, (struct sink){connection, sink_write, sink_close});
    if (connection->session == NULL) {
        TAILQ_REMOVE(&loop->connections, connection, link);
        forget_output(connection);
        bufferevent_setfd(connection->bufferevent, -1); /* the caller's to close */
        bufferevent_free(connection->bufferevent);
        free(connection);
        return NULL;
    }
    return connection;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
                      int length, void *context)
{
    struct loop *loop = context;
    struct connection *connection = NULL;

    (void)listener, (void)address, (void)length;
    set_time(loop);
    set_socket_options(fd);
    if (loop->server->session_count < loop->server->limits.connections)
        connection = open_connection(loop, fd);
    if (connection == NULL) {
        refuse(loop, fd);
        return;
    }
    bufferevent_setcb(connection->bufferevent, on_read, on_write, on_event, connection);
    bufferevent_setwatermark(connection->bufferevent, EV_READ, 0, 16 * LINE_BYTES_MAX);
    bufferevent_enable(connection->bufferevent, EV_READ);
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Accepting failed. When descriptors have run out, libevent would try again at once and for ever:
 * one peer is refused with the spare descriptor, then accepting rests for a while. */
static void on_accept_error(struct evconnlistener *listener, void *context)
{
    const struct timeval pause = {.tv_usec = ACCEPT_PAUSE_MS * 1000};
    struct loop *loop = context;

    set_time(loop);
    if (loop->spare_descriptor >= 0)
        close(loop->spare_descriptor);
    int fd = accept(evconnlistener_get_fd(listener), NULL, NULL);
    if (fd >= 0)
        refuse(loop, fd);
    loop->spare_descriptor = open_spare();
    for (int i = 0; i < loop->listener_count; i++)
        evconnlistener_disable(loop->listeners[i]);
    evtimer_add(loop->accept_again, &pause);
}

static void on_accept_again(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    for (int i = 0; i < loop->listener_count; i++)
        evconnlistener_enable(loop->listeners[i]);
}

static void close_listeners(struct loop *loop)
{
    while (loop->listener_count > 0)
        evconnlistener_free(loop->listeners[--loop->listener_count]);
}

static void on_stop(evutil_socket_t signal_number, short what, void *context)
{
    struct loop *loop = context;

    (void)what;
    set_time(loop);
    if (loop->stop_by_ms != 0) {
        loop->done = true; /* asked twice: at once */
        return;
    }
    log_line(LOG_INFO, "event=stopping signal=%d", (int)signal_number);
    loop->stop_by_ms = loop->server->now_ms + loop->server->limits.drain_s * 1000LL + 1;
    close_listeners(loop);
    evtimer_del(loop->accept_again);
    server_shutdown(loop->server);
    if (TAILQ_EMPTY(&loop->connections))
        loop->done = true;
}

static void on_hangup(evutil_socket_t signal_number, short what, void *context)
{
    struct loop *loop = context;

    set_time(loop);
    if (loop->hangup_call.function == NULL)
        on_stop(signal_number, what, context);
    else if (loop->stop_by_ms == 0)
        loop->hangup_call.function(loop->hangup_call.context);
}

static void on_call(evutil_socket_t fd, short what, void *context)
{
    const struct call *call = context;

    (void)fd, (void)what;
    call->function(call->context);
}

static void on_child(evutil_socket_t fd, short what, void *context)
{
    struct loop *loop = context;

    (void)fd, (void)what;
    set_time(loop);
    house_reap(&loop->server->house, loop->server->now_ms);
}

static bool add_events(struct loop *loop)
{
    const struct timeval interval = {.tv_sec = TICK_MS / 1000, .tv_usec = TICK_MS % 1000 * 1000};

    loop->tick = event_new(loop->base, -1, EV_PERSIST, on_tick, loop);
    loop->accept_again = evtimer_new(loop->base, on_accept_again, loop);
    loop->deadline = evtimer_new(loop->base, on_deadline, loop);
    loop->term = evsignal_new(loop->base, SIGTERM, on_stop, loop);
    loop->interrupt = evsignal_new(loop->base, SIGINT, on_stop, loop);
    loop->child = evsignal_new(loop->base, SIGCHLD, on_child, loop);
    loop->hangup = evsignal_new(loop->base, SIGHUP, on_hangup, loop);
    return loop->tick != NULL && loop->accept_again != NULL && loop->deadline != NULL &&
           loop->term != NULL && loop->interrupt != NULL && loop->child != NULL &&
           loop->hangup != NULL && evsignal_add(loop->hangup, NULL) == 0 &&
           event_add(loop->tick, &interval) == 0 && evsignal_add(loop->term, NULL) == 0 &&
           evsignal_add(loop->interrupt, NULL) == 0 && evsignal_add(loop->child, NULL) == 0;
}

struct loop *loop_new(struct server *server)
{
    struct loop *loop = calloc(1, sizeof *loop);

    if (loop == NULL)
        return NULL;
    loop->server = server;
    loop->deadline_ms = -1;
    loop->spare_descriptor = open_spare();
    TAILQ_INIT(&loop->connections);
    TAILQ_INIT(&loop->due);
    TAILQ_INIT(&loop->outputs);
    TAILQ_INIT(&loop->waiting);
    loop->base = event_base_new();
    if (loop->base == NULL || !add_events(loop)) {
        loop_free(loop);
        return NULL;
    }
    set_time(loop);
    server->started_ms = server->now_ms;
    return loop;
}

bool loop_listen(struct loop *loop, const char *address, char *bound, size_t size,
                 struct cause *cause)
{
    struct addrinfo *list;

    if (loop->listener_count == LISTEN_MAX)
        return cause_set(cause, "%.100s: at most %d addresses", address, LISTEN_MAX);
    if (!address_resolve(address, &list, cause))
        return false;
    unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE;
    if (list->ai_family == AF_INET6)
        flags |= LEV_OPT_BIND_IPV6ONLY;
    struct evconnlistener *listener = evconnlistener_new_bind(
        loop->base, on_accept, loop, flags, 1024, list->ai_addr, (int)list->ai_addrlen);
    int error = errno;
    freeaddrinfo(list);
    if (listener == NULL)
        return cause_set(cause, "%.100s: %s", address, strerror(error));
    evconnlistener_set_error_cb(listener, on_accept_error);
    loop->listeners[loop->listener_count++] = listener;
    address_bound(evconnlistener_get_fd(listener), bound, size);
    return true;
}

bool loop_adopt(struct loop *loop, int descriptor, char *bound, size_t size, struct cause *cause)
{
    if (loop->listener_count == LISTEN_MAX)
        return cause_set(cause, "at most %d addresses", LISTEN_MAX);
    if (!address_is_listening(descriptor))
        return cause_set(cause, "descriptor %d is no socket that listens for TCP", descriptor);
    struct evconnlistener *listener = NULL;
    if (evutil_make_socket_nonblocking(descriptor) == 0 &&
        evutil_make_socket_closeonexec(descriptor) == 0)
        listener = evconnlistener_new(loop->base, on_accept, loop,
                                      LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, descriptor);
    if (listener == NULL)
        return cause_set(cause, "descriptor %d: %s", descriptor, strerror(errno));
    evconnlistener_set_error_cb(listener, on_accept_error);
    loop->listeners[loop->listener_count++] = listener;
    address_bound(descriptor, bound, size);
    return true;
}

void loop_on_hangup(struct loop *loop, void (*function)(void *context), void *context)
{
    loop->hangup_call = (struct call){.function = function, .context = context};
}

bool loop_call_every(struct loop *loop, int64_t interval_ms, void (*function)(void *context),
                     void *context)
{
    const struct timeval interval = {.tv_sec = interval_ms / 1000,
                                     .tv_usec = interval_ms % 1000 * 1000};

    if (loop->call_count == CALLS_MAX)
        return false;
    struct call *call = &loop->calls[loop->call_count];
    *call = (struct call){.function = function, .context = context};
    call->event = event_new(loop->base, -1, EV_PERSIST, on_call, call);
    if (call->event == NULL)
        return false;
    loop->call_count++;
    return event_add(call->event, &interval) == 0;
}

struct event_base *loop_base(struct loop *loop)
{
    return loop->base;
}

size_t loop_pending_bytes(const struct loop *loop)
{
    const struct connection *connection;
    size_t sum = 0;

    TAILQ_FOREACH (connection, &loop->connections, link)
        sum += pending_bytes(connection);
    return sum;
}

void loop_run(struct loop *loop)
{
    set_time(loop);
    house_tick(&loop->server->house, loop->server->now_ms);
    while (!loop->done) {
        follow_deadline(loop);
        int flags = has_work(loop) ? EVLOOP_ONCE | EVLOOP_NONBLOCK : EVLOOP_ONCE;
        if (event_base_loop(loop->base, flags) != 0)
            break;
        server_end_turn(loop->server);
        work(loop);
        server_end_turn(loop->server);
        write_outputs(loop);
    }
}

void loop_free(struct loop *loop)
{
    struct event *events[] = {loop->tick,      loop->accept_again, loop->deadline, loop->term,
                              loop->interrupt, loop->child,        loop->hangup};

    while (!TAILQ_EMPTY(&loop->connections))
        free_connection(TAILQ_FIRST(&loop->connections));
    close_listeners(loop);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (events[i] != NULL)
            event_free(events[i]);
    for (int i = 0; i < loop->call_count; i++)
        event_free(loop->calls[i].event);
    if (loop->base != NULL)
        event_base_free(loop->base);
    if (loop->spare_descriptor >= 0)
        close(loop->spare_descriptor);
    free(loop);
}
