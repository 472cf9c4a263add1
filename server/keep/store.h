/*
 * The store: players, matches, moves, offers, results and ratings in an SQLite file, used by one
 * server at a time. store.c opens it and has the schema, keeper_sqlite.c writes it, store_load.c
 * and store_match.c read it: when the server starts, and for what is no longer in memory.
 */
#ifndef LUDUS_STORE_H
#define LUDUS_STORE_H

#include "archive.h"
#include "common/buffer.h"
#include "common/move.h"
#include "database.h"
#include "keeper.h"
#include "server/base/folder.h"

struct store {
    struct keeper keeper; /* once keeper_sqlite() has made it one; first, to be found from it */
    struct database *database;
    struct query *free_name, *put_player, *add_player, *add_match, *put_seats, *put_end,
        *drop_creator, *put_play, *put_moves, *add_moves, *read_going_on, *add_lines, *read_lines,
        *drop_lines, *put_rating, *drop_match, *count_dropped, *put_tournament, *drop_entrants,
        *put_entrant, *put_pairing;
    struct buffer lines;    /* for the journal, of this transaction */
    size_t journaled_bytes; /* since it was folded */
    char folder[FOLDER_TEXT_MAX];
    int64_t retired_to; /* matches that ended up to this one cannot be retired: they are broken */
};

/* Opens the store in a directory, which is created if it is missing. NULL with the cause; *locked
 * (may be NULL) then tells whether another server uses it. */
struct store *store_open(const char *folder, enum durability durability, bool *locked,
                         struct cause *cause);

/* Opens a store only if there is one. NULL with the cause. */
struct store *store_open_existing(const char *folder, struct cause *cause);

/* Frees it. NULL is allowed. */
void store_close(struct store *store);

/* Visits the matches that SQL behind `FROM match AS m` selects, replayed by the rules. `value` is
 * its one parameter; SQL_NULL: it has none. False with the cause when the store cannot be read. */
bool store_visit(struct store *store, const char *where, struct value value, match_visit *visit,
                 void *context, struct cause *cause);

/* As archive.repair, in a transaction of its own. */
bool store_repair(struct store *store, int64_t number, struct cause *cause);

/* Logs that a match is broken. */
void store_log_broken(const struct table *stored, const struct cause *broken);

/* As keeper_kind.load: removes the players beyond `players->named_max` that no match refers to,
 * then reads all others, the unfinished matches and the latest `lobby->finished_max` finished ones.
 * Logs a broken match, which is read-only; any other invalid row is an error. */
bool store_load(struct keeper *keeper, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause);

/* As keeper_kind.look_up. */
bool store_look_up(struct keeper *keeper, struct look_up *look_up);

/* Takes a match that is over out of the transaction's store. */
bool store_drop(struct store *store, int64_t number, int64_t ended);

/* As keeper_kind.retire (store_retire.c). */
int store_retire(struct keeper *keeper, const struct retention *retention, struct cause *cause);

/* Compares the files of retired matches with what the store knows of them, and replays them. Tells
 * of each that is missing or differs. */
void store_check_retired(struct store *store, text_visit *tell, void *context);

/* A store that no server uses, as an archive. It borrows the store. */
struct archive store_archive(struct store *store);

/* For the other files of the store. */

/* Returns the lines of all moves of a match that is over, until the next call. */
const char *store_lines_of(struct store *store, const struct table *table);

/* In a transaction: keeps the moves in which a match differs from the one it was drafted from, or
 * takes back. */
bool store_put_moves(struct store *store, const struct table *table, const struct match *before);

/* Begin and end what store_put_moves() keeps in a transaction. */
void store_begin_lines(struct store *store);
bool store_put_lines(struct store *store);

/* In a transaction of its own: moves the journal into the rows of matches. */
bool store_fold(struct store *store);

/* A move as it was kept. */
struct kept_move {
    char move[MOVE_TEXT_MAX];
    int64_t took_ms, played_s, left_ms[2]; /* 0: not kept */
    int16_t eval;
    char pv[PV_TEXT_MAX]; /* "": none */
};

/* Reads the next line. False at the end, with *text NULL when what is there is no line. */
bool store_read_line(const char **text, struct kept_move *kept);

/* Writes the change of a tournament. */
bool store_put_change(struct store *store, const struct tournament_change *change);

/* Reads the tournaments, once players and matches are in memory: those that are not over, and the
 * latest of the others. A pairing whose match is not there any more is void. */
bool store_load_tournaments(struct store *store, struct players *players, struct lobby *lobby,
                            struct cause *cause);

/* Frees a query. False with the cause if it has failed. */
bool store_finish(struct store *store, struct query *query, struct cause *cause);

/* The kind of a player by its name in the store. */
enum player_kind store_kind(const char *text);

/* Whether seconds since 1970 are a date with a year of four digits. */
bool store_is_date(int64_t date_s);

/* Whether there is room to count on from a number. False with the cause. */
bool store_counts_on(int64_t number, struct cause *cause);

/* Whether the row of a player is valid. False with the cause. */
bool store_is_player(const char *name, int64_t id, int64_t seen_s, struct cause *cause);

#endif
