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

#include "buffer.h"

/* Begin and end an object or array. The bracket is one of { } [ ]. */
void json_open(struct buffer *json, const char *name, char bracket);
void json_close(struct buffer *json, char bracket);

/* Writes a string; NULL becomes null. */
void json_string(struct buffer *json, const char *name, const char *text);

/* Writes a string without quotes, backslashes and control characters; NULL becomes null. */
void json_word(struct buffer *json, const char *name, const char *text);

void json_integer(struct buffer *json, const char *name, int64_t value);
/* Writes a number that is given in hundredths, such as 1.5 for 150. */
void json_hundredths(struct buffer *json, const char *name, int64_t value);
void json_bool(struct buffer *json, const char *name, bool value);
void json_null(struct buffer *json, const char *name);

#endif
