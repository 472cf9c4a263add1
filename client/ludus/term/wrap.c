#include "wrap.h"

#include <stdbool.h>
#include <string.h>

#include "common/text.h"

const char *wrap_letter(const char *text, size_t bytes, wchar_t *letter, int *width)
{
    mbstate_t state = {0};
    size_t whole = utf8_length(text, bytes); /* in a locale without UTF-8, too */
    size_t used = mbrtowc(letter, text, bytes, &state);

    *width = whole > 0 && used == whole ? wcwidth(*letter) : -1;
    if (*width < 0) {
        *letter = L'?';
        *width = 1;
    }
    return text + (whole > 0 ? whole : 1);
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

/* The end of the letter that the text begins with, and of the marks on it. */
static const char *end_of_letter(const char *text, const char *end, int *width)
{
    int mark_width = 0;
    wchar_t letter;

    text = wrap_letter(text, (size_t)(end - text), &letter, width);
    while (text < end) {
        const char *next = wrap_letter(text, (size_t)(end - text), &letter, &mark_width);
        if (mark_width > 0)
            break;
        text = next;
    }
    return text;
}

const char *wrap_cut(const char *text, int width, char *copy, size_t size)
{
    size_t bytes = strlen(text), kept = 0;
    int left = width - 1, letter_width; /* but for the mark of the cut */

    if (bytes < size && wrap_columns(text, bytes) <= width) {
        memcpy(copy, text, bytes + 1);
        return copy;
    }
    while (kept < bytes) {
        size_t end = (size_t)(end_of_letter(text + kept, text + bytes, &letter_width) - text);
        left -= letter_width;
        if (left < 0 || end + 2 > size)
            break;
        kept = end;
    }
    memcpy(copy, text, kept);
    memcpy(copy + kept, "~", 2);
    return copy;
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
