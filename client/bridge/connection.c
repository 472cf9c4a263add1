#include "connection.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SILENCE_MS = 30000 /* twice that without a word and the server is taken to be gone */
};

bool connection_is_up(const struct connection *connection)
{
    return connection->link.fd >= 0;
}

void connection_send(struct connection *connection, const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (connection->broken || !connection_is_up(connection))
        return;
    if (length >= (int)sizeof line || !link_send(&connection->link, "%s", line))
        connection->broken = true;
}

static void say_hello(struct connection *connection)
{
    const struct options *options = connection->options;
    const char *code = options->code, *token = connection->token;

    connection_send(connection, "hello %s bot=yes client=ludus-bridge/" LUDUS_VERSION "%s%s%s%s",
                    options->name, token[0] != '\0' ? " token=" : "", token,
                    code != NULL ? " code=" : "", code != NULL ? code : "");
}

static bool try_to_connect(struct connection *connection, int64_t now_ms, struct cause *cause)
{
    if (!link_connect(&connection->link, connection->options->address, cause))
        return false;
    connection->welcome = connection->broken = connection->asked = false;
    connection->heard_ms = now_ms;
    say_hello(connection);
    /* It knows the rules itself. */
    connection_send(connection, "set legal=off");
    return true;
}

bool connection_open(struct connection *connection, const struct options *options, int64_t now_ms,
                     struct cause *cause)
{
    *connection = (struct connection){
        .options = options, .link = {.fd = -1}, .give_up_ms = now_ms + options->retry_s * 1000};
    if (options->token != NULL)
        snprintf(connection->token, sizeof connection->token, "%s", options->token);
    return try_to_connect(connection, now_ms, cause);
}

void connection_receive(struct connection *connection, int64_t now_ms)
{
    connection->heard_ms = now_ms;
    connection->asked = false;
    if (!link_read(&connection->link))
        connection->broken = true;
}

/* Scripts read this line: it says that all is ready, and what to come back with. */
static void print_token(const struct connection *connection)
{
    printf("ludus-bridge: %s plays at %s, token %s\n", connection->options->name,
           connection->options->address, connection->token);
    fflush(stdout);
}

static void take_welcome(struct connection *connection, const cJSON *message)
{
    const char *token = json_text(message, "token");

    connection->welcome = true;
    connection->welcome_ms = connection->heard_ms;
    engine_log(&connection->options->program.log, LOG_INFO, NULL, "connected name=%s",
               connection->options->name);
    if (token == NULL || strlen(token) >= TOKEN_TEXT_MAX || strcspn(token, " \r\n") < strlen(token))
        return;
    bool is_new = !connection->announced || strcmp(token, connection->token) != 0;
    snprintf(connection->token, sizeof connection->token, "%s", token);
    if (is_new)
        print_token(connection);
    connection->announced = true;
}

static void take_refusal(struct connection *connection, const cJSON *message)
{
    const char *code = json_text(message, "code"), *why = json_text(message, "message");

    if (code != NULL && strcmp(code, "bad-token") == 0 && connection->token[0] != '\0') {
        /* A server that was started anew knows neither name nor token. */
        engine_log(&connection->options->program.log, LOG_WARN, why, "token refused why=");
        connection->token[0] = '\0';
        say_hello(connection);
    } else if (code != NULL &&
               (strcmp(code, "server-busy") == 0 || strcmp(code, "rate-limited") == 0)) {
        connection->broken = true;
    } else {
        connection->failed = true;
        cause_set(&connection->cause, "%s: %.60s: %.100s", connection->options->name,
                  code != NULL ? code : "refused", why != NULL ? why : "");
    }
}

static void take_bye(struct connection *connection, const cJSON *message)
{
    const char *reason = json_text(message, "reason");

    connection->broken = true;
    engine_log(&connection->options->program.log, LOG_WARN, reason, "bye reason=");
    if (reason != NULL && strcmp(reason, "replaced") == 0) {
        connection->failed = true;
        cause_set(&connection->cause, "%s: plays from another connection now",
                  connection->options->name);
    }
}

bool connection_handle(struct connection *connection, const cJSON *message)
{
    const char *type = json_text(message, "type"), *cmd = json_text(message, "cmd");
    bool is_hello = cmd != NULL && strcmp(cmd, "hello") == 0;

    if (type == NULL)
        return true;
    if (is_hello && strcmp(type, "ok") == 0)
        take_welcome(connection, message);
    else if (is_hello && strcmp(type, "error") == 0)
        take_refusal(connection, message);
    else if (strcmp(type, "bye") == 0)
        take_bye(connection, message);
    else if (strcmp(type, "ping") == 0)
        connection_send(connection, "ping");
    else
        return false;
    return true;
}

bool connection_drop_broken(struct connection *connection, int64_t now_ms)
{
    if (!connection->broken)
        return false;
    link_close(&connection->link);
    connection->broken = false;
    /* A connection without a welcome was one more failed try. */
    if (connection->welcome)
        connection->give_up_ms = now_ms + connection->options->retry_s * 1000;
    if (connection->welcome)
        backoff_begin(&connection->backoff, now_ms, now_ms - connection->welcome_ms);
    connection->try_ms = now_ms + backoff_next_ms(&connection->backoff, now_ms);
    connection->welcome = connection->told = false;
    engine_log(&connection->options->program.log, LOG_WARN, NULL, "connection lost retry_s=%ld",
               connection->options->retry_s);
    return true;
}

static void come_back(struct connection *connection, int64_t now_ms)
{
    struct cause cause;

    if (now_ms >= connection->give_up_ms) {
        connection->failed = true;
        cause_set(&connection->cause, "%.100s: the connection is lost",
                  connection->options->address);
        return;
    }
    if (try_to_connect(connection, now_ms, &cause))
        return;
    connection->try_ms = now_ms + backoff_next_ms(&connection->backoff, now_ms);
    if (!connection->told) /* the next tries hardly fail for another reason */
        engine_log(&connection->options->program.log, LOG_WARN, cause.text, "not connected why=");
    connection->told = true;
}

void connection_tick(struct connection *connection, int64_t now_ms)
{
    if (now_ms < connection_due_ms(connection))
        return;
    if (!connection_is_up(connection)) {
        come_back(connection, now_ms);
    } else if (connection->asked) {
        connection->broken = true;
    } else {
        connection->asked = true;
        connection_send(connection, "ping");
    }
}

int64_t connection_due_ms(const struct connection *connection)
{
    if (!connection_is_up(connection))
        return connection->try_ms < connection->give_up_ms ? connection->try_ms
                                                           : connection->give_up_ms;
    return connection->heard_ms + (connection->asked ? 2 : 1) * SILENCE_MS;
}

void connection_close(struct connection *connection)
{
    connection_send(connection, "quit");
    link_close(&connection->link);
    *connection = (struct connection){.link = {.fd = -1}};
}
