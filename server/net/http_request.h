/*
 * Requests of HTTP/1 (RFC 9110, RFC 9112) to a server with one page. Pure text processing: a body
 * is only measured, as no request needs one.
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
    HTTP_OK = 200,
    HTTP_BAD_REQUEST = 400,
    HTTP_NOT_FOUND = 404,
    HTTP_METHOD_NOT_ALLOWED = 405, /* neither GET nor HEAD */
    HTTP_CONTENT_TOO_LARGE = 413,
    HTTP_HEAD_TOO_LARGE = 431,
    HTTP_VERSION_NOT_SUPPORTED = 505
};

/* Returns the length of the request line and the headers with their blank line, or 0 as long as
 * that line is missing. */
size_t http_head_length(const char *bytes, size_t length);

/* Judges a complete head that asks for `path`, the only page. *is_head: the answer must have no
 * body. */
enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head);

/* Returns the words for a status. */
const char *http_reason(enum http_status status);

#endif
