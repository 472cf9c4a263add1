#include "seeking.h"

#include "pair.h"
#include "server/play/rate_limit.h"
#include "server/play/session.h"

static struct seek *find(const struct table *table, const struct paired *paired, int color)
{
    const struct player *player = table->seats[color].player;

    return player->session != NULL ? seek_find(&player->session->seeks, paired->seeks[color])
                                   : NULL;
}

static void begin_match(struct server *server, struct seek *seek, const struct table *table)
{
    if (seek->wish.repeat)
        seek_plays(seek, table->number);
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
        struct seek *seek = find(table, &unit->paired, color);
        if (seek == NULL)
            continue; /* it was taken back */
        if (unit->kept == KEPT)
            begin_match(server, seek, table);
        else
            seeks_wait(&server->seeks, seek, true);
    }
}

/* Whether a match may be opened that counts for this one of the two. */
static bool may_open(struct server *server, const struct seek *seek)
{
    return pair_may_open(server, seek->player, rate_limit_origin(seek->session));
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
    pairing.paired.seeks[color] = seek->number;
    pairing.paired.seeks[!color] = partner->number;
    seeks_pair(&server->seeks, seek);
    seeks_pair(&server->seeks, partner);
    pair_start(server, &pairing, on_ended, server);
}

/* Whether the server keeps another match for a seek's address today. If not, it is passed over. */
static bool can_keep(struct server *server, struct seek *seek)
{
    bool can = rate_limit_keep_wait_ms(seek->session) == 0;

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
        if (partner == NULL)
            return;
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

void seeking_pair(struct server *server)
{
    struct seek *seek;

    while (!server->stopping && (seek = seeks_next_fresh(&server->seeks)) != NULL)
        find_partner(server, seek);
}
