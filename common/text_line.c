#include "text_line.h"

#include <string.h>

char *text_line_trim(char *text)
{
    char *end = text + strlen(text);

    while (end > text && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    return text + strspn(text, " \t");
}

bool text_line_setting(char *line, char **name, char **value, struct cause *cause)
{
    char *text = text_line_trim(line), *equals = strchr(text, '=');

    *name = NULL;
    if (*text == '\0' || *text == '#')
        return true;
    if (equals == NULL)
        return cause_set(cause, "'%.40s': not a setting: write name = value", text);
    *equals = '\0';
    *name = text_line_trim(text);
    *value = text_line_trim(equals + 1);
    return true;
}
