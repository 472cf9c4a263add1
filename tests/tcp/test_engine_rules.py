"""Two servers on one PostgreSQL with standbys: each rule by which they share it, with a failure that
would show if it were broken.

usage: test_engine_rules.py BUILD_DIR

The rules are numbered as in server/keep/postgres/postgres.h. Skipped without PostgreSQL.
"""
import socket
import struct
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../cluster")
import postgres
from browser import Browser, request
from harness import Checks, Connection, build_folder, wait_until
from nodes import Node, on_database
from engine_stage import GAME, MOVES, TRIES, Stage, Table, hear, is_silent, is_soon

UNPLAYED = 12  # more than a server has in memory
RATED = 100000

stage = None


def the_log_is_dense(checks):
    """1. Every change is one more entry, take-backs too."""
    table = Table(stage)
    checks.check(table.move(0) and table.move(1), "two moves over two servers")
    table.anna.ask(f"undo {table.match}")
    table.bob.wait_for("offer", what="undo")
    checks.equal(table.bob.ask(f"undo {table.match}")["type"], "ok", "the take-back")
    table.anna.wait_for("state", match=table.match, ply=0)
    checks.equal(table.versions(), list(range(1, 7)), "opened, joined, two moves, offer, take-back")
    table.close()


def an_end_is_told(checks):
    """Another server hears of an end, and reads what is kept."""
    table = Table(stage, game="clobber:2x2")
    table.moves(table.match, table.anna, table.bob)
    table.anna.send(f"move {table.match} a1b1 eval=30000 pv=a1b1")
    states = [player.wait_for("state", match=table.match, status="over") for player in (table.anna, table.bob)]
    checks.equal((states[1]["result"], states[1]["reason"]), ("1-0", "no-moves"), "by the rules")
    for what in ("result", "reason", "ply", "players"):
        checks.equal(states[1][what], states[0][what], f"the {what} at both")
    checks.equal(*table.record(), "the record of both")
    table.anna.ask(f"rematch {table.match}")
    table.bob.wait_for("offer", what="rematch")
    table.bob.ask(f"rematch {table.match}")
    again = table.anna.wait_for("state", ply=0, status="playing")["match"]
    table.moves(again, table.bob, table.anna)
    table.bob.ask(f"resign {again}")
    state = table.anna.wait_for("state", match=again, status="over")
    checks.equal(state["reason"], "resign", "by a player")
    checks.equal(stage.sql("SELECT matches FROM ludus.rating r JOIN ludus.player p ON p.id = r.player WHERE p.name IN "
                           f"('{table.names[0]}', '{table.names[1]}')"), [["2"], ["2"]], "rated twice")
    table.close()


def nobody_is_told_before(checks):
    """2 and 3. While a commit waits nobody is told, and other lines go on."""
    table = Table(stage)
    with stage.without_standbys():
        table.anna.send(f"#m move {table.match} {MOVES[0]}")
        checks.check(is_silent(table.anna), "no reply before a standby has it")
        checks.check(is_silent(table.bob), "no event before a standby has it")
        other = Connection(stage.nodes[0].port)
        checks.equal(other.ask("ping x")["type"], "pong", "others are served meanwhile")
        other.close()
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "told then")
    table.close()


def a_stale_line_runs_again(checks):
    """4. Another server was first, and its news was lost: the line runs on what is kept."""
    table = Table(stage)
    stage.sql(f"INSERT INTO ludus.entry SELECT match, version + 1, 'm', 1, '{MOVES[0]}', 7, -1, -1, 0, now() "
              f"FROM ludus.entry WHERE match = {table.match} ORDER BY version DESC LIMIT 1")
    reply = table.anna.ask(f"move {table.match} {MOVES[2]} ply=0")
    checks.equal(reply.get("code"), "stale-ply", "the move of another server counts")
    checks.equal(table.versions(), [1, 2, 3], "and nothing else does")
    told = [state["last"] for state in hear(table.bob)]
    checks.check(set(told) <= {MOVES[0]}, "and the move that does not is told to nobody", told)
    table.close()


