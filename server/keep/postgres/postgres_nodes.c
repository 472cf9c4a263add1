/* The second connection: which servers are alive. */
#include <stdio.h>

#include "postgres.h"

/* Whether the list in an answer has a server with this epoch. */
static bool has_node(const struct answer *answer, int id, int64_t epoch)
{
    for (int row = 0; row < answer_rows(answer); row++)
        if (answer_integer(answer, row, 0) == id && answer_integer(answer, row, 2) == epoch)
            return true;
    return false;
}

static void tell_nodes(const struct postgres *postgres)
{
    postgres->keeper.calls->nodes(postgres->keeper.context, &postgres->nodes);
}

/* Removes those that have gone, or that have gone and come back. */
static bool remove_nodes(struct postgres *postgres, const struct answer *answer)
{
    struct nodes *nodes = &postgres->nodes;
    int count = 0;

    for (int i = 0; i < nodes->count; i++) {
        if (!has_node(answer, nodes->list[i].id, postgres->epochs[i]))
            continue;
        nodes->list[count] = nodes->list[i];
        postgres->epochs[count++] = postgres->epochs[i];
    }
    bool removed = count < nodes->count;
    nodes->count = count;
    return removed;
}

static void take_nodes(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct nodes *nodes = &postgres->nodes;
    int count = answer_rows(answer) < NODES_MAX ? answer_rows(answer) : NODES_MAX;

    if (answer_state(answer) != ANSWER_ROWS || postgres->epoch == 0)
        return;
    bool removed = remove_nodes(postgres, answer);
    if (removed)
        tell_nodes(postgres);
    bool added = nodes->count != count;
    for (int row = 0; row < count; row++) {
        struct node *node = &nodes->list[row];
        node->id = (int)answer_integer(answer, row, 0);
        snprintf(node->address, sizeof node->address, "%s", answer_text(answer, row, 1));
        postgres->epochs[row] = answer_integer(answer, row, 2);
    }
    nodes->count = count;
    if (added)
        tell_nodes(postgres);
}

void postgres_read_nodes(struct postgres *postgres)
{
    link_ask(postgres->reader, "SELECT id, address, epoch FROM node WHERE alive ORDER BY id", NULL,
             0, false, take_nodes, postgres);
}
