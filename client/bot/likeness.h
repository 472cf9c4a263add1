/* Positions that are alike: mirrored, turned, or with the colours exchanged. */
#ifndef LUDUS_BOT_LIKENESS_H
#define LUDUS_BOT_LIKENESS_H

#include "common/game.h"

/* One hash for the board of the position and all that are like it; in Clobber, also for those that
 * differ in stones which can never move. */
uint64_t hash_alike(const struct game *game, const struct position *position);

/* Whether a hash is one of `count`. */
bool is_among(const uint64_t *hashes, long count, uint64_t hash);

#endif
