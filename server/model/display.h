/*
 * Display names: how players call themselves in the letters of their own language, beside the name
 * that is typed. Here is which texts are display names, and which of them look alike.
 *
 * `looks` is a text that is the same for names which people may take for one another, after the
 * skeletons of Unicode's UTS 39: without case, marks, blanks and signs, and with letters of other
 * scripts as the Latin ones that they look like. No two display names, and no display name and the
 * name of somebody else, have the same. Those of names are written by SQL, too
 * (keep/postgres/schema.sql): what they make of ASCII never changes.
 */
#ifndef LUDUS_DISPLAY_H
#define LUDUS_DISPLAY_H

#include <stdbool.h>

#include "common/text.h"

enum {
    DISPLAY_POINTS_MAX = 32,                       /* code points */
    DISPLAY_TEXT_MAX = 4 * DISPLAY_POINTS_MAX + 1, /* bytes, with the final NUL */
    LOOKS_TEXT_MAX = 6 * DISPLAY_POINTS_MAX + 1
};

/* Reads a display name, in Unicode's form NFC and with single blanks between words, as it is to be
 * shown. "" stays "". False with the cause, for a text that is none. */
bool display_read(const char *given, char display[DISPLAY_TEXT_MAX], struct cause *cause);

/* Writes what a display name looks like. "" looks like "". */
void display_looks(const char *display, char looks[LOOKS_TEXT_MAX]);

/* The same of a name of ASCII, of LOOKS_TEXT_MAX / 2 bytes at most. */
void name_looks(const char *name, char looks[LOOKS_TEXT_MAX]);

/* Whether it looks like a word of the server or of a client: me, you, open, open seat, nobody,
 * somebody, guest-5, or has the word bot. */
bool display_is_reserved(const char *display);

#endif
