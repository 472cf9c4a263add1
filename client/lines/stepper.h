/* Steps through recorded matches in line mode: a board, a line typed, the next board. */
#ifndef LUDUS_STEPPER_H
#define LUDUS_STEPPER_H

#include "client/talk/client.h"
#include "common/pgn.h"

/* Shows the first match and obeys what is typed until the player quits. Every match must have
 * passed pgn_check(). The client needs no server. */
void stepper_run(struct client *client, const struct pgn_file *file);

#endif
