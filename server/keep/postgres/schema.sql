-- The steps of the tables, each from one version to the next. A released step never changes: append a new
-- one. After any step all of functions.sql is run; where only functions have changed the step is empty.

-- version 12
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

-- Players are never deleted: checking that those of a match exist, three times for each match, took a tenth
-- of all the time of the database. Each index costs when a match is opened, starts and ends, so there are few:
-- the id of a match that is not private is its number.
CREATE TABLE match (
    number bigint PRIMARY KEY,
    id text NOT NULL,
    once text,
    private bool NOT NULL,
    game text NOT NULL,
    variant text NOT NULL,
    start text NOT NULL,
    opened_s bigint NOT NULL,
    base_ms bigint,
    increment_ms bigint,
    creator bigint,
    white bigint,
    black bigint,
    white_joined bool NOT NULL,
    black_joined bool NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'playing', 'over')),
    started bool NOT NULL,
    result text NOT NULL,
    reason text,
    ended bigint,
    white_rating float8,
    black_rating float8,
    home int NOT NULL,
    due timestamptz,
    rated bool NOT NULL DEFAULT true,
    CHECK ((status = 'over') = (reason IS NOT NULL)),
    CHECK ((status = 'over') = (ended IS NOT NULL))
);
CREATE UNIQUE INDEX match_once ON match (once) WHERE once IS NOT NULL;
CREATE UNIQUE INDEX match_secret ON match (id) WHERE private;
CREATE INDEX match_list ON match (number) WHERE status <> 'over' AND NOT private;
CREATE INDEX match_white ON match (white, ended) WHERE white IS NOT NULL;
CREATE INDEX match_black ON match (black, ended) WHERE black IS NOT NULL;
CREATE INDEX match_creator ON match (creator)
WHERE status <> 'over' AND creator IS DISTINCT FROM white AND creator IS DISTINCT FROM black;
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
    eval int CHECK (eval BETWEEN -30000 AND 30000), -- what the player thinks of the move
    pv text,
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

-- Seeks that servers offer each other; `match` is the one in which a seek has ended.
CREATE TABLE seek (
    node int NOT NULL,
    number bigint NOT NULL,
    line text NOT NULL,
    match bigint,
    PRIMARY KEY (node, number)
);
CREATE INDEX seek_match ON seek (match) WHERE match IS NOT NULL;

CREATE SEQUENCE match_number INCREMENT 1000;
CREATE SEQUENCE player_id INCREMENT 1000000;
CREATE SEQUENCE ended;

-- version 13: servers read matches and players from views; of the two older keep() nobody is left
DROP PROCEDURE IF EXISTS keep(int, bigint, bigint, bigint[], int[], int[], text[], bigint[], bigint[],
    bigint[], int[], int[], text[], jsonb, bigint[]);
DROP PROCEDURE IF EXISTS keep(int, bigint, bigint, bigint[], int[], int[], text[], bigint[], bigint[],
    bigint[], int[], jsonb, bigint[]);

-- version 14: `cut` is when the server of a player, which was then taken for dead or has left, was last seen
ALTER TABLE player ADD cut timestamptz;

-- version 15: words that open seats, who has lost one, and which seats were open
ALTER TABLE match ADD code text, ADD kicked text, ADD was_open int NOT NULL DEFAULT 0;

-- version 16: the best of each variant are read in the order of an index
DROP INDEX rating_top;
CREATE INDEX rating_top ON rating (game, variant, rating DESC, deviation, player);

-- version 17: who logs in at the server where they are gets no time back for it

-- version 18: tokens, as a store has them: a player without rows has one, number 1, of which only
-- player.token_hash is known; and codes by which another device gets one, as hashes
ALTER TABLE player ADD last_token int NOT NULL DEFAULT 1; -- no number is given twice
CREATE TABLE token (
    player bigint NOT NULL REFERENCES player,
    number int NOT NULL CHECK (number > 0),
    hash bytea NOT NULL CHECK (length(hash) = 32),
    label text NOT NULL,
    since_s bigint NOT NULL, -- 0: unknown
    PRIMARY KEY (player, number)
);
CREATE TABLE device (
    player bigint PRIMARY KEY REFERENCES player,
    code bytea NOT NULL,
    until timestamptz NOT NULL
);

