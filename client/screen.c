#include "screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_COLUMNS = 76 };

static bool has_colors(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

    if (no_color != NULL && no_color[0] != '\0')
        return false;
    return isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

void screen_open(struct screen *screen, struct input *input)
{
    screen->input = input;
    screen->color = has_colors();
}

void screen_say(struct screen *screen, const char *format, ...)
{
    va_list args;

    input_hide(screen->input);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

void screen_text(struct screen *screen, const char *text)
{
    input_hide(screen->input);
    fputs(text, stdout);
}

/* White stands out in bold, black in magenta: both can be read on light and dark terminals. */
void screen_letter(struct screen *screen, char letter, enum ink ink, bool marked)
{
    static const char *const codes[] = {[INK_PLAIN] = "",
                                        [INK_FAINT] = "\033[2m",
                                        [INK_WHITE] = "\033[1m",
                                        [INK_BLACK] = "\033[35m"};

    input_hide(screen->input);
    if (screen->color)
        printf("%s%s%c\033[0m", codes[ink], marked ? "\033[7m" : "", letter);
    else
        putchar(letter);
}

/* Writes a word at the given column, or at the beginning of the next line when it does not fit;
 * returns the column behind it. */
static int put_word(struct screen *screen, const char *word, int length, int column)
{
    if (column > 0 && column + 1 + length > LINE_COLUMNS) {
        screen_text(screen, "\n");
        column = 0;
    }
    screen_text(screen, column > 0 ? " " : "  ");
    printf("%.*s", length, word);
    return column + length + (column > 0 ? 1 : 2);
}

void screen_words(struct screen *screen, const cJSON *words)
{
    const cJSON *word;
    int column = 0;

    cJSON_ArrayForEach (word, words) {
        const char *text = cJSON_GetStringValue(word);
        if (text != NULL)
            column = put_word(screen, text, (int)strlen(text), column);
    }
    screen_text(screen, "\n");
}

void screen_paragraph(struct screen *screen, const char *text)
{
    int column = 0;

    while (*(text += strspn(text, " ")) != '\0') {
        int length = (int)strcspn(text, " ");
        column = put_word(screen, text, length, column);
        text += length;
    }
    screen_text(screen, "\n");
}
