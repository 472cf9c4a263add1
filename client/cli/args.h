/* The command line of the client. */
#ifndef LUDUS_ARGS_H
#define LUDUS_ARGS_H

#include "client/play/play.h"
#include "common/usage.h"

/* All texts are borrowed from argv. */
struct args {
    const char *address, *code, *name;
    char tls_address[LINK_ADDRESS_MAX]; /* what address points to with --tls */
    const char *join, *watch;           /* a match, or NULL */
    bool line;                          /* line by line, not in full screen */
    bool host;                          /* start a server for friends, and play there */
    bool join_open;                     /* take the match that is open there */
    struct new_match new_match;         /* new_match.game NULL: no match is to be opened */
};

/* The options of the client without a subcommand. */
extern const struct usage_row args_rows[];

/* Reads the command line. What is wrong is told on standard error; returns false when the program
 * is to end now, with *status as its exit code: 0 after --help and --version, 2 after bad usage. */
bool args_read(struct args *args, const struct usage_command *commands, int argc, char *argv[],
               int *status);

/* Whether the match to open has no seat for the one who opens it. */
bool args_only_watches(const struct args *args);

/* For those who read a command line: each says on standard error what is wrong, sets *status to 2
 * and returns false. The first is told how as by printf; the second what getopt_long() has
 * returned, ':' or '?'; the third looks whether the value of an
 * option is there and one line of text, and returns true if it is, the fourth likewise an argument,
 * of which `what` says what it is. */
bool args_refuse(int *status, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool args_refuse_word(int option, char *argv[], int *status);
bool args_check_value(const char *option, const char *value, int *status);
bool args_check_argument(const char *what, const char *value, int *status);

/* Likewise: reads the options of a subcommand. Each that is there has its value in
 * values[code], "" where it takes none; there is room for all codes; optind is then at the
 * arguments. For the code `help` the help is printed, with `text` below; *status is 0 then. */
bool args_read_rows(const struct usage_command *command, int help, const char *text, int argc,
                    char *argv[], const char *values[], int *status);

/* Likewise: whether that can be one's --name, or the --clock of a match. */
bool args_check_name(const char *name, int *status);
bool args_check_clock(const char *clock, int *status);

#endif
