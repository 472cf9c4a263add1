/*
 * Ratings: Glicko-2, the rating system of Mark Glickman ("Example of the Glicko-2 system",
 * http://www.glicko.net/glicko/glicko2.pdf, with tau = 0.5), as pure functions over plain values;
 * and the list of a player's ratings. settle.h says when a match is rated.
 */
#ifndef LUDUS_RATING_H
#define LUDUS_RATING_H

#include <stdbool.h>
#include <sys/queue.h>

#include "common/game.h"

/* A player's strength on the Elo scale. */
struct glicko {
    double rating;     /* 100 to 4000 */
    double deviation;  /* uncertainty of the rating: above 0, at most 350, the initial value */
    double volatility; /* how erratic the results are: 0.001 to 0.5 */
};

/* One match of a rating period. */
struct glicko_result {
    struct glicko opponent; /* as before the period */
    double score;           /* 1 won, 0.5 drawn, 0 lost */
};

/* Returns the initial values: 1500, 350, 0.06. */
struct glicko glicko_start(void);

/* Returns whether all three values are within their ranges. */
bool glicko_in_range(const struct glicko *glicko);

/* Clamps values to their ranges and replaces NaN by the initial value: far from overflow and from
 * division by zero. */
struct glicko glicko_sane(struct glicko values);

/* Returns the values after a rating period with these results; without any only the deviation
 * grows. Both what goes in and what comes out passes glicko_sane(). */
struct glicko glicko_update(struct glicko player, const struct glicko_result *results, int count);

/* Returns the values after one match, which counts for as much of a rating period as it can tell:
 * for all of one between equals whose strength is known, for little where the result was foregone,
 * but for no less than one that was expected by 98 %. In the paper a period has 10 to 15 matches,
 * and the deviation grows once in each; with a whole period for each match, who wins against much
 * weaker players would become a stranger, whom one loss throws back by hundreds of points. */
struct glicko glicko_match(struct glicko player, const struct glicko_result *result);

/* Stands in place of the variant in the rating that a player has as a solver of a game's puzzles
 * (rated_puzzle.h): each puzzle that they have tried is a match against it. */
#define VARIANT_PUZZLES "puzzles"

/* A player's rating in one game and variant. */
struct rating {
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct glicko now;
    int matches;          /* rated ones; 0: none yet */
    unsigned char *tried; /* owned; of VARIANT_PUZZLES: a bit for each puzzle, by its number */
    int tried_bytes;
    SLIST_ENTRY(rating) link;
};
SLIST_HEAD(rating_list, rating); /* newest first; all zero is an empty list */

/* Finds the rating in a game and variant, or returns NULL. */
struct rating *rating_find(const struct rating_list *list, const struct game *game,
                           const char *variant);

/* Finds the rating in a game and variant; adds one with the initial values if there is none. */
struct rating *rating_find_or_add(struct rating_list *list, const struct game *game,
                                  const char *variant);

/* Whether the rating is that of a solver of puzzles. */
bool rating_is_of_puzzles(const struct rating *rating);

/* Whether a solver has tried the puzzle of this number; NULL has tried none. And notes that they
 * have. */
bool rating_has_tried(const struct rating *rating, int number);
void rating_note_tried(struct rating *rating, int number);

/* Returns the rating with the most matches, the oldest of several, that of a solver aside; NULL:
 * the list has none. */
const struct rating *rating_main(const struct rating_list *list);

/* Frees all ratings of a list. */
void ratings_release(struct rating_list *list);

#endif
