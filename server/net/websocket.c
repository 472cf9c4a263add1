#include "websocket.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

#include "common/text.h"
#include "common/xmalloc.h"

enum { CONTROL_MAX = 125, CODE_BYTES = 2 };

static const char ping_text[] = "ludus"; /* in our pings: another pong answers none of them */

/* Bytes of a message, or of the payload of a control frame, that have come so far. */
struct received {
    char *bytes;
    size_t length, max;
};

struct websocket {
    struct websocket_io io;
    wslay_frame_context_ptr frames; /* owned */
    bool in_frame;                  /* the payload of a frame is not complete */
    bool in_message;                /* a message is not complete: a continuation must come */
    bool done;                      /* the message has been handed out */
    bool closed;                    /* the close frame has been written */
    bool heard_close;               /* the peer's has come, or nothing of the peer counts */
    uint64_t frame_length;          /* payload of the frame that has come so far */
    struct received message, control;
    char payload[CONTROL_MAX];
};

static ssize_t on_send(const uint8_t *bytes, size_t length, int flags, void *context)
{
    const struct websocket *websocket = context;

    (void)flags;
    websocket->io.write(websocket->io.context, bytes, length);
    return (ssize_t)length;
}

static ssize_t on_recv(uint8_t *bytes, size_t size, int flags, void *context)
{
    const struct websocket *websocket = context;

    (void)flags;
    return (ssize_t)websocket->io.read(websocket->io.context, bytes, size);
}

struct websocket *websocket_new(struct websocket_io io, size_t message_max)
{
    static const struct wslay_frame_callbacks callbacks = {on_send, on_recv, NULL};
    struct websocket *websocket = xcalloc(1, sizeof *websocket);

    websocket->io = io;
    websocket->message = (struct received){xmalloc(message_max), 0, message_max};
    websocket->control = (struct received){websocket->payload, 0, CONTROL_MAX};
    if (wslay_frame_context_init(&websocket->frames, &callbacks, websocket) != 0)
        xmalloc_end();
    return websocket;
}

void websocket_free(struct websocket *websocket)
{
    if (websocket == NULL)
        return;
    wslay_frame_context_free(websocket->frames);
    free(websocket->message.bytes);
    free(websocket);
}

static void send_frame(struct websocket *websocket, uint8_t opcode, const char *bytes,
                       size_t length)
{
    struct wslay_frame_iocb frame = {.fin = 1,
                                     .opcode = opcode,
                                     .payload_length = length,
                                     .data = (const uint8_t *)bytes,
                                     .data_length = length};

    if (!websocket->closed)
        wslay_frame_send(websocket->frames, &frame);
}

void websocket_send(struct websocket *websocket, const char *text, size_t length)
{
    send_frame(websocket, WSLAY_TEXT_FRAME, text, length);
}

void websocket_ping(struct websocket *websocket)
{
    send_frame(websocket, WSLAY_PING, ping_text, sizeof ping_text - 1);
}

/* Writes the close frame; without a code when the peer's had none. */
void websocket_close(struct websocket *websocket, enum websocket_code code)
{
    const char bytes[CODE_BYTES] = {(char)(code >> 8), (char)code};

    send_frame(websocket, WSLAY_CONNECTION_CLOSE, bytes,
               code == WEBSOCKET_NO_CODE ? 0 : CODE_BYTES);
    websocket->closed = true;
}

bool websocket_is_over(const struct websocket *websocket)
{
    return websocket->closed && websocket->heard_close;
}

/* Closes, and hears no more of a peer that has broken a rule. */
static enum websocket_event close_broken(struct websocket *websocket, enum websocket_code code)
{
    websocket_close(websocket, code);
    websocket->heard_close = true;
    return WEBSOCKET_CLOSED;
}

/* Returns whether a text is UTF-8, which may have control characters. */
static bool is_utf8(const char *text, size_t length)
{
    size_t bytes;

    for (size_t i = 0; i < length; i += bytes)
        if ((bytes = utf8_length(text + i, length - i)) == 0)
            return false;
    return true;
}

/* Returns whether a peer may send such a code (RFC 6455, 7.4). */
static bool is_close_code(int code)
{
    return (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) ||
           (code >= 3000 && code <= 4999);
}

/* Answers the peer's close frame with its own code. */
static enum websocket_event answer_close(struct websocket *websocket)
{
    const struct received *control = &websocket->control;
    const unsigned char *bytes = (const unsigned char *)control->bytes;
    int code = WEBSOCKET_NO_CODE;

