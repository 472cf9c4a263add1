/* The games as the server lists them, which may be others than those that are known here. */
#ifndef LUDUS_CATALOG_H
#define LUDUS_CATALOG_H

#include "client/talk/client.h"

/* Shows the summary of a game; with NULL of all games. */
void catalog_show(struct client *client, const char *name);

#endif
