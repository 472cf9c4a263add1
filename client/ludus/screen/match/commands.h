/*
 * What players type in full screen: moves, and commands such as `resign`, `moves b2`, `say hello`,
 * whose table is in commands.c. A line that begins with "/" goes to the server as it is, except
 * /who, /top, /history, /record and /claim. Commands about a match mean the one on the screen, even
 * if it is over.
 */
#ifndef LUDUS_SCREEN_COMMANDS_H
#define LUDUS_SCREEN_COMMANDS_H

#include "client/ludus/screen/board/select.h"
#include "client/ludus/talk/client.h"

/* Accepts what `word` names (draw, undo, rematch or challenge), or with "" the only thing that
 * waits. If several wait it asks which, so that nobody who allows a take-back agrees to a draw. */
void answer_accept(struct client *client, const char *word);

/* Declines, by the rules of answer_accept(). The offers in one match count as one, as the server
 * declines them together. */
void answer_decline(struct client *client, const char *word);

/* Makes an offer, or accepts the same offer from the other side. On agreement a new state follows,
 * or for a rematch an event that brings another match. */
void answer_offer(struct client *client, enum offer what);

/* Runs the line if it is a command; else returns false. */
bool player_command_run(struct client *client, const char *line);

/* Plays the move or runs the command that was typed in a match. Says so if the line is neither. */
void player_command_type(struct client *client, const char *line);

/* Reads a line as a move, without spaces. False when it is a command or cannot be a move. */
bool player_command_move(const struct client *client, const char *line, char move[PLAYER_MOVE_MAX]);

/* Leaves the match on the screen; it goes on unseen. */
void player_command_leave(struct client *client);

#endif
