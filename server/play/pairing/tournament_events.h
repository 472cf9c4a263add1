/* Tells those who watch a tournament what has changed, and logs it. */
#ifndef LUDUS_TOURNAMENT_EVENTS_H
#define LUDUS_TOURNAMENT_EVENTS_H

#include "server/model/tournament/tournament.h"

/* Tells of a change that has just been applied. */
void tournament_tell(const struct tournament_change *change);

#endif
