/* Reads keys and the mouse from the terminal. */
#ifndef LUDUS_SCREEN_KEYBOARD_H
#define LUDUS_SCREEN_KEYBOARD_H

#include "keys.h"

enum { KEYBOARD_MAX = 64 };

/* A zeroed one has no keys. */
struct keyboard {
    int keys[KEYBOARD_MAX]; /* read and not taken yet */
    int count;
    int mouse_y, mouse_x; /* of the last FN(KEY_MOUSE) */
};

/* Reads all that was typed, beyond KEYBOARD_MAX keys it is lost. Returns whether there was any. */
bool keyboard_read(struct keyboard *keyboard);

/* Adds a key, as if it had been typed. */
void keyboard_add(struct keyboard *keyboard, int key);

/* Takes the next key; NO_KEY when there is none. */
int keyboard_next(struct keyboard *keyboard);

/* Discards all keys, also those that were not read yet. */
void keyboard_flush(struct keyboard *keyboard);

#endif
