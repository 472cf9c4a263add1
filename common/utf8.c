#include "utf8.h"

#include <string.h>

/* Whether the character may make a terminal reorder the text around it or end the line: Unicode's
 * property Bidi_Control, and the line and paragraph separators. */
static bool is_turning(unsigned code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Reads a well-formed character: its length in bytes, or 0. */
static size_t decode(const char *text, size_t length, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

    *code = first;
    if (bytes == 1)
        return 1;
    if (first < 0xc2 || first > 0xf4 || bytes > length)
        return 0;
    *code = first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (text[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code >= least[bytes] && *code <= 0x10ffff && !surrogate ? bytes : 0;
}

size_t utf8_length(const char *text, size_t length)
{
    unsigned code;

    return decode(text, length, &code);
}

size_t utf8_character(const char *text, size_t length)
{
    unsigned code;
    size_t bytes = decode(text, length, &code);
    bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);

    return control || is_turning(code) ? 0 : bytes;
}

bool utf8_is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t bytes = utf8_character(text + i, length - i);
        if (bytes == 0)
            return false;
        i += bytes;
    }
    return true;
}

void utf8_clean(char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; i < length;) {
        size_t bytes = utf8_character(text + i, length - i);
        if (bytes == 0)
            text[i++] = '?';
        else
            i += bytes;
    }
}
