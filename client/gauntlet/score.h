/*
 * What the results of a gauntlet say about the strength of the first player: plain arithmetic.
 *
 * The two matches of a pair share their opening, so they are not independent; what is counted is
 * the pair, by its points (the pentanomial model). Sources: Michel Van den Bergh, "Normalized Elo
 * and the GSPRT" and "A practical introduction to the GSPRT" (hardy.uhasselt.be/Fishtest), and
 * LLRcalc.py of fishtest.
 */
#ifndef LUDUS_GAUNTLET_SCORE_H
#define LUDUS_GAUNTLET_SCORE_H

enum { PAIR_KINDS = 5 };

/* All from the side of the first player. */
struct tally {
    int wins, draws, losses;
    int pairs[PAIR_KINDS]; /* by half points: 0 both lost, 4 both won */
};

/* A strength with its 95 % interval; scores are from 0 to 1, Elo may be infinite. */
struct estimate {
    double score, score_low, score_high;
    double elo, elo_low, elo_high;
};

/* Adds a pair: the half points (0 to 2) of the first player in its two matches. */
void tally_add(struct tally *tally, int first, int second);

int tally_pairs(const struct tally *tally);

/* The expected score of one who is `elo` stronger, and the reverse: 0 and 1 are infinitely far. */
double score_of_elo(double elo);
double elo_of_score(double score);

/* The mean of the pairs and its interval by their variance. Where all pairs ended alike, which
 * shows no variance, the interval has in it what n pairs alike leave possible: that one in
 * 1 - 0.05^(1/n) ends otherwise. Without a pair the score is a half, from 0 to 1. */
struct estimate estimate(const struct tally *tally);

/* The log-likelihood ratio of the hypotheses that the first player is elo1 stronger, and that he
 * is elo0 stronger; elo0 < elo1. 0 without a pair. */
double sprt_llr(const struct tally *tally, double elo0, double elo1);

/* The bound for both errors at 5 %: at or above it elo1 is accepted, at or below its negative
 * elo0. */
double sprt_bound(void);

#endif