def a_stale_line_is_alone(checks):
    """4. What is in one batch with a stale line is kept."""
    first, stale, good = Table(stage), Table(stage), Table(stage)
    guest = Connection(stage.nodes[0].port)
    stage.sql(f"INSERT INTO ludus.entry SELECT match, version + 1, 'm', 1, '{MOVES[0]}', 7, -1, -1, 0, now() "
              f"FROM ludus.entry WHERE match = {stale.match} ORDER BY version DESC LIMIT 1")
    with stage.without_standbys():
        first.anna.send(f"#m move {first.match} {MOVES[0]} ply=0")
        checks.check(is_silent(first.anna), "a batch is in flight, and the next collects")
        for table in (stale, good):
            table.anna.send(f"#m move {table.match} {MOVES[2]} ply=0")
        guest.send(f"#n new {GAME}")
        checks.check(is_silent(guest), "the match that is opened waits, too")
    checks.equal(stale.anna.wait_for("error", id="m")["code"], "stale-ply", "the stale move")
    checks.check(good.anna.wait_for("ok", id="m") is not None, "the good move")
    checks.check(guest.wait_for("ok", id="n") is not None, "the match is open")
    checks.equal((stale.versions(), good.versions()), ([1, 2, 3], [1, 2, 3]), "each has one more entry")
    guest.close()
    for table in (first, stale, good):
        table.close()


def a_long_list_comes_in_blocks(checks):
    """A page of `list` looks at a block of matches, the newest first; those that everybody has left come last there."""
    anna = Connection(stage.nodes[0].port, "anna0")
    stage.sql("INSERT INTO ludus.player (id, name, kind, bot, seen_s) VALUES (-1, 'gone', 'guest', false, 0),"
              " (-2, 'robot', 'guest', true, 0)")
    stage.sql("INSERT INTO ludus.match (number, id, private, game, variant, start, opened_s, creator, white, white_joined,"
              " black_joined, status, started, result, home) SELECT 9000000 + i, 'z' || i, false, 'clobber', '5x6', '', 0,"
              " x.id, x.id, true, false, 'open', false, 'none', 1 FROM generate_series(1, 2300) i, ludus.player x"
              " WHERE x.name = CASE WHEN i > 2290 THEN 'gone' ELSE 'anna0' END")
    stage.sql("INSERT INTO ludus.match (number, id, private, game, variant, start, opened_s, creator, white, white_joined, black,"
              " black_joined, status, started, result, home) SELECT 9000000 + i, 'z' || i, false, 'clobber', '5x6', '', 0, w.id,"
              " w.id, true, b.id, true, 'playing', true, 'none', 1 FROM (VALUES (2301, 'gone', 'gone'), (2302, 'robot', 'gone'),"
              " (2303, 'anna0', 'gone'), (2304, 'robot', 'robot')) v (i, white, black)"
              " JOIN ludus.player w ON w.name = white JOIN ludus.player b ON b.name = black")
    pages = [anna.ask(f"list from={start}") for start in range(0, 2200, 200)]
    rows = [row for page in pages for row in page["matches"]]
    checks.equal(len({row["match"] for row in rows}), 2200, "each match is on one page")
    checks.equal([place for place, row in enumerate(rows) if row["away"]], list(range(488, 500)), "the last of their block")
    checks.equal([row["match"] for row in rows[:3]], ["z2304", "z2303", "z2290"], "the newest first")
    checks.equal([row["match"] for row in rows[488:490]], ["z2302", "z2301"], "nobody waits for bots")
    checks.check(pages[0]["total"] >= 2300, "how many there are")
    checks.equal(anna.ask("who from=999")["total"], anna.ask("who")["total"], "how many players, on an empty page")
    checks.equal(anna.ask("record nomatch").get("code"), "unknown-match", "the record of none")
    stage.sql("DELETE FROM ludus.match WHERE number > 9000000")
    anna.close()


def time_of(function):
    """Returns how many seconds it takes."""
    began_s = time.monotonic()
    function()
    return time.monotonic() - began_s


