#include "stream.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>
#include <sys/socket.h>

#include "common/xmalloc.h"
#include "server/play/lifecycle.h"

enum { DISCARD_READS = 64 /* of 4 KiB, before a socket is closed */ };

static const size_t any_size = SIZE_MAX / 2;

void now_set(struct server *server)
{
    server_pass_time(server, tally_now_us() / 1000, time(NULL));
}

static const char *tls_error(void)
{
    unsigned long first = ERR_peek_error();
    /* For a file that cannot be opened, the last error only says "system lib". */
    const char *reason = ERR_SYSTEM_ERROR(first) ? strerror(ERR_GET_REASON(first))
                                                 : ERR_reason_error_string(ERR_peek_last_error());

    ERR_clear_error();
    return reason != NULL ? reason : "cannot be used";
}

void certificate_use_xmalloc(void)
{
    CRYPTO_set_mem_functions(xmalloc_at, xrealloc_at, xfree_at);
}

static const unsigned char http_protocol[] = "\x08http/1.1"; /* as ALPN writes it */

/* Browsers tell their protocols in the handshake, clients of lines tell none. */
static int on_alpn(SSL *ssl, const unsigned char **chosen, unsigned char *length,
                   const unsigned char *offered, unsigned offered_length, void *context)
{
    (void)ssl, (void)context;
    if (SSL_select_next_proto((unsigned char **)(uintptr_t)chosen, length, http_protocol,
                              sizeof http_protocol - 1, offered,
                              offered_length) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    return SSL_TLSEXT_ERR_OK;
}

struct ssl_ctx_st *certificate_load(const char *chain_file, const char *key_file,
                                    struct cause *cause)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    if (context == NULL) {
        cause_set(cause, "TLS: %.80s", tls_error());
        return NULL;
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);         /* thousands may be idle */
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); /* few come back */
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_alpn_select_cb(context, on_alpn, NULL);
    /* Without this, one read would go on for as long as records without data come. */
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    if (SSL_CTX_use_certificate_chain_file(context, chain_file) != 1)
        cause_set(cause, "%.100s: not a certificate: %.80s", chain_file, tls_error());
    else if (SSL_CTX_use_PrivateKey_file(context, key_file, SSL_FILETYPE_PEM) != 1)
        cause_set(cause, "%.100s: not the key of that certificate: %.80s", key_file, tls_error());
    else
        return context;
    SSL_CTX_free(context);
    return NULL;
}

void certificate_free(struct ssl_ctx_st *certificate)
{
    SSL_CTX_free(certificate);
}

void stream_make_due(struct stream *stream)
{
    if (stream->is_due)
        return;
    stream->is_due = true;
    stream->is_late = false;
    TAILQ_INSERT_TAIL(&stream->set->due, stream, due);
}

void stream_make_late(struct stream *stream)
{
    if (stream->is_due)
        return;
    stream->is_due = stream->is_late = true;
    TAILQ_INSERT_TAIL(&stream->set->late, stream, due);
}

void stream_change(struct stream *stream, enum stream_state state)
{
    if (state <= stream->state)
        return;
    stream->state = state;
    if (state >= STREAM_FLOODING)
        stream_make_due(stream);
}

bool stream_is_heard(const struct stream *stream)
{
    return stream->state <= STREAM_ENDED;
}

struct evbuffer *stream_input(const struct stream *stream)
{
    return bufferevent_get_input(stream->bufferevent);
}

size_t stream_pending_bytes(const struct stream *stream)
{
    return evbuffer_get_length(bufferevent_get_output(stream->bufferevent));
}

bool stream_is_clogged(const struct stream *stream)
{
    return stream_pending_bytes(stream) > (size_t)stream->set->server->limits.pending_bytes / 4;
}

bool stream_is_behind(const struct stream *stream)
{
    return stream_pending_bytes(stream) > (size_t)stream->set->server->limits.pending_bytes / 8;
}

bool stream_admits(struct stream *stream, size_t length, bool welcome)
{
    size_t limit = (size_t)stream->set->server->limits.pending_bytes;
    bool last_word = stream->allowance == any_size;

    /* Long answers cannot pile up: the next line is handled when this one has been read. */
    if (!last_word && (welcome || length > limit / 4))
        stream->allowance += length;
    if (!last_word && stream_pending_bytes(stream) > limit + stream->allowance)
        stream_change(stream, STREAM_SLOW);
    return stream->state != STREAM_DEAD && (stream->state != STREAM_SLOW || last_word);
}

void stream_admit_all(struct stream *stream)
{
    stream->allowance = any_size;
}

