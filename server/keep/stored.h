/*
 * What is kept of matches, players and ratings: each column once, for the store and for PostgreSQL,
 * written from a table and read into one. Matches are read by replaying their moves by the rules.
 */
#ifndef LUDUS_STORED_H
#define LUDUS_STORED_H

#include <stdbool.h>

#include "common/buffer.h"
#include "common/text.h"
#include "server/model/table.h"
#include "server/model/tournament.h"
#include "value.h"

enum column_type { TYPE_INTEGER, TYPE_BOOL, TYPE_REAL, TYPE_TEXT, TYPE_BYTES };

struct column {
    const char *name;
    enum column_type type;
};

/* Sets of columns: those of an enum, in its order. */
#define COLUMN(column)     (UINT64_C(1) << (column))
#define COLUMNS_ALL(count) (COLUMN(count) - 1)

enum match_column {
    COLUMN_NUMBER,
    /* What never changes. */
    COLUMN_ID,
    COLUMN_ONCE,
    COLUMN_CODE,
    COLUMN_PRIVATE,
    COLUMN_RATED, /* but for a match that is made casual */
    COLUMN_GAME,
    COLUMN_VARIANT,
    COLUMN_START,
    COLUMN_OPENED_S,
    COLUMN_BASE_MS, /* null: there is no clock */
    COLUMN_INCREMENT_MS,
    /* Who plays. */
    COLUMN_CREATOR,
    COLUMN_WHITE,
    COLUMN_BLACK,
    COLUMN_WHITE_JOINED,
    COLUMN_BLACK_JOINED,
    COLUMN_KICKED,
    COLUMN_WAS_OPEN,
    /* How it stands. */
    COLUMN_STATUS,
    COLUMN_STARTED,
    COLUMN_RESULT,
    COLUMN_REASON,
    COLUMN_ENDED,
    COLUMN_WHITE_RATING,
    COLUMN_BLACK_RATING,
    /* The position behind `plies` moves, and the moves: not in MATCH_SHARED. */
    COLUMN_POSITION,
    COLUMN_PLIES,
    COLUMN_CHANGED_S,
    COLUMN_OFFERS,
    COLUMN_WHITE_MS,
    COLUMN_BLACK_MS,
    COLUMN_MOVES,
    MATCH_COLUMNS
};
extern const struct column match_columns[MATCH_COLUMNS];

#define MATCH_SNAPSHOT                                                                             \
    (COLUMN(COLUMN_POSITION) | COLUMN(COLUMN_PLIES) | COLUMN(COLUMN_CHANGED_S) |                   \
     COLUMN(COLUMN_OFFERS) | COLUMN(COLUMN_WHITE_MS) | COLUMN(COLUMN_BLACK_MS))

/* What stays as it is from when the match is opened. */
#define MATCH_FIXED                                                                                \
    (COLUMNS_ALL(COLUMN_INCREMENT_MS + 1) & ~COLUMN(COLUMN_NUMBER) & ~COLUMN(COLUMN_RATED))

/* What PostgreSQL has, which keeps a log instead of a snapshot and of moves. */
#define MATCH_SHARED COLUMNS_ALL(COLUMN_POSITION)

enum player_column {
    PLAYER_COLUMN_ID,
    PLAYER_COLUMN_NAME,
    PLAYER_COLUMN_KIND,
    PLAYER_COLUMN_BOT,
    PLAYER_COLUMN_TOKEN_HASH,
    PLAYER_COLUMN_SEEN_S,
    PLAYER_COLUMN_DISPLAY, /* null: none; and so is the next */
    PLAYER_COLUMN_LOOKS,
    PLAYER_COLUMNS
};
extern const struct column player_columns[PLAYER_COLUMNS];

enum rating_column {
    RATING_COLUMN_PLAYER,
    RATING_COLUMN_GAME,
    RATING_COLUMN_VARIANT,
    RATING_COLUMN_RATING,
    RATING_COLUMN_DEVIATION,
    RATING_COLUMN_VOLATILITY,
    RATING_COLUMN_MATCHES,
    RATING_COLUMNS
};
extern const struct column rating_columns[RATING_COLUMNS];

/* How a puzzle is rated (rated_puzzle.h). Those that nobody has tried have no row. */
enum puzzle_column {
    PUZZLE_COLUMN_GAME,
    PUZZLE_COLUMN_KEY,
    PUZZLE_COLUMN_RATING,
    PUZZLE_COLUMN_DEVIATION,
    PUZZLE_COLUMN_VOLATILITY,
    PUZZLE_COLUMN_ATTEMPTS,
    PUZZLE_COLUMNS
};
extern const struct column puzzle_columns[PUZZLE_COLUMNS];

/* Which puzzles a player has tried. */
enum attempt_column {
    ATTEMPT_COLUMN_PLAYER,
    ATTEMPT_COLUMN_GAME,
    ATTEMPT_COLUMN_KEY,
    ATTEMPT_COLUMNS
};
extern const struct column attempt_columns[ATTEMPT_COLUMNS];

/* A series of tournaments: what its first one says, and how many are over. */
enum series_column {
    SERIES_COLUMN_NAME,
    SERIES_COLUMN_DIRECTOR,
    SERIES_COLUMN_GAME,
    SERIES_COLUMN_VARIANT,
    SERIES_COLUMN_TOURNAMENTS,
    SERIES_COLUMNS
};
extern const struct column series_columns[SERIES_COLUMNS];

