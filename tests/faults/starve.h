/*
 * Memory that runs out: malloc() and its like fail where a test says so, be it in our code or in a
 * library. starve.c is a library for LD_PRELOAD; LUDUS_STARVE names the file where the test has its
 * `struct starve` (starve.py).
 */
#ifndef LUDUS_STARVE_H
#define LUDUS_STARVE_H

#include <stdatomic.h>
#include <stdint.h>

struct starve {
    _Atomic uint64_t on;          /* 0: nothing is counted, and nothing fails */
    _Atomic uint64_t seen;        /* so many pieces of memory were asked for */
    _Atomic uint64_t first, last; /* these are not given, counted from 1 */
    _Atomic uint64_t failed;      /* so many were not */
};

/* The one of this program. */
struct starve *starve(void);

#endif
