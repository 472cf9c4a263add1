/* Keys and the mouse in a match. */
#ifndef LUDUS_SCREEN_MATCH_KEYS_H
#define LUDUS_SCREEN_MATCH_KEYS_H

#include "match_part.h"

/* Handles a key; the scene must be that of the present state. */
void match_keys_take(struct match_part *part, int key);

#endif
