/*
 * Ratings of many players from a round robin, by the Bradley-Terry model: the Elo numbers under
 * which the points that were scored are likeliest, with their mean at 0. Each pairing counts one
 * more draw than was played, so that a player that won all its matches has a rating.
 *
 * The errors are those of Ordo: the matches are played again by chance, with the ratings found, and
 * rated, SIMULATIONS times; 95 % of a player's ratings lie within the error.
 */
#ifndef LUDUS_GAUNTLET_RATING_TABLE_H
#define LUDUS_GAUNTLET_RATING_TABLE_H

enum { GAUNTLET_PLAYERS_MAX = 16, SIMULATIONS = 200 };

/* matches[i][j] and half_points[i][j], with i < j, are those of player i against j. */
struct rating_table {
    int count; /* of players */
    int matches[GAUNTLET_PLAYERS_MAX][GAUNTLET_PLAYERS_MAX];
    int half_points[GAUNTLET_PLAYERS_MAX][GAUNTLET_PLAYERS_MAX];
    double elo[GAUNTLET_PLAYERS_MAX], error[GAUNTLET_PLAYERS_MAX];
};

/* Fills in elo[] and error[]. The same results give the same numbers. */
void rating_table_rate(struct rating_table *table);

/* Prints the table, the best player first, with these labels. */
void rating_table_print(const struct rating_table *table, const char *const labels[]);

#endif
