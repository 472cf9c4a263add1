/*
 * The language of the person at the terminal: catalogues that msgfmt has made of
 * client/languages/LANG.po, read by gettext() of the C library. Numbers, dates and sorting stay as
 * they are.
 *
 * Since version 2.39 the C library translates nothing in the locale C.UTF-8. So a system that has
 * no other locale than that speaks English.
 */
#ifndef LUDUS_LANGUAGE_H
#define LUDUS_LANGUAGE_H

#include <stdbool.h>

#include "common/text.h"

enum { LANGUAGE_NAME_MAX = 16 }; /* bytes with the final NUL */

/* Sets the encoding of the terminal, and has sentences translated: into `wanted`, such as "pt" or
 * "pt_BR", or if that is NULL into what LC_ALL, LC_MESSAGES or LANG name. English, which needs no
 * catalogue, is "en", and what the environment names without a catalogue. False with the cause when
 * there is no catalogue for `wanted`; the language stays. */
bool language_choose(const char *wanted, struct cause *cause);

/* The language now, such as "pt". */
const char *language_name(void);

/* Writes the languages that there are, English first, with commas between them. */
enum { LANGUAGE_LIST_MAX = 240 }; /* bytes with the final NUL */
void language_list(char list[LANGUAGE_LIST_MAX]);

/* Takes "--language LANG" out of a command line, wherever it stands before a "--". Returns LANG;
 * NULL without one, and "" for one without a value. The text is borrowed from argv. */
const char *language_option(int *argc, char *argv[]);

#endif
