/*
 * The lines that `ludus-bot ugi` reads and writes. Reading waits for the engine as well, so that
 * commands are heard while it thinks. All lines go to a trace, too, if the environment variable
 * LUDUS_UGI_LOG names a file.
 */
#ifndef LUDUS_BOT_UGI_STREAM_H
#define LUDUS_BOT_UGI_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "common/buffer.h"

struct ugi_stream {
    struct buffer bytes; /* read and not yet taken, then what was taken last */
    size_t taken;
    int wake[2];
    FILE *trace; /* NULL: none */
};

enum heard {
    HEARD_LINE,
    HEARD_WAKE,   /* somebody has called ugi_stream_wake() */
    HEARD_END,    /* of the input; what is behind the last line end counts as a line */
    HEARD_NOTHING /* in the time given */
};

/* Opens standard input and output. On failure reports it and returns false. */
bool ugi_stream_open(struct ugi_stream *stream);

/* Waits, for at most wait_ms (-1: without limit). Sets *line to a line without its end, valid until
 * the next call, with spaces for NULs. */
enum heard ugi_stream_wait(struct ugi_stream *stream, int wait_ms, char **line);

/* Like ugi_stream_wait(), but reads no line. Returns false if there was no wake in time, or nobody
 * reads the output any more. */
bool ugi_stream_wait_wake(struct ugi_stream *stream, int wait_ms);

/* Ends a wait, this one or the next. Any thread may call it. */
void ugi_stream_wake(struct ugi_stream *stream);

/* Writes a line; its end is added. Any thread may call it. */
void ugi_stream_say(struct ugi_stream *stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ugi_stream_close(struct ugi_stream *stream);

#endif
