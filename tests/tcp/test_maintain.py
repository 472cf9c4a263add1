"""`ludusd check`, `ludusd --export`, and servers with an invalid store.

usage: test_maintain.py BUILD_DIR
"""
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Connection, Server, build_folder
from test_store import Place, mount, refused, try_start

LUDUSD = os.path.join(build_folder(), "ludusd")


def run(*words, **more):
    """Runs a subcommand of the server that exits by itself."""
    done = subprocess.run([LUDUSD, *words], capture_output=True, text=True, timeout=LIMIT_S,
                          stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout, done.stderr


def play(anna, bob, variant, moves, options=""):
    """Plays a match of Clobber with anna as white, and returns its id."""
    match = anna.ask(f"new clobber:{variant} black=bob{options}")["match"]
    bob.ask(f"join {match}")
    for ply, move in enumerate(moves.split()):
        (bob if ply % 2 else anna).ask(f"move {match} {move}")
    return match


def fill(data):
    """Creates matches 1 to 8, one of each kind. Returns anna's token."""
    with Server(build_folder(), "--no-bots", "--data", data) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        play(anna, bob, "2x2", "a2a1 b2b1 a1b1", " clock=300+5")
        bob.ask(f"resign {play(anna, bob, '4x4', 'a2a1')}")
        play(anna, bob, "4x4", "a2a1")
        anna.ask("new clobber:4x4 black=open")
        drawn = play(anna, bob, "4x4", "a2a1 b2b1")
        anna.ask(f"draw {drawn}")
        bob.ask(f"draw {drawn}")
        anna.ask(f"abort {play(anna, bob, '4x4', 'a2a1')}")
        bob.ask(f"resign {play(anna, bob, '4x4', 'a2a1 b2b1', ' private=yes')}")
        anna.ask("new clobber:4x4 black=open private=yes")
        return anna.token


def copy_of(place, script, name="copy"):
    """Returns a copy of the store, changed by SQL."""
    copy = os.path.join(place.folder, name)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(place.data, copy)
    database = sqlite3.connect(os.path.join(copy, "ludus.db"))
    database.executescript(script)
    database.close()
    return copy


class Filled(Place):
    """A store with all kinds of matches, copies of which are damaged."""

    def __enter__(self):
        super().__enter__()
        self.token = fill(self.data)
        return self

    def copy(self, script, name="copy"):
        return copy_of(self, script, name)


HIGHEST = 2**63 - 1
TOO_HIGH = f"number {HIGHEST}: too high to continue from"

# Damage to the store, and the report of the check. A server shows the match as far as its moves go, or says why it
# cannot, and logs that report.
BROKEN = (
    ("UPDATE match SET game = 'chess' WHERE number = 3", "unknown game 'chess'"),
    ("UPDATE match SET variant = '9x' WHERE number = 3",
     "invalid size '9x' of Clobber: write files x ranks, 1x2 to 10x10"),
    ("UPDATE match SET start = 'P' WHERE number = 3",
     "the position has 1 field instead of 2: placement, side"),
    ("UPDATE match SET moves = replace(moves, 'a2a1', 'a1a2') WHERE number = 3",
     "move 1, 'a1a2': the stone on a1 is not yours: white moves"),
    *[(f"UPDATE match SET moves = '{line}' WHERE number = 3", "move 1 cannot be read")
      for line in ("a2a1", "a2a1 -1", "a2a1 4294967296", "a2a1 1 2", "a2a1 1 2 3 4 5", "a2a1a2a1 1", "a2a1 x", " ")],
    ("UPDATE match SET moves = moves || 'b2b1' WHERE number = 3", "move 2 cannot be read"),
    ("UPDATE match SET started = 0 WHERE number = 3",
     "move 1, 'a2a1': the match has not started"),
    ("UPDATE match SET plies = 2 WHERE number = 3", "1 moves stored instead of 2"),
    ("UPDATE match SET plies = 1 WHERE number = 3",
     "the moves lead to PpPp/pPpP/1pPp/PPpP b, but PpPp/pPpP/PpPp/pPpP w is stored"),
    ("UPDATE match SET position = 'PpPp/pPpP/1pPp/PPpP b' WHERE number = 3",
     "the moves lead to PpPp/pPpP/PpPp/pPpP w, but PpPp/pPpP/1pPp/PPpP b is stored"),
    ("UPDATE match SET status = 'open' WHERE number = 3",
     "the moves make it playing, but it is stored as open"),
    ("UPDATE match SET black_joined = 0 WHERE number = 3", "started with an empty seat"),
    ("UPDATE match SET black_joined = 0, black = NULL WHERE number = 3",
     "started with an empty seat"),
    ("UPDATE match SET opened_s = 9223372036854775807 WHERE number = 3", "invalid date"),
    ("UPDATE match SET opened_s = -1 WHERE number = 3", "invalid date"),
    ("UPDATE match SET moves = 'a2a1 7 9223372036854775807 0 0' WHERE number = 3", "invalid date"),
    ("UPDATE match SET moves = 'a2a1 7 -9223372036854775807 0 0' WHERE number = 3", "invalid date"),
    *[(f"UPDATE match SET base_ms = {base}, increment_ms = {increment}, white_ms = 1, black_ms = 1,"
       f" moves = 'a2a1 7 1000 {white} {black}' WHERE number = 3", "invalid clock: less than no time, or more than the limit")
      for base, increment, white, black in ((86400001, 0, 1, 1), (1000, 86400001, 1, 1),
                                            (1000, 0, 1000000000000, 1),
                                            (1000, 0, 1, 9223372036854775807))],
    ("UPDATE match SET status = 'over', reason = 'luck', ended = 77 WHERE number = 3",
     "invalid result '*' by 'luck'"),
    ("UPDATE match SET status = 'over', reason = 'no-moves', ended = 77 WHERE number = 3",
     "result is by no-moves, but the rules do not end it there"),
)

# Damage to match 1, which is over by the rules.
BROKEN_END = (
    ("status = 'playing', result = '*', reason = NULL, ended = NULL",
     "over by the rules, but not in the store"),
    ("plies = 1, position = '1p/PP b'", "3 moves stored instead of 1"),
    ("result = '0-1'", "result is 0-1 by no-moves, but the rules say 1-0 by no-moves"),
    (f"ended = {HIGHEST}", TOO_HIGH),
    ("reason = 'checkmate'", "result is 1-0 by checkmate, but the rules say 1-0 by no-moves"),
)


# What the moves say all the same.
REPAIRED = ("1 moves stored instead of 2", "the moves lead to", "the moves make it", "move 1, 'a2a1': the match has not",
            "over by the rules, but not", "3 moves stored instead of 1", "but the rules say 1-0 by no-moves")


def read_only(checks, script, copy, number, said, token):
    """The server shows the match, logs and counts it, and does not change it."""
    with Server(build_folder(), "--no-bots", "--data", copy, checks=checks) as server:
        checks.check(f'event=broken-match number={number} error="{said[:60]}' in server.read_log() and
                     "event=broken-matches count=1 " in server.read_log(), f"log: {script}", server.read_log())
        dora = server.connect("dora")
        checks.equal(dora.ask("stats")["matches_broken"], 1, f"stats: {script}")
        record = dora.ask(f"record {number}")
        if "game = " in script or "variant = " in script or "start = " in script:
            checks.equal((record.get("code"), record.get("message")), ("internal", f"match {number} is damaged: {said}"),
                         f"record: {script}")
        else:
            checks.check(record.get("broken", "").startswith(said[:60]), f"record: {script}", record)
            state = dora.ask(f"state {number}")
            checks.check(state["broken"] == record["broken"] and state["you"] is None, f"state: {script}", state)
            for line in ("move {} b2b1", "resign {}", "join {}", "abort {}", "rematch {}", "decline {}", "kick {}"):
                checks.equal(dora.ask(line.format(number)).get("code"), "not-allowed", f"{line}: {script}")
            dora.ask(f"watch {number}")
        checks.equal(dora.ask("record 2")["reason"], "resign", f"another record: {script}")
        checks.equal(dora.ask("new clobber")["match"], "9", f"a new match: {script}")
        anna = Connection(server.port)
        checks.equal(anna.ask(f"hello anna token={token}")["type"], "ok", f"a player of it: {script}")
        anna.ask("seek clobber:4x4")
        dora.ask("seek clobber:4x4")
        checks.equal(dora.wait_for("paired")["opponent"], "anna", f"they play others: {script}")
        anna.close()


def repair(checks, script, copy, number, said):
    """`check --repair` mends what the moves can, and changes nothing else."""
    code, out, problems = run("check", "--repair", "--data", copy)
    if any(part in said for part in REPAIRED):
        checks.equal((code, out.split("\n")[0], out.split(", ")[2:]),
                     (0, f"match number {number}: repaired", ["problems: 0", "repaired: 1\n"]), f"repair: {script}")
        checks.equal(run("check", "--data", copy)[0], 0, f"it is mended: {script}")
        with Server(build_folder(), "--no-bots", "--data", copy, checks=checks) as server:
            record = server.connect("erna").ask(f"record {number}")
            checks.equal((record["moves"], record.get("broken")),
                         (["a2a1"] if number == "3" else ["a2a1", "b2b1", "a1b1"], None), f"its moves: {script}")
            checks.check("event=broken" not in server.read_log(), f"nothing is broken: {script}")
    else:
        checks.check(code == 1 and f"match number {number}: cannot be repaired: " in problems and "repaired: 0" in out,
                     f"no repair: {script}", (code, out, problems))
        checks.check(said in run("check", "--data", copy)[2], f"it is as it was: {script}")


def broken(checks):
    rows = [("match 3", *row) for row in BROKEN]
    rows += [("match 1", f"UPDATE match SET {change} WHERE number = 1", said)
             for change, said in BROKEN_END]
    with Filled() as place:
        for match, script, said in rows:
            copy = place.copy(script)
            code, out, problems = run("check", "--data", copy)
            checks.equal((code, out.split(", ")[2:], problems),
                         (1, ["problems: 1\n"], f"ludusd: {match}: {said}\n"), script)
            new = os.path.join(place.folder, "new")
            checks.equal(run("--export", new, "--data", copy), (1, "", f"ludusd: {match}: {said}\n"),
                         f"export: {script}")
            shutil.rmtree(new)
            if said == TOO_HIGH:
                refused(checks, script, copy, TOO_HIGH)
                continue
            read_only(checks, script, copy, match.split()[1], said, place.token)
            checks.check(said in run("check", "--data", copy)[2], f"it stays in the store: {script}")
            repair(checks, script, copy, match.split()[1], said)


def private_broken(checks):
    """The operator learns of a damaged private match, and clients do not."""
    with Filled() as place:
        for what, change in (("shown", "position = 'PP/PP w'"), ("not shown", "game = 'chess'")):
            copy = place.copy(f"UPDATE match SET private = 1, id = 'xAAAAAAAAAAAAAAAAAAAAAA', {change} WHERE number = 3")
            with Server(build_folder(), "--no-bots", "--data", copy, checks=checks) as server:
                checks.check("event=broken-matches count=1 " in server.read_log(), f"in the log: {what}", server.read_log())
                checks.equal(server.connect().ask("stats")["matches_broken"], 0, f"stats of a private one: {what}")


# Further findings of the check; a server ignores most of them.
ODD = (
    ("UPDATE match SET id = '17' WHERE number = 3", "match 17: number and id differ"),
    ("UPDATE match SET result = '1/2-1/2' WHERE number = 2",
     "match 2: result and reason contradict each other"),
    ("UPDATE match SET reason = 'timeout', result = '*' WHERE number = 2",
     "match 2: result and reason contradict each other"),
    ("UPDATE match SET result = '1-0' WHERE number = 5",
     "match 5: result and reason contradict each other"),
    ("UPDATE match SET result = '1-0' WHERE number = 6",
     "match 6: result and reason contradict each other"),
    ("UPDATE match SET black = white, black_joined = 1 WHERE number = 4",
     "match 4: both seats are taken, but it has not started"),
    ("UPDATE rating SET rating = 5000 WHERE player = (SELECT id FROM player WHERE name = 'anna')"
     " AND variant = '2x2'", "the rating of anna in clobber:2x2: out of range"),
    ("UPDATE rating SET deviation = 5000 WHERE variant = '2x2'",
     "the rating of anna in clobber:2x2: out of range",
     "the rating of bob in clobber:2x2: out of range"),
    ("UPDATE rating SET volatility = 0.9 WHERE variant = '2x2'",
     "the rating of anna in clobber:2x2: out of range",
     "the rating of bob in clobber:2x2: out of range"),
    ("PRAGMA foreign_keys = OFF; UPDATE match SET creator = 999 WHERE number = 3",
     "a row of match refers to a missing row of player"),
    ("PRAGMA foreign_keys = OFF; UPDATE match SET white = 999 WHERE number = 4",
     "a row of match refers to a missing row of player", "match 4: the player of white is missing"),
    ("UPDATE rating SET game = 'chess' WHERE variant = '2x2'",
     "the rating of anna in chess:2x2: unknown game", "the rating of bob in chess:2x2: unknown game"),
    (f"UPDATE player SET seen_s = {HIGHEST} WHERE name = 'bob'", "bob: invalid last-seen time"),
    ("UPDATE player SET seen_s = -1 WHERE name = 'bob'", "bob: invalid last-seen time"),
    (f"INSERT INTO player (id, name, kind, bot, token_hash, seen_s) VALUES ({HIGHEST}, 'zoe', 'named', 0, randomblob(32), 1)",
     TOO_HIGH),
    (f"UPDATE match SET number = {HIGHEST}, id = '{HIGHEST}' WHERE number = 1",
     f"match {HIGHEST}: {TOO_HIGH}"),
)

# Findings that a server does not ignore.
DEADLY = {ODD[-5][0]: "invalid rating of anna in chess",
          **{script: said[0] for script, *said in ODD[-4:-1]}, ODD[-1][0]: TOO_HIGH}


def odd(checks):
    with Filled() as place:
        for script, *said in ODD:
            copy = place.copy(script)
            code, out, problems = run("check", "--data", copy)
            checks.equal((code, out, problems),
                         (1, f"matches: 8, moves: 10, problems: {len(said)}\n",
                          "".join(f"ludusd: {line}\n" for line in said)), script)
            if script in DEADLY:
                refused(checks, script, copy, DEADLY[script])
            else:
                checks.equal(try_start(copy), (0, "it starts"), script)


def good(checks):
    """The output of the check for a valid store, and without a store."""
    with Filled() as place:
        checks.equal(run("check", "--data", place.data),
                     (0, "matches: 8, moves: 10, problems: 0\n", ""), "a store in order")
        os.mkdir(empty := os.path.join(place.folder, "empty"))
        file = os.path.join(empty, "ludus.db")
        checks.equal(run("check", "--data", empty),
                     (1, "", f"ludusd: {file}: No such file or directory\n"), "no store")
        checks.check(not os.path.exists(file), "and none is made")
        open(file, "w").close()
        checks.equal(run("check", "--data", empty), (1, "", f"ludusd: {file}: empty file\n"),
                     "an empty store")
        checks.equal(run("check", "--data", "none"),
                     (1, "", "ludusd: --data none: no store to check or export\n"), "none")
        with Server(build_folder(), "--no-bots", "--data", place.data):
            checks.check("another ludusd is using it" in run("check", "--data", place.data)[2],
                         "a store in use")
        long = "/" + "x" * 4090
        for words in (("check",), ("--listen", "127.0.0.1:0", "--no-bots")):
            checks.equal(run(*words, "--data", long),
                         (1, "", f"ludusd: {long[:100]}…: name too long\n"), "a long name")


def judgements(checks):
    """What players thought of their moves, in matches that are over and that go on, with clocks."""
    with Filled() as place:
        with Server(build_folder(), "--no-bots", "--data", place.data) as server:
            carl, dora = server.connect("carl"), server.connect("dora")
            for last in ("state", "resign"):
                match = carl.ask("new clobber:4x4 black=dora clock=300+5")["match"]
                dora.ask(f"join {match}")
                carl.ask(f"move {match} a2a1 eval=-35 pv=a2a1,b2b1")
                dora.ask(f"move {match} b2b1 eval=12")
                carl.ask(f"{last} {match}")
        checks.equal(run("check", "--data", place.data), (0, "matches: 10, moves: 14, problems: 0\n", ""), "in order")
        checks.equal(run("--export", place.data + "-pgn", "--data", place.data)[0], 0, "export")
        with open(os.path.join(place.data + "-pgn", "matches.pgn")) as file:
            checks.equal(file.read().count("%eval -0.35"), 2, "the judgements")
        with contextlib.closing(sqlite3.connect(os.path.join(place.data, "ludus.db"))) as database:
            rows = database.execute("SELECT moves FROM match WHERE ended IS NULL ORDER BY number").fetchall()
            checks.check(" -35 a2a1,b2b1\n" in rows[-1][0], "how they are kept", rows)


def broken_record(checks):
    """An invalid match that is not in memory: the server says why and logs it."""
    with Filled() as place:
        copy = place.copy("UPDATE match SET result = '0-1' WHERE number = 1")
        with Server(build_folder(), "--no-bots", "--keep-finished", "1", "--data", copy,
                    checks=checks) as server:
            dora = server.connect("dora")
            checks.equal(dora.ask("record 2")["reason"], "resign", "one that is in order")
            record = dora.ask("record 1")
            checks.equal((record["moves"], record["broken"]), (
                ["a2a1", "b2b1", "a1b1"], "result is 0-1 by no-moves, but the rules say 1-0 by no-moves"), "the broken one")
            checks.equal(dora.ask("record 99").get("code"), "unknown-match", "one that is not there")
            checks.check('event=broken-match number=1 error="result is 0-1 by no-moves, but'
                         in server.read_log(), "the log", server.read_log())
        copy = place.copy("UPDATE match SET game = 'chess' WHERE number = 1;"
                          "UPDATE match SET reason = 'luck' WHERE number = 2")
        with Server(build_folder(), "--no-bots", "--keep-finished", "1", "--data", copy,
                    checks=checks) as server:
            dora = server.connect("dora")
            rows = [row["match"] for row in dora.ask("history anna")["matches"]]
            checks.equal(rows, ["6", "5"], "the history leaves them out")


def odd_ratings(checks):
    """Ratings out of range become the nearest valid ones."""
    with Filled() as place:
        copy = place.copy("UPDATE rating SET rating = 1e308, deviation = 1e308;"
                          " UPDATE match SET white_rating = 1e308, black_rating = -1"
                          " WHERE white_rating IS NOT NULL")
        with Server(build_folder(), "--no-bots", "--data", copy, checks=checks) as server:
            dora = server.connect("dora")
            rows = dora.ask("top")["players"]
            checks.check(rows and {(row["rating"], row["deviation"]) for row in rows} == {(4000, 350)},
                         "the best", rows)
            record = dora.ask("record 1")
            checks.equal((record["white_rating"], record["black_rating"]), (4000, None), "a record")
            row = dora.ask("history anna")["matches"][-1]
            checks.equal((row["white_rating"], row["black_rating"]), (4000, None), "a history")


def odd_history(checks):
    """An invalid row of a history is omitted, and requests for it are safe."""
    with Filled() as place:
        copy = place.copy(f"UPDATE match SET opened_s = {HIGHEST} WHERE number = 1")
        with Server(build_folder(), "--no-bots", "--keep-finished", "1", "--data", copy,
                    checks=checks) as server:
            matches = server.connect("dora").ask("history anna")["matches"]
            checks.check(matches and "1" not in [row["match"] for row in matches],
                         "the others are there", matches)


def default_folder(checks):
    """The default place of the store: relative directories in the environment are ignored."""
    with Filled() as place:
        place.folder = os.path.abspath(place.folder)
        home, state = os.path.join(place.folder, "home"), os.path.join(place.folder, "state")
        shutil.copytree(place.data, os.path.join(home, ".local", "state", "ludus"))
        shutil.copytree(place.copy("DELETE FROM match"),
                        os.path.join(state, "ludus"))
        of_home, of_state = "matches: 8, moves: 10, problems: 0\n", "matches: 0, moves: 0, problems: 0\n"
        nowhere = "ludusd: no directory for the store: give --data DIR or --data none\n"
        for environment, said in (({"HOME": home}, (0, of_home, "")),
                                  ({"HOME": home, "XDG_STATE_HOME": ""}, (0, of_home, "")),
                                  ({"HOME": home, "XDG_STATE_HOME": "state"}, (0, of_home, "")),
                                  ({"HOME": home, "XDG_STATE_HOME": state}, (0, of_state, "")),
                                  ({"XDG_STATE_HOME": state}, (0, of_state, "")),
                                  ({"HOME": home, "STATE_DIRECTORY": state + "/ludus"}, (0, of_state, "")),
                                  ({"HOME": home, "STATE_DIRECTORY": f"{state}/ludus:/x"}, (0, of_home, "")),
                                  ({"HOME": "home"}, (1, "", nowhere)),
                                  ({"HOME": "/" + "x" * 4090}, (1, "", nowhere)),
                                  ({}, (1, "", nowhere))):
            checks.equal(run("check", env=environment), said, f"the environment {environment}")
        checks.equal(run("--no-bots", env={}), (1, "", nowhere), "a server without a folder")
        with Server(build_folder(), "--no-bots", "--data", "none") as server:
            checks.check("event=store" not in server.read_log(), "none")


def replayed(text):
    """Checks the records with the client."""
    return subprocess.run([os.path.join(build_folder(), "ludus"), "replay", "-"], input=text,
                          capture_output=True, text=True, timeout=LIMIT_S)


# Damage to a round robin of anna, bob and carl, whose first match is running, and what the check says of it.
BROKEN_CUP = (
    ("UPDATE tournament SET game = 'chess'", "unknown game 'chess'"),
    ("UPDATE tournament SET variant = '9x'", "invalid size '9x' of Clobber: write files x ranks, 1x2 to 10x10"),
    ("UPDATE tournament SET format = 'league'", "invalid format 'league'"),
    ("UPDATE tournament SET openings = 'wild'", "invalid openings 'wild'"),
    ("UPDATE tournament SET cycles = 0", "invalid rounds, cycles or minutes"),
    ("UPDATE tournament SET cycles = 4294967297", "invalid rounds, cycles or minutes"),
    ("UPDATE tournament SET minutes = 10081", "invalid rounds, cycles or minutes"),
    ("UPDATE tournament SET rounds = 101", "invalid rounds, cycles or minutes"),
    (f"UPDATE tournament SET base_ms = {HIGHEST}", "invalid clock: less than no time, or more than the limit"),
    (f"UPDATE tournament SET created_s = {HIGHEST}", "invalid date"),
    ("UPDATE tournament SET status = 'open'", "it has pairings, but has not started"),
    ("UPDATE entrant SET number = number + 10", "player 1 is missing"),
    ("UPDATE entrant SET player = (SELECT id FROM player WHERE name = 'anna')", "anna takes part twice"),
    ("DELETE FROM entrant", "pairing 1 is invalid"),
    ("UPDATE pairing SET number = number + 1", "pairing 1 is missing, or there is one too many"),
    *((f"UPDATE pairing SET {change}", "pairing 1 is invalid") for change in (
        "white = 3", "black = 3", "white = 4294967296", "black = -1", "black = -1, match = NULL", "black = white, match = NULL",
        "round = 2", f"round = {HIGHEST}", "walkover = 1")),
    ("PRAGMA foreign_keys = OFF; UPDATE tournament SET director = 999", "its director is missing"),
)


def broken_tournament(checks):
    """A tournament that cannot go on is named and left out: the server starts, its match goes on, and its number is not
    given again."""
    with Place() as place:
        with Server(build_folder(), "--no-bots", "--data", place.data) as server:
            people = [server.connect(name) for name in ("anna", "bob", "carl")]
            tokens = [person.token for person in people]
            people[0].do("tournament new Cup clobber:2x2 format=round-robin")
            for person in people:
                person.do("tournament join t1")
            people[0].do("tournament start t1")
            paired = [(person, person.wait_for("paired")) for person in people[1:]]
            white, match = next((n, event["match"]) for n, (_, event) in enumerate(paired, 1) if event["color"] == "white")
        checks.equal(run("check", "--data", place.data)[2], "", "a tournament in order")
        for script, said in BROKEN_CUP:
            copy = copy_of(place, script)
            code, out, problems = run("check", "--data", copy)
            checks.check(code == 1 and problems.endswith(f"ludusd: tournament t1: {said}\n"), f"check: {script}", (code, problems))
            with Server(build_folder(), "--no-bots", "--data", copy, checks=checks) as server:
                checks.check(f'event=tournament-broken tournament=t1 error="{said}"' in server.read_log(), f"log: {script}",
                             server.read_log())
                name = ("anna", "bob", "carl")[white]
                player, dora = Connection(server.port), server.connect("dora")
                player.do(f"hello {name} token={tokens[white]}")
                checks.equal(player.ask(f"move {match} a2a1").get("ply"), 1, f"the match goes on: {script}")
                checks.equal(dora.ask("tournament show t1").get("code"), "unknown-tournament", f"it is left out: {script}")
                checks.equal(dora.ask("tournament new Next clobber format=arena").get("tournament"), "t2", f"the next: {script}")
            checks.check(f"tournament t1: {said}" in run("check", "--data", copy)[2], f"it stays in the store: {script}")
        copy = copy_of(place, "UPDATE pairing SET result = 2 WHERE number = 0")
        checks.equal(run("check", "--data", copy)[2], f"ludusd: tournament t1: pairing 1 and match {match} contradict each other\n",
                     "a result that its match does not have")
        for script in ("SELECT 1", "DELETE FROM entrant"):  # nobody could repair it, and a server starts with it
            file, restored = os.path.join(place.folder, "cup.db"), os.path.join(place.folder, f"restored{len(script)}")
            database = sqlite3.connect(os.path.join(copy, "ludus.db"))
            database.executescript(script)
            database.close()
            checks.equal(run("backup", file, "--data", copy)[0], 0, f"backup: {script}")
            _, said, problems = run("restore", file, "--data", restored, "--no-bots", "--listen", "nowhere:0")
            checks.check("problems: 1\n" in said and "tournament t1: " in problems and "not restored" not in problems and
                         os.path.exists(os.path.join(restored, "ludus.db")), f"restored all the same: {script}", (said, problems))
        copy = copy_of(place, "SELECT 1")
        with Server(build_folder(), "--no-bots", "--data", copy, checks=checks) as server:
            players = [Connection(server.port), Connection(server.port)]
            for player, number in zip(players, (white, 3 - white)):
                player.do(f"hello {('anna', 'bob', 'carl')[number]} token={tokens[number]}")
            for ply, move in enumerate(("a2a1", "b2b1", "a1b1")):
                players[ply % 2].do(f"move {match} {move}")
        checks.equal(run("check", "--data", copy)[2], "", "its match is over")
        database = sqlite3.connect(os.path.join(copy, "ludus.db"))
        database.executescript(f"UPDATE match SET result = '0-1' WHERE number = {match}")
        database.close()
        checks.equal(run("check", "--data", copy)[0], 1, "a result that its moves do not have")
        code, out, problems = run("check", "--repair", "--data", copy)
        checks.check(code == 0 and "problems: 0, repaired: 1" in out, "a match of a tournament is repaired", (code, out, problems))


def export(checks):
    with Filled() as place:
        new = os.path.join(place.folder, "new")
        checks.equal(run("--export", new, "--data", place.data),
                     (0, f"{new}: 8 matches in matches.pgn, 2 players in players.jsonl\n", ""), "export")
        with open(os.path.join(new, "matches.pgn")) as file:
            text = file.read()
        checks.equal(text.count("\n\n[Event "), 7, "an empty line between matches")
        checks.check('[TimeControl "300+5"]' in text and '[White "anna"]\n[Black "?"]' in text and
                     " [%emt 0:00:0" in text and "{ [%clk 0:05:0" in text and '[WhiteRating "' in text, "what is there", text)
        done = replayed(text)
        checks.equal((done.returncode, done.stdout.count("\n")), (0, 8), "every match is good")
        with open(os.path.join(new, "players.jsonl")) as file:
            players = [json.loads(line) for line in file]
        checks.equal([(player["name"], player["bot"]) for player in players],
                     [("anna", False), ("bob", False)], "players")
        checks.equal([sorted((row["game"], row["variant"], row["matches"])
                             for row in player["ratings"]) for player in players],
                     [[("clobber", "2x2", 1), ("clobber", "4x4", 2)]] * 2, "their ratings")
        checks.equal(run("--export", new, "--data", place.data),
                     (1, "", f"ludusd: {new}: File exists\n"), "a folder that is there")
        nowhere = os.path.join(place.folder, "no", "where")
        checks.equal(run("--export", nowhere, "--data", place.data),
                     (1, "", f"ludusd: {nowhere}: No such file or directory\n"), "no such folder")
        checks.equal(run("--export", os.path.join(place.folder, "newer"), "--data", "none")[0], 1,
                     "nothing to export")


def export_without_room(checks):
    """Exports to a disk without room for the matches, the players, or even the files."""
    with Filled() as place:
        many = place.copy("UPDATE match SET number = 100, id = '100', ended = 100, moves = '',"
                          " plies = 0, position = start WHERE number = 6;"
                          + "".join(f"CREATE TABLE copy AS SELECT * FROM match WHERE number = 100;"
                                    f"UPDATE copy SET number = {n}, id = '{n}', ended = {n};"
                                    f"INSERT INTO match SELECT * FROM copy; DROP TABLE copy;"
                                    for n in range(101, 150)))
        os.mkdir(disk := os.path.join(place.folder, "disk"))
        for data, said in ((many, "matches.pgn: No space left on device"),
                           (place.data, "players.jsonl: No space left on device")):
            if not mount("-t", "tmpfs", "-o", "size=4096", "ludus", disk):
                print("test_maintain: a full tmpfs SKIPPED: nothing can be mounted here")
                return
            try:
                checks.equal(run("--export", os.path.join(disk, "new"), "--data", data),
                             (1, "", f"ludusd: {said}\n"), said)
            finally:
                subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    sys.exit(Checks("test_maintain").run(
        [good, judgements, broken, private_broken, broken_tournament, odd, broken_record, odd_ratings, odd_history,
         default_folder, export, export_without_room]))
