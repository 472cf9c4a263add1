/* The schema of an engine: its tables, as steps of SQL (schema.sql), and its functions
 * (functions.sql). */
#ifndef LUDUS_POSTGRES_SCHEMA_H
#define LUDUS_POSTGRES_SCHEMA_H

#include "link/postgres_address.h"

/* Brings the schema from any older version to the newest, by one server at a time. This blocks.
 * False with the cause: no connection, a newer schema, an error. */
bool postgres_migrate(const struct engine_address *address, struct cause *cause);

/* functions.sql: each function can be made again. */
extern const char postgres_functions[];

/* The steps of schema.sql, from version 1 on; before them a comment. NULL ends them. */
extern const char *const postgres_steps[];

#endif
