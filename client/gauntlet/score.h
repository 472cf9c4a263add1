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
struct tally {
    int wins, draws, losses;
    int pairs[PAIR_KINDS]; /* by half points: 0 both lost, 4 both won */
};

/* A strength with its 95 % interval. Scores are from 0 to 1; Elo may be infinite. */
struct estimate {
    double score, score_low, score_high;
    double elo, elo_low, elo_high;
};

/* Adds a pair: the first player's half points (0 to 2) in its two matches. */
void tally_add(struct tally *tally, int first, int second);

int tally_pairs(const struct tally *tally);

/* The expected score of a player that is `elo` stronger, and the inverse, which is infinite for
 * scores of 0 and 1. */
double score_of_elo(double elo);
double elo_of_score(double score);

/* The mean of the pairs, with an interval by their variance. If all n pairs ended alike, the
 * interval allows for a share of 1 - 0.05^(1/n) that ends otherwise. Without pairs the score is one
 * half, its interval 0 to 1. */
struct estimate estimate(const struct tally *tally);

/* The log-likelihood ratio of two hypotheses: the first player is elo1 stronger, or elo0 (< elo1).
 * 0 without pairs. */
double sprt_llr(const struct tally *tally, double elo0, double elo1);

/* The bound for errors of 5 %. A ratio at or above it accepts elo1, one at or below its negative
 * accepts elo0. */
double sprt_bound(void);

#endif
