/*
 * The event loop: turns, timers, signals and children, by libevent. Sockets are connection.h's and
 * listener.h's affair. Beside those three only metrics_http.c and beacon_listener.c know libevent.
 */
#ifndef LUDUS_LOOP_H
#define LUDUS_LOOP_H

#include "common/cause.h"
#include "server/play/server.h"

struct loop;

/* Has libevent end the program too when memory runs out. Call it before anything else of libevent.
 */
void loop_use_xmalloc(void);

/* Makes the loop for a server, which it borrows. NULL when that fails. */
struct loop *loop_new(struct server *server);

struct ssl_ctx_st;

/* Listens on ADDR:PORT (the port may be 0: any free one) and writes the address as it came to
 * be into bound[size]. With a certificate (certificate.h), which must outlive the loop, TLS is
 * spoken there. False with the cause. */
bool loop_listen(struct loop *loop, const char *address, struct ssl_ctx_st *certificate,
                 char *bound, size_t size, struct cause *cause);

/* The same for a socket that listens already; the loop owns it once this returns true. */
bool loop_adopt(struct loop *loop, int descriptor, char *bound, size_t size, struct cause *cause);

/* Calls the function at SIGHUP, which without this ends the loop as SIGTERM does. The context is
 * borrowed. */
void loop_on_hangup(struct loop *loop, void (*function)(void *context), void *context);

/* Calls the function once the server begins to end, before anyone is told bye. The context is
 * borrowed. */
void loop_on_stop(struct loop *loop, void (*function)(void *context), void *context);

/* Calls the function again and again. The context is borrowed. False when that fails. */
bool loop_call_every(struct loop *loop, int64_t interval_ms, void (*function)(void *context),
                     void *context);

/* The event base, for what else waits for sockets (metrics_http.c); gone with the loop. */
struct event_base *loop_base(struct loop *loop);

/* The bytes that wait in all connections for their peers to read. */
size_t loop_pending_bytes(const struct loop *loop);

/* Runs until SIGTERM or SIGINT, then says bye to all, waits up to limits.drain_s until they have
 * been told, and returns true. False when the system does not let it wait any more. */
bool loop_run(struct loop *loop);

/* Closes what is left, frees its sessions and the loop. */
void loop_free(struct loop *loop);

#endif
