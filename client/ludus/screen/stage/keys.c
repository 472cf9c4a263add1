#include "keys.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "common/text.h"

/* h, j, k, l and q have rows of their own in the table. */
static const char digits[] = "123456789abcdefgimnoprstuvwxyz";

const struct key_row key_rows[ACTIONS] = {
    [ACTION_BACK] = {.keys = {ESCAPE_KEY, 'q', CTRL('d')},
                     .label = N_("Esc"),
                     .word = N_("back"),
                     .name = N_("Esc, q, Ctrl-D"),
                     .unlettered = N_("Esc, Ctrl-D"),
                     .help = N_("go back (asks first during a match)"),
                     .places = EVERYWHERE},
    [ACTION_HELP] = {.keys = {FN(KEY_F(1)), '?'},
                     .label = "F1",
                     .word = N_("help"),
                     .name = "F1, ?",
                     .help = N_("list the keys of this screen"),
                     .places = EVERYWHERE},
    [ACTION_YES] = {.keys = {'y'},
                    .label = "y",
                    .word = N_("yes"),
                    .name = "y, n",
                    .help = N_("answer the question at the bottom"),
                    .places = IN_MATCH},
    [ACTION_NO] = {.keys = {'n'}, .label = "n", .word = N_("no"), .places = IN_MATCH},
    [ACTION_CHOOSE] = {.keys = {ENTER_KEY},
                       .label = NC_("key", "Enter"),
                       .word = N_("choose"),
                       .name = NC_("key", "Enter"),
                       .help = N_("choose what the cursor is on, or send what you typed"),
                       .places = EVERYWHERE},
    [ACTION_EDIT] = {.keys = {'e'},
                     .label = "e",
                     .word = N_("type"),
                     .name = "e",
                     .help = N_("type a value of your own"),
                     .places = IN_FORM},
    [ACTION_PAUSE] = {.keys = {' '},
                      .label = N_("Space"),
                      .name = N_("Space, +, -"),
                      .help = N_("watching bots, in a replay: play or pause, faster, slower"),
                      .places = IN_MATCH | IN_REPLAY},
    [ACTION_FASTER] = {.keys = {'+', '='},
                       .label = "+",
                       .word = N_("faster"),
                       .places = IN_MATCH | IN_REPLAY},
    [ACTION_SLOWER] = {.keys = {'-'},
                       .label = "-",
                       .word = N_("slower"),
                       .places = IN_MATCH | IN_REPLAY},
    [ACTION_UP] = {.keys = {FN(KEY_UP), 'k'},
                   .label = N_("Up"),
                   .name = N_("Arrows, h j k l"),
                   .unlettered = N_("Arrows"),
                   .help = N_("move the cursor, change a value, scroll, step through moves"),
                   .places = IN_LISTS | IN_BOARDS},
    [ACTION_DOWN] = {.keys = {FN(KEY_DOWN), 'j'},
                     .label = N_("Down"),
                     .places = IN_LISTS | IN_BOARDS},
    [ACTION_LEFT] = {.keys = {FN(KEY_LEFT), 'h'},
                     .label = N_("Left"),
                     .places = IN_FORM | IN_BOARDS},
    [ACTION_RIGHT] = {.keys = {FN(KEY_RIGHT), 'l'},
                      .label = N_("Right"),
                      .places = IN_FORM | IN_BOARDS},
    [ACTION_PICK] = {.label = "1",
                     .name = N_("1 to 9, letters"),
                     .help = N_("choose the row with that digit or letter"),
                     .places = IN_MENU},
    [ACTION_CLICK] = {.keys = {FN(KEY_MOUSE)},
                      .label = N_("click"),
                      .name = N_("Mouse"),
                      .help = N_("click on a square, a piece in hand, a move, a row, a word below; "
                                 "drag a piece; the wheel scrolls"),
                      .places = EVERYWHERE},
    [ACTION_DROP] = {.keys = {MOUSE_DROP},
                     .label = N_("drag"),
                     .places = IN_MATCH | IN_LEARN | IN_ANALYSIS},
    [ACTION_WHEEL_UP] = {.keys = {WHEEL_UP}, .label = N_("wheel"), .places = IN_LISTS | IN_RECORDS},
    [ACTION_WHEEL_DOWN] = {.keys = {WHEEL_DOWN},
                           .label = N_("wheel"),
                           .places = IN_LISTS | IN_RECORDS},
    [ACTION_PAGE_UP] = {.keys = {FN(KEY_PPAGE)},
                        .label = N_("PgUp"),
                        .name = N_("PgUp, PgDn"),
                        .help = N_("scroll by a page (so does Space in texts), in a replay by ten "
                                   "moves, in an analysis to another variation"),
                        .places = IN_MENU | IN_PAGE | IN_RECORDS},
    [ACTION_PAGE_DOWN] = {.keys = {FN(KEY_NPAGE)},
                          .label = N_("PgDn"),
                          .places = IN_MENU | IN_PAGE | IN_RECORDS},
    [ACTION_FIRST] = {.keys = {FN(KEY_HOME)},
                      .label = NC_("key", "Home"),
                      .name = N_("Home, End"),
                      .help = N_("go to the first or the last row, line or position"),
                      .places = IN_MENU | IN_PAGE | IN_RECORDS},
    [ACTION_LAST] = {.keys = {FN(KEY_END)},
                     .label = NC_("key", "End"),
                     .places = IN_MENU | IN_PAGE | IN_RECORDS},
    [ACTION_NEXT] = {.keys = {'\t'},
                     .label = N_("Tab"),
                     .name = N_("Tab, Shift-Tab"),
                     .help = N_("go to the next or the previous piece, row, match or mistake"),
                     .places = IN_MENU | IN_FORM | IN_BOARDS},
    [ACTION_PREVIOUS] = {.keys = {FN(KEY_BTAB)},
                         .label = N_("Shift-Tab"),
                         .places = IN_MENU | IN_FORM | IN_BOARDS},
    [ACTION_RULES] = {.keys = {FN(KEY_F(2))},
                      .label = "F2",
                      .word = N_("rules"),
                      .name = "F2",
                      .help = N_("show the rules of this game"),
                      .places = EVERYWHERE},
    [ACTION_HINT] = {.keys = {FN(KEY_F(3))},
                     .label = "F3",
                     .word = N_("hint"),
                     .name = "F3",
                     .help = N_("ask a bot for a move, in a lesson for the answer; Enter plays it"),
                     .places = IN_MATCH | IN_LEARN | IN_ANALYSIS},
    [ACTION_UNDO] =
        {.keys = {FN(KEY_F(4))},
         .label = "F4",
         .word = N_("take back"),
         .name = "F4",
         .help = N_(
             "take back your last move, if your opponent agrees; in a lesson, begin again; in "
             "an analysis, delete the move and what follows; setting up, clear the board"),
         .places = IN_MATCH | IN_LEARN | IN_ANALYSIS | IN_EDITOR},
    [ACTION_PROMOTE] = {.keys = {FN(KEY_F(5))},
                        .label = "F5",
                        .word = N_("main line"),
                        .name = "F5",
                        .help = N_("in an analysis: make the moves that lead here the main line"),
                        .places = IN_ANALYSIS},
    [ACTION_DRAW] = {.keys = {FN(KEY_F(5))},
                     .label = "F5",
                     .word = N_("draw"),
                     .name = "F5",
                     .help = N_("offer a draw"),
                     .places = IN_MATCH},
    [ACTION_RESIGN] = {.keys = {FN(KEY_F(8))},
                       .label = "F8",
                       .word = N_("resign"),
                       .name = "F8",
                       .help = N_("resign"),
                       .places = IN_MATCH},
    [ACTION_REMATCH] = {.keys = {CTRL('n')},
                        .label = "^N",
                        .word = N_("rematch"),
                        .name = N_("Ctrl-N"),
                        .help = N_("after the end: play again with colours swapped"),
                        .places = IN_MATCH},
    [ACTION_REVIEW] = {.keys = {FN(KEY_F(6))},
                       .label = "F6",
                       .word = N_("review"),
                       .name = "F6",
                       .help = N_("after the end: see where the game was lost"),
                       .places = IN_MATCH | IN_REPLAY},
    [ACTION_RETRY] = {.keys = {'r'},
                      .label = "r",
                      .word = N_("retry"),
                      .name = "r",
                      .help = N_("in a review, at a mistake: look for a better move yourself"),
                      .places = IN_REVIEW},
    [ACTION_ANALYSE] =
        {.keys = {CTRL('a')},
         .label = "^A",
         .word = N_("analyse"),
         .name = N_("Ctrl-A"),
         .help = N_("analyse from here: moves for both sides, variations, what a bot thinks"),
         .places = IN_MATCH | IN_REPLAY | IN_REVIEW | IN_LEARN},
    [ACTION_PLAY_ON] = {.keys = {'p'},
                        .label = "p",
                        .word = N_("play on"),
                        .name = "p",
                        .help = N_("in a replay or a review: play on from here against a bot or a "
                                   "person"),
                        .places = IN_REPLAY | IN_REVIEW},
    [ACTION_PLAY_ON_TYPING] =
        {.keys = {CTRL('e')},
         .label = "^E",
         .word = N_("play on"),
         .name = N_("Ctrl-E"),
         .help = N_("in a finished match, a lesson, a puzzle or an analysis: play on "
                    "from here against a bot or a person"),
         .places = IN_MATCH | IN_LEARN | IN_ANALYSIS},
    [ACTION_SAVE] = {.keys = {FN(KEY_F(7))},
                     .label = "F7",
                     .word = N_("save"),
                     .name = "F7",
                     .help = N_("save as PGN (with the review, once there is one)"),
                     .places = IN_RECORDS},
    [ACTION_EARLIER] = {.keys = {'<', ','},
                        .label = "<",
                        .word = N_("back"),
                        .name = N_("< >, comma, dot"),
                        .help = N_("step back and forward through the moves, or the lessons"),
                        .places = IN_MOVES},
    [ACTION_LATER] = {.keys = {'>', '.'}, .label = ">", .word = N_("forward"), .places = IN_MOVES},
    [ACTION_SET_UP] = {.keys = {FN(KEY_F(8))},
                       .label = "F8",
                       .word = N_("set up"),
                       .name = "F8",
                       .help = N_("in an analysis: set up a position, piece by piece"),
                       .places = IN_ANALYSIS},
    [ACTION_FLIP] = {.keys = {CTRL('f')},
                     .label = "^F",
                     .word = N_("flip"),
                     .name = N_("Ctrl-F"),
                     .help = N_("turn the board"),
                     .places = IN_RECORDS | IN_EDITOR},
    [ACTION_OVERLAY] = {.keys = {CTRL('o')},
                        .label = "^O",
                        .word = N_("marks"),
                        .name = N_("Ctrl-O"),
                        .help = N_("marks of this game on the board, on/off"),
                        .places = IN_RECORDS},
    [ACTION_SIZE] = {.keys = {FN(KEY_F(9))},
                     .label = "F9",
                     .word = N_("size"),
                     .name = N_("F9, Ctrl +/-"),
                     .help = N_("the next size of the board, a larger, a smaller one"),
                     .places = IN_BOARDS},
    [ACTION_LARGER] = {.keys = {CONTROL_PLUS}, .label = N_("Ctrl-+"), .places = IN_BOARDS},
    [ACTION_SMALLER] = {.keys = {CONTROL_MINUS, CTRL('_')},
                        .label = N_("Ctrl--"),
                        .places = IN_BOARDS},
    [ACTION_LOG] = {.keys = {CTRL('g')},
                    .label = "^G",
                    .word = N_("messages"),
                    .name = N_("Ctrl-G"),
                    .help = N_("show all messages of this match"),
                    .places = IN_MATCH},
    [ACTION_THEME] = {.keys = {CTRL('t')},
                      .label = "^T",
                      .name = N_("Ctrl-T"),
                      .help = N_("change the colours"),
                      .places = EVERYWHERE},
    [ACTION_SYMBOLS] = {.keys = {CTRL('p')},
                        .label = "^P",
                        .name = N_("Ctrl-P"),
                        .help = N_("show pieces as symbols or as letters"),
                        .places = EVERYWHERE},
    [ACTION_BELL] = {.keys = {CTRL('b')},
                     .label = "^B",
                     .name = N_("Ctrl-B"),
                     .help = N_("bell when it is your turn, on/off"),
                     .places = EVERYWHERE},
    [ACTION_REDRAW] = {.keys = {CTRL('l')},
                       .label = "^L",
                       .name = N_("Ctrl-L"),
                       .help = N_("draw the screen again"),
                       .places = EVERYWHERE},
};

