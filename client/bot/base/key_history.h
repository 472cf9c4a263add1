/*
 * The positions that a match has come through, as keys: what tells whether one repeats. The
 * last key is that of the present position.
 */
#ifndef LUDUS_BOT_KEY_HISTORY_H
#define LUDUS_BOT_KEY_HISTORY_H

#include <stdint.h>

#include "common/game.h"

struct history {
    uint64_t *keys; /* owned */
    int count, capacity;
};

/* A zeroed history is empty. */
void history_add(struct history *history, uint64_t key);

/* Makes *to a copy that owns its keys; what it held before is reused. */
void history_copy(struct history *to, const struct history *from);

/* Frees the keys and makes the history empty. */
void history_release(struct history *history);

/* How often the key occurs. */
int history_count(const struct history *history, uint64_t key);

/* The outcome as a match has it: that of the position, else by threefold repetition. */
struct outcome history_outcome(const struct history *history, const struct game *game,
                               const struct position *position);

#endif
