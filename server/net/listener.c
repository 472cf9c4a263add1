#include "listener.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "peer.h"
#include "server/base/log.h"
#include "server/play/rate_limit.h"

enum {
    ACCEPT_PAUSE_MS = 250,   /* when descriptors have run out */
    ACCEPTS_A_TURN = 4,      /* libevent would accept all that come before it does anything else */
    ACCEPT_US = 60,          /* about what it takes to accept a connection and to end it */
    REFUSAL_LOG_MS = 1000,   /* between lines about refused connections */
    SEND_BYTES = 128 * 1024, /* unread output in the kernel, which uses twice as much memory */
    BACKLOG = 1024
};

static const unsigned FLAGS = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_DISABLED;

bool address_resolve(const char *text, struct addrinfo **list, struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    const char *colon = strrchr(text, ':');
    char host[ADDRESS_TEXT_MAX];

    if (colon == NULL || colon == text || colon[1] == '\0' || strlen(text) >= sizeof host)
        return cause_set(cause, "%.100s: invalid address: write ADDR:PORT, such as 127.0.0.1:7117",
                         text);
    bool bracketed = text[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - text) - 2 * bracketed, text + bracketed);
    int error = getaddrinfo(host, colon + 1, &hints, list);
    if (error != 0)
        return cause_set(cause, "%.100s: %s", text, gai_strerror(error));
    return true;
}

void address_bound(int descriptor, char text[ADDRESS_TEXT_MAX])
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    char host[ADDRESS_TEXT_MAX - 16] = "?", port[8] = "?";

    getsockname(descriptor, (struct sockaddr *)&address, &length);
    getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, ADDRESS_TEXT_MAX, address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
             port);
}

bool address_is_listening(int descriptor)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address, length = sizeof(int);
    int type = 0, listens = 0;

    return getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 &&
           (address.ss_family == AF_INET || address.ss_family == AF_INET6) &&
           getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
           type == SOCK_STREAM &&
           getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens;
}

#define REFUSAL(why)                                                                               \
    "{\"type\":\"error\",\"code\":\"server-busy\",\"message\":\"" why ": try again later\"}\n"     \
    "{\"type\":\"bye\",\"reason\":\"limit\"}\n"

/* Refuses a peer without giving it a session. With TLS it only closes the socket. */
static void refuse_peer(struct listener *listener, evutil_socket_t fd)
{
    struct listeners *listeners = listener->set;
    struct server *server = listeners->connections->streams.server;
    const char *text = server->database_away ? REFUSAL("the server cannot reach its database")
                                             : REFUSAL("too many connections");

    if (listener->certificate == NULL)
        (void)send(fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
    server->tally.refused++;
    if (!server->database_away && server->now_ms - listeners->refusal_logged_ms >= REFUSAL_LOG_MS) {
        listeners->refusal_logged_ms = server->now_ms;
        log_line(LOG_WARN, "event=refused connections=%d", server->session_count);
    }
    evutil_closesocket(fd);
}

/* Accepts nothing for that time; 0: until the next turn of the loop. */
static void pause_accepting(struct listeners *listeners, int milliseconds)
{
    const struct timeval pause = {.tv_usec = milliseconds * 1000};

    listeners->accepted = 0;
    if (evtimer_add(listeners->accept_again, &pause) != 0)
        return; /* without that timer, accepting would never resume */
    for (int i = 0; i < listeners->count; i++)
        evconnlistener_disable(listeners->list[i].listener);
}

static void set_options(evutil_socket_t fd)
{
    int one = 1, send_bytes = SEND_BYTES;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_bytes, sizeof send_bytes);
}

static void on_accept(struct evconnlistener *evlistener, evutil_socket_t fd,
                      struct sockaddr *address, int length, void *context)
{
    struct listener *listener = context;
    struct connections *connections = listener->set->connections;
    struct server *server = connections->streams.server;

