/* Random numbers: SplitMix64 (Steele, Lea and Flood, 2014). Any number can be the state. */
#ifndef LUDUS_RNG_H
#define LUDUS_RNG_H

#include "zobrist.h"

static inline uint64_t rng_next(uint64_t *rng)
{
    return splitmix64(*rng += 0x9e3779b97f4a7c15u);
}

/* A number from 0 to limit - 1. */
static inline int rng_below(uint64_t *rng, int limit)
{
    return (int)(rng_next(rng) % (unsigned)limit);
}

#endif
