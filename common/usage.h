/*
 * The command line of a program as tables: its options and its subcommands, what stands behind
 * each, and a few words about it. From them come the table for getopt_long() and --help.
 */
#ifndef LUDUS_USAGE_H
#define LUDUS_USAGE_H

#include <getopt.h>

/* An option. All texts of these tables live as long as the program. */
struct usage_row {
    const char *name;     /* without the dashes; NULL ends a table */
    const char *argument; /* as help shows it; NULL: it takes none */
    const char *help;     /* lines, with line ends between them */
    int code;             /* what getopt_long() returns for it: no letter, up to 32 or from 256 */
};

/* A subcommand: the first word of the command line. */
struct usage_command {
    const char *word;      /* NULL ends a table */
    const char *arguments; /* what follows it but for options; "" for nothing */
    const char *summary;   /* one line without a full stop */
    const struct usage_row *rows;
    /* Runs it, with its own row as `command`; argv[0] is the word. Returns the exit status. */
    int (*run)(const struct usage_command *command, int argc, char *argv[]);
};

enum { USAGE_ROWS_MAX = 96 }; /* options of one table, the end included */

/* Fills the table for getopt_long(), its end included. */
void usage_longs(const struct usage_row *rows, struct option longs[USAGE_ROWS_MAX]);

/* The option for which getopt_long() has just returned '?' or ':', as it was typed; one of a single
 * letter, which no program has, as "-x" in text[], "-?" where that cannot be shown. */
const char *usage_refused(char *argv[], char text[3]);

/* What is wrong with a value, which is to be there and to fit into a line; NULL: nothing. */
const char *usage_fault(const char *value);

/* The subcommand of that word; NULL for any other word, and for NULL. */
const struct usage_command *usage_find(const struct usage_command *commands, const char *word);

/* Print to standard output, each entry on lines of its own, in two columns. */
void usage_print_rows(const struct usage_row *rows);
void usage_print_commands(const struct usage_command *commands);

/* Prints the help of one subcommand of `program`: how it is used, `text` (lines that say what it
 * does), and its options. */
void usage_print_command(const char *program, const struct usage_command *command,
                         const char *text);

#endif
