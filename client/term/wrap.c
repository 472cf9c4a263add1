#include "wrap.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

int wrap_columns(const char *text, size_t bytes)
{
    mbstate_t state = {0};
    int sum = 0;

    while (bytes > 0) {
        wchar_t letter;
        size_t used = mbrtowc(&letter, text, bytes, &state);
        bool shown = used > 0 && used <= bytes;
        int width = shown ? wcwidth(letter) : 1;
        if (!shown) { /* an invalid byte takes a column, too */
            used = 1;
            memset(&state, 0, sizeof state);
        }
        sum += width > 0 ? width : 0;
        text += used;
        bytes -= used;
    }
    return sum;
}

/* The end of the word that begins at or after `from`. */
static size_t end_of_word(const char *line, size_t from, size_t bytes)
{
    while (from < bytes && line[from] == ' ')
        from++;
    while (from < bytes && line[from] != ' ')
        from++;
    return from;
}

size_t wrap_row(const char *line, size_t bytes, int width)
{
    size_t end = end_of_word(line, 0, bytes);

    while (end < bytes) {
        size_t next = end_of_word(line, end, bytes);
        if (wrap_columns(line, next) > width)
            break;
        end = next;
    }
    return end;
}

int wrap_indent(const char *line, int width, int more)
{
    int first = (int)strspn(line, " "), indent = first;

    while (line[indent] != '\0' && line[indent] != '\n' && strncmp(line + indent, "  ", 2) != 0)
        indent++;
    bool table = line[indent] == ' ';
    indent += (int)strspn(line + indent, " ");
    if (!table || indent > width / 2)
        indent = first + more;
    return indent > width / 2 ? more : indent;
}
