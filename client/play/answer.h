/*
 * Requests that wait for the player's answer: offers in the match on the screen, a rematch of one
 * that was left, and the latest challenge. event.c notes what comes.
 */
#ifndef LUDUS_ANSWER_H
#define LUDUS_ANSWER_H

#include "client/talk/client.h"

/* Accepts what `word` names (draw, undo, rematch or challenge), or with "" the only thing that
 * waits. If several wait it asks which, so that nobody who allows a take-back agrees to a draw. */
void answer_accept(struct client *client, const char *word);

/* Declines, by the rules of answer_accept(). The offers in one match count as one, as the server
 * declines them together. */
void answer_decline(struct client *client, const char *word);

/* Makes an offer, or accepts the same offer from the other side. On agreement a new state follows,
 * or for a rematch an event that brings another match. */
void answer_offer(struct client *client, enum offer what);

#endif
