#include "json_text.h"

enum { ESCAPE_MAX = 6 }; /* bytes of a character */

/* Writes a character that needs an escape, and returns what follows it. */
static char *put_escaped(char *at, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    const char code[ESCAPE_MAX] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    if (c < ' ') {
        memcpy(at, code, sizeof code);
        return at + sizeof code;
    }
    *at++ = '\\';
    *at++ = (char)c;
    return at;
}

void json_string(struct buffer *json, const char *name, const char *text)
{
    if (text == NULL) {
        json_null(json, name);
        return;
    }
    char *at = json_begin(json, name, ESCAPE_MAX * strlen(text) + 2);
    *at++ = '"';
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\')
            at = put_escaped(at, (unsigned char)*text);
        else
            *at++ = *text;
    *at++ = '"';
    json_end(json, at);
}

char *json_put_number(char *at, int64_t value)
{
    if (value >= 0)
        return at + number_format((uint64_t)value, at);
    *at++ = '-';
    return at + number_format(-(uint64_t)value, at);
}

void json_hundredths(struct buffer *json, const char *name, int64_t value)
{
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, rest = size % 100;
    char *at = json_begin(json, name, 1 + NUMBER_DIGITS_MAX + 3);

    if (value < 0)
        *at++ = '-';
    at += number_format(size / 100, at);
    if (rest > 0) {
        *at++ = '.';
        *at++ = (char)('0' + rest / 10);
        if (rest % 10 > 0)
            *at++ = (char)('0' + rest % 10);
    }
    json_end(json, at);
}
