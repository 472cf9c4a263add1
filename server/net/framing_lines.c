#include <event2/buffer.h>

#include "common/message.h"
#include "framing.h"
#include "server/base/log.h"
#include "server/play/dispatch.h"
#include "server/play/presence.h"
#include "sniff.h"

static void write_lines(struct connection *connection, const char *bytes, size_t length)
{
    stream_add(&connection->stream, bytes, length);
    stream_send(&connection->stream);
}

/* Answers a browser that HTTP is not spoken here, or not any more. */
static void refuse_browser(struct connection *connection, enum sniffed sniffed)
{
    static const char request[] = "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n"
                                  "Allow:\r\nConnection: close\r\n\r\n",
                      other[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n"
                                "Connection: close\r\n\r\n";

    log_line(LOG_DEBUG, "event=not-lines peer=%s", connection->session->player->name);
    if (sniffed == SNIFFED_REQUEST)
        write_lines(connection, request, sizeof request - 1);
    else
        write_lines(connection, other, sizeof other - 1);
    presence_end(connection->session);
}

/* Returns whether the connection is a client's. One that is not ends, whatever else it has sent. */
static bool is_client(struct connection *connection, const char *bytes, const struct piece *piece)
{
    bool cut = piece->kind == PIECE_TOO_LONG;

    if (connection->known || piece->kind == PIECE_REST)
        return true;
    enum sniffed sniffed = sniff_first_line(bytes, cut ? piece->size : piece->length, cut);
    connection->known = sniffed == SNIFFED_LINE && !cut;
    if (sniffed <= SNIFFED_LINE)
        return true;
    refuse_browser(connection, sniffed);
    return false;
}

/* Handles the next line if it is complete, or discards a piece of one that is too long. */
static enum taken take_line(struct connection *connection)
{
    struct evbuffer *input = stream_input(&connection->stream);
    struct splitter *splitter = &connection->splitter;
    size_t count = evbuffer_get_length(input);
    int line_max = connection->stream.set->server->limits.line_bytes;

    if (count == 0)
        return NOTHING_THERE;
    if (splitter->discarding)
        count = evbuffer_get_contiguous_space(input);
    else if (count > LINE_BYTES_MAX)
        count = LINE_BYTES_MAX;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    struct piece piece = splitter_look(splitter, bytes, count, (size_t)line_max);
    if (piece.kind == PIECE_NONE || !is_client(connection, bytes, &piece))
        return NOTHING_THERE;
    if (piece.kind == PIECE_LINE && !dispatch_line(connection->session, bytes, piece.length))
        return ASLEEP;
    if (piece.kind == PIECE_TOO_LONG && !dispatch_too_long(connection->session))
        return ASLEEP;
    splitter_take(splitter, &piece);
    evbuffer_drain(input, piece.size);
    return TAKEN;
}

static bool no_ping(struct connection *connection)
{
    (void)connection;
    return false;
}

/* The last line has said it. */
static void end_lines(struct connection *connection)
{
    (void)connection;
}

const struct framing framing_lines = {take_line, write_lines, no_ping, end_lines, end_lines};
