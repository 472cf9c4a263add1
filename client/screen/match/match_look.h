/* Keys and clicks that change how a match is shown, and nothing in it. */
#ifndef LUDUS_SCREEN_MATCH_LOOK_H
#define LUDUS_SCREEN_MATCH_LOOK_H

#include "match_part.h"

/* Turns the board. */
void match_look_turn(struct match_part *part);

/* Takes a click on the list of moves, which shows the position after one; false elsewhere. */
bool match_look_click(struct match_part *part);

/* Takes the actions that look at the board, the moves so far or the messages; false for others. */
bool match_look_take(struct match_part *part, enum action action);

#endif
