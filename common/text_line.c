#include "text_line.h"

#include <string.h>

char *text_line_trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    return text + strspn(text, " \t");
}

void text_line_squeeze(char *text)
{
    static const char blanks[] = " \t\r\n\v\f";
    const char *word = text + strspn(text, blanks);
    char *end = text;

    while (*word != '\0') {
        size_t length = strcspn(word, blanks);
        if (end > text)
            *end++ = ' ';
        memmove(end, word, length);
        end += length;
        word += length;
        word += strspn(word, blanks);
    }
    *end = '\0';
}

/* Takes off the quotes of a value that is quoted as a whole. */
static char *unquote(char *value)
{
    size_t length = strlen(value);
    char quote = value[0];

    if ((quote != '"' && quote != '\'') || length < 2 ||
        strchr(value + 1, quote) != value + length - 1)
        return value;
    value[length - 1] = '\0';
    return value + 1;
}

bool text_line_setting(char *line, char **name, char **value, struct cause *cause)
{
    static const char mark[] = "\xef\xbb\xbf"; /* a byte order mark: some editors begin files so */
    bool marked = strncmp(line, mark, sizeof mark - 1) == 0;
    char *text = text_line_trim(marked ? line + sizeof mark - 1 : line);
    char *equals = strchr(text, '=');

    *name = NULL;
    if (*text == '\0' || *text == '#')
        return true;
    if (equals == NULL)
        return cause_set(cause, "'%.40s': not a setting: write name = value", text);
    *equals = '\0';
    *name = text_line_trim(text);
    *value = unquote(text_line_trim(equals + 1));
    return true;
}
