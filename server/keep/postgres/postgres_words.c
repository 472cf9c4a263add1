#include "postgres_words.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DOUBLE_PLACES = 13, EXPONENT_MAX = 10000 }; /* of numbers as "%a" writes them */

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

/* The value of a digit of a number to this base; the base if it is none. */
static unsigned digit(char c, unsigned base)
{
    unsigned value = c >= 'a' ? (unsigned)(c - 'a') + 10 : (unsigned)(c - '0');

    return value < base ? value : base;
}

/* Reads a number as "%a" writes it, exactly; *end behind it, or at its start if it is none. */
static double read_hex(const char *start, const char **end)
{
    const char *at = start + strlen("0x");
    uint64_t digits = 0;
    int places = 0, exponent = 0;

    *end = start;
    for (bool point = false; digit(*at, 16) < 16 || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        digits = digits << 4 | digit(*at, 16);
        places += point;
    }
    if (*at != 'p' || (at[1] != '+' && at[1] != '-') || places > DOUBLE_PLACES)
        return 0;
    bool negative = at[1] == '-';
    for (at += 2; digit(*at, 10) < 10 && exponent < EXPONENT_MAX; at++)
        exponent = 10 * exponent + (int)digit(*at, 10);
    if (at[-1] >= '0' && at[-1] <= '9')
        *end = at;
    return ldexp((double)digits, (negative ? -exponent : exponent) - 4 * places);
}

/* Hexadecimal numbers are by far the most, and strtod() takes ten times as long. */
double words_real(struct words *words)
{
    const char *start = begin(words), *at;
    double number;

    if (strncmp(start, "0x", 2) == 0)
        number = read_hex(start, &at);
    else
        number = strtod(start, (char **)&at);
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

void words_skip_line(struct words *words)
{
    if (words->at != NULL)
        words->at += strcspn(words->at, "\n");
}
