#include "postgres_schema.h"

#include <stdio.h>

#include "link/postgres_blocking.h"

static const char begin[] =
    "BEGIN;"
    "SELECT pg_advisory_xact_lock(5499140221);" /* one server at a time */
    "CREATE SCHEMA IF NOT EXISTS ludus;"
    "SET LOCAL search_path = ludus;"
    "CREATE TABLE IF NOT EXISTS service (one bool PRIMARY KEY DEFAULT true CHECK (one),"
    " version int NOT NULL, downtime interval NOT NULL DEFAULT '0');"
    "INSERT INTO service (version) VALUES (0) ON CONFLICT DO NOTHING;"
    "SELECT version FROM service";

static bool run_steps(struct blocking *engine, struct cause *cause)
{
    int version = 0, newest = 0;
    char note[80];

    while (postgres_steps[newest + 1] != NULL)
        newest++;
    if (!blocking_run(engine, begin, &version, cause))
        return false;
    if (version > newest)
        return cause_set(cause, "engine: its schema is of version %d: this ludusd knows %d",
                         version, newest);
    for (int next = version + 1; next <= newest; next++)
        if (!blocking_run(engine, postgres_steps[next], NULL, cause))
            return false;
    if (version < newest && !blocking_run(engine, postgres_functions, NULL, cause))
        return false;
    snprintf(note, sizeof note, "UPDATE service SET version = %d; COMMIT", newest);
    return blocking_run(engine, note, NULL, cause);
}

bool postgres_migrate(const struct engine_address *address, struct cause *cause)
{
    struct blocking *engine = blocking_open(address, cause);

    bool good = engine != NULL && run_steps(engine, cause);
    blocking_close(engine);
    return good;
}
