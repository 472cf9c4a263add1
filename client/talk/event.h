/*
 * What the server says on its own: states, offers, chat, challenges. Each is shown and noted in
 * the client; nothing here waits for anything.
 */
#ifndef LUDUS_EVENT_H
#define LUDUS_EVENT_H

#include "client.h"

/* Handles one message that is no awaited reply. Types that it does not know are passed over. */
void event_handle(struct client *client, const cJSON *message);

/* The person is at the keys now: from now on matches that are not on the screen are told of, those
 * first in which something waits for him already. */
void event_begin(struct client *client);

/* Says which offers stand in the match on the screen, on both sides. */
void event_tell_offers(struct client *client);

/* To be called when client->claim_due_ms has come: says that the win can be claimed now, if it
 * still can. */
void event_tell_claim(struct client *client);

#endif
