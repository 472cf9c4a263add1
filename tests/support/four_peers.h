/* A fixture with four people, the first two and the last two of which play. */
#ifndef LUDUS_FOUR_PEERS_H
#define LUDUS_FOUR_PEERS_H

#include "fixture.h"

enum { PEERS = 4 };

extern const struct limits four_limits;

/* Connects all four, and starts two matches between them. */
void open_matches(struct fixture *fixture, struct peer peers[PEERS]);

/* skip() for all four. */
void skip_all(struct peer peers[PEERS]);

#endif
