#include "hello.h"

#include <stdio.h>
#include <string.h>

#include "json_read.h"

enum { PROTOCOL = 1 };

bool greeting_check(const cJSON *greeting, const char *address, struct cause *cause)
{
    const char *type = json_text_or(greeting, "type", "");
    const cJSON *protocol = json_member(greeting, "proto");

    if (strcmp(type, "bye") == 0)
        return cause_set(cause, "%s: the server takes nobody in: %.40s", address,
                         json_text_or(greeting, "reason", "?"));
    if (strcmp(type, "error") == 0)
        return cause_set(cause, "%s: %.100s", address,
                         json_text_or(greeting, "message", "the server takes nobody in"));
    if (strcmp(type, "hello") != 0 || !cJSON_IsNumber(protocol))
        return cause_set(cause, "%s: no Ludus server answers there", address);
    if (protocol->valuedouble != PROTOCOL)
        return cause_set(cause, "%s: the server speaks protocol %g, this program %d", address,
                         protocol->valuedouble, PROTOCOL);
    return true;
}

void hello_format(const struct hello *hello, char line[HELLO_LINE_MAX])
{
    const char *token = hello->token, *code = hello->code, *program = hello->program;

    snprintf(line, HELLO_LINE_MAX, "hello %s%s%s%s%s%s%s%s", hello->name,
             token[0] != '\0' ? " token=" : "", token, code[0] != '\0' ? " code=" : "", code,
             hello->bot ? " bot=yes" : "", program != NULL ? " client=" : "",
             program != NULL ? program : "");
}

bool hello_is_answer(const cJSON *message)
{
    const char *type = json_text_or(message, "type", "");

    return strcmp(json_text_or(message, "cmd", ""), "hello") == 0 &&
           (strcmp(type, "ok") == 0 || strcmp(type, "error") == 0);
}

bool refusal_may_pass(const char *code)
{
    return strcmp(code, "server-busy") == 0 || strcmp(code, "rate-limited") == 0 ||
           strcmp(code, "internal") == 0;
}

enum hello_answer hello_read(const struct hello *hello, const cJSON *reply, struct cause *cause)
{
    const char *code = json_text_or(reply, "code", "");

    if (strcmp(json_text_or(reply, "type", ""), "ok") == 0)
        return HELLO_WELCOME;
    cause_set(cause, "%s: %.150s", hello->name,
              json_text_or(reply, "message", "the server refuses the name"));
    if (refusal_may_pass(code))
        return HELLO_LATER;
    if (strcmp(code, "bad-code") == 0)
        return HELLO_BAD_CODE;
    bool taken = strcmp(code, "name-taken") == 0 || strcmp(code, "bad-token") == 0;
    return taken ? HELLO_TAKEN : HELLO_REFUSED;
}

bool hello_read_token(const cJSON *reply, char token[TOKEN_MAX])
{
    const char *text = json_text_or(reply, "token", "");
    size_t length = strlen(text);

    if (length == 0 || length >= TOKEN_MAX || strcspn(text, " \t\r\n") != length)
        return false;
    memcpy(token, text, length + 1);
    return true;
}

const char *farewell(const char *reason)
{
    static const struct {
        const char *reason, *sentence;
    } rows[] = {
        {"replaced", "another client has come back under this name"},
        {"too-many-errors", "the server closed the connection after too many errors"},
        {"limit", "the server takes no more connections"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(reason, rows[i].reason) == 0)
            return rows[i].sentence;
    return NULL;
}
