#include "load_wire.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_OUT_MAX = 256, HOST_MAX = 256 };

bool wire_resolve(const char *address, struct addrinfo **list, struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const char *colon = strrchr(address, ':');
    char host[HOST_MAX];

    if (colon == NULL || colon == address || colon[1] == '\0' || strlen(address) >= sizeof host)
        return cause_set(cause, "write HOST:PORT, such as 127.0.0.1:7117");
    bool bracketed = address[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(colon - address) - 2 * bracketed,
             address + bracketed);
    int error = getaddrinfo(host, colon + 1, &hints, list);
    if (error != 0)
        return cause_set(cause, "%s", gai_strerror(error));
    return true;
}

bool wire_connect(struct wire *wire, const struct addrinfo *list, struct cause *cause)
{
    int one = 1, error = 0;

    wire->fd = -1;
    wire->used = wire->taken = 0;
    wire->received_bytes = 0;
    for (; list != NULL; list = list->ai_next) {
        int fd = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC, list->ai_protocol);
        if (fd >= 0 && connect(fd, list->ai_addr, list->ai_addrlen) == 0) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            wire->fd = fd;
            return true;
        }
        error = errno;
        if (fd >= 0)
            close(fd);
    }
    return cause_set(cause, "connect: %s", strerror(error));
}

bool wire_send_bytes(struct wire *wire, const char *bytes, size_t length, struct cause *cause)
{
    ssize_t sent = send(wire->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent < 0)
        return cause_set(cause, "send: %s", strerror(errno));
    if ((size_t)sent != length)
        return cause_set(cause, "send: the server does not read");
    return true;
}

bool wire_send(struct wire *wire, struct cause *cause, const char *format, ...)
{
    char line[LINE_OUT_MAX];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || length >= LINE_OUT_MAX)
        return cause_set(cause, "send: the line is too long");
    line[length] = '\n';
    return wire_send_bytes(wire, line, (size_t)length + 1, cause);
}

bool wire_fill(struct wire *wire, struct cause *cause)
{
    wire->used -= wire->taken;
    memmove(wire->buffer, wire->buffer + wire->taken, wire->used);
    wire->taken = 0;
    if (wire->used == sizeof wire->buffer)
        return cause_set(cause, "a line of more than %d bytes came", WIRE_BYTES);
    ssize_t count =
        recv(wire->fd, wire->buffer + wire->used, sizeof wire->buffer - wire->used, MSG_DONTWAIT);
    if (count > 0) {
        wire->used += (size_t)count;
        wire->received_bytes += count;
    } else if (count == 0) {
        return cause_set(cause, "the server closed the connection");
    } else if (errno != EAGAIN && errno != EINTR) {
        return cause_set(cause, "the connection is lost: %s", strerror(errno));
    }
    return true;
}

const char *wire_line(struct wire *wire)
{
    char *line = wire->buffer + wire->taken;
    char *end = memchr(line, '\n', wire->used - wire->taken);

    if (end == NULL)
        return NULL;
    *end = '\0';
    wire->taken += (size_t)(end - line) + 1;
    return line;
}

void wire_close(struct wire *wire)
{
    if (wire->fd >= 0)
        close(wire->fd);
    wire->fd = -1;
}
