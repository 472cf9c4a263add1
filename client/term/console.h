/*
 * What the program writes on standard output: lines of text, and the few colours of a board. A
 * prompt that stands on the screen is taken off first.
 *
 * Colours are used on a terminal that has them, unless the environment sets NO_COLOR; into a
 * pipe goes plain text without control characters.
 */
#ifndef LUDUS_CONSOLE_H
#define LUDUS_CONSOLE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "front.h"
#include "input.h"

enum ink { INK_PLAIN, INK_FAINT, INK_WHITE, INK_BLACK };

struct console {
    struct input *input;       /* borrowed: whose prompt is in the way */
    const struct front *front; /* borrowed: who gets all text instead; NULL: nobody */
    bool color;
};

void console_open(struct console *console, struct input *input);

/* Writes one line (or more, where the text has line ends); the last line end is added. On a
 * terminal, lines that are too long for it are broken at spaces, and go on indented. */
void console_say(struct console *console, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a piece of a line as it is: boards, and what is meant to be copied. */
void console_text(struct console *console, const char *text);

/* Writes one letter in a colour, marked or not; without colours just the letter. */
void console_letter(struct console *console, char letter, enum ink ink, bool marked);

/* Writes the texts of a JSON array, or the words of a text, in indented lines of at most 76
 * columns, and no more than the terminal has. */
void console_words(struct console *console, const cJSON *words);
void console_paragraph(struct console *console, const char *text);

#endif
