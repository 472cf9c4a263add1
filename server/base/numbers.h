/*
 * Numbers that are counted up. Servers that share a keeper count in blocks of their own, of which
 * the keeper gives the next before one is used up.
 */
#ifndef LUDUS_NUMBERS_H
#define LUDUS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct numbers {
    int64_t end;              /* the last one of the block; 0: there is no end */
    int64_t spare, spare_end; /* the next block: from after `spare`; 0: there is none */
};

/* Whether there is another one after `last`. */
static inline bool numbers_left(const struct numbers *numbers, int64_t last)
{
    return numbers->end == 0 || last < numbers->end || numbers->spare_end > 0;
}

/* Returns the next one after `last`; there must be one. */
static inline int64_t numbers_next(struct numbers *numbers, int64_t last)
{
    if (numbers->end == 0 || last < numbers->end)
        return last + 1;
    last = numbers->spare;
    numbers->end = numbers->spare_end;
    numbers->spare_end = 0;
    return last + 1;
}

#endif
