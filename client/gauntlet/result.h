/* A match that has been played, and how it ended. */
#ifndef LUDUS_GAUNTLET_RESULT_H
#define LUDUS_GAUNTLET_RESULT_H

#include "common/pgn.h"

enum ending {
    ENDING_RULES,
    ENDING_PLIES, /* as long as a match may be: counts as a draw */
    /* The loser's fault: */
    ENDING_TIME,
    ENDING_ILLEGAL,
    ENDING_CRASH, /* it ended, hangs, floods or closed a pipe */
    ENDINGS
};

struct result_of_match {
    int number; /* of the match; matches 2n and 2n+1 are a pair */
    enum ending ending;
    struct outcome outcome; /* as records have it; reason NONE for ENDING_PLIES */
    int64_t date_s;         /* when it ended, in seconds since 1970 */
    int plies;
    struct move_text *moves; /* owned, with those of the opening */
    struct cause note;       /* what the fault was; "" without one */
};

/* "rules", "plies", "time", "illegal", "crash". */
const char *ending_text(enum ending ending);

/* Who plays white: 0 or 1. In the second match of a pair it is the second player. */
int white_player(int number);

/* The half points of the first player. */
int first_player_points(const struct result_of_match *result);

/* Whose fault the end was: 0 or 1; -1: nobody's. */
int player_at_fault(const struct result_of_match *result);

/* Frees the result and what it owns; NULL is allowed. */
void result_free(struct result_of_match *result);

#endif
