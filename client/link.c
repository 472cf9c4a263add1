#include "link.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_OUT_MAX = 1024, LINE_IN_MAX = 1 << 20, SEND_WAIT_MS = 10000 };

/* Splits HOST:PORT at the last colon outside of brackets. */
static bool split_address(const char *address, char host[256], char port[16])
{
    const char *colon = strrchr(address, ':'), *bracket = strrchr(address, ']');
    size_t length;

    if (colon != NULL && bracket != NULL && colon < bracket)
        colon = NULL;
    length = colon != NULL ? (size_t)(colon - address) : strlen(address);
    snprintf(port, 16, "%s", colon != NULL && colon[1] != '\0' ? colon + 1 : "7117");
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

static int connect_first(const struct addrinfo *list)
{
    int one = 1;

    for (; list != NULL; list = list->ai_next) {
        int fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC, list->ai_protocol);
        if (fd < 0)
            continue;
        if (connect(fd, list->ai_addr, list->ai_addrlen) == 0) {
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

bool link_connect(struct link *link, const char *address, struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list;
    char host[256], port[16];

    *link = (struct link){.fd = -1};
    if (!split_address(address, host, port))
        return cause_set(cause, "'%s' is no address: write HOST:PORT", address);
    int error = getaddrinfo(host, port, &hints, &list);
    if (error != 0)
        return cause_set(cause, "%s: %s", address, gai_strerror(error));
    link->fd = connect_first(list);
    freeaddrinfo(list);
    if (link->fd < 0)
        return cause_set(cause, "%s: %s", address, strerror(errno));
    return true;
}

static bool send_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        ssize_t sent = send(fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
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

bool link_send(struct link *link, const char *format, ...)
{
    char line[LINE_OUT_MAX + 1];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || length >= LINE_OUT_MAX || strpbrk(line, "\r\n") != NULL)
        return false;
    line[length] = '\n';
    return send_all(link->fd, line, (size_t)length + 1);
}

bool link_read(struct link *link)
{
    if (link->size - link->used < 4096) {
        if (link->used > LINE_IN_MAX)
            return false;
        size_t size = link->size * 2 + 16384;
        char *buffer = realloc(link->buffer, size);
        if (buffer == NULL)
            return false;
        link->buffer = buffer;
        link->size = size;
    }
    ssize_t count = recv(link->fd, link->buffer + link->used, link->size - link->used, 0);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    link->used += (size_t)count;
    return count > 0;
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
        link->used -= length + 1;
        memmove(link->buffer, end + 1, link->used);
        link->scanned = 0;
        if (cJSON_IsObject(message))
            return message;
        cJSON_Delete(message);
    }
    return NULL;
}

const char *json_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

void link_close(struct link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    free(link->buffer);
    *link = (struct link){.fd = -1};
}
