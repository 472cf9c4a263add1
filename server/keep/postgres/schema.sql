-- The versions of the tables, each as the step from the one before. A released step never changes:
-- append a new one. After any step all of functions.sql is run; where only functions have changed
-- the step is empty.

-- version 1
CREATE TABLE node (
    id int PRIMARY KEY,
    address text NOT NULL,
    epoch bigint NOT NULL DEFAULT 1,
    batch bigint NOT NULL DEFAULT 0,
    stale bigint[] NOT NULL DEFAULT '{}',
    alive bool NOT NULL DEFAULT true,
    seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    sessions int NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

CREATE TABLE player (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('guest', 'named', 'house')),
    bot bool NOT NULL,
    token_hash bytea CHECK (length(token_hash) = 32),
    login int NOT NULL DEFAULT 0,
    node int,
    away timestamptz,
    seen_s bigint NOT NULL,
    CHECK ((kind = 'named') = (token_hash IS NOT NULL))
);
CREATE UNIQUE INDEX player_name ON player (lower(name));
CREATE INDEX player_node ON player (node) WHERE node IS NOT NULL;

CREATE TABLE match (
    number bigint PRIMARY KEY,
    id text NOT NULL UNIQUE,
    once text UNIQUE,
    private bool NOT NULL,
    game text NOT NULL,
    variant text NOT NULL,
    start text NOT NULL,
    opened_s bigint NOT NULL,
    base_ms bigint,
    increment_ms bigint,
    creator bigint REFERENCES player,
    white bigint REFERENCES player,
    black bigint REFERENCES player,
    white_joined bool NOT NULL,
    black_joined bool NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'playing', 'over')),
    started bool NOT NULL,
    result text NOT NULL,
    reason text,
    ended bigint UNIQUE,
    white_rating float8,
    black_rating float8,
    home int NOT NULL,
    due timestamptz,
    CHECK ((status = 'over') = (reason IS NOT NULL)),
    CHECK ((status = 'over') = (ended IS NOT NULL))
);
CREATE INDEX match_list ON match (number) WHERE status <> 'over' AND NOT private;
CREATE INDEX match_white ON match (white, ended);
CREATE INDEX match_black ON match (black, ended);
CREATE INDEX match_creator ON match (creator) WHERE status <> 'over';
CREATE INDEX match_due ON match (due) WHERE status <> 'over';

-- The log of all matches, and what counts: a change is the insert of (match, version + 1).
CREATE TABLE entry (
    match bigint NOT NULL,
    version int NOT NULL,
    kind "char" NOT NULL,
    ply int NOT NULL,
    move text NOT NULL,
    took_ms bigint NOT NULL,
    white_ms bigint NOT NULL,
    black_ms bigint NOT NULL,
    offers int NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (match, version)
);

CREATE TABLE rating (
    player bigint NOT NULL REFERENCES player,
    game text NOT NULL,
    variant text NOT NULL,
    rating float8 NOT NULL,
    deviation float8 NOT NULL CHECK (deviation > 0),
    volatility float8 NOT NULL CHECK (volatility > 0),
    matches int NOT NULL CHECK (matches > 0),
    PRIMARY KEY (player, game, variant)
);
CREATE INDEX rating_top ON rating (game, variant, rating DESC);

-- The servers that look after a match.
CREATE UNLOGGED TABLE interest (
    match bigint,
    node int,
    watchers int NOT NULL DEFAULT 0,
    PRIMARY KEY (match, node)
);
CREATE INDEX interest_node ON interest (node);

CREATE SEQUENCE match_number INCREMENT 1000;
CREATE SEQUENCE player_id INCREMENT 1000000;
CREATE SEQUENCE ended;

-- version 2: matches that are not rated
ALTER TABLE match ADD rated bool NOT NULL DEFAULT true;

-- version 3: keep_units() has taken its place
DROP PROCEDURE IF EXISTS keep_unit(jsonb, timestamptz);

-- version 4: what players think of their moves; of keep_units() without it nobody is left
ALTER TABLE entry ADD eval int CHECK (eval BETWEEN -30000 AND 30000), ADD pv text;
DROP PROCEDURE IF EXISTS keep_units(bigint[], int[], int[], text[], bigint[], bigint[], bigint[], int[],
    jsonb, timestamptz);

-- version 5: seeks that servers offer each other; `match` is the one in which a seek has ended
CREATE TABLE seek (
    node int NOT NULL,
    number bigint NOT NULL,
    line text NOT NULL,
    match bigint,
    PRIMARY KEY (node, number)
);
CREATE INDEX seek_match ON seek (match) WHERE match IS NOT NULL;

-- version 6: keep() takes fewer statements

-- version 7: fewer indexes, as a match gets an entry in each when it is opened, starts and ends; the
-- id of a match that is not private is its number
ALTER TABLE match DROP CONSTRAINT match_ended_key, DROP CONSTRAINT match_once_key,
    DROP CONSTRAINT match_id_key;
CREATE UNIQUE INDEX match_once ON match (once) WHERE once IS NOT NULL;
CREATE UNIQUE INDEX match_secret ON match (id) WHERE private;
DROP INDEX match_white, match_black, match_creator;
CREATE INDEX match_white ON match (white, ended) WHERE white IS NOT NULL;
CREATE INDEX match_black ON match (black, ended) WHERE black IS NOT NULL;
CREATE INDEX match_creator ON match (creator)
WHERE status <> 'over' AND creator IS DISTINCT FROM white AND creator IS DISTINCT FROM black;

-- version 8: servers are told when one comes or goes; unplayed matches do not stay;
-- a batch that ends matches takes a statement less

-- version 9: keep() reads its arrays by subscripts

-- version 10: all that a server looks after is asked for too seldom for an index; keep() tells nobody
-- when it is alone, and tell_all() splits what is too long
DO $$
BEGIN
    LOOP -- servers that are at work take these locks in any order
        BEGIN
            SET LOCAL lock_timeout = '200ms';
            LOCK match, player, interest;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.05);
        END;
    END LOOP;
END $$;
DROP INDEX interest_node;
-- players are never deleted; checking that, for each match three times, took the engine a tenth of all
ALTER TABLE match DROP CONSTRAINT match_creator_fkey, DROP CONSTRAINT match_white_fkey,
    DROP CONSTRAINT match_black_fkey;

-- version 11: that a player has left is left out of a batch if they have come back

-- version 12: nobody is told of a batch while the commit's wait for a standby may have been cancelled