static bool row_has(const struct key_row *row, int key)
{
    for (int i = 0; i < KEYS_EACH; i++)
        if (row->keys[i] == key)
            return true;
    return false;
}

static enum action action_of(unsigned place, int key, bool asks)
{
    for (enum action action = ACTION_BACK; action < ACTIONS; action++)
        if ((key_rows[action].places & place) != 0 && row_has(&key_rows[action], key) &&
            (asks || (action != ACTION_YES && action != ACTION_NO)))
            return action;
    return ACTION_NONE;
}

struct press keys_press(unsigned place, int key, bool typing, bool asks)
{
    struct press press = {.key = key};
    bool letter = key > ' ' && key < 127 && isalpha(key) != 0;

    if (key == NO_KEY || (typing && key >= ' '))
        return press;
    press.action = action_of(place, key, asks);
    if (letter && (place & LETTERS_TYPED) != 0 && press.action != ACTION_YES &&
        press.action != ACTION_NO)
        press.action = ACTION_NONE;
    if (press.action == ACTION_NONE && key == ' ') /* nothing plays there that it could pause */
        press.action = action_of(place, FN(KEY_NPAGE), asks);
    const char *digit = key > ' ' && key < 127 ? strchr(digits, key) : NULL;
    if (press.action == ACTION_NONE && place == IN_MENU && digit != NULL) {
        press.action = ACTION_PICK;
        press.index = (int)(digit - digits);
    }
    return press;
}

