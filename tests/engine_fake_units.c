/* Keeping the units of a server, or finding them stale. */
#include <string.h>

#include "engine_fake_parts.h"

/* The row of a seek that a unit ends; NULL: there is none. */
static struct engine_seek *paired_seek(const struct engine_node *node, const struct unit *unit,
                                       int color)
{
    const struct paired *paired = &unit->paired;
    int id = paired->nodes[color] != 0 ? paired->nodes[color] : node->id;

    return fake_find_seek(node->engine, id, paired->seeks[color]);
}

/* Whether one of the seeks that a unit ends does not wait any more. */
static bool has_stale_seek(const struct engine_node *node, const struct unit *unit)
{
    for (int color = WHITE; color <= BLACK && unit->pairs; color++) {
        const struct engine_seek *seek = paired_seek(node, unit, color);
        if (seek != NULL ? seek->match != 0 : unit->paired.nodes[color] != 0)
            return true;
    }
    return false;
}

static void end_seeks(struct engine_node *node, const struct unit *unit)
{
    for (int color = WHITE; color <= BLACK && unit->pairs; color++) {
        struct engine_seek *seek = paired_seek(node, unit, color);
        if (seek != NULL)
            seek->match = unit->tables[0].next->number;
    }
}

/* Whether a unit is out of date or breaks a rule. */
static bool is_stale(const struct engine_node *node, const struct unit *unit)
{
    const struct engine *engine = node->engine;

    if (has_stale_seek(node, unit))
        return true;
    for (int i = 0; i < unit->table_count; i++) {
        const struct table_draft *draft = &unit->tables[i];
        const struct table *kept = lobby_find(&engine->lobby, draft->next->id), *once = NULL;
        if (draft->next->once[0] != '\0')
            HASH_FIND(by_once, engine->lobby.by_once, draft->next->once, strlen(draft->next->once),
                      once);
        if (draft->table == NULL ? once != NULL : kept->version != draft->table->version)
            return true;
    }
    for (int i = 0; i < unit->rating_count; i++) {
        const struct rating_draft *draft = &unit->ratings[i];
        const struct player *kept = players_find(&engine->players, draft->player->name);
        const struct rating *rating =
            kept != NULL ? rating_find(&kept->ratings, draft->game, draft->variant) : NULL;
        if ((rating != NULL ? rating->matches : 0) != draft->matches - 1)
            return true;
    }
    return unit->player != NULL && strcmp(unit->player->name, unit->identity.name) != 0 &&
           players_find(&engine->players, unit->identity.name) != NULL;
}

static void refresh_unit(struct engine_node *node, struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++) {
        struct table_draft *draft = &unit->tables[i];
        if (draft->table == NULL)
            continue;
        table_drop(draft->next);
        draft->next = fake_draft(node, draft->table);
    }
    for (int i = 0; i < unit->rating_count; i++) {
        struct rating_draft *draft = &unit->ratings[i];
        const struct player *kept = players_find(&node->engine->players, draft->player->name);
        const struct rating *rating =
            kept != NULL ? rating_find(&kept->ratings, draft->game, draft->variant) : NULL;
        draft->now = rating != NULL ? rating->now : glicko_start();
        draft->matches = rating != NULL ? rating->matches : 0;
    }
}

static void keep_identity(struct engine_node *node, const struct unit *unit)
{
    struct player *kept = fake_person_in(&node->engine->players, unit->player);

    if (kept->login != unit->login)
        return; /* they have come back elsewhere since */
    player_settle(kept, &unit->identity);
    kept->node = unit->player->session != NULL ? node->id : 0;
    kept->away_ms = node->engine->now_ms;
}

/* A guest is known by the first match, and stays where they are. */
static struct player *seated_person(struct engine_node *node, const struct player *player)
{
    struct player *kept = fake_person_in(&node->engine->players, player);

    if (kept != NULL && kept->kind == PLAYER_GUEST && player->session != NULL)
        kept->node = node->id;
    else if (kept != NULL && kept->kind == PLAYER_GUEST && kept->node == 0)
        kept->node = player->node; /* they sought there */
    return kept;
}

static void keep_table(struct engine_node *node, struct table_draft *draft)
{
    struct engine *engine = node->engine;
    struct table *next = draft->next, *kept = lobby_find(&engine->lobby, next->id);
    struct player *const players[] = {seated_person(node, next->seats[WHITE].player),
                                      seated_person(node, next->seats[BLACK].player)};

    next->version++;
    if (kept == NULL) {
        kept = fake_new_table(&engine->lobby, next);
        fake_copy_table(kept, next, players);
        lobby_set_creator(kept, fake_person_in(&engine->players, next->creator));
        lobby_add(&engine->lobby, kept);
    } else {
        struct table *copy = table_draft(kept);
        fake_copy_table(copy, next, players);
        lobby_settle(&engine->lobby, kept, copy);
        kept->version = next->version;
    }
}

/* Tells the servers that have a match of the unit, or whose players it concerns. */
static void tell_change(struct engine_node *from, const struct unit *unit)
{
    for (int i = 0; i < unit->table_count; i++) {
        const struct table *kept = lobby_find(&from->engine->lobby, unit->tables[i].next->id);
        for (int n = 0; n < ENGINE_NODES_MAX; n++) {
            struct engine_node *node = &from->engine->nodes[n];
            bool concerned = false;
            for (int color = WHITE; color <= BLACK; color++)
                concerned |= kept->seats[color].player != NULL &&
                             kept->seats[color].player->node == node->id;
            if (!node->alive || node == from)
                continue;
            if (lobby_find(node->lobby, kept->id) != NULL)
                fake_add_event(node, EVENT_CHANGED, kept->id, "");
            else if (concerned)
                fake_add_event(node, EVENT_LOAD, kept->id, "");
        }
    }
}

void fake_keep_unit(struct engine_node *node, struct unit *unit)
{
    if (is_stale(node, unit)) {
        unit->kept = KEPT_STALE;
        refresh_unit(node, unit);
        return;
    }
    for (int i = 0; i < unit->table_count; i++)
        keep_table(node, &unit->tables[i]);
    for (int i = 0; i < unit->rating_count; i++) {
        const struct rating_draft *draft = &unit->ratings[i];
        struct player *kept = fake_person_in(&node->engine->players, draft->player);
        struct rating *rating = rating_find_or_add(&kept->ratings, draft->game, draft->variant);
        rating->now = draft->now;
        rating->matches = draft->matches;
    }
    if (unit->player != NULL)
        keep_identity(node, unit);
    end_seeks(node, unit);
    tell_change(node, unit);
}
