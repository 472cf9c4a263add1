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

/* Assigns the lines from that number on to the match. */
static void note(struct said *said, long number, const char *match)
{
    for (; number < said->lines.total; number++)
        snprintf(said->matches[number % LINES_MAX], MATCH_ID_MAX, "%s", match);
}

void said_add(struct said *said, const char *match, const char *line)
{
    long before = said->lines.total;

    lines_add(&said->lines, line);
    note(said, before, match);
}

void said_write(struct said *said, const char *match, const char *text)
{
    long before = said->lines.total;

    lines_write(&said->lines, text);
    note(said, before, match);
}

bool said_in(const struct said *said, int i, const char *match)
{
    long number = said->lines.total - said->lines.count + i;

    return strcmp(said->matches[number % LINES_MAX], match) == 0;
}

void said_copy(const struct said *said, const char *match, struct lines *lines)
{
    for (int i = 0; i < said->lines.count; i++)
        if (said_in(said, i, match))
            lines_add(lines, said->lines.texts[i]);
}

void said_detach(struct said *said)
{
    memset(said->matches, 0, sizeof said->matches);
}
