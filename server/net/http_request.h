/*
 * What is asked over HTTP/1 of a server that has one page to show (RFC 9110, RFC 9112): pure
 * reading of text. Bodies are of no use here, so they are only measured.
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
    HTTP_INTERNAL_ERROR = 500,
    HTTP_VERSION_NOT_SUPPORTED = 505
};

/* How many of the bytes are the head of the request, its blank line included; 0 while that has not
 * come. */
size_t http_head_length(const char *bytes, size_t length);

/* Judges a whole head that asks for `path`, the only page there is. *is_head: of the answer only
 * the headers are wanted. */
enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head);

/* The words that go with a status. */
const char *http_reason(enum http_status status);

#endif
