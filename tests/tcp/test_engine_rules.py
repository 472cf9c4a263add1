"""Two servers on one PostgreSQL with standbys: each rule by which they share it, with a failure that
would show if it were broken.

usage: test_engine_rules.py BUILD_DIR

The rules are numbered as in server/keep/postgres/postgres.h. Skipped without PostgreSQL.
"""
import os
import socket
import struct
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cluster"))
import postgres
from harness import Checks, Connection, Server, build_folder, wait_until
from engine_stage import GAME, MOVES, TRIES, Stage, Table, hear, is_silent, is_soon

UNPLAYED = 12  # more than a server has in memory

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
    """What another server hears of an end is all that it needs: it cannot read the match, whose log is broken."""
    table = Table(stage, game="clobber:2x2")
    table.moves(table.match, table.anna, table.bob)
    log = f"UPDATE ludus.entry SET move = '{{}}' WHERE match = {table.match} AND ply = 1"
    stage.sql(log.format("broken"))
    table.anna.send(f"move {table.match} a1b1 eval=30000 pv=a1b1")
    states = [player.wait_for("state", match=table.match, status="over") for player in (table.anna, table.bob)]
    checks.equal((states[1]["result"], states[1]["reason"]), ("1-0", "no-moves"), "by the rules")
    for what in ("result", "reason", "ply", "players"):
        checks.equal(states[1][what], states[0][what], f"the {what} at both")
    stage.sql(log.format("a2a1"))
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
    """A page of `list` looks at a block of matches, the newest first; those whose opener is away come last there."""
    anna = Connection(stage.nodes[0].port, "anna0")
    stage.sql("INSERT INTO ludus.player (id, name, kind, bot, seen_s) VALUES (-1, 'gone', 'guest', false, 0)")
    stage.sql("INSERT INTO ludus.match (number, id, private, game, variant, start, opened_s, creator, white, white_joined,"
              " black_joined, status, started, result, home) SELECT 9000000 + i, 'z' || i, false, 'clobber', '5x6', '', 0,"
              " x.id, x.id, true, false, 'open', false, 'none', 1 FROM generate_series(1, 2300) i, ludus.player x"
              " WHERE x.name = CASE WHEN i > 2290 THEN 'gone' ELSE 'anna0' END")
    pages = [anna.ask(f"list from={start}") for start in range(0, 2200, 200)]
    rows = [row for page in pages for row in page["matches"]]
    checks.equal(len({row["match"] for row in rows}), 2200, "each match is on one page")
    checks.equal([place for place, row in enumerate(rows) if row["away"]], list(range(490, 500)), "the last of their block")
    checks.equal([row["match"] for row in rows[:2]], ["z2290", "z2289"], "the newest first")
    checks.check(pages[0]["total"] >= 2300, "how many there are")
    checks.equal(anna.ask("who from=999")["total"], anna.ask("who")["total"], "how many players, on an empty page")
    checks.equal(anna.ask("record nomatch").get("code"), "unknown-match", "the record of none")
    stage.sql("DELETE FROM ludus.match WHERE number > 9000000")
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
    """A match that is over without a move goes from the engine with the last server that has it in memory."""
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
    """Returns the server where the engine says that a player is, and how often they have come back."""
    return stage.sql(f"SELECT coalesce(node, 0), login FROM ludus.player WHERE name = '{name}'")[0]


def who_leaves_in_a_batch_is_gone(checks):
    """A player leaves while the engine is keeping their rating: it learns of that, too."""
    table = Table(stage)
    checks.check(table.move(0) and table.move(1), "enough to be rated")
    with stage.locked("entry"):
        table.anna.send(f"resign {table.match}")
        stage.wait_for_batch("Lock/%")
        table.anna.close()
        guest = Connection(stage.nodes[0].port)
        checks.equal(guest.ask("ping x")["type"], "pong", "the server has seen that by now")
        guest.close()
    table.bob.wait_for("state", match=table.match, status="over")
    wait_until(lambda: whereabouts(table.names[0]) == ["0", "0"], "anna is nowhere")
    checks.equal([row["name"] for row in table.bob.ask("who")["players"]], [table.names[1]], "who is here")
    table.bob.close()


