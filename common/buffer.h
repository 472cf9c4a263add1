/*
 * Bytes that grow at the end, for text and messages. All zero is an empty buffer; to use one again,
 * set its length to 0. Exhausted memory ends the program (xmalloc.h).
 */
#ifndef LUDUS_BUFFER_H
#define LUDUS_BUFFER_H

#include <stddef.h>

struct buffer {
    char *bytes; /* owned; NULL while nothing was ever added */
    size_t length, capacity;
};

/* Adds `length` bytes for the caller to fill; returns where they are until the next addition. */
char *buffer_extend(struct buffer *buffer, size_t length);

void buffer_add(struct buffer *buffer, const char *bytes, size_t length);

/* Adds a text, without its final NUL. */
void buffer_puts(struct buffer *buffer, const char *text);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees the bytes and leaves an empty buffer. */
void buffer_release(struct buffer *buffer);

#endif
