/* Setting up a position by hand: pieces are put on squares and taken away. */
#ifndef LUDUS_SCREEN_EDITOR_PART_H
#define LUDUS_SCREEN_EDITOR_PART_H

#include "client/ludus/screen/stage/stage.h"

/* Begins with *position and lets the player change it. Returns true, with the new position, which
 * the rules of its variant accept; false, with *position as it was, when the player goes back. */
bool editor_part_run(struct stage *stage, const struct game *game, struct position *position);

#endif
