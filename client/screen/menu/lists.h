/* Lists of the start menu that one can act on: players to challenge, matches to join, to watch or
 * to step through. */
#ifndef LUDUS_SCREEN_LISTS_H
#define LUDUS_SCREEN_LISTS_H

#include "client/link/match_state.h"
#include "client/screen/stage/pick.h"

/* Rows of matches, and their numbers. */
struct match_list {
    struct pick pick;
    char ids[PICK_MAX][MATCH_ID_MAX];
    enum state_status statuses[PICK_MAX];
};

/* Adds the matches of the server that wait for a player, while there are fewer than `most` rows. */
void lists_add_open(struct stage *stage, struct match_list *list, int most);

/* Lists the matches of the server and the player's finished ones. Joins, watches or steps through
 * those chosen. */
void lists_matches(struct stage *stage);

/* Lists the player's finished matches, the latest first, and steps through those chosen. */
void lists_history(struct stage *stage);

/* Lists the players online; the one chosen is challenged by a form. */
void lists_players(struct stage *stage);

#endif