-- version 19: the connections of named players at each server: the tokens with which they have come.
-- player.node stays the lowest of these servers, or where a guest is
CREATE TABLE here (
    player bigint NOT NULL REFERENCES player,
    node int NOT NULL,
    login int NOT NULL, -- the player's, when they last came there
    windows int[] NOT NULL,
    PRIMARY KEY (player, node)
);
CREATE INDEX here_node ON here (node);
INSERT INTO here SELECT id, node, login, '{1}' FROM player WHERE node IS NOT NULL AND kind = 'named';
DROP PROCEDURE IF EXISTS keep_units(bigint[], int[], int[], text[], bigint[], bigint[], bigint[], int[], int[],
    text[], jsonb, timestamptz);

-- version 20: tournaments. Like a match each has a log, in which a change is the insert of (tournament, version + 1);
-- which matches they have and how those ended, the matches say. `ended` is from the sequence of the matches: those that
-- end later do not count
CREATE TABLE tournament (
    number bigint PRIMARY KEY,
    version int NOT NULL,
    ended bigint
);
CREATE INDEX tournament_over ON tournament (number) WHERE ended IS NOT NULL;
CREATE TABLE tournament_entry (
    tournament bigint NOT NULL REFERENCES tournament,
    version int NOT NULL,
    line text NOT NULL,
    players bigint[] NOT NULL, -- whom the line names
    PRIMARY KEY (tournament, version)
);
ALTER TABLE match ADD tournament bigint, ADD pairing int, ADD round int;
CREATE UNIQUE INDEX match_pairing ON match (tournament, pairing) WHERE tournament IS NOT NULL;

-- version 21: log_in says whether the player was at that server before; the time of an entry is that of its commit
DROP FUNCTION IF EXISTS log_in(int, text, bytea, bool);

-- version 22: display names, and what they and names look like (server/model/display.h). What others have of a name
-- of ASCII never changes: an index is made of it
ALTER TABLE player ADD display text, ADD looks text;
CREATE UNIQUE INDEX player_looks ON player (looks) WHERE looks IS NOT NULL;
CREATE FUNCTION name_looks(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT replace(replace(translate(lower(name), '01i_-:', 'oll'), 'm', 'rn'), 'w', 'vv')
$$;
CREATE INDEX player_name_looks ON player (name_looks(name)) WHERE kind <> 'guest';

-- version 23: the first review of a finished match, a line for each ply, as a store has it
CREATE TABLE review (
    match bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
    lines text NOT NULL
);

-- version 24: series of tournaments: the director, game and variant of the first one, and what those that are over add
-- up to. A tournament says in its log to which it belongs
CREATE TABLE series (
    name text PRIMARY KEY,
    director bigint NOT NULL,
    game text NOT NULL,
    variant text NOT NULL,
    tournaments int NOT NULL DEFAULT 0
);
CREATE TABLE series_score (
    series text NOT NULL REFERENCES series,
    player bigint NOT NULL,
    tournaments int NOT NULL,
    points2 bigint NOT NULL,
    matches bigint NOT NULL,
    played2 bigint NOT NULL,
    opponents float8 NOT NULL,
    PRIMARY KEY (series, player)
);

-- version 25: how puzzles are rated that somebody has tried, and which ones each player has, as a store has them
CREATE TABLE puzzle (
    game text NOT NULL,
    key bigint NOT NULL CHECK (key >= 0),
    rating float8 NOT NULL,
    deviation float8 NOT NULL CHECK (deviation > 0),
    volatility float8 NOT NULL CHECK (volatility > 0),
    attempts int NOT NULL CHECK (attempts > 0),
    PRIMARY KEY (game, key)
);
CREATE TABLE attempt (
    player bigint NOT NULL REFERENCES player,
    game text NOT NULL,
    key bigint NOT NULL,
    PRIMARY KEY (player, game, key)
);

-- version 26: the functions read a match for less, and ask nodes_of() where its players are
DROP VIEW IF EXISTS places;
