/*
 * Reads the lines of a player: moves, and commands such as `resign`, `moves b2`, `say hello`. A
 * line that begins with "/" goes to the server as it is, except /who, /top, /history, /record and
 * /claim. Commands about a match mean the one on the screen, even if it is over.
 */
#ifndef LUDUS_PLAYER_COMMAND_H
#define LUDUS_PLAYER_COMMAND_H

#include "client/talk/client.h"

/* Runs the line if it is a command; else returns false. */
bool player_command_run(struct client *client, const char *line);

/* Plays the move or runs the command that was typed in a match. Says so if the line is neither. */
void player_command_type(struct client *client, const char *line);

enum { PLAYER_MOVE_MAX = 32 }; /* bytes with the final NUL; no move is longer */
/* Reads a line as a move, without spaces. False when it is a command or cannot be a move. */
bool player_command_move(const struct client *client, const char *line, char move[PLAYER_MOVE_MAX]);

/* Completions for Tab: the legal moves, then the commands; context is the client. */
const char *player_command_candidate(const void *context, int index);

/* Leaves the match on the screen; it goes on unseen. */
void player_command_leave(struct client *client);

/* Shows the server's summary of a game, or with NULL of all games. */
void player_command_rules(struct client *client, const char *name);

#endif