def the_best_are_found(checks):
    """`top` has the best of each variant, those of one rating by deviation and name, however many there are, and soon."""
    anna = Connection(stage.nodes[0].port, "anna-top")
    stage.sql("INSERT INTO ludus.player (id, name, kind, bot, token_hash, seen_s) SELECT 8000000000000 + i, 'top' || i, 'named', false,"
              f" decode(lpad(to_hex(i), 64, '0'), 'hex'), 0 FROM generate_series(1, {RATED}) i")
    stage.sql("INSERT INTO ludus.rating SELECT 8000000000000 + i, game, variant, greatest(2500 - i / 20, 100), 60 + i % 2, 0.06, 5"
              f" FROM (VALUES ('clobber', '5x6', {RATED}), ('clobber', '4x4', 600), ('shakti', 'shakti', 600)) v (game, variant, count),"
              " generate_series(1, count) i")
    best = sorted(range(1, 601), key=lambda i: (i // 20, i % 2, f"top{i}"))
    for line, count in (("top clobber:5x6", 200), ("top clobber:4x4", 200), ("top", 10)):
        players = [row for row in anna.ask(line)["players"] if row["name"].startswith("top")]
        lists = {}
        for row in players:
            lists.setdefault((row["game"], row["variant"]), []).append((row["rank"], row["name"]))
        checks.equal(len(lists), 1 if ":" in line else 3, f"lists of {line}")
        for variant, rows in lists.items():
            checks.equal(rows, [(rank, f"top{i}") for rank, i in enumerate(best[:count], 1)], f"{line}: {variant}")
        took_s = min(time_of(lambda line=line: anna.ask(line)) for _ in range(20))
        checks.check(took_s <= 0.04, f"{line} is answered in 40 ms where {RATED} are rated", f"{took_s * 1000:.1f} ms")
    stage.sql("SET session_replication_role = replica; DELETE FROM ludus.rating WHERE player > 8000000000000;"
              " DELETE FROM ludus.player WHERE id > 8000000000000")  # nothing else names them: looking for that takes long
    anna.close()


def the_lobby_is_told_once(checks):
    """Many matches at once: those who watch the lobby elsewhere hear of each, once."""
    guest, watcher = Connection(stage.nodes[0].port), Connection(stage.nodes[1].port)
    watcher.ask("watch lobby")
    guest.send(*["#n new clobber:5x6"] * 60)
    opened = [guest.wait_for("ok", id="n")["match"] for _ in range(60)]
    guest.send(*[f"abort {match}" for match in opened])
    told = []
    while not told or told[-1] != ("over", opened[-1]):
        event = watcher.wait_for("lobby")
        told += [(event["what"], event["match"])] if event["match"] in opened else []
    checks.equal(sorted(told), sorted((what, match) for what in ("opened", "over") for match in opened), "told once")
    guest.close()
    watcher.close()


def an_unplayed_match_goes(checks):
    """A match that is over without a move goes from the database with the last server that has it in memory."""
    guest, watcher = Connection(stage.nodes[0].port), Connection(stage.nodes[1].port)
    begun = [guest.ask(f"new {GAME}")["match"] for _ in range(3)]
    seen, gone, played = begun
    watcher.ask(f"watch {seen}")
    watcher.ask(f"join {played}")
    guest.wait_for("state", match=played, status="playing")
    guest.ask(f"move {played} {MOVES[0]}")
    guest.send(*[f"abort {match}" for match in (seen, gone)], *["#n new clobber:5x6"] * UNPLAYED)
    guest.send(*[f"abort {guest.wait_for('ok', id='n')['match']}" for _ in range(UNPLAYED)], f"resign {played}")
    kept = f"SELECT number FROM ludus.match WHERE number IN ({seen}, {gone}, {played}) ORDER BY number"
    wait_until(lambda: stage.sql(kept) == [[seen], [played]], "the one that nobody else has goes, and others stay")
    checks.equal(stage.sql(f"SELECT * FROM ludus.entry WHERE match = {gone}"), [], "and its log")
    checks.equal([watcher.ask(f"state {match}").get("code") for match in begun], [None, "unknown-match", None], "as seen")
    stage.nodes[1].stop()
    wait_until(lambda: seen not in sum(stage.sql(kept), []), "it goes with the server that has it")
    checks.equal(guest.ask(f"record {played}")["moves"], [MOVES[0]], "what was played stays")
    stage.nodes[1].start()
    stage.nodes[1].wait()
    guest.close()


def a_player_comes_meanwhile(checks):
    """A player comes to another server while a match with them is being kept: that server hears of it."""
    bob = Connection(stage.nodes[1].port, "bob-comes")
    token = bob.token
    bob.close()
    wait_until(lambda: stage.sql("SELECT node FROM ludus.player WHERE name = 'bob-comes'") == [[""]], "bob leaves")
    anna = Connection(stage.nodes[0].port, "anna-asks")
    with stage.matches_held_up():
        anna.send(f"#n new {GAME} white=me black=bob-comes")
        stage.wait_for_batch("Lock/advisory")
        bob = Connection(stage.nodes[1].port)
        checks.equal(bob.ask(f"hello bob-comes token={token}")["type"], "ok", "he is not kept waiting")
        checks.check(is_silent(bob), "and is told nothing yet")
    match = anna.wait_for("ok", id="n")["match"]
    checks.equal(bob.wait_for("challenge")["match"], match, "told then")
    for player in (anna, bob):
        player.close()


def whereabouts(name):
    """Returns the server where the database says that a player is, and how often they have come back."""
    return stage.sql(f"SELECT coalesce(node, 0), login FROM ludus.player WHERE name = '{name}'")[0]


def see_what_closed():
    """Waits until the first server has seen which connections were closed: it answers one that came later."""
    guest = Connection(stage.nodes[0].port)
    if guest.ask("ping x")["type"] != "pong":
        raise RuntimeError("a ping gets no pong")
    guest.close()


def who_leaves_in_a_batch_is_gone(checks):
    """A player leaves while the database is keeping their rating: it learns of that, too."""
    table = Table(stage)
    checks.check(table.move(0) and table.move(1), "enough to be rated")
    with stage.locked("entry"):
        table.anna.send(f"resign {table.match}")
        stage.wait_for_batch("Lock/%")
        table.anna.close()
        see_what_closed()
    table.bob.wait_for("state", match=table.match, status="over")
    wait_until(lambda: whereabouts(table.names[0]) == ["0", "0"], "anna is nowhere")
    checks.equal([row["name"] for row in table.bob.ask("who")["players"]], [table.names[1]], "who is here")
    table.bob.close()


def who_comes_back_is_not_gone(checks):
    """A player comes back before the database has kept that they left."""
    table, carl = Table(stage), Connection(stage.nodes[0].port, "carl-returns")
    with stage.locked("entry"):
        table.anna.send(f"move {table.match} {MOVES[0]}")
        stage.wait_for_batch("Lock/%")
        carl.close()
        see_what_closed()
        again = Connection(stage.nodes[0].port)
        again.send(f"hello carl-returns token={carl.token}")
        wait_until(lambda: whereabouts("carl-returns") == ["1", "1"], "the database knows that he is back")
    checks.equal(again.read()["type"], "ok", "and so does he")
    checks.check(table.move(1), "later batches are kept")
    checks.equal(whereabouts("carl-returns"), ["1", "1"], "the note that he left is dropped")
    again.close()
    table.close()


def a_line_outlives_its_peer(checks):
    """A line that sleeps runs, though its peer breaks the connection meanwhile."""
    table = Table(stage)
    with stage.without_standbys():
        table.anna.send(f"move {table.match} {MOVES[0]}", f"resign {table.match}", "ping x")
        checks.check(is_silent(table.anna), "the first waits, and so do the others")
        table.anna.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        table.anna.close()
    checks.equal(table.bob.wait_for("state", match=table.match, status="over")["reason"], "resign", "it counts")
    table.close()


def a_server_is_killed_while_it_pairs(checks, anna, bob):
    """Returns false if another batch was first, so that they are paired later."""
    pairs = ("SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
             "WHERE relation = 'ludus.seek'::regclass AND wait_event = 'SyncRep'")
    with stage.without_standbys():
        bob.send("seek clobber:2x2")
        if not is_soon(lambda: stage.sql(pairs) != [["0"]]):
            return False
        stage.nodes[1].kill()
        checks.equal(hear(anna), [], "the server of one is killed while it pairs them")
    return True


def seekers_meet(checks):
    """Seeks that wait at two servers are paired once, whichever server is first, and not if one has gone."""
    anna, bob = Connection(stage.nodes[0].port, "anna-seeks"), Connection(stage.nodes[1].port, "bob-seeks")
    for game in ("shakti", "latrunculi", "clobber", "xadrersi"):
        anna.send(f"seek {game}")
        bob.send(f"seek {game}")
        told = [player.wait_for("paired", game=game) for player in (anna, bob)]
        checks.equal([(it["match"], it["opponent"]) for it in told],
                     [(told[0]["match"], name) for name in ("bob-seeks", "anna-seeks")], game)
        anna.ask(f"resign {told[0]['match']}")
        bob.wait_for("state", match=told[0]["match"], status="over")
    number = anna.ask("seek clobber:2x2 repeat=yes")["seek"]
    wait_until(lambda: bob.ask("seeks")["total"] == 1, "it is known elsewhere")
    checks.equal(bob.ask("seeks")["seeks"][0]["seek"], f"{number}@1", "its number there")
    stage.sql("UPDATE ludus.seek SET match = -1")
    bob.ask("seek clobber:2x2")
    checks.check(is_silent(bob), "one that another server has paired is not")
    stage.sql("DELETE FROM ludus.seek")
    stage.end_sessions("NOT LIKE")
    checks.equal(anna.wait_for("paired")["seek"], number, "it still waits, and is offered again")
    match = bob.wait_for("paired")["match"]
    anna.ask(f"resign {match}")
    anna.wait_for("state", status="over", variant="2x2")
    wait_until(lambda: bob.ask("seeks")["total"] == 1, "it waits once more")
    stage.sql(f"UPDATE ludus.seek SET match = {match}")
    stage.end_sessions("NOT LIKE")
    wait_until(lambda: stage.sql("SELECT match IS NULL FROM ludus.seek") == [["t"]], "what says otherwise is old")
    wait_until(lambda: bob.ask("seeks")["total"] == 1, "that is known elsewhere")
    spoilt = 0
    while spoilt < TRIES and not a_server_is_killed_while_it_pairs(checks, anna, bob):
        match = bob.wait_for("paired")["match"]
        anna.ask(f"resign {match}")
        anna.wait_for("state", match=match, status="over")
        wait_until(lambda: bob.ask("seeks")["total"] == 1, "it waits again")
        spoilt += 1
    anna.ask(f"abort {anna.wait_for('paired')['match']}")
    anna.ask("unseek")
    checks.equal(stage.sql("SELECT count(*) FROM ludus.match WHERE variant = '2x2'"), [[str(2 + spoilt)]],
                 "paired once each time")
    wait_until(lambda: stage.sql("SELECT * FROM ludus.seek") == [], "no seek is left")
    stage.nodes[1].start()
    stage.nodes[1].wait()
    anna.close()


def a_server_that_comes_back_has_its_players(checks):
    """Others learn of a server that was killed and started again before they hear of those who come there."""
    anna = Connection(stage.nodes[0].port, "anna-waits")
    match = anna.ask(f"new {GAME}")["match"]
    stage.nodes[1].kill()
    stage.nodes[1].start()
    stage.nodes[1].wait()
    bob = Connection(stage.nodes[1].port, "bob-is-new")
    bob.ask(f"join {match}")
    news = []
    while news.count("nodes") < 2 or "playing" not in news:
        message = anna.read()
        news.append(message["type"] if message["type"] != "state" else message["status"])
    checks.equal(anna.ask(f"state {match}")["players"]["black"]["online"], True, "the one who has just come is there")
    checks.check("presence" not in news, "and was never gone", news)
    for player in (anna, bob):
        player.close()


def window_of(table, server, options=""):
    """Returns another connection of Anna's, at a server."""
    window = Connection(stage.nodes[server].port)
    window.do(f"hello {table.names[0]} token={table.anna.token}{options}")
    return window


def online(connection, match):
    return connection.ask(f"state {match}")["players"]["white"]["online"]


def a_player_is_at_two_servers(checks):
    """9. Each window hears of everything, and they count together; who has one left is here."""
    table = Table(stage)
    phone = window_of(table, 1)
    checks.check(phone.wait_for("state", match=table.match) is not None, "it is told of the match")
    checks.check(table.anna.wait_for("windows", count=2) is not None, "the first one hears of it")
    checks.equal(phone.ask(f"move {table.match} {MOVES[0]} ply=0")["type"], "ok", "a move there")
    checks.check(table.anna.wait_for("state", match=table.match, ply=1) is not None, "told at the other server")
    checks.check(table.move(1), "and the answer")
    checks.check(phone.wait_for("state", match=table.match, ply=2) is not None, "told to both")
    table.anna.close()
    checks.check(phone.wait_for("windows", count=1) is not None, "the other one is left")
    checks.check(online(table.bob, table.match), "and she is here")
    checks.equal([message for message in hear(table.bob) if message["type"] == "presence"], [], "nobody has left")
    phone.close()
    checks.check(table.bob.wait_for("presence", online=False) is not None, "until the last one goes")
    table.close()


def a_window_outlives_a_server(checks):
    """9. A server is killed that had one of two windows: its rows go with it, and the player stays here."""
    table = Table(stage)
    phone = window_of(table, 1)
    checks.check(table.anna.wait_for("windows", count=2) is not None, "two windows")
    stage.nodes[0].kill()
    checks.check(phone.wait_for("windows", count=1) is not None, "one goes with its server")
    checks.check(online(table.bob, table.match), "the player does not")
    checks.equal([message for message in hear(table.bob) if message["type"] == "presence"], [], "nobody was told so")
    checks.equal(whereabouts(table.names[0])[0], "2", "where she is")
    checks.equal(phone.ask(f"move {table.match} {MOVES[0]} ply=0")["type"], "ok", "and plays on")
    stage.nodes[0].start()
    stage.nodes[0].wait()
    phone.close()
    checks.check(table.bob.wait_for("presence", online=False) is not None, "until she leaves")
    table.close()


def one_window_is_the_only_one(checks):
    """9. only=yes closes the connections at other servers, whether it comes so or is there already."""
    table = Table(stage)
    phone = window_of(table, 1, " only=yes")
    checks.equal(table.anna.wait_for("bye")["reason"], "replaced", "who comes is the only one")
    tab = window_of(table, 0)
    checks.check(phone.wait_for("windows", count=2) is not None, "until another one comes")
    checks.equal(tab.ask(f"hello {table.names[0]} only=yes")["type"], "ok", "who is there")
    checks.equal(phone.wait_for("bye")["reason"], "replaced", "can be the only one, too")
    checks.check(online(table.bob, table.match), "all that time she is here")
    checks.equal(whereabouts(table.names[0])[0], "1", "at one server")
    tab.close()
    table.close()


def a_claim_comes_after_the_only_one(checks):
    """A player is called elsewhere alone while a window of theirs is on its way to a server that has not heard of it: the
    older windows there end, the new one stays."""
    table = Table(stage)
    older = window_of(table, 1)
    stage.sql(f"UPDATE ludus.player SET login = login + 1 WHERE name = '{table.names[0]}'")
    stage.sql("DELETE FROM ludus.here USING ludus.player WHERE id = player AND here.node = 2 AND "
              f"name = '{table.names[0]}'")
    newer = window_of(table, 1)
    checks.equal(older.wait_for("bye")["reason"], "replaced", "the older one")
    checks.equal(newer.ask("ping x")["type"], "pong", "the new one")
    table.close()
    newer.close()


def tokens_hold_everywhere(checks):
    """10. A device code is taken at any server, once, and a token ends at all of them."""
    anna, codes = Connection(stage.nodes[0].port, "anna-devices"), []
    for _ in range(2):
        codes.append(anna.do("device")["code"])
    phone, other = Connection(stage.nodes[1].port), Connection(stage.nodes[0].port)
    checks.equal(phone.ask(f"hello anna-devices device={codes[0]}")["code"], "bad-code", "it was replaced")
    token = phone.do(f"hello anna-devices device={codes[1]} client=phone")["token"]
    checks.equal(other.ask(f"hello anna-devices device={codes[1]}")["code"], "bad-code", "it was used")
    rows = anna.ask("tokens")["tokens"]
    checks.equal([(row["token"], row["label"], row["connections"]) for row in rows], [(1, "", 1), (2, "phone", 1)], "both")
    checks.equal(anna.ask("revoke 2")["type"], "ok", "one ends")
    checks.equal(phone.wait_for("bye")["reason"], "revoked", "and its connection at the other server")
    checks.equal(other.ask(f"hello anna-devices token={token}")["code"], "bad-token", "nobody comes with it")
    for connection in (anna, phone, other):
        connection.close()


def the_row_tells(checks):
    """5. The connection breaks while the batch waits for a lock: it was not kept, and is sent again."""
    table = Table(stage)
    with stage.locked("entry"):
        table.anna.send(f"#q move {table.match} {MOVES[0]}")
        stage.wait_for_batch("Lock/%")
        stage.end_sessions("LIKE")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "the move is told")
    checks.equal(table.versions(), [1, 2, 3], "and counts once")
    checks.check(table.move(1), "play goes on")
    table.anna.ask(f"resign {table.match}")
    table.bob.wait_for("state", match=table.match, status="over")
    for record in table.record():
        checks.equal((record["evals"], record["pvs"]), ([None, 1], [[], [MOVES[1]]]), "what they thought")
    table.close()


def visible_is_not_safe(checks):
    """6. The connection breaks while the commit waits for a standby: the row says that it ran, but nobody
    is told until a standby has it."""
    with stage.unsafe_move() as table:
        checks.check(is_silent(table.anna, table.bob), "visible, but not told")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "told then")
    checks.equal(table.versions(), [1, 2, 3], "and counts once")
    table.close()


