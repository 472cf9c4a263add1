/* Pages of help: the keys, and the rules of a game with an example. */
#ifndef LUDUS_SCREEN_HELP_H
#define LUDUS_SCREEN_HELP_H

#include "client/screen/board/special.h"
#include "client/screen/stage/stage.h"

void help_keys(struct stage *stage);
void help_rules(struct stage *stage, const struct special *special);

/* Lets the player choose a game, and shows its rules. */
void help_all_rules(struct stage *stage);

#endif
