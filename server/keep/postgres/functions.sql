-- keep() writes a batch: a move is an element of its arrays, anything else an object in `cold`. Its
-- first change moves the server's own row on from the batch before, so that no batch takes effect
-- twice, and none of a server that was taken for dead. All units are written together, with a
-- statement for each table, as a statement by itself costs more than its rows. Only if one of them
-- is stale are they written again, one by one.
--
-- While servers are upgraded one after the other, two versions call these functions. One that is
-- replaced keeps its parameters, and understands what older servers say.
--
-- Servers compare no clocks but the database's.

-- The servers where players are, each once or more. It is planned by itself (OFFSET 0), and so reads these players
-- only, and not all, however many matches ask for it at once.
CREATE OR REPLACE FUNCTION nodes_of(players bigint[]) RETURNS SETOF int LANGUAGE sql STABLE AS $$
    SELECT node FROM here WHERE player = ANY (players)
    UNION ALL
    SELECT node FROM player WHERE id = ANY (players) AND node IS NOT NULL
    OFFSET 0
$$;

-- A player in one column, as each costs a server more than a word: `person` is id, name, kind, bot,
-- seen_s, login, the servers where they are and how many connections they have at each ('1:2,3:1', or
-- '-'; a guest has no rows there), whether they are away, and for how long, in ms; then a line for each
-- rating: game, variant, matches, rating, deviation, volatility; then, if they have one, a line with - and their
-- display name, which servers of the version before take for the rating of an unknown game. `words` is for older
-- ones: with the token's hash, and one server in place of all. The time is that of the statement: a view that
-- calls clock_timestamp() computes all of its columns for whoever selects one.
CREATE OR REPLACE VIEW player_row AS
SELECT id, name, kind,
    concat_ws(' ', id, name, kind, bot, seen_s, coalesce(encode(token_hash, 'hex'), '-'), login,
        coalesce(node, 0), away IS NOT NULL,
        coalesce((extract(epoch FROM statement_timestamp() - away) * 1000)::bigint, 0))
    || coalesce(
        (SELECT string_agg(concat_ws(' ', E'\n' || game, variant, matches, rating, deviation,
            volatility), '')
        FROM rating WHERE player = p.id), '') AS words,
    concat_ws(' ', id, name, kind, bot, seen_s, login,
        (SELECT coalesce(string_agg(h.node || ':' || cardinality(windows), ',' ORDER BY h.node),
            p.node || ':1', '-')
        FROM here h WHERE player = p.id),
        away IS NOT NULL,
        coalesce((extract(epoch FROM statement_timestamp() - away) * 1000)::bigint, 0))
    || coalesce(
        (SELECT string_agg(concat_ws(' ', E'\n' || game, variant, matches, rating, deviation,
            volatility), '')
        FROM rating WHERE player = p.id), '')
    || coalesce(E'\n- ' || display, '') AS person
FROM player p;

-- A match with its log, a line for each entry, the seeks that have ended in it, node and number of each,
-- and its people (`..._row` are for servers of the version before). The age of the turn is without the time in which no server could reach the database.
CREATE OR REPLACE VIEW match_row AS
SELECT m.number, coalesce(l.version, 0) AS version, m.id, m.once, m.private, m.rated, m.started,
    m.opened_s, l.changed_s, m.ended, m.game, m.variant, m.start, m.status, m.result, m.reason, m.base_ms,
    m.increment_ms, m.white_joined, m.black_joined, m.white_rating, m.black_rating,
    (extract(epoch FROM statement_timestamp() - (SELECT downtime FROM service) - l.turn) * 1000)::bigint
        AS turn_age_ms,
    m.creator, m.white, m.black, l.log,
    (SELECT string_agg(concat_ws(' ', s.node, s.number), ' ') FROM seek s WHERE s.match = m.number)
        AS seeks,
    (SELECT words FROM player_row WHERE id = m.white) AS white_row,
    (SELECT words FROM player_row WHERE id = m.black) AS black_row,
    (SELECT words FROM player_row
    WHERE id = m.creator AND m.creator IS DISTINCT FROM m.white AND m.creator IS DISTINCT FROM m.black)
        AS creator_row,
    m.code, m.kicked, m.was_open,
    (SELECT person FROM player_row WHERE id = m.white) AS white_person,
    (SELECT person FROM player_row WHERE id = m.black) AS black_person,
    (SELECT person FROM player_row
    WHERE id = m.creator AND m.creator IS DISTINCT FROM m.white AND m.creator IS DISTINCT FROM m.black)
        AS creator_person,
    m.tournament, m.pairing, m.round
FROM match m
CROSS JOIN LATERAL
    (SELECT max(version) AS version, extract(epoch FROM max(at) FILTER (WHERE kind <> 'o'))::bigint AS changed_s,
        max(at) FILTER (WHERE kind <> 'o') AS turn,
        string_agg(concat_ws(' ', kind, ply, took_ms, white_ms, black_ms, offers, move, 'e' || eval,
            'p' || pv), E'\n' ORDER BY version) AS log
    FROM entry WHERE match = m.number) l;

-- The time that due times and clocks are in: it stands still while no server can reach the database.
CREATE OR REPLACE FUNCTION service_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT clock_timestamp() - downtime FROM service
$$;

-- Adds the time since any server was last seen to the downtime.
CREATE OR REPLACE FUNCTION note_gap() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    gap interval;
BEGIN
    PERFORM 1 FROM service FOR UPDATE;
    SELECT clock_timestamp() - max(seen) INTO gap FROM node WHERE alive;
    IF gap > '0.6 s' THEN -- a server shows a sign of life every 0.4 s
        UPDATE service SET downtime = downtime + gap;
    END IF;
END $$;

