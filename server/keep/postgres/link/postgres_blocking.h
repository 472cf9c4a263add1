/* A connection to PostgreSQL that blocks, for use where there is no event loop. */
#ifndef LUDUS_POSTGRES_BLOCKING_H
#define LUDUS_POSTGRES_BLOCKING_H

#include <stdbool.h>

#include "postgres_address.h"

struct blocking;

/* NULL with the cause. */
struct blocking *blocking_open(const struct engine_address *address, struct cause *cause);

/* NULL is allowed. */
void blocking_close(struct blocking *blocking);

/* Runs statements. *value becomes the number in the first row of the last one; NULL: none is
 * wanted. False with the cause, also where it has committed something that may not be safe. */
bool blocking_run(struct blocking *blocking, const char *sql, int *value, struct cause *cause);

#endif
