/* The house bots of a server, to choose from. */
#ifndef LUDUS_BOT_CHOICE_H
#define LUDUS_BOT_CHOICE_H

#include "client/talk/client.h"

enum { HOUSE_BOTS_MAX = 16, HOUSE_BOT_NAME_MAX = 40 };

struct bot_choice {
    char names[HOUSE_BOTS_MAX][HOUSE_BOT_NAME_MAX]; /* the weakest first, unknown levels last */
    int count;
    int usual; /* the index of the default */
};

/* Lists the house bots that are connected; there may be none. */
void bot_choice_list(struct client *client, struct bot_choice *bots);

/* Lists them, or if there are none the two that every server has. */
void bot_choice_ask(struct client *client, struct bot_choice *bots);

#endif
