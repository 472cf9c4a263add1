/* The command line of the client. */
#ifndef LUDUS_ARGS_H
#define LUDUS_ARGS_H

#include "client/play/play.h"
#include "common/usage.h"

/* All texts are borrowed from argv. */
struct args {
    const char *address, *code, *name;
    char tls_address[LINK_ADDRESS_MAX]; /* storage for the address with --tls */
    const char *join, *watch;           /* a match number, or NULL */
    bool line;                          /* line mode */
    bool host;                          /* start a server for friends and play there */
    bool join_open;                     /* take the match that is open there */
    struct new_match new_match;         /* new_match.game is NULL when no match is to be opened */
};

/* The options of the client without a subcommand. */
extern const struct usage_row args_rows[];

/* Reads the command line and reports errors on standard error. Returns false when the program must
 * end now, with the exit status in *status: 0 after --help and --version, 2 after bad usage. */
bool args_read(struct args *args, const struct usage_command *commands, int argc, char *argv[],
               int *status);

/* Plays in full screen or in line mode, as the options say; returns the exit status. */
int run_client(const struct args *args);

/* Whether the player only watches: they have no seat in the match to open, or asked to watch
 * one. */
bool args_only_watches(const struct args *args);

/* The functions below report bad usage on standard error, set *status to 2 and return false. The
 * checks return true for a good value; args_check_argument() only wants one line that is not empty,
 * and `what` names the argument. */
bool args_refuse(int *status, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool args_check_argument(const char *what, const char *value, int *status);

/* Reads the options of a subcommand into values[code], "" for a flag; values[] must have room for
 * all codes. Afterwards optind is at the arguments. The code `help` prints the help with `text` and
 * returns false with *status 0. */
bool args_read_rows(const struct usage_command *command, int help, const char *text, int argc,
                    char *argv[], const char *values[], int *status);

/* Check a --name, and the --color and --clock of a match. */
bool args_check_name(const char *name, int *status);
bool args_check_color(const char *color, int *status);
bool args_check_clock(const char *clock, int *status);

#endif
