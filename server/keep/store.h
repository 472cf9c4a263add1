/*
 * The store: players, matches, moves, offers, results and ratings in an SQLite file, used by one
 * server at a time. store.c opens it and has the schema, keeper_sqlite.c writes it, store_load.c
 * and store_match.c read it: when the server starts, and for what is no longer in memory.
 */
#ifndef LUDUS_STORE_H
#define LUDUS_STORE_H

#include "archive.h"
#include "database.h"
#include "keeper.h"
#include "server/base/folder.h"

struct store {
    struct keeper keeper; /* once keeper_sqlite() has made it one; first, to be found from it */
    struct database *database;
    struct query *free_name, *put_player, *add_player, *add_match, *put_seats, *put_end,
        *drop_creator, *put_play, *drop_moves, *put_move, *put_rating, *drop_match, *count_dropped,
        *put_tournament, *drop_entrants, *put_entrant, *put_pairing;
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

/* Logs that a match is broken. */
void store_log_broken(const struct table *stored, const struct cause *broken);

/* As keeper_kind.load: removes the players beyond `players->named_max` that no match refers to,
 * then reads all others, the unfinished matches and the latest `lobby->finished_max` finished ones.
 * Logs a broken match and leaves it out, unchanged in the store; any other invalid row is an error.
 */
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
