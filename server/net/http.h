/*
 * HTTP/1 (RFC 9110, RFC 9112) for browsers and for what collects metrics: requests, and the answers
 * to them: a file of the page, a view of a match, a WebSocket, the metrics, or a refusal. A body is
 * only measured, as no request needs one.
 *
 * Another site's page must not get at the server through its visitors' browsers: a browser has to
 * reach it by one of its own names. Pure text processing, without sockets.
 */
#ifndef LUDUS_HTTP_H
#define LUDUS_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buffer.h"
#include "common/text.h"

struct networks;
struct peer_address;
struct server;

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
    HTTP_SERVICE_UNAVAILABLE = 503,
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

/* A file of the page for browsers, packed into the program by server/web_page.py. */
struct page_file {
    const char *path, *type; /* on the server, and of its contents */
    const char *tag;         /* identifies the contents */
    const unsigned char *plain;
    size_t plain_size;
    const unsigned char *packed; /* by gzip; of size 0 where that would be no smaller */
    size_t packed_size;
};

/* Ends with a row without a path. */
extern const struct page_file page_files[];
/* Names the contents of all of them, and the folder in which browsers may keep them for ever. */
extern const char page_version[];

enum { WEB_NAMES_MAX = 2048 };

/* The names of the server, separated by commas. Addresses are always good. */
struct web_names {
    char text[WEB_NAMES_MAX];
};

struct http_answer {
    enum http_status status;
    struct buffer head; /* owned by the caller; with a body that was made for it */
    const void *body;   /* static; NULL: none */
    size_t body_size;
    bool ends;        /* the connection ends after it */
    struct cause why; /* of HTTP_FORBIDDEN, where host or origin are foreign; else "" */
};

/* Collects localhost, the names of this machine, and those in `more`, separated by commas. */
void web_names_init(struct web_names *names, const char *more);

enum { HTTP_MATCH_ID_MAX = 24, HTTP_HOST_MAX = 272, HTTP_FOLDER_MAX = 128 };

/* A request for /m/MATCH, /m/MATCH.svg or /m/MATCH.png, each with or without ?ply=N. */
struct match_link {
    enum { LINK_PAGE, LINK_SVG, LINK_PNG } form;
    char match[HTTP_MATCH_ID_MAX]; /* letters, digits, - and _ */
    long ply;                      /* -1: after the last move */
    char host[HTTP_HOST_MAX];      /* by which the server was reached, with a port */
    /* What a proxy says: that the browser speaks TLS with it, and in which folder it has the
     * server, such as /ludus; "": in none. */
    bool says_https;
    char folder[HTTP_FOLDER_MAX];
};

/* What answers such a request. All zero: nothing does. */
struct match_view {
    enum http_status status; /* HTTP_OK, or why there is none */
    const char *type;        /* of the body; static */
    struct buffer body;      /* owned by who asked */
    bool is_final;           /* it stays as it is */
    bool is_private;         /* only for who has the address */
};

/* Makes the view that a link asks for. False: that takes a while; the request is to be answered
 * again when the connection wakes. */
typedef bool match_viewer(void *context, const struct match_link *link, struct match_view *view);

/* Answers a browser's request with a complete head. With HTTP_SWITCHING_PROTOCOLS the connection is
 * a WebSocket from then on. `last`: the connection is to end in any case. The answer must be zero.
 * False: `viewer` takes a while, and nothing was answered. */
bool http_answer_browser(struct http_answer *answer, const struct web_names *names,
                         const char *head, size_t length, bool last, match_viewer *viewer,
                         void *context);

/* For whom a request asks. */
enum http_claim {
    HTTP_CLAIM_NONE,    /* for its peer */
    HTTP_CLAIM_PEER,    /* for another, whom its headers name */
    HTTP_CLAIM_REFUSED, /* its peer may not ask for others: no trusted proxy */
    HTTP_CLAIM_UNCLEAR  /* its headers contradict each other */
};

/* Reads the headers Forwarded and X-Forwarded-For of a complete head from a trusted proxy, which
 * are the addresses in `trusted`; NULL: from another peer. */
enum http_claim http_read_claim(const char *head, size_t length, const struct networks *trusted,
                                struct peer_address *peer);

/* Refuses a browser's request for a claim that does not hold. The answer must be zero. */
void http_refuse_claim(struct http_answer *answer, enum http_claim claim);

/* How many bytes at the front can be a method or the name of a header: a token of RFC 9110, 5.6.2.
 */
size_t http_token_length(const char *text, size_t length);

/* Refuses a browser's request, whatever it is. */
void http_refuse(struct http_answer *answer, enum http_status status);

/* Answers a request for the metrics of a server with `pending_bytes` of unread output;
 * length 0: its head is too long. The answer must be zero, and ends the connection. */
void http_answer_metrics(struct http_answer *answer, const struct server *server,
                         size_t pending_bytes, const char *head, size_t length);

#endif
