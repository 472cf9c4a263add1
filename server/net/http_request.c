#include "http_request.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

size_t http_head_length(const char *bytes, size_t length)
{
    const char *lf = memmem(bytes, length, "\n\n", 2), *crlf = memmem(bytes, length, "\n\r\n", 3);

    if (lf != NULL && (crlf == NULL || lf < crlf))
        return (size_t)(lf - bytes) + 2;
    return crlf != NULL ? (size_t)(crlf - bytes) + 3 : 0;
}

/* Cuts the text at its first `separator`: `part` is what precedes it. False without one. */
static bool cut_at(struct http_text *text, char separator, struct http_text *part)
{
    const char *end = memchr(text->text, separator, text->length);

    if (end == NULL)
        return false;
    *part = (struct http_text){text->text, (size_t)(end - text->text)};
    text->text += part->length + 1;
    text->length -= part->length + 1;
    return true;
}

/* Cuts off the first line; in a complete head every line has an end. */
static struct http_text cut_line(struct http_text *rest)
{
    struct http_text line = {rest->text, 0};

    cut_at(rest, '\n', &line);
    if (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
    return line;
}

static struct http_text trimmed(struct http_text text)
{
    while (text.length > 0 && (text.text[0] == ' ' || text.text[0] == '\t'))
        text.text++, text.length--;
    while (text.length > 0 && strchr(" \t", text.text[text.length - 1]) != NULL)
        text.length--;
    return text;
}

bool http_text_is(struct http_text text, const char *word)
{
    return text.text != NULL && text.length == strlen(word) &&
           memcmp(text.text, word, text.length) == 0;
}

static bool is_in_any_case(struct http_text text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.text, word, text.length) == 0;
}

static bool starts(struct http_text text, const char *word)
{
    return text.length >= strlen(word) && strncasecmp(text.text, word, strlen(word)) == 0;
}

/* Returns whether the parameters of an element say q=0: "not acceptable" (RFC 9110, 12.4.2). */
static bool has_no_weight(struct http_text parameters)
{
    struct http_text weight = trimmed(parameters);

    if (!starts(weight, "q=0"))
        return false;
    for (size_t i = 3; i < weight.length; i++)
        if (weight.text[i] != '.' && weight.text[i] != '0')
            return false;
    return true;
}

bool http_list_has(struct http_text list, const char *element)
{
    struct http_text part, name;

    for (bool more = list.text != NULL; more;) {
        more = cut_at(&list, ',', &part);
        if (!more)
            part = list;
        name = part;
        bool weighted = cut_at(&part, ';', &name);
        if (is_in_any_case(trimmed(name), element))
            return !weighted || !has_no_weight(part);
    }
    return false;
}

/* Returns whether a method or the name of a header is a token (RFC 9110, 5.6.2). */
static bool is_token(struct http_text part)
{
    for (size_t i = 0; i < part.length; i++) {
        char c = part.text[i];
        if (c == '\0' || (!isalnum((unsigned char)c) && strchr("!#$%&'*+-.^_`|~", c) == NULL))
            return false;
    }
    return part.length > 0;
}

static bool is_visible(struct http_text part)
{
    for (size_t i = 0; i < part.length; i++)
        if (part.text[i] <= ' ' || part.text[i] == 0x7f)
            return false;
    return part.length > 0;
}

/* Reads a target [http://AUTHORITY]/PATH[?QUERY]. */
static void read_target(struct http_text target, struct http_request *request)
{
    static const char scheme[] = "http://";

    if (starts(target, scheme)) {
        target.text += sizeof scheme - 1;
        target.length -= sizeof scheme - 1;
        request->authority = target;
        if (!cut_at(&target, '/', &request->authority)) {
            request->path = (struct http_text){"/", 1};
            return;
        }
        target.text--;
        target.length++;
    }
    request->path = target;
    cut_at(&target, '?', &request->path);
}

/* Refuses versions other than 1.x. */
static enum http_status read_version(struct http_text version, struct http_request *request)
{
    if (version.length != 8 || memcmp(version.text, "HTTP/", 5) != 0 ||
        !isdigit((unsigned char)version.text[5]) || version.text[6] != '.' ||
        !isdigit((unsigned char)version.text[7]))
        return HTTP_BAD_REQUEST;
    request->is_old = version.text[7] == '0';
    return version.text[5] == '1' ? HTTP_OK : HTTP_VERSION_NOT_SUPPORTED;
}

static enum http_status read_length(struct http_text value, struct http_request *request)
{
    long bytes;

