/* One line of text being typed. */
#ifndef LUDUS_SCREEN_EDIT_H
#define LUDUS_SCREEN_EDIT_H

#include "stage.h"

enum { EDIT_BYTES_MAX = 400 };

/* A zeroed one is empty. */
struct edit {
    char text[EDIT_BYTES_MAX]; /* in the encoding of the locale */
};

/* Takes a letter or Backspace or Ctrl-U. False for any other key. */
bool edit_take(struct edit *edit, int key);

/* Draws the end of the text that fits, with a cursor behind it. */
void edit_paint(const struct edit *edit, const struct theme *theme, int y, int x, int width);

/* Asks for a line on an otherwise empty screen; edit->text is there to begin with. False when the
 * person does not want to, or a match has come, or the program ends. */
bool edit_ask(struct stage *stage, const char *question, struct edit *edit);

#endif
