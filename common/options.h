/*
 * The options of a program as a table. By it the command line and the configuration file are read,
 * --help is printed (usage.h), and values are written back as text. Every program has one such
 * table, or one for each subcommand.
 *
 * A file has lines `name = value` with the names of the table: `yes` or `no` for what needs no
 * value. Blank lines and lines that begin with # are comments. The command line wins over the file,
 * the file over the defaults.
 */
#ifndef LUDUS_OPTIONS_H
#define LUDUS_OPTIONS_H

#include <getopt.h> /* optind */
#include <stdbool.h>
#include <stddef.h>

#include "text.h"

/* A value as it was given. The text lives as long as the program. */
struct option_input {
    const char *value;
    enum option_source { SOURCE_DEFAULT, SOURCE_FILE, SOURCE_WORDS } source;
};

/* Reads an option into *context, a struct of the program. Where the row has a member, too, it only
 * checks the value. False with the cause, which need not name the option. */
typedef bool option_reader(void *context, const struct option_input *input, struct cause *cause);

/* An option. All texts of a table live as long as the program. */
struct option_row {
    const char *name;     /* without the dashes; NULL ends a table */
    const char *argument; /* as help shows it; NULL for a flag, which takes at most yes or no */
    const char *help;     /* lines, separated by line ends */
    const char *standard; /* the default as it would be typed, which help shows; NULL: none */
    /* The member of the caller's struct that takes the value. */
    enum option_kind {
        OPTION_OWN,    /* none: `read` stores the value */
        OPTION_FLAG,   /* bool */
        OPTION_NUMBER, /* int or long, from min to max */
        OPTION_CHOICE, /* an enum that counts the words of `argument`, such as low|high, from 0; a
                      bool that is false for the first of two */
        OPTION_TEXT,   /* char[size], not empty */
        OPTION_WORD,   /* const char *: one line, not empty, which lives as long as the program */
        OPTION_HELP,
        OPTION_VERSION
    } kind;
    size_t offset, size; /* of the member */
    long min, max;
    option_reader *read; /* NULL: the kind is enough */
    bool path;           /* `~` and `~user` stand for home directories */
    bool config;         /* names the configuration file; a text or a word */
    bool repeats;        /* may be given several times in a file */
    bool not_in_file;    /* belongs on the command line only */
    bool live;           /* can be changed while the program runs */
    bool secret;         /* is not logged */
    bool spare;          /* of a program: for most subcommands, and passed over before others */
    bool hidden;         /* an older name of the row before it, which help does not show */
};

/* The texts of a row in a table: {OPTION("idle", "SECONDS", "silence"), TO_NUMBER(...), ...} */
#define OPTION(option, value, text) .name = option, .argument = value, .help = text

/* The kind of a row and its member of a struct. */
#define OPTION_MEMBER(type, member)                                                                \
    .offset = offsetof(struct type, member), .size = sizeof((struct type *)NULL)->member
#define TO_FLAG(type, member)   .kind = OPTION_FLAG, OPTION_MEMBER(type, member)
#define TO_CHOICE(type, member) .kind = OPTION_CHOICE, OPTION_MEMBER(type, member)
#define TO_TEXT(type, member)   .kind = OPTION_TEXT, OPTION_MEMBER(type, member)
#define TO_WORD(type, member)   .kind = OPTION_WORD, OPTION_MEMBER(type, member)
#define TO_NUMBER(type, member, least, most)                                                       \
    .kind = OPTION_NUMBER, OPTION_MEMBER(type, member), .min = least, .max = most

#define HELP_OPTION(text)                                                                          \
    {                                                                                              \
        OPTION("help", NULL, text), .kind = OPTION_HELP, .not_in_file = true                       \
    }
#define VERSION_OPTION                                                                             \
    {                                                                                              \
        OPTION("version", NULL, "print the version"), .kind = OPTION_VERSION, .not_in_file = true  \
    }

/* The last rows of a table. */
#define OPTIONS_LAST_ROWS                                                                          \
    HELP_OPTION("print this help"), VERSION_OPTION,                                                \
    {                                                                                              \
        .name = NULL                                                                               \
    }

enum { OPTION_VALUE_MAX = 4096, OPTIONS_MAX = 96 /* rows of a table, the end included */ };

/* The row of that name, or NULL. */
const struct option_row *option_find(const struct option_row *rows, const char *name);

/* Sets one option of *context; a flag without a value (NULL) is set to yes. False with the cause,
 * which does not name the option. */
bool option_set(const struct option_row *row, void *context, const char *value,
                enum option_source source, struct cause *cause);

/* Returns a path whose `~` or `~user` is the home directory, for values of which a path is a part.
 * It lives as long as the program. */
const char *option_path(const char *path);

/* Reads a number for an option_reader(). False with the cause. */
bool option_number(const char *value, long min, long max, long *number, struct cause *cause);

/* Returns what is wrong with a value that must be one line and not empty, or NULL. */
const char *option_fault(const char *value);

/* Writes the value as option_set() reads it. Equal texts mean equal values. A row without a member
 * has "". */
void option_value(const struct option_row *row, const void *context, char text[OPTION_VALUE_MAX]);

/* Sets the options that have a default. */
void options_set_defaults(const struct option_row *rows, void *context);

enum { EXIT_USAGE = 2 }; /* the exit status after bad usage */

/* All but the first and the last are exit statuses. */
enum options_result {
    OPTIONS_RUN = -1,
    OPTIONS_VERSION = 0,
    OPTIONS_BAD = EXIT_USAGE,
    OPTIONS_HELP = 256
};

/* How the words of a command line are read. */
enum options_order {
    OPTIONS_ANYWHERE, /* among its arguments */
    OPTIONS_FIRST     /* before the first argument */
};

/* Reads the defaults, the configuration file and the command line into *context. The file is that
 * of the row with `config`, or else `path`, which may be missing if `optional`; "", "none" and NULL
 * stand for no file. The member of that row names the file afterwards, if one was read. -h is
 * --help. Sets optind to the first argument. OPTIONS_BAD comes with the cause. */
enum options_result options_parse(const char *program, const struct option_row *rows,
                                  enum options_order order, int argc, char *argv[],
                                  const char *path, bool optional, void *context,
                                  struct cause *cause);

/* Does the same for a program without a usual file, and prints the version or what is wrong: then
 * the result is the exit status to end with. OPTIONS_HELP is for the caller to print. */
int options_read(const char *program, const struct option_row *rows, enum options_order order,
                 int argc, char *argv[], void *context);

#endif
