/* Lessons in line mode: a board, a move typed, what it did, the next board. */
#ifndef LUDUS_LEARN_LINES_H
#define LUDUS_LEARN_LINES_H

#include "client/learn/lesson.h"
#include "client/talk/client.h"

/* Shows one lesson after the other until the last one is done or the player quits. The client needs
 * no server. */
void learn_lines_run(struct client *client, const struct tutorial *tutorial);

#endif