void stream_reserve(struct stream *stream, size_t length)
{
    evbuffer_expand(bufferevent_get_output(stream->bufferevent), length);
}

void stream_add(struct stream *stream, const void *bytes, size_t length)
{
    bufferevent_write(stream->bufferevent, bytes, length);
}

void stream_add_static(struct stream *stream, const void *bytes, size_t length)
{
    evbuffer_add_reference(bufferevent_get_output(stream->bufferevent), bytes, length, NULL, NULL);
}

void stream_send(struct stream *stream)
{
    if (stream->tls)
        stream->blocked = true; /* libevent encrypts and writes it */
    if (stream->has_output || stream->blocked)
        return;
    stream->has_output = true;
    TAILQ_INSERT_TAIL(&stream->set->outputs, stream, output);
}

static bool is_reading(const struct stream *stream)
{
    return (bufferevent_get_enabled(stream->bufferevent) & EV_READ) != 0;
}

void stream_close(struct stream *stream, int64_t wait_ms)
{
    const struct server *server = stream->set->server;

    /* When the server stops, the loop limits the time. */
    stream->close_by_ms = server->stopping ? INT64_MAX : server->now_ms + wait_ms;
    if (stream->state == STREAM_ENDED)
        stream->linger = LINGER_NOT;
    if (stream->linger == LINGER_NOT)
        bufferevent_disable(stream->bufferevent, EV_READ);
    else if (!is_reading(stream))
        stream_want(stream, EV_READ);
    stream_change(stream, STREAM_CLOSING);
}

void stream_stop_lingering(struct stream *stream)
{
    stream->linger = LINGER_NOT;
    if (stream->state == STREAM_CLOSING)
        stream_make_due(stream);
}

void stream_want(struct stream *stream, short what)
{
    if (bufferevent_enable(stream->bufferevent, what) != 0)
        stream_change(stream, STREAM_DEAD);
}

void stream_stop_reading(struct stream *stream)
{
    if (is_reading(stream))
        bufferevent_disable(stream->bufferevent, EV_READ);
}

void stream_set_input(struct stream *stream, enum input_state input)
{
    stream->input = input;
    if (input == INPUT_PAUSED || (input == INPUT_ASLEEP && stream->tls)) /* records count as read */
        stream_stop_reading(stream);
    else if (input == INPUT_READ && !is_reading(stream) && stream->state == STREAM_OPEN)
        stream_want(stream, EV_READ);
}

void stream_wake(struct stream *stream)
{
    if (stream->input == INPUT_ASLEEP)
        stream->input = is_reading(stream) ? INPUT_READ : INPUT_PAUSED;
    stream_make_due(stream);
}

/* Returns whether the peer can get output: with TLS, once it has shaken hands. */
static bool stream_is_reachable(const struct stream *stream)
{
    return !stream->tls || SSL_is_init_finished(bufferevent_openssl_get_ssl(stream->bufferevent));
}

bool stream_is_browsers(const struct stream *stream)
{
    const unsigned char *protocol = NULL;
    unsigned length = 0;

    if (stream->tls)
        SSL_get0_alpn_selected(bufferevent_openssl_get_ssl(stream->bufferevent), &protocol,
                               &length);
    return length > 0; /* there is only one that it can be */
}

bool stream_is_finished(const struct stream *stream)
{
    return stream->state == STREAM_CLOSING &&
           (!stream_is_reachable(stream) ||
            (stream_pending_bytes(stream) == 0 && stream->linger == LINGER_NOT));
}

/* Goes on after the last byte of output has been handed to the kernel. */
static void note_all_written(struct stream *stream)
{
    stream->allowance = 0;
    if (stream->state == STREAM_CLOSING && stream->linger == LINGER_FOR_END)
        shutdown(bufferevent_getfd(stream->bufferevent), SHUT_WR);
    if (stream_is_finished(stream))
        stream_change(stream, STREAM_DEAD);
    else if (stream->input == INPUT_PAUSED)
        stream_make_due(stream);
}

void stream_written(struct stream *stream)
{
    if (stream_pending_bytes(stream) > 0)
        return; /* with TLS this call comes late, when there may be more */
    if (!stream->tls)
        bufferevent_disable(stream->bufferevent, EV_WRITE);
    stream->blocked = false;
    note_all_written(stream);
}

/* Writes what the kernel takes at once, which is nearly always everything. libevent would wait for
 * the socket first and change twice what it waits for. */
