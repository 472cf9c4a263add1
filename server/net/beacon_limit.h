/*
 * How often the beacon answers: so much in all, and so much to one address. Who sends under
 * borrowed addresses can use up what there is for all, and gets no more than that out of it.
 * Pure arithmetic, of a fixed size.
 */
#ifndef LUDUS_BEACON_LIMIT_H
#define LUDUS_BEACON_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/bucket.h"

enum {
    BEACON_ADDRESSES = 256,   /* told apart; two that fall together share one account */
    BEACON_ADDRESS_RATE = 2,  /* answers a second to one address, */
    BEACON_ADDRESS_BURST = 6, /* so many at once */
    BEACON_ALL_RATE = 50,     /* answers a second to all, */
    BEACON_ALL_BURST = 100    /* so many at once */
};

/* All zero: nothing was answered yet. */
struct beacon_limit {
    struct bucket all, address[BEACON_ADDRESSES];
};

/* Whether a question from that IPv4 address is to be answered now; if so, it counts. */
bool beacon_may_answer(struct beacon_limit *limit, uint32_t address, int64_t now_ms);

#endif
