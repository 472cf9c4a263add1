/* Pages of help: the keys, and the rules of a game with an example. */
#ifndef LUDUS_SCREEN_HELP_H
#define LUDUS_SCREEN_HELP_H

#include "client/games/guide.h"
#include "client/ludus/screen/stage/stage.h"

/* Shows the keys of the part on top. */
void help_keys(struct stage *stage);

void help_rules(struct stage *stage, const struct game *game);

/* Lets the player choose a game, and shows its rules. */
void help_all_rules(struct stage *stage);

/* Shows the rules of that game, or of one that the player chooses. */
void help_game(struct stage *stage, const struct game *game);

#endif
