/*
 * Standings of a contest: scores, tie breaks and performance, and the order that follows.
 *
 * Tie breaks (FIDE Handbook C.07): Buchholz, the scores of all opponents added up;
 * Sonneborn-Berger, each opponent's score times what was won against them; direct encounter, the
 * points against those of equal score, if all of them have met; wins. A Swiss asks for Buchholz
 * first, a round robin for Sonneborn-Berger. A knockout goes by the rounds survived, an arena
 * without end (a league) by performance.
 *
 * Performance is the average rating of the opponents plus what the share of points says by the
 * logistic curve, 800 at most. Tie breaks and performance count matches only, no byes or walkovers.
 * The error of a performance holds the opponents' ratings for exact: it is the 95 % interval of the
 * share of points (Agresti and Coull, "Approximate is better than exact", The American
 * Statistician, 1998), on the slope of the curve there. Draws make the true one smaller.
 */
#ifndef LUDUS_STANDINGS_H
#define LUDUS_STANDINGS_H

#include <stdint.h>

#include "contest.h"

struct standing {
    int entrant;
    int rank;    /* from 1; equal where all tie breaks are */
    int points2; /* half points */
    int matches, wins;
    int played2;        /* half points from matches */
    double opponents;   /* the ratings of all opponents in these, added up */
    int survived;       /* rounds of a knockout */
    int64_t buchholz2;  /* half points; a league has met opponents thousands of times */
    int64_t sonneborn4; /* quarter points */
    int direct2;        /* half points */
    double performance; /* 0: no matches yet */
    double performance_error;
};

/* The performance of a player who has scored `played2` half points in `matches`, and its error.
 * `opponents` is the sum of their opponents' ratings. 0 without matches. */
double performance_of(int matches, int played2, double opponents, double *error);

/* Whether somebody has taken part, so that the contest counts for them in a series: they have met
 * somebody, or have points. */
bool standing_counts(const struct standing *row);

/* Returns a row for each entrant, the first one first; the caller owns it. */
struct standing *standings_make(const struct contest *contest, bool league);

#endif
