#include "store.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "server/base/folder.h"

enum { MARK = 0x4c756475 /* "Ludu" */ };

/*
 * The versions of the schema, each as the step from the one before. A released step never changes:
 * append a new one.
 *
 * `number` counts matches as they open, `ended` as they end. Times in _s are seconds since 1970,
 * those in _ms durations.
 */
static const char *const migrations[] = {
    "CREATE TABLE player ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE COLLATE NOCASE,"
    "  kind TEXT NOT NULL CHECK (kind IN ('guest', 'named', 'house')),"
    "  bot INTEGER NOT NULL CHECK (bot IN (0, 1)),"
    "  token_hash BLOB CHECK (length(token_hash) = 32)," /* BLAKE2b; the token is not stored */
    "  seen_s INTEGER NOT NULL,"
    "  CHECK ((kind = 'named') = (token_hash IS NOT NULL))"
    ") STRICT;"
    "CREATE TABLE match ("
    "  number INTEGER PRIMARY KEY CHECK (number > 0),"
    "  id TEXT NOT NULL UNIQUE,"
    "  private INTEGER NOT NULL CHECK (private IN (0, 1)),"
    "  game TEXT NOT NULL,"
    "  variant TEXT NOT NULL,"
    "  start TEXT NOT NULL,"
    "  position TEXT NOT NULL,"
    "  plies INTEGER NOT NULL CHECK (plies >= 0),"
    "  status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over')),"
    "  started INTEGER NOT NULL CHECK (started IN (0, 1)),"
    "  result TEXT NOT NULL CHECK (result IN ('*', '1-0', '0-1', '1/2-1/2')),"
    "  reason TEXT,"
    "  ended INTEGER UNIQUE,"
    "  white INTEGER REFERENCES player (id),"
    "  black INTEGER REFERENCES player (id),"
    "  white_joined INTEGER NOT NULL CHECK (white_joined IN (0, 1)),"
    "  black_joined INTEGER NOT NULL CHECK (black_joined IN (0, 1)),"
    "  creator INTEGER REFERENCES player (id),"
    "  opened_s INTEGER NOT NULL,"
    "  changed_s INTEGER NOT NULL,"
    "  offers INTEGER NOT NULL CHECK (offers BETWEEN 0 AND 63)," /* bits: 2 * kind + color */
    "  base_ms INTEGER CHECK (base_ms > 0),"
    "  increment_ms INTEGER CHECK (increment_ms >= 0),"
    "  white_ms INTEGER CHECK (white_ms >= 0),"
    "  black_ms INTEGER CHECK (black_ms >= 0),"
    "  white_rating REAL,"
    "  black_rating REAL,"
    "  CHECK ((status = 'over') = (reason IS NOT NULL)),"
    "  CHECK ((status = 'over') = (ended IS NOT NULL)),"
    "  CHECK (status = 'over' OR result = '*'),"
    "  CHECK (white_joined = 0 OR white IS NOT NULL),"
    "  CHECK (black_joined = 0 OR black IS NOT NULL),"
    "  CHECK ((base_ms IS NULL) = (increment_ms IS NULL)),"
    "  CHECK ((base_ms IS NULL) = (white_ms IS NULL)),"
    "  CHECK ((base_ms IS NULL) = (black_ms IS NULL))"
    ") STRICT;"
    "CREATE INDEX match_white ON match (white);"
    "CREATE INDEX match_black ON match (black);"
    "CREATE INDEX match_unfinished ON match (number) WHERE status <> 'over';"
    "CREATE TABLE move ("
    "  match INTEGER NOT NULL REFERENCES match (number),"
    "  ply INTEGER NOT NULL CHECK (ply > 0)," /* the first move makes ply 1 */
    "  move TEXT NOT NULL,"
    "  took_ms INTEGER NOT NULL CHECK (took_ms >= 0),"
    "  PRIMARY KEY (match, ply)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE rating ("
    "  player INTEGER NOT NULL REFERENCES player (id),"
    "  game TEXT NOT NULL,"
    "  variant TEXT NOT NULL,"
    "  rating REAL NOT NULL,"
    "  deviation REAL NOT NULL CHECK (deviation > 0),"
    "  volatility REAL NOT NULL CHECK (volatility > 0),"
    "  matches INTEGER NOT NULL CHECK (matches > 0),"
    "  PRIMARY KEY (player, game, variant)"
    ") STRICT, WITHOUT ROWID;",
    /* These cover `history`: the matches of a player by their end. */
    "DROP INDEX match_white;"
    "DROP INDEX match_black;"
    "CREATE INDEX match_white ON match (white, ended, started, private, black);"
    "CREATE INDEX match_black ON match (black, ended, started, private, white);",
    /* A move writes no row of `match`: that is a snapshot after `plies` moves. Those after it bring
     * what the snapshot lacks. */
    "ALTER TABLE move ADD played_s INTEGER;"
    "ALTER TABLE move ADD white_ms INTEGER CHECK (white_ms >= 0);"
    "ALTER TABLE move ADD black_ms INTEGER CHECK (black_ms >= 0);",
    /* The player and the key of `new once=KEY`. */
    "ALTER TABLE match ADD COLUMN once TEXT;",
    /* 0: opened with rated=no. */
    "ALTER TABLE match ADD COLUMN rated INTEGER NOT NULL DEFAULT 1 CHECK (rated IN (0, 1));",
    /* The word of `new code=WORD`; the ids of players who have lost a seat, separated by spaces;
     * and the seats that were open to anyone, as bits 1 << color. */
    "ALTER TABLE match ADD COLUMN code TEXT;"
    "ALTER TABLE match ADD COLUMN kicked TEXT;"
    "ALTER TABLE match ADD COLUMN was_open INTEGER NOT NULL DEFAULT 0"
    "  CHECK (was_open BETWEEN 0 AND 3);",
    /* The highest numbers of matches that are no longer in `match`. Retired matches are in the PGN
     * file of their month, whose number is such as 202611, which has so many bytes and matches;
     * and how many there are of each named player. */
    "CREATE TABLE counter (opened INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT;"
    "INSERT INTO counter VALUES (0, 0);"
    "CREATE TABLE retired (id TEXT PRIMARY KEY, month INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE retired_file (month INTEGER PRIMARY KEY, bytes INTEGER NOT NULL,"
    "  matches INTEGER NOT NULL) STRICT;"
    "CREATE TABLE retired_of (player INTEGER PRIMARY KEY REFERENCES player (id),"
    "  public INTEGER NOT NULL, private INTEGER NOT NULL) STRICT;",
    /* `number` counts tournaments as they open, within one entrants as they came and pairings as
     * they were made, from 0. `match` is null before it is opened. */
    "CREATE TABLE tournament ("
    "  number INTEGER PRIMARY KEY CHECK (number > 0),"
    "  name TEXT NOT NULL,"
    "  game TEXT NOT NULL,"
    "  variant TEXT NOT NULL,"
    "  format TEXT NOT NULL,"
    "  rounds INTEGER NOT NULL CHECK (rounds >= 0),"
    "  cycles INTEGER NOT NULL CHECK (cycles >= 0),"
    "  minutes INTEGER NOT NULL CHECK (minutes >= 0),"
    "  base_ms INTEGER NOT NULL CHECK (base_ms > 0),"
    "  increment_ms INTEGER NOT NULL CHECK (increment_ms >= 0),"
    "  bots TEXT NOT NULL CHECK (bots IN ('yes', 'no', 'only')),"
    "  rated INTEGER NOT NULL CHECK (rated IN (0, 1)),"
    "  director INTEGER NOT NULL REFERENCES player (id),"
    "  status TEXT NOT NULL CHECK (status IN ('open', 'running', 'paused', 'over', 'aborted')),"
    "  created_s INTEGER NOT NULL,"
    "  starts_s INTEGER NOT NULL,"
    "  started_s INTEGER NOT NULL,"
    "  ended_s INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE entrant ("
    "  tournament INTEGER NOT NULL REFERENCES tournament (number),"
    "  number INTEGER NOT NULL CHECK (number >= 0),"
    "  player INTEGER NOT NULL REFERENCES player (id),"
    "  rating REAL NOT NULL,"
    "  gone INTEGER NOT NULL CHECK (gone IN (0, 1)),"
    "  PRIMARY KEY (tournament, number)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE pairing ("
    "  tournament INTEGER NOT NULL REFERENCES tournament (number),"
    "  number INTEGER NOT NULL CHECK (number >= 0),"
    "  round INTEGER NOT NULL CHECK (round > 0),"
    "  white INTEGER NOT NULL CHECK (white >= 0),"
    "  black INTEGER NOT NULL CHECK (black >= -1)," /* -1: white has a bye */
    "  walkover INTEGER NOT NULL CHECK (walkover IN (0, 1)),"
    "  match INTEGER UNIQUE," /* its number, also when `match` has it no more */
    "  result INTEGER NOT NULL CHECK (result BETWEEN 0 AND 4)," /* as enum pairing_result */
    "  PRIMARY KEY (tournament, number)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX entrant_player ON entrant (player);",
    /* The player's judgement of a move, and the line they expected, with commas. */
    "ALTER TABLE move ADD COLUMN eval INTEGER CHECK (eval BETWEEN -30000 AND 30000);"
    "ALTER TABLE move ADD COLUMN pv TEXT;",
    /* SQLite builds a table in memory each time that it checks a value against a list of more than
     * two, which cost as much as all the rest of the row. What is stored stays as it is. */
    "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (kind IN (''guest'', ''named'', "
    "''house''))',"
    "  'CHECK (kind = ''guest'' OR kind = ''named'' OR kind = ''house'')') WHERE name = 'player';"
    "UPDATE sqlite_schema SET sql = replace(replace(sql,"
    "  'CHECK (status IN (''open'', ''playing'', ''over''))',"
    "  'CHECK (status = ''open'' OR status = ''playing'' OR status = ''over'')'),"
    "  'CHECK (result IN (''*'', ''1-0'', ''0-1'', ''1/2-1/2''))',"
    "  'CHECK (result = ''*'' OR result = ''1-0'' OR result = ''0-1'' OR result = ''1/2-1/2'')')"
    "  WHERE name = 'match';"
    "PRAGMA writable_schema = RESET;",
    /* Guests come with their matches, and are gone when the server starts anew. Those up to
     * `guests_seen`, but those up to `guests_retired`, have a finished match in the store. */
    "ALTER TABLE counter ADD COLUMN guests_seen INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE counter ADD COLUMN guests_retired INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX player_known ON player (seen_s, id) WHERE kind <> 'guest';",
    /* store_moves.c tells what is in them. A row for each move cost as much as all the rest. */
    "ALTER TABLE match ADD COLUMN moves TEXT NOT NULL DEFAULT '';"
    "UPDATE match SET moves = coalesce((SELECT group_concat(line, '') FROM (SELECT"
    "  move || ' ' || took_ms || ' ' || coalesce(played_s, 0) || ' ' || coalesce(o.white_ms, 0)"
    "  || ' ' || coalesce(o.black_ms, 0) || iif(eval IS NULL AND pv IS NULL, '',"
    "  ' ' || coalesce(eval, -32768) || ' ' || coalesce(pv, '-')) || char(10) AS line"
    "  FROM move AS o WHERE o.match = match.number ORDER BY ply)), '');"
    "DROP TABLE move;"
    "CREATE TABLE journal (id INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;",
    /* A match comes into them when it ends: each change of one that goes on cost pages of them. Its
     * `ended` is null, which has an index already. */
    "DROP INDEX match_unfinished;"
    "DROP INDEX match_white;"
    "DROP INDEX match_black;"
    "CREATE INDEX match_white ON match (white, ended, started, private, black)"
    "  WHERE ended IS NOT NULL;"
    "CREATE INDEX match_black ON match (black, ended, started, private, white)"
    "  WHERE ended IS NOT NULL;",
    NULL};

