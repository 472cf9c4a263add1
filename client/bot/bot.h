/* What the subcommands of ludus-bot share: errors, the level, help. */
#ifndef LUDUS_BOT_H
#define LUDUS_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/bot/search/engine.h"
#include "common/usage.h"

#define DEFAULT_LEVEL "greedy"

/* Each runs a subcommand, argv[0] being its word, and returns the exit status. connect_main() plays
 * on a server, when there is no subcommand. */
int connect_main(int argc, char **argv);
int ugi_main(const struct usage_command *command, int argc, char **argv);
int gauntlet_main(const struct usage_command *command, int argc, char **argv);
int solve_main(const struct usage_command *command, int argc, char **argv);
int review_main(const struct usage_command *command, int argc, char **argv);
int perft_main(const struct usage_command *command, int argc, char **argv);
int selfplay_main(const struct usage_command *command, int argc, char **argv);
int puzzles_main(const struct usage_command *command, int argc, char **argv);
int openings_main(const struct usage_command *command, int argc, char **argv);
int check_main(const struct usage_command *command, int argc, char **argv);
int check_bot_main(const struct usage_command *command, int argc, char **argv);

extern const struct option_row connect_rows[], ugi_rows[], gauntlet_rows[], solve_rows[],
    review_rows[], perft_rows[], selfplay_rows[], puzzles_rows[], openings_rows[], check_rows[],
    check_bot_rows[];

/* Counts move sequences of exactly `depth` plies, like perft() for each legal move, which it hands
 * to `tell` with its count. Returns false, with the count so far, once another thread has set
 * `stop`. */
typedef void perft_teller(void *context, const char *move, uint64_t count);
bool perft_each_move(const struct game *game, const struct position *position, int depth,
                     const atomic_bool *stop, perft_teller *tell, void *context, uint64_t *total);

/* Prints "ludus-bot: WHAT: WHY" on standard error. Returns false. */
bool bot_error(const char *what, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* Finds the engine of a level. False with the cause. */
bool bot_find_level(const struct engine **engine, const char *level, struct cause *cause);

/* Prints the levels, for --help. Returns exit status 0. */
int bot_print_levels(void);

/* A new seed every time, at least 0. */
long bot_seed(void);

#endif
