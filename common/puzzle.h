/*
 * Puzzles: positions in which exactly one move wins. They are made by `ludus-bot puzzles`, which
 * says what that means in each game, and lie in puzzles/GAME.txt, a line each, the easiest first;
 * the client and the server have them built in. tests/tools/check_puzzles.c proves them once more,
 * prove_puzzles.c beside it by rules of its own.
 *
 * A line has these fields, with "; " between them:
 *
 *     GAME:VARIANT
 *     the position
 *     the number of plies within which the side to move wins
 *     the nodes that the proof took: how hard the puzzle may be
 *     the move that wins, and a best line to the end
 *     the reply that refutes the wrong moves, then MOVE:REPLY for each wrong move that another
 *     reply refutes; the reply is - where the move ends the game
 */
#ifndef LUDUS_PUZZLE_H
#define LUDUS_PUZZLE_H

#include "game.h"
#include "position_text.h"

/* All files, by the name of their game. */
extern const struct packed_file puzzle_files[];

enum { PUZZLE_PLIES_MAX = 100 };

/* One puzzle. The texts are borrowed from its line. */
struct puzzle {
    const struct game *game;
    struct position position;
    struct move answer; /* the move that wins */
    int plies;          /* within which it does, the answer counted */
    long nodes;
    struct field line;    /* the answer and what follows, separated by spaces */
    struct field replies; /* to wrong moves */
};

/* Reads a line. False with the cause, and *puzzle unchanged, where it is none. Replies and what
 * follows the answer are not looked at. */
bool puzzle_read(const char *text, struct puzzle *puzzle, struct cause *cause);

/* The number of puzzles of a game, which may be none. */
int puzzle_count(const struct game *game);

/* Reads one of them, by its number from 1. False where there is no such number. */
bool puzzle_find(const struct game *game, int number, struct puzzle *puzzle);

/* A number that stays that of a puzzle, whatever its place among those of its game: at least 0, the
 * same in all versions, made of its variant and position; and its nodes. False where there is no
 * such number. */
bool puzzle_key(const struct game *game, int number, int64_t *key, long *nodes);

/* The game of the puzzle of a day, and the number of the puzzle that a game has for it; a day is
 * counted from 1970-01-01, UTC. Each puzzle of a game comes up before one comes again. The game is
 * NULL where no game has puzzles, the number 0 where the game has none. */
const struct game *puzzle_daily_game(long day);
int puzzle_daily_number(const struct game *game, long day);

/*
 * A storm: a player has STORM_MS for puzzle after puzzle of a game, from easy to hard, each of
 * which takes one move, right or wrong. A wrong one costs STORM_WRONG_MS. How many were right
 * counts; a storm that was left early does not.
 */
enum { STORM_MS = 180000, STORM_WRONG_MS = 10000, STORM_PUZZLES = 60 };

/* The number of the puzzle at a place of a storm, from 0; another seed gives others. 0: there are
 * no more. */
int puzzle_storm_number(const struct game *game, uint64_t seed, int place);

/* The reply that refutes a wrong move, which must be legal. False where the move ends the game, so
 * that there is none. */
bool puzzle_refutation(const struct puzzle *puzzle, struct move wrong, struct move *reply);

/* Reads the moves of the line. Returns how many there are. */
int puzzle_line(const struct puzzle *puzzle, struct move moves[PUZZLE_PLIES_MAX]);

/* How many moves of its own the side to move needs. */
int puzzle_moves(const struct puzzle *puzzle);

enum { PUZZLE_TASK_MAX = 80, PUZZLE_VERDICT_MAX = 160 }; /* bytes with the final NUL */

/* Writes what to do, such as "White to move and win in 3 moves. Only one first move does it." */
void puzzle_task(const struct puzzle *puzzle, char text[PUZZLE_TASK_MAX]);

/* Writes what a legal move comes to: "Right: c5c6 wins, as in d3c3 b3c3.", or how it is refuted by
 * `reply` (NULL: it ends the game). */
void puzzle_verdict(const struct puzzle *puzzle, struct move move, const struct move *reply,
                    char text[PUZZLE_VERDICT_MAX]);

/* Writes the answer for those who give up: "The line that wins is c5c6 d3c3 b3c3." */
void puzzle_tell(const struct puzzle *puzzle, char text[PUZZLE_VERDICT_MAX]);

#endif