-- Server `me` looks after a match no more that is over and without a move. The last one to do so
-- deletes it, so that opening and giving up matches leaves nothing behind. A tournament counts its own.
CREATE OR REPLACE FUNCTION let_go_unplayed(me int, nr bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM match WHERE number = nr AND status = 'over' FOR UPDATE; -- one server at a time
    DELETE FROM interest WHERE match = nr AND node = me;
    IF FOUND AND NOT EXISTS (SELECT FROM interest WHERE match = nr)
        AND EXISTS (SELECT FROM match WHERE number = nr AND status = 'over' AND tournament IS NULL)
        AND (SELECT ply FROM entry WHERE match = nr ORDER BY version DESC LIMIT 1) = 0 THEN
        DELETE FROM entry WHERE match = nr;
        DELETE FROM match WHERE number = nr;
    END IF;
END $$;

-- Servers that look after a match of these players, or at which they are, have to read where they are.
-- A notification takes 7999 bytes: 300 lines.
CREATE OR REPLACE FUNCTION tell_places(me int, ids bigint[]) RETURNS void LANGUAGE sql AS $$
    SELECT set_config('synchronous_commit', 'off', true);
    SELECT pg_notify('ludus' || node, string_agg('h ' || player, E'\n'))
    FROM
        (SELECT node, player, row_number() OVER (PARTITION BY node) / 300 AS part
        FROM
            (SELECT node, player FROM here WHERE player = ANY (ids)
            UNION
            SELECT i.node, m.white FROM match m JOIN interest i ON i.match = m.number
            WHERE m.white = ANY (ids) AND m.ended IS NULL
            UNION
            SELECT i.node, m.black FROM match m JOIN interest i ON i.match = m.number
            WHERE m.black = ANY (ids) AND m.ended IS NULL) x
        WHERE node <> me) y
    GROUP BY node, part
$$;

-- The player is where `here` has them. Their row has to be locked before `here` changes.
CREATE OR REPLACE FUNCTION settle_places(ids bigint[]) RETURNS void LANGUAGE sql AS $$
    UPDATE player p SET
        node = h.lowest, away = CASE WHEN h.lowest IS NULL THEN coalesce(p.away, clock_timestamp()) END
    FROM
        (SELECT x AS id, (SELECT min(node) FROM here WHERE player = x) AS lowest FROM unnest(ids) x) h
    WHERE p.id = h.id AND p.kind = 'named'
        AND (p.node IS DISTINCT FROM h.lowest OR (p.away IS NULL) = (h.lowest IS NULL))
$$;

-- A player is not at server `me`, unless they have come back there since.
CREATE OR REPLACE FUNCTION leave_place(me int, who bigint, was int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM player WHERE id = who FOR UPDATE;
    DELETE FROM here WHERE player = who AND node = me AND login = was;
    IF FOUND THEN
        PERFORM settle_places(ARRAY[who]);
        PERFORM tell_places(me, ARRAY[who]);
    END IF;
END $$;

-- The players of a dead server are away unless they are at others, and the matches of its guests are
-- due. The other servers are told to look who is alive.
CREATE OR REPLACE FUNCTION bury(dead int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    gone bigint[];
BEGIN
    UPDATE match SET due = '-infinity'
    WHERE status <> 'over'
        AND (white IN (SELECT id FROM player WHERE node = dead AND kind = 'guest')
            OR black IN (SELECT id FROM player WHERE node = dead AND kind = 'guest')
            OR creator IN (SELECT id FROM player WHERE node = dead AND kind = 'guest'));
    UPDATE player SET node = NULL, away = clock_timestamp() WHERE node = dead AND kind = 'guest';
    SELECT array_agg(id) INTO gone
    FROM
        (SELECT id FROM player WHERE id IN (SELECT player FROM here WHERE node = dead) OR node = dead
        ORDER BY id FOR UPDATE) x;
    DELETE FROM here WHERE node = dead;
    PERFORM settle_places(gone);
    UPDATE player SET cut = (SELECT seen FROM node WHERE id = dead)
    WHERE id = ANY (gone) AND node IS NULL AND kind = 'named';
    PERFORM let_go_unplayed(dead, number)
    FROM interest JOIN match ON number = match
    WHERE node = dead AND status = 'over'
        AND NOT EXISTS (SELECT FROM entry e WHERE e.match = number AND ply > 0)
    ORDER BY number;
    DELETE FROM interest WHERE node = dead;
    DELETE FROM seek WHERE node = dead;
    PERFORM pg_notify('ludus' || id, 'n') FROM node WHERE alive AND id <> dead;
END $$;

-- Makes server `me` alive at an address, in an epoch of its own; or says which address has its
-- number.
CREATE OR REPLACE FUNCTION join_nodes(me int, place text, timeout_s int,
    OUT my_epoch bigint, OUT taken_by text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_gap();
    SELECT address INTO taken_by FROM node
    WHERE id = me AND alive AND address <> place
        AND seen > clock_timestamp() - make_interval(secs => timeout_s);
    IF FOUND THEN
        RETURN;
    END IF;
    PERFORM bury(me); -- before it is seen again
    INSERT INTO node (id, address) VALUES (me, place)
    ON CONFLICT (id) DO UPDATE SET
        address = excluded.address, epoch = node.epoch + 1, batch = 0, stale = '{}', alive = true,
        seen = clock_timestamp(), since = clock_timestamp(), sessions = 0
    RETURNING epoch INTO my_epoch;
END $$;

-- Returns the epoch and the last batch of server `me`, and what was stale in it; nothing if it is
-- dead. If the epoch is `mine`, the server is seen.
CREATE OR REPLACE FUNCTION own(me int, mine bigint,
    OUT my_epoch bigint, OUT my_batch bigint, OUT my_stale bigint[]) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_gap();
    SELECT epoch, batch, stale INTO my_epoch, my_batch, my_stale FROM node
    WHERE id = me AND alive FOR UPDATE;
    IF my_epoch = mine THEN
        UPDATE node SET
            since = CASE WHEN seen < clock_timestamp() - interval '2 s'
                THEN clock_timestamp() ELSE since END,
            seen = clock_timestamp()
        WHERE id = me;
    END IF;
END $$;

-- Takes servers for dead that were not seen for `timeout_s`, if `me` was seen twice as long.
CREATE OR REPLACE FUNCTION sweep(me int, timeout_s int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    dead int;
BEGIN
    PERFORM 1 FROM node
    WHERE id = me AND alive AND seen > clock_timestamp() - interval '2 s'
        AND since < clock_timestamp() - make_interval(secs => 2 * timeout_s);
    IF NOT FOUND THEN
        RETURN;
    END IF;
    FOR dead IN
        UPDATE node SET alive = false, epoch = epoch + 1
        WHERE id IN
            (SELECT id FROM node
            WHERE alive AND seen < clock_timestamp() - make_interval(secs => timeout_s)
            ORDER BY id FOR UPDATE SKIP LOCKED)
        RETURNING id
    LOOP
        PERFORM bury(dead);
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION leave(me int, mine bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE node SET alive = false, epoch = epoch + 1 WHERE id = me AND epoch = mine;
    IF FOUND THEN
        PERFORM bury(me);
    END IF;
END $$;

-- Takes matches that nobody looks after and whose time has come. They are taken again after 10 s.
CREATE OR REPLACE FUNCTION take_due(most int) RETURNS SETOF bigint LANGUAGE sql AS $$
    UPDATE match SET due = service_now() + interval '10 s'
    WHERE number IN
        (SELECT number FROM match m
        WHERE status <> 'over' AND due < service_now() - interval '4 s'
            AND (due = '-infinity' OR NOT EXISTS
                (SELECT FROM interest i JOIN node n ON n.id = i.node AND n.alive
                WHERE i.match = m.number))
        ORDER BY due LIMIT most FOR UPDATE SKIP LOCKED)
    RETURNING number
$$;

-- The number of the player's token with this hash; null: it is none of theirs.
CREATE OR REPLACE FUNCTION token_of(who bigint, secret bytea) RETURNS int LANGUAGE sql STABLE AS $$
    SELECT number FROM token WHERE player = who AND hash = secret
    UNION ALL
    SELECT 1 FROM player
    WHERE id = who AND token_hash = secret AND NOT EXISTS (SELECT FROM token WHERE player = who)
$$;

-- The player, whose row is locked, is at server `me` alone from now on: the others are told.
CREATE OR REPLACE FUNCTION leave_others(me int, who bigint, new_login int) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('ludus' || node, concat_ws(' ', 'r', who, new_login, me))
    FROM
        (SELECT node FROM here WHERE player = who
        UNION
        SELECT node FROM player WHERE id = who) x -- a server of the version before may have no row
    WHERE node <> me;
    DELETE FROM here WHERE player = who AND node <> me;
END $$;

-- A player with this name and token logs in at server `me`: there `only`, or also there. For `cut_ms`
-- all others where they were have committed nothing. The server that forgives them that says so: whose
-- look-up this is may be gone. With `is_new` the player was not kept as being at `me`.
CREATE OR REPLACE FUNCTION log_in(me int, nm text, secret bytea, sole bool)
    RETURNS TABLE (player_id bigint, new_login int, token_number int, from_node int, cut_ms bigint,
        is_new bool)
    LANGUAGE plpgsql AS $$
BEGIN
    SELECT p.id INTO player_id FROM player p
    WHERE lower(p.name) = lower(nm) AND token_of(p.id, secret) IS NOT NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT p.node, p.login + 1, (extract(epoch FROM clock_timestamp() - coalesce(p.cut,
        (SELECT max(n.seen) FROM here h JOIN node n ON n.id = h.node
        WHERE h.player = p.id HAVING bool_and(h.node <> me)))) * 1000)::bigint
    INTO from_node, new_login, cut_ms
    FROM player p WHERE p.id = player_id FOR UPDATE;
    token_number := token_of(player_id, secret); -- it may have ended meanwhile
    IF token_number IS NULL THEN
        RETURN;
    END IF;
    IF sole THEN
        PERFORM leave_others(me, player_id, new_login);
    END IF;
    is_new := NOT EXISTS (SELECT FROM here h WHERE h.player = player_id AND h.node = me);
    INSERT INTO here AS h (player, node, login, windows)
        VALUES (player_id, me, new_login, ARRAY[token_number])
    ON CONFLICT (player, node) DO UPDATE SET login = excluded.login;
    UPDATE player p SET
        node = (SELECT min(h.node) FROM here h WHERE h.player = player_id), login = p.login + 1, away = NULL
    WHERE p.id = player_id
    RETURNING p.login INTO new_login;
    RETURN NEXT;
END $$;

-- The player is at server `me` alone from now on. Returns their login; null: they are not there, as they were
-- called elsewhere alone a moment ago.
CREATE OR REPLACE FUNCTION stay_alone(me int, nm text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    who bigint;
    new_login int;
BEGIN
    SELECT id, login + 1 INTO who, new_login FROM player WHERE lower(name) = lower(nm) FOR UPDATE;
    UPDATE here SET login = new_login WHERE player = who AND node = me;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    PERFORM leave_others(me, who, new_login);
    UPDATE player SET login = new_login, node = me WHERE id = who;
    RETURN new_login;
END $$;

-- As log_in(), for servers of versions before.
CREATE OR REPLACE FUNCTION log_in(me int, nm text, hash bytea)
    RETURNS TABLE (player_id bigint, new_login int, from_node int, cut_ms bigint) LANGUAGE sql AS $$
    SELECT player_id, new_login, from_node, cut_ms FROM log_in(me, nm, hash, true)
$$;
CREATE OR REPLACE FUNCTION claim(me int, nm text, hash bytea)
    RETURNS TABLE (player_id bigint, new_login int, from_node int) LANGUAGE sql AS $$
    SELECT player_id, new_login, from_node FROM log_in(me, nm, hash)
$$;

-- Ends seeks that were offered to all servers in the matches that units open; raises unless all of
-- them still wait.
CREATE OR REPLACE PROCEDURE keep_seeks(cold jsonb) LANGUAGE plpgsql AS $$
DECLARE
    own int;
    foreigners int;
    done int;
BEGIN
    -- All servers lock them in one order.
    PERFORM 1
    FROM seek s, jsonb_array_elements(cold) u, jsonb_to_recordset(u->'seeks') AS x (node int,
        number bigint)
    WHERE s.node = x.node AND s.number = x.number
    ORDER BY s.node, s.number FOR UPDATE OF s;

    SELECT count(*) FILTER (WHERE x.own), count(*) FILTER (WHERE NOT x.own) INTO own, foreigners
    FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'seeks') AS x (own bool);

    UPDATE seek s SET match = x.match
    FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'seeks') AS x (node int,
        number bigint, match bigint, own bool)
    WHERE NOT x.own AND s.node = x.node AND s.number = x.number AND s.match IS NULL;
    GET DIAGNOSTICS done = ROW_COUNT;
    IF done <> foreigners THEN
        RAISE SQLSTATE 'LU001';
    END IF;

    -- What the server offers itself may not be here yet.
    INSERT INTO seek AS s (node, number, line, match)
        SELECT x.node, x.number, '', x.match
        FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'seeks') AS x (node int,
            number bigint, match bigint, own bool)
        WHERE x.own
    ON CONFLICT (node, number) DO UPDATE SET match = excluded.match WHERE s.match IS NULL;
    GET DIAGNOSTICS done = ROW_COUNT;
    IF done <> own THEN
        RAISE SQLSTATE 'LU001';
    END IF;
END $$;

-- Gives players tokens, or ends one; raises if another server was first, if the device code is not good
-- any more, or if it is the last one: without any, nobody could come back to the name.
CREATE OR REPLACE PROCEDURE keep_tokens(cold jsonb) LANGUAGE plpgsql AS $$
DECLARE
    x record;
BEGIN
    FOR x IN
        SELECT y.*
        FROM jsonb_array_elements(cold) u, jsonb_to_record(u->'token') AS y (player bigint, number int,
            hash bytea, label text, since_s bigint, device bytea, ends int)
        WHERE u ? 'token'
        ORDER BY y.player
    LOOP
        PERFORM 1 FROM player WHERE id = x.player FOR UPDATE; -- one server at a time
        INSERT INTO token (player, number, hash, label, since_s)
            SELECT id, 1, token_hash, '', 0 FROM player
            WHERE id = x.player AND kind = 'named' AND NOT EXISTS (SELECT FROM token WHERE player = x.player);
        IF x.ends IS NOT NULL THEN
            DELETE FROM token WHERE player = x.player AND number = x.ends;
            IF NOT FOUND OR NOT EXISTS (SELECT FROM token WHERE player = x.player) THEN
                RAISE SQLSTATE 'LU001';
            END IF;
            CONTINUE;
        END IF;
        IF x.device IS NOT NULL THEN
            DELETE FROM device WHERE player = x.player AND code = x.device AND until > clock_timestamp();
            IF NOT FOUND THEN
                RAISE SQLSTATE 'LU001';
            END IF;
            UPDATE player SET last_token = x.number WHERE id = x.player AND last_token < x.number;
            IF NOT FOUND THEN
                RAISE SQLSTATE 'LU001';
            END IF;
        END IF;
        -- The first one of a new name is there already.
        INSERT INTO token AS t (player, number, hash, label, since_s)
            VALUES (x.player, x.number, x.hash, x.label, x.since_s)
        ON CONFLICT (player, number) DO UPDATE SET label = excluded.label, since_s = excluded.since_s
        WHERE t.hash = excluded.hash;
        IF NOT FOUND THEN
            RAISE SQLSTATE 'LU001';
        END IF;
    END LOOP;
END $$;

-- Takes over the connections that players have at this server. Who has come back there since has others
-- by now, and who was called elsewhere alone has none.
CREATE OR REPLACE PROCEDURE keep_places(me int, cold jsonb) LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    WITH now AS (SELECT DISTINCT ON (x.id) x.id, x.login,
            -- a server of the version before says only whether there is one
            coalesce(x.windows, CASE WHEN x.node IS NULL THEN '{}'::int[] ELSE '{1}' END) AS windows
        FROM jsonb_array_elements(cold) WITH ORDINALITY u (u, place),
            jsonb_to_recordset(u->'players') AS x (id bigint, kind text, login int, node int, windows int[])
        WHERE x.kind = 'named'
        ORDER BY x.id, place DESC),
    gone AS (DELETE FROM here h USING now
        WHERE h.player = now.id AND h.node = me AND h.login = now.login AND now.windows = '{}'),
    come AS (INSERT INTO here AS h (player, node, login, windows)
        SELECT now.id, me, now.login, now.windows FROM now JOIN player p USING (id)
        WHERE now.windows <> '{}'
            AND (p.login = now.login OR EXISTS (SELECT FROM here WHERE player = now.id AND node = me))
        ON CONFLICT (player, node) DO UPDATE SET windows = excluded.windows
        WHERE h.login = excluded.login)
    SELECT array_agg(id) INTO ids FROM now;
    PERFORM settle_places(ids);
END $$;

-- Gives players display names ('': none), and others names; raises if somebody else has one that looks so. A server
-- of the version before does not say what a new name looks like.
CREATE OR REPLACE PROCEDURE keep_displays(cold jsonb) LANGUAGE plpgsql AS $$
DECLARE
    x record;
BEGIN
    FOR x IN
        SELECT y.*
        FROM jsonb_array_elements(cold) u,
            jsonb_to_recordset(u->'players') AS y (id bigint, display text, looks text)
        WHERE y.looks IS NOT NULL
        ORDER BY y.looks
    LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended(x.looks, 7117)); -- one server at a time
        IF x.looks <> '' AND EXISTS (SELECT FROM player p WHERE p.looks = x.looks AND p.id <> x.id)
            OR x.display <> '' AND EXISTS
                (SELECT FROM player p WHERE name_looks(p.name) = x.looks AND p.kind <> 'guest' AND p.id <> x.id) THEN
            RAISE SQLSTATE 'LU001';
        END IF;
        UPDATE player p SET display = nullif(x.display, ''), looks = nullif(x.looks, '')
        WHERE p.id = x.id AND x.display IS NOT NULL;
    END LOOP;
END $$;

-- Adds a tournament to a series, which its first one begins: then the others are of the same director, game and
-- variant. One that is over brings scores.
CREATE OR REPLACE PROCEDURE keep_series(s jsonb) LANGUAGE plpgsql AS $$
BEGIN
    IF s ? 'scores' THEN
        UPDATE series SET tournaments = tournaments + 1 WHERE name = s->>'name';
        INSERT INTO series_score AS t
            SELECT s->>'name', player, 1, points2, matches, played2, opponents
            FROM jsonb_to_recordset(s->'scores')
                AS x (player bigint, points2 int, matches int, played2 int, opponents float8)
            ORDER BY player
        ON CONFLICT (series, player) DO UPDATE SET tournaments = t.tournaments + 1,
            points2 = t.points2 + excluded.points2, matches = t.matches + excluded.matches,
            played2 = t.played2 + excluded.played2, opponents = t.opponents + excluded.opponents;
        RETURN;
    END IF;
    INSERT INTO series SELECT x.name, x.director, x.game, x.variant
        FROM jsonb_to_record(s) AS x (name text, director bigint, game text, variant text)
    ON CONFLICT DO NOTHING;
    IF NOT EXISTS
        (SELECT FROM series, jsonb_to_record(s) AS x (name text, director bigint, game text, variant text)
        WHERE (series.name, series.director, series.game, series.variant) = (x.name, x.director, x.game, x.variant)) THEN
        RAISE SQLSTATE 'LU001';
    END IF;
END $$;

-- Appends to the logs of tournaments, in the order of their numbers, so that no two servers wait for each other.
CREATE OR REPLACE PROCEDURE keep_tournaments(cold jsonb) LANGUAGE plpgsql AS $$
DECLARE
    c record;
BEGIN
    FOR c IN
        SELECT x.* FROM jsonb_path_query(cold, '$[*].change') j,
            jsonb_to_record(j)
                AS x (tournament bigint, version int, line text, players bigint[], ends bool, series jsonb)
        ORDER BY tournament
    LOOP
        IF c.version = 1 THEN
            INSERT INTO tournament VALUES (c.tournament, 1);
        ELSE
            UPDATE tournament SET version = c.version, ended = CASE WHEN c.ends THEN nextval('ended') END
            WHERE number = c.tournament AND version = c.version - 1;
            IF NOT FOUND THEN
                RAISE SQLSTATE 'LU001';
            END IF;
        END IF;
        INSERT INTO tournament_entry VALUES (c.tournament, c.version, c.line, c.players);
        IF c.series IS NOT NULL THEN
            CALL keep_series(c.series);
        END IF;
    END LOOP;
END $$;

-- What a server that knows these tournaments up to these versions has to read: of those that are over only the
-- latest `most`, unless it knows them.
CREATE OR REPLACE FUNCTION tournament_news(numbers bigint[], versions int[], most int)
    RETURNS SETOF tournament_entry LANGUAGE sql STABLE AS $$
    SELECT e.*
    FROM tournament t
    LEFT JOIN unnest(numbers, versions) AS k (number, version) ON k.number = t.number
    JOIN tournament_entry e ON e.tournament = t.number AND e.version > coalesce(k.version, 0)
    WHERE t.version > coalesce(k.version, 0)
        AND (t.ended IS NULL OR k.number IS NOT NULL OR t.number IN
            (SELECT number FROM tournament WHERE ended IS NOT NULL ORDER BY number DESC LIMIT most))
$$;

-- The matches of these pairings, with their results once they count, but not those without a result that are `known`.
CREATE OR REPLACE FUNCTION pairing_news(numbers bigint[], pairings int[], known bool[])
    RETURNS TABLE (tournament bigint, pairing int, match bigint, result text, reason text) LANGUAGE sql STABLE AS $$
    SELECT m.tournament, m.pairing, m.number, CASE WHEN counts THEN m.result END, CASE WHEN counts THEN m.reason END
    FROM unnest(numbers, pairings, known) AS k (tournament, pairing, known)
    JOIN tournament t ON t.number = k.tournament
    JOIN match m ON m.tournament = k.tournament AND m.pairing = k.pairing
    CROSS JOIN LATERAL (SELECT m.status = 'over' AND (t.ended IS NULL OR m.ended < t.ended) AS counts) c
    WHERE counts OR NOT k.known
$$;

-- Writes all of these units, or raises.
CREATE OR REPLACE PROCEDURE keep_units(me int, m bigint[], v int[], p int[], mv text[], took bigint[],
    w bigint[], b bigint[], o int[], ev int[], pvs text[], cold jsonb, now_ timestamptz)
    LANGUAGE plpgsql AS $$
DECLARE
    ratings_kept int;
    puzzles_kept int;
BEGIN
    INSERT INTO entry
        SELECT m[i], v[i], 'm', p[i], mv[i], took[i], w[i], b[i], o[i], now_, ev[i], pvs[i]
        FROM generate_series(1, cardinality(m)) i
        UNION ALL
        SELECT match, version, kind, ply, move, took_ms, white_ms, black_ms, offers, now_, eval, pv
        FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'entries') AS x (match bigint,
            version int, kind "char", ply int, move text, took_ms bigint, white_ms bigint,
            black_ms bigint, offers int, eval int, pv text);

    -- A statement without rows costs more than the question whether it has any.
    IF cold @? '$[*].players[0]' THEN
        INSERT INTO player (id, name, kind, bot, token_hash, login, node, away, seen_s)
            SELECT DISTINCT ON (x.id) x.id, x.name, x.kind, x.bot, x.token_hash, x.login, x.node,
                CASE WHEN x.node IS NULL THEN clock_timestamp() END, x.seen_s
            FROM jsonb_array_elements(cold) WITH ORDINALITY u (u, place),
                jsonb_to_recordset(u->'players') AS x (id bigint, name text, kind text, bot bool,
                    token_hash bytea, login int, node int, seen_s bigint)
            ORDER BY x.id, place DESC
        -- A name stays; a token is one of keep_tokens().
        ON CONFLICT (id) DO UPDATE SET
            name = CASE player.kind WHEN 'guest' THEN excluded.name ELSE player.name END,
            token_hash = CASE player.kind WHEN 'guest' THEN excluded.token_hash ELSE player.token_hash END,
            kind = CASE player.kind WHEN 'guest' THEN excluded.kind ELSE player.kind END,
            node = CASE player.kind WHEN 'guest' THEN excluded.node ELSE player.node END,
            away = CASE player.kind WHEN 'guest' THEN excluded.away ELSE player.away END,
            bot = player.bot OR excluded.bot,
            seen_s = greatest(player.seen_s, excluded.seen_s);
        CALL keep_places(me, cold);
    END IF;

    IF cold @? '$[*].players[*].looks' THEN
        CALL keep_displays(cold);
    END IF;

    IF cold @? '$[*].token' THEN
        CALL keep_tokens(cold);
    END IF;

    IF cold @? '$[*].strangers[0]' THEN
        INSERT INTO player (id, name, kind, bot, node, seen_s)
            SELECT x.id, x.name, x.kind, x.bot, x.node, x.seen_s
            FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'strangers') AS x (id bigint,
                name text, kind text, bot bool, node int, seen_s bigint)
        ON CONFLICT DO NOTHING;
    END IF;

    IF cold @? '$[*].seeks[0]' THEN
        CALL keep_seeks(cold);
    END IF;

    IF cold @? '$[*].change' THEN
        CALL keep_tournaments(cold);
    END IF;

    IF cold @? '$[*].matches[*].fresh' THEN
        INSERT INTO match (number, id, once, private, rated, game, variant, start, opened_s, base_ms,
            increment_ms, creator, white, black, white_joined, black_joined, status, started, result,
            reason, ended, white_rating, black_rating, home, due, code, kicked, was_open, tournament,
            pairing, round)
        SELECT x.number, x.id, x.once, x.private, x.rated, x.game, x.variant, x.start, x.opened_s,
            x.base_ms, x.increment_ms, x.creator, x.white, x.black, x.white_joined, x.black_joined,
            x.status, x.started, x.result, x.reason,
            CASE WHEN x.status = 'over' THEN nextval('ended') END, x.white_rating, x.black_rating,
            x.home, now_ + make_interval(secs => (j->>'due_ms')::float8 / 1000), x.code, x.kicked,
            coalesce(x.was_open, 0), -- a server of the version before does not say it
            x.tournament, x.pairing, x.round
        FROM jsonb_array_elements(cold) u, jsonb_array_elements(u->'matches') j,
            jsonb_populate_record(NULL::match, j) x
        WHERE j ? 'fresh';
    END IF;

    IF cold @? '$[*].matches[*] ? (!exists (@.fresh))' THEN
        UPDATE match AS old SET
            white = x.white, black = x.black, white_joined = x.white_joined,
            black_joined = x.black_joined, creator = x.creator, status = x.status,
            started = x.started, result = x.result, reason = x.reason,
            due = now_ + make_interval(secs => x.due_ms / 1000),
            ended = CASE WHEN x.status = 'over' THEN coalesce(old.ended, nextval('ended')) END,
            white_rating = x.white_rating, black_rating = x.black_rating,
            kicked = coalesce(x.kicked, old.kicked), was_open = coalesce(x.was_open, old.was_open),
            rated = coalesce(x.rated, old.rated)
        FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'matches') AS x (number bigint,
            creator bigint, white bigint, black bigint, white_joined bool, black_joined bool,
            status text, started bool, result text, reason text, white_rating float8,
            black_rating float8, due_ms float8, fresh bool, kicked text, was_open int,
            rated bool)
        WHERE x.fresh IS NULL AND old.number = x.number;
    END IF;

    -- Where the players are: only a server that is not alone need ask.
    IF cold @? '$[*].matches[*] ? (@.status != "over" || exists (@.fresh))' THEN
        INSERT INTO interest (match, node)
            SELECT x.number, y.node
            FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'matches') AS x (
                number bigint, creator bigint, white bigint, black bigint, status text, home int,
                fresh bool)
            CROSS JOIN LATERAL
                (SELECT x.home AS node WHERE x.fresh
                UNION ALL
                SELECT q.node FROM nodes_of(ARRAY[x.white, x.black, x.creator]) AS q (node)
                WHERE (SELECT count(*) FROM node WHERE alive) > 1) y
            WHERE x.status <> 'over' OR x.fresh
        ON CONFLICT DO NOTHING;
    END IF;

    IF cold @? '$[*].ratings[0]' THEN
        INSERT INTO rating AS old
            SELECT x.*
            FROM jsonb_array_elements(cold) u, jsonb_to_recordset(u->'ratings') AS x (
                player bigint, game text, variant text, rating float8, deviation float8,
                volatility float8, matches int)
            ORDER BY player
        ON CONFLICT (player, game, variant) DO UPDATE SET
            rating = excluded.rating, deviation = excluded.deviation,
            volatility = excluded.volatility, matches = excluded.matches
        WHERE old.matches = excluded.matches - 1;
        GET DIAGNOSTICS ratings_kept = ROW_COUNT;
        IF ratings_kept <> jsonb_array_length(jsonb_path_query_array(cold, '$[*].ratings[*]')) THEN
            RAISE SQLSTATE 'LU001';
        END IF;
    END IF;

    -- Only the first attempt of a player at a puzzle counts: another one is a unique violation.
    IF cold @? '$[*].attempt' THEN
        INSERT INTO attempt (player, game, key)
            SELECT x.player, x.game, x.key
            FROM jsonb_path_query(cold, '$[*].attempt') j,
                jsonb_to_record(j) AS x (player bigint, game text, key bigint);
        INSERT INTO puzzle AS old (game, key, rating, deviation, volatility, attempts)
            SELECT x.game, x.key, x.rating, x.deviation, x.volatility, x.attempts
            FROM jsonb_path_query(cold, '$[*].puzzle') j,
                jsonb_to_record(j) AS x (game text, key bigint, rating float8, deviation float8,
                    volatility float8, attempts int)
            ORDER BY x.game, x.key
        ON CONFLICT (game, key) DO UPDATE SET
            rating = excluded.rating, deviation = excluded.deviation,
            volatility = excluded.volatility, attempts = excluded.attempts
        WHERE old.attempts = excluded.attempts - 1;
        GET DIAGNOSTICS puzzles_kept = ROW_COUNT;
        IF puzzles_kept <> jsonb_array_length(jsonb_path_query_array(cold, '$[*].puzzle')) THEN
            RAISE SQLSTATE 'LU001';
        END IF;
    END IF;
