#include "json_text.h"

#include "number.h"

enum { ESCAPE_MAX = 6 }; /* bytes of a character */

/* Copies bytes to where there is room for them, and returns what follows there. */
static char *put(char *at, const char *bytes, size_t length)
{
    memcpy(at, bytes, length);
    return at + length;
}

/* Writes what stands before a value, the comma after the last one and its name, and returns where
 * the value is to be written, with room for `length` bytes. */
static char *begin_value(struct buffer *json, const char *name, size_t name_length, size_t length)
{
    char *at = buffer_room(json, sizeof ",\"\":" + name_length + length);
    char last = json->length > 0 ? at[-1] : '\n';

    if (last != '{' && last != '[' && last != '\n')
        *at++ = ',';
    if (name == NULL)
        return at;
    *at++ = '"';
    at = put(at, name, name_length);
    return put(at, "\":", 2);
}

/* The value ends there. */
static void end_value(struct buffer *json, const char *end)
{
    json->length = (size_t)(end - json->bytes);
}

void json_value(struct buffer *json, const char *name, size_t name_length, const char *value,
                size_t length)
{
    end_value(json, put(begin_value(json, name, name_length, length), value, length));
}

void json_quoted(struct buffer *json, const char *name, size_t name_length, const char *text,
                 size_t length)
{
    char *at = begin_value(json, name, name_length, length + 2);

    *at++ = '"';
    at = put(at, text, length);
    *at++ = '"';
    end_value(json, at);
}

void json_close(struct buffer *json, char bracket)
{
    buffer_add(json, &bracket, 1);
}

/* Writes a character that needs an escape, and returns what follows it. */
static char *put_escaped(char *at, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    const char code[ESCAPE_MAX] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    if (c < ' ')
        return put(at, code, sizeof code);
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
    char *at = begin_value(json, name, json_name_length(name), ESCAPE_MAX * strlen(text) + 2);
    *at++ = '"';
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\')
            at = put_escaped(at, (unsigned char)*text);
        else
            *at++ = *text;
    *at++ = '"';
    end_value(json, at);
}

/* Writes a number, and returns what follows it. */
static char *put_number(char *at, uint64_t number)
{
    return at + number_format(number, at);
}

static char *put_sign(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return at;
}

static uint64_t size_of(int64_t value)
{
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void json_number(struct buffer *json, const char *name, size_t name_length, int64_t value)
{
    char *at = begin_value(json, name, name_length, 1 + NUMBER_DIGITS_MAX);

    end_value(json, put_number(put_sign(at, value), size_of(value)));
}

void json_hundredths(struct buffer *json, const char *name, int64_t value)
{
    uint64_t size = size_of(value), rest = size % 100;
    char *at = begin_value(json, name, json_name_length(name), 1 + NUMBER_DIGITS_MAX + 3);

    at = put_number(put_sign(at, value), size / 100);
    if (rest > 0) {
        *at++ = '.';
        *at++ = (char)('0' + rest / 10);
        if (rest % 10 > 0)
            *at++ = (char)('0' + rest % 10);
    }
    end_value(json, at);
}
