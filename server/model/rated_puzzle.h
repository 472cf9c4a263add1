/*
 * How the puzzles (common/puzzle.h) are rated: a player's first attempt at one is a match between
 * the two, which the puzzle loses to the right answer. A puzzle begins with a rating by the nodes
 * that its proof took. The rating of a solver is among the player's, as VARIANT_PUZZLES (rating.h).
 */
#ifndef LUDUS_RATED_PUZZLE_H
#define LUDUS_RATED_PUZZLE_H

#include <stdbool.h>
#include <stdint.h>

#include "rating.h"
#include "server/base/lock.h"

struct rated_puzzle {
    const struct game *game;
    int number;  /* among those of the game, from 1 */
    int64_t key; /* by which it is kept (puzzle_key()) */
    struct glicko now;
    int attempts;     /* that have counted */
    struct lock lock; /* taken by the unit that rates it */
};

struct rated_puzzles {
    struct rated_puzzle *rows;    /* owned; by game, in the order of `games`, and number */
    struct rated_puzzle **by_key; /* owned; the same, by key */
    int count;
};

/* All puzzles of all games, as nobody has tried them. */
void rated_puzzles_init(struct rated_puzzles *puzzles);

/* Wakes who waits for one of them. */
void rated_puzzles_release(struct rated_puzzles *puzzles);

/* Finds a puzzle by its number or its key; NULL: there is none. */
struct rated_puzzle *rated_puzzle_find(const struct rated_puzzles *puzzles, const struct game *game,
                                       int number);
struct rated_puzzle *rated_puzzle_find_key(const struct rated_puzzles *puzzles,
                                           const struct game *game, int64_t key);

/* Sets how a puzzle is rated. */
void rated_puzzle_set(struct rated_puzzle *puzzle, struct glicko now, int attempts);

/* Returns the puzzle of a game whose rating is next to what the solver's is at least (two
 * deviations below it: they begin with the easiest), of those that they have not tried yet, or,
 * where there is none left, of all; NULL: the game has none. */
struct rated_puzzle *rated_puzzle_choose(const struct rated_puzzles *puzzles,
                                         const struct game *game, const struct rating *solver);

#endif
