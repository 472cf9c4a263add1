/* Reads the store into memory as the server starts. */
#include <stdio.h>
#include <string.h>

#include "store.h"

/* Reads all players but guests, who come with their matches. */
static bool load_players(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query =
        database_query(store->database,
                       "SELECT id, name, kind, bot, token_hash, seen_s,"
                       /* OR would look for all of them; the first answers for most */
                       " CASE"
                       " WHEN EXISTS (SELECT 1 FROM rating WHERE rating.player = player.id) THEN 1"
                       " WHEN EXISTS (SELECT 1 FROM retired_of"
                       " WHERE retired_of.player = player.id) THEN 1"
                       " WHEN EXISTS (SELECT 1 FROM match"
                       " WHERE white = player.id AND ended IS NOT NULL AND plies >= 2) THEN 1"
                       " ELSE EXISTS (SELECT 1 FROM match"
                       " WHERE black = player.id AND ended IS NOT NULL AND plies >= 2) END"
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

/* The people of the matches that are not over. */
#define UNFINISHED_PEOPLE                                                                          \
    "SELECT white AS person FROM match WHERE ended IS NULL AND white IS NOT NULL"                  \
    " UNION ALL SELECT black FROM match WHERE ended IS NULL AND black IS NOT NULL"                 \
    " UNION ALL SELECT creator FROM match WHERE ended IS NULL AND creator IS NOT NULL"

/* Removes the players of a group to whom nothing refers. `value` is the one parameter of its SQL;
 * SQL_NULL: it has none. */
static bool remove_of(struct store *store, const char *group, struct value value,
                      struct cause *cause)
{
    char sql[1024];

    snprintf(sql, sizeof sql,
             "DELETE FROM player WHERE %s"
             /* this first: it answers for most, from few pages */
             " AND NOT EXISTS (SELECT 1 FROM rating WHERE rating.player = player.id)"
             " AND NOT EXISTS (SELECT 1 FROM match WHERE white = player.id AND ended IS NOT NULL)"
             " AND NOT EXISTS (SELECT 1 FROM match WHERE black = player.id AND ended IS NOT NULL)"
             " AND NOT EXISTS (SELECT 1 FROM retired_of WHERE retired_of.player = player.id)"
             " AND NOT EXISTS (SELECT 1 FROM entrant WHERE entrant.player = player.id)"
             " AND id NOT IN (SELECT director FROM tournament)"
             " AND id NOT IN (" UNFINISHED_PEOPLE ")",
             group);
    struct query *query = database_query(store->database, sql);
    query_bind(query, &value, value.type != VALUE_NULL);
    query_run(query);
    return store_finish(store, query, cause);
}

/* Notes up to which guest the next start need not look. Matches that are not over may still go, as
 * their guests have. */
static bool note_guests(struct store *store, struct cause *cause)
{
    struct query *query =
        database_query(store->database,
                       "UPDATE counter SET guests_retired = 0, guests_seen = (SELECT min(n) FROM ("
                       "SELECT coalesce(max(id), 0) AS n FROM player"
                       " UNION ALL SELECT person - 1 FROM (" UNFINISHED_PEOPLE ")))");

    query_run(query);
    return store_finish(store, query, cause);
}

static bool set(struct store *store, const char *pragma, struct cause *cause)
{
    struct query *query = database_query(store->database, pragma);

    query_run(query);
    return store_finish(store, query, cause);
}

/* Removes the players to whom nothing refers, except the named ones that were here last. Does not
 * go through the guests whose matches are kept. */
static bool remove_players(struct store *store, int names_max, struct cause *cause)
{
    static const char *const guests[] = {
        "kind = 'guest' AND id > (SELECT guests_seen FROM counter)",
        "kind = 'guest' AND id <= (SELECT guests_retired FROM counter)",
        "kind = 'guest' AND name > '#' AND name < '$'" /* others have taken their names */
    };
    bool good = true;

    for (size_t i = 0; good && i < sizeof guests / sizeof guests[0]; i++)
        good = remove_of(store, guests[i], SQL_NULL, cause);
    return good && remove_of(store,
                             "id IN (SELECT id FROM player WHERE kind <> 'guest' AND kind = 'named'"
                             " ORDER BY seen_s DESC, id DESC LIMIT -1 OFFSET ?)",
                             SQL_INTEGER(names_max), cause);
}

static bool remove_forgotten(struct store *store, int names_max, struct cause *cause)
{
    /* SQLite would look through all matches for each player that goes. */
    return set(store, "PRAGMA foreign_keys = OFF", cause) &&
           remove_players(store, names_max, cause) &&
           set(store, "PRAGMA foreign_keys = ON", cause) && note_guests(store, cause);
}

/* Continues ids and the numbers of guests and matches. The latest guest has the highest number. */
static bool load_counts(struct store *store, struct players *players, struct lobby *lobby,
                        struct cause *cause)
{
    struct query *query =
        database_query(store->database, "SELECT (SELECT max(id) FROM player),"
                                        " (SELECT CAST(substr(name, 7) AS INTEGER) FROM player"
                                        " WHERE kind = 'guest' AND substr(name, 1, 6) = 'guest-'"
                                        " ORDER BY id DESC LIMIT 1),"
                                        " (SELECT max(n) FROM (SELECT max(number) AS n FROM match"
                                        " UNION ALL SELECT opened FROM counter)),"
                                        " (SELECT max(n) FROM (SELECT max(ended) AS n FROM match"
                                        " UNION ALL SELECT ended FROM counter))");

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

    if (broken != NULL)
        store_log_broken(stored, broken);
    if (stored->match.game == NULL) {
        loading->lobby->broken++;
        return true;
    }
    struct table *table = lobby_draft_stored(loading->lobby, stored);
    if (broken == NULL)
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
    if (stored->creator != NULL && broken == NULL)
        lobby_set_creator(table, find_player(loading, stored->creator));
    lobby_add(loading->lobby, table);
    return true;
}

bool store_load(struct keeper *keeper, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause)
{
    struct store *store = (struct store *)keeper;
    struct loading loading = {.players = players, .lobby = lobby, .now_ms = now_ms};

    if (!store_fold(store))
        return cause_set(cause, "cannot fold the journal: %.120s", database_error(store->database));
    return remove_forgotten(store, players->named_max, cause) &&
           load_players(store, players, cause) && load_ratings(store, players, cause) &&
           load_counts(store, players, lobby, cause) &&
           store_visit(store, "WHERE m.ended IS NULL ORDER BY m.number", SQL_NULL, load_match,
                       &loading, cause) &&
           store_visit(store,
                       "WHERE m.ended >= (SELECT min(ended) FROM (SELECT ended FROM match"
                       " WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT ?)) ORDER BY m.ended",
                       SQL_INTEGER(lobby->finished_max), load_match, &loading, cause) &&
           store_load_tournaments(store, players, lobby, cause);
}
