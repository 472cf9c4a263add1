#include "keeper_calls.h"

#include "changes.h"
#include "cluster.h"
#include "due.h"
#include "pairing/seek_offers.h"
#include "pairing/seeking.h"
#include "presence.h"
#include "server/base/log.h"
#include "session.h"
#include "settle.h"

static void on_settled(void *context, struct batch *batch)
{
    settle_batch(context, batch);
}

static void on_found(void *context, struct look_up *look_up)
{
    if (look_up->state == LOOK_FAILED)
        log_line(LOG_ERROR, "event=store-error error=%s", log_quote(look_up->cause.text).text);
    if (look_up->asker != NULL) {
        session_wake(look_up->asker);
        return;
    }
    presence_give_back(context, look_up);
    presence_learn(context, look_up);
    look_up_free(look_up);
}

static void on_loaded(void *context, struct table *table)
{
    struct server *server = context;

    cluster_loaded(server, table);
    due_watch(server, table);
    if (table->match.status != MATCH_OVER && table_gone_guest(table) != NULL)
        server->guests_wait = true;
}

static void on_moved(void *context, struct table *table)
{
    const struct server *server = context;

    if (table->changed_s < server->wall_s)
        table->changed_s = server->wall_s;
    changes_tell_move(context, table);
}

static void on_changed(void *context, struct table *table, struct table *fresh)
{
    struct server *server = context;

    if (fresh->changed_s < server->wall_s && fresh->version > table->version)
        fresh->changed_s = server->wall_s;
    settle_change(server, table, fresh);
}

static void on_told(void *context, struct table *table, const char *event)
{
    cluster_told(context, table, event);
}

static void on_replaced(void *context, struct player *player)
{
    cluster_replaced(context, player);
}

static void on_nodes(void *context, const struct nodes *nodes)
{
    cluster_set_nodes(context, nodes);
    seek_offers_drop_gone(context);
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

static void on_lost(void *context)
{
    struct server *server = context;

    cluster_lost(server);
    seek_offers_forget(server);
}

/* Has the lines go on that wait for the engine. All that sleep count as if they had come now. */
static void wake_lines(struct server *server)
{
    struct session *session;

    TAILQ_FOREACH (session, &server->sessions, link) {
        if (session->line != LINE_NEW)
            session->arrived_ms = server->now_ms;
        if (!session->waits_for_engine)
            continue;
        session->waits_for_engine = false;
        session_wake(session);
    }
}

static void on_health(void *context, bool works, const char *why, int64_t away_ms)
{
    struct server *server = context;
    struct session *session;

    if (works) {
        if (server->engine_away)
            log_line(LOG_INFO, "event=engine-works away_ms=%lld", (long long)away_ms);
        server->engine_away = false;
        due_forgive_all(server, away_ms);
        wake_lines(server);
        return;
    }
    log_line(LOG_ERROR, "event=engine-away error=%s text=\"everyone leaves until it is back\"",
             log_quote(why).text);
    server->engine_away = true;
    TAILQ_FOREACH (session, &server->sessions, link)
        presence_close(session, "node-lost");
}

void server_set_keeper(struct server *server, struct keeper *keeper)
{
    static const struct keeper_calls calls = {.settled = on_settled,
                                              .found = on_found,
                                              .loaded = on_loaded,
                                              .moved = on_moved,
                                              .changed = on_changed,
                                              .told = on_told,
                                              .replaced = on_replaced,
                                              .nodes = on_nodes,
                                              .seek = on_seek,
                                              .seeks = on_seeks,
                                              .seek_taken = on_seek_taken,
                                              .lost = on_lost,
                                              .health = on_health};

    server->keeper = keeper;
    keeper->calls = &calls;
    keeper->context = server;
    keeper->tally = &server->tally;
}
