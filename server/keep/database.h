/*
 * SQLite, as much of it as the store needs: the only file that knows it. A database belongs to
 * one process at a time. Nothing here knows what is stored.
 *
 * A call that fails keeps its reason for database_error(). Texts and blobs that are bound or read
 * are borrowed: until the query was run, and until its next step.
 */
#ifndef LUDUS_DATABASE_H
#define LUDUS_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cause.h"

struct database;
struct query;

/* What a commit outlives: the end of the process, or the end of power as well. */
enum durability { DURABILITY_PROCESS, DURABILITY_POWER };

/*
 * Opens the file, makes it if it is missing, and locks it against every other process. The steps
 * of `migrations` (SQL, the last one NULL) bring it from any older version to the newest, each
 * in a transaction of its own; the version is the number of steps taken. The whole file is looked
 * through for damage. `mark` tells the files
 * of one program from those of others. NULL with the cause, one sentence about `path`: no such
 * database, locked, damaged, newer, read-only, full.
 */
struct database *database_open(const char *path, enum durability durability, int32_t mark,
                               const char *const *migrations, struct cause *cause);

/* Frees the database and all its queries. NULL is allowed. */
void database_close(struct database *database);

/* Why the last call failed, for the log. */
const char *database_error(const struct database *database);

/* Looks through the whole file for damage; thorough: compares indexes with their tables as well,
 * and looks for rows that refer to missing ones. Calls `tell` with each finding. False when there
 * was one. */
bool database_verify(struct database *database, bool thorough,
                     void (*tell)(void *context, const char *finding), void *context);

/* A transaction: what is done between begin and commit is kept wholly, or after a rollback or a
 * commit that failed not at all. None begins while the file is not where it was opened. */
bool database_begin(struct database *database);
bool database_commit(struct database *database);
void database_rollback(struct database *database);

/* Prepares one statement for use again and again; freed with the database, if not before. NULL when
 * it fails. */
struct query *database_query(struct database *database, const char *sql);
/* NULL is allowed. */
void query_free(struct query *query);

/* Binds the next parameter: the first one after the query was made, run or finished. */
void query_bind_integer(struct query *query, int64_t value);
void query_bind_real(struct query *query, double value);
void query_bind_text(struct query *query, const char *text); /* NULL: the value null */
void query_bind_blob(struct query *query, const void *bytes, size_t length);
void query_bind_null(struct query *query);

/* Runs a statement that gives no rows. */
bool query_run(struct query *query);

/* Steps to the next row. False at the end, and on an error: query_failed() tells, until the query
 * is used again. */
bool query_next(struct query *query);
bool query_failed(const struct query *query);
/* Ends the reading of rows before the last one. */
void query_finish(struct query *query);

/* The columns of the present row, from 0. */
int64_t query_integer(struct query *query, int column);
double query_real(struct query *query, int column);
/* The text of a column; "" for null. */
const char *query_text(struct query *query, int column);
/* Copies a blob of exactly `length` bytes. False for any other value. */
bool query_blob(struct query *query, int column, void *bytes, size_t length);

#endif