char keys_digit(int index)
{
    return index >= 0 && index < (int)sizeof digits - 1 ? digits[index] : ' ';
}

static bool is_called(const struct key_row *row, const char *name, size_t length)
{
    char text[2];

    const char *label = _(row->label);

    if (strlen(label) == length && strncmp(label, name, length) == 0)
        return true;
    for (int i = 0; i < KEYS_EACH; i++) {
        /* A key as it is named in the help; text has room for a character. */
        text[0] = row->keys[i] > ' ' && row->keys[i] < 127 ? (char)row->keys[i] : '\0';
        text[1] = '\0';
        const char *word = row->keys[i] == ' '   ? _("Space")
                           : row->keys[i] == ',' ? _("comma")
                           : row->keys[i] == '.' ? _("dot")
                                                 : text;
        if (strlen(word) == length && strncmp(word, name, length) == 0)
            return true;
    }
    return false;
}

const char *keys_name(enum action action, unsigned place)
{
    const struct key_row *row = &key_rows[action];

    return (place & LETTERS_TYPED) != 0 && row->unlettered != NULL ? _(row->unlettered)
                                                                   : _(row->name);
}

enum action keys_named(enum action first, unsigned place, int column)
{
    const char *name = keys_name(first, place), *end = name;

    if (column < 0 || column >= (int)strlen(name))
        return first;
    for (const char *at = name + column; end <= at && *end != '\0';) {
        name = end + strspn(end, ", ");
        end = name + strcspn(name, ", ");
    }
    enum action action = first;
    do {
        if (is_called(&key_rows[action], name, (size_t)(end - name)))
            return action;
        action++;
    } while (action < ACTIONS && key_rows[action].name == NULL);
    return first;
}

