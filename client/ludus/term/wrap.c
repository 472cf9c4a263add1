#include "wrap.h"

#include <stdbool.h>
#include <string.h>

const char *wrap_letter(const char *text, size_t bytes, wchar_t *letter, int *width)
{
    mbstate_t state = {0};
    size_t used = mbrtowc(letter, text, bytes, &state);
    bool valid = used > 0 && used <= bytes;

    *width = valid ? wcwidth(*letter) : -1;
    if (*width < 0) {
        *letter = L'?';
        *width = 1;
    }
    return text + (valid ? used : 1);
}

int wrap_columns(const char *text, size_t bytes)
{
    const char *end = text + bytes;
    wchar_t letter;
    int sum = 0, width;

    while (text < end) {
        text = wrap_letter(text, (size_t)(end - text), &letter, &width);
        sum += width;
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
