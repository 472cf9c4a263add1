/*
 * Shared by the subcommands for scripts: the command line, a connection without a person at it, and
 * the output. A subcommand prints the reply and ends. Its status is 0 on success; 1 when the server
 * refuses or cannot be reached, or the output cannot be written; 2 after bad usage.
 */
#ifndef LUDUS_SCRIPT_H
#define LUDUS_SCRIPT_H

#include "args.h"
#include "client/talk/client.h"

struct script {
    struct command_line line;
    char what[64]; /* the subject of errors, such as "record 12" */
    char tls_address[LINK_ADDRESS_MAX];
    char own_name[OWN_NAME_MAX];
    char *own; /* own_name as an argument */
    struct client client;
};

/* Connects under the name given, after args_read_line(). Without a name it goes as a guest or, if
 * `named`, under the player's usual name. False after an error. Either way script_end() must
 * follow. */
bool script_begin(struct script *script, bool named);

/* Sends a command and returns its reply without our id; the caller owns it. NULL after an error was
 * reported; a refusal is one. */
cJSON *script_ask(struct script *script, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a message as one line of JSON. */
void script_print_json(const cJSON *message);

/* Flushes the output. False after an error. */
bool script_flush(struct script *script);

/* Whether columns are aligned for people: on a terminal, and without --plain. */
bool script_is_aligned(const struct script *script);

/* Flushes the output and closes the connection; returns the exit status. */
int script_end(struct script *script);

#endif
