#include "load_wire.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_OUT_MAX = 256, HOST_MAX = 256, HEAD_BYTES = 8 /* of a frame, with its mask */ };

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
    wire->websocket = false;
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

/* Reads the answer to the handshake byte by byte, because frames follow at once. */
static bool read_answer(struct wire *wire, struct cause *cause)
{
    char answer[1024];
    size_t length = 0;

    while (length < sizeof answer && memmem(answer, length, "\r\n\r\n", 4) == NULL) {
        if (recv(wire->fd, answer + length, 1, 0) != 1)
            return cause_set(cause, "the server closed the connection");
        length++;
    }
    return (length >= 12 && memcmp(answer, "HTTP/1.1 101", 12) == 0) ||
           cause_set(cause, "no WebSocket: %.*s", 12, answer);
}

bool wire_upgrade(struct wire *wire, struct cause *cause)
{
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: bHVkdXMgbHVkdXMgbHVkdQ==\r\nSec-WebSocket-Protocol: ludus.v1\r\n\r\n";

    if (!wire_send_bytes(wire, request, sizeof request - 1, cause) || !read_answer(wire, cause))
        return false;
    wire->websocket = true;
    return true;
}

/* Writes a frame with a mask of zeros; returns its end. */
static char *add_frame(char *to, const char *text, size_t length)
{
    size_t head = length < 126 ? 2 : 4;

    memset(to, 0, HEAD_BYTES);
    to[0] = (char)0x81;
    to[1] = (char)(0x80 | (length < 126 ? length : 126));
    if (length >= 126) {
        to[2] = (char)(length >> 8);
        to[3] = (char)length;
    }
    memcpy(to + head + 4, text, length);
    return to + head + 4 + length;
}

static bool send_now(struct wire *wire, const char *bytes, size_t length, struct cause *cause)
{
    ssize_t sent = send(wire->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);

    if (sent < 0)
        return cause_set(cause, "send: %s", strerror(errno));
    if ((size_t)sent != length)
        return cause_set(cause, "send: the server does not read");
    return true;
}

bool wire_send_bytes(struct wire *wire, const char *bytes, size_t length, struct cause *cause)
{
    char frames[WIRE_BYTES], *end = frames;

    if (!wire->websocket)
        return send_now(wire, bytes, length, cause);
    for (const char *line = bytes, *next; line < bytes + length; line = next + 1) {
        next = memchr(line, '\n', length - (size_t)(line - bytes));
        size_t size = (size_t)(next - line);
        if ((size_t)(frames + sizeof frames - end) < size + HEAD_BYTES)
            return cause_set(cause, "send: too many lines");
        end = add_frame(end, line, size);
    }
    return send_now(wire, frames, (size_t)(end - frames), cause);
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

/* Returns the next text message, moved over its head, which makes room for a NUL. */
static const char *message(struct wire *wire)
{
    unsigned char *frame = (unsigned char *)wire->buffer + wire->taken;
    size_t left = wire->used - wire->taken, head = 2, size;

    if (left < 4)
        return NULL;
    size = frame[1];
    if (size == 126) {
        size = (size_t)frame[2] << 8 | frame[3];
        head = 4;
    }
    if (left < head + size)
        return NULL;
    wire->taken += head + size;
    if (frame[0] != 0x81)
        return message(wire); /* a ping: no run is so long that it must be answered */
    memmove(frame, frame + head, size);
    frame[size] = '\0';
    return (const char *)frame;
}

const char *wire_line(struct wire *wire)
{
    if (wire->websocket)
        return message(wire);
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
