#include "tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "clock_ms.h"
#include "common/xmalloc.h"
#include "identity.h"

enum { HANDSHAKE_MS = 10000 };

_Static_assert(2 * EVP_MAX_MD_SIZE + 8 <= TLS_KEY_MAX, "a fingerprint fits");

void tls_use_xmalloc(void)
{
    CRYPTO_set_mem_functions(xmalloc_at, xrealloc_at, xfree_at);
}

static bool fail_in_tls(struct cause *cause, const char *server)
{
    unsigned long error = ERR_peek_error();
    const char *reason = ERR_reason_error_string(error);

    if (ERR_GET_REASON(error) == SSL_R_WRONG_VERSION_NUMBER || reason == NULL)
        reason = _("the other side does not speak it");
    cause_set(cause, "%.100s: TLS: %.100s", server, reason);
    ERR_clear_error();
    return false;
}

/* Waits until the handshake can continue; false on timeout. */
static bool wait_for_socket(const SSL *tls, int error, int64_t until_ms)
{
    struct pollfd ready = {.fd = SSL_get_fd(tls),
                           .events = error == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN};
    int64_t left_ms = until_ms - clock_ms();

    return left_ms > 0 && poll(&ready, 1, (int)left_ms) != 0;
}

static bool shake_hands(SSL *tls, const char *server, int wait_ms, struct cause *cause)
{
    int64_t until_ms = clock_ms() + (wait_ms > 0 ? wait_ms : HANDSHAKE_MS);

    for (;;) {
        int result = SSL_connect(tls);
        int error = SSL_get_error(tls, result);
        if (result == 1)
            return true;
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
            return fail_in_tls(cause, server);
        if (!wait_for_socket(tls, error, until_ms))
            return cause_set(cause, "%.100s: TLS: no answer", server);
    }
}

/* Hashes the server's public key, which survives the renewal of its certificate. */
static bool read_fingerprint(const SSL *tls, char text[TLS_KEY_MAX])
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    X509 *certificate = SSL_get1_peer_certificate(tls);
    bool good =
        certificate != NULL && X509_pubkey_digest(certificate, EVP_sha256(), hash, &length) == 1;
    int used = snprintf(text, TLS_KEY_MAX, "SHA256:");

    X509_free(certificate);
    for (unsigned i = 0; i < length; i++)
        used += snprintf(text + used, TLS_KEY_MAX - (size_t)used, "%02x", hash[i]);
    return good;
}

void tls_key(const SSL *tls, char key[TLS_KEY_MAX])
{
    if (!read_fingerprint(tls, key))
        key[0] = '\0';
}

/* Compares the key of a server with the remembered one. A new one is remembered, or has to be the
 * expected one. */
static bool check_key(const char *server, const char *fingerprint, const char *expected,
                      struct cause *cause)
{
    static const char file[] = "known_hosts";
    char known[RECORD_MAX];
    enum record record = record_load(file, server, known, cause);

    if (record == RECORD_FOUND && strcmp(known, fingerprint) != 0)
        return cause_set(cause,
                         "%.80s: this is not the key that it had: somebody may sit in between. If "
                         "it has a new one, remove its line from known_hosts",
                         server);
    if (record != RECORD_MISSING)
        return record == RECORD_FOUND;
    if (expected != NULL)
        return strcmp(fingerprint, expected) == 0 ||
               cause_set(
                   cause,
                   "%.80s: nobody trusted has signed its certificate, and its key is not that "
                   "of the server that named it",
                   server);
    if (!record_save(file, server, fingerprint, cause))
        return false;
    fprintf(stderr, _("%s is new here; from now on it is known by its key\n%s\n"), server,
            fingerprint);
    return true;
}

static bool check_server(const SSL *tls, const char *server, const char *expected,
                         struct cause *cause)
{
    char fingerprint[TLS_KEY_MAX];

    if (SSL_get_verify_result(tls) == X509_V_OK)
        return true;
    if (!read_fingerprint(tls, fingerprint))
        return cause_set(cause, "%.100s: TLS: it shows no certificate", server);
    return check_key(server, fingerprint, expected, cause);
}

/* Tells OpenSSL to verify the certificate against the system's store and this name or address. */
static bool expect_host(SSL *tls, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];
    bool numeric =
        inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;

    SSL_set_verify(tls, SSL_VERIFY_NONE, NULL); /* check_server() looks at the result */
    if (numeric)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host) == 1;
    return SSL_set1_host(tls, host) == 1 && SSL_set_tlsext_host_name(tls, host) == 1;
}

/* Sets up a connection that has not shaken hands yet; NULL on failure. */
static SSL *begin_tls(int fd, const char *host)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());

    if (context == NULL)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_default_verify_paths(context); /* without them no certificate is trusted */
    SSL *tls = SSL_new(context);
    SSL_CTX_free(context); /* tls keeps it */
    if (tls == NULL || SSL_set_fd(tls, fd) != 1 || !expect_host(tls, host)) {
        SSL_free(tls);
        return NULL;
    }
    /* Records without data, such as session tickets, must not make a read block. */
    SSL_clear_mode(tls, SSL_MODE_AUTO_RETRY);
    SSL_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return tls;
}

SSL *tls_open(int fd, const char *host, const char *server, const struct tls_terms *terms,
              struct cause *cause)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    ERR_clear_error();
    SSL *tls = begin_tls(fd, host);
    if (tls == NULL)
        fail_in_tls(cause, server);
    else if (shake_hands(tls, server, terms->wait_ms, cause) &&
             check_server(tls, server, terms->key, cause))
        return tls;
    SSL_free(tls);
    return NULL;
}

/* Translates a result of OpenSSL into one of recv() and send(). */
static ssize_t outcome(SSL *tls, int result)
{
    if (result > 0)
        return result;
    int error = SSL_get_error(tls, result);
    ERR_clear_error();
    if (error == SSL_ERROR_ZERO_RETURN)
        return 0;
    errno = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? EAGAIN : ECONNRESET;
    return -1;
}

ssize_t tls_read(SSL *tls, void *bytes, size_t size)
{
    return outcome(tls, SSL_read(tls, bytes, (int)size));
}

ssize_t tls_write(SSL *tls, const void *bytes, size_t length)
{
    return outcome(tls, SSL_write(tls, bytes, (int)length));
}

bool tls_has_more(const SSL *tls)
{
    return SSL_pending(tls) > 0;
}

void tls_close(SSL *tls)
{
    if (tls == NULL)
        return;
    SSL_shutdown(tls);
    ERR_clear_error();
    SSL_free(tls);
}
