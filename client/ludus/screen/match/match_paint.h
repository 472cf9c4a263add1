/*
 * Paints a match: the board, the panel beside it, the sentence that matters now; the box of what
 * can be done after the end; and the QR code of the page in place of the board while a friend is
 * awaited.
 */
#ifndef LUDUS_SCREEN_MATCH_PAINT_H
#define LUDUS_SCREEN_MATCH_PAINT_H

#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/screen/stage/stage.h"
#include "match_part.h"

/* Takes a press that moves in the box, or one that chooses; the action chosen is in *chosen, or
 * ACTION_NONE. False for other presses. */
bool match_end_take(struct match_part *part, struct press press, enum action *chosen);

/* The painter of a match; context is the struct match_part. It also notes where the board is. */
void match_paint(struct stage *stage, void *context);

#endif
