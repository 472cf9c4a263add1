/*
 * The keys of full screen. One table says what each key does in which places (a place is the kind
 * of part on top), and makes the bar and the help; the man page is checked against it. The keyboard
 * reads keys and the mouse from the terminal.
 */
#ifndef LUDUS_SCREEN_KEYS_H
#define LUDUS_SCREEN_KEYS_H

#include <curses.h>
#include <stdbool.h>

/* A key is a character, a key of curses as FN(KEY_...), or NO_KEY. */
#define FN(key)   (-(key))
#define CTRL(key) ((key)&0x1f)
enum { NO_KEY = 0, ESCAPE_KEY = 27, ENTER_KEY = '\r' };
/* The mouse wheel, as the scroll keys of terminals; and the button, released elsewhere than
 * pressed. */
enum { WHEEL_UP = FN(KEY_SR), WHEEL_DOWN = FN(KEY_SF), MOUSE_DROP = FN(KEY_MAX) };
/* Ctrl with + or =, and with -, from terminals that tell. Curses does not use these keys. */
enum { CONTROL_PLUS = FN(KEY_MAX + 1002), CONTROL_MINUS = FN(KEY_MAX + 1003) };

/* Kinds of parts, as bits. */
enum place {
    IN_MENU = 1, /* a list to choose from */
    IN_FORM = 2,
    IN_PAGE = 4, /* text to scroll */
    IN_LINE = 8, /* a text that is asked for */
    IN_MATCH = 16,
    IN_REPLAY = 32,
    IN_REVIEW = 64,
    IN_LEARN = 128,
    IN_ANALYSIS = 256,
    IN_EDITOR = 512, /* letters put pieces */
    IN_LISTS = IN_MENU | IN_FORM | IN_PAGE,
    /* boards with moves to go through */
    IN_RECORDS = IN_MATCH | IN_REPLAY | IN_REVIEW | IN_ANALYSIS,
    IN_MOVES = IN_RECORDS | IN_LEARN,
    IN_BOARDS = IN_MOVES | IN_EDITOR,
    /* where a move may begin with any letter, so that none is a key but the answer to a question */
    LETTERS_TYPED = IN_MATCH | IN_LEARN | IN_ANALYSIS | IN_EDITOR,
    EVERYWHERE = IN_LISTS | IN_LINE | IN_BOARDS
};

/* In the order of the bar and of the help. */
enum action {
    ACTION_NONE, /* a character, or a key without a row */
    ACTION_BACK,
    ACTION_HELP,
    ACTION_YES,
    ACTION_NO,
    ACTION_CHOOSE,
    ACTION_EDIT,
    ACTION_PAUSE,
    ACTION_FASTER,
    ACTION_SLOWER,
    ACTION_UP,
    ACTION_DOWN,
    ACTION_LEFT,
    ACTION_RIGHT,
    ACTION_PICK, /* press.index is the row */
    ACTION_CLICK,
    ACTION_DROP, /* follows the click that began it, in the same part */
    ACTION_WHEEL_UP,
    ACTION_WHEEL_DOWN,
    ACTION_PAGE_UP,
    ACTION_PAGE_DOWN,
    ACTION_FIRST,
    ACTION_LAST,
    ACTION_NEXT,
    ACTION_PREVIOUS,
    ACTION_RULES,
    ACTION_HINT,
    ACTION_UNDO,
    ACTION_PROMOTE,
    ACTION_DRAW,
    ACTION_RESIGN,
    ACTION_REMATCH,
    ACTION_REVIEW,
    ACTION_RETRY,
    ACTION_ANALYSE,
    ACTION_PLAY_ON,
    ACTION_PLAY_ON_TYPING, /* the same, where letters are typed */
    ACTION_SAVE,
    ACTION_EARLIER,
    ACTION_LATER,
    ACTION_SET_UP,
    ACTION_FLIP,
    ACTION_OVERLAY,
    ACTION_SIZE,
    ACTION_LARGER,
    ACTION_SMALLER,
    ACTION_LOG,
    ACTION_THEME,
    ACTION_SYMBOLS,
    ACTION_BELL,
    ACTION_REDRAW,
    ACTIONS
};

enum { KEYS_EACH = 3 };

struct key_row {
    int keys[KEYS_EACH];    /* unused ones are NO_KEY */
    const char *label;      /* the first key, for the bar */
    const char *word;       /* for the bar; NULL: not there */
    const char *name;       /* the keys, for the help; NULL: another row has them */
    const char *unlettered; /* those that are no letters; NULL: `name` has none */
    const char *help;       /* the end of the sentence "NAME: ..." */
    unsigned places;        /* bits of enum place */
};

extern const struct key_row key_rows[ACTIONS];

/* A key as a part takes it. */
struct press {
    enum action action;
    int key;     /* also for ACTION_NONE, where it may be a character to type; NO_KEY: nothing */
    int index;   /* of ACTION_PICK */
    bool pasted; /* the character is part of a pasted text */
    bool done;   /* there was a key, but the stage has done all that it means */
};

/* Finds the meaning of a key in a place. typing: characters are text. asks: y and n answer a
 * question. */
struct press keys_press(unsigned place, int key, bool typing, bool asks);

/* The keys of a row that has a name, as they hold in a place. */
const char *keys_name(enum action action, unsigned place);

/* The action whose key stands at that column of keys_name(), or that of the row itself. Rows
 * without a name share that of the row before them. */
enum action keys_named(enum action first, unsigned place, int column);

/* The character that chooses the row of that index in a menu; ' ' when there is none. */
char keys_digit(int index);

enum { KEYBOARD_MAX = 512 };

/* A zeroed one has no keys. */
struct keyboard {
    struct key {
        int key, y, x;    /* y and x: of the mouse */
        bool pasted;      /* it is a character, whatever the key means otherwise */
    } keys[KEYBOARD_MAX]; /* read and not taken yet */
    int count;
    struct key taken;     /* the last one */
    bool pasting;         /* the end of a pasted text has not come yet */
    int mouse_y, mouse_x; /* of the last FN(KEY_MOUSE) or MOUSE_DROP taken */
    int press_y, press_x; /* of the last FN(KEY_MOUSE) taken */
};

/* Tells curses what comes around a pasted text. Call it once the terminal is open. */
void keyboard_open(void);

/* Reads all that was typed, beyond KEYBOARD_MAX keys it is lost. Returns whether there was any.
 * Line ends of a pasted text become blanks, so that none of it is sent before Enter. */
bool keyboard_read(struct keyboard *keyboard);

/* Adds a key, as if it had been typed. */
void keyboard_add(struct keyboard *keyboard, int key);

/* Takes the next key; NO_KEY when there is none, or it means nothing. */
int keyboard_next(struct keyboard *keyboard);

/* Puts the last key taken back, so that it is the next again. */
void keyboard_return(struct keyboard *keyboard);

/* Discards all keys, also those that were not read yet. */
void keyboard_flush(struct keyboard *keyboard);

#endif