def who_comes_back_is_not_gone(checks):
    """A player comes back before the engine has kept that they left."""
    table, carl = Table(stage), Connection(stage.nodes[0].port, "carl-returns")
    with stage.locked("entry"):
        table.anna.send(f"move {table.match} {MOVES[0]}")
        stage.wait_for_batch("Lock/%")
        carl.close()
        again = Connection(stage.nodes[0].port)
        again.send(f"hello carl-returns token={carl.token}")
        wait_until(lambda: whereabouts("carl-returns") == ["1", "1"], "the engine knows that he is back")
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
        checks.check(is_silent(table.anna) and is_silent(table.bob), "visible, but not told")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "told then")
    checks.equal(table.versions(), [1, 2, 3], "and counts once")
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
            checks.check(is_silent(table.anna) and is_silent(table.bob), f"{set_it}: nobody is told")
            checks.equal((table.versions(), stage.batches("%/SyncRep") > 0), ([1, 2], True), f"{set_it}: it waits")
        checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, then")
        stage.sql(reset)
        stage.sql("SELECT pg_reload_conf()")
        table.close()


def cancel_waits():
    """Cancels what waits for a standby. Returns how many did."""
    return len(stage.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))


def a_cancelled_wait_is_not_safe(checks):
    """5. Somebody cancels the wait for a standby, again and again: the move is visible in the engine, but nobody is
    told at either server, before a standby has it."""
    for _ in range(TRIES):
        table = Table(stage)
        with stage.without_standbys():
            table.anna.send(f"#q move {table.match} {MOVES[0]}")
            stage.wait_for_batch("%/SyncRep")
            time.sleep(0.4)
            cancelled = cancel_waits()
            mine = is_soon(lambda: table.versions() == [1, 2, 3])
            for _ in range(3):
                checks.check(is_silent(table.anna) and is_silent(table.bob), "nobody is told")
                cancelled += cancel_waits()
        checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, once a standby has it")
        checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "the other one hears of it")
        checks.check(cancelled >= 3, "waits were cancelled", cancelled)
        checks.check(table.move(1), "the match goes on")
        table.close()
        if mine:
            return
    checks.check(False, "another batch is always first")


def a_cancelled_wait_is_not_lost(checks):
    """5. As before, but then the primary is lost, and a standby that never had the move takes over."""
    table = Table(stage)
    old = stage.engine.primary
    with stage.without_standbys():
        table.anna.send(f"#q move {table.match} {MOVES[0]}")
        stage.wait_for_batch("%/SyncRep")
        time.sleep(0.4)
        cancel_waits()
        checks.check(is_silent(table.anna) and is_silent(table.bob), "nobody is told")
        stage.engine.fail_over()
    checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, by the new primary")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "the other one hears of it")
    checks.equal(table.versions(), [1, 2, 3], "the new primary has it")
    stage.engine.bring_back(old)
    stage.engine.wait_for_standbys()
    checks.check(table.move(1), "the match goes on")
    table.close()


def a_shutdown_is_not_safe(checks):
    """5. The primary is shut down fast while a move waits for a standby, which commits it there, and a standby that
    never had it takes over."""
    table = Table(stage)
    old = stage.engine.primary
    with stage.without_standbys():
        table.anna.send(f"#q move {table.match} {MOVES[0]}")
        stage.wait_for_batch("%/SyncRep")
        old.stop()
        checks.check(is_silent(table.anna) and is_silent(table.bob), "nobody is told")
        stage.engine.fail_over()
    checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, by the new primary")
    checks.equal(table.versions(), [1, 2, 3], "the new primary has it")
    stage.engine.bring_back(old)
    stage.engine.wait_for_standbys()
    table.close()


def other_standbys_are_waited_for(checks):
    """5. Which standbys to wait for changes during the wait, which goes on. Where it becomes none, the primary alone
    will do from then on, as whoever sets that wants it."""
    table = Table(stage)
    players = (table.anna, table.bob)
    for ply, (names, is_kept) in enumerate((("ANY 2 (one, two, three)", False), ("", True))):
        with stage.without_standbys():
            players[ply].send(f"#q move {table.match} {MOVES[ply]}")
            stage.wait_for_batch("%/SyncRep")
            stage.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
            stage.sql("SELECT pg_reload_conf()")
            checks.equal(is_silent(players[1 - ply]), not is_kept, f"told of ply {ply + 1} only if it is kept")
            stage.sql("ALTER SYSTEM RESET synchronous_standby_names")
        checks.equal(players[ply].wait_for("ok", id="q")["type"], "ok", "the reply")
        if not is_kept:
            players[1 - ply].wait_for("state", match=table.match, ply=ply + 1)
        stage.sql("SELECT pg_reload_conf()")
    table.close()


