/*
 * SQLite, as much of it as the store needs; no other file includes it. One process at a time uses a
 * database. Nothing here knows what is stored.
 *
 * A call that fails keeps its reason for database_error(). Texts and blobs are borrowed: bound ones
 * until the query has run, those of a row until the next step.
 */
#ifndef LUDUS_SQLITE_H
#define LUDUS_SQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/text.h"
#include "value.h"

struct database;
struct query;

/* A committed transaction survives the end of the process, or a power failure as well. */
enum durability { DURABILITY_PROCESS, DURABILITY_POWER };

/* The tables of a database. */
struct schema {
    int32_t mark;             /* SQLite's application id */
    int first;                /* the version that the first step makes */
    const char *const *steps; /* of SQL, each to the next version; NULL ends them */
};

/*
 * Opens the file, creates it if it is missing, and locks it against every other process. A new file
 * takes all steps of the schema in one transaction, one of an older version those that it lacks.
 * Then checks the whole file for damage, unless it has more than 256 MiB. NULL with the cause, one
 * sentence about `path`: locked, damaged, read-only, disk full; or, and then it stays as it is,
 * byte for byte, not such a database, newer, or older than the first version. *locked (may be NULL)
 * then tells whether another process uses the file.
 */
struct database *database_open(const char *path, enum durability durability,
                               const struct schema *schema, bool *locked, struct cause *cause);

/* Locks a file that is there, and takes no steps: nothing but its log moves. NULL with the cause,
 * as database_open(). */
struct database *database_hold(const char *path, const struct schema *schema, struct cause *cause);

/* Frees the database and all its queries. NULL is allowed. */
void database_close(struct database *database);

/* Whether another process uses the file, as database_open() would find, which changes nothing. */
bool database_is_used(const char *path);

/* Moves all of the log into the file, which is whole by itself then, and leaves the log alone when
 * the database is closed: the file may be another by then. */
bool database_leave_log(struct database *database);

/* Why the last call that failed did so. */
const char *database_error(const struct database *database);

/* Checks the whole file for damage, for indexes that differ from their tables, and for references
 * to missing rows. Calls `tell` with each finding. */
void database_verify(struct database *database, void (*tell)(void *context, const char *finding),
                     void *context);

/* A copy of the database into a new file, while it is in use: what is written meanwhile comes with
 * it. `path` is borrowed until the copy ends. NULL with the cause. */
struct database_copy;
struct database_copy *database_copy_begin(struct database *database, const char *path,
                                          struct cause *cause);
/* Copies the next `pages` pages, outside of transactions. False with the cause. */
bool database_copy_step(struct database_copy *copy, int pages, bool *done, struct cause *cause);
/* Frees it. Returns whether the copy is done and on disk. */
bool database_copy_end(struct database_copy *copy);

/* Transactions: what is written between begin and commit takes effect as a whole; after a rollback
 * or a failed commit, not at all. database_begin() fails while the file is moved or deleted. */
bool database_begin(struct database *database);
bool database_commit(struct database *database);
void database_rollback(struct database *database);

/* Prepares one statement for repeated use; freed with the database, if not before. Never NULL: when
 * it fails, so do query_run() and query_next(), and query_failed() is true. */
struct query *database_query(struct database *database, const char *sql);
void query_free(struct query *query);

/* Binds all parameters of a query that was just made, run or finished: QUERY_BIND(query, VALUES) */
void query_bind(struct query *query, const struct value values[], int count);
#define QUERY_BIND(query, ...)                                                                     \
    query_bind(query, (const struct value[]){__VA_ARGS__},                                         \
               (int)(sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)))

/* Runs a statement that returns no rows. */
bool query_run(struct query *query);

/* Runs a statement that must add or change one row; fails if it does not. */
bool query_run_one(struct query *query);

/* Steps to the next row. False at the end and on an error; query_failed() tells which, until the
 * query is used again. */
bool query_next(struct query *query);
bool query_failed(const struct query *query);
/* Stops reading rows before the last one. */
void query_finish(struct query *query);

/* The columns of the current row, from 0. */
int64_t query_integer(struct query *query, int column);
double query_real(struct query *query, int column);
/* The text of a column; "" for null. */
const char *query_text(struct query *query, int column);
/* A column as a value, borrowed until the next step. */
struct value query_value(struct query *query, int column);

#endif
