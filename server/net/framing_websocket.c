#include <event2/buffer.h>
#include <string.h>

#include "framing.h"
#include "server/play/dispatch.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"
#include "websocket.h"

static size_t read_input(void *context, void *bytes, size_t size)
{
    const struct connection *connection = context;
    int count = evbuffer_remove(stream_input(&connection->stream), bytes, size);

    return count > 0 ? (size_t)count : 0;
}

static void write_output(void *context, const void *bytes, size_t length)
{
    struct connection *connection = context;

    stream_add(&connection->stream, bytes, length);
}

void framing_upgrade(struct connection *connection)
{
    const struct websocket_io io = {connection, read_input, write_output};

    /* A message is a line without its end. */
    connection->websocket =
        websocket_new(io, (size_t)connection->stream.set->server->limits.line_bytes - 1);
}

/* Each line is a message. */
static void write_messages(struct connection *connection, const char *bytes, size_t length)
{
    const char *end;

    stream_reserve(&connection->stream, length + WEBSOCKET_FRAME_BYTES);
    for (; length > 0 && (end = memchr(bytes, '\n', length)) != NULL; bytes = end + 1) {
        size_t size = (size_t)(end - bytes);
        websocket_send(connection->websocket, bytes, size);
        length -= size + 1;
    }
    stream_send(&connection->stream);
}

/* Reads up to the next message. */
static enum taken next_message(struct connection *connection)
{
    switch (
        websocket_next(connection->websocket, &connection->message, &connection->message_length)) {
    case WEBSOCKET_MESSAGE:
        return TAKEN;
    case WEBSOCKET_CLOSED:
        presence_close(connection->session, "quit");
        break;
    case WEBSOCKET_PING:
        rate_limit_count(connection->session, 1);
        stream_send(&connection->stream);
        break;
    case WEBSOCKET_PONG:
        session_ponged(connection->session);
        break;
    case WEBSOCKET_NOTHING:
        connection->message = NULL;
        return NOTHING_THERE;
    }
    connection->message = NULL;
    return TAKEN;
}

static enum taken take_message(struct connection *connection)
{
    if (connection->message == NULL) {
        enum taken taken = next_message(connection);
        if (connection->message == NULL)
            return taken;
    }
    if (!dispatch_line(connection->session, connection->message, connection->message_length))
        return ASLEEP;
    connection->message = NULL;
    return TAKEN;
}

static bool ping(struct connection *connection)
{
    websocket_ping(connection->websocket);
    stream_send(&connection->stream);
    return true;
}

/* Writes the close frame, and waits for the peer's. */
static void end_websocket(struct connection *connection)
{
    websocket_close(connection->websocket, connection->stream.set->server->stopping
                                               ? WEBSOCKET_GOING_AWAY
                                               : WEBSOCKET_NORMAL);
    connection->stream.lingers = !websocket_is_over(connection->websocket);
    stream_send(&connection->stream);
}

/* Passes over everything before the peer's close frame. */
static void linger(struct connection *connection)
{
    const char *message;
    size_t length;

    while (websocket_next(connection->websocket, &message, &length) != WEBSOCKET_NOTHING)
        continue;
    if (websocket_is_over(connection->websocket))
        stream_stop_lingering(&connection->stream);
}

const struct framing framing_websocket = {take_message, write_messages, ping, end_websocket,
                                          linger};
