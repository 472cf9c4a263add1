#include "http_request.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

/* A piece of the head. */
struct part {
    const char *text;
    size_t length;
};

size_t http_head_length(const char *bytes, size_t length)
{
    for (size_t at = 0; at < length; at++) {
        const char *end = memchr(bytes + at, '\n', length - at);
        if (end == NULL)
            return 0;
        at = (size_t)(end - bytes);
        size_t left = length - at - 1;
        if (left >= 1 && end[1] == '\n')
            return at + 2;
        if (left >= 2 && end[1] == '\r' && end[2] == '\n')
            return at + 3;
    }
    return 0;
}

/* Takes what stands before the first `separator`, and that, off the text. False without one. */
static bool take_until(struct part *text, char separator, struct part *part)
{
    const char *end = memchr(text->text, separator, text->length);

    if (end == NULL)
        return false;
    *part = (struct part){text->text, (size_t)(end - text->text)};
    text->text += part->length + 1;
    text->length -= part->length + 1;
    return true;
}

/* Takes the first line, without its end, off the rest: in a whole head every line has one. */
static struct part take_line(struct part *rest)
{
    struct part line = {rest->text, 0};

    take_until(rest, '\n', &line);
    if (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
    return line;
}

static bool is(struct part part, const char *word)
{
    return part.length == strlen(word) && memcmp(part.text, word, part.length) == 0;
}

static bool starts(struct part part, const char *word)
{
    return part.length >= strlen(word) && strncasecmp(part.text, word, strlen(word)) == 0;
}

/* Whether it is a token of RFC 9110: a method, the name of a header. */
static bool is_token(struct part part)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < part.length; i++) {
        char c = part.text[i];
        bool letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (c == '\0' || (!letter && strchr(marks, c) == NULL))
            return false;
    }
    return part.length > 0;
}

static bool is_visible(struct part part)
{
    for (size_t i = 0; i < part.length; i++)
        if (part.text[i] <= ' ' || part.text[i] == 0x7f)
            return false;
    return part.length > 0;
}

/* The path of a target: /path, perhaps with ?query behind and http://host before it. */
static struct part path_of(struct part target)
{
    static const char scheme[] = "http://";
    struct part before;

    if (starts(target, scheme)) {
        target.text += sizeof scheme - 1;
        target.length -= sizeof scheme - 1;
        if (!take_until(&target, '/', &before))
            return (struct part){"/", 1};
        target.text--;
        target.length++;
    }
    struct part path = target;
    return take_until(&target, '?', &before) ? before : path;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* 505 for other versions than 1.0, 1.1 and what may follow them. */
static enum http_status judge_version(struct part version)
{
    if (version.length != 8 || !starts(version, "HTTP/") || !is_digit(version.text[5]) ||
        version.text[6] != '.' || !is_digit(version.text[7]))
        return HTTP_BAD_REQUEST;
    return version.text[5] == '1' ? HTTP_OK : HTTP_VERSION_NOT_SUPPORTED;
}

static enum http_status judge_header(struct part line)
{
    struct part name;
    long bytes;

    if (!take_until(&line, ':', &name) || !is_token(name))
        return HTTP_BAD_REQUEST;
    if (memchr(line.text, '\0', line.length) != NULL)
        return HTTP_BAD_REQUEST;
    if (name.length != 14 || strncasecmp(name.text, "Content-Length", 14) != 0)
        return HTTP_OK;
    while (line.length > 0 && (line.text[0] == ' ' || line.text[0] == '\t'))
        line.text++, line.length--;
    while (line.length > 0 && strchr(" \t", line.text[line.length - 1]) != NULL)
        line.length--;
    if (!number_parse(line.text, line.length, 0, LONG_MAX, &bytes))
        return HTTP_BAD_REQUEST;
    return bytes > HTTP_BODY_MAX ? HTTP_CONTENT_TOO_LARGE : HTTP_OK;
}

static enum http_status judge_headers(struct part rest)
{
    while (rest.length > 0) {
        struct part line = take_line(&rest);
        enum http_status status = line.length > 0 ? judge_header(line) : HTTP_OK;
        if (status != HTTP_OK)
            return status;
    }
    return HTTP_OK;
}

enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head)
{
    struct part rest = {head, length}, line = take_line(&rest), method, target;

    *is_head = false;
    if (!take_until(&line, ' ', &method) || !take_until(&line, ' ', &target) || !is_token(method) ||
        !is_visible(target))
        return HTTP_BAD_REQUEST;
    *is_head = is(method, "HEAD");
    enum http_status status = judge_version(line);
    if (status == HTTP_OK)
        status = judge_headers(rest);
    if (status != HTTP_OK)
        return status;
    if (!is(path_of(target), path))
        return HTTP_NOT_FOUND;
    return *is_head || is(method, "GET") ? HTTP_OK : HTTP_METHOD_NOT_ALLOWED;
}

const char *http_reason(enum http_status status)
{
    switch (status) {
    case HTTP_OK:
        return "OK";
    case HTTP_BAD_REQUEST:
        return "Bad Request";
    case HTTP_NOT_FOUND:
        return "Not Found";
    case HTTP_METHOD_NOT_ALLOWED:
        return "Method Not Allowed";
    case HTTP_CONTENT_TOO_LARGE:
        return "Content Too Large";
    case HTTP_HEAD_TOO_LARGE:
        return "Request Header Fields Too Large";
    case HTTP_VERSION_NOT_SUPPORTED:
        return "HTTP Version Not Supported";
    default:
        return "Internal Server Error";
    }
}
