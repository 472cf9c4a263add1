/*
 * The results of a gauntlet's matches, in memory and in the state file, with which it continues
 * after an interruption, be it kill -9. The file is PGN, or lines.
 *
 * PGN is one file for all pairings. It begins with a line for each pairing that has begun,
 *
 *     %ludus-gauntlet I-J SETTINGS
 *
 * which readers of PGN skip: the settings of the plan for players I and J. Records follow as the
 * matches end, each with an empty line behind it. White, Black and Match say which one it is,
 * Reason and Termination how it ended.
 *
 * A file of lines is of one pairing. The first two lines are its type and the settings. Each
 * further line is a finished match:
 *
 *     NUMBER DATE RESULT ENDING REASON MOVE... [; NOTE]
 *
 * DATE is in seconds since 1970, and REASON may be `-`. In both a last match that is not whole is
 * the rest of an interrupted write, and is dropped.
 */
#ifndef LUDUS_GAUNTLET_RESULTS_H
#define LUDUS_GAUNTLET_RESULTS_H

#include <stdio.h>

#include "common/pgn.h"
#include "plan.h"

enum ending {
    ENDING_RULES,
    ENDING_PLIES, /* a draw by the ply limit */
    ENDING_RESIGNED,
    ENDING_SCORE,  /* adjudicated: both engines' scores agree */
    ENDING_SOLVER, /* adjudicated: the solver knows who wins */
    ENDING_DRAW,   /* adjudicated: both engines' scores are near 0 */
    /* By the loser's fault: */
    ENDING_TIME,
    ENDING_ILLEGAL,
    ENDING_CRASH, /* the engine ended, hung, flooded or closed a pipe */
    ENDINGS
};

struct result_of_match {
    int number; /* matches 2n and 2n + 1 are a pair */
    enum ending ending;
    struct outcome outcome; /* for the record; REASON_NONE if adjudicated */
    int64_t date_s;         /* when it ended, in seconds since 1970 */
    int plies;
    struct move_text *moves; /* owned; the opening's included. NULL: the match was not played */
    char **notes;            /* owned, for each move: what the engine said of it, or NULL; NULL:
                              * none is known */
    struct cause note;       /* describes the fault; "": none */
};

struct results {
    struct result_of_match *matches; /* by number; owned; `count` of them */
    int count, played;
    const struct plan *plan; /* borrowed, of the file */
    FILE *file;              /* owned; NULL: nothing is kept */
    const char *path;
};

/* "rules", "plies", "resigned", "score", "solver", "draw", "time", "illegal", "crash". */
const char *ending_text(enum ending ending);

/* Whether the match ended before the rules or a player ended it. */
bool is_adjudicated(enum ending ending);

/* The player that has white, 0 or 1: the second one in the second match of a pair. */
int white_player(int number);

/* The first player's half points. */
int first_player_points(const struct result_of_match *result);

/* The player whose fault ended the match, 0 or 1, or -1. */
int player_at_fault(const struct result_of_match *result);

/* Makes room for `count` results. */
void results_init(struct results *results, int count);

/* Opens or creates the state file, locks it, and takes the results in it. Returns false with the
 * cause if the file cannot be opened, is in use, belongs to another gauntlet, or is broken. */
bool results_open(struct results *results, const char *path, const struct plan *plan,
                  struct cause *cause);

/* Opens a new state file and writes all results to it. Returns false with the cause. */
bool results_save(struct results *results, const char *path, const struct plan *plan,
                  struct cause *cause);

/* Takes the result of a match that was not played yet, and appends it to the state file. Returns
 * false with the cause if that fails. */
bool results_add(struct results *results, struct result_of_match result, struct cause *cause);

/* Writes the record of a match, which the caller frees. */
char *result_pgn(const struct result_of_match *result, const struct plan *plan);

/* Closes the file, so that another pairing can use it. */
void results_close(struct results *results);

void results_release(struct results *results);

#endif
