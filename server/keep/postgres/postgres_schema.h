/* The schema of an engine: its tables, as steps of SQL, and its functions. */
#ifndef LUDUS_POSTGRES_SCHEMA_H
#define LUDUS_POSTGRES_SCHEMA_H

#include "postgres_address.h"

/* Brings the schema from any older version to the newest, by one server at a time. This blocks.
 * False with the cause: no connection, a newer schema, an error. */
bool postgres_migrate(const struct engine_address *address, struct cause *cause);

/* A statement for each function; NULL ends them. Each can be run again. */
extern const char *const postgres_functions[];

#endif