/* The columns of a snapshot, of which each write of a row has all: what loading replays from the
 * row begins with them. */
#define SNAPSHOT "position = ?, plies = ?, changed_s = ?, offers = ?, white_ms = ?, black_ms = ?"

/* The queries of a store, by their places in it. */
static const struct {
    size_t place;
    const char *sql;
} queries[] = {
    {offsetof(struct store, free_name),
     "UPDATE player SET name = '#' || id, kind = 'guest', token_hash = NULL"
     " WHERE name = ? AND id <> ?"},
    {offsetof(struct store, put_player),
     "INSERT INTO player (id, name, kind, bot, token_hash, seen_s) VALUES (?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind,"
     " bot = excluded.bot, token_hash = excluded.token_hash, seen_s = excluded.seen_s"},
    {offsetof(struct store, add_player),
     "INSERT INTO player (id, name, kind, bot, token_hash, seen_s) VALUES (?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (id) DO NOTHING"},
    {offsetof(struct store, add_match),
     "INSERT INTO match (position, plies, changed_s, offers, white_ms, black_ms, number, id,"
     " private, rated, game, variant, start, opened_s, status, started, result, reason, ended,"
     " white, black, white_joined, black_joined, creator, base_ms, increment_ms,"
     " white_rating, black_rating, once, code, kicked, was_open) VALUES"
     " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
     " ?, ?, ?)"},
    /* Naming a column costs, also if it stays as it is: in its indexes, and a reference in a
     * journal of the statement. */
    {offsetof(struct store, put_seats),
     "UPDATE match SET " SNAPSHOT ", status = ?, started = ?, white = ?, black = ?,"
     " white_joined = ?, black_joined = ?, kicked = ?, was_open = ? WHERE number = ?"},
    {offsetof(struct store, put_end),
     "UPDATE match SET " SNAPSHOT ", status = 'over', result = ?, reason = ?, ended = ?,"
     " white_rating = ?, black_rating = ?, moves = ? WHERE number = ?"},
    {offsetof(struct store, drop_creator), "UPDATE match SET creator = NULL WHERE number = ?"},
    {offsetof(struct store, put_play), "UPDATE match SET " SNAPSHOT " WHERE number = ?"},
    {offsetof(struct store, put_moves), "UPDATE match SET moves = ? WHERE number = ?"},
    {offsetof(struct store, add_moves), "UPDATE match SET moves = moves || ? WHERE number = ?"},
    {offsetof(struct store, read_going_on),
     "SELECT number FROM match WHERE ended IS NULL ORDER BY number"},
    {offsetof(struct store, add_lines), "INSERT INTO journal (lines) VALUES (?)"},
    {offsetof(struct store, read_lines), "SELECT lines FROM journal ORDER BY id"},
    {offsetof(struct store, drop_lines), "DELETE FROM journal"},
    {offsetof(struct store, put_rating),
     "INSERT INTO rating (player, game, variant, rating, deviation, volatility, matches)"
     " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (player, game, variant) DO UPDATE SET"
     " rating = excluded.rating, deviation = excluded.deviation,"
     " volatility = excluded.volatility, matches = excluded.matches"},
    {offsetof(struct store, put_tournament),
     "INSERT INTO tournament (number, name, game, variant, format, rounds, cycles, minutes,"
     " base_ms, increment_ms, bots, rated, director, status, created_s, starts_s, started_s,"
     " ended_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (number) DO UPDATE SET rounds = excluded.rounds, status = excluded.status,"
     " started_s = excluded.started_s, ended_s = excluded.ended_s"},
    {offsetof(struct store, drop_entrants), "DELETE FROM entrant WHERE tournament = ?"},
    {offsetof(struct store, put_entrant),
     "INSERT INTO entrant (tournament, number, player, rating, gone) VALUES (?, ?, ?, ?, ?)"
     " ON CONFLICT (tournament, number) DO UPDATE SET gone = excluded.gone"},
    {offsetof(struct store, put_pairing),
     "INSERT INTO pairing (tournament, number, round, white, black, walkover, match, result)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (tournament, number) DO UPDATE SET match = excluded.match,"
     " result = excluded.result"},
    {offsetof(struct store, drop_match), "DELETE FROM match WHERE number = ?"},
    {offsetof(struct store, count_dropped),
     "UPDATE counter SET opened = max(opened, ?), ended = max(ended, ?)"},
};

