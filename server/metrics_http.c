#include "metrics_http.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "metrics.h"

enum { HEADER_BYTES_MAX = 8192, BODY_BYTES_MAX = 1024, TIMEOUT_S = 10, ACCEPT_PAUSE_MS = 250 };

struct metrics_http {
    struct loop *loop;
    struct server *server;
    struct evhttp *evhttp;
    struct evhttp_bound_socket *socket;
};

static void free_text(const void *data, size_t length, void *context)
{
    (void)data, (void)length;
    free(context);
}

/* Puts the text, which it takes, into the answer. To HEAD only its length is told, which evhttp
 * would leave to us: it sends what is there. */
static bool fill(struct evhttp_request *request, struct evbuffer *body, char *text, size_t length)
{
    struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
    char number[24];

    snprintf(number, sizeof number, "%zu", length);
    bool good = evhttp_add_header(headers, "Content-Type", METRICS_TYPE) == 0 &&
                evhttp_add_header(headers, "Content-Length", number) == 0;
    if (good && evhttp_request_get_command(request) == EVHTTP_REQ_GET) {
        good = evbuffer_add_reference(body, text, length, free_text, text) == 0;
        if (good)
            return true;
    }
    free(text);
    return good;
}

static void reply_metrics(struct metrics_http *http, struct evhttp_request *request)
{
    size_t length;

    turn_end(http->server); /* a command whose turn is open is counted, but not done yet */
    struct evbuffer *body = evbuffer_new();
    char *text =
        body != NULL ? metrics_text(http->server, loop_pending_bytes(http->loop), &length) : NULL;
    if (text != NULL && fill(request, body, text, length))
        evhttp_send_reply(request, HTTP_OK, "OK", body);
    else
        evhttp_send_error(request, HTTP_INTERNAL, NULL);
    if (body != NULL)
        evbuffer_free(body);
}

static void on_request(struct evhttp_request *request, void *context)
{
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
    const char *path = uri != NULL ? evhttp_uri_get_path(uri) : NULL;
    enum evhttp_cmd_type method = evhttp_request_get_command(request);

    if (path == NULL) {
        evhttp_send_error(request, HTTP_BADREQUEST, NULL);
    } else if (strcmp(path, "/metrics") != 0) {
        evhttp_send_error(request, HTTP_NOTFOUND, NULL);
    } else if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
        evhttp_add_header(evhttp_request_get_output_headers(request), "Allow", "GET, HEAD");
        evhttp_send_reply(request, HTTP_BADMETHOD, "Method Not Allowed", NULL);
    } else {
        reply_metrics(context, request);
    }
}

static bool pause_accepting(struct evconnlistener *listener);

static void on_accept_again(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    if (evconnlistener_enable(context) != 0)
        pause_accepting(context);
}

/* Comes back to the listener in a while. False without memory for that. */
static bool pause_accepting(struct evconnlistener *listener)
{
    const struct timeval pause = {.tv_usec = ACCEPT_PAUSE_MS * 1000};

    return event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, on_accept_again,
                           listener, &pause) == 0;
}

/* Descriptors have run out: without a pause libevent would try again at once and for ever. The
 * context is evhttp's, as the listener is. */
static void on_accept_error(struct evconnlistener *listener, void *context)
{
    (void)context;
    if (pause_accepting(listener))
        evconnlistener_disable(listener);
}

/* False when memory ran out. */
static bool set_up(struct metrics_http *http)
{
    struct evconnlistener *listener = evhttp_bound_socket_get_listener(http->socket);

    evhttp_set_gencb(http->evhttp, on_request, http);
    evhttp_set_max_headers_size(http->evhttp, HEADER_BYTES_MAX);
    evhttp_set_max_body_size(http->evhttp, BODY_BYTES_MAX);
    evhttp_set_timeout(http->evhttp, TIMEOUT_S);
    /* All that are known, so that the others are refused here: evhttp would call them unknown. */
    evhttp_set_allowed_methods(http->evhttp, EVHTTP_REQ_GET | EVHTTP_REQ_POST | EVHTTP_REQ_HEAD |
                                                 EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE |
                                                 EVHTTP_REQ_OPTIONS | EVHTTP_REQ_TRACE |
                                                 EVHTTP_REQ_CONNECT | EVHTTP_REQ_PATCH);
    evconnlistener_set_error_cb(listener, on_accept_error);
    errno = ENOMEM;
    return evconnlistener_enable(listener) == 0; /* once more: evhttp does not tell */
}

struct metrics_http *metrics_http_open(struct loop *loop, struct server *server, int port,
                                       char *bound, size_t size, struct cause *cause)
{
    struct metrics_http *http = calloc(1, sizeof *http);

    if (http == NULL) {
        cause_set(cause, "out of memory");
        return NULL;
    }
    http->loop = loop;
    http->server = server;
    http->evhttp = evhttp_new(loop_base(loop));
    errno = ENOMEM;
    if (http->evhttp != NULL)
        http->socket = evhttp_bind_socket_with_handle(http->evhttp, "127.0.0.1", (uint16_t)port);
    if (http->socket == NULL || !set_up(http)) {
        cause_set(cause, "metrics on 127.0.0.1:%d: %s", port, strerror(errno));
        metrics_http_close(http);
        return NULL;
    }
    address_bound(evhttp_bound_socket_get_fd(http->socket), bound, size);
    return http;
}

void metrics_http_close(struct metrics_http *http)
{
    if (http == NULL)
        return;
    if (http->evhttp != NULL)
        evhttp_free(http->evhttp);
    free(http);
}
