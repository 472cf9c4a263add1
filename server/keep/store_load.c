/* Reading the store. Every match is played again by the rules, so that nothing is taken up that
 * they forbid. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/pgn.h"
#include "server/base/log.h"
#include "store.h"

static enum player_kind read_kind(const char *text)
{
    for (int kind = PLAYER_GUEST; kind <= PLAYER_HOUSE; kind++)
        if (strcmp(text, player_kind_text(kind)) == 0)
            return kind;
    return PLAYER_GUEST;
}

/* Guests matter only for the matches that are loaded; but no later guest may get their names. */
static bool load_players(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT id, name, kind, bot, token_hash, seen_s,"
                         " EXISTS (SELECT 1 FROM match WHERE white = player.id AND plies >= 2)"
                         " OR EXISTS (SELECT 1 FROM match WHERE black = player.id AND plies >= 2)"
                         " FROM player WHERE kind <> 'guest' ORDER BY seen_s, id");

    while (query != NULL && query_next(query)) {
        enum player_kind kind = read_kind(query_text(query, 2));
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

/* Removes the rows of players whom no match knows, but for those who were here last. */
static bool remove_forgotten(struct store *store, int names_max, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "DELETE FROM player WHERE kind <> 'house' AND id NOT IN"
                         " (SELECT white FROM match WHERE white IS NOT NULL"
                         " UNION SELECT black FROM match WHERE black IS NOT NULL"
                         " UNION SELECT creator FROM match WHERE creator IS NOT NULL"
                         " UNION SELECT * FROM (SELECT id FROM player WHERE kind = 'named'"
                         " ORDER BY seen_s DESC, id DESC LIMIT ?))");

    if (query != NULL) {
        query_bind_integer(query, names_max);
        query_run(query);
    }
    return store_finish(store, query, cause);
}

/* Names of guests and ids go on where they were. */
static bool load_counts(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT max(id), max(CASE kind WHEN 'guest' THEN"
                         " CAST(substr(name, 7) AS INTEGER) ELSE 0 END) FROM player");

    if (query != NULL && query_next(query)) {
        players->last_id = query_integer(query, 0);
        players->guests = (uint64_t)query_integer(query, 1);
    }
    return store_finish(store, query, cause) && store_counts_on(players->last_id, cause);
}

static bool load_ratings(struct store *store, struct players *players, struct cause *cause)
{
    struct query *query = database_query(
        store->database, "SELECT name, game, variant, rating, deviation, volatility, matches"
                         " FROM rating JOIN player ON player.id = rating.player"
                         " ORDER BY player, matches DESC");
    bool good = true;

    while (good && query != NULL && query_next(query)) {
        const char *name = query_text(query, 1);
        struct player *player = players_find(players, query_text(query, 0));
        const struct game *game = game_find(name, strlen(name));
        struct rating *rating =
            player != NULL && game != NULL
                ? rating_find_or_add(&player->ratings, game, query_text(query, 2))
                : NULL;
        if (rating == NULL) {
            good = cause_set(cause, "invalid rating of %.32s in %.32s", query_text(query, 0), name);
            break;
        }
        rating->now = glicko_sane(
            (struct glicko){query_real(query, 3), query_real(query, 4), query_real(query, 5)});
        rating->matches = (int)query_integer(query, 6);
    }
    if (good)
        return store_finish(store, query, cause);
    query_free(query);
    return false;
}

/* The columns of a match, in the order in which read_row() and those after it take them. */
#define MATCH_COLUMNS                                                                              \
    "SELECT m.number, m.id, m.private, m.started, m.opened_s, m.changed_s, m.ended,"               \
    " w.id, b.id, c.id, w.name, b.name, c.name, w.kind, b.kind, c.kind,"                           \
    " m.white_joined, m.black_joined,"                                                             \
    " m.game, m.variant, m.start, m.position, m.plies, m.status, m.result, m.reason, m.offers,"    \
    " m.base_ms, m.increment_ms, m.white_ms, m.black_ms, m.white_rating, m.black_rating"           \
    " FROM match AS m LEFT JOIN player AS w ON w.id = m.white"                                     \
    " LEFT JOIN player AS b ON b.id = m.black LEFT JOIN player AS c ON c.id = m.creator "

