/* Copies between what an engine keeps of people and matches, and what a server has of them. */
#include <string.h>

#include "common/xmalloc.h"
#include "engine_fake_parts.h"

struct player *fake_person_in(struct players *players, const struct player *person)
{
    if (person == NULL)
        return NULL;
    struct player *player = players_find(players, person->name);
    if (player == NULL) {
        player = players_add_stored(players, person->id, person->kind, person->name);
        memcpy(player->token_hash, person->token_hash, sizeof player->token_hash);
        player->bot = person->bot;
    }
    return player;
}

struct player *fake_person_at(struct engine_node *node, const struct player *kept)
{
    struct player *player = fake_person_in(node->players, kept);

    if (player == NULL || player->session != NULL || player->kind == PLAYER_HOUSE)
        return player;
    player->node = kept->node == node->id ? 0 : kept->node;
    player->here = player->node != 0;
    player->login = kept->login;
    player->away_ms = kept->away_ms;
    return player;
}

/* The ratings of a person, as far as they are kept, for a server. */
static void refresh_ratings(struct engine_node *node, const struct player *kept)
{
    const struct rating *from;

    if (kept == NULL)
        return;
    SLIST_FOREACH(from, &kept->ratings, link)
    {
        struct rating *to =
            rating_find_or_add(&fake_person_at(node, kept)->ratings, from->game, from->variant);
        to->now = from->now;
        to->matches = from->matches;
    }
}

static void set_seats(struct table *to, const struct table *from, struct player *const players[2])
{
    for (int color = WHITE; color <= BLACK; color++) {
        struct seat *seat = &to->seats[color];
        if (seat->player != NULL)
            player_let_go(seat->player);
        seat->player = NULL;
        seat->joined = false;
        if (players[color] != NULL)
            table_set_seat(to, color, players[color], from->seats[color].joined);
    }
}

void fake_copy_table(struct table *to, const struct table *from, struct player *const players[2])
{
    size_t bytes = (size_t)from->match.ply_count * sizeof *from->match.plies;

    to->match = from->match;
    to->match.shares_plies = false;
    to->match.ply_capacity = from->match.ply_count;
    to->match.plies = bytes > 0 ? xmalloc(bytes) : NULL;
    if (bytes > 0)
        memcpy(to->match.plies, from->match.plies, bytes);
    memcpy(to->once, from->once, sizeof to->once);
    memcpy(to->rated, from->rated, sizeof to->rated);
    to->is_private = from->is_private;
    to->casual = from->casual;
    to->started = from->started;
    to->ended = from->ended;
    to->date = from->date;
    to->changed_s = from->changed_s;
    to->version = from->version;
    set_seats(to, from, players);
}

struct table *fake_new_table(struct lobby *lobby, const struct table *from)
{
    struct table head = {.number = from->number};

    memcpy(head.id, from->id, sizeof head.id);
    return lobby_draft_stored(lobby, &head);
}

struct table *fake_draft(struct engine_node *node, struct table *table)
{
    const struct table *kept = lobby_find(&node->engine->lobby, table->id);
    struct player *const players[] = {fake_person_at(node, kept->seats[WHITE].player),
                                      fake_person_at(node, kept->seats[BLACK].player)};
    struct table *fresh = table_draft(table);

    for (int color = WHITE; color <= BLACK; color++)
        refresh_ratings(node, kept->seats[color].player);
    fake_copy_table(fresh, kept, players);
    return fresh;
}

bool fake_play(struct engine_node *node, struct table *table)
{
    const struct table *kept = lobby_find(&node->engine->lobby, table->id);
    const struct match *from = &kept->match;
    struct match *match = &table->match;

    if (kept->version != table->version + 1 || from->ply_count != match->ply_count + 1 ||
        from->status != MATCH_PLAYING || match->status != MATCH_PLAYING)
        return false;
    const struct ply *last = &from->plies[match->ply_count];
    match_play_on(match, last->move, from->turn_ms);
    match->plies[match->ply_count - 1] = *last;
    match->clock = from->clock;
    memcpy(match->offers, from->offers, sizeof match->offers);
    table->version = kept->version;
    node->keeper.calls->moved(node->keeper.context, table);
    return true;
}

void fake_load_table(struct engine_node *node, const struct table *kept)
{
    struct player *const players[] = {fake_person_at(node, kept->seats[WHITE].player),
                                      fake_person_at(node, kept->seats[BLACK].player)};

    if (lobby_find(node->lobby, kept->id) != NULL)
        return;
    struct table *table = fake_new_table(node->lobby, kept);
    fake_copy_table(table, kept, players);
    if (kept->creator != NULL)
        lobby_set_creator(table, fake_person_at(node, kept->creator));
    lobby_add(node->lobby, table);
    fake_tell_paired(node, table);
    node->keeper.calls->loaded(node->keeper.context, table);
}