static void flush_stream(struct stream *stream)
{
    struct evbuffer *output = bufferevent_get_output(stream->bufferevent);

    evbuffer_unfreeze(output, 1);
    int written = evbuffer_write(output, bufferevent_getfd(stream->bufferevent));
    int error = errno;
    evbuffer_freeze(output, 1);
    if (written < 0 && error != EAGAIN && error != EINTR) {
        stream_change(stream, STREAM_DEAD);
    } else if (stream_pending_bytes(stream) > 0) {
        stream->blocked = true;
        stream_want(stream, EV_WRITE);
    } else {
        note_all_written(stream);
    }
}

void streams_write(struct streams *streams)
{
    struct stream *stream;

    while ((stream = TAILQ_FIRST(&streams->outputs)) != NULL) {
        TAILQ_REMOVE(&streams->outputs, stream, output);
        stream->has_output = false;
        if (stream->state != STREAM_DEAD)
            flush_stream(stream);
    }
}

/* While input is paused for unread output, the peer has not caught up. */
void stream_note_clogged(struct stream *stream)
{
    const struct server *server = stream->set->server;

    if (!stream_is_clogged(stream) && !(stream->input == INPUT_PAUSED && stream->blocked)) {
        stream->clogged_ms = 0;
    } else if (stream->clogged_ms == 0) {
        stream->clogged_ms = server->now_ms;
    } else if (server->now_ms - stream->clogged_ms >= server->limits.slow_s * 1000LL) {
        stream_change(stream, STREAM_SLOW);
    }
}

static void on_tls_message(int is_written, int version, int content_type, const void *bytes,
                           size_t length, SSL *ssl, void *context)
{
    struct stream *stream = context;

    (void)version, (void)bytes, (void)length, (void)ssl;
    if (!is_written && content_type == SSL3_RT_HEADER)
        stream->set->on_record(stream);
}

void stream_shake_hands(struct stream *stream, int fd)
{
    if (bufferevent_setfd(stream->bufferevent, fd) != 0)
        stream_change(stream, STREAM_DEAD);
}

void stream_open(struct stream *stream, struct streams *set, int fd, struct ssl_ctx_st *certificate)
{
    stream->set = set;
    stream->tls = certificate != NULL;
    if (stream->tls) {
        SSL *ssl = SSL_new(certificate);
        SSL_set_msg_callback(ssl, on_tls_message);
        SSL_set_msg_callback_arg(ssl, stream);
        stream->bufferevent = bufferevent_openssl_socket_new(
            set->base, fd, ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
    } else {
        stream->bufferevent = bufferevent_socket_new(set->base, fd, BEV_OPT_CLOSE_ON_FREE);
        bufferevent_disable(stream->bufferevent, EV_WRITE); /* see flush_stream() */
    }
    TAILQ_INSERT_TAIL(&set->all, stream, link);
}

/* Discards input that has arrived. Closing a socket with unread input would reset the connection,
 * and the peer could lose the last lines sent to it. */
static void discard_input(const struct stream *stream)
{
    int fd = bufferevent_getfd(stream->bufferevent);
    char bytes[4096];

    for (int i = 0; i < DISCARD_READS; i++)
        if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0)
            return;
}

void stream_release(struct stream *stream, bool tells)
{
    struct streams *set = stream->set;

    if (tells)
        discard_input(stream);
    if (stream->tls) {
        if (stream_is_reachable(stream)) /* tells the peer that the connection ends properly */
            SSL_shutdown(bufferevent_openssl_get_ssl(stream->bufferevent));
        ERR_clear_error();
    }
    if (stream->is_due && stream->is_late)
        TAILQ_REMOVE(&set->late, stream, due);
    else if (stream->is_due)
        TAILQ_REMOVE(&set->due, stream, due);
    if (stream->has_output)
        TAILQ_REMOVE(&set->outputs, stream, output);
    TAILQ_REMOVE(&set->all, stream, link);
    bufferevent_free(stream->bufferevent);
}

void streams_init(struct streams *streams, struct event_base *base, struct server *server,
                  void (*on_record)(struct stream *stream))
{
    streams->base = base;
    streams->server = server;
    streams->on_record = on_record;
    TAILQ_INIT(&streams->all);
    TAILQ_INIT(&streams->due);
    TAILQ_INIT(&streams->late);
    TAILQ_INIT(&streams->outputs);
}

size_t streams_pending_bytes(const struct streams *streams)
{
    const struct stream *stream;
    size_t sum = 0;

    TAILQ_FOREACH (stream, &streams->all, link)
        sum += stream_pending_bytes(stream);
    return sum;
}
