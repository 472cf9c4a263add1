#include "said.h"

#include <stdio.h>
#include <string.h>

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
