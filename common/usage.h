/* What a program says of itself: its subcommands, --help, and whether its output was written. */
#ifndef LUDUS_USAGE_H
#define LUDUS_USAGE_H

#include "options.h"

/* A subcommand: the first word of the command line. */
struct usage_command {
    const char *word;      /* NULL ends a table */
    const char *arguments; /* its arguments, without options; "": none */
    const char *summary;   /* one line without a full stop */
    const struct option_row *rows;
    /* Runs it, with its own row as `command`; argv[0] is the word. Returns the exit status. */
    int (*run)(const struct usage_command *command, int argc, char *argv[]);
};

/* The subcommand with that word, or NULL; the word may be NULL. */
const struct usage_command *usage_find(const struct usage_command *commands, const char *word);

/* Finds the subcommand of a command line, before which there may be options of the program (`rows`)
 * or of a subcommand, and brings its word forward: then argv[1] is the word, and its options and
 * arguments follow, but not the program's `spare` options for one that has none of them. NULL, with
 * argv unchanged, where no subcommand is named. */
const struct usage_command *usage_bring_forward(const struct option_row *rows,
                                                const struct usage_command *commands, int *argc,
                                                char *argv[]);

/* The subcommand whose word is the nearest to a mistyped one; NULL when none is near. */
const struct usage_command *usage_nearest(const struct usage_command *commands, const char *word);

/* Print the entries in two columns to standard output. */
void usage_print_rows(const struct option_row *rows);
void usage_print_commands(const struct usage_command *commands);

/* Prints the games and their variants. The completions of shells read it. */
void usage_print_games(void);

/* Ends a program that has printed its results: flushes standard output, and if all has gone well so
 * far (`status` is 0), reports what could not be written. Returns the exit status: 1 where output
 * is lost. */
int usage_end(const char *program, int status);

/* Prints the help of a subcommand of `program`: its usage, `text` (lines that describe it), and its
 * options. */
void usage_print_command(const char *program, const struct usage_command *command,
                         const char *text);

#endif
