/*
 * JSON (RFC 8259) written from front to back into memory of the caller, without a tree: for what is
 * written so often that a tree would be felt. Commas come by themselves.
 *
 * `name` is the member's name in an object, and NULL in an array; it needs no escapes.
 */
#ifndef LUDUS_JSON_TEXT_H
#define LUDUS_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_text {
    char *bytes; /* borrowed; what is written, with a final NUL after json_finish() */
    size_t length, size;
    bool overflowed; /* something did not fit, and nothing has been written since */
};

/* Begins an empty text of at most size - 1 bytes. */
struct json_text json_begin(char *space, size_t size);

/* Begins and ends an object or array: the bracket is one of { } [ ]. */
void json_open(struct json_text *json, const char *name, char bracket);
void json_close(struct json_text *json, char bracket);

/* A text; NULL is written as null. */
void json_string(struct json_text *json, const char *name, const char *text);

/* The same of a text that needs no escapes: no quote, backslash or control character is in it. */
void json_word(struct json_text *json, const char *name, const char *text);

void json_integer(struct json_text *json, const char *name, int64_t value);
void json_bool(struct json_text *json, const char *name, bool value);
void json_null(struct json_text *json, const char *name);

/* Writes bytes as they are, such as a line end. */
void json_raw(struct json_text *json, const char *bytes, size_t length);

/* Ends the text with a NUL. False when something did not fit. */
bool json_finish(struct json_text *json);

#endif
