/*
 * The server's end of a WebSocket (RFC 6455): messages in and out of frames, and what the RFC asks
 * of an end: pongs, the closing handshake, and a close code for a peer that breaks the rules. The
 * only user of wslay. Knows neither sockets nor sessions.
 */
#ifndef LUDUS_WEBSOCKET_H
#define LUDUS_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

enum websocket_code {
    WEBSOCKET_NORMAL = 1000,
    WEBSOCKET_GOING_AWAY = 1001,
    WEBSOCKET_PROTOCOL_ERROR = 1002,
    WEBSOCKET_UNSUPPORTED = 1003, /* a binary message */
    WEBSOCKET_NO_CODE = 1005,     /* a close frame without a code; never sent */
    WEBSOCKET_BAD_TEXT = 1007,    /* not UTF-8 */
    WEBSOCKET_TOO_BIG = 1009
};

/* The source and the target of the bytes. */
struct websocket_io {
    void *context;
    /* Reads up to `size` bytes of the input; 0: there are none now. */
    size_t (*read)(void *context, void *bytes, size_t size);
    /* Writes a part of a frame; the bytes are borrowed for the call. */
    void (*write)(void *context, const void *bytes, size_t length);
};

enum websocket_event {
    WEBSOCKET_NOTHING, /* until there is more input */
    WEBSOCKET_MESSAGE, /* a text message: message, length */
    WEBSOCKET_PING,    /* answered */
    WEBSOCKET_PONG,    /* the answer to websocket_ping() */
    WEBSOCKET_CLOSED   /* the peer has closed it, or broken a rule: the close frame is written */
};

enum { WEBSOCKET_FRAME_BYTES = 10 }; /* that a frame adds to a message at most */

struct websocket;

/* Begins behind the handshake. A peer's messages may have `message_max` bytes. The caller frees
 * it. */
struct websocket *websocket_new(struct websocket_io io, size_t message_max);
void websocket_free(struct websocket *websocket);

/* Reads up to the next event. After WEBSOCKET_MESSAGE *message is the text of *length bytes, UTF-8,
 * valid until the next call. */
enum websocket_event websocket_next(struct websocket *websocket, const char **message,
                                    size_t *length);

/* Sends a text message, unless the close frame has been written. */
void websocket_send(struct websocket *websocket, const char *text, size_t length);

/* Asks for a pong. */
void websocket_ping(struct websocket *websocket);

/* Writes the close frame, once; nothing follows it. */
void websocket_close(struct websocket *websocket, enum websocket_code code);

/* Returns whether both ends have sent their close frames, or this end has given up on the peer. */
bool websocket_is_over(const struct websocket *websocket);

#endif