void keyboard_add(struct keyboard *keyboard, int key)
{
    if (keyboard->count < KEYBOARD_MAX)
        keyboard->keys[keyboard->count++] = (struct key){.key = key};
}

enum { MOUSE_EVENTS_MAX = 8 }; /* as many as curses keeps */

static void add_mouse_event(struct keyboard *keyboard, const MEVENT *event)
{
    mmask_t state = event->bstate;
    int at = keyboard->count;

    if ((state & (BUTTON4_PRESSED | BUTTON5_PRESSED)) != 0)
        keyboard_add(keyboard, (state & BUTTON4_PRESSED) != 0 ? WHEEL_UP : WHEEL_DOWN);
    else
        keyboard_add(keyboard, (state & BUTTON1_RELEASED) != 0 ? MOUSE_DROP : FN(KEY_MOUSE));
    if (at < KEYBOARD_MAX) {
        keyboard->keys[at].y = event->y;
        keyboard->keys[at].x = event->x;
    }
}

/* Where several events have come together, curses tells once of them, and gives the last one
 * first. */
static void add_mouse(struct keyboard *keyboard)
{
    MEVENT events[MOUSE_EVENTS_MAX];
    int count = 0;

    while (count < MOUSE_EVENTS_MAX && getmouse(&events[count]) == OK)
        count++;
    while (count > 0)
        add_mouse_event(keyboard, &events[--count]);
}

/* What the terminal sends around a pasted text, as keys that curses does not use. */
enum { PASTE_BEGIN = KEY_MAX + 1000, PASTE_END };

/* What terminals send for Ctrl with + or - where they do not zoom with it: the old encoding has
 * only Ctrl-_ for the latter (the others send a mere + or -); the newer two, with Shift or without,
 * are those of xterm's modifyOtherKeys and of "CSI u". */
