#include "ugi_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot.h"
#include "client/link/clock_ms.h"
#include "common/text.h"
#include "common/xmalloc.h"

enum { READ_BYTES = 4096 };

static void trace_line(struct ugi_stream *stream, char direction, const char *line)
{
    if (stream->trace != NULL)
        fprintf(stream->trace, "%lld %c %s\n", (long long)clock_ms(), direction, line);
}

bool ugi_stream_open(struct ugi_stream *stream)
{
    const char *path = getenv("LUDUS_UGI_LOG");

    *stream = (struct ugi_stream){.taken = 0};
    if (path != NULL && *path != '\0') {
        stream->trace = fopen(path, "ae");
        if (stream->trace == NULL)
            return bot_error(path, "%s", strerror(errno));
        setvbuf(stream->trace, NULL, _IOLBF, 0);
    }
    if (pipe2(stream->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return bot_error("pipe", "%s", strerror(errno));
    setvbuf(stdout, NULL, _IOLBF, 0);
    return true;
}

/* Takes `length` bytes and the line end behind them. */
static enum heard cut_line(struct ugi_stream *stream, size_t length, char **line)
{
    char *start = stream->bytes.bytes + stream->taken;

    stream->taken += length + 1;
    length -= length > 0 && start[length - 1] == '\r';
    for (size_t i = 0; i < length; i++)
        if (start[i] == '\0')
            start[i] = ' ';
    start[length] = '\0';
    trace_line(stream, '>', start);
    text_line_squeeze(start);
    *line = start;
    return HEARD_LINE;
}

/* Reads what is there. Returns whether there was something. */
static bool read_more(struct ugi_stream *stream)
{
    struct buffer *buffer = &stream->bytes;

    if (stream->taken > 0) {
        memmove(buffer->bytes, buffer->bytes + stream->taken, buffer->length - stream->taken);
        buffer->length -= stream->taken;
        stream->taken = 0;
    }
    char *space = buffer_extend(buffer, READ_BYTES);
    ssize_t count;
    do
        count = read(fileno(stdin), space, READ_BYTES);
    while (count < 0 && errno == EINTR);
    buffer->length -= (size_t)(READ_BYTES - (count > 0 ? count : 0));
    return count > 0;
}

static void swallow_wakes(struct ugi_stream *stream)
{
    char bytes[16];

    while (read(stream->wake[0], bytes, sizeof bytes) > 0)
        continue;
}

enum heard ugi_stream_wait(struct ugi_stream *stream, int wait_ms, char **line)
{
    for (size_t searched = stream->taken;;) {
        struct buffer *buffer = &stream->bytes;
        const char *end = buffer->length > searched
                              ? memchr(buffer->bytes + searched, '\n', buffer->length - searched)
                              : NULL;
        if (end != NULL)
            return cut_line(stream, (size_t)(end - buffer->bytes) - stream->taken, line);
        struct pollfd entries[] = {{.fd = fileno(stdin), .events = POLLIN},
                                   {.fd = stream->wake[0], .events = POLLIN}};
        if (poll(entries, 2, wait_ms) <= 0)
            return HEARD_NOTHING;
        if (entries[1].revents != 0) {
            swallow_wakes(stream);
            return HEARD_WAKE;
        }
        searched = buffer->length - stream->taken;
        if (!read_more(stream)) {
            size_t length = stream->bytes.length - stream->taken;

            if (length == 0)
                return HEARD_END;
            buffer_add(&stream->bytes, "\n", 1);
            return cut_line(stream, length, line);
        }
    }
}

bool ugi_stream_wait_wake(struct ugi_stream *stream, int wait_ms)
{
    /* Of the output only an error is told: its reader has gone. */
    struct pollfd entries[] = {{.fd = stream->wake[0], .events = POLLIN}, {.fd = fileno(stdout)}};

    if (poll(entries, 2, wait_ms) <= 0 || entries[0].revents == 0)
        return false;
    swallow_wakes(stream);
    return true;
}

void ugi_stream_wake(struct ugi_stream *stream)
{
    ssize_t written = write(stream->wake[1], "", 1);

    (void)written; /* a full pipe is readable anyway */
}

void ugi_stream_say(struct ugi_stream *stream, const char *format, ...)
{
    char *text;
    va_list arguments;

    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        xmalloc_end();
    flockfile(stdout); /* keeps both files in one order */
    printf("%s\n", text);
    trace_line(stream, '<', text);
    funlockfile(stdout);
    free(text);
}

void ugi_stream_close(struct ugi_stream *stream)
{
    if (stream->trace != NULL)
        fclose(stream->trace);
    close(stream->wake[0]);
    close(stream->wake[1]);
    buffer_release(&stream->bytes);
}
