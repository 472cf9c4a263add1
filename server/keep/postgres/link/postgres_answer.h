/* Answers of PostgreSQL to queries: their rows, or why there are none. */
#ifndef LUDUS_POSTGRES_ANSWER_H
#define LUDUS_POSTGRES_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

enum answer_state {
    ANSWER_ROWS,     /* also for statements without rows */
    ANSWER_CONFLICT, /* rolled back because of others: worth another try as it is */
    ANSWER_FAILED,   /* rolled back, with a message */
    ANSWER_LOST      /* the connection broke */
};

struct pg_result; /* libpq's result */

struct answer {
    enum answer_state state;
    const struct pg_result *result; /* borrowed; NULL: none */
    char message[200];              /* one line; "" with ANSWER_ROWS */
};

enum answer_state answer_state(const struct answer *answer);
const char *answer_message(const struct answer *answer);
int answer_rows(const struct answer *answer);
bool answer_is_null(const struct answer *answer, int row, int column);
/* A value as text, borrowed; "" for null. */
const char *answer_text(const struct answer *answer, int row, int column);
/* A value as a number; 0 for null. */
int64_t answer_integer(const struct answer *answer, int row, int column);
double answer_real(const struct answer *answer, int row, int column);
bool answer_bool(const struct answer *answer, int row, int column);

/* Reads a result of libpq, which the answer borrows. */
struct answer answer_read(const struct pg_result *result);

/* The answer to a query that was sent over a connection which broke. Keeps the first line of `why`.
 */
struct answer answer_lost(const char *why);

/* Whether a result that is an error says that the engine goes away, or is a standby now. */
bool answer_is_last(const struct pg_result *result);

#endif
