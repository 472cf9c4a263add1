/* What the subcommands of ludus-bot share: errors, options, help. */
#ifndef LUDUS_BOT_H
#define LUDUS_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/bot/search/engine.h"
#include "common/usage.h"

#define DEFAULT_LEVEL "greedy"

/* The text of a number that is a macro, for help texts that name a default. */
#define BOT_TEXT_OF(number)  BOT_TEXT_OF_(number)
#define BOT_TEXT_OF_(number) #number

enum { EXIT_USAGE = 2 };

/* What getopt_long() returns for options: above all characters, as none has a short form. */
enum {
    OPTION_HELP = 256,
    OPTION_VERSION,
    OPTION_LEVEL,
    OPTION_SEED,
    OPTIONS_OWN /* the first one that a subcommand defines for itself */
};

/* Each runs a subcommand, argv[0] being its word, and returns the exit status. connect_main() plays
 * on a server, when there is no subcommand. */
int connect_main(int argc, char **argv);
int ugi_main(const struct usage_command *command, int argc, char **argv);
int gauntlet_main(const struct usage_command *command, int argc, char **argv);
int solve_main(const struct usage_command *command, int argc, char **argv);

extern const struct usage_row connect_rows[], ugi_rows[], gauntlet_rows[], solve_rows[];

/* Prints "ludus-bot: WHAT: WHY" on standard error. Returns false. */
bool bot_error(const char *what, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* What bot_read_options() returns beside an exit status. */
enum { OPTIONS_READ = -2, OPTIONS_HELP = -1 };

/* Reads the options in argv, and hands each to take() with its code and "--NAME"; its value is in
 * optarg. take() prints what is wrong and returns false to refuse it. Returns OPTIONS_READ with
 * optind at the arguments, OPTIONS_HELP for --help, or the exit status to end with: version and
 * errors have been printed. */
int bot_read_options(const struct usage_row *rows, int argc, char **argv,
                     bool (*take)(void *context, int code, const char *option), void *context);

/* Read the value of an option in optarg. False after an error was printed. */
bool bot_take_number(const char *option, long min, long max, long *number);
bool bot_take_level(const struct engine **engine);
bool bot_take_seed(uint64_t *rng);

/* Prints the levels, for --help. Returns exit status 0. */
int bot_print_levels(void);

/* A new seed every time. */
uint64_t bot_seed(void);

#endif
