/* Frames of a WebSocket: what goes out, and what comes in however it is cut. test_websocket.py has
 * the rules of the RFC. */
#include <string.h>

#include "check.h"
#include "common/buffer.h"
#include "server/net/websocket.h"

/* A connection in memory, whose input comes in two pieces. */
struct wire_ends {
    const char *input;
    size_t left, first; /* bytes in all, and in the first piece */
    bool paused;        /* between the pieces */
    struct buffer output;
};

static size_t read_piece(void *context, void *bytes, size_t size)
{
    struct wire_ends *ends = context;
    size_t count = ends->first > 0 ? ends->first : ends->left;

    if (ends->first == 0 && !ends->paused) {
        ends->paused = true;
        return 0;
    }
    count = count < size ? count : size;
    memcpy(bytes, ends->input, count);
    ends->input += count;
    ends->left -= count;
    ends->first -= ends->first > 0 ? count : 0;
    return count;
}

static void write_all(void *context, const void *bytes, size_t length)
{
    struct wire_ends *ends = context;

    buffer_add(&ends->output, bytes, length);
}

static const char letters[] = {'.', 'm', 'i', 'o', 'c'}; /* of the events, in their order */

/* Reads everything, and writes a letter for each event, messages in brackets, into `told`. */
static void listen_to(struct websocket *websocket, struct buffer *told)
{
    const char *message;
    size_t length;

    for (int starved = 0; starved < 4;) {
        enum websocket_event event = websocket_next(websocket, &message, &length);
        starved += event == WEBSOCKET_NOTHING;
        if (event != WEBSOCKET_NOTHING)
            buffer_add(told, &letters[event], 1);
        if (event == WEBSOCKET_MESSAGE)
            buffer_printf(told, "[%.*s]", (int)length, message);
    }
}

/* A text in two fragments with a ping in between, pongs of others and one of ours, a close
 * frame. The masks are zero. */
static const char conversation[] = "\x01\x83\0\0\0\0pin"
                                   "\x89\x81\0\0\0\0x"
                                   "\x80\x83\0\0\0\0g 1"
                                   "\x8a\x81\0\0\0\0l"
                                   "\x8a\x80\0\0\0\0"
                                   "\x8a\x85\0\0\0\0ludus"
                                   "\x81\x80\0\0\0\0"
                                   "\x88\x82\0\0\0\0\x03\xe9";

static void test_pieces(void)
{
    static const char answer[] = "\x8a\x01x\x88\x02\x03\xe9";

    for (size_t first = 0; first < sizeof conversation - 1; first++) {
        struct wire_ends ends = {conversation, sizeof conversation - 1, first, first == 0, {0}};
        struct websocket *websocket =
            websocket_new((struct websocket_io){&ends, read_piece, write_all}, 100);
        struct buffer told = {0};
        check_about("%d bytes first", (int)first);
        listen_to(websocket, &told);
        buffer_add(&told, "", 1);
        CHECK_TEXT(told.bytes, "im[ping 1]om[]c");
        CHECK(ends.output.length == sizeof answer - 1 &&
              memcmp(ends.output.bytes, answer, sizeof answer - 1) == 0);
        CHECK(websocket_is_over(websocket));
        websocket_free(websocket);
        buffer_release(&told);
        buffer_release(&ends.output);
    }
}

/* Each length is written in the fewest bytes, and nothing follows a close frame. */
static void test_output(void)
{
    static const struct {
        size_t length;
        const char *head;
        size_t head_bytes;
    } rows[] = {
        {0, "\x81\x00", 2},
        {125, "\x81\x7d", 2},
        {126, "\x81\x7e\x00\x7e", 4},
        {65535, "\x81\x7e\xff\xff", 4},
        {65536, "\x81\x7f\0\0\0\0\0\x01\0\0", 10},
    };
    static char text[65536];

    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct wire_ends ends = {.input = ""};
        struct websocket *websocket =
            websocket_new((struct websocket_io){&ends, read_piece, write_all}, 100);
        check_about("%d bytes", (int)rows[i].length);
        websocket_send(websocket, text, rows[i].length);
        CHECK_INT(ends.output.length, rows[i].head_bytes + rows[i].length);
        CHECK(memcmp(ends.output.bytes, rows[i].head, rows[i].head_bytes) == 0);
        ends.output.length = 0;
        websocket_close(websocket, WEBSOCKET_GOING_AWAY);
        websocket_close(websocket, WEBSOCKET_NORMAL);
        websocket_send(websocket, text, 1);
        websocket_ping(websocket);
        CHECK(ends.output.length == 4 && memcmp(ends.output.bytes, "\x88\x02\x03\xe9", 4) == 0);
        CHECK(!websocket_is_over(websocket)); /* the peer's close frame is missing */
        websocket_free(websocket);
        buffer_release(&ends.output);
    }
}

int main(void)
{
    test_pieces();
    test_output();
    return check_end("test_framing");
}
