/* What is typed in a match: a move, or a command (command.h). */
#ifndef LUDUS_TYPING_H
#define LUDUS_TYPING_H

#include "client/talk/client.h"

/* Plays the move or runs the command that the line is; says what is wrong with any other line. */
void typing_take(struct client *client, const char *line);

/* What Tab completes in a match: the legal moves, then the commands; context is the client. */
const char *typing_candidate(const void *context, int index);

#endif
