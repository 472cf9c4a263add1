/*
 * Where PostgreSQL is and how to connect there, what it answers, and a connection that blocks.
 *
 * The hosts of a conninfo are tried one at a time: libpq tries them by itself, but without blocking
 * it never gives one up that does not answer. Names become addresses before.
 */
#ifndef LUDUS_POSTGRES_CONNECT_H
#define LUDUS_POSTGRES_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

#include "server/keep/keeper.h"

struct database_address;
struct pg_conn;   /* libpq's connection */
struct pg_result; /* libpq's result */

/* Reads a conninfo of libpq and resolves the names in it, which may take long. NULL with the
 * cause. */
struct database_address *address_new(const char *conninfo, struct cause *cause);
void address_free(struct database_address *address);

/* The files that connecting reads: passwords and certificates. Returns how many; borrowed. */
int address_files(const struct database_address *address, const char *files[KEEPER_FILES_MAX]);

int address_hosts(const struct database_address *address);

/* Begins to connect to a host: they are counted from 0, round and round. No timeout of the server
 * ends what the session does. *doubts counts the commits whose wait for a standby was cancelled by
 * other means: they have taken effect, but are lost if the primary is. It must outlive the
 * connection. */
struct pg_conn *address_connect(const struct database_address *address, int host, unsigned *doubts);

/* How long connecting to one host may take. */
int64_t address_wait_ms(const struct database_address *address);

enum answer_state {
    ANSWER_ROWS,     /* also for statements without rows */
    ANSWER_CONFLICT, /* rolled back because of others: worth another try as it is */
    ANSWER_FAILED,   /* rolled back, with a message */
    ANSWER_LOST      /* the connection broke */
};

/* What a statement has brought: rows, or why there are none. */
struct answer {
    enum answer_state state;
    const struct pg_result *result; /* borrowed; NULL: none */
    char message[200];              /* one line; "" with ANSWER_ROWS */
};

int answer_rows(const struct answer *answer);
bool answer_is_null(const struct answer *answer, int row, int column);
/* A value, borrowed; for null "", 0 or false. */
const char *answer_text(const struct answer *answer, int row, int column);
int64_t answer_integer(const struct answer *answer, int row, int column);
double answer_real(const struct answer *answer, int row, int column);
bool answer_bool(const struct answer *answer, int row, int column);

/* Reads a result of libpq, which the answer borrows. */
struct answer answer_read(const struct pg_result *result);

/* The answer to a statement that was sent over a connection which broke. Keeps the first line of
 * `why`. */
struct answer answer_lost(const char *why);

/* Returns true for an error by which the database goes away, or is a standby now. */
bool answer_is_last(const struct pg_result *result);

struct blocking;

/* A connection that blocks, for use where there is no event loop. NULL with the cause. */
struct blocking *blocking_open(const struct database_address *address, struct cause *cause);

/* NULL is allowed. */
void blocking_close(struct blocking *blocking);

/* Runs statements. *value becomes the number in the first row of the last one; NULL: none is
 * wanted. False with the cause, also where it has committed something that may not be safe. */
bool blocking_run(struct blocking *blocking, const char *sql, int *value, struct cause *cause);

/* Returns whether that failed only because others were first: a deadlock. The transaction is to be
 * rolled back, and tried again. */
bool blocking_was_conflict(const struct blocking *blocking);

#endif
