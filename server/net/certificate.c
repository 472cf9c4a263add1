#include "certificate.h"

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <string.h>

#include "common/xmalloc.h"

static const char *last_error(void)
{
    unsigned long first = ERR_peek_error();
    /* For a file that cannot be opened, the last error only says "system lib". */
    const char *reason = ERR_SYSTEM_ERROR(first) ? strerror(ERR_GET_REASON(first))
                                                 : ERR_reason_error_string(ERR_peek_last_error());

    ERR_clear_error();
    return reason != NULL ? reason : "cannot be used";
}

static bool read_files(SSL_CTX *context, const char *chain_file, const char *key_file,
                       struct cause *cause)
{
    if (SSL_CTX_use_certificate_chain_file(context, chain_file) != 1)
        return cause_set(cause, "%.100s: not a certificate: %.80s", chain_file, last_error());
    if (SSL_CTX_use_PrivateKey_file(context, key_file, SSL_FILETYPE_PEM) != 1)
        return cause_set(cause, "%.100s: not the key of that certificate: %.80s", key_file,
                         last_error());
    return true;
}

void certificate_use_xmalloc(void)
{
    CRYPTO_set_mem_functions(xmalloc_at, xrealloc_at, xfree_at);
}

struct ssl_ctx_st *certificate_load(const char *chain_file, const char *key_file,
                                    struct cause *cause)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());

    if (context == NULL) {
        cause_set(cause, "TLS: %.80s", last_error());
        return NULL;
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);         /* thousands may be idle */
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); /* few come back */
    SSL_CTX_set_num_tickets(context, 0);
    /* Without this, one read would go on for as long as records without data come. */
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    if (!read_files(context, chain_file, key_file, cause)) {
        SSL_CTX_free(context);
        return NULL;
    }
    return context;
}

void certificate_free(struct ssl_ctx_st *certificate)
{
    SSL_CTX_free(certificate);
}

struct bufferevent *certificate_accept(struct ssl_ctx_st *certificate, struct event_base *base,
                                       int fd)
{
    return bufferevent_openssl_socket_new(base, fd, SSL_new(certificate), BUFFEREVENT_SSL_ACCEPTING,
                                          BEV_OPT_CLOSE_ON_FREE);
}

bool certificate_handshake_done(struct bufferevent *bufferevent)
{
    return SSL_is_init_finished(bufferevent_openssl_get_ssl(bufferevent));
}

static void on_message(int write_p, int version, int content_type, const void *bytes, size_t length,
                       SSL *ssl, void *hook)
{
    const struct record_hook *record = hook;

    (void)version, (void)bytes, (void)length, (void)ssl;
    if (!write_p && content_type == SSL3_RT_HEADER)
        record->came(record->context);
}

void certificate_watch_records(struct bufferevent *bufferevent, const struct record_hook *hook)
{
    SSL *ssl = bufferevent_openssl_get_ssl(bufferevent);

    SSL_set_msg_callback(ssl, on_message);
    SSL_set_msg_callback_arg(ssl, (void *)(uintptr_t)hook);
}

void certificate_shut_down(struct bufferevent *bufferevent)
{
    if (certificate_handshake_done(bufferevent))
        SSL_shutdown(bufferevent_openssl_get_ssl(bufferevent));
    ERR_clear_error();
}
