/* Reads the store into memory as the server starts. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "server/base/log.h"
#include "store.h"

/* Reads all players but guests, who come with their matches. */
static bool load_players(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query =
        database_query(store->database,
                       "SELECT id, name, kind, bot, token_hash, seen_s, display, looks,"
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
        struct value values[PLAYER_COLUMNS];
        struct identity identity;
        int64_t id;
        for (int i = 0; i < PLAYER_COLUMNS; i++)
            values[i] = query_value(query, i);
        if (!record_read_player(values, &id, &identity, cause)) {
            query_free(query);
            return false;
        }
        struct player *player = players_add_stored(players, id, identity.kind, identity.name);
        player_set(player, identity.bot, false);
        player->seen_s = identity.seen_s;
        memcpy(player->token_hash, identity.token_hash, sizeof player->token_hash);
        player_set_display(player, identity.display, identity.looks);
        if (query_integer(query, PLAYER_COLUMNS) != 0)
            player_mark_played(player);
    }
    return store_finish(store, query, cause);
}

bool store_visit_tokens(struct store *store, token_visit *visit, void *context, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT player, number, hash, label, since_s FROM token WHERE player IN"
                         " (SELECT id FROM player WHERE kind = 'named') ORDER BY player, number");
    bool goes_on = true;

    while (goes_on && query_next(query)) {
        struct value hash = query_value(query, 2);
        struct token token = {.number = (int)query_integer(query, 1),
                              .since_s = (time_t)query_integer(query, 4)};
        memcpy(token.hash, hash.bytes, sizeof token.hash);
        snprintf(token.label, sizeof token.label, "%s", query_text(query, 3));
        utf8_clean(token.label);
        goes_on = visit(context, query_integer(query, 0), &token);
    }
    return store_finish(store, query, cause);
}