    if (!number_parse(value.text, value.length, 0, LONG_MAX, &bytes))
        return HTTP_BAD_REQUEST;
    request->has_body |= bytes > 0;
    return bytes > HTTP_BODY_MAX ? HTTP_CONTENT_TOO_LARGE : HTTP_OK;
}

/* Headers that may come once: of two, others could have believed the other one. */
static const struct {
    const char *name;
    size_t offset;
} single[] = {
    {"Host", offsetof(struct http_request, host)},
    {"Origin", offsetof(struct http_request, origin)},
    {"Upgrade", offsetof(struct http_request, upgrade)},
    {"Sec-WebSocket-Protocol", offsetof(struct http_request, protocols)},
    {"Sec-WebSocket-Key", offsetof(struct http_request, key)},
    {"Sec-WebSocket-Version", offsetof(struct http_request, version)},
    {"If-None-Match", offsetof(struct http_request, if_none_match)},
    {"Accept-Encoding", offsetof(struct http_request, accept_encoding)},
};

static enum http_status read_single(struct http_text name, struct http_text value,
                                    struct http_request *request)
{
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
        struct http_text *member = (void *)((char *)request + single[i].offset);
        if (!is_in_any_case(name, single[i].name))
            continue;
        if (member->text != NULL)
            return HTTP_BAD_REQUEST;
        *member = value;
    }
    return HTTP_OK;
}

static enum http_status read_header(struct http_text line, struct http_request *request)
{
    struct http_text name;

    if (!cut_at(&line, ':', &name) || !is_token(name) ||
        memchr(line.text, '\0', line.length) != NULL)
        return HTTP_BAD_REQUEST;
    struct http_text value = trimmed(line);
    if (is_in_any_case(name, "Content-Length"))
        return read_length(value, request);
    if (is_in_any_case(name, "Transfer-Encoding"))
        request->has_body = true;
    if (is_in_any_case(name, "Connection")) {
        request->wants_close |= http_list_has(value, "close");
        request->wants_upgrade |= http_list_has(value, "upgrade");
    }
    return read_single(name, value, request);
}

static enum http_status read_headers(struct http_text rest, struct http_request *request)
{
    while (rest.length > 0) {
        struct http_text line = cut_line(&rest);
        enum http_status status = line.length > 0 ? read_header(line, request) : HTTP_OK;
        if (status != HTTP_OK)
            return status;
    }
    return HTTP_OK;
}

enum http_status http_read(const char *head, size_t length, struct http_request *request)
{
    struct http_text rest = {head, length}, line = cut_line(&rest), method, target;

    *request = (struct http_request){.is_get = false};
    if (!cut_at(&line, ' ', &method) || !cut_at(&line, ' ', &target) || !is_token(method) ||
        !is_visible(target))
        return HTTP_BAD_REQUEST;
    request->is_get = http_text_is(method, "GET");
    request->is_head = http_text_is(method, "HEAD");
    read_target(target, request);
    enum http_status status = read_version(line, request);
    return status == HTTP_OK ? read_headers(rest, request) : status;
}

enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head)
{
    struct http_request request;
    enum http_status status = http_read(head, length, &request);

    *is_head = request.is_head;
    if (status != HTTP_OK)
        return status;
    if (!http_text_is(request.path, path))
        return HTTP_NOT_FOUND;
    return request.is_head || request.is_get ? HTTP_OK : HTTP_METHOD_NOT_ALLOWED;
}

const char *http_reason(enum http_status status)
{
    static const struct {
        enum http_status status;
        const char *reason;
    } rows[] = {
        {HTTP_SWITCHING_PROTOCOLS, "Switching Protocols"},
        {HTTP_OK, "OK"},
        {HTTP_NOT_MODIFIED, "Not Modified"},
        {HTTP_BAD_REQUEST, "Bad Request"},
        {HTTP_FORBIDDEN, "Forbidden"},
        {HTTP_NOT_FOUND, "Not Found"},
        {HTTP_METHOD_NOT_ALLOWED, "Method Not Allowed"},
        {HTTP_CONTENT_TOO_LARGE, "Content Too Large"},
        {HTTP_UPGRADE_REQUIRED, "Upgrade Required"},
        {HTTP_TOO_MANY_REQUESTS, "Too Many Requests"},
        {HTTP_HEAD_TOO_LARGE, "Request Header Fields Too Large"},
        {HTTP_VERSION_NOT_SUPPORTED, "HTTP Version Not Supported"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].status == status)
            return rows[i].reason;
    return "";
}
