/* The table of keys: no key means two things in one place, and the man page has every row. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/ludus/screen/stage/keys.h"
#include "common/text.h"

enum { MANUAL_MAX = 100000, ENTRY_MAX = 400 };

static bool is_asked(enum action action)
{
    return action == ACTION_YES || action == ACTION_NO;
}

/* In each place a key finds the row that has it, with a question or without. */
static void check_row(enum action action, unsigned place)
{
    const struct key_row *row = &key_rows[action];

    for (int i = 0; i < KEYS_EACH && row->keys[i] != NO_KEY; i++) {
        int key = row->keys[i];
        bool is_letter = key > ' ' && key < 127 && isalpha(key) != 0;
        bool is_text = is_letter && (place & LETTERS_TYPED) != 0 && !is_asked(action);
        struct press press = keys_press(place, key, false, is_asked(action));
        CHECK_THAT(press.action == (is_text ? ACTION_NONE : action),
                   "%s in %#x is another action, %d", row->label, place, press.action);
        press = keys_press(place, row->keys[i], true, false);
        bool is_character = key >= ' ';
        CHECK_THAT(is_asked(action) || (press.action == ACTION_NONE) == is_character,
                   "%s while typing", row->label);
    }
}

static void check_rows(void)
{
    for (enum action action = ACTION_BACK; action < ACTIONS; action++) {
        const struct key_row *row = &key_rows[action];
        CHECK_THAT(row->label != NULL && row->places != 0, "action %d has no row", action);
        CHECK_THAT((row->name == NULL) == (row->help == NULL), "%s: a name needs a sentence",
                   row->label);
        for (unsigned place = IN_MENU; place < EVERYWHERE; place <<= 1)
            if ((row->places & place) != 0)
                check_row(action, place);
    }
}

/* Each place can be left and explained. */
static void check_places(void)
{
    for (unsigned place = IN_MENU; place < EVERYWHERE; place <<= 1) {
        CHECK_THAT(keys_press(place, ESCAPE_KEY, true, false).action == ACTION_BACK, "Esc");
        CHECK_THAT(keys_press(place, FN(KEY_F(1)), true, false).action == ACTION_HELP, "F1");
        CHECK_THAT(keys_press(place, FN(KEY_F(2)), true, false).action == ACTION_RULES, "F2");
        CHECK_THAT(keys_press(place, FN(KEY_MOUSE), true, false).action == ACTION_CLICK, "mouse");
    }
}

/* The digits and letters of menus choose the rows that show them. */
static void check_digits(void)
{
    for (int index = 0; keys_digit(index) != ' '; index++) {
        struct press press = keys_press(IN_MENU, keys_digit(index), false, false);
        CHECK_THAT(press.action == ACTION_PICK && press.index == index, "row %d", index);
        CHECK_THAT(keys_press(IN_MATCH, keys_digit(index), false, false).action == ACTION_NONE,
                   "%c is text in a match", keys_digit(index));
    }
    CHECK_THAT(keys_press(IN_MENU, '0', false, false).action == ACTION_NONE, "0 has no row");
    CHECK_THAT(keys_digit(-1) == ' ' && keys_digit(99) == ' ', "rows without a letter");
}

