/* Paints a match. */
#ifndef LUDUS_SCREEN_MATCH_PAINT_H
#define LUDUS_SCREEN_MATCH_PAINT_H

#include "match_part.h"

/* The painter of a match; context is the struct match_part. It also notes where the board is. */
void match_paint(struct stage *stage, void *context);

/* Writes the question to be answered by y or n. Returns its word for `accept` and `decline`, "" for
 * a question of the program itself; NULL when nothing is asked. */
const char *match_question(const struct match_part *part, char *text, size_t size);

#endif
