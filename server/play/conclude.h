/*
 * Starts and ends matches: a match starts once both seats are taken, and one that has ended is
 * numbered, rated and scored in its tournament, in the unit that brought this about. Every unit
 * passes here before it is settled.
 *
 * A match counts for the ratings if it is over with a result after each side has moved, was not
 * opened with rated=no, began at the start of its variant, and two different players sat there,
 * both named or house bots. Each rated match is a Glicko-2 rating period of its own, and both
 * players are rated by the values from before it.
 */
#ifndef LUDUS_CONCLUDE_H
#define LUDUS_CONCLUDE_H

#include <stdint.h>
#include <time.h>

#include "server/keep/unit.h"

/* Completes the drafts of a unit. Returns NULL, or the lock of a player who is to be rated and is
 * in another unit: then drop this one, and try again when the lock is free. */
struct lock *conclude(struct unit *unit, struct lobby *lobby, int64_t now_ms, time_t wall_s);

#endif
