/* The options of ludus-bridge. */
#ifndef LUDUS_BRIDGE_OPTIONS_H
#define LUDUS_BRIDGE_OPTIONS_H

#include "../engine/driver.h"
#include "client/seating/account.h"
#include "client/seating/policy.h"
#include "common/game.h"
#include "common/usage.h"

enum { PLAYABLE_MAX = 32, COMMAND_WORDS_MAX = 64 };

/* One word of --games. */
struct playable {
    const struct game *game;
    bool every_variant;    /* no variant was named */
    struct position start; /* of that variant, or the default one */
};

struct bridge_options {
    struct account account;
    struct policy policy;
    struct playable games[PLAYABLE_MAX];
    int game_count;
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

/* Whether --games has the game in that variant. */
bool bridge_options_have_game(const struct bridge_options *options, const struct game *game,
                              const struct position *start);

#endif