def a_wait_is_not_charged(checks):
    """A turn begins when the move before it is told, not when its commit began to wait, for who reads the match later."""
    table = Table(stage)
    with stage.without_standbys():
        table.anna.send(f"move {table.match} {MOVES[0]}")
        stage.wait_for_batch("%/SyncRep")
        time.sleep(0.5)
        told_after = stage.sql("SELECT clock_timestamp()")[0][0]
    table.bob.wait_for("state", match=table.match, ply=1)
    late = (f"SELECT at > '{told_after}'::timestamptz - (SELECT downtime FROM ludus.service) FROM ludus.entry"
            f" WHERE match = {table.match} ORDER BY version DESC LIMIT 1")  # to which a wait of a second is added
    checks.equal(stage.sql(late), [["t"]], "the entry has the time when it was told")
    table.close()


def news_is_caught_up(checks):
    """6. The second connection was away while another server moved: nothing is missed."""
    table = Table(stage)
    stage.sql(f"DELETE FROM ludus.interest WHERE match = {table.match} AND node = 2")
    checks.equal(table.anna.ask(f"move {table.match} {MOVES[0]}")["type"], "ok", "a move that nobody hears of")
    stage.end_sessions("NOT LIKE")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "it is read again")
    checks.check(table.move(1), "and the match is followed again")
    table.close()


