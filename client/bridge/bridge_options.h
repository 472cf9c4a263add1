/* The options of ludus-bridge. */
#ifndef LUDUS_BRIDGE_OPTIONS_H
#define LUDUS_BRIDGE_OPTIONS_H

#include "../engine/driver.h"
#include "client/seating/account.h"
#include "client/seating/policy.h"
#include "common/usage.h"

enum { COMMAND_WORDS_MAX = 64 };

struct bridge_options {
    struct account account;
    struct policy policy;
    const struct dialect *dialect; /* NULL: to be found out */
    long movetime_ms;
    struct program program;
    char *command[COMMAND_WORDS_MAX + 1]; /* of --command */
    char **arguments;                     /* the command line; owned if it has a file's options */
};

/* Reads the command line, which all texts borrow from. Returns USAGE_READ, or the exit status to
 * end with: help, version and errors have been printed. Release the options in every case. */
int bridge_options_read(struct bridge_options *options, int argc, char *argv[]);

void bridge_options_release(struct bridge_options *options, char *argv[]);

#endif
