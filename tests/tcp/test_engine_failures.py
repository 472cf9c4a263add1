"""Two servers on one PostgreSQL with standbys when servers, standbys or the primary fail, and a store that moves in.

usage: test_engine_failures.py BUILD_DIR

The rules are numbered as in server/keep/postgres/postgres.h. Skipped without PostgreSQL.
"""
import hashlib
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../cluster")
import postgres
from harness import Checks, Connection, Server, build_folder, wait_until
from nodes import Node, on_database
from engine_stage import GAME, MOVES, TRIES, Stage, Table, hear, is_silent, is_soon

stage = None


def cancel_waits():
    """Cancels what waits for a standby. Returns how many did."""
    return len(stage.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))


def a_cancelled_wait_is_not_safe(checks):
    """5. Somebody cancels the wait for a standby, again and again: the move is visible in the database, but nobody is
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
                checks.check(is_silent(table.anna, table.bob), "nobody is told")
                cancelled += cancel_waits()
        # None where a slow machine took 10 s for this: without a database for so long, a server sends everyone away.
        in_time = (table.anna.wait_for("ok", id="q") is not None and
                   table.bob.wait_for("state", match=table.match, ply=1) is not None)
        if in_time:
            checks.check(cancelled >= 3, "waits were cancelled", cancelled)
            checks.check(table.move(1), "the match goes on")
        table.close()
        if mine and in_time:
            return
        stage.mend(checks)
    checks.check(False, "another batch is always first, or all are sent away")


def a_cancelled_wait_is_not_lost(checks):
    """5. As before, but then the primary is lost, and a standby that never had the move takes over."""
    table = Table(stage)
    old = stage.databases.primary
    with stage.without_standbys():
        table.anna.send(f"#q move {table.match} {MOVES[0]}")
        stage.wait_for_batch("%/SyncRep")
        time.sleep(0.4)
        cancel_waits()
        checks.check(is_silent(table.anna, table.bob), "nobody is told")
        stage.databases.fail_over()
    checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, by the new primary")
    checks.check(table.bob.wait_for("state", match=table.match, ply=1) is not None, "the other one hears of it")
    checks.equal(table.versions(), [1, 2, 3], "the new primary has it")
    stage.databases.bring_back(old)
    stage.databases.wait_for_standbys()
    checks.check(table.move(1), "the match goes on")
    table.close()


def a_shutdown_is_not_safe(checks):
    """5. The primary is shut down fast while a move waits for a standby, which commits it there, and a standby that
    never had it takes over."""
    table = Table(stage)
    old = stage.databases.primary
    with stage.without_standbys():
        table.anna.send(f"#q move {table.match} {MOVES[0]}")
        stage.wait_for_batch("%/SyncRep")
        old.stop()
        checks.check(is_silent(table.anna, table.bob), "nobody is told")
        stage.databases.fail_over()
    checks.equal(table.anna.wait_for("ok", id="q")["type"], "ok", "the reply, by the new primary")
    checks.equal(table.versions(), [1, 2, 3], "the new primary has it")
    stage.databases.bring_back(old)
    stage.databases.wait_for_standbys()
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
    where = ("--engine", stage.databases.conninfo())
    stage.sql(f"UPDATE ludus.match SET status = 'open', black = NULL, black_joined = false WHERE number = {match}")
    checks.check("cannot be repaired: started with an empty seat" in run("check", "--repair", *where).stderr,
                 "a player who is missing")
    stage.sql(f"UPDATE ludus.match SET black = (SELECT id FROM ludus.player WHERE name = 'damaged-bob'), "
              f"black_joined = true, started = false WHERE number = {match}")
    done = run("check", "--repair", *where)
    checks.equal((done.returncode, done.stdout.split("\n")[0]), (0, f"match number {match}: repaired"), "the repair")
    checks.equal(run("check", *where).returncode, 0, "it is mended")
    wait_until(lambda: "broken" not in cleo.ask(f"state {match}"), "the servers hear of it")
    checks.equal(bob.ask(f"move {match} {MOVES[3]}")["type"], "ok", "the match goes on")
    wait_until(lambda: cleo.ask(f"state {match}")["ply"] == 4, "at both servers")
    checks.equal(bob.ask(f"resign {match}")["type"], "ok", "and ends")
    wait_until(lambda: cleo.ask(f"state {match}")["status"] == "over", "at both servers")
    checks.equal(cleo.ask("stats")["matches_broken"], 0, "nothing is broken any more")
    for connection in (anna, bob, cleo):
        connection.close()


def a_challenge_outlives_its_server(checks):
    """A challenge waits for a standby as the primary and the challenger's server are killed: it is kept, nobody is left
    to tell of it, and which servers are to be told has gone with the primary. The other server finds it by itself."""
    told = None
    for number in range(TRIES):  # on a slow machine bob may be sent away, as the database is away for 10 s
        name = f"challenged-bob{number}"
        bob, anna = Connection(stage.nodes[1].port, name), Connection(stage.nodes[0].port, f"challenging-anna{number}")
        with stage.without_standbys():
            anna.send(f"#n new {GAME} white=me black={name}")
            stage.wait_for_batch("%/SyncRep")
            stage.nodes[0].kill()
            stage.databases.primary.kill()
            stage.databases.primary.start()
            heard = [message["type"] for message in hear(bob) if message is not None]
            checks.check(heard in ([], ["bye"]), "nobody is told before a standby has it", heard)
            kept = stage.sql("SELECT number FROM ludus.match m JOIN ludus.player p ON p.id = m.black "
                             f"WHERE p.name = '{name}'")
        if kept and not heard:  # else another batch was first
            told = bob.wait_for("challenge")
        stage.nodes[0].start()
        for node in stage.nodes:
            node.wait()
        anna.close()
        bob.close()
        if told:
            checks.equal(told["match"], kept[0][0], "the challenge")
            break
    checks.check(told, "a challenge is kept and told")


def unsafe_settings_are_said(checks):
    """A setting that makes the database unsafe while servers run is warned of, once, and no longer than it lasts."""
    settings = {"full_page_writes": "off", "synchronous_commit": "remote_write"}
    for name, value in settings.items():
        stage.sql(f"ALTER SYSTEM SET {name} = {value}")
    stage.sql("SELECT pg_reload_conf()")
    for node in stage.nodes:
        for name, value in settings.items():
            said = f"event=engine-unsafe text=\"{name} = '{value}': acknowledged changes can get lost\""
            wait_until(lambda: said in node.read_log(), f"server {node.number} warns of {name}")
    for name in settings:
        stage.sql(f"ALTER SYSTEM RESET {name}")
    stage.sql("SELECT pg_reload_conf()")
    for node in stage.nodes:
        for name in settings:
            wait_until(lambda: f"event=engine-safe setting={name}" in node.read_log(), f"server {node.number}: {name} is safe")
        checks.equal(node.read_log().count("text=\"full_page_writes"), 1, "said once")


def a_database_that_waits_is_said(checks):
    """No standby answers: each server says in its log that changes wait, and then that they do not any more."""
    before = [node.read_log() for node in stage.nodes]
    with stage.without_standbys():
        for node, log in zip(stage.nodes, before):
            wait_until(lambda: "event=engine-silent" in node.read_log()[len(log):], f"server {node.number} says so")
    for node, log in zip(stage.nodes, before):
        wait_until(lambda: "event=engine-works" in node.read_log()[len(log):], f"server {node.number} says that it is over")
        checks.equal(node.read_log()[len(log):].count("event=engine-silent"), 1, "said once")


def nobody_pays_for_the_database(checks):
    """7. Time in which the database was away is charged to nobody."""
    table, other = Table(stage, "clock=600+0"), Table(stage)
    begin = time.monotonic()
    checks.check(table.move(0) and table.move(1), "the clock runs")
    with stage.without_standbys():
        other.anna.send(f"#q move {other.match} {MOVES[0]}")
        for _ in range(2):
            table.anna.ask("stats")  # its server has handed over the move before it answers the second time
        away = time.monotonic()
        time.sleep(2)
        away_ms = (time.monotonic() - away) * 1000
    other.anna.wait_for("ok", id="q")
    table.anna.ask(f"move {table.match} {MOVES[2]}")
    clock = table.bob.wait_for("state", match=table.match, ply=3)["clock"]
    passed_ms = (time.monotonic() - begin) * 1000
    checks.check(600000 - clock["white_ms"] <= passed_ms - away_ms, "not charged", (clock, passed_ms, away_ms))
    other.close()
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
    """The database has refused no statement: a server would go on after that, but slowly."""
    with open(stage.databases.primary.log_path) as log:
        checks.equal([line for line in log if " ERROR: " in line], [], "errors")


def run(*words):
    return subprocess.run([os.path.join(build_folder(), "ludusd"), *words], capture_output=True, text=True)


def texts_of(name, *source):
    """Returns what --export writes of a store or a database."""
    folder = os.path.join(stage.folder, name)
    run("--export", folder, *source)
    texts = []
    for file in ("matches.pgn", "players.jsonl"):
        with open(os.path.join(folder, file)) as file:
            texts.append(file.read())
    return texts


def in_store(folder, sql, *values):
    """Runs a statement in a store that no server uses, and returns its rows."""
    database = sqlite3.connect(os.path.join(folder, "ludus.db"))
    with database:
        rows = database.execute(sql, values).fetchall()
    database.close()
    return rows


def a_store_moves_in(checks):
    """A store is imported once, into a database that has nothing, and means the same there; and back in a store."""
    store, back, other = os.path.join(stage.folder, "store"), os.path.join(stage.folder, "back"), "elsewhere"
    with Server(build_folder(), "--no-bots", "--data", store) as server:
        anna, bob, guest = server.connect("anna"), server.connect("bob"), server.connect()
        match = anna.ask(f"new {GAME} clock=60+1")["match"]
        bob.ask(f"join {match}")
        for ply, move in enumerate(MOVES):
            (anna, bob)[ply % 2].ask(f"move {match} {move} eval={-ply} pv={','.join(MOVES[ply:])}")
        secret = anna.ask("new shakti private=yes black=bob once=KEY")["match"]
        bob.ask(f"resign {match}")
        going_on = anna.ask(f"new {GAME} clock=60+1 black=bob rated=no")["match"]
        bob.ask(f"join {going_on}")
        anna.ask(f"move {going_on} {MOVES[0]}")
        bob.ask(f"draw {going_on}")
        carl, phone = server.connect("carl"), server.connect()
        own = phone.ask(f"hello carl device={carl.ask('device')['code']}")["token"]
        checks.equal(phone.ask("revoke 1")["type"], "ok", "only the second token is left")
        device = server.connect().ask(f"hello bob device={bob.ask('device')['code']}")["token"]
        theirs = guest.ask(f"new {GAME} white=me black=me")["match"]
        guest.ask(f"move {theirs} {MOVES[0]}")
        guest.ask(f"resign {theirs}")
        for player, puzzle in ((anna, "clobber 1 c5c6"), (bob, "clobber 1 e1e2"), (anna, "shakti 2 answer")):
            checks.equal(player.ask(f"puzzle {puzzle}")["rated"], True, "a first attempt")
        server.stop()
    reviewed = [("0 d2c2 1 50 2 ? - deep -\n1 - 0 50 0 - - deep - \"é\\\n",)]
    in_store(store, "INSERT INTO review SELECT number, ? FROM match WHERE id = ?", *reviewed[0], match)
    stage.databases.create(other)
    conninfo = stage.databases.conninfo().replace("dbname=ludus", f"dbname={other}").replace("timeout=2", "timeout=60")
    done = run("import", store, "--engine", conninfo)
    checks.equal((done.returncode, done.stdout), (0, "4 players, 4 matches, 0 tournaments\n"), f"imported {done.stderr}")
    checks.equal(run("import", store, "--engine", conninfo).returncode, 1, "only once")
    checks.equal(run("check", "--engine", conninfo).stdout, "matches: 4, moves: 7, problems: 0\n", "it is sound")
    of_store = texts_of("one", "--data", store)
    checks.equal(texts_of("two", "--engine", conninfo), of_store, "the same matches and players")
    checks.equal(stage.databases.primary.sql("SELECT count(*), min(match), md5(min(lines)) FROM ludus.review", other),
                 [["1", match, hashlib.md5(reviewed[0][0].encode()).hexdigest()]], "the same review")
    for table, columns in (("puzzle", "game, key, attempts, round(rating)"), ("attempt", "player, game, key")):
        sql = f"SELECT {columns} FROM {{}}{table} ORDER BY 1, 2, 3"
        solved = [[str(value).removesuffix(".0") for value in row] for row in in_store(store, sql.format(""))]
        checks.equal((len(solved), stage.databases.primary.sql(sql.format("ludus."), other)), ({"puzzle": 2, "attempt": 3}[table], solved), f"the same {table}s")
    done = run("import", "--engine", conninfo, "--data", back)
    checks.equal((done.returncode, done.stdout), (0, "4 players, 4 matches, 0 tournaments\n"), f"and back {done.stderr}")
    done = run("import", "--engine", conninfo, "--data", back)
    checks.equal((done.returncode, done.stderr), (1, "ludusd: the store has matches or players already\n"), "only once")
    checks.equal(run("check", "--data", back).stdout, "matches: 4, moves: 7, problems: 0\n", "the store is sound")
    checks.equal(texts_of("three", "--data", back), of_store, "and has what the first one had")
    checks.equal(in_store(back, "SELECT lines FROM review"), reviewed, "its review, too")
    for table in ("puzzle", "attempt"):
        checks.equal(in_store(back, f"SELECT * FROM {table} ORDER BY 1, 2"), in_store(store, f"SELECT * FROM {table} ORDER BY 1, 2"), f"and its {table}s")
    moves_on(checks, back, (("anna", anna.token), ("bob", device), ("bob", bob.token), ("carl", own)), going_on, secret)
    stage.databases.primary.sql("DELETE FROM ludus.entry WHERE version = 3", other)
    done = run("check", "--engine", conninfo)
    checks.check(done.returncode == 1 and "its log has gaps" in done.stderr, "a broken log is found", done)
    done = run("import", "--engine", conninfo, "--data", back + "2")
    checks.check(done.returncode == 1 and done.stderr.startswith("ludusd: match 1: "), "and not imported", done)
    checks.equal(run("check", "--data", back + "2").stdout, "matches: 0, moves: 0, problems: 0\n", "nothing of it is")


def moves_on(checks, store, tokens, going_on, secret):
    """A server on a store that was in a database goes on where the players were."""
    with Server(build_folder(), "--no-bots", "--data", store) as server:
        people = {}
        for name, token in tokens:
            people[name] = server.connect()
            checks.equal(people[name].ask(f"hello {name} token={token}")["type"], "ok", f"a token of {name} came along")
        anna, bob = people["anna"], people["bob"]
        state = anna.ask(f"state {going_on}")
        checks.equal((state["ply"], state["turn"], state["rated"], [offer["what"] for offer in state["offers"]]),
                     (1, "black", False, ["draw"]), "the match that goes on")
        checks.check(state["clock"]["black_ms"] > 50000, "its clock stood still", state["clock"])
        checks.equal(anna.ask(f"draw {going_on}").get("agreed"), True, "the offer that stands")
        checks.equal(anna.ask("new shakti private=yes once=KEY").get("match"), secret, "the key of the other one")
        checks.check(int(anna.ask("new shakti")["match"]) > int(going_on), "numbers count on")
        server.stop()


TOURNAMENTS = {  # what opens each, and how it stands when the store is imported
    "t1": ("Open clobber:2x2 format=swiss rounds=3 start=2592000 code=sesame", "open"),
    "t2": ("Night clobber:5x6 format=round-robin openings=balanced series=winter", "over"),
    "t3": ("League clobber:5x6 format=round-robin rated=no series=winter", "running"),
    "t4": ("Arena clobber:5x6 format=arena minutes=600 openings=random:3 bots=yes", "running"),
    "t5": ("Cup clobber:5x6 format=knockout", "aborted"),
    "t6": ("Later clobber:5x6 format=swiss", "paused")}


def open_match(people, tournament, *names):
    """Waits for the next match of two in a tournament. Returns its id, and the one with the white stones."""
    found = []

    def is_there():
        shown = people["anna"].ask(f"tournament show {tournament}")
        found.extend(row for part in shown["rounds"] for row in part["pairings"]
                     if row["match"] and row["result"] == "*" and {row["white"], row["black"]} == set(names))
        return found
    wait_until(is_there, f"a match of {names} in {tournament}")
    return found[0]["match"], people[found[0]["white"]]


def end_match(people, tournament, winner, loser, moves=True):
    match, mover = open_match(people, tournament, winner, loser)
    if moves:
        mover.do(f"move {match} {mover.do(f'moves {match}')['moves'][0]}")
    people[loser].do(f"resign {match}")
    return match


def fill_tournaments(server):
    """Plays tournaments of all kinds as far as they are to be. Returns the people by name, and some matches by a name:
    one without a move is among them."""
    people = {name: server.connect(name) for name in ("anna", "bob", "carl", "dave")}
    anna, bob, carl = people["anna"], people["bob"], people["carl"]
    for number, (words, _) in TOURNAMENTS.items():
        director = anna if number in ("t1", "t2", "t3") else bob  # each may have five
        director.do(f"tournament new {words}")
    bob.do("tournament join t1 code=sesame")
    carl.do("tournament join t1 code=sesame")
    carl.do("tournament leave t1")
    anna.do("tournament kick t1 dave")
    for number, names in {"t2": "anna bob", "t3": "anna bob carl", "t4": "carl dave", "t5": "anna dave", "t6": "bob dave carl"}.items():
        for name in names.split():
            people[name].do(f"tournament join {number}")
        (anna if number in ("t2", "t3") else bob).do(f"tournament start {number}")
    matches = {f"night {number}": end_match(people, "t2", "bob", "anna") for number in range(2)}
    matches["league"] = end_match(people, "t3", "bob", "carl")
    matches["unplayed"] = end_match(people, "t3", "anna", "bob", moves=False)
    matches["goes on"], _ = open_match(people, "t3", "anna", "carl")
    matches["arena"], _ = open_match(people, "t4", "carl", "dave")
    matches["cup"], _ = open_match(people, "t5", "anna", "dave")
    bob.do("tournament abort t5")
    bob.do("tournament pause t6")
    carl.do("tournament leave t6")
    return people, matches


def tournaments_of(peer):
    """What a server tells of them all, and of their series, but not who is there."""
    shown = {number: peer.do(f"tournament show {number}") for number in TOURNAMENTS}
    shown["series"] = peer.do("tournament series winter")
    for each in shown.values():
        for row in each["players"]:
            row.pop("online", None)
    return shown


def tournament_rows(store):
    """Returns all that a store that no server uses has of them, by table."""
    return {table: sorted(in_store(store, f"SELECT * FROM {table}"), key=repr)
            for table in ("tournament", "entrant", "pairing", "barred", "series", "series_score")}


def tournaments_come_along(checks):
    """Tournaments of all kinds and series: an import keeps them, they go on at servers on PostgreSQL, and back on a store."""
    store, back, other = os.path.join(stage.folder, "tournament"), os.path.join(stage.folder, "tournament-back"), "tournaments"
    with Server(build_folder(), "--no-bots", "--data", store) as server:
        people, matches = fill_tournaments(server)
        before = tournaments_of(people["anna"])
        records = {name: people["anna"].ask(f"record {match}") for name, match in matches.items()}
        server.stop()
    checks.equal({number: before[number]["status"] for number in TOURNAMENTS},
                 {number: status for number, (_, status) in TOURNAMENTS.items()}, "as they are meant to be")
    stage.databases.create(other)
    conninfo = stage.databases.conninfo().replace("dbname=ludus", f"dbname={other}").replace("timeout=2", "timeout=60")
    done = run("import", store, "--engine", conninfo)
    checks.check(done.returncode == 0 and done.stdout.endswith(" matches, 6 tournaments\n"), "imported", done)
    done = run("import", "--engine", conninfo, "--data", back)
    checks.equal(done.returncode, 0, f"and back: {done.stderr}")
    checks.check(run("check", "--data", back).stdout.endswith(" problems: 0\n"), "the store is sound")
    rows = tournament_rows(back)
    for table, had in tournament_rows(store).items():
        checks.check(had != [], f"there is something in {table}")
        checks.equal(rows[table], had, f"the same rows of {table}")
    node = Node(build_folder(), stage.folder, 9, ["--no-bots"])
    node.words += on_database(conninfo, 9, node.address)
    node.start()
    node.wait()
    tokens = {name: peer.token for name, peer in people.items()}
    after = they_go_on(checks, node.port, tokens, before, records, matches)
    node.stop()
    done = run("import", "--engine", conninfo, "--data", back + "2")
    checks.equal(done.returncode, 0, f"and back once more: {done.stderr}")
    with Server(build_folder(), "--no-bots", "--data", back + "2") as server:
        anna = server.connect()
        anna.ask(f"hello anna token={tokens['anna']}")
        last = after.pop("next")
        checks.equal(tournaments_of(anna), after, "what was played there counts")
        opened = anna.do("tournament new Last clobber:2x2 format=swiss")["tournament"]
        checks.check(int(opened[1:]) > last, "numbers of tournaments count on", opened)
        server.stop()


def they_go_on(checks, port, tokens, before, records, matches):
    """All is as it was, and goes on. Returns how it stands then."""
    people = {name: Connection(port) for name in tokens}
    for name, peer in people.items():
        checks.equal(peer.ask(f"hello {name} token={tokens[name]}")["type"], "ok", "a token")
    anna, bob, carl, dave = people.values()
    checks.equal(tournaments_of(anna), before, "they stand as before")
    for name, record in records.items():
        if name != "unplayed":
            checks.equal(anna.ask(f"record {matches[name]}"), record, f"the record of a match: {name}")
    checks.equal(dave.ask("tournament join t1 code=sesame").get("code"), "not-allowed", "who was removed stays out")
    checks.equal(carl.ask("tournament join t1").get("code"), "code-needed", "the word is needed")
    checks.equal(bob.ask("tournament new Theirs clobber:5x6 format=swiss series=winter").get("code"), "not-allowed", "a series has its director")
    for loser, name in ((dave, "cup"), (carl, "goes on"), (dave, "arena")):
        checks.equal(loser.ask(f"resign {matches[name]}")["type"], "ok", f"a match ends: {name}")
    wait_until(lambda: anna.ask("tournament show t3")["status"] == "over", "the league is over")
    checks.equal(anna.ask("tournament series winter")["tournaments"], 2, "it counts in its series")
    checks.equal(tournaments_of(anna)["t5"], before["t5"], "an aborted one stays as it was")
    again, _ = open_match(people, "t4", "carl", "dave")
    checks.check(int(again) > max(map(int, matches.values())), "the arena pairs again, and numbers of matches count on", again)
    opened = anna.do("tournament new Next clobber:2x2 format=swiss")["tournament"]
    checks.check(int(opened[1:]) > len(TOURNAMENTS), "and those of tournaments", opened)
    after = tournaments_of(anna)
    for peer in people.values():
        peer.close()
    return {**after, "next": int(opened[1:])}


def restrictions_come_along(checks):
    """Seats with code= and kicked players: an import keeps them, the servers on PostgreSQL do, and so does one back on
    a store."""
    store, back, other = os.path.join(stage.folder, "restricted"), os.path.join(stage.folder, "restricted-back"), "restricted"
    with Server(build_folder(), "--no-bots", "--data", store) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        coded = anna.ask(f"new {GAME} code=sesame")["match"]
        kicks = anna.ask(f"new {GAME}")["match"]
        bob.ask(f"join {kicks}")
        anna.ask(f"kick {kicks}")
        server.stop()
    stage.databases.create(other)
    conninfo = stage.databases.conninfo().replace("dbname=ludus", f"dbname={other}").replace("timeout=2", "timeout=60")
    checks.equal(run("import", store, "--engine", conninfo).returncode, 0, "imported")
    node = Node(build_folder(), stage.folder, 9, ["--no-bots"])
    node.words += on_database(conninfo, 9, node.address)
    node.start()
    node.wait()
    restrictions_hold(checks, node.port, bob, kicks, coded)
    node.stop()
    done = run("import", "--engine", conninfo, "--data", back)
    checks.equal(done.returncode, 0, f"and back: {done.stderr}")
    with Server(build_folder(), "--no-bots", "--data", back) as server:
        restrictions_hold(checks, server.port, bob, kicks, coded)
        server.stop()
    with Server(build_folder(), "--no-bots", "--data", back) as server:
        checks.equal(server.connect().ask(f"join {coded} code=sesame")["type"], "ok", "the word opens the seat")
        server.stop()


def restrictions_hold(checks, port, bob, kicks, coded):
    again, carl = Connection(port), Connection(port)
    again.ask(f"hello bob token={bob.token}")
    checks.equal(again.ask(f"join {kicks}").get("code"), "not-allowed", "bob stays kicked")
    checks.equal(carl.ask(f"join {coded}").get("code"), "code-needed", "the word is needed")
    checks.equal(carl.ask(f"join {coded} code=simsalabim").get("code"), "bad-code", "it is another one")
    rows = {row["match"]: row.get("code", False) for row in carl.ask("list")["matches"]}
    checks.equal(rows, {coded: True, kicks: False}, "as the list has it")
    again.close()
    carl.close()


def commands_of_the_manual():
    """Returns the commands of CLUSTER.md, Backup and restore, as words."""
    with open(os.path.join(os.path.dirname(__file__), "../../server/CLUSTER.md")) as file:
        part = file.read().split("\n## Backup and restore\n")[1].split("\n## ")[0]
    return [shlex.split(line) for line in part.splitlines() if line.startswith("    ")]


def a_dump_is_restored(checks):
    """What CLUSTER.md says of backups, command by command: tokens and matches come back."""
    store, name = os.path.join(stage.folder, "dumped"), "dumped"
    with Server(build_folder(), "--no-bots", "--data", store) as server:
        anna = server.connect("anna")
        match = anna.ask(f"new {GAME} white=me black=me")["match"]
        anna.ask(f"move {match} {MOVES[0]}")
        server.stop()
    primary = stage.databases.primary
    stage.databases.create(name)
    everywhere, leader = (
        stage.databases.conninfo(ports).replace("dbname=ludus", f"dbname={name}").replace("timeout=2", "timeout=60")
        for ports in (None, [primary.port]))
    checks.equal(run("import", store, "--engine", everywhere).returncode, 0, "a database to back up")
    folder = tempfile.mkdtemp(prefix="dump-")
    done = []
    for program, *words in commands_of_the_manual():
        own = leader if program == "pg_restore" else everywhere
        words = [own if "host=" in word else word.replace("ludus.dump", f"{folder}/ludus.dump") for word in words]
        if program == "sudo":
            program, *words = words[2:]
            said = primary.run(program, "-h", "127.0.0.1", "-p", str(primary.port), "-U", postgres.SUPERUSER,
                               *[name if word == "ludus" else word for word in words], check=False)
        else:
            place = build_folder() if program == "ludusd" else postgres.binaries()
            said = subprocess.run([os.path.join(place, program), *words], capture_output=True, text=True)
        checks.equal((said.returncode, said.stderr or ""), (0, ""), program)
        if program == "createdb":
            stage.databases.wait_for_database(name)
        done.append(program)
    checks.equal(said.stdout, "matches: 1, moves: 1, problems: 0\n", "checked")
    checks.equal(done, ["pg_dump", "dropdb", "createdb", "pg_restore", "ludusd"], "the commands of the manual")
    back = os.path.join(stage.folder, "undumped")
    run("import", "--engine", everywhere, "--data", back)
    with Server(build_folder(), "--no-bots", "--data", back) as server:
        checks.equal(server.connect().ask(f"hello anna token={anna.token}")["type"], "ok", "tokens come back")
        server.stop()
    shutil.rmtree(folder)


def main():
    global stage
    checks = Checks("test_engine_failures")
    why = postgres.why_not()
    if why is not None:
        print(f"test_engine_failures: SKIPPED: {why}")
        print("test_engine_failures: 1 passed, 0 failed")
        return 0
    stage = Stage()
    try:
        return stage.run(checks, [
            a_cancelled_wait_is_not_safe, other_standbys_are_waited_for, a_cancelled_wait_is_not_lost,
            a_shutdown_is_not_safe, a_damaged_match_is_read_only, a_challenge_outlives_its_server,
            unsafe_settings_are_said, a_database_that_waits_is_said, nobody_pays_for_the_database, a_flag_falls_elsewhere,
            the_stopped_are_fenced, nothing_has_failed, a_store_moves_in, tournaments_come_along, restrictions_come_along,
            a_dump_is_restored])
    finally:
        stage.close()


if __name__ == "__main__":
    sys.exit(main())