def what_nobody_told_is_read(checks):
    """A server cannot be told for a while: it learns of a match that has come, and of a player who has gone."""
    table, carl = Table(stage), Connection(stage.nodes[0].port, "carl-asks")
    stage.nodes[1].freeze()
    stage.end_sessions("NOT LIKE")
    match = carl.ask(f"new {GAME} white=me black={table.names[1]}")["match"]
    table.anna.close()
    wait_until(lambda: whereabouts(table.names[0]) == ["0", "0"], "anna is gone")
    stage.nodes[1].thaw()
    checks.equal(table.bob.wait_for("challenge")["match"], match, "the challenge")
    checks.equal(table.bob.ask(f"state {table.match}")["players"]["white"]["online"], False, "anna is known to be gone")
    for player in (table.bob, carl):
        player.close()


def read_again_is_not_safe(checks):
    """6. A move is visible, but no standby has it, and the connection by which the other server hears of it
    comes back: what it reads again it does not tell until a standby has it."""
    with stage.unsafe_move() as table:
        before = stage.sql("SELECT clock_timestamp()")[0][0]
        stage.end_sessions("NOT LIKE")
        back = ("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ludusd' AND query LIKE '%LISTEN%' "
                f"AND backend_start > '{before}'")
        wait_until(lambda: int(stage.sql(back)[0][0]) >= 2, "both are back")
        checks.check(is_silent(table.bob), "read again, but not told")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "told then")
    table.close()