enum {
    NUMBER,
    ID,
    PRIVATE,
    STARTED,
    OPENED,
    CHANGED,
    ENDED,
    PERSON_ID,
    PERSON_NAME = PERSON_ID + PEOPLE,
    PERSON_KIND = PERSON_NAME + PEOPLE,
    JOINED = PERSON_KIND + PEOPLE,
    BLACK_JOINED,
    GAME,
    VARIANT,
    START,
    POSITION,
    PLIES,
    STATUS,
    RESULT,
    REASON,
    OFFERS,
    BASE,
    INCREMENT,
    TIME,
    BLACK_TIME,
    RATED,
    BLACK_RATED
};

/* A rating after a match; null is 0, it was not rated. */
static double read_rated(struct query *query, int column)
{
    double rating = query_real(query, column);

    return rating > 0 ? glicko_sane((struct glicko){.rating = rating}).rating : 0;
}

static void read_row(struct query *query, struct stored_match *stored)
{
    snprintf(stored->id, sizeof stored->id, "%s", query_text(query, ID));
    stored->number = query_integer(query, NUMBER);
    stored->ended = query_integer(query, ENDED);
    stored->is_private = query_integer(query, PRIVATE) != 0;
    stored->started = query_integer(query, STARTED) != 0;
    stored->date = query_integer(query, OPENED);
    stored->changed_s = query_integer(query, CHANGED);
    for (int i = 0; i < PEOPLE; i++) {
        struct stored_person *person = &stored->people[i];
        person->id = query_integer(query, PERSON_ID + i);
        snprintf(person->name, sizeof person->name, "%s", query_text(query, PERSON_NAME + i));
        person->kind = read_kind(query_text(query, PERSON_KIND + i));
    }
    for (int color = WHITE; color <= BLACK; color++) {
        stored->joined[color] = query_integer(query, JOINED + color) != 0;
        stored->rated[color] = read_rated(query, RATED + color);
    }
}

/* Sets up the match as it started. */
static bool read_start(struct query *query, struct match *match, struct cause *cause)
{
    const char *name = query_text(query, GAME);
    const struct game *game = game_find(name, strlen(name));
    struct position start;

    if (game == NULL)
        return cause_set(cause, "unknown game '%.32s'", name);
    if (!game->parse(query_text(query, VARIANT), query_text(query, START), &start, cause))
        return false;
    match_init(match, game, &start);
    return true;
}

/* Plays the moves that are stored. */
static bool replay(struct query *moves, struct stored_match *stored, int64_t now_ms,
                   struct cause *cause)
{
    struct match *match = &stored->match;
    bool good = true;

    query_bind_integer(moves, stored->number);
    while (good && query_next(moves)) {
        struct cause why = {.text = ""};
        enum status status =
            query_integer(moves, 0) != match->ply_count + 1
                ? STATUS_STALE_PLY
                : match_play_text(match, SEATS_BOTH, query_text(moves, 1), -1, now_ms, &why);
        if (status == STATUS_OK)
            match->plies[match->ply_count - 1].took_ms = (uint32_t)query_integer(moves, 2);
        else
            good = cause_set(cause, "move %d, '%.10s': %s", (int)query_integer(moves, 0),
                             query_text(moves, 1),
                             why.text[0] != '\0' ? why.text : status_sentence(status));
    }
    if (query_failed(moves)) {
        stored->unread = true;
        good = cause_set(cause, "cannot read the moves");
    }
    query_finish(moves);
    return good;
}

