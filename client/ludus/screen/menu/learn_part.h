/* Lessons in full screen: small boards on which the player does one thing. */
#ifndef LUDUS_SCREEN_LEARN_PART_H
#define LUDUS_SCREEN_LEARN_PART_H

#include "client/ludus/screen/stage/stage.h"

/* Shows one lesson after the other until the last one is done or the player leaves. */
void learn_part_run(struct stage *stage, const struct game *game);

/* Lets the player choose a game, and shows its lessons. */
void learn_part_choose(struct stage *stage);

#endif
