/*
 * Answers to browsers: a file of the page, a WebSocket, or a refusal. A page of somebody
 * else must not get at the server through its visitors' browsers, so the name by which they reach
 * it has to be one of its own. Pure text processing.
 */
#ifndef LUDUS_WEB_ANSWER_H
#define LUDUS_WEB_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buffer.h"
#include "http_request.h"
#include "web_page.h"

enum { WEB_NAMES_MAX = 2048 };

/* The names of the server, separated by commas. Addresses are always good. */
struct web_names {
    char text[WEB_NAMES_MAX];
};

struct web_answer {
    enum http_status status;
    struct buffer head; /* of the answer, with the text of a refusal; owned by the caller */
    const void *body;   /* static; NULL: none */
    size_t body_size;
    bool ends; /* the connection ends after it */
};

/* Collects localhost, the names of this machine, and those in `more`, separated by commas. */
void web_names_init(struct web_names *names, const char *more);

/* Answers a request with a complete head. With HTTP_SWITCHING_PROTOCOLS the connection is a
 * WebSocket from then on. `last`: the connection is to end in any case. The answer must be zero. */
void web_answer(struct web_answer *answer, const struct web_names *names, const char *head,
                size_t length, bool last);

/* Refuses a request, whatever it is. */
void web_refuse(struct web_answer *answer, enum http_status status);

#endif
