/*
 * A growing buffer for text and messages. A zeroed buffer is empty; set its length to 0 to reuse
 * it. Running out of memory ends the program (xmalloc.h).
 */
#ifndef LUDUS_BUFFER_H
#define LUDUS_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
    char *bytes; /* owned; NULL until something is added */
    size_t length, capacity;
};

/* Makes room for `length` bytes more than there is room for. */
void buffer_grow(struct buffer *buffer, size_t length);

/* Makes room for `length` bytes, and returns where they begin, which is where the buffer ends.
 * Whoever fills them adds to its length. */
static inline char *buffer_room(struct buffer *buffer, size_t length)
{
    if (length > buffer->capacity - buffer->length)
        buffer_grow(buffer, length);
    return buffer->bytes + buffer->length;
}

/* Appends `length` bytes for the caller to fill. Returns them, valid until the next addition. */
char *buffer_extend(struct buffer *buffer, size_t length);

void buffer_add(struct buffer *buffer, const char *bytes, size_t length);

/* Append a text, without its final NUL. */
void buffer_puts(struct buffer *buffer, const char *text);
void buffer_printf(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a number in decimal. */
void buffer_integer(struct buffer *buffer, int64_t value);

/* Frees the bytes and leaves an empty buffer. */
void buffer_release(struct buffer *buffer);

#endif
