/*
 * The keys of the positions that a match has passed through, the current one last: tells whether a
 * position repeats.
 */
#ifndef LUDUS_KEY_HISTORY_H
#define LUDUS_KEY_HISTORY_H

#include <stdint.h>

#include "game.h"

/* A zeroed history is empty. */
struct history {
    uint64_t *keys; /* owned */
    int count, capacity;
};

void history_add(struct history *history, uint64_t key);

/* Copies the keys; *to must be a valid history, and keeps its memory for reuse. */
void history_copy(struct history *to, const struct history *from);

/* Frees the keys and leaves an empty history. */
void history_release(struct history *history);

/* How often the key occurs. */
int history_count(const struct history *history, uint64_t key);

/* The outcome of the position, or a draw if it has occurred three times. */
struct outcome history_outcome(const struct history *history, const struct game *game,
                               const struct position *position);

#endif