/* What a player has scored in it (tournament.h). */
enum score_column {
    SCORE_COLUMN_SERIES,
    SCORE_COLUMN_PLAYER,
    SCORE_COLUMN_TOURNAMENTS,
    SCORE_COLUMN_POINTS2,
    SCORE_COLUMN_MATCHES,
    SCORE_COLUMN_PLAYED2,
    SCORE_COLUMN_OPPONENTS,
    SCORE_COLUMNS
};
extern const struct column score_columns[SCORE_COLUMNS];

/* Adds the names of a set to SQL, with commas between them and texts around each. */
void columns_put_names(struct buffer *sql, const struct column columns[], uint64_t set,
                       const char *before, const char *behind);

/* Adds SQL, for either database, that selects players by id, each with its ratings: a row for each,
 * or one; the columns of a player, then those of a rating; and the final NUL. */
void columns_put_players_sql(struct buffer *sql);

/* Adds the values of a set to an object of JSON that is open. Null is left out. */
void columns_put_json(struct buffer *json, const struct column columns[], uint64_t set,
                      const struct value values[]);

/* Copies the values of a set, in order. Returns how many. */
int columns_pick(const struct value values[], uint64_t set, struct value picked[]);

enum { KICKED_TEXT_MAX = KICKED_MAX * 21 + 1 };

/* The values of a match, which borrow the texts below, and the table. */
struct match_record {
    struct value values[MATCH_COLUMNS];
    char variant[VARIANT_NAME_MAX], start[POSITION_TEXT_MAX], position[POSITION_TEXT_MAX];
    char kicked[KICKED_TEXT_MAX];
};

/* Whether the ids of guests stay theirs for good. */
enum guest_ids { GUEST_IDS_PASS_ON, GUEST_IDS_STAY };

/* Writes a match, at least a set of its columns; its moves are null. Guests who were kicked are
 * left out where their ids can become others'. */
void record_match(struct match_record *record, const struct table *table, uint64_t set,
                  enum guest_ids guests);

/* Writes a player; the values borrow the identity. */
void record_player(struct value values[PLAYER_COLUMNS], int64_t id,
                   const struct identity *identity);

/* Writes a rating; the values borrow the names. */
void record_rating(struct value values[RATING_COLUMNS], int64_t player, const char *game,
                   const char *variant, const struct glicko *now, int matches);

/* Writes a puzzle, and that a player has tried it; the values borrow the name of the game. */
void record_puzzle(struct value values[PUZZLE_COLUMNS], const struct rated_puzzle *puzzle,
                   const struct glicko *now, int attempts);
void record_attempt(struct value values[ATTEMPT_COLUMNS], int64_t player,
                    const struct rated_puzzle *puzzle);

/* Copies a word that is sent and shown as it is, such as a name. In a damaged store it may be
 * anything: what belongs into none becomes '?'. */
void record_word(char *to, size_t size, const char *text);

/* Copies a display name and what it looks like, as a damaged store may not have them: "" then. */
void record_display(struct identity *identity, const char *display, const char *looks);

/* Reads a player. False with the cause: a server would not count on from the id, or the time is
 * none. */
bool record_read_player(const struct value values[PLAYER_COLUMNS], int64_t *id,
                        struct identity *identity, struct cause *cause);

/* The kind of a player by its name. */
enum player_kind record_kind(const char *text);

/* A rating after a match; 0, as null is, stands for an unrated one. */
double record_rating_after(double rating);

/* Reads everything of a table but its match and its people. */
void record_read_table(const struct value values[MATCH_COLUMNS], struct table *stored);

/* Sets up the match as it started, if it has. False with the cause: it has no game then. */
bool record_begin(const struct value values[MATCH_COLUMNS], bool started, struct match *match,
                  struct cause *cause);

/* Ends a match that was replayed with the result that is kept. Where its moves have ended it, they
 * must agree with its row, and its status must be that of its row in any case. */
bool record_end(const struct value values[MATCH_COLUMNS], struct match *match, struct cause *cause);

/* Ends a match that is kept as over, unless its moves have, to be shown whatever its row says; or,
 * with `by_players`, only if its players can have ended it so. False with the cause. */
bool record_end_anyhow(const struct value values[MATCH_COLUMNS], bool by_players,
                       struct match *match, struct cause *cause);

/* Checks what neither a schema nor the rules of a game guarantee of a match that was replayed: its
 * clock, its players (`there` has whether each seat's is known), its dates, and that a server can
 * count on from its numbers. False with the cause. */
bool record_is_sound(const struct table *stored, const bool there[2], struct cause *cause);

/* The same of a tournament that was read whole: its plan, its people, and its pairings. */
bool record_tournament_is_sound(const struct tournament *tournament, struct cause *cause);

void record_log_broken(int64_t number, const struct cause *cause);

/* Whether seconds since 1970 are a date with a year of four digits. */
bool record_is_date(int64_t date_s);

/* Whether there is room to count on from a number. False with the cause. */
bool record_counts_on(int64_t number, struct cause *cause);

/* Called with a match, in a table that is in no lobby and ends with the call, of which it may take
 * `match` and leave an empty one. Its people have only an id, a name and a kind, and are borrowed.
 * `broken` is NULL, or the reason why only its id and number are reliable: then `match` is as far
 * as its moves go, without a game if it cannot be shown. False ends the visit. */
typedef bool match_visit(void *context, struct table *stored, const struct cause *broken);

typedef void text_visit(void *context, const char *text);

/* Writes a match with its people as PGN (common/pgn.h), which the caller frees. */
char *table_pgn(const struct table *stored);

#endif
