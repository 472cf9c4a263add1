/*
 * Standard output: lines of text, and the colours of a board. A prompt on the screen is taken off
 * first.
 *
 * Colours are used on a terminal that has them, unless NO_COLOR is set. A pipe gets plain text
 * without control characters.
 */
#ifndef LUDUS_CONSOLE_H
#define LUDUS_CONSOLE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "front.h"
#include "input.h"

enum ink { INK_PLAIN, INK_FAINT, INK_WHITE, INK_BLACK };

struct console {
    struct input *input;       /* borrowed: has the prompt */
    const struct front *front; /* borrowed: gets all text instead; NULL: nobody */
    bool color;
};

void console_open(struct console *console, struct input *input);

/* Writes one or more lines and adds the last line end. On a terminal long lines break at spaces and
 * continue indented. */
void console_say(struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes text as it is: boards, and lines to be copied. */
void console_text(struct console *console, const char *text);

/* Writes a letter in a colour, marked or not; without colours just the letter. */
void console_letter(struct console *console, char letter, enum ink ink, bool marked);

/* Write the texts of a JSON array, or the words of a text, in indented lines of at most 76 columns
 * or the width of the terminal. */
void console_words(struct console *console, const cJSON *words);
void console_paragraph(struct console *console, const char *text);

#endif
