/*
 * The event loop: timers, signals and the turns in which input is handled and output written. Only
 * files of net/ use libevent.
 */
#ifndef LUDUS_LOOP_H
#define LUDUS_LOOP_H

#include "server/play/server.h"

struct event_base;
struct listeners;
struct loop;
struct networks;
struct web_names;

/* Functions that the loop calls; NULL: none. */
struct loop_hooks {
    void (*hangup)(void *context);   /* at SIGHUP, which without it stops the server */
    void (*stopping)(void *context); /* when the server stops, before clients are told */
    void (*alive)(void *context);
    int64_t alive_every_ms; /* 0: never */
    void *context;          /* borrowed */
};

/* Ends the program when libevent runs out of memory. Call it before any other use of libevent. */
void loop_use_xmalloc(void);

/* Makes the loop for a server, which it borrows. NULL when the system refuses. */
struct loop *loop_new(struct server *server, const struct loop_hooks *hooks);

/* Returns the listeners (listener.h), to which addresses are added. They are freed with the loop.
 */
struct listeners *loop_listeners(struct loop *loop);

/* Speaks HTTP and WebSocket on all ports, under these names, which are borrowed. */
void loop_set_web(struct loop *loop, const struct web_names *names);

/* Believes proxies at these addresses, which are borrowed, when they say who their clients are. */
void loop_set_trusted(struct loop *loop, const struct networks *trusted);

/* Returns the event base, for others that wait for sockets. It is freed with the loop. */
struct event_base *loop_base(struct loop *loop);

/* Runs until SIGTERM or SIGINT, then says bye to all clients, gives them limits.drain_s to read it,
 * and returns true. False with errno when waiting for events fails. */
bool loop_run(struct loop *loop);

/* Closes all connections, and frees their sessions and the loop. */
void loop_free(struct loop *loop);

#endif
