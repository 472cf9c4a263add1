#include "keyboard.h"

#include <string.h>
#include <wchar.h>

void keyboard_add(struct keyboard *keyboard, int key)
{
    if (keyboard->count < KEYBOARD_MAX)
        keyboard->keys[keyboard->count++] = key;
}

static void add_mouse(struct keyboard *keyboard)
{
    MEVENT event;

    if (getmouse(&event) != OK)
        return;
    if ((event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) != 0) {
        keyboard_add(keyboard, (event.bstate & BUTTON4_PRESSED) != 0 ? WHEEL_UP : WHEEL_DOWN);
        return;
    }
    keyboard->mouse_y = event.y;
    keyboard->mouse_x = event.x;
    keyboard_add(keyboard, FN(KEY_MOUSE));
}

/* Adds what get_wch() has read. */
static void add_read(struct keyboard *keyboard, int kind, wint_t letter)
{
    if (kind == OK)
        keyboard_add(keyboard, letter == '\n' ? ENTER_KEY : (int)letter);
    else if (letter == KEY_MOUSE)
        add_mouse(keyboard);
    else if (letter == KEY_ENTER)
        keyboard_add(keyboard, ENTER_KEY);
    else if (letter != KEY_RESIZE)
        keyboard_add(keyboard, FN((int)letter));
}

/* Escape with a character at once behind it is Alt and that character, which mean nothing here. */
bool keyboard_read(struct keyboard *keyboard)
{
    bool any = false, escape = false;
    wint_t letter;
    int kind;

    for (; (kind = get_wch(&letter)) != ERR; any = true) {
        bool again = kind == OK && letter == ESCAPE_KEY;
        bool alt = escape && kind == OK && letter >= ' ';
        if (escape && !alt)
            keyboard_add(keyboard, ESCAPE_KEY);
        if (!again && !alt)
            add_read(keyboard, kind, letter);
        escape = again;
    }
    if (escape)
        keyboard_add(keyboard, ESCAPE_KEY);
    return any;
}

int keyboard_next(struct keyboard *keyboard)
{
    int key = keyboard->keys[0];

    if (keyboard->count == 0)
        return NO_KEY;
    keyboard->count--;
    memmove(keyboard->keys, keyboard->keys + 1, (size_t)keyboard->count * sizeof keyboard->keys[0]);
    return key;
}

void keyboard_flush(struct keyboard *keyboard)
{
    flushinp();
    keyboard->count = 0;
}
