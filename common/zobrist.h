/*
 * Zobrist keys: a pseudo-random 64-bit number for each piece on each square, to be combined with
 * exclusive or. They are computed by the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", 2014). They are the same in every process, so files
 * may hold them.
 */
#ifndef LUDUS_ZOBRIST_H
#define LUDUS_ZOBRIST_H

#include <stdint.h>

/* Scrambles a number. Distinct numbers stay distinct. */
static inline uint64_t splitmix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* piece: any number below 2^24; square: 0 to 255. */
static inline uint64_t zobrist(unsigned piece, unsigned square)
{
    return splitmix64((((uint64_t)piece << 8 | square) + 1) * 0x9e3779b97f4a7c15u);
}

#endif