    if (control->length > 0) {
        code = control->length >= CODE_BYTES ? bytes[0] << 8 | bytes[1] : 0;
        if (!is_close_code(code))
            return close_broken(websocket, WEBSOCKET_PROTOCOL_ERROR);
        if (!is_utf8(control->bytes + CODE_BYTES, control->length - CODE_BYTES))
            return close_broken(websocket, WEBSOCKET_BAD_TEXT);
    }
    return close_broken(websocket, (enum websocket_code)code);
}

static enum websocket_event finish_control(struct websocket *websocket, uint8_t opcode)
{
    const struct received *control = &websocket->control;

    if (opcode == WSLAY_CONNECTION_CLOSE)
        return answer_close(websocket);
    if (opcode == WSLAY_PING) {
        send_frame(websocket, WSLAY_PONG, control->bytes, control->length);
        return WEBSOCKET_PING;
    }
    bool ours = control->length == sizeof ping_text - 1 &&
                memcmp(control->bytes, ping_text, control->length) == 0;
    return ours ? WEBSOCKET_PONG : WEBSOCKET_NOTHING;
}

/* Judges the header of a frame: 0, or with which code to close. */
static int judge_frame(const struct websocket *websocket, const struct wslay_frame_iocb *frame)
{
    bool control = wslay_is_ctrl_frame(frame->opcode);
    bool known = frame->opcode <= WSLAY_BINARY_FRAME ||
                 (frame->opcode >= WSLAY_CONNECTION_CLOSE && frame->opcode <= WSLAY_PONG);

    if (frame->rsv != 0 || !frame->mask || !known)
        return WEBSOCKET_PROTOCOL_ERROR;
    if (!control && websocket->in_message != (frame->opcode == WSLAY_CONTINUATION_FRAME))
        return WEBSOCKET_PROTOCOL_ERROR;
    if (frame->opcode == WSLAY_BINARY_FRAME)
        return WEBSOCKET_UNSUPPORTED;
    if (!control && frame->payload_length > websocket->message.max - websocket->message.length)
        return WEBSOCKET_TOO_BIG;
    return 0;
}

/* Begins a frame. False: the peer has broken a rule. */
static bool begin_frame(struct websocket *websocket, const struct wslay_frame_iocb *frame)
{
    int code = judge_frame(websocket, frame);

    if (code != 0) {
        close_broken(websocket, (enum websocket_code)code);
        return false;
    }
    websocket->control.length = 0;
    websocket->frame_length = 0;
    websocket->in_frame = true;
    websocket->in_message |= frame->opcode == WSLAY_TEXT_FRAME;
    return true;
}

/* Handles the part of a frame that has arrived. */
static enum websocket_event take_frame_part(struct websocket *websocket,
                                            const struct wslay_frame_iocb *frame)
{
    struct received *target =
        wslay_is_ctrl_frame(frame->opcode) ? &websocket->control : &websocket->message;

    if (!websocket->in_frame && !begin_frame(websocket, frame))
        return WEBSOCKET_CLOSED;
    if (frame->data_length > 0)
        memcpy(target->bytes + target->length, frame->data, frame->data_length);
    target->length += frame->data_length;
    websocket->frame_length += frame->data_length;
    if (websocket->frame_length < frame->payload_length)
        return WEBSOCKET_NOTHING;
    websocket->in_frame = false;
    if (target == &websocket->control)
        return finish_control(websocket, frame->opcode);
    if (!frame->fin)
        return WEBSOCKET_NOTHING;
    websocket->in_message = false;
    if (!is_utf8(websocket->message.bytes, websocket->message.length))
        return close_broken(websocket, WEBSOCKET_BAD_TEXT);
    websocket->done = true;
    return WEBSOCKET_MESSAGE;
}

enum websocket_event websocket_next(struct websocket *websocket, const char **message,
                                    size_t *length)
{
    enum websocket_event event = WEBSOCKET_NOTHING;
    ssize_t taken = 0;

    if (websocket->done)
        websocket->message.length = 0;
    websocket->done = false;
    while (event == WEBSOCKET_NOTHING && taken >= 0) {
        struct wslay_frame_iocb frame;
        if (websocket->heard_close)
            return WEBSOCKET_NOTHING;
        taken = wslay_frame_recv(websocket->frames, &frame);
        if (taken >= 0)
            event = take_frame_part(websocket, &frame);
        else if (taken != WSLAY_ERR_WANT_READ)
            event = close_broken(websocket, WEBSOCKET_PROTOCOL_ERROR);
    }
    *message = websocket->message.bytes;
    *length = websocket->message.length;
    return event;
}
