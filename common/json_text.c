#include "json_text.h"

#include <string.h>

#include "number.h"

/* Copies bytes to where there is room for them, and returns what follows there. */
static char *put(char *at, const char *bytes, size_t length)
{
    memcpy(at, bytes, length);
    return at + length;
}

/* Writes what stands before a value, the comma after the last one and its name, and returns where
 * its `length` bytes are to be written. */
static char *begin_value(struct buffer *json, const char *name, size_t length)
{
    char last = json->length > 0 ? json->bytes[json->length - 1] : '\n';
    size_t comma = last != '{' && last != '[' && last != '\n';
    size_t name_length = name != NULL ? strlen(name) : 0;
    char *at = buffer_extend(json, comma + (name != NULL ? name_length + 3 : 0) + length);

    if (comma > 0)
        *at++ = ',';
    if (name == NULL)
        return at;
    *at++ = '"';
    at = put(at, name, name_length);
    return put(at, "\":", 2);
}

static void write_value(struct buffer *json, const char *name, const char *bytes, size_t length)
{
    memcpy(begin_value(json, name, length), bytes, length);
}

void json_open(struct buffer *json, const char *name, char bracket)
{
    write_value(json, name, &bracket, 1);
}

void json_close(struct buffer *json, char bracket)
{
    buffer_add(json, &bracket, 1);
}

void json_word(struct buffer *json, const char *name, const char *text)
{
    if (text == NULL) {
        json_null(json, name);
        return;
    }
    size_t length = strlen(text);
    char *at = begin_value(json, name, length + 2);
    *at++ = '"';
    at = put(at, text, length);
    *at = '"';
}

/* Writes a character of a string to `out`, unless that is NULL; returns its length. */
static size_t put_character(unsigned char c, char *out)
{
    static const char hex[] = "0123456789abcdef";
    const char code[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    const char escaped[] = {'\\', (char)c};
    bool is_quoted = c == '"' || c == '\\';
    size_t length = c < ' ' ? sizeof code : 1 + (size_t)is_quoted;

    if (out != NULL)
        memcpy(out, c < ' ' ? code : escaped + !is_quoted, length);
    return length;
}

static bool needs_escapes(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\')
            return true;
    return false;
}

void json_string(struct buffer *json, const char *name, const char *text)
{
    size_t length = 2;

    if (text == NULL || !needs_escapes(text)) {
        json_word(json, name, text);
        return;
    }
    for (const char *c = text; *c != '\0'; c++)
        length += put_character((unsigned char)*c, NULL);
    char *at = begin_value(json, name, length);
    *at++ = '"';
    for (; *text != '\0'; text++)
        at += put_character((unsigned char)*text, at);
    *at = '"';
}

void json_integer(struct buffer *json, const char *name, int64_t value)
{
    char digits[1 + NUMBER_DIGITS_MAX] = "-";
    size_t sign = value < 0;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;

    write_value(json, name, digits, sign + number_format(size, digits + sign));
}

void json_hundredths(struct buffer *json, const char *name, int64_t value)
{
    char digits[2 + NUMBER_DIGITS_MAX + 3];
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value, rest = size % 100;
    size_t length = value < 0;

    digits[0] = '-';
    length += number_format(size / 100, digits + length);
    if (rest > 0) {
        digits[length++] = '.';
        digits[length++] = (char)('0' + rest / 10);
        if (rest % 10 > 0)
            digits[length++] = (char)('0' + rest % 10);
    }
    write_value(json, name, digits, length);
}

void json_bool(struct buffer *json, const char *name, bool value)
{
    write_value(json, name, value ? "true" : "false", value ? 4 : 5);
}

void json_null(struct buffer *json, const char *name)
{
    write_value(json, name, "null", 4);
}
