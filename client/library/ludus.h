/*
 * The games of Ludus as a library, for programs that study or play them: positions, legal moves,
 * play, outcomes. Built by `make lib`; client/python is a binding. It has no I/O, no threads and no
 * mutable globals: any thread may call anything at any time, on positions of its own.
 *
 * A game has a number from 0, in the order of ludus_game_name(). A move is an action: a number from
 * 0 to ludus_action_count() - 1 that means the same in every position on boards of the same size.
 * With n squares, numbered from a1 = 0 along the rank and then rank by rank, it is
 *
 *     from * n + to          where pieces move
 *     kind * n + to          where they are placed: kind is the place of the letter in
 * ludus_letters() the last number        a pass
 *
 * Repetition is not seen here: a position does not know how it came about. Where it draws
 * (ludus_repetition_draws()), count ludus_key(): a match is drawn when a key occurs three times.
 */
#ifndef LUDUS_H
#define LUDUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LUDUS_API = 1, /* what ludus_api() returns; grows when something here changes its meaning */
    LUDUS_MOVES_MAX = 320, /* no position has more legal moves */
    LUDUS_SQUARES_MAX = 100,
    LUDUS_TEXT_MAX = 256 /* bytes, with the final NUL, of any text that is written here */
};

enum ludus_result { LUDUS_NONE, LUDUS_WHITE, LUDUS_BLACK, LUDUS_DRAW };

/* A plain value: copy it with `=`, compare it with memcmp(). Only the functions below know what is
 * in it; each must be given one that ludus_open() or ludus_read() has made. */
struct ludus_position {
    uint64_t data[9];
};

int ludus_api(void);

/* The name of a game, such as "clobber"; NULL behind the last one. */
const char *ludus_game_name(int game);

/* The name of one of the variants to offer, from 0, the default first; NULL behind the last one.
 * Clobber takes every size from 1x2 to 10x10. */
const char *ludus_variant_name(int game, int variant);

bool ludus_repetition_draws(int game);

/* Sets the start of GAME or GAME:VARIANT, or reads a position as the protocol writes it, of the
 * first game that has its form. False with a sentence in why[], and *position unchanged. */
bool ludus_open(const char *text, struct ludus_position *position, char why[LUDUS_TEXT_MAX]);

/* Reads a position of GAME or GAME:VARIANT. False as above. */
bool ludus_read(const char *game, const char *text, struct ludus_position *position,
                char why[LUDUS_TEXT_MAX]);

/* Writes the text that ludus_read() reads as this position, and GAME:VARIANT. */
void ludus_write(const struct ludus_position *position, char text[LUDUS_TEXT_MAX]);
void ludus_write_game(const struct ludus_position *position, char text[LUDUS_TEXT_MAX]);

int ludus_game(const struct ludus_position *position);
int ludus_width(const struct ludus_position *position);
int ludus_height(const struct ludus_position *position);

/* The side to move: 0 white, 1 black. */
int ludus_side(const struct ludus_position *position);

/* Writes a letter for each square, and a NUL: upper case white, lower case black, '.' empty, '*' a
 * hole. */
void ludus_board(const struct ludus_position *position, char cells[LUDUS_SQUARES_MAX + 1]);

/* Writes the kinds of pieces of the position's game, in upper case, in the order of planes, and
 * returns their number. */
int ludus_letters(const struct ludus_position *position, char letters[LUDUS_TEXT_MAX]);

/* How many actions there are on boards of this game and size. */
int ludus_action_count(const struct ludus_position *position);

/* Writes the legal actions, in an order that depends on the position only, and returns their
 * number: 0 exactly when the game is over. */
int ludus_legal(const struct ludus_position *position, uint16_t actions[LUDUS_MOVES_MAX]);

/* Plays an action. False, with *position unchanged, unless it is legal. */
bool ludus_play(struct ludus_position *position, int action);

/* The position after an action, which may be the same one. False, with *after unchanged, unless it
 * is legal. */
bool ludus_after(const struct ludus_position *position, int action, struct ludus_position *after);

/* The action of a move such as "b2b3", "Q@d4" or "pass", in any case; -1, with a sentence in why[]
 * that names the rule that it breaks, unless it is legal. */
int ludus_action(const struct ludus_position *position, const char *move, char why[LUDUS_TEXT_MAX]);

/* Writes the move of an action, legal or not. False if there is no such action. */
bool ludus_write_action(const struct ludus_position *position, int action,
                        char move[LUDUS_TEXT_MAX]);

/* The outcome by the position alone. *reason, which may be NULL, becomes its word in the protocol,
 * such as "no-moves", or NULL while the game goes on. */
enum ludus_result ludus_outcome(const struct ludus_position *position, const char **reason);

/* The points of white and black; false in games without points. */
bool ludus_score(const struct ludus_position *position, int points[2]);

/* A hash of placement, side to move and variant. Where repetition draws, positions with equal keys
 * repeat each other. */
uint64_t ludus_key(const struct ludus_position *position);

/* Counts the sequences of `depth` legal moves; 1 for depth 0. */
uint64_t ludus_perft(const struct ludus_position *position, int depth);

/* How many planes ludus_planes() writes: two for each kind of piece, one for holes, one for the
 * side to move. */
int ludus_plane_count(const struct ludus_position *position);

/* Writes 0 or 1 for each square of each plane: white pieces in the order of ludus_letters(), black
 * ones, holes, and 1 everywhere if black is to move. What is not on the board (counters, hands) is
 * not there. */
void ludus_planes(const struct ludus_position *position, uint8_t *planes);

/* ---- Many at a time ---- */

/* Plays an action in each of `count` positions. results[] becomes the enum ludus_result of each, or
 * -1 where the action is not legal, which changes nothing. With `starts`, a position whose game has
 * ended is replaced by starts[] of its place. Returns how many were legal. */
int ludus_step_many(struct ludus_position *positions, const int32_t *actions, int count,
                    int8_t *results, const struct ludus_position *starts);

/* Writes 1 for each legal action of each position and 0 for the others; a row has `stride` bytes.
 */
void ludus_mask_many(const struct ludus_position *positions, int count, uint8_t *masks, int stride);

/* Chooses a random legal action for each position; -1 where the game is over. *seed, any number, is
 * moved on: the same one gives the same actions on every machine. */
void ludus_random_many(const struct ludus_position *positions, int count, uint64_t *seed,
                       int32_t *actions);

/* Plays random moves to the end of the game, or up to plies_max of them. Returns how many. */
int ludus_random_game(struct ludus_position *position, uint64_t *seed, int plies_max);

#ifdef __cplusplus
}
#endif

#endif
