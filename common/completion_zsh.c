/*
 * The script for zsh: _arguments does the work, the tables become its specifications. It may stand
 * in a folder of $fpath, or be sourced.
 */
#include <stdio.h>
#include <string.h>

#include "completion.h"

/* A part of a specification, between single quotes: colons and brackets have a meaning there. Line
 * ends become spaces. */
static void print_part(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\'", stdout);
        else if (strchr(":[]\\", *text) != NULL)
            putchar('\\');
        putchar(*text == '\n' ? ' ' : *text);
    }
}

/* The same as a word for the shell, in quotes of its own; what keeps colons from ending the part
 * goes before the shell reads it. */
static void print_quoted_part(const char *text)
{
    fputs("'\\''", stdout);
    for (; *text != '\0'; text++)
        printf("%s%c", *text == ':' ? "\\" : "", *text);
    fputs("'\\''", stdout);
}

/* ":NAME: FUNCTION NAME": what to say of a value, and what offers some; nothing where nothing is
 * known. */
static void print_action(const char *name, const char *argument)
{
    struct values values;

    putchar(':');
    print_part(argument);
    putchar(':');
    if (!values_read(&values, argument)) {
        putchar(' ');
        return;
    }
    printf(" %s_offer ", name);
    print_quoted_part(argument);
}

static void print_row(const char *name, const struct usage_row *row, const char *indent)
{
    printf(" \\\n%s'*--%s%s[", indent, row->name, row->argument != NULL ? "=" : "");
    print_part(row->help);
    putchar(']');
    if (row->argument != NULL)
        print_action(name, row->argument);
    putchar('\'');
}

/* One call of _arguments: all options, then the arguments by their order. */
static void print_call(const char *name, const struct usage_row *rows, const char *arguments,
                       const char *indent)
{
    char word[ARGUMENT_MAX];

    printf("%.*s_arguments -S", (int)strlen(indent) - 4, indent);
    for (; rows->name != NULL; rows++)
        if (rows->help != NULL)
            print_row(name, rows, indent);
    for (int i = 1; completion_next(&arguments, word); i++) {
        size_t length = strlen(word);
        bool repeats = length > 3 && strcmp(word + length - 3, "...") == 0;
        if (repeats)
            printf(" \\\n%s'*", indent);
        else
            printf(" \\\n%s'%d", indent, i);
        print_action(name, word);
        putchar('\'');
    }
    putchar('\n');
}

static void print_command(const char *name, const struct usage_command *command)
{
    printf("        (%s)\n            shift words\n            (( CURRENT-- ))\n", command->word);
    print_call(name, command->rows, command->arguments, "                ");
    puts("            return\n            ;;");
}

/* Behind a command its own options, else the program's; as the first word the commands, too. */
static void print_commands(const char *name, const struct usage_command *commands)
{
    puts("    if (( CURRENT > 2 )); then\n        case $words[2] in");
    for (const struct usage_command *command = commands; command->word != NULL; command++)
        print_command(name, command);
    puts("        esac\n    else\n        local -a commands=(");
    for (const struct usage_command *command = commands; command->word != NULL; command++) {
        printf("            ");
        char text[256];
        snprintf(text, sizeof text, "%s:%s", command->word, command->summary);
        completion_quote(text);
        putchar('\n');
    }
    puts("        )\n        _describe -t commands command commands\n    fi");
}

static void print_values(void *context, const char *argument, const struct values *values)
{
    static const char *const calls[VALUE_KINDS] = {
        [VALUES_FILES] = "_files",
        [VALUES_FOLDERS] = "_files -/",
        [VALUES_HOSTS] = "_hosts",
        [VALUES_COMMANDS] = "_command_names -e",
    };

    (void)context;
    printf("    ('%s')\n", argument);
    for (int kind = VALUES_FILES; kind < VALUE_KINDS; kind++)
        if (values->is[kind])
            printf("        %s\n", calls[kind]);
    if (values->is[VALUES_WORDS])
        printf("        compadd -- %s\n", values->words[VALUES_WORDS]);
    if (values->is[VALUES_LIST])
        printf("        compset -P '*,'\n        compadd -qS , -- %s\n",
               values->words[VALUES_LIST]);
    puts("        ;;");
}

void completion_zsh(const struct completion *completion)
{
    char name[COMPLETION_NAME_MAX];
    const char *program = completion->program;

    completion_name(completion, name);
    printf("#compdef %s\n# Completion of zsh for %s, written by the program from its options.\n\n",
           program, program);
    printf("%s_offer() # ARGUMENT: adds what it can be\n{\n    case $1 in\n", name);
    completion_visit(completion, print_values, NULL);
    printf("    esac\n}\n\n%s()\n{\n", name);
    if (completion->commands != NULL)
        print_commands(name, completion->commands);
    print_call(name, completion->rows, completion->arguments, "        ");
    /* As a file of $fpath it is a function of the file's name. */
    printf("}\n\nif [[ $funcstack[1] == _%s ]]; then\n    %s \"$@\"\nelse\n    compdef %s %s\nfi\n",
           program, name, name, program);
}
