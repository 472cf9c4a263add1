/* Pages to read: the keys, and the rules of a game with an example on a board. */
#ifndef LUDUS_SCREEN_HELP_H
#define LUDUS_SCREEN_HELP_H

#include "client/screen/board/special.h"
#include "client/screen/stage/stage.h"

void help_keys(struct stage *stage);
void help_rules(struct stage *stage, const struct special *special);

/* Lets the person choose whose rules to read. */
void help_all_rules(struct stage *stage);

#endif
