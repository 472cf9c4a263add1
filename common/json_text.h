/*
 * Writes JSON (RFC 8259) from front to back to the end of a buffer, without a tree. Commas come by
 * themselves; a value behind a line end begins a new JSON text.
 *
 * `name` is the member's name in an object, and NULL in an array; it needs no escapes.
 */
#ifndef LUDUS_JSON_TEXT_H
#define LUDUS_JSON_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

/* Begins and ends an object or array: the bracket is one of { } [ ]. */
void json_open(struct buffer *json, const char *name, char bracket);
void json_close(struct buffer *json, char bracket);

/* A text; NULL is written as null. */
void json_string(struct buffer *json, const char *name, const char *text);

/* A text that needs no escapes: no quote, backslash or control character is in it. NULL is written
 * as null. */
void json_word(struct buffer *json, const char *name, const char *text);

void json_integer(struct buffer *json, const char *name, int64_t value);
void json_bool(struct buffer *json, const char *name, bool value);
void json_null(struct buffer *json, const char *name);

#endif
