/*
 * `state` and `moves`: a match as it stands. The state is what the server says most, so the part
 * that all see alike is written once for all.
 */
#ifndef LUDUS_WIRE_STATE_H
#define LUDUS_WIRE_STATE_H

#include "server/model/lobby.h"
#include "wire.h"

/* The state for somebody who holds `seats`; with_legal adds the legal moves, if it is their turn.
 */
void wire_state(const struct wire *wire, const struct instant *instant, const struct table *table,
                unsigned seats, bool with_legal);

/* The state in two pieces: what it shows to everyone, and what it shows to the holder of `seats`.
 */
void wire_state_common(const struct wire *wire, const struct instant *instant,
                       const struct table *table);
void wire_state_own(const struct wire *wire, const struct instant *instant,
                    const struct table *table, unsigned seats, bool with_legal);

/* The legal moves, from one square or with -1 from all; none once the match is over. */
void wire_moves(const struct wire *wire, const struct table *table, int square);

#endif