static void name_zoom_keys(void)
{
    static const char plus[] = {'+', '='};

    for (int i = 0; i < 4; i++) {
        char keys[24];
        int letter = plus[i % 2], modifier = i < 2 ? 5 : 6;
        snprintf(keys, sizeof keys, "\033[%d;%du", letter, modifier);
        define_key(keys, -CONTROL_PLUS);
        snprintf(keys, sizeof keys, "\033[27;%d;%d~", modifier, letter);
        define_key(keys, -CONTROL_PLUS);
    }
    define_key("\033[45;5u", -CONTROL_MINUS);
    define_key("\033[27;5;45~", -CONTROL_MINUS);
}

void keyboard_open(void)
{
    name_zoom_keys();
    define_key("\033[200~", PASTE_BEGIN);
    define_key("\033[201~", PASTE_END);
}

/* Adds a character of a pasted text. Line ends and tabs are blanks, a line end of two characters is
 * one; nothing else that is no character has a place in a line. */
static void add_pasted(struct keyboard *keyboard, wint_t letter, wint_t before)
{
    bool blank = letter == '\r' || letter == '\n' || letter == '\t';

    if (letter == '\n' && before == '\r')
        return;
    if (keyboard->count < KEYBOARD_MAX && (blank || (letter >= ' ' && letter != 127)))
        keyboard->keys[keyboard->count++] =
            (struct key){.key = blank ? ' ' : (int)letter, .pasted = true};
}

/* Escape with a character at once behind it is Alt and that character, which mean nothing here. */
bool keyboard_read(struct keyboard *keyboard)
{
    bool any = false, escape = false;
    wint_t letter, before = 0;
    int kind;

    for (; (kind = get_wch(&letter)) != ERR; any = true, before = letter) {
        if (kind == KEY_CODE_YES && (letter == PASTE_BEGIN || letter == PASTE_END)) {
            keyboard->pasting = letter == PASTE_BEGIN;
            continue;
        }
        if (keyboard->pasting && !(kind == KEY_CODE_YES && letter == KEY_MOUSE)) {
            if (kind == OK)
                add_pasted(keyboard, letter, before);
            continue; /* no key is one in there */
        }
        bool again = kind == OK && letter == ESCAPE_KEY;
        bool alt = escape && kind == OK && letter >= ' ';
        if (escape && !alt)
            keyboard_add(keyboard, ESCAPE_KEY);
        if (!again && !alt) {
            /* Add what get_wch() has read. */
            if (kind == OK)
                keyboard_add(keyboard, letter == '\n' ? ENTER_KEY : (int)letter);
            else if (letter == KEY_MOUSE)
                add_mouse(keyboard);
            else if (letter == KEY_ENTER)
                keyboard_add(keyboard, ENTER_KEY);
            else if (letter != KEY_RESIZE)
                keyboard_add(keyboard, FN((int)letter));
        }
        escape = again;
    }
    if (escape)
        keyboard_add(keyboard, ESCAPE_KEY);
    return any;
}

int keyboard_next(struct keyboard *keyboard)
{
    int key = keyboard->keys[0].key, y = keyboard->keys[0].y, x = keyboard->keys[0].x;

    if (keyboard->count == 0)
        return NO_KEY;
    keyboard->taken = keyboard->keys[0];
    keyboard->count--;
    memmove(keyboard->keys, keyboard->keys + 1, (size_t)keyboard->count * sizeof keyboard->keys[0]);
    if (key == MOUSE_DROP && y == keyboard->press_y && x == keyboard->press_x)
        return NO_KEY; /* the end of a click */
    if (key == FN(KEY_MOUSE) || key == MOUSE_DROP) {
        keyboard->mouse_y = y;
        keyboard->mouse_x = x;
    }
    if (key == FN(KEY_MOUSE)) {
        keyboard->press_y = y;
        keyboard->press_x = x;
    }
    return key;
}

void keyboard_return(struct keyboard *keyboard)
{
    if (keyboard->count == KEYBOARD_MAX)
        keyboard->count--;
    memmove(keyboard->keys + 1, keyboard->keys, (size_t)keyboard->count * sizeof keyboard->keys[0]);
    keyboard->keys[0] = keyboard->taken;
    keyboard->count++;
}

void keyboard_flush(struct keyboard *keyboard)
{
    flushinp();
    keyboard->count = 0;
    keyboard->pasting = false;
}