static bool prepare(struct store *store)
{
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        struct query **query = (struct query **)((char *)store + queries[i].place);
        *query = database_query(store->database, queries[i].sql);
        if (query_failed(*query))
            return false;
    }
    return true;
}

static struct store *open_file(const char *path, enum durability durability, bool *locked,
                               struct cause *cause)
{
    struct store *store = xcalloc(1, sizeof *store);

    snprintf(store->folder, sizeof store->folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    store->database = database_open(path, durability, MARK, migrations, locked, cause);
    if (store->database != NULL && prepare(store) && store_fold(store))
        return store;
    if (store->database != NULL)
        cause_set(cause, "%.100s: %.90s", path, database_error(store->database));
    database_close(store->database);
    buffer_release(&store->lines);
    free(store);
    return NULL;
}

static bool file_path(char path[FOLDER_TEXT_MAX], const char *folder, struct cause *cause)
{
    return snprintf(path, FOLDER_TEXT_MAX, "%s/ludus.db", folder) < FOLDER_TEXT_MAX ||
           cause_set(cause, "%.100s…: name too long", folder);
}

struct store *store_open(const char *folder, enum durability durability, bool *locked,
                         struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];

    if (!file_path(path, folder, cause) || !folder_make(folder, cause))
        return NULL;
    return open_file(path, durability, locked, cause);
}

