/*
 * Patterns that transcripts compare JSON with. In a pattern "*" stands for any value, "!" for a
 * missing member, and "$x" for a text: its first use captures the text, later uses must equal it.
 */
#ifndef LUDUS_JSON_PATTERN_H
#define LUDUS_JSON_PATTERN_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum { CAPTURES_MAX = 32, CAPTURE_TEXT_MAX = 64 };

struct captures {
    struct {
        char name[16], value[CAPTURE_TEXT_MAX];
    } list[CAPTURES_MAX];
    int count;
};

/* Returns whether a value, NULL if it is missing, matches the pattern. An object may have more
 * members than its pattern, unless `exact`. */
bool json_matches(const cJSON *pattern, const cJSON *got, bool exact, struct captures *captures);

/* Copies a text, with each $x replaced by what it has captured, and each \xNN by that byte. Cuts
 * what does not fit. The line does not end in '\0'; returns its length. */
size_t captures_fill_in(const struct captures *captures, const char *text, char *line, size_t size);

#endif
