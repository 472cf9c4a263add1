#include "bot_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/engine/process.h"
#include "common/buffer.h"

enum { PORT_TEXT_MAX = 8 };

/* Adds the command with what its marks stand for. */
static void add_command(struct buffer *text, const struct course_bot *bot,
                        const char *const marks[][2])
{
    for (const char *at = bot->command; *at != '\0';) {
        int i = 0;
        while (marks[i][0] != NULL && strncmp(at, marks[i][0], strlen(marks[i][0])) != 0)
            i++;
        if (marks[i][0] != NULL) {
            buffer_puts(text, marks[i][1]);
            at += strlen(marks[i][0]);
        } else {
            buffer_add(text, at++, 1);
        }
    }
}

static void add_variable(struct bot_command *command, const char *name, const char *value)
{
    int count = 0;

    while (command->environment[count] != NULL)
        count++;
    snprintf(command->variables[count], BOT_VARIABLE_MAX, "%s=%s", name, value);
    command->environment[count] = command->variables[count];
}

/* The words with which the bridge seats an engine. */
static void add_bridge(struct bot_command *command, struct buffer *text,
                       const struct course_folder *course, const struct course_bot *bot,
                       const struct bot_place *place)
{
    process_find("ludus-bridge", command->bridge);
    buffer_printf(text, "'%s' --connect %s:%d --name %s --games %.*s", command->bridge, place->host,
                  place->port, bot->name, (int)strcspn(course->game, ":"), course->game);
    if (place->token[0] != '\0')
        buffer_printf(text, " --token %s", place->token);
    if (place->tournament[0] != '\0')
        buffer_printf(text, " --tournament %s", place->tournament);
    buffer_puts(text, " -- ");
}

bool bot_command_make(struct bot_command *command, const struct course_folder *course,
                      const struct course_bot *bot, const struct bot_place *place,
                      struct cause *cause)
{
    char port[PORT_TEXT_MAX];
    const char *const marks[][2] = {{"{host}", place->host},
                                    {"{port}", port},
                                    {"{name}", bot->name},
                                    {"{token}", place->token},
                                    {"{tournament}", place->tournament},
                                    {NULL, NULL}};
    struct buffer text = {.bytes = NULL};
    struct cause why;

    *command = (struct bot_command){.text = NULL};
    snprintf(port, sizeof port, "%d", place->port);
    add_variable(command, "PATH", "/usr/local/bin:/usr/bin:/bin");
    add_variable(command, "LANG", "C.UTF-8");
    add_variable(command, "HOME", place->home);
    add_variable(command, "TMPDIR", place->home);
    add_variable(command, "PYTHONUNBUFFERED",
                 "1"); /* or a bot that is ended loses its last lines */
    add_variable(command, "LUDUS_HOST", place->host);
    add_variable(command, "LUDUS_PORT", port);
    add_variable(command, "LUDUS_NAME", bot->name);
    add_variable(command, "LUDUS_TOKEN", place->token);
    add_variable(command, "LUDUS_GAME", course->game);
    add_variable(command, "LUDUS_TOURNAMENT", place->tournament);
    if (bot->engine)
        add_bridge(command, &text, course, bot, place);
    add_command(&text, bot, marks);
    buffer_add(&text, "", 1);
    command->text = text.bytes;
    return command_split(command->text, command->words, BOT_WORDS_MAX - 1, &why) ||
           cause_set(cause, "the command of %s: %s", bot->name, why.text);
}

void bot_command_release(struct bot_command *command)
{
    free(command->text);
    command->text = NULL;
}
