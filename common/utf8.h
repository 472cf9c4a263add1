/* UTF-8 text from outside: what is well formed, and what is fit to be shown. */
#ifndef LUDUS_UTF8_H
#define LUDUS_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length in bytes, 1 to 4, of the character that begins text[0..length), length > 0. 0 for
 * bytes that are not UTF-8 (overlong forms, surrogates and what is beyond U+10FFFF included), for
 * control characters (below U+0020, U+007F to U+009F), and for those that change the direction of
 * writing (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069). */
size_t utf8_character(const char *text, size_t length);

/* Whether all of text[0..length) is such characters. */
bool utf8_is_clean(const char *text, size_t length);

/* Replaces every byte of a NUL-terminated text that is in no such character by '?'. */
void utf8_clean(char *text);

#endif
