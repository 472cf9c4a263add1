/*
 * An attempt at a puzzle: what is said of each move, and what the player has solved so far, which
 * is kept in the file "puzzles" of the state directory (identity.h): "GAME NUMBER", the puzzle that
 * comes next, "daily DAY STREAK", the last day solved and how many in a row, "shown-GAME DAY", the
 * last day of whose puzzle the answer was shown, and "storm-GAME SOLVED", the best storm.
 */
#ifndef LUDUS_ATTEMPT_H
#define LUDUS_ATTEMPT_H

#include "common/puzzle.h"

enum { ATTEMPT_TEXT_MAX = 256 }; /* bytes with the final NUL */

struct attempt {
    struct puzzle puzzle;
    int number;
    long day;    /* the day of which it is the puzzle; 0: it is none of a day */
    int wrong;   /* moves tried */
    bool shown;  /* the answer was asked for, of a puzzle of today earlier, too */
    bool solved; /* or shown */
    int streak;  /* days in a row, once the puzzle of today is solved */
};

/* Today, in days from 1970-01-01, UTC. */
long attempt_today(void);

/* Begins with that puzzle of a game; with number 0 with the one after the last that was solved.
 * False where there is none. */
bool attempt_begin(struct attempt *attempt, const struct game *game, int number);

/* Begins with the puzzle of today, of a game or, with NULL, of the game of the day. */
bool attempt_begin_daily(struct attempt *attempt, const struct game *game);

/* Whether the puzzle of today is solved. *streak is the days in a row, up to today or yesterday. */
bool attempt_is_done_today(int *streak);

/* Tries a legal move, and says what is to be said of it. Where it is wrong, *reply is what refutes
 * it, if `refuted`. What is solved is noted; what cannot be noted is said, too. */
struct attempt_answer {
    bool right, refuted;
    struct move reply;
    char text[ATTEMPT_TEXT_MAX];
};
void attempt_try(struct attempt *attempt, struct move move, struct attempt_answer *answer);

/* Says the answer, which ends the attempt. */
void attempt_show(struct attempt *attempt, char text[ATTEMPT_TEXT_MAX]);

/* How many puzzles of a game the player has solved in their best storm; 0: none yet. And notes a
 * better one. */
int attempt_best_storm(const struct game *game);
bool attempt_keep_storm(const struct game *game, int solved, struct cause *cause);

/* The line that tells others how it went. */
void attempt_share(const struct attempt *attempt, char text[ATTEMPT_TEXT_MAX]);

/* "Clobber 5x6, puzzle 12 of 520", or "..., puzzle of 2026-11-28". */
void attempt_title(const struct attempt *attempt, char text[ATTEMPT_TEXT_MAX]);

#endif
