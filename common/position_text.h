/*
 * What the position texts of all games share: a placement (ranks from the highest down, separated
 * by
 * '/', digits for runs of empty squares), then fields separated by single spaces. For parse() and
 * format() of games. It refuses bad texts and never repairs them.
 */
#ifndef LUDUS_POSITION_TEXT_H
#define LUDUS_POSITION_TEXT_H

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

/* Writes the placement and a final NUL. Returns its length. */
size_t placement_format(const struct board *board, char text[POSITION_TEXT_MAX]);

/* Makes an empty board. */
void board_clear(struct board *board, int width, int height);

#endif
