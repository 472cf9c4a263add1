/*
 * Frames of a WebSocket: server/net/websocket.c. The first byte seeds how the rest, the input of a
 * connection, comes in pieces.
 *
 * The pieces do not matter. Messages are UTF-8 and no longer than allowed. What the server writes
 * is whole frames: without mask and reserved bits, control frames of at most 125 bytes, and nothing
 * behind a close frame.
 */
#include <stdlib.h>
#include <string.h>

#include "common/buffer.h"
#include "common/text.h"
#include "fuzz.h"
#include "server/net/websocket.h"

enum { MESSAGE_MAX = 1023 };

/* A connection in memory. */
struct wire_ends {
    const char *input;
    size_t left;
    struct dice *dice; /* NULL: the input comes at once */
    bool starve;       /* the next read gets nothing */
    struct buffer output, messages;
};

static size_t read_some(void *context, void *bytes, size_t size)
{
    struct wire_ends *ends = context;
    size_t count = ends->left < size ? ends->left : size;

    if (ends->dice != NULL && count > 0) {
        ends->starve = !ends->starve && dice_throw(ends->dice, 3) == 0;
        if (ends->starve)
            return 0;
        count = 1 + dice_throw(ends->dice, (unsigned)(count < 8 ? count : 8));
        count = count < ends->left ? count : ends->left;
        count = count < size ? count : size;
    }
    memcpy(bytes, ends->input, count);
    ends->input += count;
    ends->left -= count;
    return count;
}

static void write_all(void *context, const void *bytes, size_t length)
{
    struct wire_ends *ends = context;

    buffer_add(&ends->output, bytes, length);
}

static void check_message(const char *message, size_t length)
{
    REQUIRE(length <= MESSAGE_MAX, "a message of %zu bytes", length);
    for (size_t i = 0; i < length;) {
        size_t bytes = utf8_length(message + i, length - i);
        REQUIRE(bytes > 0, "byte %zu of a message is not UTF-8", i);
        i += bytes;
    }
}

/* Answers every message with itself, so that frames of all lengths are written. */
static void converse(struct wire_ends *ends)
{
    const struct websocket_io io = {ends, read_some, write_all};
    struct websocket *websocket = websocket_new(io, MESSAGE_MAX);
    enum websocket_event event;
    const char *message;
    size_t length;

    do {
        event = websocket_next(websocket, &message, &length);
        if (event == WEBSOCKET_MESSAGE) {
            check_message(message, length);
            buffer_printf(&ends->messages, "%zu ", length);
            websocket_send(websocket, message, length);
        } else if (event == WEBSOCKET_PONG) {
            websocket_ping(websocket);
        }
    } while (event != WEBSOCKET_NOTHING || (ends->left > 0 && !websocket_is_over(websocket)));
    websocket_close(websocket, WEBSOCKET_NORMAL);
    websocket_send(websocket, "late", 4);
    websocket_free(websocket);
}

/* Requires that the output is whole frames and ends with a close frame. */
static void check_frames(const unsigned char *bytes, size_t length)
{
    bool closed = false;

    for (size_t i = 0; i < length;) {
        REQUIRE(!closed && length - i >= 2, "%zu bytes behind the close frame", length - i);
        unsigned opcode = bytes[i] & 0xf;
        size_t size = bytes[i + 1];
        REQUIRE((bytes[i] & 0xf0) == 0x80 && (opcode == 1 || (opcode >= 8 && opcode <= 10)),
                "a frame begins with %02x", bytes[i]);
        REQUIRE(size <= (opcode == 1 ? 126 : 125), "a length of %zu", size);
        i += 2;
        if (size == 126) {
            size = (size_t)bytes[i] << 8 | bytes[i + 1];
            i += 2;
        }
        REQUIRE(size <= length - i, "a frame of %zu bytes, %zu are there", size, length - i);
        closed = opcode == 8;
        i += size;
    }
    REQUIRE(closed, "no close frame");
}

static void release(struct wire_ends *ends)
{
    buffer_release(&ends->output);
    buffer_release(&ends->messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dice dice = {size > 0 ? data[0] : 0};
    const char *input = (const char *)data + (size > 0);
    struct wire_ends whole = {.input = input, .left = size - (size > 0)};
    struct wire_ends pieces = {.input = input, .left = whole.left, .dice = &dice};

    converse(&whole);
    converse(&pieces);
    check_frames((const unsigned char *)whole.output.bytes, whole.output.length);
    REQUIRE(whole.output.length == pieces.output.length &&
                memcmp(whole.output.bytes, pieces.output.bytes, whole.output.length) == 0,
            "in pieces it answers otherwise");
    REQUIRE(whole.messages.length == pieces.messages.length, "in pieces there are other messages");
    release(&whole);
    release(&pieces);
    return 0;
}
