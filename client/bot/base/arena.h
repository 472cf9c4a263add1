/*
 * Memory for large tables that are read at random: one mapping, handed out piece by piece. Huge
 * pages save much of the time of a random read, where the system has them. Fetching one can take
 * longer than a move may, so programs that play under a clock do without.
 */
#ifndef LUDUS_BOT_ARENA_H
#define LUDUS_BOT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum { ARENA_ALIGNMENT = 64 }; /* a cache line: each piece starts at one */

/* A zeroed arena is unmapped. */
struct arena {
    unsigned char *memory;
    size_t bytes, taken;
};

/* Maps zeroed memory. Returns false if the system refuses as much; people may ask for more than
 * there is. */
bool arena_map(struct arena *arena, size_t bytes, bool huge_pages);

/* Takes an array, which must fit, and which the arena owns. */
void *arena_take(struct arena *arena, size_t count, size_t bytes_each);

void arena_unmap(struct arena *arena);

#endif