/* Ends the match as the store has it, unless its moves have ended it just so. */
static bool read_end(struct query *query, struct match *match, struct cause *cause)
{
    bool ended = match->status == MATCH_OVER;
    struct outcome outcome;

    if (strcmp(query_text(query, STATUS), "over") != 0)
        return !ended || cause_set(cause, "over by the rules, but not in the store");
    if (!pgn_outcome(query_text(query, RESULT), query_text(query, REASON), &outcome))
        return cause_set(cause, "invalid result '%.10s' by '%.32s'", query_text(query, RESULT),
                         query_text(query, REASON));
    if (ended &&
        (outcome.result != match->outcome.result || outcome.reason != match->outcome.reason))
        return cause_set(cause, "result is %s by %s, but the rules say %s by %s",
                         result_text(outcome.result), reason_text(outcome.reason),
                         result_text(match->outcome.result), reason_text(match->outcome.reason));
    if (!ended && outcome.reason < REASON_RESIGN)
        return cause_set(cause, "result is by %s, but the rules do not end it there",
                         reason_text(outcome.reason));
    if (!ended)
        match_end(match, outcome, 0);
    return true;
}

/* Compares what the moves have led to with what is stored of it. */
static bool compare(struct query *query, const struct match *match, struct cause *cause)
{
    char position[POSITION_TEXT_MAX];

    match->game->format(&match->position, position);
    if (query_integer(query, PLIES) != match->ply_count)
        return cause_set(cause, "%d moves stored, but %d were played", match->ply_count,
                         (int)query_integer(query, PLIES));
    if (strcmp(position, query_text(query, POSITION)) != 0)
        return cause_set(cause, "the moves lead to %.80s, but %.80s is stored", position,
                         query_text(query, POSITION));
    return strcmp(query_text(query, STATUS), match_status_text(match->status)) == 0 ||
           cause_set(cause, "the moves make it %s, but it is stored as %.20s",
                     match_status_text(match->status), query_text(query, STATUS));
}

static void read_offers(struct query *query, struct match *match)
{
    int64_t bits = query_integer(query, OFFERS);

    for (int what = 0; what < OFFER_KINDS; what++)
        for (int color = WHITE; color <= BLACK; color++)
            match->offers[what][color] = bits >> (2 * what + color) & 1;
}

/* The clock stands, as it was at its last change. */
static void read_clock(struct query *query, struct clock *clock)
{
    *clock =
        (struct clock){.base_ms = query_integer(query, BASE), /* null is 0: none */
                       .increment_ms = query_integer(query, INCREMENT),
                       .left_ms = {query_integer(query, TIME), query_integer(query, BLACK_TIME)}};
}

/* Reads the match of the present row. */
static bool read_match(struct query *query, struct query *moves, struct stored_match *stored,
                       int64_t now_ms, struct cause *cause)
{
    struct match *match = &stored->match;

    if (!read_start(query, match, cause))
        return false;
    if (stored->started)
        match_start(match, now_ms);
    if (!replay(moves, stored, now_ms, cause) || !read_end(query, match, cause) ||
        !compare(query, match, cause))
        return false;
    read_offers(query, match);
    read_clock(query, &match->clock);
    return store_is_sound(stored, cause);
}

/* Visits what a query of MATCH_COLUMNS gives, once its parameters are bound. */
static bool visit_matches(struct store *store, struct query *query, match_visit *visit,
                          void *context, struct cause *cause)
{
    struct query *moves = database_query(
        store->database, "SELECT ply, move, took_ms FROM move WHERE match = ? ORDER BY ply");
    bool goes_on = query != NULL && moves != NULL;

    while (goes_on && query_next(query)) {
        struct stored_match stored = {.number = 0};
        struct cause broken;
        read_row(query, &stored);
        bool good = read_match(query, moves, &stored, 0, &broken);
        if (query_failed(query)) {
            stored.unread = true;
            good = cause_set(&broken, "cannot read the store: %.100s", store_error(store));
        }
        goes_on = visit(context, &stored, good ? NULL : &broken);
        match_release(&stored.match);
    }
    bool good = store_finish(store, moves, cause);
    return store_finish(store, query, cause) && good;
}

bool store_visit_unfinished(struct store *store, match_visit *visit, void *context,
                            struct cause *cause)
{
    return visit_matches(
        store,
        database_query(store->database, MATCH_COLUMNS "WHERE m.status <> 'over' ORDER BY m.number"),
        visit, context, cause);
}

