#include "beacon_listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "advert.h"
#include "common/xmalloc.h"
#include "now.h"
#include "server/base/log.h"

enum {
    LOOK_S = 10,            /* between looks for new networks */
    DATAGRAMS_PER_TURN = 16 /* before players get their turn */
};

struct beacon_listener {
    struct server *server; /* borrowed */
    struct advert advert;
    int fd;
    struct event *question, *look;
    struct attached_list attached;
    struct beacon_limit limit;
};

/* A question as it arrived. */
struct asked {
    struct sockaddr_in from;
    int interface;
    size_t bytes;
    char datagram[BEACON_DATAGRAM_MAX + 1]; /* the extra byte reveals longer ones */
};

/* Room for one control message. */
union control {
    char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
    struct cmsghdr aligned;
};

/* Joins the group on every interface. Joining again where this socket is a member does nothing. */
static void join_all(const struct beacon_listener *listener)
{
    for (int i = 0; i < listener->attached.count; i++) {
        struct ip_mreqn request = {.imr_ifindex = listener->attached.list[i].interface};
        inet_pton(AF_INET, BEACON_GROUP, &request.imr_multiaddr);
        setsockopt(listener->fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request);
    }
}

static void on_look(evutil_socket_t fd, short what, void *context)
{
    struct beacon_listener *listener = context;

    (void)fd, (void)what;
    attached_read(&listener->attached);
    join_all(listener);
}

/* Returns the interface by which a datagram arrived; 0: unknown. */
static int interface_of(struct msghdr *message)
{
    struct in_pktinfo info;

    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part))
        if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
            memcpy(&info, CMSG_DATA(part), sizeof info);
            return info.ipi_ifindex;
        }
    return 0;
}

/* Reads a datagram. False when none is left. */
static bool receive(const struct beacon_listener *listener, struct asked *asked)
{
    union control control;
    struct iovec data = {asked->datagram, sizeof asked->datagram};
    struct msghdr message = {.msg_name = &asked->from,
                             .msg_namelen = sizeof asked->from,
                             .msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t bytes = recvmsg(listener->fd, &message, MSG_DONTWAIT);

    if (bytes < 0)
        return false;
    asked->bytes = (size_t)bytes;
    asked->interface = interface_of(&message);
    return true;
}

/* Sends from the address by which the peer reaches this machine, whatever the routes say. */
static void send_from(const struct beacon_listener *listener, const struct attached *own,
                      const struct sockaddr_in *to, char *answer, size_t length)
{
    const struct in_pktinfo info = {.ipi_ifindex = own->interface,
                                    .ipi_spec_dst.s_addr = own->address};
    union control control = {.bytes = {0}};
    struct iovec data = {answer, length};
    struct msghdr message = {.msg_name = (void *)to,
                             .msg_namelen = sizeof *to,
                             .msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *part = CMSG_FIRSTHDR(&message);

    part->cmsg_level = IPPROTO_IP;
    part->cmsg_type = IP_PKTINFO;
    part->cmsg_len = CMSG_LEN(sizeof info);
    memcpy(CMSG_DATA(part), &info, sizeof info);
    (void)sendmsg(listener->fd, &message,
                  MSG_DONTWAIT | MSG_NOSIGNAL); /* the peer will ask again */
}

/* Ignores peers on no network of this machine: their addresses are forged. */
static void answer(struct beacon_listener *listener, const struct asked *asked)
{
    char nonce[BEACON_NONCE_MAX], text[BEACON_DATAGRAM_MAX];
    struct beacon_server about;

    if (!beacon_read_question(asked->datagram, asked->bytes, nonce))
        return;
    uint32_t peer = asked->from.sin_addr.s_addr;
    const struct attached *own = attached_find(&listener->attached, asked->interface, peer);
    if (own == NULL || !advert_at(&listener->advert, own->address, &about))
        return;
    size_t length = beacon_write_answer(&about, nonce, asked->bytes, text);
    now_set(listener->server);
    if (length > 0 && beacon_may_answer(&listener->limit, peer, listener->server->now_ms))
        send_from(listener, own, &asked->from, text, length);
}

static void on_question(evutil_socket_t fd, short what, void *context)
{
    struct beacon_listener *listener = context;
    struct asked asked;

    (void)fd, (void)what;
    for (int i = 0; i < DATAGRAMS_PER_TURN && receive(listener, &asked); i++)
        answer(listener, &asked);
}

/* Opens a socket that receives only what is sent to the group. Other servers on this machine may
 * have one, too. */
static int open_socket(void)
{
    const int one = 1, zero = 0;
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(BEACON_PORT)};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    inet_pton(AF_INET, BEACON_GROUP, &group.sin_addr);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &zero, sizeof zero) == 0 &&
        setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof one) == 0 &&
        bind(fd, (const struct sockaddr *)&group, sizeof group) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool add_events(struct beacon_listener *listener, struct event_base *base)
{
    const struct timeval interval = {.tv_sec = LOOK_S};

    listener->question = event_new(base, listener->fd, EV_READ | EV_PERSIST, on_question, listener);
    listener->look = event_new(base, -1, EV_PERSIST, on_look, listener);
    return event_add(listener->question, NULL) == 0 && event_add(listener->look, &interval) == 0;
}

struct beacon_listener *beacon_listener_open(struct loop *loop,
                                             const struct listen_addresses *addresses,
                                             struct server *server)
{
    struct beacon_listener *listener = xcalloc(1, sizeof *listener);

    listener->server = server;
    advert_make(&listener->advert, addresses, server);
    if (listener->advert.place_count == 0) {
        log_line(LOG_INFO, "event=not-announced reason=\"no address on the network: see --lan and "
                           "--listen\"");
        free(listener);
        return NULL;
    }
    listener->fd = open_socket();
    if (listener->fd < 0 || !add_events(listener, loop_base(loop))) {
        log_line(LOG_WARN, "event=no-beacon error=%s", log_quote(strerror(errno)).text);
        beacon_listener_close(listener);
        return NULL;
    }
    on_look(-1, 0, listener);
    return listener;
}

void beacon_listener_close(struct beacon_listener *listener)
{
    if (listener == NULL)
        return;
    if (listener->fd >= 0) {
        event_free(listener->question);
        event_free(listener->look);
        close(listener->fd);
    }
    free(listener);
}