def timeouts_do_not_end_a_wait(checks):
    """5. No timeout of a role, a database or the server ends the wait for a standby."""
    for set_it, reset in (("ALTER ROLE ludus SET statement_timeout = '300ms'", "ALTER ROLE ludus RESET ALL"),
                          ("ALTER DATABASE ludus SET statement_timeout = '300ms'", "ALTER DATABASE ludus RESET ALL"),
                          ("ALTER SYSTEM SET statement_timeout = '300ms'", "ALTER SYSTEM RESET statement_timeout")):
        stage.sql(set_it)
        stage.sql("SELECT pg_reload_conf()")
        checks.equal(int(stage.sql("SELECT count(*) FROM pg_db_role_setting")[0][0]), 0 if "SYSTEM" in set_it else 1,
                     "it is set")
        for like in ("LIKE", "NOT LIKE"):
            stage.end_sessions(like)
        table = Table(stage)
        with stage.without_standbys():
            table.anna.send(f"#q move {table.match} {MOVES[0]}")
            stage.wait_for_batch("%/SyncRep")
            checks.check(is_silent(table.anna, table.bob), f"{set_it}: nobody is told")
            checks.equal((table.versions(), stage.batches("%/SyncRep") > 0), ([1, 2], True), f"{set_it}: it waits")
        checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, then")
        stage.sql(reset)
        stage.sql("SELECT pg_reload_conf()")
        table.close()


