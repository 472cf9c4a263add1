/*
 * Members of a JSON object from the server, read without trust: whatever is missing or of another
 * kind has a value that means so.
 */
#ifndef LUDUS_JSON_READ_H
#define LUDUS_JSON_READ_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/game.h"

/* A text member, borrowed; NULL, or `otherwise`, when there is none. */
const char *json_text(const cJSON *object, const char *name);
const char *json_text_or(const cJSON *object, const char *name, const char *otherwise);

/* Copies a text member into text[size], cut to fit; "" when there is none. */
void json_copy(char *text, size_t size, const cJSON *object, const char *name);

/* Any member, borrowed, or NULL; whether a member is true. */
const cJSON *json_member(const cJSON *object, const char *name);
bool json_true(const cJSON *object, const char *name);

/* A number cut to a whole one, or a "white" or "black"; false, with nothing set, for anything
 * else. */
bool json_int(const cJSON *object, const char *name, int *number);
bool json_color(const cJSON *object, const char *name, enum color *color);

/* A number of milliseconds, cut to a whole one; -1 for anything else, or out of all sense. */
int64_t json_ms(const cJSON *object, const char *name);

#endif
