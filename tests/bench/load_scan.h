/*
 * Picks the few fields that the load generator needs out of a message of the server, in one pass
 * over the text and without memory: a tree of every state would cost more than the state costs the
 * server. Only members of the outermost object count.
 */
#ifndef LUDUS_LOAD_SCAN_H
#define LUDUS_LOAD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a line, borrowed from it; start is NULL for what is not there. */
struct span {
    const char *start;
    size_t length;
};

/* Strings are without their quotes and as written, with escapes; the rest is as it stands. */
struct message_fields {
    struct span type, id, cmd, match, status, ply, legal;
};

/* Reads one line, ended by a NUL. False when it is no JSON object; what the fields hold inside is
 * not looked at more than it takes to find their ends. */
bool scan_message(const char *line, struct message_fields *fields);

bool span_is(struct span span, const char *text);

/* Copies with a final NUL. False when it is absent, has an escape or does not fit in size bytes. */
bool span_copy(struct span span, char *text, size_t size);

/* How many strings an array of strings without escapes has, and the one at `index`, counted
 * from 0; absent if there are not so many. */
int span_count(struct span array);
struct span span_item(struct span array, int index);

#endif
