/*
 * What the position texts of all games share: a placement (ranks from the highest down, separated
 * by '/', digits for runs of empty squares), then fields separated by single spaces. For parse()
 * and format() of games. It refuses bad texts and never repairs them. Also draws boards for people.
 */
#ifndef LUDUS_POSITION_TEXT_H
#define LUDUS_POSITION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "game.h"

/* A part of the text; not NUL-terminated. */
struct field {
    const char *text;
    size_t length;
};

/* Splits `text` at single spaces into exactly `count` fields, which borrow from it. Returns false
 * for another number of fields, an empty field, or a text of POSITION_TEXT_MAX bytes or more.
 * `form` names the fields in the cause, such as "placement, side". */
bool fields_split(const char *text, struct field fields[], int count, const char *form,
                  struct cause *cause);

/* Reads "w" or "b". */
bool field_side(struct field field, uint8_t *side, struct cause *cause);

/* Reads a number like number_parse(). `what` names it in the cause. */
bool field_number(struct field field, const char *what, long min, long max, uint8_t *value,
                  struct cause *cause);

/* Reads a placement into *board. `letters` are the pieces, with '*' where the game has holes. The
 * board must have this size; with width and height 0, any size up to 10 by 10. */
bool placement_parse(struct field field, const char *letters, int width, int height,
                     struct board *board, struct cause *cause);

enum { PLACEMENT_SIDE_MAX = 20 };

/* Does so with any size up to `side_max` files and ranks, at most PLACEMENT_SIDE_MAX, that has at
 * most BOARD_SQUARES_MAX squares. */
bool placement_parse_long(struct field field, const char *letters, int side_max,
                          struct board *board, struct cause *cause);

/* Writes the placement and a final NUL. Returns its length. */
size_t placement_format(const struct board *board, char text[POSITION_TEXT_MAX]);

/* Writes what follows the placement where it is the side to move and a count, such as " w 3". */
void side_and_count_format(int side, unsigned count, char *text);

/* Makes an empty board. */
void board_clear(struct board *board, int width, int height);

enum { BOARD_TEXT_MAX = 512 }; /* bytes with the final NUL; 10 by 10 takes 312 */

/* Draws a board with letters, for terminals and netcat: the highest rank first, with coordinates
 * around them and a newline after each line:
 *
 *      2  p P
 *      1  P p
 *         a b
 *
 * With flip, the board is seen from black's side, a1 at the top right. */
void board_text(const struct board *board, bool flip, char text[BOARD_TEXT_MAX]);

#endif
