/*
 * The messages that open and close a conversation with a server: its greeting, the command hello
 * with its replies, and bye. No sockets here.
 */
#ifndef LUDUS_HELLO_H
#define LUDUS_HELLO_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "identity.h"

/* Bytes with the final NUL. HELLO_NAME_MAX exceeds the longest valid name, so that a name cut to
 * fit is never somebody else's. */
enum { HELLO_NAME_MAX = 64, HELLO_CODE_MAX = 129, HELLO_LINE_MAX = 512 };

/* The fields of the command. */
struct hello {
    char name[HELLO_NAME_MAX]; /* "": a guest, who needs no hello */
    char token[TOKEN_MAX];     /* "": none */
    char code[HELLO_CODE_MAX]; /* "": none */
    const char *program;       /* sent as client=; NULL: not sent */
    bool bot;
};

enum hello_answer {
    HELLO_NONE, /* no answer yet */
    HELLO_WELCOME,
    HELLO_TAKEN, /* the name belongs to somebody with another token */
    HELLO_BAD_CODE,
    HELLO_LATER, /* the server is busy now */
    HELLO_REFUSED
};

/* Checks the first message from a server; NULL counts as none. False with the cause unless it comes
 * from a Ludus server that speaks our protocol and accepts the connection. */
bool greeting_check(const cJSON *greeting, const char *address, struct cause *cause);

/* Writes the command. */
void hello_format(const struct hello *hello, char line[HELLO_LINE_MAX]);

/* Whether a message answers a hello that was sent without an id. */
bool hello_is_answer(const cJSON *message);

/* Classifies the reply. A refusal sets the cause: "NAME: why". */
enum hello_answer hello_read(const struct hello *hello, const cJSON *reply, struct cause *cause);

/* Copies the token of a reply. False, with nothing changed, if there is no valid one. */
bool hello_read_token(const cJSON *reply, char token[TOKEN_MAX]);

/* Whether an error code is temporary, so that the same command may succeed later. */
bool refusal_may_pass(const char *code);

/* Explains a bye that rules out reconnecting, as a sentence; NULL for any other reason. */
const char *farewell(const char *reason);

#endif
