#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

void lines_add(struct lines *lines, const char *line)
{
    if (lines->count == LINES_MAX) {
        free(lines->texts[0]);
        memmove(lines->texts, lines->texts + 1, (LINES_MAX - 1) * sizeof lines->texts[0]);
        lines->count--;
    }
    lines->texts[lines->count++] = xstrdup(line);
    lines->total++;
}

void lines_write(struct lines *lines, const char *text)
{
    for (;;) {
        size_t bytes = strcspn(text, "\n"), used = strlen(lines->begun);
        snprintf(lines->begun + used, sizeof lines->begun - used, "%.*s", (int)bytes, text);
        if (text[bytes] == '\0')
            return;
        lines_add(lines, lines->begun);
        lines->begun[0] = '\0';
        text += bytes + 1;
    }
}

void lines_clear(struct lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->texts[i]);
    lines->count = 0;
    lines->begun[0] = '\0';
}
