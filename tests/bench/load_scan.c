#include "load_scan.h"

#include <string.h>

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r");
}

/* Returns the end of the string whose quote `at` points to; NULL when it does not end. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        if (*at == '\\')
            at++;
        if (*at == '\0')
            return NULL;
    }
    return at + 1;
}

/* Returns the end of the object or array that begins at `at`; NULL when it does not end. */
static const char *skip_nested(const char *at)
{
    int depth = 0;

    do {
        if (*at == '"') {
            at = skip_string(at);
            if (at == NULL)
                return NULL;
            continue;
        }
        if (*at == '\0')
            return NULL;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth > 0);
    return at;
}

static const char *skip_value(const char *at)
{
    if (*at == '"')
        return skip_string(at);
    if (*at == '{' || *at == '[')
        return skip_nested(at);
    size_t length = strcspn(at, ",}] \t\r");
    return length > 0 ? at + length : NULL;
}

/* Returns a value as a span, a string without its quotes. */
static struct span value_span(const char *start, const char *end)
{
    if (*start == '"')
        return (struct span){start + 1, (size_t)(end - start) - 2};
    return (struct span){start, (size_t)(end - start)};
}

static void keep(struct message_fields *fields, struct span name, struct span value)
{
    const struct {
        const char *name;
        struct span *field;
    } wanted[] = {{"type", &fields->type},   {"id", &fields->id},         {"cmd", &fields->cmd},
                  {"match", &fields->match}, {"status", &fields->status}, {"ply", &fields->ply},
                  {"legal", &fields->legal}, {"token", &fields->token}};

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (span_is(name, wanted[i].name))
            *wanted[i].field = value;
}

/* Reads `"name":value` and returns its end; NULL when it is malformed. */
static const char *scan_member(const char *at, struct message_fields *fields)
{
    if (*at != '"')
        return NULL;
    const char *name_end = skip_string(at);
    if (name_end == NULL)
        return NULL;
    const char *colon = skip_space(name_end);
    if (*colon != ':')
        return NULL;
    const char *value = skip_space(colon + 1);
    const char *value_end = skip_value(value);
    if (value_end == NULL)
        return NULL;
    keep(fields, value_span(at, name_end), value_span(value, value_end));
    return skip_space(value_end);
}

bool scan_message(const char *line, struct message_fields *fields)
{
    const char *at = skip_space(line);

    *fields = (struct message_fields){0};
    if (*at != '{')
        return false;
    at = skip_space(at + 1);
    while (*at != '}') {
        at = scan_member(at, fields);
        if (at == NULL || (*at != ',' && *at != '}'))
            return false;
        if (*at == ',')
            at = skip_space(at + 1);
    }
    return *skip_space(at + 1) == '\0';
}

bool span_is(struct span span, const char *text)
{
    return span.start != NULL && strlen(text) == span.length &&
           memcmp(span.start, text, span.length) == 0;
}

bool span_copy(struct span span, char *text, size_t size)
{
    if (span.start == NULL || span.length >= size || memchr(span.start, '\\', span.length) != NULL)
        return false;
    memcpy(text, span.start, span.length);
    text[span.length] = '\0';
    return true;
}

/* Returns the end of the next quote; NULL when there is none. */
static const char *past_quote(const char *at, const char *end)
{
    const char *quote = memchr(at, '"', (size_t)(end - at));

    return quote != NULL ? quote + 1 : NULL;
}

int span_count(struct span array)
{
    int quotes = 0;

    if (array.start == NULL)
        return 0;
    for (size_t i = 0; i < array.length; i++)
        quotes += array.start[i] == '"';
    return quotes / 2;
}

struct span span_item(struct span array, int index)
{
    if (index < 0 || index >= span_count(array))
        return (struct span){0};
    const char *end = array.start + array.length;
    const char *start = past_quote(array.start, end);
    for (; index > 0; index--)
        start = past_quote(past_quote(start, end), end);
    return (struct span){start, (size_t)(past_quote(start, end) - 1 - start)};
}
