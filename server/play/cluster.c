#include "cluster.h"

#include <stdio.h>
#include <string.h>

#include "announce.h"
#include "due.h"
#include "presence.h"
#include "server/base/log.h"
#include "server/wire/wire.h"
#include "session.h"
#include "settle.h"

static bool is_same(const struct nodes *a, const struct nodes *b)
{
    bool same = a->own == b->own && a->count == b->count;

    for (int i = 0; same && i < a->count; i++)
        same =
            a->list[i].id == b->list[i].id && strcmp(a->list[i].address, b->list[i].address) == 0;
    return same;
}

/* A player who was connected to another server is gone with it. */
static void leave_with_node(struct server *server, struct player *player)
{
    player->node = 0;
    player->here = false;
    player->away_ms = server->now_ms;
    player->seen_s = server->wall_s;
    if (player->kind == PLAYER_GUEST)
        server->guests_wait = true;
    announce_presence(server, player);
    announce_to_house(player);
    due_watch_all_of(server, player);
}

/* Whoever was at a server that is no longer alive leaves. */
static void leave_dead_nodes(struct server *server)
{
    struct player *player;

    for (player = server->players.by_key; player != NULL; player = player->by_key.next)
        if (player->node != 0 && !nodes_have(&server->nodes, player->node))
            leave_with_node(server, player);
}

void cluster_set_nodes(struct server *server, const struct nodes *nodes)
{
    struct session *session;

    if (is_same(&server->nodes, nodes))
        return;
    server->nodes = *nodes;
    leave_dead_nodes(server);
    log_line(LOG_INFO, "event=nodes node=%d count=%d", nodes->own, nodes->count);
    TAILQ_FOREACH (session, &server->sessions, link) {
        struct wire wire = session_wire(session, NULL);
        wire_nodes(&wire, nodes);
        session_send(session, &wire);
    }
}

void cluster_loaded(struct server *server, struct table *table)
{
    announce_arrival(server, table);
}

/* Sends what another server has written. */
static void pass_on(struct server *server, const struct table *table, const char *line)
{
    const char *tab = strchr(line, '\t');
    char json[RELAY_LINE_MAX];

    if (tab == NULL || (size_t)(tab - line) >= sizeof json)
        return;
    memcpy(json, line, (size_t)(tab - line));
    json[tab - line] = '\0';
    announce_written(server, table, json, tab + 1);
}

/* Sends `rematch`, then the state of the new match, which may have come before. */
static void pass_on_rematch(struct server *server, const struct table *table, const char *line)
{
    char id[TABLE_ID_MAX];
    int length = 0;

    if (table == NULL || sscanf(line, "%23s %n", id, &length) != 1 || length == 0)
        return;
    pass_on(server, table, line + length);
    const struct table *next = lobby_find(&server->lobby, id);
    if (next != NULL)
        announce_state(server, next, false);
}

/* A guest has taken a name at another server. */
static void rename_guest(struct server *server, struct player *player,
                         const struct presence_news *news)
{
    struct identity identity = player_identity(player);

    if (player->kind != PLAYER_GUEST || news->kind != PLAYER_NAMED ||
        players_find(&server->players, news->name) != NULL)
        return;
    memcpy(identity.name, news->name, sizeof identity.name);
    identity.kind = PLAYER_NAMED;
    identity.bot = news->bot;
    player_settle(player, &identity);
}

void cluster_meet(struct server *server, struct player *player, const struct presence_news *news)
{
    if (player->session != NULL || news->login < player->login || player->lock.owner != NULL)
        return; /* older than what is known here */
    rename_guest(server, player, news);
    if (player->here && news->node == 0) {
        player->away_ms = server->now_ms;
        player->seen_s = server->wall_s;
    }
    player->login = news->login;
    player->node = news->node;
    player->here = news->node != 0;
}

/* A player of a match has come, gone or been renamed at another server. */
static void take_presence(struct server *server, struct table *table,
                          const struct presence_news *news)
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &table->seats[color];
        if (seat->player == NULL || seat->player->id != news->id)
            continue;
        cluster_meet(server, seat->player, news);
        announce_presence_at(server, seat);
        due_watch(server, table);
        return;
    }
}

void cluster_told(struct server *server, struct table *table, const char *line)
{
    struct presence_news news;

    if (strncmp(line, "w ", 2) == 0)
        pass_on(server, table, line + 2);
    else if (strncmp(line, "r ", 2) == 0)
        pass_on_rematch(server, table, line + 2);
    else if (table != NULL && presence_news_read(&news, line))
        take_presence(server, table, &news);
}

void cluster_replaced(struct server *server, struct player *player)
{
    struct session *session = player->session;

    if (session == NULL)
        return;
    presence_hand_over(session);
    player->here = player->node != 0;
    if (!player->here)
        player->away_ms = server->now_ms;
    due_watch_all_of(server, player);
}

void cluster_lost(struct server *server)
{
    struct session *session;

    log_line(LOG_ERROR, "event=node-lost node=%d text=\"others go on with the matches\"",
             server->nodes.own);
    settle_drop_ready(server);
    TAILQ_FOREACH (session, &server->sessions, link) {
        presence_close(session, "node-lost");
        settle_drop_ready(server); /* that they have left: the keeper must not get it */
    }
}
