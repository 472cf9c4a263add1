/*
 * The store: players, matches, moves, offers, results and ratings in an SQLite file, used by one
 * server at a time. store.c opens and writes it, store_read.c reads matches, store_load.c
 * all that a server begins with, retire.c moves matches out of it; keeper_sqlite.c makes it a
 * keeper.
 */
#ifndef LUDUS_STORE_H
#define LUDUS_STORE_H

#include "common/buffer.h"
#include "common/move.h"
#include "keeper.h"
#include "maintain.h"
#include "server/base/folder.h"
#include "sqlite.h"

/* A statement that writes columns of a match. */
struct match_query {
    struct query *query;
    uint64_t columns;
};

struct store {
    struct keeper keeper; /* once keeper_sqlite() has made it one; first, to be found from it */
    struct database *database;
    struct match_query add_match, put_seats, put_end, put_play;
    struct query *free_name, *free_display, *free_tokens, *drop_tokens, *put_token, *put_player,
        *add_player, *drop_creator, *read_moves, *put_moves, *add_moves, *read_going_on, *add_lines,
        *read_lines, *drop_lines, *put_rating, *put_puzzle, *put_attempt, *drop_match,
        *count_dropped, *put_tournament, *drop_entrants, *put_entrant, *put_barred, *put_pairing,
        *add_series, *count_series, *add_score, *scan_history, *read_history, *scan_series,
        *read_scorer;
    TAILQ_HEAD(look_ups, look_up) read_in_turns; /* that take more; owned if nobody waits */
    int wake_fd;                                 /* readable while there are any; -1: no keeper */
    struct buffer lines;                         /* for the journal, of this transaction */
    size_t journaled_bytes;                      /* since it was folded */
    char folder[FOLDER_TEXT_MAX];
    int64_t retired_to; /* matches that ended up to this one cannot be retired: they are broken */
};

/* Opens the store in a directory, which is created if it is missing. NULL with the cause; *locked
 * (may be NULL) then tells whether another server uses it. */
struct store *store_open(const char *folder, enum durability durability, bool *locked,
                         struct cause *cause);

/* Opens a store only if there is one. NULL with the cause. */
struct store *store_open_existing(const char *folder, struct cause *cause);

/* Locks the store in a directory against every server, if there is one, and leaves it as it is,
 * whatever tables it has. NULL with the cause: there is none, or it is used, or nothing that can be
 * opened. */
struct database *store_hold(const char *folder, struct cause *cause);

/* Frees it. NULL is allowed. */
void store_close(struct store *store);

/* Visits the matches that SQL behind `FROM match AS m` selects, replayed by the rules. `value` is
 * its one parameter; SQL_NULL: it has none. False with the cause when the store cannot be read. */
bool store_visit(struct store *store, const char *where, struct value value, match_visit *visit,
                 void *context, struct cause *cause);

/* As archive.repair, in a transaction of its own. */
bool store_repair(struct store *store, int64_t number, struct cause *cause);

/* As keeper_kind.load: removes the players beyond `players->named_max` that no match refers to,
 * then reads all others, the unfinished matches and the latest `lobby->finished_max` finished ones.
 * Logs a broken match, which is read-only; any other invalid row is an error. */
bool store_load(struct keeper *keeper, struct players *players, struct lobby *lobby, int64_t now_ms,
                struct cause *cause);

/* As keeper_kind.look_up and work. */
bool store_look_up(struct keeper *keeper, struct look_up *look_up);
void store_work(struct keeper *keeper, int64_t now_ms);

/* Takes a match that is over out of the transaction's store. */
bool store_drop(struct store *store, int64_t number, int64_t ended);

/* As keeper_kind.retire (retire.c). */
int store_retire(struct keeper *keeper, const struct retention *retention, struct cause *cause);

/* Compares the files of retired matches with what the store knows of them, and replays them. Tells
 * of each that is missing or differs. */
void store_check_retired(struct store *store, text_visit *tell, void *context);

/* Visits the files of months that the store knows, until a call returns false: with the name, and
 * how many bytes of it are its matches; what follows is not. False then, or with the cause. */
typedef bool retired_visit(void *context, const char *name, int64_t bytes);
bool store_visit_retired(struct store *store, retired_visit *visit, void *context,
                         struct cause *cause);

/* A store that no server uses, as an archive. It borrows the store. */
struct archive store_archive(struct store *store);

/* For the other files of the store. */

enum { SQLITE_SCHEMA_FIRST = 13 }; /* the version that the first step makes */

/* The tables: steps of SQL, each from one version to the next; NULL ends them. A new store takes
 * all of them, an older one those that it lacks. */
extern const char *const sqlite_schema[];

/* As keeper_kind.keep. */
void store_keep(struct keeper *keeper, struct batch *batch);

/* In a transaction: writes what has changed in the row of a match; `before` NULL: it is new. */
bool store_put_match(struct store *store, const struct table *next, const struct match *before);

/* Writes a token of a player. */
bool store_put_token(struct store *store, int64_t player, const struct token *token);

/* As archive.tokens (maintain.h). */
bool store_visit_tokens(struct store *store, token_visit *visit, void *context,
                        struct cause *cause);

/* As archive.tournaments. */
bool store_visit_tournaments(struct store *store, tournament_visit *visit, void *context,
                             struct cause *cause);

/* In a transaction: writes a tournament that is not there, as it stands. */
bool store_put_tournament(struct store *store, const struct tournament *tournament);

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

/* Frees a query. False with the cause if it has failed. */
bool store_finish(struct store *store, struct query *query, struct cause *cause);

#endif
