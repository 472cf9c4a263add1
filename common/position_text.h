/*
 * What the position texts of all games share: a placement, ranks from the highest
 * down separated by '/', digits for runs of empty squares, then fields separated by
 * single spaces. Games use it in parse() and format(); it refuses, never repairs.
 */
#ifndef LUDUS_POSITION_TEXT_H
#define LUDUS_POSITION_TEXT_H

#include <stddef.h>

#include "game.h"

/* A piece of the text that is being parsed; not NUL-terminated. */
struct field {
    const char *text;
    size_t length;
};

/* Splits `text` at single spaces into exactly `count` fields, which borrow from it. False for
 * any other number, for an empty field and for a text of POSITION_TEXT_MAX bytes or more.
 * `form` shows the reader what the fields are, such as "placement, side". */
bool fields_split(const char *text, struct field fields[], int count, const char *form,
                  struct cause *cause);

/* Reads "w" or "b". */
bool field_side(struct field field, uint8_t *side, struct cause *cause);

/* Reads a number as number_parse() does; `what` names it in the cause. */
bool field_number(struct field field, const char *what, long min, long max, uint8_t *value,
                  struct cause *cause);

/* Reads a placement of the letters in `letters` ('*' among them where the game has holes) into
 * *board, with its size. With width and height 0 any board up to 10 by 10 is read, else exactly
 * that one. */
bool placement_parse(struct field field, const char *letters, int width, int height,
                     struct board *board, struct cause *cause);

/* Writes the placement, with a final NUL; returns its length. */
size_t placement_format(const struct board *board, char text[POSITION_TEXT_MAX]);

/* Sets every square empty. */
void board_clear(struct board *board, int width, int height);

#endif
