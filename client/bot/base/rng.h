/* Random numbers: SplitMix64 (Steele, Lea and Flood, 2014). Any number can be the state. */
#ifndef LUDUS_BOT_RNG_H
#define LUDUS_BOT_RNG_H

#include <stdint.h>

/* Scrambles a number; distinct numbers stay distinct. */
static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t rng_next(uint64_t *rng)
{
    return rng_mix(*rng += 0x9e3779b97f4a7c15u);
}

/* A number from 0 to limit - 1. */
static inline int rng_below(uint64_t *rng, int limit)
{
    return (int)(rng_next(rng) % (unsigned)limit);
}

#endif
