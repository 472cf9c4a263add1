/*
 * Connections: streams with their sessions. A visitor becomes a session when its first line tells
 * how it speaks; then complete messages go to the session, a limited number in each turn of the
 * loop: lines, or messages of a WebSocket, which the session cannot tell apart. The limits on what
 * a peer can make the server hold are enforced here and in stream.h.
 *
 * Called by the loop and the listeners only.
 */
#ifndef LUDUS_CONNECTION_H
#define LUDUS_CONNECTION_H

#include <stdbool.h>
#include <sys/queue.h>

#include "stream.h"

struct connection;
struct event;
struct networks;
struct web_names;

struct connections {
    struct streams streams;                          /* first */
    const struct web_names *names;                   /* borrowed; NULL: HTTP is not spoken */
    const struct networks *trusted;                  /* borrowed: of proxies; NULL: none */
    TAILQ_HEAD(stranger_list, connection) strangers; /* not greeted yet, the first one first */
    struct event *greeting;                          /* fires when it is to be greeted */
    int collectors;                                  /* of metrics */
};

void connections_init(struct connections *connections, struct event_base *base,
                      struct server *server);

/* Begins to serve a socket. The connection owns it, and the reference to the origin, from then on.
 * With a certificate, which is borrowed, it uses TLS. `proxy`: its peer is a trusted proxy. */
void connections_open(struct connections *connections, int fd, struct origin *origin,
                      struct ssl_ctx_st *certificate, bool proxy);

/* Begins to serve a socket that was accepted on the port for metrics, or closes it at once if too
 * many are open. */
void connections_open_collector(struct connections *connections, int fd);

/* Ends a connection to make room for one from `origin`: one that has not said hello and is in no
 * match, from a network that has more. False: there is none. */
bool connections_make_room(struct connections *connections, const struct origin *origin);

bool connections_empty(const struct connections *connections);

/* Returns whether connections_work() has anything to do: then the loop must not wait. */
bool connections_have_work(const struct connections *connections);

/* Handles the connections that are due now. Those that become due meanwhile wait for the next
 * call. */
void connections_work(struct connections *connections);

/* Hands new output to the kernel. */
void connections_write(struct connections *connections);

/* Ends connections whose time to read their last lines is over, those that have too much output
 * unread for too long, and visitors that take too long. Called every second. */
void connections_tick(struct connections *connections);

/* Ends all that have no session: the server stops. */
void connections_stop(struct connections *connections);

/* Closes and frees all connections and their sessions. */
void connections_release(struct connections *connections);

/*
 * A splitter finds the lines in the bytes that a peer sends. It looks at the front of a
 * connection's input and says what is there; the connection handles the bytes and removes them. It
 * owns none.
 */

/* All zero at the beginning of the input. */
struct splitter {
    size_t scanned;  /* bytes at the front without a line end */
    bool discarding; /* the rest of a line that is too long is at the front */
};

enum piece_kind {
    PIECE_NONE,     /* nothing to do before there is more input */
    PIECE_LINE,     /* a line of at most line_max bytes, with LF or CRLF at its end */
    PIECE_TOO_LONG, /* the beginning of a longer line, or all of it; reported once for each */
    PIECE_REST      /* more of that line, to be discarded */
};

struct piece {
    enum piece_kind kind;
    size_t size;   /* bytes at the front of the input, line end included */
    size_t length; /* of a line without its end */
    bool ended;    /* by an LF */
};

/* Looks at the first `count` > 0 bytes of the input: all of them, or at least `line_max`, or, while
 * discarding, any number. Another look before splitter_advance() gives the same piece or, after
 * PIECE_NONE, continues with more input. */
struct piece splitter_look(struct splitter *splitter, const char *bytes, size_t count,
                           size_t line_max);

/* Goes on after a piece, other than PIECE_NONE, whose bytes the caller removes from the input. */
void splitter_advance(struct splitter *splitter, const struct piece *piece);

#endif
