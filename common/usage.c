#include "usage.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LEFT_MAX = 64, WIDEST = 30 };

void usage_longs(const struct usage_row *rows, struct option longs[USAGE_ROWS_MAX])
{
    int count = 0;

    for (; count < USAGE_ROWS_MAX - 1 && rows[count].name != NULL; count++)
        longs[count] = (struct option){.name = rows[count].name,
                                       .has_arg = rows[count].argument != NULL ? required_argument
                                                                               : no_argument,
                                       .val = rows[count].code};
    longs[count] = (struct option){.name = NULL};
}

/* optopt is the letter, a char, of a single-letter option, within whose word getopt_long() may
 * still be; of other options it is the code, or 0. */
const char *usage_refused(char *argv[], char text[3])
{
    if (optopt >= 0 && (optopt <= ' ' || optopt > UCHAR_MAX))
        return argv[optind - 1];
    text[0] = '-';
    text[1] = optopt < 0x7f && optopt > 0 ? (char)optopt : '?';
    text[2] = '\0';
    return text;
}

const char *usage_fault(const char *value)
{
    if (value[0] == '\0')
        return "nothing given";
    for (; *value != '\0'; value++)
        if (iscntrl((unsigned char)*value))
            return "control characters";
    return NULL;
}

const struct usage_command *usage_find(const struct usage_command *commands, const char *word)
{
    for (; word != NULL && commands->word != NULL; commands++)
        if (strcmp(commands->word, word) == 0)
            return commands;
    return NULL;
}

/* The left column: "--name ARGUMENT", or "word ARGUMENTS". */
static int write_left(char left[LEFT_MAX], const char *dashes, const char *name,
                      const char *argument)
{
    bool has = argument != NULL && argument[0] != '\0';

    return snprintf(left, LEFT_MAX, "%s%s%s%s", dashes, name, has ? " " : "", has ? argument : "");
}

/* The width of the left column. Entries above WIDEST get a line of their own. */
static int wider(int width, int length)
{
    return length > width && length <= WIDEST ? length : width;
}

static void print_entry(const char *left, const char *help, const char *standard, int width)
{
    if ((int)strlen(left) > width) {
        printf("  %s\n", left);
        left = "";
    }
    for (;;) {
        size_t length = strcspn(help, "\n");
        printf("  %-*s  %.*s", width, left, (int)length, help);
        if (help[length] == '\0')
            break;
        putchar('\n');
        help += length + 1;
        left = "";
    }
    if (standard != NULL)
        printf(" (%s)", standard);
    putchar('\n');
}

void usage_print_rows(const struct usage_row *rows)
{
    char left[LEFT_MAX];
    int width = 0;

    for (const struct usage_row *row = rows; row->name != NULL; row++)
        width = wider(width, write_left(left, "--", row->name, row->argument));
    for (const struct usage_row *row = rows; row->name != NULL; row++) {
        write_left(left, "--", row->name, row->argument);
        print_entry(left, row->help, row->standard, width);
    }
}

void usage_print_commands(const struct usage_command *commands)
{
    char left[LEFT_MAX];
    int width = 0;

    for (const struct usage_command *command = commands; command->word != NULL; command++)
        width = wider(width, write_left(left, "", command->word, command->arguments));
    for (const struct usage_command *command = commands; command->word != NULL; command++) {
        write_left(left, "", command->word, command->arguments);
        print_entry(left, command->summary, NULL, width);
    }
}

void usage_print_command(const char *program, const struct usage_command *command, const char *text)
{
    bool has = command->arguments[0] != '\0';

    printf("Usage: %s %s%s%s [OPTION]...\n%s\n\n", program, command->word, has ? " " : "",
           command->arguments, text);
    usage_print_rows(command->rows);
}