def a_key_counts_first(checks):
    """`new once=KEY` finds its match at a server that has never heard of it, whatever else the line says."""
    anna = Connection(stage.nodes[0].port, "keyholder")
    opened = anna.ask(f"new {GAME} once=KEY1")
    again = Connection(stage.nodes[1].port)
    again.ask(f"hello keyholder token={anna.token}")
    for _ in range(2):
        checks.equal(again.ask(f"new {GAME} black=nobody-at-all once=KEY1").get("match"), opened["match"], "the same match")
        checks.equal(again.ask(f"new {GAME} black=nobody-at-all once=KEY2").get("code"), "unknown-player", "another key")
    again.close()


def a_link_is_answered_anywhere(checks):
    """A server looks up the match of a link that it does not have, while others are served; nobody waits for what is not there."""
    table = Table(stage, game="clobber:2x2")
    table.moves(table.match, table.anna, table.bob)
    table.anna.ask(f"resign {table.match}")
    for node in stage.nodes:
        with Browser(node.port) as browser, Browser(node.port) as gone:
            gone.send(request(f"/m/{table.match}"))
            gone.socket.close()
            browser.send(request(f"/m/{table.match}") + request("/m/999999") + request(f"/m/{table.match}.svg?ply=1") + request("/x"))
            answers = [browser.answer() for _ in range(4)]
            checks.equal([answer.status for answer in answers], [200, 404, 200, 404], "in their order")
            checks.check(table.names[0].encode() in answers[0].body and b"<svg" in answers[2].body, "the match", answers)
    table.close()


