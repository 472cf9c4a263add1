#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "xmalloc.h"

enum { PRINTF_BYTES = 80 }; /* most texts fit at once */

void buffer_grow(struct buffer *buffer, size_t length)
{
    buffer->capacity = 2 * buffer->capacity + length + 512;
    buffer->bytes = xrealloc(buffer->bytes, buffer->capacity);
}

char *buffer_extend(struct buffer *buffer, size_t length)
{
    char *at = buffer_room(buffer, length);

    buffer->length += length;
    return at;
}

void buffer_add(struct buffer *buffer, const char *bytes, size_t length)
{
    memcpy(buffer_extend(buffer, length), bytes, length);
}

void buffer_puts(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    char *at = buffer_room(buffer, PRINTF_BYTES);
    size_t room = buffer->capacity - buffer->length;
    int length = vsnprintf(at, room, format, args);
    if (length > 0 && (size_t)length >= room)
        vsnprintf(buffer_room(buffer, (size_t)length + 1), (size_t)length + 1, format, again);
    if (length > 0)
        buffer->length += (size_t)length;
    va_end(again);
    va_end(args);
}

void buffer_integer(struct buffer *buffer, int64_t value)
{
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

    char *at = buffer_room(buffer, 1 + NUMBER_DIGITS_MAX);
    if (value < 0)
        *at++ = '-';
    at += number_format(size, at);
    buffer->length = (size_t)(at - buffer->bytes);
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