static bool add_token(void *context, int64_t id, const struct token *token)
{
    struct player *player = players_find_id(context, id);

    if (player != NULL && player->kind == PLAYER_NAMED) /* else another has replaced them */
        player_add_token(player, token);
    return true;
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

static bool set_pragma(struct store *store, const char *pragma, struct cause *cause)
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

/* Removes the tokens of players who are gone, or who have lost their name. */
static bool remove_of_nobody(struct store *store, struct cause *cause)
{
    struct query *query = database_query(
        store->database,
        "DELETE FROM token WHERE player NOT IN (SELECT id FROM player WHERE kind = 'named')");

    query_run(query);
    return store_finish(store, query, cause);
}

/* Notes the highest id, which may be that of somebody who is forgotten: nobody else gets it. */
static bool note_ids(struct store *store, struct cause *cause)
{
    struct query *query = database_query(
        store->database,
        "UPDATE counter SET player = max(player, (SELECT coalesce(max(id), 0) FROM player))");

    query_run(query);
    return store_finish(store, query, cause);
}

static bool remove_forgotten(struct store *store, int names_max, struct cause *cause)
{
    /* SQLite would look through all matches for each player that goes. */
    return note_ids(store, cause) && set_pragma(store, "PRAGMA foreign_keys = OFF", cause) &&
           remove_players(store, names_max, cause) && remove_of_nobody(store, cause) &&
           set_pragma(store, "PRAGMA foreign_keys = ON", cause) && note_guests(store, cause);
}

/* Continues ids and the numbers of guests and matches. The latest guest has the highest number. */
static bool load_counts(struct store *store, struct players *players, struct lobby *lobby,
                        struct cause *cause)
{
    struct query *query =
        database_query(store->database, "SELECT (SELECT player FROM counter),"
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
    return store_finish(store, query, cause) && record_counts_on(players->last_id, cause) &&
           record_counts_on(lobby->opened, cause) && record_counts_on(lobby->ended, cause);
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
        const char *game_name = query_text(query, 1);
        char name[NAME_TEXT_MAX], variant[VARIANT_NAME_MAX];
        record_word(name, sizeof name, query_text(query, 0));
        record_word(variant, sizeof variant, query_text(query, 2));
        struct player *player = players_find(players, name);
        const struct game *game = game_find(game_name, strlen(game_name));
        if (player == NULL || game == NULL) {
            good = cause_set(cause, "invalid rating of %.32s in %.32s", name, game_name);
            break;
        }
        struct rating *rating = rating_find_or_add(&player->ratings, game, variant);
        rating->now = glicko_sane(
            (struct glicko){query_real(query, 3), query_real(query, 4), query_real(query, 5)});
        rating->matches = (int)query_integer(query, 6);
    }
    return store_finish(store, query, good ? cause : &unread) && good;
}

/* Reads how the puzzles are rated, and then who has tried which. Those of other versions stay where
 * they are. */
static bool load_puzzles(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT game, key, rating, deviation, volatility, attempts FROM puzzle");

    while (query_next(query)) {
        const char *name = query_text(query, PUZZLE_COLUMN_GAME);
        const struct game *game = game_find(name, strlen(name));
        struct rated_puzzle *puzzle =
            rated_puzzle_find_key(&players->puzzles, game, query_integer(query, PUZZLE_COLUMN_KEY));
        if (puzzle != NULL)
            rated_puzzle_set(puzzle,
                             (struct glicko){query_real(query, PUZZLE_COLUMN_RATING),
                                             query_real(query, PUZZLE_COLUMN_DEVIATION),
                                             query_real(query, PUZZLE_COLUMN_VOLATILITY)},
                             (int)query_integer(query, PUZZLE_COLUMN_ATTEMPTS));
    }
    return store_finish(store, query, cause);
}

static bool load_attempts(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(store->database, "SELECT player, game, key FROM attempt");

    while (query_next(query)) {
        const char *name = query_text(query, ATTEMPT_COLUMN_GAME);
        const struct game *game = game_find(name, strlen(name));
        struct player *player =
            players_find_id(players, query_integer(query, ATTEMPT_COLUMN_PLAYER));
        const struct rated_puzzle *puzzle = rated_puzzle_find_key(
            &players->puzzles, game, query_integer(query, ATTEMPT_COLUMN_KEY));
        if (player != NULL && puzzle != NULL)
            rating_note_tried(rating_find_or_add(&player->ratings, game, VARIANT_PUZZLES),
                              puzzle->number);
    }
    return store_finish(store, query, cause);
}

struct loading {
    struct players *players;
    struct lobby *lobby;
    int64_t now_ms;
};

/* Returns the player of that name, who is added if the registry has none. */
static struct player *find_or_add_player(struct players *players, int64_t id, enum player_kind kind,
                                         const char *name)
{
    struct player *player = players_find(players, name);

    return player != NULL ? player : players_add_stored(players, id, kind, name);
}

static struct player *load_person(struct loading *loading, const struct player *person)
{
    return find_or_add_player(loading->players, person->id, person->kind, person->name);
}

static bool load_match(void *context, struct table *stored, const struct cause *broken)
{
    struct loading *loading = context;

    if (broken != NULL)
        record_log_broken(stored->number, broken);
    if (stored->match.game == NULL) {
        loading->lobby->broken++;
        loading->lobby->private_broken += stored->is_private;
        return true;
    }
    struct table *table = lobby_draft_stored(loading->lobby, stored);
    if (broken == NULL)
        match_resume(&table->match, loading->now_ms);
    for (int color = WHITE; color <= BLACK; color++) {
        const struct seat *seat = &stored->seats[color];
        if (seat->player == NULL)
            continue;
        struct player *player = load_person(loading, seat->player);
        table_set_seat(table, color, player, seat->joined);
        table->seats[color].was_open = seat->was_open;
        if (match_both_have_moved(&table->match)) /* the row may be older */
            player_mark_played(player);
    }
    if (stored->creator != NULL && broken == NULL)
        lobby_set_creator(table, load_person(loading, stored->creator));
    lobby_add(loading->lobby, table);
    return true;
}

/* Returns the player that a row names by name, id and kind, from this column on: one whose name
 * another has taken since is not there. */
static struct player *read_player(struct players *players, struct query *query, int column)
{
    char name[NAME_TEXT_MAX];

    record_word(name, sizeof name, query_text(query, column));
    return find_or_add_player(players, query_integer(query, column + 1),
                              record_kind(query_text(query, column + 2)), name);
}

/* A number of a tournament as memory has it; one that is too high for that fits nothing there. */
static int query_int(struct query *query, int column)
{
    int64_t number = query_integer(query, column);

    return number >= INT_MIN && number <= INT_MAX ? (int)number : INT_MIN;
}

/* Reads what is not checked by the schema. */
static bool read_plan(struct query *query, struct tournament_plan *plan, struct cause *cause)
{
    const char *game = query_text(query, 2);

    *plan = (struct tournament_plan){.game = game_find(game, strlen(game)),
                                     .rounds = query_int(query, 5),
                                     .cycles = query_int(query, 6),
                                     .minutes = query_int(query, 7),
                                     .casual = query_integer(query, 11) == 0,
                                     .created_s = query_integer(query, 13),
                                     .starts_s = query_integer(query, 14)};
    const struct clock clock = {.base_ms = query_integer(query, 8),
                                .increment_ms = query_integer(query, 9)};
    plan->clock = clock_fresh(&clock);
    record_word(plan->name, sizeof plan->name, query_text(query, 1));
    snprintf(plan->code, sizeof plan->code, "%s", query_text(query, 20));
    snprintf(plan->series, sizeof plan->series, "%s", query_text(query, 22));
    const char *openings = query_text(query, 21);
    if (plan->game == NULL)
        return cause_set(cause, "unknown game '%.32s'", game);
    if (openings[0] != '\0' && !openings_parse_kept(openings, plan))
        return cause_set(cause, "invalid openings '%.32s'", openings);
    if (!contest_format_parse(query_text(query, 4), &plan->format))
        return cause_set(cause, "invalid format '%.32s'", query_text(query, 4));
    if (!bots_wanted_parse(query_text(query, 10), &plan->bots))
        return cause_set(cause, "invalid bots '%.32s'", query_text(query, 10));
    return plan->game->start(query_text(query, 3), &plan->start, cause);
}

/* Called with the number of a tournament that cannot go on, and why. */
typedef void tournament_fault(void *context, int64_t number, const struct cause *fault);

/* Whom to tell of those that cannot go on. */
struct fault_hearer {
    tournament_fault *tell;
    void *context;
};

/* Reads the tournaments that `where` selects by a value, without their people and pairings. */
static bool load_tournament_rows(struct store *store, const char *where, int64_t value,
                                 struct players *players, struct tournaments *tournaments,
                                 const struct fault_hearer *hearer, struct cause *cause)
{
    struct tournament_plan plan;
    struct cause fault;
    char sql[800];

    snprintf(sql, sizeof sql,
             "SELECT number, t.name, game, variant, format, rounds, cycles, minutes, base_ms,"
             " increment_ms, bots, rated, status, created_s, starts_s, started_s, ended_s,"
             " p.name, p.id, p.kind, code, openings, series FROM tournament AS t"
             " LEFT JOIN player AS p ON p.id = director WHERE %s",
             where);
    struct query *query = database_query(store->database, sql);
    QUERY_BIND(query, SQL_INTEGER(value));
    while (query_next(query)) {
        enum tournament_status status;
        bool good = read_plan(query, &plan, &fault);
        if (good && query_integer(query, 18) == 0)
            good = cause_set(&fault, "its director is missing");
        if (good && !tournament_status_parse(query_text(query, 12), &status))
            good = cause_set(&fault, "invalid status '%.32s'", query_text(query, 12));
        if (!good) {
            hearer->tell(hearer->context, query_integer(query, 0), &fault);
            continue;
        }
        plan.director = read_player(players, query, 17);
        struct tournament *tournament = tournament_new(tournaments, &plan, query_integer(query, 0));
        tournament->status = status;
        tournament->started_s = query_integer(query, 15);
        tournament->ended_s = query_integer(query, 16);
        tournament->due = true;
        tournaments_add(tournaments, tournament);
    }
    tournaments->due = true;
    return store_finish(store, query, cause);
}

static bool load_entrants(struct store *store, struct players *players,
                          struct tournament *tournament, struct cause *fault, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT rating, gone, p.name, p.id, p.kind, number FROM entrant AS e"
                         " LEFT JOIN player AS p ON p.id = e.player WHERE tournament = ?"
                         " ORDER BY number");

    QUERY_BIND(query, SQL_INTEGER(tournament->number));
    while (query_next(query)) {
        int count = tournament->contest.entrant_count;
        if (query_integer(query, 3) == 0 || query_integer(query, 5) != count) {
            cause_set(fault, "player %d is missing", count + 1);
            break;
        }
        tournament_add_entrant(tournament, read_player(players, query, 2), query_real(query, 0),
                               query_integer(query, 1) != 0);
    }
    return store_finish(store, query, cause);
}

