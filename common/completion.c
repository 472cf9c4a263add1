#include "completion.h"

#include <stdio.h>
#include <string.h>

enum { SEEN_MAX = 96 };

/* The names that were visited. */
struct seen {
    char names[SEEN_MAX][ARGUMENT_MAX];
    int count;
};

void completion_name(const struct completion *completion, char name[COMPLETION_NAME_MAX])
{
    snprintf(name, COMPLETION_NAME_MAX, "_%s", completion->program);
    for (char *c = name; *c != '\0'; c++)
        if (*c == '-')
            *c = '_';
}

void completion_quote(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        putchar(*text);
    }
    putchar('\'');
}

bool completion_next(const char **arguments, char word[ARGUMENT_MAX])
{
    size_t length = strcspn(*arguments, " ");

    snprintf(word, ARGUMENT_MAX, "%.*s", (int)length, *arguments);
    *arguments += length + strspn(*arguments + length, " ");
    return length > 0;
}

static void visit_argument(struct seen *seen, const char *argument,
                           void (*visit)(void *context, const char *argument,
                                         const struct values *values),
                           void *context)
{
    struct values values;

    for (int i = 0; i < seen->count; i++)
        if (strcmp(seen->names[i], argument) == 0)
            return;
    if (seen->count == SEEN_MAX || !values_read(&values, argument))
        return;
    snprintf(seen->names[seen->count++], ARGUMENT_MAX, "%s", argument);
    visit(context, argument, &values);
}

static void visit_all(struct seen *seen, const struct usage_row *rows, const char *arguments,
                      void (*visit)(void *context, const char *argument,
                                    const struct values *values),
                      void *context)
{
    char word[ARGUMENT_MAX];

    for (; rows->name != NULL; rows++)
        if (rows->argument != NULL && rows->help != NULL)
            visit_argument(seen, rows->argument, visit, context);
    while (completion_next(&arguments, word))
        visit_argument(seen, word, visit, context);
}

void completion_visit(const struct completion *completion,
                      void (*visit)(void *context, const char *argument,
                                    const struct values *values),
                      void *context)
{
    const struct usage_command *command = completion->commands;
    struct seen seen = {.count = 0};

    visit_all(&seen, completion->rows, completion->arguments, visit, context);
    for (; command != NULL && command->word != NULL; command++)
        visit_all(&seen, command->rows, command->arguments, visit, context);
}

bool completion_print(const struct completion *completion, const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        completion_bash(completion);
    else if (strcmp(shell, "zsh") == 0)
        completion_zsh(completion);
    else
        return false;
    return true;
}
