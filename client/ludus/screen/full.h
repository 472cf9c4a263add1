/* The way into full screen for the rest of the client. */
#ifndef LUDUS_SCREEN_FULL_H
#define LUDUS_SCREEN_FULL_H

#include "client/ludus/talk/play.h"
#include "common/pgn.h"

/* Plays in full screen until the player quits: first the match on its way to the screen, or what
 * `beginning` asks, then the menu. False, with nothing done, when the terminal is not suitable. */
bool full_run(struct client *client, enum beginning beginning, struct seeking *seeking);

/* Steps through a file whose matches have all passed pgn_check(), for a client without a server.
 * False when the terminal is not suitable. */
bool full_replay(struct client *client, const struct pgn_file *file);

/* Reviews a match that has passed pgn_check(), thinking so long about each position, for a client
 * without a server. False when the terminal is not suitable. */
bool full_review(struct client *client, const struct pgn_match *match, int movetime_ms);

/* Shows the lessons of a game, for a client without a server. False when the terminal is not
 * suitable. */
bool full_learn(struct client *client, const struct game *game);

#endif
