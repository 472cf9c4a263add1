/*
 * Tells the servers that share the keeper what it does not: chat, presence, news of the lobby. Each
 * line is for cluster_told() of the others. With a keeper of its own a server tells nobody.
 *
 *     w JSON TAB TEXT          a message as it is sent, in both formats, without their ends
 *     r NEXT JSON TAB TEXT     the event `rematch`, to be sent before the state of the match NEXT
 *     p ID NODE LOGIN KIND BOT NAME
 *                              where a player of the match is connected; NODE 0: nowhere
 */
#ifndef LUDUS_RELAY_H
#define LUDUS_RELAY_H

#include "server.h"

enum { RELAY_LINE_MAX = 4096 };

/* Do at the other servers what the functions of announce.h with these names do here. */
void relay_lobby(struct server *server, const struct table *table, const char *what);
void relay_chat(struct server *server, const struct table *table, const struct player *from,
                const char *text);
void relay_rematch(struct server *server, const struct table *table, const struct table *next);
void relay_declined(struct server *server, const struct table *table, const struct player *from,
                    const char *reason);
void relay_offer(struct server *server, const struct table *table, const struct offer_event *offer);

/* Tells the others at the player's matches that the player is here, is gone, or has a new name. */
void relay_presence(struct server *server, const struct player *player);

/* Has the keeper say whether the players of a match are connected elsewhere. It was opened here,
 * and what is known of them may be old. presence_learn() takes the answers. */
void relay_ask_presence(struct server *server, const struct table *table);

/* The content of a line p. */
struct presence_news {
    int64_t id;
    int node, login;
    enum player_kind kind;
    bool bot;
    char name[NAME_TEXT_MAX];
};

/* A line p. */
struct presence_text {
    char text[128];
};

/* Writes the line about a player, as this server knows them. */
struct presence_text presence_news_text(const struct server *server, const struct player *player);

/* Reads a line p. False if it is none. */
bool presence_news_read(struct presence_news *news, const char *line);

#endif