static bool load_barred(struct store *store, struct tournament *tournament, struct cause *cause)
{
    struct query *query = /* whoever is forgotten never comes back */
        database_query(store->database, "SELECT player FROM barred WHERE tournament = ?"
                                        " AND player IN (SELECT id FROM player)");

    QUERY_BIND(query, SQL_INTEGER(tournament->number));
    while (query_next(query))
        tournament_bar(tournament, query_integer(query, 0));
    return store_finish(store, query, cause);
}

/* A pairing whose match is not there any more, or is over without it, is void. */
static void check_pairing(struct lobby *lobby, struct tournament *tournament, int pairing)
{
    char id[TABLE_ID_MAX];

    snprintf(id, sizeof id, "%" PRId64, tournament->matches[pairing]);
    const struct table *table = lobby_find(lobby, id);
    if (table != NULL && table->match.status != MATCH_OVER)
        return;
    log_line(LOG_ERROR, "event=tournament-match-missing tournament=%s match=%s", tournament->id,
             id);
    contest_score(&tournament->contest, pairing, PAIRING_VOID);
}

static bool load_pairings(struct store *store, struct tournament *tournament, struct cause *fault,
                          struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT round, white, black, walkover, result, match, number FROM pairing"
                         " WHERE tournament = ? ORDER BY number");

    QUERY_BIND(query, SQL_INTEGER(tournament->number));
    while (query_next(query)) {
        int count = tournament->contest.pairings.count;
        struct contest_pairing pairing = {.round = query_int(query, 0),
                                          .white = query_int(query, 1),
                                          .black = query_int(query, 2),
                                          .walkover = query_integer(query, 3) != 0,
                                          .result = (enum pairing_result)query_integer(query, 4)};
        if (query_integer(query, 6) != count || count == 2 * PAIRINGS_MAX) {
            cause_set(fault, "pairing %d is missing, or there is one too many", count + 1);
            break;
        }
        tournament_add_pairing(tournament, pairing, query_integer(query, 5));
    }
    return store_finish(store, query, cause);
}

