/* Hints in full screen: asked for, awaited, marked. */
#ifndef LUDUS_SCREEN_MATCH_HINT_H
#define LUDUS_SCREEN_MATCH_HINT_H

#include "match_part.h"

/* Begins to think about the present position, whose game must be known. The hint comes as a notice
 * and is chosen on the board, so that Enter plays it. */
void match_hint_ask(struct match_part *part);

/* Stops thinking, if it is. */
void match_hint_end(struct match_part *part);

#endif
