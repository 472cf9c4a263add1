/* A hint for the position on the screen: asked for, waited for, marked. */
#ifndef LUDUS_SCREEN_MATCH_HINT_H
#define LUDUS_SCREEN_MATCH_HINT_H

#include "match_part.h"

/* Begins to think about the present position, which must be of a game that is known here. The hint
 * comes as a notice, and as what is chosen on the board, so that Enter plays it. */
void match_hint_ask(struct match_part *part);

/* Ends the search for a hint, if there is one. */
void match_hint_end(struct match_part *part);

#endif