END $$;

-- Writes a batch, commits it, and tells the other servers. `stale` becomes the units that were not
-- written: the numbers of moves' matches, and those of units in `cold`; NULL if the server is dead
-- or the batch is not its next. Servers that look after a match of `told` get its line of `news`, of
-- 490 bytes at most, unless its unit is stale.
CREATE OR REPLACE PROCEDURE keep(me int, my_epoch bigint, my_batch bigint, m bigint[], v int[],
    p int[], mv text[], took bigint[], w bigint[], b bigint[], o int[], ev int[], pvs text[],
    cold jsonb, units bigint[], told bigint[], news text[], INOUT stale bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    u jsonb;
    now_ timestamptz;
    kept timestamptz;
    began timestamptz;
    tries int := 8;
BEGIN
    stale := '{}';
    UPDATE node SET batch = my_batch, stale = '{}', seen = clock_timestamp()
    WHERE id = me AND epoch = my_epoch AND batch = my_batch - 1
        AND seen > clock_timestamp() - interval '1 s'
    RETURNING clock_timestamp() - (SELECT downtime FROM service) INTO now_;
    IF NOT FOUND THEN
        PERFORM note_gap();
        UPDATE node SET
            batch = my_batch, stale = '{}', since = clock_timestamp(), seen = clock_timestamp()
        WHERE id = me AND epoch = my_epoch AND batch = my_batch - 1
        RETURNING service_now() INTO now_;
        IF NOT FOUND THEN
            stale := NULL;
            RETURN;
        END IF;
    END IF;

    BEGIN
        IF cold <> '[]' THEN
            CALL keep_units(me, m, v, p, mv, took, w, b, o, ev, pvs, cold, now_);
        ELSIF m <> '{}' THEN
            INSERT INTO entry
                SELECT m[i], v[i], 'm', p[i], mv[i], took[i], w[i], b[i], o[i], now_, ev[i], pvs[i]
                FROM generate_series(1, cardinality(m)) i;
        END IF;
    EXCEPTION WHEN SQLSTATE 'LU001' OR unique_violation THEN
        WITH i AS (INSERT INTO entry
            SELECT m[i], v[i], 'm', p[i], mv[i], took[i], w[i], b[i], o[i], now_, ev[i], pvs[i]
            FROM generate_series(1, cardinality(m)) i
            ON CONFLICT DO NOTHING
            RETURNING match)
        SELECT coalesce(array_agg(x), '{}') INTO stale FROM unnest(m) x
        WHERE x NOT IN (SELECT match FROM i);
        FOR u IN SELECT * FROM jsonb_array_elements(cold) LOOP
            BEGIN
                CALL keep_units(me, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
                    jsonb_build_array(u), now_);
            EXCEPTION WHEN SQLSTATE 'LU001' OR unique_violation THEN
                stale := stale || (u->>'unit')::bigint;
            END;
        END LOOP;
        UPDATE node SET stale = keep.stale WHERE id = me;
    END;
    began := clock_timestamp();
    COMMIT;

    -- The wait of a commit that took long may have been cancelled, which is not to be seen from here:
    -- then no standby may have the batch. So nobody is told before another commit has come back soon.
    -- Until then nobody knew whose turn it is: a server that reads the match charges from then on.
    WHILE clock_timestamp() - began > interval '250 ms' AND tries > 0 LOOP
        tries := tries - 1;
        kept := now_;
        now_ := service_now();
        UPDATE entry SET at = now_ WHERE at = kept AND match IN
            (SELECT unnest(m) UNION
            SELECT jsonb_path_query(cold, '$[*].matches[*].number')::bigint);
        UPDATE node SET stale = node.stale WHERE id = me;
        began := clock_timestamp();
        COMMIT;
    END LOOP;

    -- Servers that join, register or get one of the players from now on read what is kept; those that
    -- got one meanwhile are registered now. A notification takes 7999 bytes: 16 lines.
    SET LOCAL synchronous_commit = off;
    IF cold @? '$[*].matches[*] ? (@.status != "over")' THEN
        INSERT INTO interest (match, node)
            SELECT x.number, q.node
            FROM jsonb_array_elements(cold) c, jsonb_to_recordset(c->'matches') AS x (
                number bigint, creator bigint, white bigint, black bigint, status text),
                nodes_of(ARRAY[x.white, x.black, x.creator]) AS q (node)
            WHERE x.status <> 'over' AND q.node <> me
                AND (c->>'unit')::bigint <> ALL (stale)
                AND EXISTS (SELECT FROM node WHERE alive AND id <> me)
        ON CONFLICT DO NOTHING;
    END IF;
    PERFORM pg_notify('ludus' || node, string_agg(news[i], E'\n' ORDER BY i))
    FROM generate_series(1, cardinality(told)) i JOIN interest ON match = told[i]
    WHERE node <> me AND units[i] <> ALL (stale)
        AND EXISTS (SELECT FROM node WHERE alive AND id <> me)
    GROUP BY node, i / 16;
    IF cold @? '$[*].players[0]' AND EXISTS (SELECT FROM node WHERE alive AND id <> me) THEN
        PERFORM tell_places(me,
            (SELECT array_agg(x.id)
            FROM jsonb_array_elements(cold) c, jsonb_to_recordset(c->'players') AS x (id bigint)
            WHERE (c->>'unit')::bigint <> ALL (stale)));
    END IF;
    IF cold @? '$[*].change' OR cold @? '$[*].matches[*].tournament' THEN
        PERFORM pg_notify('ludus' || n.id, x.lines)
        FROM node n,
            (SELECT string_agg(DISTINCT concat('u ', t), E'\n') AS lines
            FROM jsonb_array_elements(cold) c
            CROSS JOIN LATERAL
                (SELECT c->'change'->'tournament' AS t WHERE c ? 'change'
                UNION ALL
                SELECT jsonb_path_query(c, '$.matches[*].tournament')) y
            WHERE (c->>'unit')::bigint <> ALL (keep.stale)) x
        WHERE n.alive AND n.id <> me AND x.lines IS NOT NULL;
    END IF;
    IF cold @? '$[*].token.ends' THEN
        PERFORM pg_notify('ludus' || n.id, concat_ws(' ', 'v', x.player, x.ends))
        FROM jsonb_array_elements(cold) c, jsonb_to_record(c->'token') AS x (player bigint, ends int),
            node n
        WHERE x.ends IS NOT NULL AND (c->>'unit')::bigint <> ALL (keep.stale) AND n.alive AND n.id <> me;
    END IF;
    COMMIT;
END $$;

-- Tells several lines, of 4096 bytes at most, each about a match, or (0) to all. They are not kept: the
-- commit waits for nobody. A notification takes 7999 bytes: its first line, and 3800 more at most.
CREATE OR REPLACE FUNCTION tell_all(me int, abouts bigint[], lines text[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL synchronous_commit = off;
    PERFORM pg_notify('ludus' || node, string_agg(line, E'\n' ORDER BY place))
    FROM
        (SELECT node, line, place,
            sum(octet_length(line) + 1) OVER (PARTITION BY node ORDER BY place) / 3800 AS part
        FROM
            (SELECT id AS node, 'c 0 ' || line AS line, place
            FROM node, unnest(abouts, lines) WITH ORDINALITY AS x (about, line, place)
            WHERE alive AND id <> me AND about = 0
            UNION ALL
            SELECT node, concat_ws(' ', 'c', about, line), place
            FROM unnest(abouts, lines) WITH ORDINALITY AS x (about, line, place)
            JOIN interest ON match = about
            WHERE about <> 0 AND node <> me) y) z
    GROUP BY node, part
    ORDER BY node, part;
END $$;

-- Server `me` offers a seek to all others, or (`what` is null) does not any more.
CREATE OR REPLACE FUNCTION offer_seek(me int, mine bigint, nr bigint, what text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL synchronous_commit = off;
    PERFORM 1 FROM node WHERE id = me AND epoch = mine FOR SHARE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF what IS NULL THEN
        DELETE FROM seek WHERE node = me AND number = nr;
    ELSE
        INSERT INTO seek AS s (node, number, line) VALUES (me, nr, what)
        ON CONFLICT (node, number) DO UPDATE SET line = excluded.line WHERE s.match IS NULL;
    END IF;
    PERFORM pg_notify('ludus' || id, concat_ws(' ', 's', me, nr, what)) FROM node
    WHERE alive AND id <> me;
END $$;

-- Tells the servers that look after these matches, or have a player of theirs, to read them.
CREATE OR REPLACE FUNCTION tell_again(me int, numbers bigint[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO interest (match, node)
        SELECT m.number, q.node
        FROM match m, nodes_of(ARRAY[m.white, m.black, m.creator]) AS q (node)
        WHERE m.number = ANY (numbers) AND m.status <> 'over' AND q.node <> me
    ON CONFLICT DO NOTHING;
    SELECT pg_notify('ludus' || node, concat_ws(' ', 't', match,
        (SELECT max(version) FROM entry e WHERE e.match = i.match)))
    FROM interest i WHERE match = ANY (numbers) AND node <> me
$$;
