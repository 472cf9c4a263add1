#include "asking.h"

#include <arpa/inet.h>
#include <avahi-common/timeval.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AGAIN_MS = 500, ANSWERS_PER_TURN = 64 };

struct asking {
    const AvahiPoll *loop;
    struct found_list *found;
    int fd;
    AvahiWatch *watch;
    AvahiTimeout *again;
    char nonce[BEACON_NONCE_MAX];
};

/* A hint for nobody what to answer before he is asked. */
static void make_nonce(char nonce[BEACON_NONCE_MAX])
{
    unsigned char bytes[8] = {0};

    (void)!getrandom(bytes, sizeof bytes, 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}

/* From that address of this machine, on the network that it is of. */
static void ask_from(const struct asking *asking, const struct ifaddrs *entry)
{
    const struct sockaddr_in *own = (const void *)entry->ifa_addr;
    const struct ip_mreqn by = {.imr_address = own->sin_addr,
                                .imr_ifindex = (int)if_nametoindex(entry->ifa_name)};
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(BEACON_PORT)};
    char question[BEACON_QUESTION_BYTES];

    inet_pton(AF_INET, BEACON_GROUP, &group.sin_addr);
    beacon_write_question(asking->nonce, question);
    if (setsockopt(asking->fd, IPPROTO_IP, IP_MULTICAST_IF, &by, sizeof by) == 0)
        (void)sendto(asking->fd, question, sizeof question, MSG_DONTWAIT,
                     (const struct sockaddr *)&group, sizeof group);
}

static void ask_all(const struct asking *asking)
{
    struct ifaddrs *list;

    if (getifaddrs(&list) != 0)
        return;
    for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next)
        if (entry->ifa_addr != NULL && entry->ifa_addr->sa_family == AF_INET &&
            (entry->ifa_flags & IFF_UP) != 0)
            ask_from(asking, entry);
    freeifaddrs(list);
}

/* Datagrams get lost: who has not heard the first question may hear the next. */
static void on_again(AvahiTimeout *again, void *context)
{
    struct asking *asking = context;
    struct timeval due;

    ask_all(asking);
    asking->loop->timeout_update(again, avahi_elapse_time(&due, AGAIN_MS, 0));
}

static void on_answer(AvahiWatch *watch, int fd, AvahiWatchEvent what, void *context)
{
    struct asking *asking = context;
    char datagram[BEACON_DATAGRAM_MAX + 1], host[FOUND_HOST_MAX];
    struct beacon_server about;
    struct sockaddr_in from = {.sin_family = AF_INET};

    (void)watch, (void)what;
    for (int i = 0; i < ANSWERS_PER_TURN; i++) {
        socklen_t length = sizeof from;
        ssize_t bytes = recvfrom(fd, datagram, sizeof datagram, MSG_DONTWAIT,
                                 (struct sockaddr *)&from, &length);
        if (bytes < 0)
            return;
        if (beacon_read_answer(datagram, (size_t)bytes, asking->nonce, &about) &&
            inet_ntop(AF_INET, &from.sin_addr, host, sizeof host) != NULL)
            found_add(asking->found, &about, host);
    }
}

struct asking *asking_open(const AvahiPoll *loop, struct found_list *found)
{
    struct asking *asking = calloc(1, sizeof *asking);
    struct timeval due;

    if (asking == NULL)
        return NULL;
    *asking = (struct asking){.loop = loop, .found = found};
    make_nonce(asking->nonce);
    asking->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (asking->fd >= 0) {
        asking->watch = loop->watch_new(loop, asking->fd, AVAHI_WATCH_IN, on_answer, asking);
        asking->again =
            loop->timeout_new(loop, avahi_elapse_time(&due, AGAIN_MS, 0), on_again, asking);
    }
    if (asking->watch == NULL || asking->again == NULL) {
        asking_close(asking);
        return NULL;
    }
    ask_all(asking);
    return asking;
}

void asking_close(struct asking *asking)
{
    if (asking == NULL)
        return;
    if (asking->watch != NULL)
        asking->loop->watch_free(asking->watch);
    if (asking->again != NULL)
        asking->loop->timeout_free(asking->again);
    if (asking->fd >= 0)
        close(asking->fd);
    free(asking);
}
