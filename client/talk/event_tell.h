/*
 * What the player is told of matches: of the one on the screen, which is shown there, and of their
 * others.
 */
#ifndef LUDUS_EVENT_TELL_H
#define LUDUS_EVENT_TELL_H

#include "client.h"
#include "sitting.h"

/* Call this when the player is at the keys. From now on matches that are not on the screen are
 * reported too, first those in which something waits already. */
void event_begin(struct client *client);

/* Shows a state of the match on the screen, and says what has changed. */
void event_show_state(struct client *client, const struct match_state *state);

/* Says what has changed in a match that is not on the screen; `sitting` is NULL when the player has
 * none there. */
void event_tell_elsewhere(struct client *client, const struct match_state *view,
                          struct sitting *sitting);

/* Says which offers stand in the match on the screen, on both sides. */
void event_tell_offers(struct client *client);

/* Says which offers of others stand in the match on the screen that were not told. */
void event_tell_new_offers(struct client *client, const bool told[OFFER_KINDS][2]);

/* Says what is offered in a match that is not on the screen. */
void event_tell_offer_elsewhere(struct client *client, const char *match, enum offer what,
                                const char *from);

/* Says that a player of the match on the screen is away; an opponent learns when they may claim the
 * win. */
void event_tell_away(struct client *client, enum color color, const char *name);

/* Call this when client->claim_due_ms has come: says that the win can be claimed now, if it still
 * can. */
void event_tell_claim(struct client *client);

#endif
