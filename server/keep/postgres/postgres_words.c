#include "postgres_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_end(char c)
{
    return c == ' ' || c == '\n' || c == '\0';
}

/* Begins the next word. Returns it; "" if there is none. */
static const char *begin(const struct words *words)
{
    const char *at = words->at != NULL ? words->at : "";

    return at + (*at == ' ');
}

/* Ends a word. */
static void end(struct words *words, const char *start, const char *at)
{
    words->at = at != start && is_end(*at) ? at : NULL;
}

int64_t words_integer(struct words *words)
{
    const char *start = begin(words), *at = start + (*start == '-'), *digits = at;
    uint64_t number = 0;

    for (; *at >= '0' && *at <= '9'; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    end(words, digits, at);
    if (words->at == NULL)
        return 0;
    return (int64_t)(digits > start ? -number : number);
}

double words_real(struct words *words)
{
    const char *start = begin(words);
    char *at;
    double number = strtod(start, &at);

    end(words, start, at);
    return words->at != NULL ? number : 0;
}

void words_text(struct words *words, char *text, size_t size)
{
    const char *start = begin(words), *at = start;

    while (!is_end(*at))
        at++;
    if ((size_t)(at - start) >= size)
        at = start;
    end(words, start, at);
    memcpy(text, start, (size_t)(at - start));
    text[at - start] = '\0';
}