/* Reads who takes part in a tournament, and its pairings. One that cannot go on is removed. */
static bool load_contest(struct store *store, struct players *players,
                         struct tournaments *tournaments, struct tournament *tournament,
                         const struct fault_hearer *hearer, struct cause *cause)
{
    struct cause fault = {.text = ""};

    if (!load_entrants(store, players, tournament, &fault, cause) ||
        !load_barred(store, tournament, cause) || !load_pairings(store, tournament, &fault, cause))
        return false;
    if (fault.text[0] != '\0' || !record_tournament_is_sound(tournament, &fault)) {
        hearer->tell(hearer->context, tournament->number, &fault);
        tournaments_remove(tournaments, tournament);
    }
    return true;
}

/* The matches of such a tournament go on without it, and its rows stay as they are. */
static void leave_out(void *context, int64_t number, const struct cause *fault)
{
    struct tournaments *tournaments = context;

    if (tournaments->last < number)
        tournaments->last = number;
    log_line(LOG_ERROR, "event=tournament-broken tournament=t%" PRId64 " error=%s", number,
             log_quote(fault->text).text);
}

/* Reads the tournaments, once players and matches are in memory: those that are not over, and the
 * latest of the others. */
static bool load_tournaments(struct store *store, struct players *players, struct lobby *lobby,
                             struct cause *cause)
{
    struct tournaments *tournaments = &lobby->tournaments;
    const struct fault_hearer hearer = {leave_out, tournaments};
    struct tournament *tournament, *next;

