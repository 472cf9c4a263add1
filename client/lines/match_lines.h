/* The match on the screen in line mode. */
#ifndef LUDUS_MATCH_LINES_H
#define LUDUS_MATCH_LINES_H

#include "client/talk/client.h"

/* Plays or watches the match until it is over, is left, or the program ends. */
void match_lines_run(struct client *client);

#endif
