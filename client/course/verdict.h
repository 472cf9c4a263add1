/*
 * A verdict: what a bot did wrong in a night, for the page of its student. They are the lines of
 * DIR/results/verdicts.jsonl.
 */
#ifndef LUDUS_COURSE_VERDICT_H
#define LUDUS_COURSE_VERDICT_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "common/text.h"

/* What it is about; borrowed. */
struct verdict {
    const char *dir; /* of the course */
    int night;
    const char *bot, *match; /* match: NULL: none */
    const char *kind;        /* one of course_verdicts */
    char text[120];
    int ply;              /* -1: none */
    const char *position; /* NULL: none */
    const cJSON *last;    /* lines that it has sent and read (relay.h); NULL: not known */
};

/* Writes a verdict, with the end of what the bot has printed in that night, and prints it; one of
 * its kind about a match only once in a night. False with the cause. */
bool verdict_add(const struct verdict *verdict, struct cause *cause);

/* Takes back the verdicts of a night whose tournament was called off. False with the cause. */
bool verdict_drop_night(const char *dir, int night, struct cause *cause);

#endif
