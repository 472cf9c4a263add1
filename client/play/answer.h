/*
 * What waits for an answer of the person: the offers in the match on the screen, a rematch of one
 * that was left, and the latest challenge. The commands `accept` and `decline` are here; event.h
 * notes what comes.
 */
#ifndef LUDUS_ANSWER_H
#define LUDUS_ANSWER_H

#include "client/talk/client.h"

/* Accepts what `word` names (draw, undo, rematch or challenge); with "" the only thing that waits.
 * Of several it asks which one, since to allow a take-back must not end the match as a draw. */
void answer_accept(struct client *client, const char *word);

/* Declines likewise. The offers in one match count as one here: the server refuses them together.
 */
void answer_decline(struct client *client, const char *word);

/* draw, undo and rematch: offers it, or accepts what the other side offers. When that is agreed
 * at once, a new state follows (after a rematch an event that brings another match). */
void answer_offer(struct client *client, enum offer what);

#endif
