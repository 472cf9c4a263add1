/* Waiting for an opponent whom the server is to find. */
#ifndef LUDUS_SCREEN_SEEK_PART_H
#define LUDUS_SCREEN_SEEK_PART_H

#include "client/play/own_seek.h"
#include "client/screen/stage/stage.h"

/* Waits until the match comes to the screen, the player cancels or the server refuses. Takes the
 * seek back if nobody was found. */
void seek_part_wait(struct stage *stage, struct seeking *seeking);

#endif
