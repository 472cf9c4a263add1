#include "store.h"

#include <stddef.h>

/*
 * A released step never changes: append a new one.
 *
 * `number` counts matches as they open, `ended` as they end. Times in _s are seconds since 1970,
 * those in _ms durations.
 *
 * SQLite builds a table in memory each time that it checks a value against a list of more than
 * two, which cost as much as all the rest of the row. Hence kind = 'a' OR kind = 'b'.
 */
const char *const sqlite_schema[] = {
    "CREATE TABLE player ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE COLLATE NOCASE,"
    "  kind TEXT NOT NULL CHECK (kind = 'guest' OR kind = 'named' OR kind = 'house'),"
    "  bot INTEGER NOT NULL CHECK (bot IN (0, 1)),"
    "  token_hash BLOB CHECK (length(token_hash) = 32)," /* BLAKE2b; the token is not stored */
    "  seen_s INTEGER NOT NULL,"
    "  CHECK ((kind = 'named') = (token_hash IS NOT NULL))"
    ") STRICT;"
    "CREATE INDEX player_known ON player (seen_s, id) WHERE kind <> 'guest';"
    /* A move writes no row of `match`: position, offers and clocks are those after `plies` moves.
     * The moves after them, in `moves` (store.c) and in the journal, bring what is newer. */
    "CREATE TABLE match ("
    "  number INTEGER PRIMARY KEY CHECK (number > 0),"
    "  id TEXT NOT NULL UNIQUE,"
    "  private INTEGER NOT NULL CHECK (private IN (0, 1)),"
    "  game TEXT NOT NULL,"
    "  variant TEXT NOT NULL,"
    "  start TEXT NOT NULL,"
    "  position TEXT NOT NULL,"
    "  plies INTEGER NOT NULL CHECK (plies >= 0),"
    "  status TEXT NOT NULL CHECK (status = 'open' OR status = 'playing' OR status = 'over'),"
    "  started INTEGER NOT NULL CHECK (started IN (0, 1)),"
    "  result TEXT NOT NULL"
    "    CHECK (result = '*' OR result = '1-0' OR result = '0-1' OR result = '1/2-1/2'),"
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
    "  once TEXT," /* the player and the key of `new once=KEY` */
    "  rated INTEGER NOT NULL DEFAULT 1 CHECK (rated IN (0, 1)),"
    "  code TEXT,"   /* the word of `new code=WORD` */
    "  kicked TEXT," /* ids of players who have lost a seat, each with a space behind it */
    "  was_open INTEGER NOT NULL DEFAULT 0 CHECK (was_open BETWEEN 0 AND 3)," /* 1 << color */
    "  moves TEXT NOT NULL DEFAULT '',"
    "  CHECK ((status = 'over') = (reason IS NOT NULL)),"
    "  CHECK ((status = 'over') = (ended IS NOT NULL)),"
    "  CHECK (status = 'over' OR result = '*'),"
    "  CHECK (white_joined = 0 OR white IS NOT NULL),"
    "  CHECK (black_joined = 0 OR black IS NOT NULL),"
    "  CHECK ((base_ms IS NULL) = (increment_ms IS NULL)),"
    "  CHECK ((base_ms IS NULL) = (white_ms IS NULL)),"
    "  CHECK ((base_ms IS NULL) = (black_ms IS NULL))"
    ") STRICT;"
    /* They cover `history`: the matches of a player by their end. A match comes into them when it
     * ends, as each change of one that goes on cost pages of them. */
    "CREATE INDEX match_white ON match (white, ended, started, private, black)"
    "  WHERE ended IS NOT NULL;"
    "CREATE INDEX match_black ON match (black, ended, started, private, white)"
    "  WHERE ended IS NOT NULL;"
    "CREATE TABLE journal (id INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;"
    "CREATE TABLE rating ("
    "  player INTEGER NOT NULL REFERENCES player (id),"
    "  game TEXT NOT NULL,"
    "  variant TEXT NOT NULL,"
    "  rating REAL NOT NULL,"
    "  deviation REAL NOT NULL CHECK (deviation > 0),"
    "  volatility REAL NOT NULL CHECK (volatility > 0),"
    "  matches INTEGER NOT NULL CHECK (matches > 0),"
    "  PRIMARY KEY (player, game, variant)"
    ") STRICT, WITHOUT ROWID;"
    /* The highest numbers of matches that are no longer in `match`. Guests come with their
     * matches, and are gone when the server starts anew: those up to `guests_seen`, but those up to
     * `guests_retired`, have a finished match in the store. */
    "CREATE TABLE counter ("
    "  opened INTEGER NOT NULL,"
    "  ended INTEGER NOT NULL,"
    "  guests_seen INTEGER NOT NULL DEFAULT 0,"
    "  guests_retired INTEGER NOT NULL DEFAULT 0"
    ") STRICT;"
    "INSERT INTO counter (opened, ended) VALUES (0, 0);"
    /* Retired matches are in the PGN file of their month (a number, such as 202611). The tables
     * have the size of each file, its number of matches, and that of each named player. */
    "CREATE TABLE retired (id TEXT PRIMARY KEY, month INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "CREATE TABLE retired_file (month INTEGER PRIMARY KEY, bytes INTEGER NOT NULL,"
    "  matches INTEGER NOT NULL) STRICT;"
    "CREATE TABLE retired_of (player INTEGER PRIMARY KEY REFERENCES player (id),"
    "  public INTEGER NOT NULL, private INTEGER NOT NULL) STRICT;"
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
    "CREATE INDEX entrant_player ON entrant (player);"
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
    ") STRICT, WITHOUT ROWID;",
    /* 14: a player without rows has one token, number 1, of which only player.token_hash is known.
     * The label is the client= that got the token. */
    "CREATE TABLE token ("
    "  player INTEGER NOT NULL REFERENCES player (id),"
    "  number INTEGER NOT NULL CHECK (number > 0),"
    "  hash BLOB NOT NULL CHECK (length(hash) = 32),"
    "  label TEXT NOT NULL,"
    "  since_s INTEGER NOT NULL," /* 0: unknown */
    "  PRIMARY KEY (player, number)"
    ") STRICT, WITHOUT ROWID;",
    /* 15: the word of `tournament new code=WORD`, and the ids of players whom a director has
     * removed, who may be forgotten. */
    "ALTER TABLE tournament ADD COLUMN code TEXT;"
    "CREATE TABLE barred ("
    "  tournament INTEGER NOT NULL REFERENCES tournament (number),"
    "  player INTEGER NOT NULL,"
    "  PRIMARY KEY (tournament, player)"
    ") STRICT, WITHOUT ROWID;",
    /* 16: the highest id of a player so far. Those who are forgotten are remembered by their ids:
     * in `barred`, `kicked` and `once`. */
    "ALTER TABLE counter ADD COLUMN player INTEGER NOT NULL DEFAULT 0;",
    /* 17: display names, and what they look like (server/model/display.h). */
    "ALTER TABLE player ADD COLUMN display TEXT;"
    "ALTER TABLE player ADD COLUMN looks TEXT;"
    "CREATE UNIQUE INDEX player_looks ON player (looks) WHERE looks IS NOT NULL;",
    /* 18: `tournament new openings=`. */
    "ALTER TABLE tournament ADD COLUMN openings TEXT;",
    /* 19: the first review of a finished match, a line for each ply (server/play/reviews.c). */
    "CREATE TABLE review ("
    "  match INTEGER PRIMARY KEY REFERENCES match (number) ON DELETE CASCADE,"
    "  lines TEXT NOT NULL"
    ") STRICT;",
    /* 20: `tournament new series=`: the director, game and variant of the first one, and what those
     * that are over add up to. */
    "ALTER TABLE tournament ADD COLUMN series TEXT;"
    "CREATE TABLE series ("
    "  name TEXT PRIMARY KEY,"
    "  director INTEGER NOT NULL REFERENCES player (id),"
    "  game TEXT NOT NULL,"
    "  variant TEXT NOT NULL,"
    "  tournaments INTEGER NOT NULL DEFAULT 0"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE series_score ("
    "  series TEXT NOT NULL REFERENCES series (name),"
    "  player INTEGER NOT NULL REFERENCES player (id),"
    "  tournaments INTEGER NOT NULL,"
    "  points2 INTEGER NOT NULL,"
    "  matches INTEGER NOT NULL,"
    "  played2 INTEGER NOT NULL,"
    "  opponents REAL NOT NULL,"
    "  PRIMARY KEY (series, player)"
    ") STRICT, WITHOUT ROWID;",
    /* 21: how puzzles are rated that somebody has tried, and which ones each player has. */
    "CREATE TABLE puzzle ("
    "  game TEXT NOT NULL,"
    "  key INTEGER NOT NULL CHECK (key >= 0)," /* as puzzle_key() makes it */
    "  rating REAL NOT NULL,"
    "  deviation REAL NOT NULL CHECK (deviation > 0),"
    "  volatility REAL NOT NULL CHECK (volatility > 0),"
    "  attempts INTEGER NOT NULL CHECK (attempts > 0),"
    "  PRIMARY KEY (game, key)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE TABLE attempt ("
    "  player INTEGER NOT NULL REFERENCES player (id),"
    "  game TEXT NOT NULL,"
    "  key INTEGER NOT NULL,"
    "  PRIMARY KEY (player, game, key)"
    ") STRICT, WITHOUT ROWID;",
    NULL};
