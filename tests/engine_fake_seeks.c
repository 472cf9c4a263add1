/* The seeks that the servers of an engine offer each other. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/xmalloc.h"
#include "engine_fake_parts.h"

struct engine_seek *fake_find_seek(struct engine *engine, int node, int64_t number)
{
    struct engine_seek *seek;

    TAILQ_FOREACH (seek, &engine->seeks, link)
        if (seek->node == node && seek->number == number)
            return seek;
    return NULL;
}

void fake_drop_seek(struct engine *engine, struct engine_seek *seek)
{
    TAILQ_REMOVE(&engine->seeks, seek, link);
    free(seek->text);
    free(seek);
}

static struct engine_seek *add_seek(struct engine *engine, int node, int64_t number)
{
    struct engine_seek *seek = xcalloc(1, sizeof *seek);

    seek->node = node;
    seek->number = number;
    seek->text = xstrdup("");
    TAILQ_INSERT_TAIL(&engine->seeks, seek, link);
    return seek;
}

void fake_offer_seek(struct engine_node *from, int64_t number, const char *text)
{
    struct engine_seek *seek = fake_find_seek(from->engine, from->id, number);
    char event[600];

    if (text == NULL && seek != NULL)
        fake_drop_seek(from->engine, seek);
    if (text != NULL && seek == NULL)
        seek = add_seek(from->engine, from->id, number);
    if (text != NULL) {
        free(seek->text);
        seek->text = xstrdup(text);
    }
    snprintf(event, sizeof event, "%d %" PRId64 "%s%s", from->id, number, text != NULL ? " " : "",
             text != NULL ? text : "");
    for (int i = 0; i < ENGINE_NODES_MAX; i++)
        if (from->engine->nodes[i].alive && &from->engine->nodes[i] != from)
            fake_add_event(&from->engine->nodes[i], EVENT_SEEK, "", event);
}

void fake_tell_seek(struct engine_node *node, const char *event)
{
    struct offered_seek seek = {.text = NULL};
    int length = 0;

    sscanf(event, "%d %" SCNd64 "%n", &seek.node, &seek.number, &length);
    if (event[length] == ' ')
        seek.text = event + length + 1;
    node->keeper.calls->seek(node->keeper.context, &seek);
}

void fake_tell_paired(struct engine_node *node, struct table *table)
{
    const struct engine_seek *seek;

    TAILQ_FOREACH (seek, &node->engine->seeks, link)
        if (seek->node == node->id && seek->match == table->number)
            node->keeper.calls->seek_taken(node->keeper.context, seek->number, table);
}

void engine_tell_seeks(struct engine *engine, int id)
{
    struct engine_node *node = &engine->nodes[id - 1];
    struct offered_seek list[ENGINE_SEEKS_MAX];
    const struct engine_seek *seek;
    int count = 0;

    for (int from = 1; from <= ENGINE_NODES_MAX; from++)
        TAILQ_FOREACH (seek, &engine->seeks, link)
            if (seek->node == from && count < ENGINE_SEEKS_MAX)
                list[count++] =
                    (struct offered_seek){seek->node, seek->number, seek->text, seek->match};
    node->keeper.calls->seeks(node->keeper.context, list, count);
}
