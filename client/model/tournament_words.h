/* Words about tournaments, from the server's replies. Lists of rows are as `tournament show` has
 * them. */
#ifndef LUDUS_TOURNAMENT_WORDS_H
#define LUDUS_TOURNAMENT_WORDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

enum { TOURNAMENT_LINE_MAX = 512 }; /* bytes with the final NUL */

/* Writes what is played: "Cup: Clobber 5x6, swiss". */
void tournament_title(const cJSON *row, char line[TOURNAMENT_LINE_MAX]);

/* Writes a row of the list: "Cup: Clobber 5x6, swiss, clock 1 + 1, 8 players, open". */
void tournament_row(const cJSON *row, char line[TOURNAMENT_LINE_MAX]);

/* Writes the state: "running, round 3 of 7, 8 players, clock 1 + 1". */
void tournament_state(const cJSON *shown, char line[TOURNAMENT_LINE_MAX]);

/* Writes the titles of the standings, and the index-th row of them. */
void tournament_titles(const cJSON *shown, char line[TOURNAMENT_LINE_MAX]);
void tournament_standing(const cJSON *shown, int index, char line[TOURNAMENT_LINE_MAX]);

/* Writes a pairing: "anna - bob  1-0", "carl has a bye". */
void tournament_pairing(const cJSON *pairing, char line[TOURNAMENT_LINE_MAX]);

/* Whether a player of that name takes part, and has not left. */
bool tournament_has(const cJSON *shown, const char *name);

/* The pairings of the last round; NULL: none has begun. Sets *round. */
const cJSON *tournament_last_round(const cJSON *shown, int *round);

#endif
