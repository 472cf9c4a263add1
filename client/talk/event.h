/*
 * Handles what the server sends unasked: states, offers, chat, challenges. Each is shown and noted
 * in the client; nothing here waits.
 */
#ifndef LUDUS_EVENT_H
#define LUDUS_EVENT_H

#include "client.h"

/* Handles a message that answers no request. Unknown types are ignored. */
void event_handle(struct client *client, const cJSON *message);

/* Call this when the player is at the keys. From now on matches that are not on the screen are
 * reported too, first those in which something waits already. */
void event_begin(struct client *client);

/* Says which offers stand in the match on the screen, on both sides. */
void event_tell_offers(struct client *client);

/* Call this when client->claim_due_ms has come: says that the win can be claimed now, if it still
 * can. */
void event_tell_claim(struct client *client);

#endif
