/*
 * The yardstick for ludusd: a libevent server that only answers each line with a line of the
 * requested length. Sockets, limits and buffers are those of ludusd; it has one thread, reads no
 * clock and parses nothing. It uses plain bufferevents; --at-once writes as ludusd does, without
 * waiting for the socket first.
 */
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/text.h"
#include "load_process.h"

static const char help[] =
    "usage: bare [--bytes B] [--at-once]\n"
    "Listens on a free port of 127.0.0.1 and answers every line.\n"
    "\n"
    "  --bytes B    of an answer, its end included (16)\n"
    "  --at-once    answers are written at once, not when the event loop says that it may be\n"
    "  --help       this text\n";

enum { ANSWER_MAX = 65536, INPUT_MAX = 16 * 1024, WANTED_DESCRIPTORS = 16 };

struct bare {
    struct event_base *base;
    size_t answer_bytes;
    bool at_once;
    char answer[ANSWER_MAX];
};

/* One connection, freed with its bufferevent. */
struct talk {
    struct bare *bare;
    struct bufferevent *bufferevent;
};

static void close_talk(struct talk *talk)
{
    bufferevent_free(talk->bufferevent);
    free(talk);
}

/* Returns false when the connection is gone. */
static bool write_at_once(struct talk *talk)
{
    struct evbuffer *output = bufferevent_get_output(talk->bufferevent);

    evbuffer_unfreeze(output, 1);
    int written = evbuffer_write(output, bufferevent_getfd(talk->bufferevent));
    int error = errno;
    evbuffer_freeze(output, 1);
    if (written < 0 && error != EAGAIN && error != EINTR)
        return false;
    if (evbuffer_get_length(output) > 0)
        bufferevent_enable(talk->bufferevent, EV_WRITE);
    return true;
}

static void on_read(struct bufferevent *bufferevent, void *context)
{
    struct talk *talk = context;
    struct evbuffer *input = bufferevent_get_input(bufferevent);
    struct evbuffer_ptr end;

    while ((end = evbuffer_search_eol(input, NULL, NULL, EVBUFFER_EOL_LF)).pos >= 0) {
        evbuffer_drain(input, (size_t)end.pos + 1);
        bufferevent_write(bufferevent, talk->bare->answer, talk->bare->answer_bytes);
    }
    if (evbuffer_get_length(input) >= INPUT_MAX)
        close_talk(talk); /* the line is too long */
    else if (talk->bare->at_once && !write_at_once(talk))
        close_talk(talk);
}

/* Only --at-once needs to know. */
static void on_write(struct bufferevent *bufferevent, void *context)
{
    const struct talk *talk = context;

    if (talk->bare->at_once)
        bufferevent_disable(bufferevent, EV_WRITE);
}

static void on_event(struct bufferevent *bufferevent, short what, void *context)
{
    (void)bufferevent;
    if (what & (BEV_EVENT_ERROR | BEV_EVENT_EOF))
        close_talk(context);
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
                      int length, void *context)
{
    struct talk *talk = malloc(sizeof *talk);
    int one = 1;

    (void)listener, (void)address, (void)length;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    if (talk == NULL) {
        evutil_closesocket(fd);
        return;
    }
    talk->bare = context;
    talk->bufferevent = bufferevent_socket_new(talk->bare->base, fd, BEV_OPT_CLOSE_ON_FREE);
    if (talk->bufferevent == NULL) {
        evutil_closesocket(fd);
        free(talk);
        return;
    }
    if (talk->bare->at_once)
        bufferevent_disable(talk->bufferevent, EV_WRITE);
    bufferevent_setcb(talk->bufferevent, on_read, on_write, on_event, talk);
    bufferevent_setwatermark(talk->bufferevent, EV_READ, 0, INPUT_MAX);
    bufferevent_enable(talk->bufferevent, EV_READ);
}

static void on_stop(evutil_socket_t signal_number, short what, void *context)
{
    struct bare *bare = context;

    (void)signal_number, (void)what;
    event_base_loopexit(bare->base, NULL);
}

/* Prints the port; returns NULL when it cannot listen. */
static struct evconnlistener *listen_somewhere(struct bare *bare)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE;

    struct evconnlistener *listener = evconnlistener_new_bind(
        bare->base, on_accept, bare, flags, 1024, (struct sockaddr *)&address, sizeof address);
    if (listener == NULL ||
        getsockname(evconnlistener_get_fd(listener), (struct sockaddr *)&address, &length) != 0)
        return NULL;
    printf("bare: listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

static int serve(struct bare *bare)
{
    struct cause cause;

    signal(SIGPIPE, SIG_IGN);
    descriptors_reserve(WANTED_DESCRIPTORS, &cause); /* as many as the system allows */
    memset(bare->answer, 'x', bare->answer_bytes - 1);
    bare->answer[bare->answer_bytes - 1] = '\n';
    bare->base = event_base_new();
    struct event *stop =
        bare->base != NULL ? evsignal_new(bare->base, SIGTERM, on_stop, bare) : NULL;
    struct evconnlistener *listener =
        stop != NULL && evsignal_add(stop, NULL) == 0 ? listen_somewhere(bare) : NULL;
    if (listener == NULL) {
        fprintf(stderr, "bare: cannot listen: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    event_base_dispatch(bare->base);
    evconnlistener_free(listener);
    event_free(stop);
    event_base_free(bare->base);
    return EXIT_SUCCESS;
}

int main(int argc, char *argv[])
{
    static const struct option long_options[] = {{"bytes", required_argument, NULL, 'b'},
                                                 {"at-once", no_argument, NULL, 'a'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct bare bare = {.at_once = false};
    long bytes = 16;
    int option;

    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_SUCCESS;
        }
        if (option == 'a')
            bare.at_once = true;
        else if (option != 'b' || !number_parse(optarg, strlen(optarg), 1, ANSWER_MAX, &bytes))
            return fprintf(stderr, "bare: write --bytes B, from 1 to %d\n", ANSWER_MAX), 2;
    }
    if (optind < argc)
        return fprintf(stderr, "bare: options only: try --help\n"), 2;
    bare.answer_bytes = (size_t)bytes;
    return serve(&bare);
}
