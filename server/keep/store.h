/*
 * The store: players, matches, moves, offers, results and ratings in an SQLite file, one server at
 * a time. keeper_sqlite.c writes it, and it is read when the server starts and for what is no
 * longer in memory. Its SQL is in store.c (schema, writing) and store_load.c (reading).
 *
 * It borrows what it is given and never changes it. A write that returns false has failed for the
 * whole transaction: call store_rollback().
 */
#ifndef LUDUS_STORE_H
#define LUDUS_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/cause.h"
#include "database.h"
#include "keeper.h"

struct store {
    struct database *database;
    struct query *free_name, *put_player, *put_match, *put_play, *drop_moves, *put_move,
        *put_rating;
};

/* Opens the store of a folder, which is made if it is missing. NULL with the cause. */
struct store *store_open(const char *folder, enum durability durability, struct cause *cause);

/* Opens a store only if there is one. NULL with the cause. */
struct store *store_open_existing(const char *folder, struct cause *cause);

/* Frees it. NULL is allowed. */
void store_close(struct store *store);

enum { CREATOR = BLACK + 1, PEOPLE };

struct stored_person {
    int64_t id; /* 0: nobody */
    char name[NAME_TEXT_MAX];
    enum player_kind kind;
};

/* A match as the store has it, played again by the rules. */
struct stored_match {
    char id[TABLE_ID_MAX];
    int64_t number, ended; /* see struct table */
    bool is_private, started;
    time_t date, changed_s;
    struct stored_person people[PEOPLE]; /* by colour, then the creator */
    bool joined[2];
    double rated[2];
    bool unread;        /* it may be in order, but could not be read: the file fails */
    struct match match; /* owned by the store; a visitor may take it and leave an empty one */
};

/* Visits matches: those that are not over, in the order in which they were opened; the latest
 * `count` that are over, in the order in which they ended; all; or the one of an id. False when
 * the store cannot be read, with the cause. */
bool store_visit_unfinished(struct store *store, match_visit *visit, void *context,
                            struct cause *cause);
bool store_visit_finished(struct store *store, int count, match_visit *visit, void *context,
                          struct cause *cause);
bool store_visit_all(struct store *store, match_visit *visit, void *context, struct cause *cause);
bool store_visit_one(struct store *store, const char *id, match_visit *visit, void *context,
                     struct cause *cause);

/* Logs that a match is not in order. */
void store_log_broken(const struct stored_match *stored, const struct cause *broken);

/* Reads all players (and removes those beyond `players->named_max` whom no match knows), every
 * match that is not over and the latest `lobby->finished_max` of those that are into an empty
 * registry and lobby. The time is that of match.h. A match that is not in order is left out and
 * stays in the store as it is; the log tells of it. Fails with the cause when the store cannot be
 * read, or when something else in it makes no sense. */
bool store_load(struct store *store, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause);

/* As keeper_kind.history (keeper.h). */
int store_history(struct store *store, const struct player *player, const struct player *asker,
                  struct history_row *rows, int rows_max, int *total, struct cause *cause);

/* Writes all named players and house bots to a file, a JSON object a line: name, bot, ratings.
 * Counts them in *count. False when the store cannot be read, with the cause; whether the file
 * could be written is for the caller to find out. */
bool store_write_players(struct store *store, FILE *file, long *count, struct cause *cause);

/* For the files of the store: ends the use of a query, which may be NULL where it could not be
 * made. Whether all went well; else the cause. */
bool store_finish(struct store *store, struct query *query, struct cause *cause);

/* Whether seconds since 1970 are a date with a year of four digits. */
bool store_is_date(int64_t date_s);

/* Whether the match, as it was read, can be one of this server's: its people, its times. False with
 * the cause. */
bool store_is_sound(const struct stored_match *stored, struct cause *cause);

/* The same of a player: when he was seen. */
bool store_is_player(const char *name, int64_t id, int64_t seen_s, struct cause *cause);

/* Whether there is room to count on from a number. False with the cause. */
bool store_counts_on(int64_t number, struct cause *cause);

/* Calls `tell` for every player who is none. */
void store_check_players(struct store *store, void (*tell)(void *context, const char *finding),
                         void *context);

/* Calls `tell` for every rating of no game, or out of its range (glicko.h). */
void store_check_ratings(struct store *store, void (*tell)(void *context, const char *finding),
                         void *context);

bool store_begin(struct store *store);
/* Writes the row of a player. */
bool store_put_player(struct store *store, int64_t id, const struct identity *identity);
/* Writes a match whose players are there already. `before` is what the store has of it, from which
 * the table was drafted, or NULL: costs the same however long the match is. */
bool store_put_table(struct store *store, const struct table *table, const struct match *before);
/* Writes a rating of a player whose row is there already. */
bool store_put_rating(struct store *store, const struct rating_draft *rating);
bool store_commit(struct store *store);
void store_rollback(struct store *store);

/* Why the last call failed. */
const char *store_error(const struct store *store);

#endif
