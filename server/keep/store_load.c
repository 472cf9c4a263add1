/* Reads the store into memory as the server starts. */
#include <string.h>

#include "store.h"

/* Reads all players but guests, who come with their matches. */
static bool load_players(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT id, name, kind, bot, token_hash, seen_s,"
                         /* the first answers for most, by its index alone */
                         " EXISTS (SELECT 1 FROM rating WHERE rating.player = player.id)"
                         " OR EXISTS (SELECT 1 FROM match WHERE white = player.id AND plies >= 2)"
                         " OR EXISTS (SELECT 1 FROM match WHERE black = player.id AND plies >= 2)"
                         " OR EXISTS (SELECT 1 FROM retired_of WHERE retired_of.player = player.id)"
                         " FROM player WHERE kind <> 'guest' ORDER BY seen_s, id");

    while (query_next(query)) {
        enum player_kind kind = store_kind(query_text(query, 2));
        int64_t id = query_integer(query, 0), seen_s = query_integer(query, 5);
        if (!store_is_player(query_text(query, 1), id, seen_s, cause)) {
            query_free(query);
            return false;
        }
        struct player *player = players_add_stored(players, id, kind, query_text(query, 1));
        player->bot = query_integer(query, 3) != 0;
        player->seen_s = seen_s;
        if (query_integer(query, 6) != 0)
            player_mark_played(player);
        if (kind == PLAYER_NAMED)
            query_blob(query, 4, player->token_hash, sizeof player->token_hash);
    }
    return store_finish(store, query, cause);
}

/* Removes the players that no match refers to, except the named ones that were here last. */
static bool remove_forgotten(struct store *store, int names_max, struct cause *cause)
{
    struct query *query = database_query(
        store->database,
        "DELETE FROM player WHERE kind <> 'house'"
        " AND NOT EXISTS (SELECT 1 FROM match WHERE white = player.id)"
        " AND NOT EXISTS (SELECT 1 FROM match WHERE black = player.id)"
        " AND NOT EXISTS (SELECT 1 FROM retired_of WHERE retired_of.player = player.id)"
        " AND NOT EXISTS (SELECT 1 FROM entrant WHERE entrant.player = player.id)"
        " AND id NOT IN (SELECT director FROM tournament)"
        /* only those that are not over have a creator */
        " AND id NOT IN (SELECT creator FROM match WHERE status <> 'over' AND creator IS NOT NULL"
        " UNION SELECT * FROM (SELECT id FROM player WHERE kind = 'named'"
        " ORDER BY seen_s DESC, id DESC LIMIT ?))");

    QUERY_BIND(query, SQL_INTEGER(names_max));
    query_run(query);
    return store_finish(store, query, cause);
}

/* Continues ids and the numbers of guests and matches. */
static bool load_counts(struct store *store, struct players *players, struct lobby *lobby,
                        struct cause *cause)
{
    struct query *query =
        database_query(store->database, "SELECT max(id), max(CASE kind WHEN 'guest' THEN"
                                        " CAST(substr(name, 7) AS INTEGER) ELSE 0 END),"
                                        " (SELECT max(n) FROM (SELECT max(number) AS n FROM match"
                                        " UNION ALL SELECT opened FROM counter)),"
                                        " (SELECT max(n) FROM (SELECT max(ended) AS n FROM match"
                                        " UNION ALL SELECT ended FROM counter))"
                                        " FROM player");

    if (query_next(query)) {
        players->last_id = query_integer(query, 0);
        players->guests = (uint64_t)query_integer(query, 1);
        lobby->opened = query_integer(query, 2);
        lobby->ended = query_integer(query, 3);
    }
    return store_finish(store, query, cause) && store_counts_on(players->last_id, cause) &&
           store_counts_on(lobby->opened, cause) && store_counts_on(lobby->ended, cause);
}

static bool load_ratings(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT name, game, variant, rating, deviation, volatility, matches"
                         " FROM rating JOIN player ON player.id = rating.player"
                         " ORDER BY player, matches DESC");
    struct cause unread;
    bool good = true;

    while (query_next(query)) {
        const char *name = query_text(query, 0), *game_name = query_text(query, 1);
        struct player *player = players_find(players, name);
        const struct game *game = game_find(game_name, strlen(game_name));
        if (player == NULL || game == NULL) {
            good = cause_set(cause, "invalid rating of %.32s in %.32s", name, game_name);
            break;
        }
        struct rating *rating = rating_find_or_add(&player->ratings, game, query_text(query, 2));
        rating->now = glicko_sane(
            (struct glicko){query_real(query, 3), query_real(query, 4), query_real(query, 5)});
        rating->matches = (int)query_integer(query, 6);
    }
    return store_finish(store, query, good ? cause : &unread) && good;
}

struct loading {
    struct players *players;
    struct lobby *lobby;
    int64_t now_ms;
};

/* Returns the player of that name. Adds a guest. */
static struct player *find_player(struct loading *loading, const struct player *person)
{
    struct player *player = players_find(loading->players, person->name);
    if (player == NULL)
        player = players_add_stored(loading->players, person->id, person->kind, person->name);
    return player;
}

static bool load_match(void *context, struct table *stored, const struct cause *broken)
{
    struct loading *loading = context;

    if (broken != NULL) {
        store_log_broken(stored, broken);
        return true;
    }
    struct table *table = lobby_draft_stored(loading->lobby, stored);
    match_resume(&table->match, loading->now_ms);
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &stored->seats[color];
        if (seat->player == NULL)
            continue;
        struct player *player = find_player(loading, seat->player);
        table_set_seat(table, color, player, seat->joined);
        table->seats[color].was_open = seat->was_open;
        if (table->match.ply_count >= PLAYED_PLIES_MIN) /* the row may be older */
            player_mark_played(player);
    }
    if (stored->creator != NULL)
        lobby_set_creator(table, find_player(loading, stored->creator));
    lobby_add(loading->lobby, table);
    return true;
}

bool store_load(struct keeper *keeper, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause)
{
    struct store *store = (struct store *)keeper;
    struct loading loading = {.players = players, .lobby = lobby, .now_ms = now_ms};

    return remove_forgotten(store, players->named_max, cause) &&
           load_players(store, players, cause) && load_ratings(store, players, cause) &&
           load_counts(store, players, lobby, cause) &&
           store_visit(store, "WHERE m.status <> 'over' ORDER BY m.number", SQL_NULL, load_match,
                       &loading, cause) &&
           store_visit(store,
                       "WHERE m.ended >= (SELECT min(ended) FROM (SELECT ended FROM match"
                       " WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT ?)) ORDER BY m.ended",
                       SQL_INTEGER(lobby->finished_max), load_match, &loading, cause) &&
           store_load_tournaments(store, players, lobby, cause);
}
