/*
 * The subcommands for scripts, such as `ludus record 12`, and what others share with them: the
 * command line, a connection without a person at it, the output, matches as text. A subcommand
 * prints the reply and ends. Its status is 0 on success; 1 when the server refuses or cannot be
 * reached, or the output cannot be written; 2 after bad usage.
 */
#ifndef LUDUS_SCRIPT_H
#define LUDUS_SCRIPT_H

#include "args.h"
#include "client/link/match_state.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/term/console.h"

/* Draws the board (black sees it from black's side), the players, the clocks at now_ms, the last
 * move, the score and check, and whose turn it is or how the match ended. */
void draw_match(struct console *console, const struct match_state *view, int64_t now_ms);

struct script {
    struct command_line line;
    char what[64]; /* the subject of errors, such as "record 12" */
    char tls_address[LINK_ADDRESS_MAX];
    char own_name[OWN_NAME_MAX];
    char *own;   /* own_name as an argument */
    int pace_ms; /* after each state that is shown */
    int found;   /* matches of the inbox */
    struct client client;
};

/* Under which name a script goes. */
enum script_name {
    SCRIPT_AS_GIVEN, /* by --name, else as a guest */
    SCRIPT_NAMED,    /* by --name, else under the player's usual name */
    SCRIPT_GUEST     /* as a guest even with --name, unless the server needs a join code */
};

/* Connects, after args_read_line(). False after an error. Either way script_end() must follow. */
bool script_begin(struct script *script, enum script_name as);

/* Sends a command and returns its reply without our id; the caller owns it. NULL after an error was
 * reported; a refusal is one. */
cJSON *script_ask(struct script *script, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As script_ask(): sends the verb and the words of the command line, and asks for a list from that
 * row on unless it is 0. Words are joined by single spaces, as the shell has not kept the original
 * ones. */
cJSON *script_ask_words(struct script *script, const char *verb, int from);

/* Prints a message as one line of JSON. */
void script_print_json(const cJSON *message);

enum { SCRIPT_PAGE_MAX = 1024 }; /* bytes with the final NUL */

/* Writes the address of something that the server has for browsers, such as #/m/12, a route of its
 * page. */
void script_page(const char *address, const char *route, char page[SCRIPT_PAGE_MAX]);

/* Flushes the output. False after an error. */
bool script_flush(struct script *script);

/* Whether columns are aligned for people: on a terminal, and without --plain. */
bool script_is_aligned(const struct script *script);

/* Flushes the output and closes the connection; returns the exit status. */
int script_end(struct script *script);

#endif
