/* Checks UTF-8 text from outside: whether it is well formed and safe to show. */
#ifndef LUDUS_UTF8_H
#define LUDUS_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length in bytes, 1 to 4, of the character at the start of text[0..length), length > 0. 0 for
 * invalid UTF-8. */
size_t utf8_length(const char *text, size_t length);

/* The length in bytes, 1 to 4, of the character at the start of text[0..length), length > 0. 0 for
 * invalid UTF-8 (overlong forms, surrogates and codes above U+10FFFF included), for control
 * characters (below U+0020, U+007F to U+009F), and for characters that change the direction of
 * writing (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069). */
size_t utf8_character(const char *text, size_t length);

/* Whether text[0..length) consists of such characters. */
bool utf8_is_clean(const char *text, size_t length);

/* Replaces every byte of a NUL-terminated text that is not part of such a character by '?'. */
void utf8_clean(char *text);

#endif
