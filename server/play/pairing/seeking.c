#include "seeking.h"

#include "pair.h"
#include "seek_offers.h"
#include "server/play/announce.h"
#include "server/play/rate_limit.h"
#include "server/play/session.h"
#include "server/play/settle.h"

/* A seek that is in a unit; NULL: it was taken back, or another server has paired it. */
static struct seek *find(struct server *server, const struct table *table,
                         const struct paired *paired, int color)
{
    const struct seek_id id = {paired->nodes[color], paired->seeks[color]};
    const struct player *player = table->seats[color].player;
    struct seek *seek = NULL;

    if (id.node != 0)
        seek = seeks_find_foreign(&server->seeks, id);
    else if (player->session != NULL)
        seek = seek_find(&player->session->seeks, id.number);
    return seek != NULL && seek->stage == SEEK_IS_PAIRED ? seek : NULL;
}

static void begin_match(struct server *server, struct seek *seek, const struct table *table)
{
    if (seek->there.node != 0)
        seeks_drop_foreign(&server->seeks, seek);
    else if (seek->wish.repeat)
        seeks_play(&server->seeks, seek, table->number);
    else
        seeks_drop(&server->seeks, &seek->session->seeks, seek);
}

/* The match of two seeks is kept, or not: then they wait again. */
static void on_ended(void *context, const struct unit *unit)
{
    struct server *server = context;
    const struct table_draft *draft = &unit->tables[0];
    const struct table *table = unit->kept == KEPT ? draft->table : draft->next;

    for (int color = WHITE; color <= BLACK; color++) {
        struct seek *seek = find(server, table, &unit->paired, color);
        if (seek == NULL)
            continue;
        if (unit->kept == KEPT)
            begin_match(server, seek, table);
        else
            seeks_wait(&server->seeks, seek, true);
    }
}

/* Whether a match may be opened that counts for this one of the two, who has to be here. */
static bool may_open(struct server *server, const struct seek *seek)
{
    return seek->session != NULL &&
           pair_may_open(server, seek->player, rate_limit_origin(seek->session));
}

static void name_seek(struct paired *paired, enum color color, const struct seek *seek)
{
    paired->seeks[color] = seek->there.number;
    paired->nodes[color] = seek->there.node;
    paired->offered[color] = seek->offered;
}

static void open_match(struct server *server, struct seek *seek, struct seek *partner,
                       const struct seek *opener)
{
    const struct seek_wish *wish = &seek->wish;
    enum color color = seek_color(seek, partner);
    struct pairing pairing = {.game = wish->game,
                              .clock = wish->clock,
                              .casual = wish->casual,
                              .opener = opener->player,
                              .origin = rate_limit_origin(opener->session)};
    struct position start;
    struct cause cause;

    wish->game->start(wish->variant, &start, &cause);
    pairing.start = &start;
    pairing.players[color] = seek->player;
    pairing.players[!color] = partner->player;
    name_seek(&pairing.paired, color, seek);
    name_seek(&pairing.paired, !color, partner);
    seeks_pair(&server->seeks, seek);
    seeks_pair(&server->seeks, partner);
    pair_start(server, &pairing, on_ended, server);
}

/* Whether the server keeps another match for a seek's address today. If not, it is passed over. */
static bool can_keep(struct server *server, struct seek *seek)
{
    bool can = seek->session == NULL || rate_limit_keep_wait_ms(seek->session) == 0;

    if (!can)
        seeks_block(&server->seeks, seek);
    return can;
}

static void find_partner(struct server *server, struct seek *seek)
{
    struct seek *partner;

    if (!can_keep(server, seek))
        return;
    do {
        partner = seek_partner(seek);
        if (partner == NULL) {
            seek_offer(server, seek);
            return;
        }
    } while (!can_keep(server, partner));
    struct seek *older = seek->number < partner->number ? seek : partner;
    struct seek *younger = older == seek ? partner : seek;
    if (may_open(server, older))
        open_match(server, seek, partner, older);
    else if (may_open(server, younger))
        open_match(server, seek, partner, younger);
    else
        seeks_block(&server->seeks, seek);
}

void seeking_take(struct server *server, int64_t number, const struct table *table)
{
    struct seek *seek = seeks_find_own(&server->seeks, number);

    if (seek == NULL || seek->stage == SEEK_PLAYS || seek->match == table->number)
        return; /* it is told again of a match that it knows */
    struct session *session = seek->session;
    struct paired paired = {.seeks = {0}};
    paired.seeks[table->seats[BLACK].player == seek->player ? BLACK : WHITE] = number;
    if (seek->stage == SEEK_WAITS)
        seeks_pair(&server->seeks, seek);
    begin_match(server, seek, table);
    settle_charge_pair(session);
    announce_paired(table, &paired);
    if (table->match.status == MATCH_OVER)
        seeks_match_over(&server->seeks, &session->seeks, table->number);
}

void seeking_pair(struct server *server)
{
    struct seek *seek;

    while (!server->stopping && (seek = seeks_next_fresh(&server->seeks)) != NULL)
        find_partner(server, seek);
}
