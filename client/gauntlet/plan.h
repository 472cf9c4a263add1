/* What a gauntlet plays, as its command line says. */
#ifndef LUDUS_GAUNTLET_PLAN_H
#define LUDUS_GAUNTLET_PLAN_H

#include "../engine/driver.h"
#include "common/buffer.h"
#include "common/game.h"
#include "common/time_control.h"
#include "opening_file.h"

enum {
    PAIRS_MAX = 100000,
    PLAN_LIMIT_MAX = 64,
    COMMAND_WORDS_MAX = 64,
    /* bytes with the final NUL: */
    LABEL_MAX = 128
};

/* One of the two players. */
struct player {
    char label[LABEL_MAX]; /* as given; with (1) or (2) if both are the same */
    const char *text;      /* as given: a level or a command */
    bool proven;           /* has once accepted the game */
    struct program program;
    const struct dialect *dialect; /* NULL: not known yet */
    char *argv[COMMAND_WORDS_MAX + 1];
    char *words;   /* owned: the text, split into argv */
    char seed[24]; /* an argument, if a level */
};

enum limit { LIMIT_MOVETIME, LIMIT_NODES, LIMIT_CLOCK };

struct plan {
    const struct game *game;
    struct position start;
    int pairing[2];     /* which of all players these are, from 0 */
    int player_count;   /* of all */
    int highest_option; /* the last player, from 1, that an option was given for; 0: none */
    struct player players[2];
    enum limit limit;
    long movetime_ms, nodes;
    struct time_control clock;
    long margin_ms; /* how late a move may be */
    long pairs, parallel, seed, opening_plies, plies_max;
    const char *openings_path;  /* NULL: openings are random */
    struct opening_list list;   /* of that file */
    long score_cp, score_plies; /* adjudicate what both call won for so long; score_cp 0: nothing */
    long solver_nodes;          /* for the solver to decide a match; 0: it does not */
    bool sprt;
    double elo0, elo1;
    const char *pgn_path, *state_path; /* NULL: none */
    bool appends_pgn;                  /* the file holds other matches of this gauntlet */
    struct trace_plan trace;
    char *owned_path; /* what state_path points to, with more than two players */
    /* Owned: all that decides the course of the matches, but not their number, as a line without
     * its end. A gauntlet can continue another one with the same text. */
    struct buffer settings;
};

/* Reads the command line, from which the texts borrow, for the match of two of its players, counted
 * from 0. Returns USAGE_READ, or the exit status to end with after --help, --version or an error.
 * Release the plan in every case; do not copy it. */
int plan_read(struct plan *plan, int first, int second, int argc, char *argv[]);

void plan_release(struct plan *plan);

/* The opening of the match of that number, of the file; NULL: openings are random. */
const struct opening *plan_opening(const struct plan *plan, int number);

/* The start position of the match of that number. */
const struct position *plan_start(const struct plan *plan, int number);

/* Writes the limit of moves, such as "movetime 100 ms". */
void plan_limit(const struct plan *plan, char text[PLAN_LIMIT_MAX]);

/* Adapts the player's command to the match of that number. */
void player_prepare(struct player *player, const struct plan *plan, int number);

#endif