def a_review_is_kept_for_all(checks):
    """The review that one server has made is sent by those that run no bots."""
    reviewing = Node(build_folder(), stage.folder, 9, ["--bots", "greedy"])
    reviewing.words += on_database(stage.databases.conninfo(), 9, reviewing.address)
    reviewing.start()
    reviewing.wait()
    try:
        anna = Connection(reviewing.port, "reviewer")
        match = anna.ask("new clobber:2x2 white=me black=me")["match"]
        for move in ("a2a1", "b2b1", "a1b1"):
            anna.ask(f"move {match} {move}")
        plies = anna.ask(f"review {match}")["plies"]
        wait_until(lambda: stage.sql(f"SELECT count(*) FROM ludus.review WHERE match = {match}") == [["1"]], "it is kept")
        for node in stage.nodes:
            other = Connection(node.port)
            checks.equal(other.ask(f"review {match}").get("plies"), plies, "the same review")
            other.close()
    finally:
        reviewing.stop()


def nothing_has_failed(checks):
    """The database has refused no statement: a server would go on after that, but slowly."""
    with open(stage.databases.primary.log_path) as log:
        checks.equal([line for line in log if " ERROR: " in line], [], "errors")


def main():
    global stage
    checks = Checks("test_engine_rules")
    why = postgres.why_not()
    if why is not None:
        print(f"test_engine_rules: SKIPPED: {why}")
        print("test_engine_rules: 1 passed, 0 failed")
        return 0
    stage = Stage()
    try:
        return stage.run(checks, [
            the_log_is_dense, nobody_is_told_before, a_stale_line_runs_again, a_stale_line_is_alone, the_best_are_found,
            a_long_list_comes_in_blocks, the_lobby_is_told_once, an_unplayed_match_goes, a_player_comes_meanwhile,
            who_leaves_in_a_batch_is_gone, who_comes_back_is_not_gone, a_line_outlives_its_peer, seekers_meet,
            a_server_that_comes_back_has_its_players, a_player_is_at_two_servers, a_window_outlives_a_server,
            one_window_is_the_only_one, a_claim_comes_after_the_only_one, tokens_hold_everywhere, an_end_is_told,
            the_row_tells, visible_is_not_safe, a_wait_is_not_charged, news_is_caught_up, what_nobody_told_is_read,
            read_again_is_not_safe, timeouts_do_not_end_a_wait, a_key_counts_first, a_link_is_answered_anywhere,
            a_review_is_kept_for_all, nothing_has_failed])
    finally:
        stage.close()


if __name__ == "__main__":
    sys.exit(main())
