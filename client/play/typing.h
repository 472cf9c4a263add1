/* Lines typed in a match: a move or a command (player_command.h). */
#ifndef LUDUS_TYPING_H
#define LUDUS_TYPING_H

#include "client/talk/client.h"

/* Plays the move or runs the command. Says so if the line is neither. */
void typing_take(struct client *client, const char *line);

/* Completions for Tab: the legal moves, then the commands; context is the client. */
const char *typing_candidate(const void *context, int index);

#endif
