#include "relay.h"

#include <inttypes.h>
#include <stdio.h>

#include "server/wire/wire.h"

/* A message that is being written, in one format after the other. */
struct relay {
    struct server *server;
    const struct table *table; /* NULL: for those who watch the lobby */
    struct buffer texts[2];    /* as JSON, then for people */
    struct wire wire;
    int formats;      /* that were begun */
    const char *next; /* the id of a rematch that this is about; NULL: it is about none */
};

static struct relay relay_begin(struct server *server, const struct table *table)
{
    return (struct relay){.server = server, .table = table};
}

/* Tells the message. */
static void relay_end(struct relay *relay)
{
    struct keeper *keeper = relay->server->keeper;
    struct buffer line = {.length = 0};

    if (relay->next != NULL)
        buffer_printf(&line, "r %s ", relay->next);
    else
        buffer_puts(&line, "w ");
    for (int text = 0; text < 2; text++) {
        buffer_add(&line, relay->texts[text].bytes, relay->texts[text].length - 1);
        buffer_add(&line, text == 0 ? "\t" : "", 1);
        buffer_release(&relay->texts[text]);
    }
    keeper->kind->tell(keeper, relay->table, line.bytes);
    buffer_release(&line);
}

/* Begins the next format; after both, tells the message and is false. */
static bool relay_next(struct relay *relay)
{
    if (!keeper_has_more(relay->server->keeper))
        return false;
    if (relay->formats == 2) {
        relay_end(relay);
        return false;
    }
    relay->wire = (struct wire){.out = &relay->texts[relay->formats], .text = relay->formats == 1};
    relay->formats++;
    return true;
}

void relay_lobby(struct server *server, const struct table *table, const char *what)
{
    struct relay relay = relay_begin(server, NULL);

    while (!table->is_private && relay_next(&relay))
        wire_lobby(&relay.wire, what, table);
}

void relay_chat(struct server *server, const struct table *table, const struct player *from,
                const char *text)
{
    struct relay relay = relay_begin(server, table);

    while (relay_next(&relay))
        wire_chat(&relay.wire, table, from, text);
}

void relay_rematch(struct server *server, const struct table *table, const struct table *next)
{
    struct relay relay = relay_begin(server, table);

    relay.next = next->id;
    while (relay_next(&relay))
        wire_rematch(&relay.wire, table, next);
}

void relay_offer(struct server *server, const struct table *table, const struct offer_event *offer)
{
    struct relay relay = relay_begin(server, table);

    while (relay_next(&relay))
        wire_offer(&relay.wire, table, offer->what, offer->from, offer->news);
}

void relay_declined(struct server *server, const struct table *table, const struct player *from,
                    const char *reason)
{
    struct relay relay = relay_begin(server, table);

    while (relay_next(&relay))
        wire_declined(&relay.wire, table, from->name, reason);
}

struct presence_text presence_news_text(const struct server *server, const struct player *player)
{
    struct presence_text line;

    snprintf(line.text, sizeof line.text, "p %" PRId64 " %d %d %d %d %s", player->id,
             player->session != NULL ? server->nodes.own : 0, player->login, (int)player->kind,
             player->bot, player->name);
    return line;
}

void relay_presence(struct server *server, const struct player *player)
{
    struct keeper *keeper = server->keeper;
    const struct seat *seat;

    if (!keeper_has_more(keeper))
        return;
    struct presence_text line = presence_news_text(server, player);
    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status != MATCH_OVER)
            keeper->kind->tell(keeper, seat->table, line.text);
}

static void ask_presence(struct server *server, const struct player *player)
{
    struct question question = {.kind = LOOK_NAME};

    if (player == NULL || player->session != NULL || player->kind != PLAYER_NAMED)
        return;
    snprintf(question.key, sizeof question.key, "%s", player->name);
    server->keeper->kind->look_up(server->keeper, look_up_new(&question));
}

void relay_ask_presence(struct server *server, const struct table *table)
{
    if (!keeper_has_more(server->keeper))
        return;
    for (int color = WHITE; color <= BLACK; color++)
        ask_presence(server, table->seats[color].player);
}

bool presence_news_read(struct presence_news *news, const char *line)
{
    int kind, bot;

    if (sscanf(line, "p %" SCNd64 " %d %d %d %d %31s", &news->id, &news->node, &news->login, &kind,
               &bot, news->name) != 6)
        return false;
    news->kind = kind == PLAYER_NAMED ? PLAYER_NAMED : PLAYER_GUEST;
    news->bot = bot != 0;
    return true;
}
