#include "http_request.h"

#include <ctype.h>
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
    const char *lf = memmem(bytes, length, "\n\n", 2), *crlf = memmem(bytes, length, "\n\r\n", 3);

    if (lf != NULL && (crlf == NULL || lf < crlf))
        return (size_t)(lf - bytes) + 2;
    return crlf != NULL ? (size_t)(crlf - bytes) + 3 : 0;
}

/* Cuts the text at its first `separator`: `part` is what precedes it. False without one. */
static bool cut_at(struct part *text, char separator, struct part *part)
{
    const char *end = memchr(text->text, separator, text->length);

    if (end == NULL)
        return false;
    *part = (struct part){text->text, (size_t)(end - text->text)};
    text->text += part->length + 1;
    text->length -= part->length + 1;
    return true;
}

/* Cuts off the first line; in a complete head every line has an end. */
static struct part cut_line(struct part *rest)
{
    struct part line = {rest->text, 0};

    cut_at(rest, '\n', &line);
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

/* Returns whether a method or the name of a header is a token (RFC 9110, 5.6.2). */
static bool is_token(struct part part)
{
    for (size_t i = 0; i < part.length; i++) {
        char c = part.text[i];
        if (c == '\0' || (!isalnum((unsigned char)c) && strchr("!#$%&'*+-.^_`|~", c) == NULL))
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

/* Returns the path of a target [http://HOST]/PATH[?QUERY]. */
static struct part path_of(struct part target)
{
    static const char scheme[] = "http://";
    struct part before;

    if (starts(target, scheme)) {
        target.text += sizeof scheme - 1;
        target.length -= sizeof scheme - 1;
        if (!cut_at(&target, '/', &before))
            return (struct part){"/", 1};
        target.text--;
        target.length++;
    }
    struct part path = target;
    return cut_at(&target, '?', &before) ? before : path;
}

/* Refuses versions other than 1.x. */
static enum http_status judge_version(struct part version)
{
    if (version.length != 8 || !starts(version, "HTTP/") ||
        !isdigit((unsigned char)version.text[5]) || version.text[6] != '.' ||
        !isdigit((unsigned char)version.text[7]))
        return HTTP_BAD_REQUEST;
    return version.text[5] == '1' ? HTTP_OK : HTTP_VERSION_NOT_SUPPORTED;
}

static enum http_status judge_header(struct part line)
{
    struct part name;
    long bytes;

    if (!cut_at(&line, ':', &name) || !is_token(name) ||
        memchr(line.text, '\0', line.length) != NULL)
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
        struct part line = cut_line(&rest);
        enum http_status status = line.length > 0 ? judge_header(line) : HTTP_OK;
        if (status != HTTP_OK)
            return status;
    }
    return HTTP_OK;
}

enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head)
{
    struct part rest = {head, length}, line = cut_line(&rest), method, target;

    *is_head = false;
    if (!cut_at(&line, ' ', &method) || !cut_at(&line, ' ', &target) || !is_token(method) ||
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
    static const struct {
        enum http_status status;
        const char *reason;
    } rows[] = {
        {HTTP_OK, "OK"},
        {HTTP_BAD_REQUEST, "Bad Request"},
        {HTTP_NOT_FOUND, "Not Found"},
        {HTTP_METHOD_NOT_ALLOWED, "Method Not Allowed"},
        {HTTP_CONTENT_TOO_LARGE, "Content Too Large"},
        {HTTP_HEAD_TOO_LARGE, "Request Header Fields Too Large"},
        {HTTP_VERSION_NOT_SUPPORTED, "HTTP Version Not Supported"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].status == status)
            return rows[i].reason;
    return "";
}
