/*
 * Statistics: what the results of a gauntlet say about the strength of the first player.
 *
 * The two matches of a pair share their opening, so they are not independent. Therefore pairs are
 * counted, by their points (the pentanomial model). Sources: Michel Van den Bergh, "Normalized Elo
 * and the GSPRT" and "A practical introduction to the GSPRT" (hardy.uhasselt.be/Fishtest), and
 * LLRcalc.py of fishtest.
 */
#ifndef LUDUS_GAUNTLET_SCORE_H
#define LUDUS_GAUNTLET_SCORE_H

enum { PAIR_KINDS = 5 };

/* Everything is counted for the first player. */
struct pair_tally {
    int wins, draws, losses;
    int pairs[PAIR_KINDS]; /* by half points: 0 both lost, 4 both won */
};

/* A strength with its 95 % interval. Scores are from 0 to 1; Elo may be infinite. */
struct estimate {
    double score, score_low, score_high;
    double elo, elo_low, elo_high;
};

/* Adds a pair: the first player's half points (0 to 2) in its two matches. */
void tally_add(struct pair_tally *tally, int first, int second);

int tally_pairs(const struct pair_tally *tally);

/* The expected score of a player that is `elo` stronger, and the inverse, which is infinite for
 * scores of 0 and 1. */
double score_of_elo(double elo);
double elo_of_score(double score);

/* The mean of the pairs, with an interval by their variance. If all n pairs ended alike, the
 * interval allows for a share of 1 - 0.05^(1/n) that ends otherwise. Without pairs the score is one
 * half, its interval 0 to 1. */
struct estimate estimate(const struct pair_tally *tally);

/* The log-likelihood ratio of two hypotheses: the first player is elo1 stronger, or elo0 (< elo1).
 * 0 without pairs. */
double sprt_llr(const struct pair_tally *tally, double elo0, double elo1);

/* The bounds for these errors: alpha is the chance that elo1 is accepted although elo0 is true,
 * beta that of the opposite. A ratio at or above the upper one accepts elo1, one at or below the
 * lower one elo0. */
double sprt_lower(double alpha, double beta);
double sprt_upper(double alpha, double beta);

/*
 * Ratings of many players from a round robin, by the Bradley-Terry model: the Elo numbers under
 * which the points that were scored are likeliest, with their mean at 0. Each pairing counts one
 * more draw than was played, so that a player that won all its matches has a rating.
 *
 * The errors are those of Ordo: the matches are played again by chance, with the ratings found, and
 * rated, SIMULATIONS times; 95 % of a player's ratings lie within the error.
 */
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
