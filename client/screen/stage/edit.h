/* A line of text that is being typed. */
#ifndef LUDUS_SCREEN_EDIT_H
#define LUDUS_SCREEN_EDIT_H

#include "stage.h"

enum { EDIT_BYTES_MAX = 400 };

/* A zeroed one is empty. */
struct edit {
    char text[EDIT_BYTES_MAX]; /* in the encoding of the locale */
};

/* Takes a character, Backspace or Ctrl-U; false for other keys. */
bool edit_take(struct edit *edit, int key);

/* Paints the end of the text that fits, and the cursor. */
void edit_paint(const struct edit *edit, const struct theme *theme, int y, int x, int width);

/* Asks for a line on a screen of its own; edit->text is the default. False when the player cancels,
 * a match comes, or the program ends. */
bool edit_ask(struct stage *stage, const char *question, struct edit *edit);

#endif
