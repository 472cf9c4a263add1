/*
 * The games as the server lists them. The client asks anew each time: it is one short reply, and
 * it is the server's list that counts.
 */
#ifndef LUDUS_CATALOG_H
#define LUDUS_CATALOG_H

#include "client/talk/client.h"

/* The reply to `games`, owned by the caller; NULL when it did not come. Its entries are in the
 * array that catalog_games() gives, borrowed from it. */
cJSON *catalog_ask(struct client *client);
const cJSON *catalog_games(const cJSON *reply);

/* Shows what a game is about; with NULL all of them. */
void catalog_show(struct client *client, const char *name);

#endif
