/*
 * The language of the person at the terminal: catalogues that msgfmt has made of
 * client/languages/LANG.po. They are read here, not by gettext() of the C library, which translates
 * nothing where the system has no locale of that language, nor, since glibc 2.39, in C.UTF-8.
 * Numbers, dates and sorting stay as they are.
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

/* The languages that there are, with "en" first: fills `names`, and returns how many. */
enum { LANGUAGES_MAX = 32 };
int language_list(char names[LANGUAGES_MAX][LANGUAGE_NAME_MAX]);

/* Takes "--language LANG" out of a command line, wherever it stands before a "--". Returns LANG;
 * NULL without one, and "" for one without a value. The text is borrowed from argv. */
const char *language_option(int *argc, char *argv[]);

/* The words that say in how many forms a language counts, "nplurals=2; plural=n != 1;": the number
 * of the form for `count`, 0 for what cannot be read. Exposed for tests. */
unsigned long language_plural(const char *forms, unsigned long count);

#endif