    (void)evlistener, (void)length;
    now_set(server);
    if (++listener->set->accepted == ACCEPTS_A_TURN)
        pause_accepting(listener->set, 0);
    if (listener->metrics) {
        set_options(fd);
        connections_open_collector(connections, fd);
        return;
    }
    struct sockaddr_storage own = {.ss_family = AF_UNSPEC};
    socklen_t own_length = sizeof own;
    getsockname(fd, (struct sockaddr *)&own, &own_length);
    struct origin_key key = address_key(address, (const struct sockaddr *)&own);
    struct origin *origin = origins_enter(&server->origins, &key);
    rate_limit_count_handling(server, origin, ACCEPT_US);
    bool proxy = networks_have(connections->trusted, address); /* whose peers are limited */
    if ((proxy ? !server->database_away : rate_limit_may_connect(server, origin)) &&
        (!rate_limit_is_full(server) || connections_make_room(connections, origin))) {
        set_options(fd);
        connections_open(connections, fd, origin, listener->certificate, proxy);
    } else {
        refuse_peer(listener, fd);
        origins_leave(&server->origins, origin);
    }
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Accepting failed. When descriptors have run out, libevent would try again at once and for ever.
 * Instead this refuses one peer with the spare descriptor and pauses accepting. */
static void on_accept_error(struct evconnlistener *evlistener, void *context)
{
    struct listener *listener = context;
    struct listeners *listeners = listener->set;

    now_set(listeners->connections->streams.server);
    if (listeners->spare_descriptor >= 0)
        close(listeners->spare_descriptor);
    int fd = listener->metrics ? -1 : accept(evconnlistener_get_fd(evlistener), NULL, NULL);
    if (fd >= 0)
        refuse_peer(listener, fd);
    listeners->spare_descriptor = open_spare();
    pause_accepting(listeners, ACCEPT_PAUSE_MS);
}

static void on_accept_again(evutil_socket_t fd, short what, void *context)
{
    const struct timeval pause = {.tv_usec = ACCEPT_PAUSE_MS * 1000};
    struct listeners *listeners = context;

    (void)fd, (void)what;
    for (int i = 0; i < listeners->count; i++)
        if (evconnlistener_enable(listeners->list[i].listener) != 0)
            evtimer_add(listeners->accept_again, &pause);
}

void listeners_init(struct listeners *listeners, struct connections *connections)
{
    listeners->connections = connections;
    listeners->count = 0;
    listeners->accepted = 0;
    listeners->refusal_logged_ms = INT64_MIN / 2;
    listeners->spare_descriptor = open_spare();
    listeners->accept_again = evtimer_new(connections->streams.base, on_accept_again, listeners);
}

/* Starts accepting with the next of the listeners, which becomes `evlistener`; NULL: errno says why
 * not. libevent makes it disabled, as it would not report that enabling a new one fails. */
static bool start_listener(struct listeners *listeners, struct evconnlistener *evlistener,
                           const char *what, char bound[ADDRESS_TEXT_MAX], struct cause *cause)
{
    if (evlistener == NULL)
        return cause_set(cause, "%.100s: %s", what, strerror(errno));
    evconnlistener_set_error_cb(evlistener, on_accept_error);
    if (evconnlistener_enable(evlistener) != 0) {
        cause_set(cause, "%.100s: %s", what, strerror(errno));
        evconnlistener_free(evlistener);
        return false;
    }
    listeners->list[listeners->count++].listener = evlistener;
    address_bound(evconnlistener_get_fd(evlistener), bound);
    return true;
}

/* Binds the next of the listeners to an address, and starts it. */
static bool bind_listener(struct listeners *listeners, const struct sockaddr *address,
                          socklen_t length, const char *what, char bound[ADDRESS_TEXT_MAX],
                          struct cause *cause)
{
    unsigned flags = FLAGS | LEV_OPT_REUSEABLE;

    if (address->sa_family == AF_INET6)
        flags |= LEV_OPT_BIND_IPV6ONLY;
    struct evconnlistener *evlistener = evconnlistener_new_bind(
        listeners->connections->streams.base, on_accept, &listeners->list[listeners->count], flags,
        BACKLOG, address, (int)length);
    return start_listener(listeners, evlistener, what, bound, cause);
}

bool listeners_add(struct listeners *listeners, const char *address, struct ssl_ctx_st *certificate,
                   struct listen_addresses *addresses, struct cause *cause)
{
    struct addrinfo *list;

    if (addresses->count == LISTEN_MAX)
        return cause_set(cause, "%.100s: at most %d addresses", address, LISTEN_MAX);
    if (!address_resolve(address, &list, cause))
        return false;
    listeners->list[listeners->count] =
        (struct listener){.set = listeners, .certificate = certificate};
    bool good = bind_listener(listeners, list->ai_addr, list->ai_addrlen, address,
                              addresses->list[addresses->count].bound, cause);
    freeaddrinfo(list);
    if (good)
        addresses->list[addresses->count++].tls = certificate != NULL;
    return good;
}

bool listeners_adopt(struct listeners *listeners, int descriptor,
                     struct listen_addresses *addresses, struct cause *cause)
{
    struct listener *listener = &listeners->list[listeners->count];
    struct evconnlistener *evlistener = NULL;
    char what[32];

    if (addresses->count == LISTEN_MAX)
        return cause_set(cause, "at most %d addresses", LISTEN_MAX);
    snprintf(what, sizeof what, "descriptor %d", descriptor);
    if (!address_is_listening(descriptor))
        return cause_set(cause, "%s: not a listening TCP socket", what);
    *listener = (struct listener){.set = listeners};
    if (evutil_make_socket_nonblocking(descriptor) == 0 &&
        evutil_make_socket_closeonexec(descriptor) == 0)
        evlistener = evconnlistener_new(listeners->connections->streams.base, on_accept, listener,
                                        FLAGS, 0, descriptor);
    if (!start_listener(listeners, evlistener, what, addresses->list[addresses->count].bound,
                        cause))
        return false;
    addresses->list[addresses->count++].tls = false;
    return true;
}

bool listeners_add_metrics(struct listeners *listeners, int port, char bound[ADDRESS_TEXT_MAX],
                           struct cause *cause)
{
    const struct sockaddr_in loopback = {.sin_family = AF_INET,
                                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                         .sin_port = htons((uint16_t)port)};
    char what[48];

    snprintf(what, sizeof what, "metrics on 127.0.0.1:%d", port);
    listeners->list[listeners->count] = (struct listener){.set = listeners, .metrics = true};
    return bind_listener(listeners, (const struct sockaddr *)&loopback, sizeof loopback, what,
                         bound, cause);
}

void listeners_close(struct listeners *listeners)
{
    while (listeners->count > 0)
        evconnlistener_free(listeners->list[--listeners->count].listener);
    evtimer_del(listeners->accept_again);
}

void listeners_release(struct listeners *listeners)
{
    listeners_close(listeners);
    event_free(listeners->accept_again);
    if (listeners->spare_descriptor >= 0)
        close(listeners->spare_descriptor);
}
