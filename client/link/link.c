#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock_ms.h"
#include "common/text.h"
#include "common/xmalloc.h"

enum { LINE_OUT_MAX = 1024, LINE_IN_MAX = 1 << 20, SEND_WAIT_MS = 10000 };

static const char tls_prefix[] = "tls://";

void link_use_xmalloc(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){xmalloc, free});
    tls_use_xmalloc();
}

bool link_has_tls(const char *address)
{
    return strncmp(address, tls_prefix, sizeof tls_prefix - 1) == 0;
}

/* Splits HOST:PORT at the last colon outside of brackets. A bare IPv6 address has no port. */
static bool split_address(const char *address, const char *usual_port, char host[256],
                          char port[16])
{
    const char *colon = strrchr(address, ':'), *bracket = strrchr(address, ']');
    size_t length;

    bool is_bare = bracket == NULL && colon != NULL && strchr(address, ':') != colon;
    if (is_bare || (colon != NULL && bracket != NULL && colon < bracket))
        colon = NULL;
    length = colon != NULL ? (size_t)(colon - address) : strlen(address);
    snprintf(port, 16, "%s", colon != NULL && colon[1] != '\0' ? colon + 1 : usual_port);
    if (length == 0)
        return snprintf(host, 256, "localhost") > 0;
    if (address[0] == '[') {
        if (bracket != address + length - 1)
            return false;
        address++;
        length -= 2;
    }
    if (length >= 256)
        return false;
    snprintf(host, 256, "%.*s", (int)length, address);
    return true;
}

static bool is_port(const char *text)
{
    long number;

    return number_parse(text, strlen(text), 1, 65535, &number);
}

/* Waits until a connection is there; false with errno. */
static bool await_connection(int fd, int wait_ms)
{
    int64_t until_ms = clock_ms() + wait_ms;
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    int error, result;
    socklen_t length = sizeof error;

    do {
        int64_t left_ms = until_ms - clock_ms();
        result = poll(&ready, 1, left_ms > 0 ? (int)left_ms : 0);
    } while (result < 0 && errno == EINTR);
    if (result == 0)
        errno = ETIMEDOUT;
    if (result <= 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0)
        return false;
    errno = error;
    return error == 0;
}

/* Connects a socket; with wait_ms > 0 it takes no longer than that. */
static bool connect_within(int fd, const struct addrinfo *to, int wait_ms)
{
    int flags = fcntl(fd, F_GETFL);

    if (wait_ms == 0)
        return connect(fd, to->ai_addr, to->ai_addrlen) == 0;
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    bool good = connect(fd, to->ai_addr, to->ai_addrlen) == 0 ||
                (errno == EINPROGRESS && await_connection(fd, wait_ms));
    int error = errno;
    fcntl(fd, F_SETFL, flags);
    errno = error;
    return good;
}

static int connect_first(const struct addrinfo *list, int wait_ms)
{
    int one = 1;

    for (; list != NULL; list = list->ai_next) {
        int fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC, list->ai_protocol);
        if (fd < 0)
            continue;
        if (connect_within(fd, list, wait_ms)) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
            return fd;
        }
        int error = errno;
        close(fd);
        errno = error;
    }
    return -1;
}

