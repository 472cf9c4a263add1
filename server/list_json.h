/*
 * The rows of `list` as JSON (protocol.md). There are up to 200 in an answer, so they are written
 * as text at once, as a state is (state_json.h).
 */
#ifndef LUDUS_LIST_JSON_H
#define LUDUS_LIST_JSON_H

#include "common/json_text.h"
#include "lobby.h"

/* A row takes less: its texts and numbers are all bounded, and none needs escapes. */
enum { LIST_ROW_BYTES_MAX = 300 };

/* Adds the fields of the match's row to the object that is open. */
void list_row_json(struct json_text *json, const struct table *table);

#endif
