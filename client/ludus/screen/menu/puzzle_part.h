/* Puzzles in full screen: positions in which one move wins. */
#ifndef LUDUS_SCREEN_PUZZLE_PART_H
#define LUDUS_SCREEN_PUZZLE_PART_H

#include "client/ludus/screen/stage/stage.h"

/* Lets the player choose the puzzle of today or a game, and shows one puzzle after the other. */
void puzzle_part_choose(struct stage *stage);

#endif
