/*
 * What a person can type beside moves, as a table: `resign`, `moves b2`, `say hello`, and raw
 * lines for the server that begin with '/'; /who, /top, /history, /record and /claim are the
 * same as without. Commands about a match mean the one on the screen,
 * which may be over.
 */
#ifndef LUDUS_PLAYER_COMMAND_H
#define LUDUS_PLAYER_COMMAND_H

#include "client/talk/client.h"

/* Runs a line that is a command. False, with nothing done, for any other. */
bool player_command_run(struct client *client, const char *line);

/* The index-th name of a command, NULL after the last: for Tab. */
const char *player_command_name(int index);

/* Leaves the match on the screen; it goes on without being shown. */
void player_command_leave(struct client *client);

#endif
