#include "cluster.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "announce.h"
#include "due.h"
#include "presence.h"
#include "seeks.h"
#include "server/base/log.h"
#include "server/wire/wire.h"
#include "session.h"
#include "settle.h"

enum { SILENT_MS = 5000 }; /* of which the keeper says so in the log */

static bool same_nodes(const struct nodes *a, const struct nodes *b)
{
    bool same = a->own == b->own && a->count == b->count;

    for (int i = 0; same && i < a->count; i++)
        same =
            a->list[i].id == b->list[i].id && strcmp(a->list[i].address, b->list[i].address) == 0;
    return same;
}

/* A player who was connected to other servers is gone with those that are not alive. */
static void leave_with_nodes(struct server *server, struct player *player,
                             const struct nodes *alive)
{
    struct places *before = player->elsewhere, *left = places_alive(before, alive);

    if (places_are_same(before, left)) {
        free(left);
        return;
    }
    player->elsewhere = NULL;
    player_set_elsewhere(player, left);
    if (!player->here) {
        player->cut_ms = server->now_ms - places_silence_ms(before, &server->nodes);
        player->away_ms = server->now_ms;
        if (player->kind == PLAYER_GUEST)
            server->guests_wait = true;
    }
    presence_placed(server, player, before, false);
    free(before);
}

/* Servers that kept nothing for a while keep again. What they forgive their players, this one does,
 * too, so that it tells of no flag before they would. A player whose servers have all been taken
 * for dead is at none of them any more, and is forgiven on coming back. */
static void forgive_with_nodes(struct server *server, const struct nodes *before)
{
    struct player *player;
    bool some_work = false;

    for (int i = 0; i < before->count; i++)
        some_work |= before->list[i].silent_ms >= NODE_SILENT_MS &&
                     nodes_silence_ms(&server->nodes, before->list[i].id) < NODE_SILENT_MS;
    for (player = server->players.by_key; some_work && player != NULL;
         player = player->by_key.next) {
        int64_t cut_ms = places_silence_ms(player->elsewhere, before);
        if (player->elsewhere != NULL && !player_is_connected(player) &&
            places_silence_ms(player->elsewhere, &server->nodes) < NODE_SILENT_MS)
            due_forgive_cut(server, player, cut_ms);
    }
}

static void on_nodes(void *context, const struct nodes *nodes)
{
    struct server *server = context;
    const struct nodes before = server->nodes;
    struct session *session;
    struct player *player;

    if (!same_nodes(&server->nodes, nodes)) {
        for (player = server->players.by_key; player != NULL; player = player->by_key.next)
            if (player->elsewhere != NULL)
                leave_with_nodes(server, player, nodes);
        server->nodes = *nodes;
        log_line(LOG_INFO, "event=nodes node=%d count=%d", nodes->own, nodes->count);
        TAILQ_FOREACH (session, &server->sessions, link) {
            struct wire wire = session_wire(session, NULL);
            wire_nodes(&wire, nodes);
            session_send(session, &wire);
        }
    }
    server->nodes = *nodes; /* and for how long they are silent */
    forgive_with_nodes(server, &before);
    seek_offers_drop_all_but(server, &server->nodes);
}

/* Sends what another server has written. */
static void pass_on_event(struct server *server, const struct table *table, const char *line)
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
    pass_on_event(server, table, line + length);
    const struct table *next = lobby_find(&server->lobby, id);
    if (next != NULL)
        announce_state(server, next, false);
}

/* Passes on a line of chat. */
static void pass_on_chat(struct table *table, const char *line)
{
    struct talk_line said;
    size_t room = strcspn(line, " ");
    int length = 0;

    if (table == NULL || !room_parse(line, room, &said.room) ||
        sscanf(line + room, " %31s %n", said.from, &length) != 1 || length == 0)
        return;
    said.text = line + room + length;
    announce_heard_chat(table, &said);
}

/* Another server tells a line (announce.h), about a match or about none. */
static void on_told(void *context, struct table *table, const char *line)
{
    struct server *server = context;

    if (strncmp(line, "w ", 2) == 0)
        pass_on_event(server, table, line + 2);
    else if (strncmp(line, "c ", 2) == 0)
        pass_on_chat(table, line + 2);
    else if (strncmp(line, "r ", 2) == 0)
        pass_on_rematch(server, table, line + 2);
}

static void on_placed(void *context, struct player *player, const struct places *before,
                      bool renamed)
{
    presence_placed(context, player, before, renamed);
}

static void on_miscounted(void *context, struct player *player)
{
    presence_note_seen(context, player);
}

/* A player who was connected here goes on at another server alone. */
static void on_replaced(void *context, struct player *player)
{
    if (player_is_connected(player))
        presence_hand_over(context, player);
}

