/* Line mode: waiting for an opponent whom the server is to find. */
#ifndef LUDUS_SEEK_LINES_H
#define LUDUS_SEEK_LINES_H

#include "client/play/own_seek.h"

/* Waits until a match comes to the screen, the player cancels by an empty line, or the server
 * refuses. Takes the seek back if nobody was found. Lines from a pipe are left for the match. */
void seek_lines_wait(struct client *client, struct seeking *seeking);

#endif
