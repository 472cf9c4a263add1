/* Answers to what a server looks up. */
#include <string.h>

#include "common/xmalloc.h"
#include "engine_fake_parts.h"

static void claim(struct engine_node *node, struct look_up *asked)
{
    struct engine *engine = node->engine;
    struct player *kept = players_find(&engine->players, asked->question.key);
    const struct seat *seat;
    const struct table *table;

    asked->state = kept == NULL ? LOOK_NOTHING : LOOK_REFUSED;
    if (kept == NULL || !player_token_matches(kept, asked->question.token))
        return;
    if (kept->node != 0 && kept->node != node->id)
        fake_add_event(&engine->nodes[kept->node - 1], EVENT_REPLACED, "", kept->name);
    struct player *player = fake_person_at(node, kept);
    kept->node = node->id;
    asked->login = ++kept->login;
    player->node = 0;
    TAILQ_FOREACH (seat, &kept->seats, link)
        if (seat->table->match.status != MATCH_OVER)
            fake_load_table(node, seat->table);
    TAILQ_FOREACH (table, &kept->created, by_creator)
        fake_load_table(node, table);
    asked->player = player;
    asked->state = LOOK_FOUND;
}

/* Counts what the filter takes. Whether it is one of the rows that are wanted. */
static bool is_row(struct look_up *asked)
{
    return asked->total++ >= asked->question.filter.from && asked->count < asked->question.rows_max;
}

static void list(struct engine_node *node, struct look_up *asked)
{
    const struct table *table;

    asked->rows = xcalloc((size_t)asked->question.rows_max, sizeof *asked->list);
    TAILQ_FOREACH_REVERSE (table, &node->engine->lobby.unfinished, table_list, link)
        if (filter_takes_match(&asked->question.filter, table) && is_row(asked))
            list_row_of_table(&asked->list[asked->count++], table);
    asked->state = LOOK_FOUND;
}

static void who(struct engine_node *node, struct look_up *asked)
{
    const struct player *player = node->engine->players.by_key;

    asked->rows = xcalloc((size_t)asked->question.rows_max, sizeof *asked->who);
    for (; player != NULL; player = player->by_key.next)
        if (player->node != 0 && player->kind == PLAYER_NAMED &&
            filter_takes_player(&asked->question.filter, player) && is_row(asked))
            who_row_of_player(&asked->who[asked->count++], player);
    asked->state = LOOK_FOUND;
}

static void history(struct engine_node *node, struct look_up *asked)
{
    const struct player *player = node->engine->players.by_key;
    const struct seat *seat;

    asked->rows = xcalloc((size_t)asked->question.rows_max, sizeof *asked->history);
    asked->state = LOOK_FOUND;
    while (player != NULL && player->id != asked->question.player)
        player = player->by_key.next;
    if (player == NULL)
        return;
    TAILQ_FOREACH_REVERSE (seat, &player->seats, seat_list, link)
        if (seat->table->match.status == MATCH_OVER && seat->table->started &&
            filter_takes_history(&asked->question.filter, seat) && is_row(asked))
            history_row_of_table(&asked->history[asked->count++], seat->table);
}

static void find_table(struct engine_node *node, struct look_up *asked)
{
    struct lobby *lobby = &node->engine->lobby;
    const char *key = asked->question.key;
    const struct table *table;

    if (asked->question.kind == LOOK_ONCE)
        HASH_FIND(by_once, lobby->by_once, key, strlen(key), table);
    else
        table = lobby_find(lobby, key);
    asked->state = table != NULL ? LOOK_FOUND : LOOK_NOTHING;
    if (table != NULL)
        fake_load_table(node, table);
}

static void find_name(struct engine_node *node, struct look_up *asked)
{
    const struct player *kept = players_find(&node->engine->players, asked->question.key);

    asked->player = fake_person_at(node, kept);
    asked->state = kept != NULL ? LOOK_FOUND : LOOK_NOTHING;
}

void fake_answer(struct engine_node *node, struct look_up *asked)
{
    static void (*const answers[])(struct engine_node * node, struct look_up * asked) = {
        [LOOK_TABLE] = find_table, [LOOK_ONCE] = find_table, [LOOK_NAME] = find_name,
        [LOOK_CLAIM] = claim,      [LOOK_LIST] = list,       [LOOK_WHO] = who,
        [LOOK_HISTORY] = history,  [LOOK_RECORD] = NULL,
    };
    enum look_up_kind kind = asked->question.kind;

    asked->state = LOOK_NOTHING;
    if (answers[kind] != NULL)
        answers[kind](node, asked);
    node->keeper.calls->found(node->keeper.context, asked);
}
