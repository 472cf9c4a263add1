/*
 * Writes JSON (RFC 8259) front to back to the end of a buffer, without a tree. Commas are added as
 * needed; a value after a line end begins a new JSON text.
 *
 * `name` is the name of a member, which must need no escapes, or NULL in an array.
 */
#ifndef LUDUS_JSON_TEXT_H
#define LUDUS_JSON_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "buffer.h"
#include "text.h"

/* What is inline here knows the lengths of literals as it is compiled: states consist of them. */

/* Writes what stands before a value, the comma after the last one and its name, and returns where
 * the value is to be written, with room for `length` bytes; then call json_end(). */
static inline char *json_begin(struct buffer *json, const char *name, size_t length)
{
    size_t name_length = name != NULL ? strlen(name) : 0;
    char *at = buffer_room(json, sizeof ",\"\":" + name_length + length);
    char last = json->length > 0 ? at[-1] : '\n';

    *at = ',';
    at += last != '{' && last != '[' && last != '\n';
    if (name == NULL)
        return at;
    *at++ = '"';
    memcpy(at, name, name_length);
    at += name_length;
    *at++ = '"';
    *at++ = ':';
    return at;
}

/* The value ends there. */
static inline void json_end(struct buffer *json, const char *end)
{
    json->length = (size_t)(end - json->bytes);
}

/* Writes a value that is JSON already. */
static inline void json_value(struct buffer *json, const char *name, const char *value,
                              size_t length)
{
    char *at = json_begin(json, name, length);

    memcpy(at, value, length);
    json_end(json, at + length);
}

/* Writes a string of characters that need no escapes. */
static inline void json_quoted(struct buffer *json, const char *name, const char *text,
                               size_t length)
{
    char *at = json_begin(json, name, length + 2);

    *at++ = '"';
    memcpy(at, text, length);
    at[length] = '"';
    json_end(json, at + length + 1);
}

/* Writes a number where there is room for NUMBER_DIGITS_MAX + 1 bytes; returns what follows it. */
char *json_put_number(char *at, int64_t value);

/* Begin and end an object or array. The bracket is one of { } [ ]. */
static inline void json_open(struct buffer *json, const char *name, char bracket)
{
    json_value(json, name, &bracket, 1);
}

static inline void json_close(struct buffer *json, char bracket)
{
    *buffer_room(json, 1) = bracket;
    json->length++;
}

static inline void json_null(struct buffer *json, const char *name)
{
    json_value(json, name, "null", 4);
}

static inline void json_bool(struct buffer *json, const char *name, bool value)
{
    json_value(json, name, value ? "true" : "false", value ? 4 : 5);
}

static inline void json_integer(struct buffer *json, const char *name, int64_t value)
{
    char *at = json_begin(json, name, 1 + NUMBER_DIGITS_MAX);

    json_end(json, json_put_number(at, value));
}

/* Writes a string without quotes, backslashes and control characters; NULL becomes null. */
static inline void json_word(struct buffer *json, const char *name, const char *text)
{
    if (text != NULL)
        json_quoted(json, name, text, strlen(text));
    else
        json_null(json, name);
}

/* Writes a string; NULL becomes null. */
void json_string(struct buffer *json, const char *name, const char *text);

/* Writes a number that is given in hundredths, such as 1.5 for 150. */
void json_hundredths(struct buffer *json, const char *name, int64_t value);

#endif