static void on_revoked(void *context, struct player *player, int token)
{
    (void)context;
    session_revoke_all(player, token);
}

/* This server counts as dead: others go on with its matches. Everyone leaves for them. */
static void on_lost(void *context)
{
    struct server *server = context;
    struct session *session;

    log_line(LOG_ERROR, "event=node-lost node=%d text=\"others go on with the matches\"",
             server->nodes.own);
    settle_drop_ready(server);
    TAILQ_FOREACH (session, &server->sessions, link) {
        presence_close(session, "node-lost");
        settle_drop_ready(server); /* that they have left: the keeper must not get it */
    }
    seek_offers_drop_all_but(server, NULL);
}

static void on_found(void *context, struct look_up *look_up)
{
    if (look_up->state == LOOK_FAILED)
        log_line(LOG_ERROR, "event=store-error error=%s", log_quote(look_up->cause.text).text);
    if (look_up->asker != NULL) {
        look_up->wake(look_up->asker);
        return;
    }
    presence_learn(context, look_up);
    look_up_free(look_up);
}

/* Another server has opened a match of a tournament. */
static void announce_tournament_pair(const struct table *table)
{
    struct paired paired = {.round = table->round};

    snprintf(paired.tournament, sizeof paired.tournament, "t%" PRId64, table->tournament);
    announce_paired(table, &paired);
}

static void on_loaded(void *context, struct table *table)
{
    struct server *server = context;

    announce_challenges(table);
    if (table->tournament != 0 && table->match.status == MATCH_PLAYING && table->version == 1)
        announce_tournament_pair(table);
    due_forgive_loaded(server, table);
    if (table->match.status != MATCH_OVER)
        announce_state(server, table, false);
    due_watch(server, table);
    if (table->match.status != MATCH_OVER && table_gone_guest(table) != NULL)
        server->guests_wait = true;
}

static void on_moved(void *context, struct table *table)
{
    struct server *server = context;

    if (table->changed_s < server->wall_s)
        table->changed_s = server->wall_s;
    settle_moved(server, table);
}

static void on_changed(void *context, struct table *table, struct table *fresh)
{
    struct server *server = context;

    if (fresh->changed_s < server->wall_s && fresh->version > table->version &&
        table_has_moved(table, fresh))
        fresh->changed_s = server->wall_s;
    settle_change(server, table, fresh);
}

static void on_seek(void *context, const struct offered_seek *seek)
{
    seek_offers_take(context, seek);
}

static void on_seeks(void *context, const struct offered_seek *list, int count)
{
    seek_offers_compare(context, list, count);
}

static void on_seek_taken(void *context, int64_t number, struct table *table)
{
    seeking_take(context, number, table);
}

static void on_contested(void *context, struct tournament_change *change)
{
    struct server *server = context;

    tournament_apply(&server->lobby.tournaments, change);
    announce_tournament(change);
    tournament_change_free(change);
}

static void on_health(void *context, bool works, const char *why, int64_t away_ms)
{
    struct server *server = context;
    struct session *session;

    if (works) {
        if (server->database_away || away_ms >= SILENT_MS)
            log_line(LOG_INFO, "event=engine-works away_ms=%lld", (long long)away_ms);
        server->database_away = false;
        due_forgive_all(server, away_ms);
        /* Lines that sleep count as if they had come now. */
        TAILQ_FOREACH (session, &server->sessions, link) {
            session->again.arrived_ms = server->now_ms;
            if (session->line.stage != LINE_NEW)
                session->line.arrived_ms = server->now_ms;
            if (session->sleeps == SLEEPS_FOR_DATABASE)
                session_wake(session);
        }
        return;
    }
    log_line(LOG_ERROR, "event=engine-away error=%s text=\"everyone leaves until it is back\"",
             log_quote(why).text);
    server->database_away = true;
    TAILQ_FOREACH (session, &server->sessions, link)
        presence_close(session, "node-lost");
}

void server_set_keeper(struct server *server, struct keeper *keeper)
{
    static const struct keeper_calls calls = {.settled = settle_batch,
                                              .found = on_found,
                                              .loaded = on_loaded,
                                              .moved = on_moved,
                                              .changed = on_changed,
                                              .told = on_told,
                                              .placed = on_placed,
                                              .miscounted = on_miscounted,
                                              .replaced = on_replaced,
                                              .revoked = on_revoked,
                                              .nodes = on_nodes,
                                              .seek = on_seek,
                                              .seeks = on_seeks,
                                              .seek_taken = on_seek_taken,
                                              .contested = on_contested,
                                              .lost = on_lost,
                                              .health = on_health};

    server->keeper = keeper;
    keeper->calls = &calls;
    keeper->context = server;
    keeper->tally = &server->tally;
}
