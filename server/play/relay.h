/*
 * Tells the servers that share the keeper what it does not: chat, presence, news of the lobby. Each
 * line is for cluster_told() of the others. With a keeper of its own a server tells nobody.
 *
 *     w JSON TAB TEXT               a message as it is sent, in both formats, without their ends
 *     r MATCH JSON TAB TEXT         the event `rematch`, which players expect before the state of
 * MATCH p ID NODE LOGIN KIND BOT NAME where a player of the match is connected; NODE 0: nowhere
 */
#ifndef LUDUS_RELAY_H
#define LUDUS_RELAY_H

#include "server.h"

enum { RELAY_LINE_MAX = 4096 };

/* As announce_lobby(), announce_chat(), announce_rematch(), announce_offer() and
 * announce_declined(), elsewhere. */
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

/* The content of a line of relay_presence(). */
struct presence_news {
    int64_t id;
    int node, login;
    enum player_kind kind;
    bool bot;
    char name[NAME_TEXT_MAX];
};

/* Such a line about a player. */
struct presence_text {
    char text[128];
};

struct presence_text presence_news_text(const struct server *server, const struct player *player);

/* Reads one. False if it is none. */
bool presence_news_read(struct presence_news *news, const char *line);

#endif
