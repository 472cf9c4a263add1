#include "postgres_schema.h"

#include <stdio.h>

#include "postgres_blocking.h"

/* clang-format off */
/*
 * The versions of the tables, each as the step from the one before. A released step never changes:
 * append a new one. After any step all functions are replaced; where only functions have changed the
 * step is "".
 *
 * `entry` is the log of all matches, and what counts: a change is the insert of (match, version +
 * 1).
 */
static const char *const steps[] = {
    "CREATE TABLE node (id int PRIMARY KEY, address text NOT NULL, epoch bigint NOT NULL\n"
    "    DEFAULT 1,\n"
    " batch bigint NOT NULL DEFAULT 0, stale bigint[] NOT NULL DEFAULT '{}', alive bool NOT\n"
    "    NULL DEFAULT true,\n"
    " seen timestamptz NOT NULL DEFAULT clock_timestamp(), since timestamptz NOT NULL DEFAULT\n"
    "    clock_timestamp(),\n"
    " sessions int NOT NULL DEFAULT 0) WITH (fillfactor = 10);\n"
    "CREATE TABLE player (id bigint PRIMARY KEY, name text NOT NULL, kind text NOT NULL CHECK\n"
    "    (kind IN ('guest', 'named', 'house')),\n"
    " bot bool NOT NULL, token_hash bytea CHECK (length(token_hash) = 32), login int NOT NULL\n"
    "    DEFAULT 0, node int, away timestamptz,\n"
    " seen_s bigint NOT NULL, CHECK ((kind = 'named') = (token_hash IS NOT NULL)));\n"
    "CREATE UNIQUE INDEX player_name ON player (lower(name));\n"
    "CREATE INDEX player_node ON player (node) WHERE node IS NOT NULL;\n"
    "CREATE TABLE match (number bigint PRIMARY KEY, id text NOT NULL UNIQUE, once text\n"
    "    UNIQUE, private bool NOT NULL,\n"
    " game text NOT NULL, variant text NOT NULL, start text NOT NULL, opened_s bigint NOT\n"
    "    NULL, base_ms bigint, increment_ms bigint,\n"
    " creator bigint REFERENCES player, white bigint REFERENCES player, black bigint\n"
    "    REFERENCES player,\n"
    " white_joined bool NOT NULL, black_joined bool NOT NULL, status text NOT NULL CHECK\n"
    "    (status IN ('open', 'playing', 'over')),\n"
    " started bool NOT NULL, result text NOT NULL, reason text, ended bigint UNIQUE,\n"
    "    white_rating float8, black_rating float8,\n"
    " home int NOT NULL, due timestamptz, CHECK ((status = 'over') = (reason IS NOT NULL)),\n"
    "    CHECK ((status = 'over') = (ended IS NOT NULL)));\n"
    "CREATE INDEX match_list ON match (number) WHERE status <> 'over' AND NOT private;\n"
    "CREATE INDEX match_white ON match (white, ended);\n"
    "CREATE INDEX match_black ON match (black, ended);\n"
    "CREATE INDEX match_creator ON match (creator) WHERE status <> 'over';\n"
    "CREATE INDEX match_due ON match (due) WHERE status <> 'over';\n"
    "CREATE TABLE entry (match bigint NOT NULL, version int NOT NULL, kind \"char\" NOT NULL,\n"
    "    ply int NOT NULL, move text NOT NULL,\n"
    " took_ms bigint NOT NULL, white_ms bigint NOT NULL, black_ms bigint NOT NULL, offers int\n"
    "    NOT NULL, at timestamptz NOT NULL,\n"
    " PRIMARY KEY (match, version));\n"
    "CREATE TABLE rating (player bigint NOT NULL REFERENCES player, game text NOT NULL,\n"
    "    variant text NOT NULL, rating float8 NOT NULL,\n"
    " deviation float8 NOT NULL CHECK (deviation > 0), volatility float8 NOT NULL CHECK\n"
    "    (volatility > 0),\n"
    " matches int NOT NULL CHECK (matches > 0), PRIMARY KEY (player, game, variant));\n"
    "CREATE INDEX rating_top ON rating (game, variant, rating DESC);\n"
    "CREATE UNLOGGED TABLE interest (match bigint, node int, watchers int NOT NULL DEFAULT 0,\n"
    "    PRIMARY KEY (match, node));\n"
    "CREATE INDEX interest_node ON interest (node);\n"
    "CREATE SEQUENCE match_number INCREMENT 1000;\n"
    "CREATE SEQUENCE player_id INCREMENT 1000000;\n"
    "CREATE SEQUENCE ended;\n",
    /* Matches that are not rated. */
    "ALTER TABLE match ADD rated bool NOT NULL DEFAULT true;\n",
    /* keep_units() took its place. */
    "DROP PROCEDURE IF EXISTS keep_unit(jsonb, timestamptz);\n",
    NULL};
/* clang-format on */

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
    int version = 0, count = (int)(sizeof steps / sizeof steps[0]) - 1;
    char note[80];

    if (!blocking_run(engine, begin, &version, cause))
        return false;
    if (version > count)
        return cause_set(cause, "engine: its schema is of version %d: this ludusd knows %d",
                         version, count);
    for (int i = version; i < count; i++)
        if (!blocking_run(engine, steps[i], NULL, cause))
            return false;
    for (const char *const *function = postgres_functions; *function != NULL && version < count;
         function++)
        if (!blocking_run(engine, *function, NULL, cause))
            return false;
    snprintf(note, sizeof note, "UPDATE service SET version = %d WHERE version < %d; COMMIT", count,
             count);
    return blocking_run(engine, note, NULL, cause);
}

bool postgres_migrate(const struct engine_address *address, struct cause *cause)
{
    struct blocking *engine = blocking_open(address, cause);

    bool good = engine != NULL && run_steps(engine, cause);
    blocking_close(engine);
    return good;
}
