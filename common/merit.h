/*
 * Why a move is good, in a few words for people, as far as the rules tell: it captures, mates, or
 * begins a line that does. Reviews and analyses say it of the move that they prefer, wherever they
 * are shown.
 */
#ifndef LUDUS_MERIT_H
#define LUDUS_MERIT_H

#include "game.h"

enum {
    MERIT_MAX = 80,      /* bytes with the final NUL */
    EVAL_WIN = 30000,    /* a certain win in hundredths, less the plies that it takes at most */
    EVAL_CERTAIN = 29000 /* the least of these */
};

/* What is known of a position whose best line begins with that move. */
struct best_line {
    const char (*moves)[MOVE_TEXT_MAX]; /* best play; borrowed */
    int plies;
    int eval;   /* for white */
    bool exact; /* a solver has proved who wins, in a game in which the last move does */
};

/* Writes what goes on from the move: "captures the soldier". "" where the rules have nothing to
 * tell, or a move of the line is not legal. */
void merit_tell(const struct game *game, const struct position *position,
                const struct best_line *line, char text[MERIT_MAX]);

#endif
