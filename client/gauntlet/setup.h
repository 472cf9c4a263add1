/* What a gauntlet is to play: its command line, understood. */
#ifndef LUDUS_GAUNTLET_SETUP_H
#define LUDUS_GAUNTLET_SETUP_H

#include "../engine/driver.h"
#include "common/game.h"
#include "common/time_control.h"

enum {
    PAIRS_MAX = 100000,
    COMMAND_WORDS_MAX = 64,
    LABEL_MAX = 128,    /* bytes with the final NUL */
    SETTINGS_MAX = 8192 /* likewise */
};

/* One of the two players. */
struct player {
    char label[LABEL_MAX]; /* as it was given; with (1) or (2) if both are the same */
    const char *text;      /* as it was given */
    bool is_level;         /* one of ours; else the text is a command */
    bool proven;           /* has once got as far as taking the game */
    struct program program;
    const struct dialect *dialect; /* NULL: not known yet */
    char *argv[COMMAND_WORDS_MAX + 1];
    char *words;   /* owned; what a command was split into */
    char seed[24]; /* of a level, an argument */
};

enum limit { LIMIT_MOVETIME, LIMIT_NODES, LIMIT_CLOCK };

struct plan {
    const struct game *game;
    struct position start;
    struct player players[2];
    enum limit limit;
    long movetime_ms, nodes;
    struct time_control clock;
    long margin_ms; /* beyond its time, before a player has lost on time */
    long pairs, parallel, seed, opening_plies, plies_max;
    bool sprt;
    double elo0, elo1;
    const char *pgn_path, *state_path; /* NULL: none */
};

enum plan_result { PLAN_RUN, PLAN_DONE, PLAN_BAD };

/* Reads the command line; argv[0] is not looked at. The texts borrow from it. --help and
 * --version print and give PLAN_DONE; PLAN_BAD comes after an error was printed. To be released
 * in every case, and not to be copied. */
enum plan_result plan_read(struct plan *plan, int argc, char *argv[]);

void plan_release(struct plan *plan);

/* Writes all that decides how the matches go, but not how many are played, as one line without
 * its end: two gauntlets with the same text can be one. */
void plan_settings(const struct plan *plan, char text[SETTINGS_MAX]);

/* Writes the limit as the options have it, such as "movetime 100". text[64]. */
void plan_limit(const struct plan *plan, char *text);

/* Makes the player's command the one for the match of that number. */
void player_prepare(struct player *player, const struct plan *plan, int number);

#endif
