/* Charges units to the addresses of players (rate_limit.h). */
#ifndef LUDUS_CHARGES_H
#define LUDUS_CHARGES_H

#include "server/keep/unit.h"

/* Counts the bytes that a unit which is kept adds to the store. Call it before the drafts take
 * effect. */
void charges_count(const struct unit *unit);

/* Takes back what was counted when the command ran, as it has had no effect: a name that was not
 * taken, players who were not challenged, a match that was not joined. */
void charges_return(const struct unit *unit);

/* Charges a match that a server has opened by itself to one of its players; NULL: who is not here.
 */
void charges_count_pair(struct session *session);

#endif