def a_damaged_match_is_read_only(checks):
    """A server that finds a match whose row and log contradict each other shows it and changes nothing, whatever others
    do there; when it is repaired, all go on with it."""
    anna, bob = (Connection(stage.nodes[1].port, name) for name in ("damaged-anna", "damaged-bob"))
    cleo = Connection(stage.nodes[0].port, "damaged-cleo")
    match = anna.ask(f"new {GAME}")["match"]
    bob.ask(f"join {match}")
    anna.ask(f"move {match} {MOVES[0]}")
    bob.ask(f"move {match} {MOVES[1]}")
    stage.sql(f"UPDATE ludus.match SET status = 'open' WHERE number = {match}")
    said = "the moves make it playing, but it is stored as open"
    cleo.ask(f"watch {match}")
    state = cleo.ask(f"state {match}")
    checks.equal((state.get("broken"), state["you"], state["ply"]), (said, None, 2), "it is shown")
    checks.equal(cleo.ask(f"join {match}")["code"], "not-allowed", "and read-only")
    checks.equal(cleo.ask("stats")["matches_broken"], 1, "and counted")
    checks.equal(anna.ask(f"move {match} {MOVES[2]}")["type"], "ok", "another server had it before, and goes on")
    wait_until(lambda: cleo.ask(f"state {match}")["ply"] == 3, "it is read again")
    engine = ("--engine", stage.engine.conninfo())
    stage.sql(f"UPDATE ludus.match SET status = 'open', black = NULL, black_joined = false WHERE number = {match}")
    checks.check("cannot be repaired: started with an empty seat" in run("check", "--repair", *engine).stderr,
                 "a player who is missing")
    stage.sql(f"UPDATE ludus.match SET black = (SELECT id FROM ludus.player WHERE name = 'damaged-bob'), "
              f"black_joined = true, started = false WHERE number = {match}")
    done = run("check", "--repair", *engine)
    checks.equal((done.returncode, done.stdout.split("\n")[0]), (0, f"match number {match}: repaired"), "the repair")
    checks.equal(run("check", *engine).returncode, 0, "it is mended")
    wait_until(lambda: "broken" not in cleo.ask(f"state {match}"), "the servers hear of it")
    checks.equal(bob.ask(f"move {match} {MOVES[3]}")["type"], "ok", "the match goes on")
    wait_until(lambda: cleo.ask(f"state {match}")["ply"] == 4, "at both servers")
    checks.equal(bob.ask(f"resign {match}")["type"], "ok", "and ends")
    wait_until(lambda: cleo.ask(f"state {match}")["status"] == "over", "at both servers")
    checks.equal(cleo.ask("stats")["matches_broken"], 0, "nothing is broken any more")
    for connection in (anna, bob, cleo):
        connection.close()


def nobody_pays_for_the_engine(checks):
    """7. Time in which the engine was away is charged to nobody."""
    table = Table(stage, "clock=600+0")
    begin = time.monotonic()
    checks.check(table.move(0) and table.move(1), "the clock runs")
    with stage.without_standbys():
        time.sleep(4)
    table.anna.ask(f"move {table.match} {MOVES[2]}")
    clock = table.bob.wait_for("state", match=table.match, ply=3)["clock"]
    passed_ms = (time.monotonic() - begin) * 1000
    checks.check(clock["white_ms"] > 600000 - (passed_ms - 2000), "4 s away, not charged", (clock, passed_ms))
    table.close()


def a_flag_falls_elsewhere(checks):
    """7. The flag of a player whose server was killed falls at the other one, once."""
    table = Table(stage, "clock=3+0")
    checks.check(table.move(0) and table.move(1), "the clock runs")
    stage.nodes[0].kill()
    state = table.bob.wait_for("state", match=table.match, status="over")
    checks.equal((state["result"], state["reason"]), ("0-1", "timeout"), "white has lost on time")
    stage.nodes[0].start()
    stage.nodes[0].wait()
    table.close()


