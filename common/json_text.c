#include "json_text.h"

#include <string.h>

#include "number.h"

struct json_text json_begin(char *space, size_t size)
{
    return (struct json_text){.bytes = space, .size = size, .overflowed = size == 0};
}

void json_raw(struct json_text *json, const char *bytes, size_t length)
{
    if (json->overflowed || length >= json->size - json->length) {
        json->overflowed = true; /* there is always room for the final NUL */
        return;
    }
    memcpy(json->bytes + json->length, bytes, length);
    json->length += length;
}

static void put(struct json_text *json, char byte)
{
    json_raw(json, &byte, 1);
}

/* A character that cannot stand for itself in a string. */
static void put_escaped(struct json_text *json, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    const char code[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    if (c < ' ') {
        json_raw(json, code, sizeof code);
        return;
    }
    put(json, '\\');
    put(json, (char)c);
}

static bool needs_escape(unsigned char c)
{
    return c < ' ' || c == '"' || c == '\\';
}

static void put_string(struct json_text *json, const char *text)
{
    put(json, '"');
    while (*text != '\0') {
        size_t plain = 0;
        while (text[plain] != '\0' && !needs_escape((unsigned char)text[plain]))
            plain++;
        json_raw(json, text, plain);
        text += plain;
        if (*text != '\0')
            put_escaped(json, (unsigned char)*text++);
    }
    put(json, '"');
}

/* What stands before a value: the comma after the last one, and its name. */
static void begin_value(struct json_text *json, const char *name)
{
    char last = json->length > 0 ? json->bytes[json->length - 1] : '{';

    if (last != '{' && last != '[')
        put(json, ',');
    if (name == NULL)
        return;
    put(json, '"');
    json_raw(json, name, strlen(name));
    json_raw(json, "\":", 2);
}

void json_open(struct json_text *json, const char *name, char bracket)
{
    begin_value(json, name);
    put(json, bracket);
}

void json_close(struct json_text *json, char bracket)
{
    put(json, bracket);
}

void json_string(struct json_text *json, const char *name, const char *text)
{
    if (text == NULL) {
        json_null(json, name);
        return;
    }
    begin_value(json, name);
    put_string(json, text);
}

void json_integer(struct json_text *json, const char *name, int64_t value)
{
    char digits[NUMBER_DIGITS_MAX];

    begin_value(json, name);
    if (value < 0)
        put(json, '-');
    json_raw(json, digits, number_format(value < 0 ? -(uint64_t)value : (uint64_t)value, digits));
}

void json_bool(struct json_text *json, const char *name, bool value)
{
    begin_value(json, name);
    json_raw(json, value ? "true" : "false", value ? 4 : 5);
}

void json_null(struct json_text *json, const char *name)
{
    begin_value(json, name);
    json_raw(json, "null", 4);
}

bool json_finish(struct json_text *json)
{
    if (json->size > 0)
        json->bytes[json->length] = '\0';
    return !json->overflowed;
}
