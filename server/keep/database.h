/*
 * SQLite, as much of it as the store needs; no other file includes it. One process at a time uses a
 * database. Nothing here knows what is stored.
 *
 * A call that fails keeps its reason for database_error(). Texts and blobs are borrowed: bound ones
 * until the query has run, those of a row until the next step.
 */
#ifndef LUDUS_DATABASE_H
#define LUDUS_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cause.h"

struct database;
struct query;

/* A committed transaction survives the end of the process, or a power failure as well. */
enum durability { DURABILITY_PROCESS, DURABILITY_POWER };

/*
 * Opens the file, creates it if it is missing, and locks it against every other process. The steps
 * of `migrations` (SQL, the last one NULL) bring it from any older version to the newest, each in
 * its own transaction; the version is the number of steps taken. Then checks the whole file for
 * damage, unless it has more than 256 MiB. `mark` is SQLite's application id. NULL with the cause,
 * one sentence about `path`: not such a database, locked, damaged, newer, read-only, disk full.
 * *locked (may be NULL) then tells whether another process uses the file.
 */
struct database *database_open(const char *path, enum durability durability, int32_t mark,
                               const char *const *migrations, bool *locked, struct cause *cause);

/* Frees the database and all its queries. NULL is allowed. */
void database_close(struct database *database);

/* Why the last call that failed did so. */
const char *database_error(const struct database *database);

/* Checks the whole file for damage, for indexes that differ from their tables, and for references
 * to missing rows. Calls `tell` with each finding. */
void database_verify(struct database *database, void (*tell)(void *context, const char *finding),
                     void *context);

/* Transactions: what is written between begin and commit takes effect as a whole; after a rollback
 * or a failed commit, not at all. database_begin() fails while the file is moved or deleted. */
bool database_begin(struct database *database);
bool database_commit(struct database *database);
void database_rollback(struct database *database);

/* Prepares one statement for repeated use; freed with the database, if not before. Never NULL: when
 * it fails, so do query_run() and query_next(), and query_failed() is true. */
struct query *database_query(struct database *database, const char *sql);
void query_free(struct query *query);

struct value {
    enum { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB } type;
    union {
        int64_t integer;
        double real;
        struct {
            const void *bytes;
            size_t length; /* of a blob */
        };
    };
};
#define SQL_NULL            ((struct value){.type = VALUE_NULL})
#define SQL_INTEGER(number) ((struct value){.type = VALUE_INTEGER, .integer = (number)})
#define SQL_REAL(number)    ((struct value){.type = VALUE_REAL, .real = (number)})
/* A NULL pointer gives the value null. */
#define SQL_TEXT(text)       ((struct value){.type = VALUE_TEXT, .bytes = (text)})
#define SQL_BLOB(blob, size) ((struct value){.type = VALUE_BLOB, .bytes = (blob), .length = (size)})

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
/* Copies a blob of exactly `length` bytes. False for any other value. */
bool query_blob(struct query *query, int column, void *bytes, size_t length);

#endif