struct store *store_open_existing(const char *folder, struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];
    struct stat found;

    if (!file_path(path, folder, cause))
        return NULL;
    if (access(path, R_OK | W_OK) != 0 || stat(path, &found) != 0) {
        cause_set(cause, "%.120s: %s", path, strerror(errno));
        return NULL;
    }
    if (found.st_size == 0) {
        cause_set(cause, "%.120s: empty file", path);
        return NULL;
    }
    return open_file(path, DURABILITY_POWER, NULL, cause);
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    store_fold(store); /* or when it is opened */
    buffer_release(&store->lines);
    database_close(store->database);
    free(store);
}

bool store_drop(struct store *store, int64_t number, int64_t ended)
{
    QUERY_BIND(store->count_dropped, SQL_INTEGER(number), SQL_INTEGER(ended));
    bool dropped = query_run(store->count_dropped);
    QUERY_BIND(store->drop_match, SQL_INTEGER(number));
    return dropped && query_run(store->drop_match);
}

bool store_finish(struct store *store, struct query *query, struct cause *cause)
{
    bool good = !query_failed(query);

    query_free(query);
    return good ||
           cause_set(cause, "cannot read the store: %.120s", database_error(store->database));
}

enum player_kind store_kind(const char *text)
{
    for (int kind = PLAYER_GUEST; kind <= PLAYER_HOUSE; kind++)
        if (strcmp(text, player_kind_text(kind)) == 0)
            return kind;
    return PLAYER_GUEST;
}

bool store_is_date(int64_t date_s)
{
    return date_s >= 0 && date_s <= INT64_C(253402300799); /* 9999-12-31T23:59:59Z */
}

bool store_counts_on(int64_t number, struct cause *cause)
{
    return number <= INT64_MAX / 2 ||
           cause_set(cause, "number %" PRId64 ": too high to continue from", number);
}

bool store_is_player(const char *name, int64_t id, int64_t seen_s, struct cause *cause)
{
    return store_counts_on(id, cause) &&
           (store_is_date(seen_s) || cause_set(cause, "%.32s: invalid last-seen time", name));
}
