/* The options and subcommands of a program as tables, from which getopt_long() and --help work. */
#ifndef LUDUS_USAGE_H
#define LUDUS_USAGE_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "cause.h"

/* An option. All texts of these tables live as long as the program. */
struct usage_row {
    const char *name;     /* without the dashes; NULL ends a table */
    const char *argument; /* as help shows it; NULL: it takes none */
    const char *help;     /* lines, separated by line ends */
    int code;             /* what getopt_long() returns: up to 32 or from 256, not a letter */
    const char *standard; /* the default, which help shows in parentheses; NULL: none */
    /* Where usage_read() stores the value: at this offset of the caller's struct. */
    enum usage_kind { USAGE_CODE, USAGE_FLAG, USAGE_TEXT, USAGE_NUMBER } kind;
    size_t offset;
    long min, max; /* of a USAGE_NUMBER */
};

/* The texts of a row in a table: {OPTION("idle", "SECONDS", "silence"), .code = IDLE, ...} */
#define OPTION(option, value, text) .name = option, .argument = value, .help = text

/* Instead of a code: the member of a struct that takes the value: a bool, a text, or a long. */
#define TO_FLAG(type, member) .kind = USAGE_FLAG, .offset = offsetof(struct type, member)
#define TO_TEXT(type, member) .kind = USAGE_TEXT, .offset = offsetof(struct type, member)
#define TO_NUMBER(type, member, least, most)                                                       \
    .kind = USAGE_NUMBER, .offset = offsetof(struct type, member), .min = least, .max = most

/* The last rows of a table for usage_read(). */
#define USAGE_LAST_ROWS                                                                            \
    {OPTION("help", NULL, "print this help"), .code = USAGE_HELP},                                 \
        {OPTION("version", NULL, "print the version"), .code = USAGE_VERSION},                     \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* A subcommand: the first word of the command line. */
struct usage_command {
    const char *word;      /* NULL ends a table */
    const char *arguments; /* its arguments, without options; "": none */
    const char *summary;   /* one line without a full stop */
    const struct usage_row *rows;
    /* Runs it, with its own row as `command`; argv[0] is the word. Returns the exit status. */
    int (*run)(const struct usage_command *command, int argc, char *argv[]);
};

enum { EXIT_USAGE = 2 }; /* the exit status after bad usage */

enum { USAGE_ROWS_MAX = 96 }; /* options of one table, the end included */

/* Codes for usage_read(). */
enum {
    USAGE_HELP = 256,
    USAGE_VERSION,
    USAGE_OWN, /* the first one that a table defines for itself */
    USAGE_READ = -1
};

/* Reads the options of `program` in argv; getopt_long() takes `order`, which ends in ':'. Stores
 * the defaults of the table in *context, and then the options, or hands those that have a code to
 * take(); the value is in optarg, one line and not empty. take() returns false with the cause to
 * refuse it; without codes it may be NULL. Returns USAGE_READ with optind at the arguments,
 * USAGE_HELP, or the exit status to end with: version and errors are printed. -h is --help. */
int usage_read(const char *program, const struct usage_row *rows, const char *order, int argc,
               char *argv[], bool (*take)(void *context, int code, struct cause *cause),
               void *context);

/* Reads the number in optarg, for take(). False with the cause. */
bool usage_number(long min, long max, long *number, struct cause *cause);

/* Fills the table for getopt_long(), its end included. */
void usage_longs(const struct usage_row *rows, struct option longs[USAGE_ROWS_MAX]);

/* The option for which getopt_long() has just returned '?' or ':', as it was typed. A single
 * letter, which is never an option, goes into text[] as "-x", or as "-?" if it cannot be shown. */
const char *usage_refused(char *argv[], char text[3]);

/* What is wrong with a value, which must be one line and not empty; NULL: nothing. */
const char *usage_fault(const char *value);

/* The subcommand with that word, or NULL; the word may be NULL. */
const struct usage_command *usage_find(const struct usage_command *commands, const char *word);

/* The subcommand whose word is the nearest to a mistyped one; NULL when none is near. */
const struct usage_command *usage_nearest(const struct usage_command *commands, const char *word);

/* Print the entries in two columns to standard output. */
void usage_print_rows(const struct usage_row *rows);
void usage_print_commands(const struct usage_command *commands);

/* Ends a program that has printed its results: flushes standard output, and if all has gone well so
 * far (`status` is 0), reports what could not be written. Returns the exit status: 1 where output
 * is lost. */
int usage_end(const char *program, int status);

/* Prints the help of a subcommand of `program`: its usage, `text` (lines that describe it), and its
 * options. */
void usage_print_command(const char *program, const struct usage_command *command,
                         const char *text);

#endif