bool store_visit_finished(struct store *store, int count, match_visit *visit, void *context,
                          struct cause *cause)
{
    struct query *query = database_query(
        store->database, MATCH_COLUMNS
        "WHERE m.ended >= (SELECT min(ended) FROM (SELECT ended FROM match WHERE ended IS NOT NULL"
        " ORDER BY ended DESC LIMIT ?)) ORDER BY m.ended");

    if (query != NULL)
        query_bind_integer(query, count);
    return visit_matches(store, query, visit, context, cause);
}

bool store_visit_all(struct store *store, match_visit *visit, void *context, struct cause *cause)
{
    return visit_matches(store, database_query(store->database, MATCH_COLUMNS "ORDER BY m.number"),
                         visit, context, cause);
}

bool store_visit_one(struct store *store, const char *id, match_visit *visit, void *context,
                     struct cause *cause)
{
    struct query *query = database_query(store->database, MATCH_COLUMNS "WHERE m.id = ?");

    if (query != NULL)
        query_bind_text(query, id);
    return visit_matches(store, query, visit, context, cause);
}

void store_log_broken(const struct stored_match *stored, const struct cause *broken)
{
    log_line(LOG_ERROR, "event=broken-match number=%" PRId64 " error=%s", stored->number,
             log_quote(broken->text).text);
}

struct loading {
    struct players *players;
    struct lobby *lobby;
    int64_t now_ms;
    struct cause *cause;
    bool failed;
};

/* The player who is meant; guests are added now. NULL: nobody. */
static struct player *find_player(struct loading *loading, const struct stored_person *person)
{
    if (person->id == 0)
        return NULL;
    struct player *player = players_find(loading->players, person->name);
    if (player == NULL)
        player = players_add_stored(loading->players, person->id, person->kind, person->name);
    return player;
}

static bool load_match(void *context, struct stored_match *stored, const struct cause *broken)
{
    struct loading *loading = context;

    if (broken != NULL && !stored->unread) {
        store_log_broken(stored, broken);
        return true;
    }
    loading->failed = broken != NULL;
    if (broken != NULL)
        return cause_set(loading->cause, "match number %" PRId64 ": %.120s", stored->number,
                         broken->text);
    struct table *table = lobby_draft_stored(loading->lobby, stored->id, stored->number);
    table->match = stored->match;
    stored->match.plies = NULL;
    match_resume(&table->match, loading->now_ms);
    table->is_private = stored->is_private;
    table->started = stored->started;
    table->ended = stored->ended;
    table->date = stored->date;
    table->changed_s = stored->changed_s;
    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = find_player(loading, &stored->people[color]);
        table->rated[color] = stored->rated[color];
        if (player != NULL)
            table_set_seat(table, color, player, stored->joined[color]);
    }
    struct player *creator = find_player(loading, &stored->people[CREATOR]);
    if (creator != NULL)
        lobby_set_creator(table, creator);
    lobby_add(loading->lobby, table);
    return true;
}

/* Matches are counted on from where they were. */
static bool load_lobby_counts(struct store *store, struct lobby *lobby, struct cause *cause)
{
    struct query *query =
        database_query(store->database, "SELECT max(number), max(ended) FROM match");

    if (query != NULL && query_next(query)) {
        lobby->opened = query_integer(query, 0);
        lobby->ended = query_integer(query, 1);
    }
    return store_finish(store, query, cause) && store_counts_on(lobby->opened, cause) &&
           store_counts_on(lobby->ended, cause);
}

bool store_load(struct store *store, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause)
{
    struct loading loading = {.players = players, .lobby = lobby, .now_ms = now_ms, .cause = cause};

    return remove_forgotten(store, players->named_max, cause) &&
           load_players(store, players, cause) && load_ratings(store, players, cause) &&
           load_counts(store, players, cause) && load_lobby_counts(store, lobby, cause) &&
           store_visit_unfinished(store, load_match, &loading, cause) && !loading.failed &&
           store_visit_finished(store, lobby->finished_max, load_match, &loading, cause) &&
           !loading.failed;
}

