/*
 * Tournaments in full screen: the list of them, and a table that follows one. The player's own
 * match comes to the screen when it begins; the table is back after it.
 */
#ifndef LUDUS_SCREEN_TOURNAMENT_PART_H
#define LUDUS_SCREEN_TOURNAMENT_PART_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "client/ludus/screen/stage/stage.h"

/* Lists the tournaments of the server; the one chosen is followed. */
void tournament_part_list(struct stage *stage);

/* Follows the tournament stage->tournament until the player goes back or a match comes. Going back
 * sets it to "". */
void tournament_part_follow(struct stage *stage);

#endif
