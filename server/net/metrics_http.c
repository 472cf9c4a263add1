#include "metrics_http.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "common/xmalloc.h"

#include "http_request.h"
#include "server/play/metrics.h"

enum {
    CALLERS_MAX = 32, /* at a time; further connections are closed at once */
    TIMEOUT_S = 10,   /* for a connection from beginning to end */
    ACCEPT_PAUSE_MS = 250,
    BACKLOG = 32
};

/* A connection: one request, one answer. */
struct caller {
    struct metrics_http *http;
    struct bufferevent *bufferevent;
    struct event *timeout;
    bool answered;
    bool ended; /* the peer sends no more */
    LIST_ENTRY(caller) link;
};

struct metrics_http {
    struct loop *loop; /* borrowed, as is the server */
    struct server *server;
    struct evconnlistener *listener;
    struct event *accept_again;
    LIST_HEAD(caller_list, caller) callers; /* owned */
    int caller_count;
};

static void close_caller(struct caller *caller)
{
    LIST_REMOVE(caller, link);
    caller->http->caller_count--;
    event_free(caller->timeout);
    bufferevent_free(caller->bufferevent);
    free(caller);
}

static void write_answer(struct caller *caller, enum http_status status, bool is_head)
{
    const char *type = status == HTTP_OK ? METRICS_TYPE : "text/plain; charset=utf-8";
    const char *allow = status == HTTP_METHOD_NOT_ALLOWED ? "Allow: GET, HEAD\r\n" : "";
    struct evbuffer *output = bufferevent_get_output(caller->bufferevent);
    struct metrics_http *http = caller->http;
    struct buffer body = {0};

    if (status == HTTP_OK)
        metrics_write(&body, http->server, loop_pending_bytes(http->loop));
    else
        buffer_printf(&body, "%d %s\n", (int)status, http_reason(status));
    evbuffer_add_printf(
        output,
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%sConnection: close\r\n\r\n",
        (int)status, http_reason(status), type, body.length, allow);
    if (!is_head)
        evbuffer_add(output, body.bytes, body.length);
    buffer_release(&body);
}

/* Answers when the head of the request is complete or too long. */
static void answer(struct caller *caller, const char *bytes, size_t length)
{
    size_t head = http_head_length(bytes, length);
    enum http_status status = HTTP_HEAD_TOO_LARGE;
    bool is_head = false;

    if (head == 0 && length <= HTTP_HEAD_MAX)
        return;
    if (head > 0 && head <= HTTP_HEAD_MAX)
        status = http_judge(bytes, head, "/metrics", &is_head);
    caller->answered = true;
    write_answer(caller, status, is_head);
}

static void on_read(struct bufferevent *bufferevent, void *context)
{
    struct evbuffer *input = bufferevent_get_input(bufferevent);
    struct caller *caller = context;

    if (!caller->answered)
        answer(caller, (const char *)evbuffer_pullup(input, -1), evbuffer_get_length(input));
    if (caller->answered)
        evbuffer_drain(input, evbuffer_get_length(input));
}

/* The answer is written. Closing a socket with unread input could lose the answer, so the rest of
 * the input is read first. */
static void on_write(struct bufferevent *bufferevent, void *context)
{
    struct caller *caller = context;

    if (!caller->answered)
        return;
    if (caller->ended)
        close_caller(caller);
    else
        shutdown(bufferevent_getfd(bufferevent), SHUT_WR);
}

static void on_event(struct bufferevent *bufferevent, short what, void *context)
{
    struct caller *caller = context;

    caller->ended = (what & BEV_EVENT_EOF) != 0;
    if (!caller->ended || evbuffer_get_length(bufferevent_get_output(bufferevent)) == 0)
        close_caller(caller);
    else
        bufferevent_enable(bufferevent, EV_WRITE); /* on_write() closes it */
}

static void on_timeout(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    close_caller(context);
}

static void open_caller(struct metrics_http *http, evutil_socket_t fd)
{
    const struct timeval timeout = {.tv_sec = TIMEOUT_S};
    struct event_base *base = loop_base(http->loop);
    struct caller *caller = xcalloc(1, sizeof *caller);

    caller->http = http;
    caller->bufferevent = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
    LIST_INSERT_HEAD(&http->callers, caller, link);
    http->caller_count++;
    caller->timeout = evtimer_new(base, on_timeout, caller);
    bufferevent_setcb(caller->bufferevent, on_read, on_write, on_event, caller);
    evtimer_add(caller->timeout, &timeout);
    if (bufferevent_enable(caller->bufferevent, EV_READ) != 0)
        close_caller(caller);
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
                      int length, void *context)
{
    struct metrics_http *http = context;

    (void)listener, (void)address, (void)length;
    if (http->caller_count == CALLERS_MAX)
        evutil_closesocket(fd);
    else
        open_caller(http, fd);
}

static void pause_accepting(struct metrics_http *http)
{
    const struct timeval pause = {.tv_usec = ACCEPT_PAUSE_MS * 1000};

    if (evtimer_add(http->accept_again, &pause) == 0)
        evconnlistener_disable(http->listener);
}

static void on_accept_again(evutil_socket_t fd, short what, void *context)
{
    struct metrics_http *http = context;

    (void)fd, (void)what;
    if (evconnlistener_enable(http->listener) != 0)
        pause_accepting(http);
}

/* Descriptors have run out. Without a pause libevent would try again at once and for ever. */
static void on_accept_error(struct evconnlistener *listener, void *context)
{
    (void)listener;
    pause_accepting(context);
}

/* Listens. False with errno. */
static bool listen_on(struct metrics_http *http, int port)
{
    struct event_base *base = loop_base(http->loop);
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                        .sin_port = htons((uint16_t)port)};

    http->accept_again = evtimer_new(base, on_accept_again, http);
    http->listener = evconnlistener_new_bind(
        base, on_accept, http,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE | LEV_OPT_DISABLED,
        BACKLOG, (const struct sockaddr *)&address, sizeof address);
    if (http->listener == NULL)
        return false;
    evconnlistener_set_error_cb(http->listener, on_accept_error);
    return evconnlistener_enable(http->listener) == 0;
}

struct metrics_http *metrics_http_open(struct loop *loop, struct server *server, int port,
                                       char bound[ADDRESS_TEXT_MAX], struct cause *cause)
{
    struct metrics_http *http = xcalloc(1, sizeof *http);

    http->loop = loop;
    http->server = server;
    LIST_INIT(&http->callers);
    if (!listen_on(http, port)) {
        cause_set(cause, "metrics on 127.0.0.1:%d: %s", port, strerror(errno));
        metrics_http_close(http);
        return NULL;
    }
    address_bound(evconnlistener_get_fd(http->listener), bound);
    return http;
}

void metrics_http_close(struct metrics_http *http)
{
    if (http == NULL)
        return;
    while (!LIST_EMPTY(&http->callers))
        close_caller(LIST_FIRST(&http->callers));
    if (http->listener != NULL)
        evconnlistener_free(http->listener);
    event_free(http->accept_again);
    free(http);
}
