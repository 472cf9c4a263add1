/*
 * Reads members of untrusted JSON objects. A value says if a member is missing or has another type.
 */
#ifndef LUDUS_JSON_READ_H
#define LUDUS_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/game.h"

/* Return a text member, borrowed; NULL, or `otherwise`, if there is none. */
const char *json_text(const cJSON *object, const char *name);
const char *json_text_or(const cJSON *object, const char *name, const char *otherwise);

/* Copies a text member into text[size], cut to fit; "" if there is none. */
void json_copy(char *text, size_t size, const cJSON *object, const char *name);

/* Return any member, borrowed, or NULL; and whether a member is true. */
const cJSON *json_member(const cJSON *object, const char *name);
bool json_true(const cJSON *object, const char *name);

/* Read a number, truncated, and "white" or "black". False, with nothing set, or `otherwise` for
 * anything else. */
bool json_int(const cJSON *object, const char *name, int *number);
int json_int_or(const cJSON *object, const char *name, int otherwise);
bool json_color(const cJSON *object, const char *name, enum color *color);

/* Returns milliseconds from 0 to 1e15, truncated; -1 for anything else. */
int64_t json_ms(const cJSON *object, const char *name);

#endif
