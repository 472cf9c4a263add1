/*
 * Glicko-2, the rating system of Mark Glickman ("Example of the Glicko-2 system",
 * http://www.glicko.net/glicko/glicko2.pdf), as pure functions over plain values. The system's
 * constant tau is 0.5.
 */
#ifndef LUDUS_GLICKO_H
#define LUDUS_GLICKO_H

#include <stdbool.h>

/* How strong a player is thought to be, on the scale of Elo's numbers. */
struct glicko {
    double rating;     /* 100 to 4000 */
    double deviation;  /* how unsure that is: above 0, at most 350, the value at the start */
    double volatility; /* how unsteadily he plays: 0.001 to 0.5 */
};

/* One match of a rating period. */
struct glicko_result {
    struct glicko opponent; /* as before the period */
    double score;           /* 1 won, 0.5 drawn, 0 lost */
};

/* Of somebody who has not played: 1500, 350, 0.06. */
struct glicko glicko_start(void);

/* Whether all three are within their ranges. */
bool glicko_in_range(const struct glicko *glicko);

/* The nearest values in these ranges, for what is no number those at the start: far from overflow
 * and from dividing by zero. */
struct glicko glicko_sane(struct glicko values);

/* The values after a rating period with these results; with none only the deviation grows. Values
 * out of range are taken for the nearest one in it, and those that are no number for the ones at
 * the start, so that the answer is always in range. */
struct glicko glicko_update(struct glicko player, const struct glicko_result *results, int count);

#endif
