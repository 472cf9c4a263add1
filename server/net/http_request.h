/*
 * Requests of HTTP/1 (RFC 9110, RFC 9112), for metrics and for browsers. Pure text processing: a
 * body is only measured, as no request needs one.
 */
#ifndef LUDUS_HTTP_REQUEST_H
#define LUDUS_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_HEAD_MAX = 8192, /* bytes of the request line and the headers */
    HTTP_BODY_MAX = 1024
};

enum http_status {
    HTTP_SWITCHING_PROTOCOLS = 101,
    HTTP_OK = 200,
    HTTP_NOT_MODIFIED = 304,
    HTTP_BAD_REQUEST = 400,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_METHOD_NOT_ALLOWED = 405, /* neither GET nor HEAD */
    HTTP_CONTENT_TOO_LARGE = 413,
    HTTP_UPGRADE_REQUIRED = 426,
    HTTP_TOO_MANY_REQUESTS = 429,
    HTTP_HEAD_TOO_LARGE = 431,
    HTTP_VERSION_NOT_SUPPORTED = 505
};

/* A piece of the head, borrowed from it; text is NULL for what is not there. */
struct http_text {
    const char *text;
    size_t length;
};

struct http_request {
    bool is_get, is_head;
    struct http_text path;      /* without the query */
    struct http_text authority; /* of a target http://AUTHORITY/PATH */
    bool is_old;                /* HTTP/1.0 */
    bool has_body;
    bool wants_close, wants_upgrade; /* what the Connection header says */
    struct http_text host, origin, upgrade, protocols, key, version, if_none_match, accept_encoding;
};

/* Returns the length of the request line and the headers with their blank line, or 0 as long as
 * that line is missing. */
size_t http_head_length(const char *bytes, size_t length);

/* Reads a complete head. HTTP_OK, or with which status to refuse it; is_head is right even then. */
enum http_status http_read(const char *head, size_t length, struct http_request *request);

/* Reads a complete head that asks for `path`, the only page. *is_head: the answer must have no
 * body. */
enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head);

bool http_text_is(struct http_text text, const char *word);

/* Returns whether a list with commas has an element, in any case, and not with the weight q=0. Other
 * parameters behind a semicolon do not matter. */
bool http_list_has(struct http_text list, const char *element);

/* Returns the words for a status. */
const char *http_reason(enum http_status status);

#endif
