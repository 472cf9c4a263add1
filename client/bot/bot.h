/* What the parts of the program ludus-bot share: its errors, options and subcommands. */
#ifndef LUDUS_BOT_H
#define LUDUS_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/bot/search/engine.h"
#include "common/usage.h"

#define DEFAULT_LEVEL "greedy"

enum { EXIT_USAGE = 2 };

/* Options as getopt_long() returns them; beyond the characters, as none has a short form. */
enum {
    OPTION_HELP = 256,
    OPTION_VERSION,
    OPTION_LEVEL,
    OPTION_SEED,
    OPTIONS_OWN /* where those of one subcommand alone begin */
};

/* Plays on a server. argv[0] is not looked at; returns the exit status. */
int connect_main(int argc, char **argv);
/* Speaks UGI; likewise. */
int ugi_main(const struct usage_command *command, int argc, char **argv);
/* Plays engines against each other; likewise. */
int gauntlet_main(const struct usage_command *command, int argc, char **argv);
/* Solves a position of Clobber; likewise. */
int solve_main(const struct usage_command *command, int argc, char **argv);

/* Their options, in the same order. */
extern const struct usage_row connect_rows[], ugi_rows[], gauntlet_rows[], solve_rows[];

/* The words that choose one of them, all but the first. */
extern const struct usage_command bot_commands[];

/* Prints "ludus-bot: WHAT: WHY" on standard error. */
void bot_error(const char *what, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* --help: prints the rows, and the levels; --version. They return the exit status. */
int bot_print_help(const struct usage_row *rows);
int bot_print_version(void);

/* Says what is wrong with the option for which getopt_long() has just returned '?' or ':'.
 * Returns EXIT_USAGE. */
int bot_bad_option(int code, char **argv);

/* The values of --level and --seed. False after an error was printed. */
bool bot_take_level(const char *value, const struct engine **engine);
bool bot_take_seed(const char *value, uint64_t *rng);

/* A start for random numbers that is new every time. */
uint64_t bot_seed(void);

#endif
