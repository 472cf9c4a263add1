/* The progress and the report of a gauntlet, for people. */
#ifndef LUDUS_GAUNTLET_REPORT_H
#define LUDUS_GAUNTLET_REPORT_H

#include "results.h"
#include "score.h"

enum verdict { VERDICT_NONE, VERDICT_ELO0, VERDICT_ELO1 };

/* A summary of the pairs counted so far. */
struct summary {
    struct tally tally;
    int endings[ENDINGS];   /* matches that ended so */
    int faults[2][ENDINGS]; /* by player */
    double llr;             /* of the SPRT */
    enum verdict verdict;
};

/* Adds the two matches of a pair, and updates the SPRT if there is one. */
void summary_add(struct summary *summary, const struct plan *plan,
                 const struct result_of_match pair[2]);

/* Writes the progress to standard error, as one line that replaces the last one. */
void report_progress(const struct plan *plan, const struct summary *summary, int played);

/* Writes one line to standard error about a match that a player lost by its own fault. */
void report_fault(const struct plan *plan, const struct result_of_match *result);

/* Prints the whole report, in lines of a name and its value. */
void report(const struct plan *plan, const struct summary *summary);

/* Prints the result between two of many players, in one line. */
void report_pairing(const struct plan *plan, const struct summary *summary);

#endif
