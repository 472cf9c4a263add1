#include "client_request.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/model/match_words.h"

enum { COMMAND_MAX = 1000 }; /* bytes of a command; the protocol allows 1024 with id and end */

cJSON *client_message(struct client *client, int timeout_ms)
{
    int64_t end_ms = timeout_ms < 0 ? INT64_MAX : clock_ms() + timeout_ms;
    cJSON *message;

    while (uplink_next(&client->uplink, clock_ms(), &message) == UPLINK_NOTHING) {
        if (client->quit || clock_ms() >= end_ms || !uplink_is_up(&client->uplink))
            return NULL;
        client_turn(client, end_ms);
    }
    return message; /* NULL when the connection is lost */
}

cJSON *client_exchange(struct client *client, int timeout_ms, const char *line)
{
    char id[16];
    cJSON *message;

    snprintf(id, sizeof id, "%u", ++client->requests);
    uplink_send(&client->uplink, "#%s %s", id, line);
    while ((message = client_message(client, timeout_ms)) != NULL) {
        if (strcmp(json_text_or(message, "id", ""), id) == 0)
            return message;
        client->handlers->message(client, message);
        cJSON_Delete(message);
    }
    return NULL;
}

static cJSON *request(struct client *client, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

static cJSON *request(struct client *client, const char *format, va_list args)
{
    char line[COMMAND_MAX];

    if (vsnprintf(line, sizeof line, format, args) >= COMMAND_MAX) {
        console_say(&client->console, "That line is too long: %d bytes at most.", COMMAND_MAX - 1);
        return NULL;
    }
    cJSON *reply = client_exchange(client, client->answer_ms, line);
    if (reply == NULL && !client->quit)
        client->handlers->lost(client);
    return reply;
}

cJSON *client_request(struct client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cJSON *reply = request(client, format, args);
    va_end(args);
    return reply;
}

bool client_accepted(struct client *client, const cJSON *reply)
{
    if (strcmp(json_text_or(reply, "type", ""), "error") != 0)
        return true;
    char sentence[SENTENCE_MAX];
    client->refusals++;
    console_say(&client->console, "%s",
                sentence_of(json_text_or(reply, "message", "no reason given"), sentence));
    return false;
}

/* The reply; NULL if it is a refusal. */
static cJSON *accept(struct client *client, cJSON *reply)
{
    if (reply == NULL || client_accepted(client, reply))
        return reply;
    cJSON_Delete(reply);
    return NULL;
}

cJSON *client_ask(struct client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cJSON *reply = request(client, format, args);
    va_end(args);
    return accept(client, reply);
}

bool client_do(struct client *client, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cJSON *reply = accept(client, request(client, format, args));
    va_end(args);
    bool done = reply != NULL;
    cJSON_Delete(reply);
    return done;
}

void client_post(struct client *client, const char *format, ...)
{
    char line[COMMAND_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    uplink_send(&client->uplink, "%s", line);
}
