#include "cluster.h"

#include <string.h>

#include "presence.h"
#include "server/base/log.h"
#include "server/wire/wire.h"
#include "session.h"

static bool is_same(const struct nodes *a, const struct nodes *b)
{
    bool same = a->own == b->own && a->count == b->count;

    for (int i = 0; same && i < a->count; i++)
        same =
            a->list[i].id == b->list[i].id && strcmp(a->list[i].address, b->list[i].address) == 0;
    return same;
}

void cluster_set_nodes(struct server *server, const struct nodes *nodes)
{
    struct session *session;

    if (is_same(&server->nodes, nodes))
        return;
    server->nodes = *nodes;
    log_line(LOG_INFO, "event=nodes node=%d count=%d", nodes->own, nodes->count);
    TAILQ_FOREACH (session, &server->sessions, link) {
        struct wire wire = session_wire(session, NULL);
        wire_nodes(&wire, nodes);
        session_send(session, &wire);
    }
}

void cluster_lost(struct server *server)
{
    struct session *session;

    log_line(LOG_ERROR, "event=node-lost node=%d text=\"others go on with the matches\"",
             server->nodes.own);
    TAILQ_FOREACH (session, &server->sessions, link)
        presence_close(session, "node-lost");
}
