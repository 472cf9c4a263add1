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

/* Write a value that is JSON already, a string of characters that need no escapes, or a number. */
void json_value(struct buffer *json, const char *name, size_t name_length, const char *value,
                size_t length);
void json_quoted(struct buffer *json, const char *name, size_t name_length, const char *text,
                 size_t length);
void json_number(struct buffer *json, const char *name, size_t name_length, int64_t value);

/* What is inline here knows the lengths of literals as it is compiled: states consist of them. */
static inline size_t json_name_length(const char *name)
{
    return name != NULL ? strlen(name) : 0;
}

/* Begin and end an object or array. The bracket is one of { } [ ]. */
static inline void json_open(struct buffer *json, const char *name, char bracket)
{
    json_value(json, name, json_name_length(name), &bracket, 1);
}

void json_close(struct buffer *json, char bracket);

static inline void json_null(struct buffer *json, const char *name)
{
    json_value(json, name, json_name_length(name), "null", 4);
}

static inline void json_bool(struct buffer *json, const char *name, bool value)
{
    json_value(json, name, json_name_length(name), value ? "true" : "false", value ? 4 : 5);
}

static inline void json_integer(struct buffer *json, const char *name, int64_t value)
{
    json_number(json, name, json_name_length(name), value);
}

/* Writes a string without quotes, backslashes and control characters; NULL becomes null. */
static inline void json_word(struct buffer *json, const char *name, const char *text)
{
    if (text != NULL)
        json_quoted(json, name, json_name_length(name), text, strlen(text));
    else
        json_null(json, name);
}

/* Writes a string; NULL becomes null. */
void json_string(struct buffer *json, const char *name, const char *text);

/* Writes a number that is given in hundredths, such as 1.5 for 150. */
void json_hundredths(struct buffer *json, const char *name, int64_t value);

#endif
