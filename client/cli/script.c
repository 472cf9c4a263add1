#include "script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/link/json_read.h"
#include "client/talk/client_request.h"
#include "client/talk/login.h"
#include "common/utf8.h"

enum { ANSWER_MS = 10000, COMMAND_MAX = 1000 };

/* Sets the subject of error messages: the command and its first argument. */
static void set_subject(struct script *script)
{
    const struct command_line *line = &script->line;
    bool has = line->word_count > 0;

    snprintf(script->what, sizeof script->what, "%s%s%.40s", line->command->word, has ? " " : "",
             has ? line->words[0] : "");
    utf8_clean(script->what);
}

static void pass_over(struct client *client, const cJSON *message)
{
    (void)client;
    (void)message;
}

static void fail(struct client *client)
{
    client_fail(client, "%s: the server does not answer", client->uplink.address);
}

static const struct client_handlers handlers = {.message = pass_over, .lost = fail};

bool script_begin(struct script *script, bool named)
{
    const struct options *options = &script->line.options;
    const char *name = options->name;
    const char *address = link_address(options->connect, options->tls, script->tls_address);

    set_subject(script);
    if (name == NULL && named) {
        identity_default_name(1, script->own_name);
        name = script->own_name;
    }
    client_open_unattended(&script->client, &handlers, address, options->code);
    login(&script->client, &(struct login_terms){.name = name, .guest = !named});
    return !script->client.quit;
}

cJSON *script_ask(struct script *script, const char *format, ...)
{
    struct client *client = &script->client;
    char line[COMMAND_MAX];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || length >= COMMAND_MAX) {
        client_fail(client, "%s: too long: a command has at most %d bytes", script->what,
                    COMMAND_MAX - 1);
        return NULL;
    }
    cJSON *reply = client_exchange(client, ANSWER_MS, line);
    if (reply == NULL && !client->quit)
        fail(client);
    else if (reply != NULL && strcmp(json_text_or(reply, "type", ""), "error") == 0)
        client_fail(client, "%s: %s", script->what,
                    json_text_or(reply, "message", "the server refuses without a reason"));
    if (!client->quit) {
        cJSON_DeleteItemFromObjectCaseSensitive(reply, "id");
        return reply;
    }
    cJSON_Delete(reply);
    return NULL;
}

void script_print_json(const cJSON *message)
{
    char *text = cJSON_PrintUnformatted(message);

    puts(text);
    cJSON_free(text);
}

bool script_is_aligned(const struct script *script)
{
    return !script->line.options.plain && isatty(STDOUT_FILENO);
}

bool script_flush(struct script *script)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    client_fail(&script->client, "standard output: %s", strerror(errno));
    return false;
}

int script_end(struct script *script)
{
    if (!script->client.quit)
        script_flush(script);
    client_close(&script->client);
    return script->client.status;
}
