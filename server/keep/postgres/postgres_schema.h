/* The schema of an engine and its procedures, as steps of SQL. */
#ifndef LUDUS_POSTGRES_SCHEMA_H
#define LUDUS_POSTGRES_SCHEMA_H

#include "postgres_address.h"

/* Brings the schema from any older version to the newest, by one server at a time. This blocks.
 * False with the cause: no connection, a newer schema, an error. */
bool postgres_migrate(const struct engine_address *address, struct cause *cause);

#endif
