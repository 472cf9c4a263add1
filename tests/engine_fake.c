#include "engine_fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "engine_fake_parts.h"

struct engine_event {
    enum engine_event_kind kind;
    char id[TABLE_ID_MAX]; /* of a match; "": none */
    char *text;            /* owned; a line, or a player's name */
    TAILQ_ENTRY(engine_event) link;
};

static struct engine_node *node_of(struct keeper *keeper)
{
    return (struct engine_node *)keeper;
}

void fake_add_event(struct engine_node *node, enum engine_event_kind kind, const char *id,
                    const char *text)
{
    struct engine_event *event = xcalloc(1, sizeof *event);

    event->kind = kind;
    snprintf(event->id, sizeof event->id, "%s", id);
    event->text = xstrdup(text);
    TAILQ_INSERT_TAIL(&node->events, event, link);
}

static void keep(struct keeper *keeper, struct batch *batch)
{
    node_of(keeper)->batch = batch;
}

static bool load(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause)
{
    struct engine_node *node = node_of(keeper);

    (void)now_ms, (void)cause;
    node->players = players;
    node->lobby = lobby;
    players->last_id = lobby->opened = node->id * 1000;
    players->ids.end = lobby->numbers.end = node->id * 1000 + 999;
    return true;
}

static bool look_up(struct keeper *keeper, struct look_up *asked)
{
    struct engine_node *node = node_of(keeper);

    if (node->asked_count == ENGINE_ASKED_MAX)
        abort();
    node->asked[node->asked_count++] = asked;
    return false;
}

static const char *error(const struct keeper *keeper)
{
    (void)keeper;
    return "";
}

static void close_keeper(struct keeper *keeper)
{
    (void)keeper;
}

static void tell(struct keeper *keeper, const struct table *table, const char *event)
{
    struct engine_node *from = node_of(keeper);

    for (int i = 0; i < ENGINE_NODES_MAX; i++) {
        struct engine_node *node = &from->engine->nodes[i];
        if (node->alive && node != from &&
            (table == NULL || lobby_find(node->lobby, table->id) != NULL))
            fake_add_event(node, EVENT_TOLD, table != NULL ? table->id : "", event);
    }
}

static void offer_seek(struct keeper *keeper, int64_t number, const char *text)
{
    fake_offer_seek(node_of(keeper), number, text);
}

static void tell_nodes(struct engine *engine)
{
    for (int i = 0; i < ENGINE_NODES_MAX; i++)
        if (engine->nodes[i].alive)
            fake_add_event(&engine->nodes[i], EVENT_NODES, "", "");
}

void engine_init(struct engine *engine)
{
    memset(engine, 0, sizeof *engine);
    TAILQ_INIT(&engine->seeks);
    origins_init(&engine->origins);
    players_init(&engine->players, 1000);
    lobby_init(&engine->lobby, &engine->origins, 1000);
}

struct keeper *engine_add(struct engine *engine, int id)
{
    static const struct keeper_kind kind = {.shared = true,
                                            .keep = keep,
                                            .load = load,
                                            .look_up = look_up,
                                            .error = error,
                                            .close = close_keeper,
                                            .tell = tell,
                                            .offer_seek = offer_seek};
    struct engine_node *node = &engine->nodes[id - 1];
    struct node *place = &engine->list.list[engine->list.count++];

    *node = (struct engine_node){.engine = engine, .id = id, .alive = true, .keeper.kind = &kind};
    TAILQ_INIT(&node->events);
    *place = (struct node){.id = id};
    snprintf(place->address, sizeof place->address, "192.0.2.%d:7117", id);
    tell_nodes(engine);
    return &node->keeper;
}

static void drop_events(struct engine_node *node)
{
    struct engine_event *event;

    while (node->engine != NULL && (event = TAILQ_FIRST(&node->events)) != NULL) {
        TAILQ_REMOVE(&node->events, event, link);
        free(event->text);
        free(event);
    }
}

void engine_release(struct engine *engine)
{
    for (int i = 0; i < ENGINE_NODES_MAX; i++)
        drop_events(&engine->nodes[i]);
    while (!TAILQ_EMPTY(&engine->seeks))
        fake_drop_seek(engine, TAILQ_FIRST(&engine->seeks));
    lobby_release(&engine->lobby);
    players_release(&engine->players);
    origins_release(&engine->origins);
}

void engine_bury(struct engine *engine, int id)
{
    struct nodes *list = &engine->list;
    struct player *player = engine->players.by_key;

    struct engine_seek *seek, *next;

    for (seek = TAILQ_FIRST(&engine->seeks); seek != NULL; seek = next) {
        next = TAILQ_NEXT(seek, link);
        if (seek->node == id)
            fake_drop_seek(engine, seek);
    }
    engine->nodes[id - 1].alive = false;
    for (; player != NULL; player = player->by_key.next)
        if (player->node == id)
            player->node = 0;
    for (int i = 0; i < list->count; i++)
        if (list->list[i].id == id)
            list->list[i] = list->list[--list->count];
    tell_nodes(engine);
}

/* Tells an event. False if that has to wait: the table is locked. */
static bool tell_event(struct engine_node *node, const struct engine_event *event)
{
    const struct keeper_calls *calls = node->keeper.calls;
    struct table *table = lobby_find(node->lobby, event->id);
    struct nodes nodes = node->engine->list;

    if (event->kind == EVENT_CHANGED && table != NULL && table->lock.owner != NULL)
        return false;
    nodes.own = node->id;
    if (event->kind == EVENT_NODES)
        calls->nodes(node->keeper.context, &nodes);
    else if (event->kind == EVENT_TOLD && (table != NULL || event->id[0] == '\0'))
        calls->told(node->keeper.context, table, event->text);
    else if (event->kind == EVENT_SEEK)
        fake_tell_seek(node, event->text);
    else if (event->kind == EVENT_LOAD)
        fake_load_table(node, lobby_find(&node->engine->lobby, event->id));
    else if (event->kind == EVENT_CHANGED && table != NULL) {
        if (!fake_play(node, table))
            calls->changed(node->keeper.context, table, fake_draft(node, table));
    } else if (event->kind == EVENT_REPLACED) {
        struct player *player = players_find(node->players, event->text);
        const struct player *kept = players_find(&node->engine->players, event->text);
        if (player != NULL) {
            player->node = kept->node;
            calls->replaced(node->keeper.context, player);
        }
    }
    return true;
}

static bool work_batch(struct engine_node *node)
{
    struct batch *batch = node->batch;
    struct unit *unit;

    if (batch == NULL)
        return false;
    node->batch = NULL;
    TAILQ_FOREACH (unit, &batch->units, link)
        if (unit_writes(unit))
            fake_keep_unit(node, unit);
    node->keeper.calls->settled(node->keeper.context, batch);
    return true;
}

bool engine_work(struct engine *engine, int id)
{
    struct engine_node *node = &engine->nodes[id - 1];
    bool worked = node->asked_count > 0;
    struct engine_event *event;

    for (int i = 0, count = node->asked_count; i < count; i++)
        fake_answer(node, node->asked[i]);
    node->asked_count = 0;
    worked = work_batch(node) || worked;
    while ((event = TAILQ_FIRST(&node->events)) != NULL && tell_event(node, event)) {
        TAILQ_REMOVE(&node->events, event, link);
        free(event->text);
        free(event);
        worked = true;
    }
    return worked;
}
