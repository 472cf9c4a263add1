/* The games that the server lists; this program need not know them. */
#ifndef LUDUS_CATALOG_H
#define LUDUS_CATALOG_H

#include "client/talk/client.h"

/* Shows the summary of a game, or with NULL of all games. */
void catalog_show(struct client *client, const char *name);

#endif
