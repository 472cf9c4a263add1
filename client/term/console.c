#include "console.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "wrap.h"

enum { USUAL_WIDTH = 80, NARROWEST = 20, INDENT = 4, PAGE_MARGINS = 2 };

static bool has_colors(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

    if (no_color != NULL && no_color[0] != '\0')
        return false;
    return isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

void console_open(struct console *console, struct input *input)
{
    console->input = input;
    console->front = NULL;
    console->color = has_colors();
}

/* The present width of the terminal in columns; 0 when standard output is not one. */
static int terminal_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col > NARROWEST ? size.ws_col : NARROWEST;
}

int console_width(const struct console *console)
{
    int width = terminal_width();

    return console->front != NULL ? width - PAGE_MARGINS : width;
}

/* All output goes through here. */
static void put(const struct console *console, const char *text)
{
    if (console->front != NULL)
        console->front->text(console->front->context, text);
    else
        fputs(text, stdout);
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

void console_say(struct console *console, const char *format, ...)
{
    va_list args;
    int width = terminal_width();

    input_hide(console->input);
    va_start(args, format);
    size_t size = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    va_end(args);
    char *text = xmalloc(size);
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
    if (width > 0 && console->front == NULL) {
        put_lines(text, width);
    } else {
        put(console, text);
        put(console, "\n");
    }
    free(text);
}

void console_text(struct console *console, const char *text)
{
    input_hide(console->input);
    put(console, text);
}

/* White is bold, black is magenta: both are readable on light and dark terminals. */
void console_letter(struct console *console, char letter, enum ink ink, bool marked)
{
    static const char *const codes[] = {[INK_PLAIN] = "",
                                        [INK_FAINT] = "\033[2m",
                                        [INK_WHITE] = "\033[1m",
                                        [INK_BLACK] = "\033[35m"};

    input_hide(console->input);
    if (console->color && console->front == NULL)
        printf("%s%s%c\033[0m", codes[ink], marked ? "\033[7m" : "", letter);
    else
        put(console, (char[]){letter, '\0'});
}