    if (!load_tournament_rows(store,
                              "status NOT IN ('over', 'aborted') OR number IN (SELECT number"
                              " FROM tournament WHERE status IN ('over', 'aborted')"
                              " ORDER BY number DESC LIMIT ?) ORDER BY number",
                              TOURNAMENTS_OVER_MAX, players, tournaments, &hearer, cause))
        return false;
    for (tournament = TAILQ_FIRST(&tournaments->list); tournament != NULL; tournament = next) {
        next = TAILQ_NEXT(tournament, link);
        if (!load_contest(store, players, tournaments, tournament, &hearer, cause))
            return false;
    }
    TAILQ_FOREACH (tournament, &tournaments->list, link) {
        const struct contest *contest = &tournament->contest;
        if (tournament_is_over(tournament))
            continue; /* its last matches counted no more */
        for (int i = 0; i < contest->pairings.count; i++)
            if (contest->pairings.rows[i].result == PAIRING_OPEN && tournament->matches[i] != 0)
                check_pairing(lobby, tournament, i);
    }
    return record_counts_on(tournaments->last, cause);
}

/* As check_pairing(), where no match is in memory. */
static bool check_pairings(struct store *store, struct tournament *tournament, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT p.number FROM pairing AS p LEFT JOIN match AS m"
                         " ON m.number = p.match AND m.ended IS NULL WHERE p.tournament = ?"
                         " AND p.result = ? AND p.match IS NOT NULL AND m.number IS NULL");

    QUERY_BIND(query, SQL_INTEGER(tournament->number), SQL_INTEGER(PAIRING_OPEN));
    while (!tournament_is_over(tournament) && query_next(query))
        contest_score(&tournament->contest, (int)query_integer(query, 0), PAIRING_VOID);
    return store_finish(store, query, cause);
}

static void keep_fault(void *context, int64_t number, const struct cause *fault)
{
    cause_set(context, "tournament t%" PRId64 ": %s", number, fault->text);
}

/* Finds the first tournament behind a number; 0: there is none. */
static bool find_after(struct store *store, int64_t *number, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT coalesce(min(number), 0) FROM tournament WHERE number > ?");

    QUERY_BIND(query, SQL_INTEGER(*number));
    *number = query_next(query) ? query_integer(query, 0) : 0;
    return store_finish(store, query, cause);
}

bool store_visit_tournaments(struct store *store, tournament_visit *visit, void *context,
                             struct cause *cause)
{
    struct cause fault;
    const struct fault_hearer hearer = {keep_fault, &fault};
    struct tournaments one;
    struct players players;
    int64_t number = 0;
    bool goes_on = true, good = find_after(store, &number, cause);

    players_init(&players, 0);
    while (good && goes_on && number != 0) {
        fault.text[0] = '\0';
        tournaments_init(&one);
        good = load_tournament_rows(store, "number = ?", number, &players, &one, &hearer, cause);
        struct tournament *tournament = TAILQ_FIRST(&one.list);
        if (good && tournament != NULL)
            good = load_contest(store, &players, &one, tournament, &hearer, cause);
        tournament = TAILQ_FIRST(&one.list);
        if (good && tournament != NULL)
            good = check_pairings(store, tournament, cause);
        goes_on = good && visit(context, tournament, tournament == NULL ? &fault : NULL);
        tournaments_release(&one);
        good = good && find_after(store, &number, cause);
    }
    players_release(&players);
    return good;
}

bool store_load(struct keeper *keeper, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause)
{
    struct store *store = (struct store *)keeper;
    struct loading loading = {.players = players, .lobby = lobby, .now_ms = now_ms};

    if (!store_fold(store))
        return cause_set(cause, "cannot fold the journal: %.120s", database_error(store->database));
    return remove_forgotten(store, players->named_max, cause) &&
           load_players(store, players, cause) &&
           store_visit_tokens(store, add_token, players, cause) &&
           load_ratings(store, players, cause) && load_puzzles(store, players, cause) &&
           load_attempts(store, players, cause) && load_counts(store, players, lobby, cause) &&
           store_visit(store, "WHERE m.ended IS NULL ORDER BY m.number", SQL_NULL, load_match,
                       &loading, cause) &&
           store_visit(store,
                       "WHERE m.ended >= (SELECT min(ended) FROM (SELECT ended FROM match"
                       " WHERE ended IS NOT NULL ORDER BY ended DESC LIMIT ?)) ORDER BY m.ended",
                       SQL_INTEGER(lobby->finished_max), load_match, &loading, cause) &&
           load_tournaments(store, players, lobby, cause);
}
