/*
 * The search of all bots that think ahead, for every game of game.h: alpha-beta, deepened ply by
 * ply. An engine is this search with a skill (engine.c).
 */
#ifndef LUDUS_BOT_DEEPENING_H
#define LUDUS_BOT_DEEPENING_H

#include "client/bot/base/search_question.h"

/* Returns the best move found within the limits of the question and the skill. Reports after each
 * depth. */
struct move search_think(const struct question *question, const struct skill *skill);

#endif