static bool begin_tls(struct link *link, const char *host, const char *port,
                      const struct tls_terms *terms, struct cause *cause)
{
    char server[LINK_ADDRESS_MAX];

    snprintf(server, sizeof server, strchr(host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
    link->tls = tls_open(link->fd, host, server, terms, cause);
    if (link->tls != NULL)
        return true;
    link_close(link);
    link->reached = true;
    return false;
}

bool link_connect(struct link *link, const char *address, const struct tls_terms *terms,
                  struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list;
    char host[256], port[16];

    bool tls = link_has_tls(address);

    *link = (struct link){.fd = -1};
    if (!split_address(address + (tls ? sizeof tls_prefix - 1 : 0),
                       tls ? DEFAULT_TLS_PORT_TEXT : DEFAULT_PORT_TEXT, host, port))
        return cause_set(cause, "'%s' is not an address: write HOST:PORT", address);
    if (!is_port(port))
        return cause_set(cause, "%s: '%s' is not a port: write a number from 1 to 65535", address,
                         port);
    int error = getaddrinfo(host, port, &hints, &list);
    link->unreachable = error == EAI_AGAIN;
    if (error != 0)
        return cause_set(cause, "%s: %s", address, gai_strerror(error));
    link->fd = connect_first(list, terms->wait_ms);
    freeaddrinfo(list);
    link->unreachable = link->fd < 0;
    if (link->unreachable)
        return cause_set(cause, "%s: %s", address, strerror(errno));
    link->reached = true;
    return !tls || begin_tls(link, host, port, terms, cause);
}

const char *link_address(const char *address, bool tls, char text[LINK_ADDRESS_MAX])
{
    if (address == NULL)
        return tls ? "tls://localhost:" DEFAULT_TLS_PORT_TEXT : LINK_DEFAULT_ADDRESS;
    if (!tls || link_has_tls(address) || strlen(address) + sizeof tls_prefix > LINK_ADDRESS_MAX)
        return address;
    snprintf(text, LINK_ADDRESS_MAX, "%s%s", tls_prefix, address);
    return text;
}

static ssize_t send_some(const struct link *link, const char *text, size_t length)
{
    if (link->tls != NULL)
        return tls_write(link->tls, text, length);
    return send(link->fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool send_all(const struct link *link, const char *text, size_t length)
{
    while (length > 0) {
        struct pollfd ready = {.fd = link->fd, .events = POLLOUT};
        ssize_t sent = send_some(link, text, length);
        if (sent >= 0) {
            text += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (poll(&ready, 1, SEND_WAIT_MS) == 0)
                return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool link_vsend(struct link *link, const char *format, va_list args)
{
    char line[LINE_OUT_MAX + 1];

    int length = vsnprintf(line, sizeof line, format, args);
    if (length < 0 || length >= LINE_OUT_MAX || strpbrk(line, "\r\n") != NULL)
        return false;
    line[length] = '\n';
    return send_all(link, line, (size_t)length + 1);
}

static bool read_some(struct link *link)
{
    if (link->size - link->used < 4096) {
        if (link->used > LINE_IN_MAX)
            return false;
        size_t size = link->size * 2 + 16384;
        link->buffer = xrealloc(link->buffer, size);
        link->size = size;
    }
    char *end = link->buffer + link->used;
    size_t room = link->size - link->used;
    ssize_t count =
        link->tls != NULL ? tls_read(link->tls, end, room) : recv(link->fd, end, room, 0);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    link->used += (size_t)count;
    return count > 0;
}

bool link_read(struct link *link)
{
    bool good = read_some(link);

    /* poll() does not see bytes that TLS has already taken from the socket. */
    while (good && link->tls != NULL && tls_has_more(link->tls))
        good = read_some(link);
    return good;
}

/* Makes all texts safe to print: a server must not control the terminal. */
static void clean_texts(cJSON *item)
{
    for (; item != NULL; item = item->next) {
        if (item->string != NULL)
            utf8_clean(item->string);
        if (cJSON_IsString(item))
            utf8_clean(item->valuestring);
        clean_texts(item->child);
    }
}

cJSON *link_next(struct link *link)
{
    while (link->scanned < link->used) {
        char *end = memchr(link->buffer + link->scanned, '\n', link->used - link->scanned);
        if (end == NULL) {
            link->scanned = link->used;
            return NULL;
        }
        size_t length = (size_t)(end - link->buffer);
        cJSON *message = cJSON_ParseWithLength(link->buffer, length);
        if (link->keeps_text && !cJSON_IsObject(message)) {
            cJSON_Delete(message);
            *end = '\0';
            message = cJSON_CreateString(link->buffer);
        }
        link->used -= length + 1;
        memmove(link->buffer, end + 1, link->used);
        link->scanned = 0;
        clean_texts(message);
        if (cJSON_IsObject(message) || link->keeps_text)
            return message;
        cJSON_Delete(message);
    }
    return NULL;
}

void link_close(struct link *link)
{
    tls_close(link->tls);
    if (link->fd >= 0)
        close(link->fd);
    free(link->buffer);
    *link = (struct link){.fd = -1};
}
