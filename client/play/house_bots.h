/* The house bots of a server, to choose from. */
#ifndef LUDUS_HOUSE_BOTS_H
#define LUDUS_HOUSE_BOTS_H

#include "client/talk/client.h"

enum { HOUSE_BOTS_MAX = 16, HOUSE_BOT_NAME_MAX = 40 };

struct house_bots {
    char names[HOUSE_BOTS_MAX][HOUSE_BOT_NAME_MAX]; /* the weakest first, unknown levels last */
    int count;
    int usual; /* the index of the default */
};

/* Lists the house bots that are connected; there may be none. */
void house_bots_list(struct client *client, struct house_bots *bots);

/* Lists them, or if there are none the two that every server has. */
void house_bots_ask(struct client *client, struct house_bots *bots);

#endif
