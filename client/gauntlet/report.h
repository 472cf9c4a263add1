/* What people are shown of a gauntlet. */
#ifndef LUDUS_GAUNTLET_REPORT_H
#define LUDUS_GAUNTLET_REPORT_H

#include <stdio.h>

#include "result.h"
#include "score.h"
#include "setup.h"

enum verdict { VERDICT_NONE, VERDICT_ELO0, VERDICT_ELO1 };

/* What there is to tell of the pairs that count. */
struct summary {
    struct tally tally;
    int long_matches;       /* that were as long as a match may be */
    int faults[2][ENDINGS]; /* by player */
    double llr;             /* of the SPRT */
    enum verdict verdict;
};

/* Adds the two matches of a pair, and looks at the SPRT if there is one. */
void summary_add(struct summary *summary, const struct plan *plan,
                 const struct result_of_match *first, const struct result_of_match *second);

/* Writes the state of things in one line that replaces itself on a terminal; `played` matches
 * are over. */
void report_progress(FILE *file, const struct plan *plan, const struct summary *summary,
                     int played);

/* Writes one line about a match that ended by a player's fault. */
void report_fault(FILE *file, const struct plan *plan, const struct result_of_match *result);

/* Writes the whole report, a line `name value` for each thing. */
void report(FILE *file, const struct plan *plan, const struct summary *summary);

#endif
