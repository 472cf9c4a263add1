/*
 * Streams: sockets with their buffers, as libevent has them, with TLS or without. Output is
 * gathered and written when the loop says so, and a peer that does not read is noticed here. Knows
 * no sessions. The only user of OpenSSL's TLS.
 */
#ifndef LUDUS_STREAM_H
#define LUDUS_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "common/text.h"
#include "server/play/server.h"

struct bufferevent;
struct evbuffer;
struct event_base;
struct ssl_ctx_st; /* OpenSSL's SSL_CTX: a certificate with its key */
struct stream;
TAILQ_HEAD(stream_list, stream);

/* Sets the server's time from the clocks of the system. Sessions and matches never read a clock:
 * each callback of libevent calls this before it calls them. */
void now_set(struct server *server);

/* Ends the program when OpenSSL runs out of memory. Call it before any other use of OpenSSL. */
void certificate_use_xmalloc(void);

/* Reads a chain of certificates and the key of its first one, both PEM. Peers must speak TLS 1.2 or
 * newer. NULL with the cause. */
struct ssl_ctx_st *certificate_load(const char *chain_file, const char *key_file,
                                    struct cause *cause);

/* Frees the certificate, which no stream may use any more; NULL is allowed. */
void certificate_free(struct ssl_ctx_st *certificate);

struct streams {
    struct event_base *base; /* borrowed, as is the server */
    struct server *server;
    struct stream_list all;
    struct stream_list due;     /* to be handled, closed or freed; */
    struct stream_list late;    /* these after them */
    struct stream_list outputs; /* with output of this turn */
    /* Called for each TLS record that arrives, with data or without. It must not touch the
     * bufferevent. */
    void (*on_record)(struct stream *stream);
    int64_t foreign_ms; /* when the log last told of a browser's foreign name; 0: never */
};

enum stream_state {
    STREAM_OPEN,
    STREAM_ENDED,    /* the peer sends no more; what has arrived is handled */
    STREAM_FLOODING, /* too many TLS records without a message: about to be closed */
    STREAM_SLOW,     /* too much unread output: about to be closed */
    STREAM_CLOSING,  /* the last word is said; the rest of the output is sent */
    STREAM_DEAD      /* about to be freed */
};

enum input_state {
    INPUT_READ,   /* read and handled */
    INPUT_PAUSED, /* not read until what has arrived is handled */
    INPUT_ASLEEP  /* not handled until it is woken, and not read once more has arrived */
};

/* What a stream that is closing waits for after its last byte is written. */
enum linger_kind {
    LINGER_NOT,
    LINGER_FOR_WORD, /* the peer has a last word, too */
    LINGER_FOR_END   /* the peer may still be sending: it is told the end, and closes */
};

struct stream {
    struct streams *set;
    struct bufferevent *bufferevent; /* owned, with the socket */
    bool tls;
    enum stream_state state;
    enum input_state input;
    enum linger_kind linger;
    size_t allowance; /* bytes of a welcome or a long answer, which may exceed the limit */
    bool is_due;      /* in set->due or, if it is late, set->late */
    bool is_late;
    bool has_output; /* in set->outputs */
    bool blocked;    /* libevent writes the output when the socket has room */
    int64_t close_by_ms;
    int64_t clogged_ms;       /* when unread output exceeded a quarter of the limit; 0: less */
    TAILQ_ENTRY(stream) link; /* in set->all */
    TAILQ_ENTRY(stream) due;
    TAILQ_ENTRY(stream) output;
};

/* Begins on a socket, which it owns from then on; with a certificate, which is borrowed, with TLS.
 * The caller sets the callbacks and begins to read. With TLS the socket may be -1: then nothing is
 * read until stream_shake_hands() gives it one. */
void stream_open(struct stream *stream, struct streams *set, int fd,
                 struct ssl_ctx_st *certificate);
void stream_shake_hands(struct stream *stream, int fd);

/* Closes the socket. `tells`: its peer was told that it ends, and should be able to read that. */
void stream_release(struct stream *stream, bool tells);

/* Queues the stream to be handled after the turn of others. A late one has had its own turn, and
 * comes after those that have not. */
void stream_make_due(struct stream *stream);
void stream_make_late(struct stream *stream);

/* Changes the state, which never goes back; nothing else changes it. */
void stream_change(struct stream *stream, enum stream_state state);

/* Returns whether what the peer sends is still handled. */
bool stream_is_heard(const struct stream *stream);

/* Returns the input that has arrived. */
struct evbuffer *stream_input(const struct stream *stream);

/* Lets libevent read or write. If epoll cannot watch the socket, nothing would ever end the stream,
 * so this does. */
void stream_want(struct stream *stream, short what);

void stream_set_input(struct stream *stream, enum input_state input);

/* Stops libevent from reading. */
void stream_stop_reading(struct stream *stream);

/* Queues a stream, asleep or not, to be handled after the turn of others. */
void stream_wake(struct stream *stream);

/* Returns the bytes of output that wait. */
size_t stream_pending_bytes(const struct stream *stream);

/* Returns whether answers pile up unread, so that nothing more is handled. */
bool stream_is_clogged(const struct stream *stream);

/* Returns whether half as much as clogs the stream is unread. */
bool stream_is_behind(const struct stream *stream);

/* Returns whether `length` bytes of output may be added; if not, the stream is closed as slow.
 * `welcome`: they may exceed the limit. */
bool stream_admits(struct stream *stream, size_t length, bool welcome);

/* From now on all output is admitted: it is the last word. */
void stream_admit_all(struct stream *stream);

/* Makes room for output that is to be added in parts. */
void stream_reserve(struct stream *stream, size_t length);

/* Adds output, copied or static. stream_send() follows. */
void stream_add(struct stream *stream, const void *bytes, size_t length);
void stream_add_static(struct stream *stream, const void *bytes, size_t length);

/* Queues what was added to be sent at the end of the turn. */
void stream_send(struct stream *stream);

enum { CLOSE_WAIT_MS = 5000 }; /* for a peer to read its last lines */

/* Sends the rest of the output, then ends. It waits `wait_ms` at most for the peer to read. */
void stream_close(struct stream *stream, int64_t wait_ms);

/* The last word of the peer has come, or will not come. */
void stream_stop_lingering(struct stream *stream);

/* libevent has written output. */
void stream_written(struct stream *stream);

/* Returns whether the peer has said in its TLS handshake that it speaks HTTP. */
bool stream_is_browsers(const struct stream *stream);

/* Closing has come to its end. */
bool stream_is_finished(const struct stream *stream);

/* Limits how long a peer may read less than it is sent. Called every second. */
void stream_note_clogged(struct stream *stream);

void streams_init(struct streams *streams, struct event_base *base, struct server *server,
                  void (*on_record)(struct stream *stream));

/* Hands new output to the kernel. */
void streams_write(struct streams *streams);

/* Returns the bytes of output that wait in all streams. */
size_t streams_pending_bytes(const struct streams *streams);

#endif
