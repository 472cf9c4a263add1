/* A match in full screen, from the first state to the last key: what each key does there. */
#ifndef LUDUS_SCREEN_MATCH_KEYS_H
#define LUDUS_SCREEN_MATCH_KEYS_H

#include "client/ludus/screen/stage/stage.h"
#include "match_part.h"

/* Shows the match that has come to the screen, until the player leaves or another one comes. */
void match_run(struct stage *stage);

#endif