def the_stopped_are_fenced(checks):
    """8. A server that was stopped counts as dead: its players come back elsewhere, and when it goes on it
    changes nothing and tells nobody."""
    table = Table(stage)
    stage.nodes[0].freeze()
    wait_until(lambda: stage.sql("SELECT alive FROM ludus.node WHERE id = 1") == [["f"]], "taken for dead")
    again = Connection(stage.nodes[1].port)
    reply = again.ask(f"hello {table.names[0]} token={table.anna.token}")
    checks.equal(reply["type"], "ok", "its player comes back at the other one")
    table.anna.send(f"#q state {table.match}", f"#q move {table.match} {MOVES[0]}")
    stage.nodes[0].thaw()
    while (message := table.anna.read()) is not None and message["type"] != "bye":
        checks.check(message.get("id") != "q", "its lines are not answered", message)
    checks.equal(message["reason"] if message else None, "node-lost", "bye")
    checks.equal(table.versions(), [1, 2], "nothing has changed")
    checks.equal(again.ask(f"move {table.match} {MOVES[0]}")["type"], "ok", "the move elsewhere")
    wait_until(lambda: stage.sql("SELECT alive FROM ludus.node WHERE id = 1") == [["t"]], "it joins again")
    again.close()
    table.close()


def nothing_has_failed(checks):
    """The engine has refused no statement: a server would go on after that, but slowly."""
    with open(stage.engine.primary.log_path) as log:
        checks.equal([line for line in log if " ERROR: " in line], [], "errors")


def run(*words):
    return subprocess.run([os.path.join(build_folder(), "ludusd"), *words], capture_output=True, text=True)


def a_store_moves_in(checks):
    """A store is imported once, into an engine that has nothing, and means the same there."""
    store, other = os.path.join(stage.folder, "store"), "elsewhere"
    with Server(build_folder(), "--no-bots", "--data", store) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        match = anna.ask(f"new {GAME} clock=60+1")["match"]
        bob.ask(f"join {match}")
        for ply, move in enumerate(MOVES):
            (anna, bob)[ply % 2].ask(f"move {match} {move} eval={-ply} pv={','.join(MOVES[ply:])}")
        anna.ask("new shakti private=yes black=bob")
        bob.ask(f"resign {match}")
        server.stop()
    stage.engine.primary.sql(f"CREATE DATABASE {other} OWNER ludus")
    conninfo = stage.engine.conninfo().replace("dbname=ludus", f"dbname={other}").replace("timeout=2", "timeout=60")
    done = run("import", store, "--engine", conninfo)
    checks.equal((done.returncode, done.stdout), (0, "2 players, 2 matches\n"), "imported")
    checks.equal(run("import", store, "--engine", conninfo).returncode, 1, "only once")
    checks.equal(run("check", "--engine", conninfo).stdout, "matches: 2, moves: 5, problems: 0\n", "it is sound")
    pgn = []
    for name, source in (("one", ("--data", store)), ("two", ("--engine", conninfo))):
        run("--export", os.path.join(stage.folder, name), *source)
        with open(os.path.join(stage.folder, name, "matches.pgn")) as file:
            pgn.append(file.read())
    checks.equal(pgn[0], pgn[1], "the same matches")
    stage.engine.primary.sql("DELETE FROM ludus.entry WHERE version = 3", other)
    done = run("check", "--engine", conninfo)
    checks.check(done.returncode == 1 and "its log has gaps" in done.stderr, "a broken log is found", done)


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
        return checks.run([the_log_is_dense, nobody_is_told_before, a_stale_line_runs_again,
                           a_stale_line_is_alone, a_long_list_comes_in_blocks, the_lobby_is_told_once,
                           an_unplayed_match_goes, a_player_comes_meanwhile, who_leaves_in_a_batch_is_gone,
                           who_comes_back_is_not_gone, a_line_outlives_its_peer, seekers_meet,
                           a_server_that_comes_back_has_its_players, an_end_is_told, the_row_tells, visible_is_not_safe,
                           news_is_caught_up, what_nobody_told_is_read, read_again_is_not_safe,
                           timeouts_do_not_end_a_wait, a_cancelled_wait_is_not_safe, other_standbys_are_waited_for,
                           a_cancelled_wait_is_not_lost, a_shutdown_is_not_safe, a_damaged_match_is_read_only, nobody_pays_for_the_engine,
                           a_flag_falls_elsewhere, the_stopped_are_fenced, nothing_has_failed, a_store_moves_in])
    finally:
        stage.close()


if __name__ == "__main__":
    sys.exit(main())
