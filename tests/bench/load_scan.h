/*
 * Extracts the few fields that the load generator needs from a message, in one pass and without
 * allocation: building a tree of every state would cost more than the state costs the server. Only
 * members of the outermost object count.
 */
#ifndef LUDUS_LOAD_SCAN_H
#define LUDUS_LOAD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a line, borrowed from it; start is NULL for a missing field. */
struct span {
    const char *start;
    size_t length;
};

/* Strings lack their quotes and keep their escapes; other values are unchanged. */
struct message_fields {
    struct span type, id, cmd, match, status, ply, legal, token;
};

/* Reads one line, ended by a NUL. Returns false when it is no JSON object. Values are only examined
 * as far as needed to find their ends. */
bool scan_message(const char *line, struct message_fields *fields);

bool span_is(struct span span, const char *text);

/* Copies a span with a final NUL. Returns false when it is missing, has an escape or does not fit
 * in size bytes. */
bool span_copy(struct span span, char *text, size_t size);

/* Return the number of strings in an array of strings without escapes, and the one at `index`,
 * counted from 0, or a missing span beyond the end. */
int span_count(struct span array);
struct span span_item(struct span array, int index);

#endif
