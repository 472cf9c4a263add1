#include "screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "wrap.h"

enum { LINE_COLUMNS = 76, USUAL_WIDTH = 80, NARROWEST = 20, INDENT = 4 };

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
    screen->front = NULL;
    screen->color = has_colors();
}

/* The columns of the terminal as they are now; 0 when standard output is none. */
static int terminal_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col > NARROWEST ? size.ws_col : NARROWEST;
}

/* Everything that is written goes through here. */
static void put(const struct screen *screen, const char *text)
{
    if (screen->front != NULL)
        screen->front->text(screen->front->context, text);
    else
        fputs(text, stdout);
}

/* The same for a part of a text. */
static void put_part(const struct screen *screen, const char *text, int length)
{
    char *part = strndup(text, (size_t)length);

    if (part != NULL)
        put(screen, part);
    free(part);
}

/* Writes one line in rows of at most `width` columns. */
static void put_line(const char *line, size_t bytes, int width)
{
    int indent = wrap_indent(line, width, INDENT), left = width;

    while (bytes > 0) {
        size_t row = wrap_row(line, bytes, left);
        printf("%.*s\n", (int)row, line);
        line += row;
        bytes -= row;
        size_t spaces = strspn(line, " ");
        spaces = spaces < bytes ? spaces : bytes;
        line += spaces;
        bytes -= spaces;
        if (bytes > 0)
            printf("%*s", indent, "");
        left = width - indent;
    }
}

/* Writes all lines of a text. */
static void put_lines(const char *text, int width)
{
    size_t bytes;

    for (;; text += bytes + 1) {
        bytes = strcspn(text, "\n");
        if (bytes > 0)
            put_line(text, bytes, width);
        else
            putchar('\n');
        if (text[bytes] == '\0')
            return;
    }
}

void screen_say(struct screen *screen, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    int width = terminal_width();

    input_hide(screen->input);
    va_start(args, format);
    int bytes = vasprintf(&text, format, args);
    va_end(args);
    if (bytes < 0)
        return; /* out of memory */
    if (width > 0 && screen->front == NULL) {
        put_lines(text, width);
    } else {
        put(screen, text);
        put(screen, "\n");
    }
    free(text);
}

void screen_text(struct screen *screen, const char *text)
{
    input_hide(screen->input);
    put(screen, text);
}

/* White stands out in bold, black in magenta: both can be read on light and dark terminals. */
void screen_letter(struct screen *screen, char letter, enum ink ink, bool marked)
{
    static const char *const codes[] = {[INK_PLAIN] = "",
                                        [INK_FAINT] = "\033[2m",
                                        [INK_WHITE] = "\033[1m",
                                        [INK_BLACK] = "\033[35m"};

    input_hide(screen->input);
    if (screen->color && screen->front == NULL)
        printf("%s%s%c\033[0m", codes[ink], marked ? "\033[7m" : "", letter);
    else
        put(screen, (char[]){letter, '\0'});
}

/* Writes a word at the given column, or at the beginning of the next line when it does not fit;
 * returns the column behind it. */
static int put_word(struct screen *screen, const char *word, int length, int column)
{
    int width = terminal_width();

    if (width == 0 || width > LINE_COLUMNS)
        width = LINE_COLUMNS;
    if (column > 0 && column + 1 + length > width) {
        screen_text(screen, "\n");
        column = 0;
    }
    screen_text(screen, column > 0 ? " " : "  ");
    put_part(screen, word, length);
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
