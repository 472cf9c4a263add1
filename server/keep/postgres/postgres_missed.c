/*
 * The second connection: what this server has not been told. A change is told after it is kept, by
 * a server that may be killed in between, over a connection that may break. So what is kept is
 * compared with what is known here: matches that are newer, matches that have come, and players who
 * have gone elsewhere.
 */
#include "postgres.h"

enum { MISSED_MOST = 500 }; /* matches that are loaded at once */

/* Says which of the held matches are newer than here. */
static void take_versions(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;

    for (int row = 0; row < answer_rows(answer); row++) {
        struct held *held = postgres_find_held(postgres, answer_integer(answer, row, 0));
        if (held != NULL)
            postgres_fall_behind(postgres, held, (int)answer_integer(answer, row, 1));
    }
}

void postgres_register_held(struct postgres *postgres)
{
    struct buffer numbers = {0};
    struct held *held, *next;
    struct number_text node = number_text(postgres->nodes.own);

    if (postgres->held == NULL)
        return;
    HASH_ITER(hh, postgres->held, held, next)
    array_add(&numbers, held->number);
    const char *const values[] = {array_end(&numbers), node.text};
    link_ask(postgres->reader,
             "INSERT INTO interest (match, node) SELECT x, $2 FROM unnest($1::bigint[]) x"
             " ON CONFLICT DO NOTHING",
             values, 2, false, postgres_ignore, NULL);
    link_ask(
        postgres->reader,
        "SELECT match, max(version) FROM entry WHERE match = ANY ($1::bigint[]) GROUP BY match",
        values, 1, false, take_versions, postgres);
    buffer_release(&numbers);
}

/* Loads the matches for which others have registered this server, and that it does not hold. */
static void take_registered(void *context, const struct answer *answer)
{
    struct postgres *postgres = context;
    struct buffer numbers = {0};

    for (int row = 0, count = 0; row < answer_rows(answer) && count < MISSED_MOST; row++) {
        int64_t number = answer_integer(answer, row, 0);
        if (postgres_find_held(postgres, number) != NULL ||
            lobby_is_opening(postgres->lobby, number))
            continue;
        array_add(&numbers, number);
        count++;
    }
    if (numbers.length > 0)
        postgres_look_after(postgres, "m.number = ANY ($1::bigint[])", array_end(&numbers),
                            postgres_take_matches, postgres);
    buffer_release(&numbers);
}

static void read_registered(struct postgres *postgres)
{
    struct number_text node = number_text(postgres->nodes.own);
    const char *const values[] = {node.text};

    link_ask(postgres->reader,
             "SELECT m.number FROM interest i JOIN match m ON m.number = i.match"
             " WHERE i.node = $1 AND m.status <> 'over' ORDER BY m.number",
             values, 1, false, take_registered, postgres);
}

/* Whether this server knows the player as they were before. It may know earlier than the engine
 * that they have left, but nobody comes back under the same login. */
static bool is_older(const struct postgres *postgres, const struct player *player, int login,
                     int node)
{
    if (player->session != NULL || player->lock.owner != NULL)
        return false;
    if (node == 0)
        return player->login < login || (player->login == login && player->node != 0);
    return player->login < login && node != postgres->nodes.own &&
           nodes_have(&postgres->nodes, node);
}

static void take_places(void *context, const struct answer *answer)
{
    const struct postgres *postgres = context;
    const struct seat *seat;

    for (int row = 0; row < answer_rows(answer); row++) {
        struct player *player = players_find_id(postgres->players, answer_integer(answer, row, 0));
        if (player == NULL || !is_older(postgres, player, (int)answer_integer(answer, row, 1),
                                        (int)answer_integer(answer, row, 2)))
            continue;
        TAILQ_FOREACH (seat, &player->seats, link)
            if (seat->table->match.status != MATCH_OVER)
                postgres->keeper.calls->told(postgres->keeper.context, seat->table,
                                             answer_text(answer, row, 3));
    }
}

/* Adds a player whom this server plays with, and who is not here, to an array. */
static void add_partner(const struct player *player, void *context)
{
    const struct seat *seat;

    if (player->session != NULL || player->kind != PLAYER_NAMED)
        return;
    TAILQ_FOREACH (seat, &player->seats, link)
        if (seat->table->match.status != MATCH_OVER) {
            array_add(context, player->id);
            return;
        }
}

/* Reads where such players are, as the line p that another server would have told (relay.h). */
static void read_places(struct postgres *postgres)
{
    struct buffer ids = {0};

    players_each(postgres->players, add_partner, &ids);
    if (ids.length > 0) {
        const char *const values[] = {array_end(&ids)};
        link_ask(postgres->reader,
                 "SELECT id, login, coalesce(node, 0), concat_ws(' ', 'p', id, coalesce(node, 0),"
                 " login, 1, bot::int, name) FROM player"
                 " WHERE id = ANY ($1::bigint[]) AND kind = 'named'",
                 values, 1, false, take_places, postgres);
    }
    buffer_release(&ids);
}

void postgres_read_missed(struct postgres *postgres)
{
    postgres_unregister(postgres); /* or what was let go would come back */
    postgres_register_held(postgres);
    read_registered(postgres);
    read_places(postgres);
}

void postgres_catch_up(struct postgres *postgres)
{
    if (!link_is_up(postgres->reader))
        return;
    postgres_read_nodes(postgres);
    postgres_read_missed(postgres);
    postgres_read_seeks(postgres);
    postgres->following = true;
    link_set_gate(postgres->reader, true);
}
