#include "usage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "game.h"

enum { LEFT_MAX = 64, WIDEST = 30 };

const struct usage_command *usage_find(const struct usage_command *commands, const char *word)
{
    for (; word != NULL && commands->word != NULL; commands++)
        if (strcmp(commands->word, word) == 0)
            return commands;
    return NULL;
}

/* Finds in a table the option that a word names, perhaps by its beginning, or NULL. */
static const struct option_row *find_option(const struct option_row *rows, const char *word,
                                            bool whole)
{
    size_t length = strcspn(word + 2, "=");

    for (; rows->name != NULL; rows++)
        if (strncmp(rows->name, word + 2, length) == 0 && (!whole || rows->name[length] == '\0'))
            return rows;
    return NULL;
}

/* Finds it in the table of the program, or else in that of any subcommand; a whole name first. */
static const struct option_row *find_any_option(const struct option_row *rows,
                                                const struct usage_command *commands,
                                                const char *word)
{
    for (int beginning = 0; beginning < 2; beginning++) {
        const struct option_row *row = find_option(rows, word, beginning == 0);
        for (int i = 0; row == NULL && commands[i].word != NULL; i++)
            row = find_option(commands[i].rows, word, beginning == 0);
        if (row != NULL)
            return row;
    }
    return NULL;
}

/* How many words an option takes, with the value behind it. */
static int count_words(const struct option_row *row, const char *word)
{
    return row->argument != NULL && strchr(word, '=') == NULL ? 2 : 1;
}

/* The place of the first word that is no option; 0 where one is unknown, or asks for the version.
 */
static int find_word(const struct option_row *rows, const struct usage_command *commands, int argc,
                     char *argv[])
{
    int place = 1;

    while (place < argc && strncmp(argv[place], "--", 2) == 0 && argv[place][2] != '\0') {
        const struct option_row *row = find_any_option(rows, commands, argv[place]);
        if (row == NULL || row->kind == OPTION_VERSION)
            return 0;
        place += count_words(row, argv[place]);
    }
    return place < argc ? place : 0;
}

/* Whether a subcommand has none of the options that are spare. */
static bool spares_all(const struct option_row *rows, const struct usage_command *command)
{
    for (; rows->name != NULL; rows++)
        if (rows->spare && option_find(command->rows, rows->name) != NULL)
            return false;
    return true;
}

/* Takes the spare options of the program out of the words before `place`. Returns how many words
 * are left there. */
static int leave_spare_out(const struct option_row *rows, const struct usage_command *commands,
                           int place, char *argv[])
{
    int kept = 1;

    for (int at = 1; at < place;) {
        const struct option_row *row = find_any_option(rows, commands, argv[at]);
        int end = at + count_words(row, argv[at]);
        for (; at < end; at++)
            if (!row->spare)
                argv[kept++] = argv[at];
    }
    return kept - 1;
}

const struct usage_command *usage_bring_forward(const struct option_row *rows,
                                                const struct usage_command *commands, int *argc,
                                                char *argv[])
{
    int place = find_word(rows, commands, *argc, argv);
    const struct usage_command *command = usage_find(commands, place > 0 ? argv[place] : NULL);

    if (command == NULL)
        return NULL;
    char *word = argv[place];
    int before =
        spares_all(rows, command) ? leave_spare_out(rows, commands, place, argv) : place - 1;
    memmove(argv + before + 2, argv + place + 1, (size_t)(*argc - place) * sizeof *argv);
    memmove(argv + 2, argv + 1, (size_t)before * sizeof *argv);
    argv[1] = word;
    *argc -= place - 1 - before;
    return command;
}

const struct usage_command *usage_nearest(const struct usage_command *commands, const char *word)
{
    struct meant_word meant;

    meant_begin(&meant, word);
    for (const struct usage_command *command = commands; command->word != NULL; command++)
        meant_try(&meant, command->word);
    return usage_find(commands, meant.word);
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

void usage_print_rows(const struct option_row *rows)
{
    char left[LEFT_MAX];
    int width = 0;

    for (const struct option_row *row = rows; row->name != NULL; row++)
        if (!row->hidden)
            width = wider(width, write_left(left, "--", row->name, row->argument));
    for (const struct option_row *row = rows; row->name != NULL; row++) {
        if (row->hidden)
            continue;
        write_left(left, "--", row->name, row->argument);
        print_entry(left, text_translated(row->help), row->standard, width);
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
        print_entry(left, text_translated(command->summary), NULL, width);
    }
}

void usage_print_games(void)
{
    puts(_("\nGames:"));
    for (const struct game *const *game = games; *game != NULL; game++) {
        printf("  %-12s", (*game)->name);
        for (const char *const *variant = (*game)->variants; *variant != NULL; variant++)
            printf(" %s", *variant);
        putchar('\n');
    }
}

void usage_print_command(const char *program, const struct usage_command *command, const char *text)
{
    bool has = command->arguments[0] != '\0';

    printf(_("Usage: %s %s [OPTION]...%s%s\n%s\n\n"), program, command->word, has ? " " : "",
           command->arguments, text_translated(text));
    usage_print_rows(command->rows);
}

int usage_end(const char *program, int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno == 0) { /* it has failed before: with what? */
        putchar('\n');
        fflush(stdout);
    }
    if (status == 0) /* else it is reported */
        fprintf(stderr, "%s: standard output: %s\n", program,
                errno != 0 ? strerror(errno) : "cannot be written");
    return status != 0 ? status : 1;
}
