/* Plays the matches between two players, and reports. */
#ifndef LUDUS_GAUNTLET_GAUNTLET_H
#define LUDUS_GAUNTLET_GAUNTLET_H

#include "plan.h"
#include "results.h"
#include "score.h"

/* Two players, and what they have played. */
struct pairing {
    struct plan plan;
    struct results results; /* empty until it is played */
    struct tally tally;
};

enum pairing_end { PAIRING_DONE, PAIRING_INTERRUPTED, PAIRING_FAILED };

/* Plays the plan, which has been read, and prints the report. Says why it failed. */
enum pairing_end pairing_play(struct pairing *pairing);

/* Releases the plan and the results. */
void pairing_release(struct pairing *pairing);

#endif