/* The finished matches in which ?1 had that colour and which ?2 may see: private ones are the
 * affair of those who played. Of those in which he had both only one. */
#define HISTORY_OF(color)                                                                          \
    " FROM match WHERE " color " = ?1 AND ended IS NOT NULL AND started = 1"                       \
    " AND (private = 0 OR white = ?2 OR black = ?2)"
#define HISTORY_WHITE HISTORY_OF("white")
#define HISTORY_BLACK HISTORY_OF("black") " AND white IS NOT ?1"

static struct query *ask_history(struct store *store, const char *sql, const struct player *player,
                                 const struct player *asker)
{
    struct query *query = database_query(store->database, sql);

    if (query == NULL)
        return NULL;
    query_bind_integer(query, player->id);
    query_bind_integer(query, asker->id);
    return query;
}

static bool read_history_row(struct query *query, struct history_row *row)
{
    const char *game = query_text(query, 1);

    *row = (struct history_row){.game = game_find(game, strlen(game)),
                                .date = query_integer(query, 7),
                                .plies = (int)query_integer(query, 8),
                                .rated = {read_rated(query, 9), read_rated(query, 10)},
                                .is_private = query_integer(query, 11) != 0};
    snprintf(row->id, sizeof row->id, "%s", query_text(query, 0));
    snprintf(row->variant, sizeof row->variant, "%s", query_text(query, 2));
    snprintf(row->names[WHITE], NAME_TEXT_MAX, "%s", query_text(query, 3));
    snprintf(row->names[BLACK], NAME_TEXT_MAX, "%s", query_text(query, 4));
    return row->game != NULL && store_is_date(row->date) &&
           pgn_outcome(query_text(query, 5), query_text(query, 6), &row->outcome);
}

int store_history(struct store *store, const struct player *player, const struct player *asker,
                  struct history_row *rows, int rows_max, int *total, struct cause *cause)
{
    struct query *query =
        ask_history(store,
                    "SELECT m.id, m.game, m.variant, (SELECT name FROM player WHERE id = m.white),"
                    " (SELECT name FROM player WHERE id = m.black), m.result, m.reason, m.opened_s,"
                    " m.plies, m.white_rating, m.black_rating, m.private"
                    " FROM match AS m WHERE m.number IN ("
                    "SELECT * FROM (SELECT number" HISTORY_WHITE " ORDER BY ended DESC LIMIT ?3)"
                    " UNION ALL "
                    "SELECT * FROM (SELECT number" HISTORY_BLACK " ORDER BY ended DESC LIMIT ?3))"
                    " ORDER BY m.ended DESC LIMIT ?3",
                    player, asker);
    int count = 0;

    if (query != NULL)
        query_bind_integer(query, rows_max);
    while (query != NULL && query_next(query))
        if (count < rows_max && read_history_row(query, &rows[count]))
            count++;
    if (!store_finish(store, query, cause))
        return -1;
    query = ask_history(store,
                        "SELECT (SELECT count(*)" HISTORY_WHITE ")"
                        " + (SELECT count(*)" HISTORY_BLACK ")",
                        player, asker);
    *total = query != NULL && query_next(query) ? (int)query_integer(query, 0) : 0;
    return store_finish(store, query, cause) ? count : -1;
}

bool store_write_players(struct store *store, FILE *file, long *count, struct cause *cause)
{
    struct query *query = database_query(
        store->database,
        "SELECT json_object('name', name, 'bot', json(iif(bot, 'true', 'false')), 'ratings',"
        " (SELECT json_group_array(json_object('game', game, 'variant', variant, 'rating', rating,"
        " 'deviation', deviation, 'volatility', volatility, 'matches', matches))"
        " FROM rating WHERE player = player.id)) FROM player WHERE kind <> 'guest' ORDER BY id");

    for (*count = 0; query != NULL && query_next(query); ++*count)
        fprintf(file, "%s\n", query_text(query, 0));
    return store_finish(store, query, cause);
}
