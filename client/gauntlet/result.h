/* The result of a match in a gauntlet. */
#ifndef LUDUS_GAUNTLET_RESULT_H
#define LUDUS_GAUNTLET_RESULT_H

#include "common/pgn.h"

enum ending {
    ENDING_RULES,
    ENDING_PLIES, /* a draw by the ply limit */
    /* By the loser's fault: */
    ENDING_TIME,
    ENDING_ILLEGAL,
    ENDING_CRASH, /* the engine ended, hung, flooded or closed a pipe */
    ENDINGS
};

struct result_of_match {
    int number; /* matches 2n and 2n + 1 are a pair */
    enum ending ending;
    struct outcome outcome; /* for the record; REASON_NONE with ENDING_PLIES */
    int64_t date_s;         /* when it ended, in seconds since 1970 */
    int plies;
    struct move_text *moves; /* owned; the opening's included */
    struct cause note;       /* describes the fault; "": none */
};

/* "rules", "plies", "time", "illegal", "crash". */
const char *ending_text(enum ending ending);

/* The player that has white, 0 or 1: the second one in the second match of a pair. */
int white_player(int number);

/* The first player's half points. */
int first_player_points(const struct result_of_match *result);

/* The player whose fault ended the match, 0 or 1, or -1. */
int player_at_fault(const struct result_of_match *result);

/* Frees the result and what it owns. NULL is allowed. */
void result_free(struct result_of_match *result);

#endif
