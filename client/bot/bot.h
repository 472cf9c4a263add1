/* What the subcommands of ludus-bot share: errors, the level, help. */
#ifndef LUDUS_BOT_H
#define LUDUS_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/bot/search/engine.h"
#include "common/usage.h"

#define DEFAULT_LEVEL "greedy"

/* The code of an option that several subcommands have, and the first one of their own. */
enum { OPTION_LEVEL = USAGE_OWN, OPTIONS_OWN };

/* Each runs a subcommand, argv[0] being its word, and returns the exit status. connect_main() plays
 * on a server, when there is no subcommand. */
int connect_main(int argc, char **argv);
int ugi_main(const struct usage_command *command, int argc, char **argv);
int gauntlet_main(const struct usage_command *command, int argc, char **argv);
int solve_main(const struct usage_command *command, int argc, char **argv);
int review_main(const struct usage_command *command, int argc, char **argv);

extern const struct usage_row connect_rows[], ugi_rows[], gauntlet_rows[], solve_rows[],
    review_rows[];

/* Prints "ludus-bot: WHAT: WHY" on standard error. Returns false. */
bool bot_error(const char *what, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* Reads the level in optarg. False with the cause. */
bool bot_take_level(const struct engine **engine, struct cause *cause);

/* Prints the levels, for --help. Returns exit status 0. */
int bot_print_levels(void);

/* A new seed every time, at least 0. */
long bot_seed(void);

#endif
