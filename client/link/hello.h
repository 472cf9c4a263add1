/*
 * The words that open and close a conversation with a server: its greeting, the command hello with
 * the answers to it, and bye. Nothing here knows a socket.
 */
#ifndef LUDUS_HELLO_H
#define LUDUS_HELLO_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "identity.h"

/* Bytes with the final NUL. A server takes no name as long as HELLO_NAME_MAX allows: what was cut
 * to fit is never somebody else's name. */
enum { HELLO_NAME_MAX = 64, HELLO_CODE_MAX = 129, HELLO_LINE_MAX = 512 };

/* Who asks to be let in. */
struct hello {
    char name[HELLO_NAME_MAX]; /* "": a guest, who needs no hello */
    char token[TOKEN_MAX];     /* "": none */
    char code[HELLO_CODE_MAX]; /* "": none */
    const char *program;       /* told to the server; NULL: not told */
    bool bot;
};

enum hello_answer {
    HELLO_NONE, /* there is no answer yet */
    HELLO_WELCOME,
    HELLO_TAKEN, /* the name belongs to somebody with another token */
    HELLO_BAD_CODE,
    HELLO_LATER, /* the server is busy now */
    HELLO_REFUSED
};

/* Reads the first message of a server. NULL is no message. False with the cause when it does not
 * come from a Ludus server that speaks our protocol and lets us in. */
bool greeting_check(const cJSON *greeting, const char *address, struct cause *cause);

/* Writes the command. */
void hello_format(const struct hello *hello, char line[HELLO_LINE_MAX]);

/* Whether a message answers a hello that was sent without an id. */
bool hello_is_answer(const cJSON *message);

/* What the answer comes to. A refusal sets the cause: "NAME: why". */
enum hello_answer hello_read(const struct hello *hello, const cJSON *reply, struct cause *cause);

/* Copies the token of a welcome; false, with nothing changed, when there is none that could be sent
 * back. */
bool hello_read_token(const cJSON *reply, char token[TOKEN_MAX]);

/* Whether a refusal with this code, of any command, has to do with the moment only. */
bool refusal_may_pass(const char *code);

/* Why there is no coming back after a bye with this reason; NULL when there is. */
const char *farewell(const char *reason);

#endif
