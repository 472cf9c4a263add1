/*
 * Text: whole numbers, sentences in the language of the person who reads them, UTF-8 from outside,
 * lines that people write, and why a request was refused.
 */
#ifndef LUDUS_TEXT_H
#define LUDUS_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whole numbers from text, with range checks, and to text. */

/* Reads `length` decimal digits as a number from min to max, both included, 0 <= min. Returns
 * false, with *value unchanged, for an empty text, any other byte, a leading zero before another
 * digit, or a number out of range. */
bool number_parse(const char *text, size_t length, long min, long max, long *value);

enum { NUMBER_DIGITS_MAX = 20 };

/* Writes at most NUMBER_DIGITS_MAX decimal digits without a final NUL and returns how many. For
 * messages so frequent that snprintf() would be too slow. */
size_t number_format(uint64_t value, char *text);

/* UTF-8 from outside: whether it is well formed and safe to show. */

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

/*
 * Sentences for people, in their language.
 *
 * Sources have them in English, marked by _(), or by N_() where they stand in tables: then _() is
 * due where they are shown. Only ludus has a translator; all other programs speak English. The
 * formats of cause_set(), and those of functions whose headers say so, need no mark.
 */
struct translator {
    const char *(*sentence)(const char *english);
    const char *(*counted)(const char *one, const char *many, unsigned long count);
};

/* From now on sentences are what it says. It is borrowed for good; before all threads. */
void text_translate_by(const struct translator *translator);

/* A sentence as people read it: the text itself where nothing is known better. */
const char *text_translated(const char *sentence) __attribute__((format_arg(1)));

/* One of the two, or what a language has for that count. */
const char *text_counted(const char *one, const char *many, unsigned long count)
    __attribute__((format_arg(1), format_arg(2)));

#define _(sentence)  text_translated(sentence)
#define N_(sentence) sentence
/* The same for a word with several meanings, of which `meaning` tells: it is msgctxt in catalogues.
 */
#define NC_(meaning, sentence) meaning "\4" sentence

/*
 * Why a request was refused, as a sentence for the person who made it.
 *
 * Functions that can refuse return false and fill a struct cause; on success they leave it alone. A
 * cause has no line end and no final full stop. It is valid UTF-8 whatever it quotes: other bytes
 * become '?'.
 */
struct cause {
    char text[200];
};

/* Translates and formats the sentence, cut to fit. Always returns false, which makes a refusal one
 * line: `return cause_set(cause, "%s is empty", square);` */
bool cause_set(struct cause *cause, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cause_vset(struct cause *cause, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The word that a mistyped one stands for: the nearest of those that are tried. */
struct meant_word {
    const char *typed; /* borrowed, as is `word` */
    const char *word;  /* NULL: none of them is near */
    int distance;
};

void meant_begin(struct meant_word *meant, const char *typed);
void meant_try(struct meant_word *meant, const char *word);

enum { MEANT_TEXT_MAX = 64 };

/* Writes " (did you mean WORD?)", with `before` in front of it, or "" where none is near, and
 * returns it. */
const char *meant_text(const struct meant_word *meant, const char *before,
                       char text[MEANT_TEXT_MAX]);

/* Lines of files that people write, and of programs that say something. */

/* Returns the text without the blanks and line ends around it: cuts it behind, and returns where it
 * begins. */
char *text_line_trim(char *text);

/* Makes one space of each run of blanks, and takes off those around the text, in place. */
void text_line_squeeze(char *text);

/* Splits `name = value`, without the blanks around the two. *name is NULL for a line that sets
 * nothing: a blank one, or a comment, which begins with #. A value in quotes, single or double,
 * loses them. Returns false with the cause if there is no =. */
bool text_line_setting(char *line, char **name, char **value, struct cause *cause);

/* Cuts off the first word of *text and moves *text to the next one; "" when there is none. */
char *text_line_word(char **text);

/* Finds `word` among the words of `text`. Ends `text` before it and returns what follows it, or
 * returns NULL and changes nothing if it is not there. */
char *text_line_cut_at(char *text, const char *word);

/* The lines of NAME.txt, built in by pack.py, which leaves out blank ones and comments. */
struct packed_file {
    const char *name; /* NULL ends a table */
    const char *const *lines;
    int count;
};

/* Finds a file by its name, or NULL. */
const struct packed_file *packed_find(const struct packed_file *table, const char *name);

#endif
