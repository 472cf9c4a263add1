/*
 * Wins by threats: a side that with each of its moves threatens to win at once leaves the other one
 * few replies, so that such a win is seen much further ahead than the search sees. For games whose
 * guide knows such threats (`threatened`).
 */
#ifndef LUDUS_BOT_THREATS_H
#define LUDUS_BOT_THREATS_H

#include "client/bot/base/search_question.h"
#include "client/games/guide.h"

enum { THREAT_PLIES = 7, THREAT_NODES = 20000 }; /* the longest win looked for; worth the time */

/* Looks for a win by threats, the shortest first, in at most `most` positions, counting them in
 * *nodes. Returns its length in plies and sets *move to its first move; 0: none was found. */
int find_threats(const struct search_question *question, const struct guide *guide, uint64_t most,
                 uint64_t *nodes, struct move *move);

#endif