/* A click on a key in the help is a press of that key. */
static void check_names(void)
{
    static const struct {
        enum action row;
        int column;
        enum action action;
        unsigned place;
    } cases[] = {
        {ACTION_FIRST, 0, ACTION_FIRST, IN_MENU},
        {ACTION_FIRST, 3, ACTION_FIRST, IN_MENU},
        {ACTION_FIRST, 6, ACTION_LAST, IN_MENU},
        {ACTION_FIRST, 40, ACTION_FIRST, IN_MENU},
        {ACTION_PAGE_UP, 8, ACTION_PAGE_DOWN, IN_MENU},
        {ACTION_PAUSE, 2, ACTION_PAUSE, IN_MENU},
        {ACTION_PAUSE, 7, ACTION_FASTER, IN_MENU},
        {ACTION_PAUSE, 10, ACTION_SLOWER, IN_MENU},
        {ACTION_UP, 2, ACTION_UP, IN_MENU},
        {ACTION_UP, 8, ACTION_LEFT, IN_MENU},
        {ACTION_UP, 10, ACTION_DOWN, IN_MENU},
        {ACTION_UP, 14, ACTION_RIGHT, IN_MENU},
        {ACTION_UP, 14, ACTION_UP, IN_MATCH},
        {ACTION_BACK, 5, ACTION_BACK, IN_LEARN},
        {ACTION_NEXT, 9, ACTION_PREVIOUS, IN_MENU},
        {ACTION_EARLIER, 2, ACTION_LATER, IN_MENU},
        {ACTION_EARLIER, 12, ACTION_LATER, IN_MENU},
        {ACTION_YES, 3, ACTION_NO, IN_MENU},
        {ACTION_BACK, -1, ACTION_BACK, IN_MENU},
        {ACTION_BELL, 2, ACTION_BELL, IN_MENU},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        CHECK_THAT(keys_named(cases[i].row, cases[i].place, cases[i].column) == cases[i].action,
                   "%s, column %d", keys_name(cases[i].row, cases[i].place), cases[i].column);
    }
}

/* Adds text to an entry. In the manual a word that is punctuation needs an escape, and lines break
 * at 80 columns. */
static void add_text(char entry[ENTRY_MAX], const char *text, int width)
{
    size_t used = strlen(entry);
    const char *line = strrchr(entry, '\n') + 1;

    for (const char *word = text; *word != '\0' && used < ENTRY_MAX - 8;) {
        size_t length = strcspn(word, " ");
        bool first = entry + used == line;
        if (!first && entry + used - line + 1 + (int)length > width) {
            entry[used++] = '\n';
            line = entry + used;
        } else if (!first) {
            entry[used++] = ' ';
        }
        used += (size_t)snprintf(entry + used, ENTRY_MAX - used, "%s%.*s",
                                 word[0] == '?' ? "\\&" : "", (int)length, word);
        word += length + strspn(word + length, " ");
    }
    entry[used] = '\0';
}

/* Writes a row as the manual has it. */
static void write_entry(const struct key_row *row, char entry[ENTRY_MAX])
{
    char sentence[ENTRY_MAX];

    snprintf(entry, ENTRY_MAX, "\n.It");
    add_text(entry, _(row->name), 80);
    snprintf(entry + strlen(entry), ENTRY_MAX - strlen(entry), "\n");
    snprintf(sentence, sizeof sentence, "%c%s.\n", toupper((unsigned char)row->help[0]),
             row->help + 1);
    add_text(entry, sentence, 80);
}

/* Where letters are text, no row names one as a key. */
static void check_letters(void)
{
    for (enum action action = ACTION_BACK; action < ACTIONS; action++) {
        const struct key_row *row = &key_rows[action];
        unsigned place = row->places & LETTERS_TYPED;
        if (row->name == NULL || place == 0 || is_asked(action))
            continue;
        const char *name = keys_name(action, place);
        for (const char *at = name; *at != '\0'; at++)
            CHECK_THAT(!isalpha((unsigned char)*at) || isalnum((unsigned char)at[1]) ||
                           (at > name && isalnum((unsigned char)at[-1])) ||
                           (at > name && at[-1] == '-'),
                       "\"%s\" names a letter where letters are text", name);
    }
}

static void check_manual(void)
{
    static char manual[MANUAL_MAX];
    char entry[ENTRY_MAX];
    FILE *file = fopen("client/ludus.6", "r");

    CHECK_THAT(file != NULL, "client/ludus.6 cannot be read");
    if (file == NULL)
        return;
    manual[fread(manual, 1, sizeof manual - 1, file)] = '\0';
    fclose(file);
    const char *at = manual;
    for (enum action action = ACTION_BACK; action < ACTIONS; action++) {
        if (key_rows[action].name == NULL)
            continue;
        write_entry(&key_rows[action], entry);
        const char *found = strstr(at, entry);
        CHECK_THAT(found != NULL, "client/ludus.6 lacks, in this order:\n%s", entry);
        at = found != NULL ? found : at;
    }
}

int main(void)
{
    check_rows();
    check_places();
    check_digits();
    check_names();
    check_letters();
    check_manual();
    return check_end("test_keys");
}
