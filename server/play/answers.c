#include "answers.h"

#include "cluster.h"
#include "due.h"
#include "server/base/log.h"
#include "session.h"
#include "settle.h"

static void on_settled(void *context, struct batch *batch)
{
    settle_batch(context, batch);
}

static void on_found(void *context, struct look_up *look_up)
{
    (void)context;
    if (look_up->state == LOOK_FAILED)
        log_line(LOG_ERROR, "event=store-error error=%s", log_quote(look_up->cause.text).text);
    if (look_up->asker != NULL)
        session_wake(look_up->asker);
    else
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

static void on_changed(void *context, struct table *table, struct table *fresh)
{
    settle_change(context, table, fresh);
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
}

static void on_lost(void *context)
{
    cluster_lost(context);
}

void answers_set_keeper(struct server *server, struct keeper *keeper)
{
    static const struct keeper_calls calls = {.settled = on_settled,
                                              .found = on_found,
                                              .loaded = on_loaded,
                                              .changed = on_changed,
                                              .told = on_told,
                                              .replaced = on_replaced,
                                              .nodes = on_nodes,
                                              .lost = on_lost};

    server->keeper = keeper;
    keeper->calls = &calls;
    keeper->context = server;
    keeper->tally = &server->tally;
}
