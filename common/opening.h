/*
 * Openings: a position and the first moves of a match, after which the game is not over. As text,
 *
 *     startpos | [fen] POSITION [moves MOVE...]
 *
 * Balanced ones, for leagues in which colours are not to decide, lie in openings/GAME-VARIANT.txt
 * and are built into the programs: `ludus-bot openings` makes them, and says what balanced means.
 * New ones come behind the others: tournaments that go on know theirs by their numbers.
 *
 * Random ones are a number of legal plies from a start, which depend on a seed only; no two of a
 * book lead to the same position.
 */
#ifndef LUDUS_OPENING_H
#define LUDUS_OPENING_H

#include "game.h"

enum { OPENING_PLIES_MAX = 40 };

struct opening {
    struct position start;
    int plies;
    struct move moves[OPENING_PLIES_MAX];
    uint64_t key; /* of the position after them */
};

/* Plays the opening through, and sets its key. Returns false if the game is over by then. *end,
 * which may be NULL, is the position that it leads to. */
bool opening_play(const struct game *game, struct opening *opening, struct position *end);

/* Adds a move to the opening, and plays it in the position. False with the cause, and both
 * unchanged, where it is illegal or one too many. */
bool opening_add_move(const struct game *game, struct opening *opening, struct position *position,
                      const char *text, struct cause *cause);

/* Reads the text of an opening of this start position's variant, and changes the text meanwhile.
 * False with the cause. */
bool opening_read(const struct game *game, const struct position *start, char *line,
                  struct opening *opening, struct cause *cause);

/* Those built in, by GAME-VARIANT. */
extern const struct packed_file opening_files[];

/* The number of balanced openings of the start position, which may be none. */
int opening_count(const struct game *game, const struct position *start);

/* Reads one of them, by its number from 0. False where there is no such number. */
bool opening_find(const struct game *game, const struct position *start, int number,
                  struct opening *opening);

/* The random openings found so far. */
struct opening_book {
    const struct game *game;
    struct position start;
    int plies; /* of each, at most OPENING_PLIES_MAX */
    uint64_t rng;
    struct opening *openings; /* owned; `count` of them */
    int count, capacity;
};

/* Makes an empty book, to be released. */
void book_init(struct opening_book *book, const struct game *game, const struct position *start,
               int plies, uint64_t seed);

/* The opening of that number, counted from 0; borrowed until the next call. NULL if many tries
 * found no new one. */
const struct opening *book_opening(struct opening_book *book, int number);

void book_release(struct opening_book *book);

#endif
