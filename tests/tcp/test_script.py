#!/usr/bin/env python3
"""The client's subcommands for scripts: output and exit status.

usage: python3 tests/tcp/test_script.py BUILD_DIR [TEST...]
"""

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import OK, AnsweringServer, state
from harness import games_of
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, command_line, expect_in_order, expect_that

FIELDS = {"list": "match game variant white black status ply watchers clock",
          "who": "name bot rating rating_game playing",
          "top": "game variant rank name bot rating deviation matches",
          "history": "match date game variant white black result reason plies white_rating "
                     "black_rating",
          "games": "name title default variants"}


test = Tests()


def ask(bench, *words, status=0, home=None, address=None, error=""):
    """Runs the command and returns its output. Standard error must be `error`."""
    done = subprocess.run(command_line(address or bench.server.address, words),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=(home or bench.home).environment(), timeout=LIMIT_S * 2)
    expect_that(done.returncode == status,
                f"{words}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    expect_that(error in done.stderr and (error or not done.stderr), f"{words}: {done.stderr!r}")
    return done.stdout


def rows(text):
    expect_that(text == "" or text.endswith("\n"), repr(text))
    return [line.split("\t") for line in text.split("\n")[:-1]]


def follow(bench, *words, address=None):
    """Starts a command that keeps running, to be read line by line."""
    return bench.keep(Following(command_line(address or bench.server.address, words), bench.home))


class Following:
    def __init__(self, command, home):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=home.environment())

    def read_to(self, part):
        guard = threading.Timer(LIMIT_S, self.process.kill)
        guard.start()
        text = ""
        for line in self.process.stdout:
            text += line
            if part in line:
                guard.cancel()
                return text
        guard.cancel()
        raise RuntimeError(f"it ended before {part!r}: {text}{self.process.stderr.read()}")

    def says_something(self):
        return bool(select.select([self.process.stdout], [], [], 0.05)[0])

    def end(self, status=0):
        output, error = self.process.communicate(timeout=LIMIT_S)
        expect_that(self.process.returncode == status,
                    f"exit status {self.process.returncode}: {output}{error}")
        return output + error

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def finished_match(bench, name):
    """Plays a rated match between two named people."""
    white, black = bench.peer(name), bench.peer(name + "b")
    match = white.do("new clobber:2x2")["match"]
    black.do(f"join {match}")
    for player, move in ((white, "a2a1"), (black, "b2b1"), (white, "a1b1")):
        player.do(f"move {match} {move}")
    return match


# --- lists ----------------------------------------------------------------------------------


@test
def lists_have_a_row_for_each(bench):
    bench.peer("rows0").wait_for_bots(9)
    match = finished_match(bench, "rows")
    open_match = bench.peer("rows2").do("new shakti clock=90.5+2")["match"]
    expect_that([open_match, "shakti", "standard", "rows2", "-", "open", "0", "0", "90.5+2"] in
                rows(ask(bench, "list")), ask(bench, "list"))
    who = {row[0]: row for row in rows(ask(bench, "who"))}
    expect_that(who["rows"] == ["rows", "no", "1662", "clobber:2x2", "0"], who)
    expect_that(who["bot:easy"] == ["bot:easy", "yes", "-", "-", "0"], who)
    top = ask(bench, "top", "clobber:2x2")
    expect_that(["clobber", "2x2", "1", "rows", "no", "1662", "290", "1"] in rows(top), top)
    expect_that(all(row[0] == "shakti" for row in rows(ask(bench, "top", "shakti"))), "top shakti")
    row, = rows(ask(bench, "history", "rowsb"))
    expect_that((row[0], row[2:]) == (match, ["clobber", "2x2", "rows", "rowsb", "1-0", "no-moves",
                                              "3", "1662", "1338"]), row)
    games = rows(ask(bench, "games"))
    expect_that([row[0] for row in games] == list(games_of(BUILD)), games)
    expect_that(games[1] == ["xadrersi", "Xadrersi", "touch", "touch,attack"], games)
    stats = dict(rows(ask(bench, "stats")))
    expect_that(stats["matches_open"] == "1" and int(stats["moves_total"]) >= 3, stats)
    moves = json.loads(ask(bench, "moves", open_match, "--json"))["moves"]
    square = moves[0][:2]
    expect_that(rows(ask(bench, "moves", open_match)) == [[move] for move in moves], "moves")
    expect_that(rows(ask(bench, "moves", open_match, square)) ==
                [[move] for move in moves if move.startswith(square)], "moves of a square")


@test
def lists_as_json_are_what_the_server_says(bench):
    match = finished_match(bench, "jay")
    for words, member in (("list", "matches"), ("who", "players"), ("top", "players"),
                          ("top clobber:2x2", "players"), ("history jay", "matches"),
                          ("games", "games"), ("stats", "uptime_s"),
                          (f"moves {match}", "moves"), (f"state {match}", "board"),
                          (f"record {match}", "times_ms")):
        text = ask(bench, *words.split(), "--json")
        message = json.loads(text)
        expect_that(text.count("\n") == 1 and member in message and "id" not in message and
                    message["type"] == words.split()[0], text)


@test
def lists_on_a_terminal_are_aligned(bench):
    finished_match(bench, "tilda")
    for word, fields in FIELDS.items():
        terminal = bench.ludus(word, *(["tilda"] if word == "history" else []), columns=160)
        terminal.end()
        lines = terminal.screen.split("\n")
        expect_that(lines[0].split() == fields.split(), terminal.screen)
    lines = bench.ludus("top", "clobber:2x2")
    lines.end()
    title, *others = [line for line in lines.screen.split("\n") if line]
    end = title.index("rating") + len("rating")
    expect_that(others and all(re.match(r"clobber  2x2 ", line) and
                               re.fullmatch(r"  \d{4}  ", line[end - 6:end + 2])
                               for line in others), lines.screen)
    fake = bench.keep(AnsweringServer({"who": [{"type": "who", "players": [{"name": "x"}], "total": 7}]}))
    bench.ludus("who", address=fake.address).expect("(1 of 7 players: --from=1 lists the next, --all all)").end()
    plain = bench.ludus("games", "--plain")
    plain.end()
    expect_that("clobber\tClobber\t5x6\t" in plain.screen and "title" not in plain.screen,
                plain.screen)
    as_json = bench.ludus("games", "--json")
    as_json.end()
    json.loads(as_json.screen)


@test
def long_lists_are_whole(bench):
    """450 matches give 450 rows in a pipe; a terminal shows 200 and says so."""
    peer = bench.peer("prolific")
    for _ in range(450):
        match = peer.do("new clobber:2x1 white=me black=me")["match"]
        peer.do(f"move {match} b1a1")
    rows = ask(bench, "history", "prolific").splitlines()
    expect_that(len(rows) == 450 and len({row.split("\t")[0] for row in rows}) == 450, len(rows))
    expect_that(ask(bench, "history", "prolific", "--from", "100").splitlines() == rows[100:], "--from")
    whole = json.loads(ask(bench, "history", "prolific", "--json"))
    expect_that(len(whole["matches"]) == whole["total"] == 450, "one object of JSON")
    shown = bench.ludus("history", "prolific", columns=160).expect("(200 of 450 matches: --from=200 lists").end().screen
    expect_that(shown.count(" no-moves ") == 200, shown[-300:])
    shown = bench.ludus("history", "prolific", "--from=400", columns=160).end().screen
    expect_that(shown.count(" no-moves ") == 50 and " of 450" not in shown, shown[-300:])
    shown = bench.ludus("history", "prolific", "--all", columns=160).end().screen
    expect_that(shown.count(" no-moves ") == 450, shown[-300:])


@test
def help_names_the_fields(bench):
    for word, fields in FIELDS.items():
        expect_in_order(ask(bench, word, "--help"), f"Usage: ludus {word}",
                        f"Columns:\n  {fields}\n")
    listed = ask(bench, "--help")
    for word in (*FIELDS, "inbox", "stats", "new", "state", "watch", "moves", "move", "say", "record",
                 "replay"):
        expect_that(f"\n  {word} " in listed, listed)
        expect_in_order(ask(bench, word, "--help"), f"Usage: ludus {word}", "--help")


@test
def own_history_by_the_name_on_this_machine(bench):
    home = bench.new_home()
    ask(bench, "history", home=home, status=1, error="ludus: history: unknown player")
    match = ask(bench, "new", "clobber:1x2", "--white", "me", "--black", "me", home=home).strip()
    move = ask(bench, "moves", match, home=home).split()[0]
    ask(bench, "move", match, move, home=home)
    row, = rows(ask(bench, "history", home=home))
    expect_that(row[0] == match and row[4] == home.user, row)
    expect_that(rows(ask(bench, "history", "--name", home.user, home=home)) == [row], "--name")


@test
def inbox_lists_the_matches_where_it_is_your_move(bench):
    """A line a match, status 0 for some, 1 for none, 2 after an error. Opponents see nobody come or go."""
    expect_that(ask(bench, "inbox", "--name", "ines", status=1) == "", "nobody of that name")
    ines, ivan = bench.peer("ines"), bench.peer("ivan")
    clocked = ines.do("new clobber:2x2 clock=600+5")["match"]
    ivan.do(f"join {clocked}")
    other = ivan.do("new shakti")["match"]
    ines.do(f"join {other}")
    ines.do("new clobber:2x2")  # nobody has joined
    begun = ines.do("new clobber black=open position=Pp/pP b")["match"]
    ivan.do(f"join {begun}")
    ours, theirs = (clocked, "clobber", "2x2", "white", "ivan", "0", "-", "10:00"), \
                   (other, "shakti", "standard", "white", "ines", "0", "-", "-")
    expect_that(rows(ask(bench, "inbox", "--name", "ines")) == [list(ours)], "ines")
    expect_that(rows(ask(bench, "inbox", "--name", "IVAN")) ==
                [[begun, "clobber", "2x2", "black", "ines", "0", "-", "-"], list(theirs)], "ivan")
    ines.do(f"move {clocked} a2a1")
    expect_that(ask(bench, "inbox", "--name", "ines", status=1) == "", "ines has moved")
    expect_that([row[0] for row in rows(ask(bench, "inbox", "--name", "ivan"))] == [begun, other, clocked], "ivan")
    states = [json.loads(line) for line in ask(bench, "inbox", "--name", "ivan", "--json").splitlines()]
    expect_that([(state["type"], state["match"], "id" in state) for state in states] ==
                [("state", match, False) for match in (begun, other, clocked)], states)
    ines.close()
    for match in (clocked, other, begun):
        ivan.wait_for("presence", match=match)
    ask(bench, "inbox", "--name", "ines", status=1)
    ask(bench, "inbox", "--name", "ivan")
    ivan.send("ping")
    seen = ivan.read()
    expect_that(seen["type"] == "pong", seen)
    shown = bench.ludus("inbox", "--name", "ivan", columns=80).end().screen
    expect_that(shown.split()[:8] == "match game variant color opponent ply last left".split(), shown)
    expect_that(re.search(rf"{clocked} +clobber +2x2 +black +ines +1 +a2a1 +9:", shown), shown)


@test
def inbox_ends_with_2_after_an_error(bench):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = "127.0.0.1:%d" % unused.getsockname()[1]
    ask(bench, "inbox", address=address, status=2, error=f"ludus: {address}: Connection refused")
    ask(bench, "inbox", "x", status=2, error="inbox: unexpected argument 'x'")
    row = {"match": "1", "white": "anna", "black": "bob"}
    lists = AnsweringServer({"list": [{"type": "list", "matches": [row, {"match": "no id"}], "total": 900}]})
    fake = bench.keep(lists)
    fake.answers["state"] = [{"type": "error", "code": "unknown-match"}]  # it is over meanwhile
    fake.answer = lambda line: fake.hang_up() if "from=4" in line else AnsweringServer.answer(fake, line)
    ask(bench, "inbox", "--name", "anna", address=fake.address, status=2, error="does not answer")
    fake.answers["list"] = [{"type": "error", "message": "no"}]
    ask(bench, "inbox", "--name", "anna", address=fake.address, status=2, error="ludus: inbox: no")


# --- matches --------------------------------------------------------------------------------


@test
def a_match_by_commands_alone(bench):
    other = bench.new_home()
    match = ask(bench, "new", "clobber:2x2", "--white", "me", "--black", "open",
                "--clock", "600+1", "--name", "alma").strip()
    peer = bench.peer("ben")
    peer.do(f"join {match} black")
    ask(bench, "move", match, "a2a1", "--name", "alma", "--ply", "0")
    ask(bench, "move", match, "b2b1", "--name", "alma", status=1,
        error=f"ludus: move {match}: ")
    peer.do(f"move {match} b2b1")
    ask(bench, "move", match, "a1b1", "--name", "alma", "--ply", "1", status=1,
        error=f"ludus: move {match}: ")
    expect_that(rows(ask(bench, "state", match, "--plain")) ==
                [[match, "playing", "2", "white", "b2b1", "*", "-", "2/Pp w"]], "state")
    expect_in_order(ask(bench, "state", match), f"Clobber 2x2, match {match}: white alma",
                    "  2  . .\n  1  P p\n     a b\n", "White to move")
    ask(bench, "move", match, "a1b1", "--name", "alma", home=other, status=1,
        error="ludus: alma: ")
    reply = json.loads(ask(bench, "move", match, "a1b1", "--name", "alma", "--json"))
    expect_that(reply == {"type": "ok", "cmd": "move", "match": match, "ply": 3}, reply)
    expect_in_order(ask(bench, "state", match), "Result: 1-0 (no-moves)")
    expect_in_order(ask(bench, "record", match, "--pgn"), '[White "alma"]', "2. a1b1", " 1-0\n")


@test
def watching_at_a_pace(bench):
    peer = bench.peer("pacer")
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    watching = follow(bench, "watch", match, "--plain", "--pace", "0.7")
    watching.read_to("playing\t0")
    began_s = time.monotonic()
    for move in ("a2a1", "b2b1", "a1b1"):
        peer.do(f"move {match} {move}")
    watching.read_to("playing\t1")
    expect_that(time.monotonic() - began_s < 2, "what comes late waits, too")
    watching.read_to("over\t3")
    expect_that(time.monotonic() - began_s > 1.3, "there is no pace")
    watching.end()
    for wrong in ("x", "-1", "3601", "", "1s"):
        ask(bench, "watch", match, "--pace=" + wrong, status=2, error="ludus: --pace: ")


@test
def narrow_terminals_get_fewer_columns(bench):
    """A date, a game or a number is whole or not there; names are cut, and that can be seen."""
    name = "n" + "a" * 20 + "me"
    match = finished_match(bench, name)
    peer = bench.peer("opener")
    opened = peer.do("new latrunculi clock=600+5")["match"]
    for columns, titles in ((120, "white_rating"), (80, "match  date"), (40, "match  game")):
        shown = bench.ludus("history", name, columns=columns).expect(titles)
        shown.end()
        heads, row = [line.rstrip() for line in shown.screen.split("\n") if line.strip()][-2:]
        expect_that(len(row) <= columns and len(heads) <= columns, (columns, heads, row))
        expect_that(all(word in row.split() for word in (match, "clobber", "1-0")), (columns, row))
        expect_that(("date" in heads) == (columns >= 80) == ("-" in row.replace("1-0", "")), (columns, heads, row))
    for columns in (80, 40):
        shown = bench.ludus("list", columns=columns).expect("match  game")
        shown.end()
        row = next(line for line in shown.screen.split("\n") if line.split()[:1] == [opened])
        expect_that(len(row.rstrip()) <= columns and {opened, "latrunculi", "open"} <= set(row.split()), (columns, row))


@test
def draw_undo_and_resign_beside_move(bench):
    match = ask(bench, "new", "shakti", "--vs", "open", "--color", "black", "--name", "dana").strip()
    peer = bench.peer("drew")
    peer.do(f"join {match}")
    expect_in_order(ask(bench, "state", match), f"Shakti standard, match {match}: white drew, black dana")
    expect_that(ask(bench, "draw", match, "--name", "dana") == "offered\n", "draw")
    expect_that(peer.wait_for("offer", what="draw", open=True)["from"] == "dana", "draw")
    ask(bench, "draw", match, "--name", "dana", status=1, error=f"ludus: draw {match}: ")
    peer.do(f"decline {match}")
    move = peer.do(f"moves {match}")["moves"][0]
    peer.do(f"move {match} {move}")
    ask(bench, "undo", match, "--name", "dana", status=1, error=f"ludus: undo {match}: nothing to take back")
    peer.do(f"undo {match}")
    expect_that(ask(bench, "undo", match, "--name", "dana") == "agreed\n", "undo")
    expect_that(peer.do(f"state {match}")["ply"] == 0, "the move is taken back")
    peer.do(f"draw {match}")
    reply = json.loads(ask(bench, "draw", match, "--name", "dana", "--json"))
    expect_that(reply == {"type": "ok", "cmd": "draw", "match": match, "agreed": True}, reply)
    expect_in_order(ask(bench, "state", match), "Result: 1/2-1/2 (draw-agreed)")
    match = ask(bench, "new", "clobber:2x2", "--vs", "drew", "--name", "dana").strip()
    peer.do(f"join {match}")
    ask(bench, "draw", match, "--name", "dana", status=1, error=f"ludus: draw {match}: Clobber has no draws: one side always wins")
    expect_that(peer.do(f"state {match}")["offers"] == [], "a draw where there is none")
    expect_that(ask(bench, "resign", match, "--name", "dana") == "", "resign")
    expect_in_order(ask(bench, "state", match), "white dana (away), black drew", "Result: 0-1 (resign)")


@test
def hint_beside_move(bench):
    """A hint makes the match unrated, which is said; where it comes too late for that, there is none."""
    match = ask(bench, "new", "clobber:3x2", "--vs", "bot:easy", "--rated", "--name", "hilde").strip()
    told = f"ludus: hint {match}: match {match} no longer counts for the ratings\n"
    move = ask(bench, "hint", match, "--name", "hilde", error=told).strip()
    expect_that([move] in rows(ask(bench, "moves", match)), move)
    expect_that(json.loads(ask(bench, "state", match, "--json"))["rated"] is False, "the match")
    expect_that([ask(bench, "hint", "--name", "hilde").strip()] in rows(ask(bench, "moves", match)),
                "the only match, and nothing to tell")
    ask(bench, "move", match, move, "--name", "hilde")
    ask(bench, "resign", match, "--name", "hilde")
    for words, error in (((match,), f"hint {match}: it is not your turn"), (("777",), "unknown match '777'")):
        ask(bench, "hint", *words, "--name", "hilde", status=1, error=error)
    ask(bench, "hint", "a b", status=2, error="hint: 'a b' has a blank in it (ludus hint [MATCH])")
    peer = bench.peer("hints")
    match = peer.do("new clobber:3x2 white=me black=hilde")["match"]
    ask(bench, "--line", "--name", "hilde", "--join", match)
    for name in ("hints", "hilde"):
        moves = peer.do(f"moves {match}")["moves"]
        peer.do(f"move {match} {moves[0]}") if name == "hints" else ask(bench, "move", match, moves[0], "--name", name)
    peer.do(f"move {match} {peer.do(f'moves {match}')['moves'][0]}")
    if json.loads(ask(bench, "state", match, "--json"))["status"] == "playing":
        ask(bench, "hint", match, "--name", "hilde", status=1, error="no hints here: this match is rated")


@test
def clocks_as_people_type_them(bench):
    """Minutes and seconds go to the server as seconds; few bare seconds are told, as minutes may be meant."""
    for typed, base_s, increment_s in (("300+5", 300, 5), ("5m+3", 300, 3), ("5:00+3", 300, 3), ("300s+5s", 300, 5),
                                       ("1.5 min + 2", 90, 2), ("1h", 3600, 0), ("0:30", 30, 0), ("30s+1m", 30, 60)):
        match = ask(bench, "new", "clobber", "--clock", typed, "--name", "clo").strip()
        clock = json.loads(ask(bench, "state", match, "--json"))["clock"]
        expect_that((clock["white_ms"], clock["increment_ms"]) == (base_s * 1000, increment_s * 1000), f"{typed}: {clock}")
    ask(bench, "new", "clobber", "--clock", "5+3", "--name", "clo",
        error="ludus: --clock 5+3: 5 seconds a side; for minutes write 5m+3\n")
    for wrong in ("5:60", "5m3", "+3", "5+", "5mm", "1:2:3", "", "m"):
        ask(bench, "new", "clobber", "--clock", wrong, status=2, error="--clock: ")
    ask(bench, "new", "clobber", "--clock", "25h", status=2, error="0.1 to 86400 seconds")


@test
def a_colour_by_chance(bench):
    seen = set()
    for _ in range(60):
        match = ask(bench, "new", "clobber:2x2", "--color", "random", "--vs", "bot:random", "--name", "coin").strip()
        seats = json.loads(ask(bench, "state", match, "--json"))["players"]
        seen.add(next(color for color in seats if seats[color] and seats[color]["name"] == "coin"))
        ask(bench, "resign", match, "--name", "coin")
        if len(seen) == 2:
            break
    expect_that(seen == {"white", "black"}, seen)


@test
def every_mistyped_word_is_known(bench):
    address = bench.server.address
    for words, status, output, error in (
            (("rules", "clobber"), 0, "Clobber: ", ""), (("help", "move"), 0, "Usage: ludus move ", ""),
            (("help", "mvoe"), 2, "", "ludus: mvoe: unknown command (did you mean move?)"),
            (("host", "clobber"), 2, "", "ludus: --connect: not an option of host: write ludus host [GAME")):
        done = subprocess.run([os.path.join(BUILD, "ludus"), "--connect", address, "--name", "x", *words],
                              capture_output=True, text=True, env=bench.home.environment(), timeout=LIMIT_S)
        expect_that(done.returncode == status and done.stdout.startswith(output) and
                    done.stderr.startswith(error), f"{words}: {done}")
    cases = (
        (("history", "--lmit", "5"), 2, "--lmit: unknown option (did you mean --limit?)"),
        (("new", "clober"), 1, "unknown game 'clober' (did you mean clobber?)"),
        (("new", "clobber", "--vs", "bot:eazy"), 1, "(did you mean bot:easy?)"),
        (("new", "clobber", "--color", "whit"), 2, "'whit' is not white, black or random (did you mean white?)"),
        (("new", "clobber", "--vs", "a b"), 2, "--vs: 'a b' has a blank in it"),
        (("move", "1 2", "b2"), 2, "move: '1 2' has a blank in it (ludus move MATCH MOVE)"),
        (("state", "plies=3"), 1, "this command has no option 'plies'"),
        (("list", "--all", "--limit", "3"), 2, "--all, --limit: only one of them"),
        (("tournament", "nwe"), 2, "unknown action 'nwe' (did you mean new?)"),
        (("tournament", "new", "Cup", "clobber", "swiss"), 2, "'swiss' is no OPTION=VALUE (ludus tournament new NAME"),
        (("tournament", "new", "Cup", "clobber"), 2, "format= is missing: round-robin, swiss, knockout or arena"),
        (("tournament", "new", "Cup", "format=swiss"), 2, "the game is missing (ludus tournament new NAME"),
        (("tournament", "new", "Cup", "clobber", "format=swis"), 2, "(did you mean swiss?)"),
        (("tournament", "new", "Cup", "clobber", "format=swiss", "rouds=3"), 2, "'rouds' (did you mean rounds?)"),
        (("tournament", "new", "Cup", "clobber", "format=swiss", "clock=5x"), 1, "invalid clock '5x'"),
        (("tournament", "join", "t1", "x"), 1, "the server does not understand these words"),
        (("tournament", "show", "a b"), 2, "tournament show: 'a b' has a blank in it"))
    for words, status, error in cases:
        ask(bench, *words, status=status, error=error)
    peer = bench.peer("options")
    expect_that(peer.ask("state ply=3")["message"] == "this command has no option 'ply'", "no option at all")
    expect_that(peer.ask("new clobber wite=me")["message"] == "this command has no option 'wite' (did you mean white?)",
                "the nearest option")


@test
def tournaments_with_a_blank_in_the_name(bench):
    peer = bench.peer("cups")
    for words, name in ((("My Cup",), "My_Cup"), (("My", "other", "Cup"), "My_other_Cup"), (("C\u00fcp!",), "C_p_")):
        one = ask(bench, "tournament", "new", *words, "clobber", "format=swiss", "clock=5m+3", "--name", "dirk",
                  error=f"ludus: tournament new: its name is {name}: it may have 1 to 32 of A-Z a-z 0-9 _ - .\n").strip()
        row, = [row for row in rows(ask(bench, "tournament", "list")) if row[0] == one]
        expect_that(row[1] == name, row)
        shown = peer.do(f"tournament show {one}")
        expect_that(shown["clock"] == {"base_ms": 300000, "increment_ms": 3000}, shown["clock"])
        ask(bench, "tournament", "abort", one, "--name", "dirk")


@test
def lists_end_at_a_limit(bench):
    for number in range(3):
        bench.peer(f"limit{number}").do("new clobber")
    whole = rows(ask(bench, "list"))
    expect_that(rows(ask(bench, "list", "--limit", "2")) == whole[:2], "the first two")
    expect_that(rows(ask(bench, "list", "--limit", "1", "--from", "1")) == whole[1:2], "the second")
    expect_that(rows(ask(bench, "list", "--limit", "5000")) == whole, "all")
    expect_that(len(json.loads(ask(bench, "list", "--limit", "2", "--json"))["matches"]) == 2, "JSON")
    terminal = bench.ludus("list", "--limit", "2", columns=160)
    terminal.end()
    expect_that(f"(2 of {len(whole)} matches: --from=2 lists the next" in terminal.screen, terminal.screen)


@test
def rules_of_a_game(bench):
    """The rules that the server tells, in rows that fit everywhere."""
    def rules(*words):
        done = subprocess.run([os.path.join(BUILD, "ludus"), "rules", *words], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=LIMIT_S, env=bench.home.environment())
        expect_that((done.returncode, done.stderr) == (0, ""), done)
        return done.stdout
    for game in json.loads(ask(bench, "games", "--json"))["games"]:
        text = rules(game["name"])
        expect_that(text in rules() and max(map(len, text.splitlines())) <= 78, text)
        said = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
        expect_that(said[:1 + len(game["rules"])] == [f"{game['title']}: {game['summary']}", *game["rules"]], said)
        expect_that(len(game["variants"]) == 1 or said[-1] == f"Variants: {game['variants_text']}.", said)
    expect_that(rules("clobber:8x8") == rules("clobber"), "of a variant")


@test
def new_takes_what_a_match_needs(bench):
    match = ask(bench, "new", "clobber", "--white", "bot:random", "--black", "me", "--position",
                "Pp/pP w", "--private").strip()
    expect_that(len(match) > 8 and match not in ask(bench, "list"), match)
    expect_that(json.loads(ask(bench, "record", match))["start"] == "Pp/pP w", match)
    reply = json.loads(ask(bench, "new", "shakti", "--json"))
    expect_that(sorted(reply) == ["cmd", "match", "type"], reply)
    ask(bench, "new", "chess", status=1, error="ludus: new chess: unknown game 'chess'")
    ask(bench, "new", "clobber", "--clock", "x", status=2, error="ludus: --clock: invalid clock 'x'")


@test
def watch_goes_on_to_the_end(bench):
    peer = bench.peer("wanda")
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    drawn = follow(bench, "watch", match)
    plain = follow(bench, "watch", match, "--plain")
    lines = follow(bench, "watch", match, "--json")
    drawn.read_to("White to move")
    expect_that(rows(plain.read_to(match)) ==
                [[match, "playing", "0", "white", "-", "*", "-", "Pp/pP w"]], "plain")
    first = json.loads(lines.read_to("state"))
    expect_that((first["type"], first["ply"], first["you"]) == ("state", 0, None), first)
    peer.do(f"move {match} a2a1")
    peer.do(f"say {match} well now")
    peer.do(f"move {match} b2b1")
    peer.do(f"move {match} a1b1")
    expect_in_order(drawn.end(), "Last move: a2a1 by white (ply 1)", "<wanda> well now",
                    "b2b1", "Result: 1-0 (no-moves)")
    expect_that([row[1:5] for row in rows(plain.end())] ==
                [["playing", "1", "black", "a2a1"], ["playing", "2", "white", "b2b1"],
                 ["over", "3", "black", "a1b1"]], "plain")
    messages = [json.loads(line) for line in lines.end().split("\n")[:-1]]
    expect_that([(m["type"], m.get("ply")) for m in messages] ==
                [("state", 1), ("chat", None), ("state", 2), ("state", 3)], messages)
    expect_in_order(ask(bench, "watch", match), "Result: 1-0")  # a match that is over


def open_until_heard(peer, lobby):
    """Opens matches until the lobby's watcher hears of one, and returns the number of the last."""
    match = peer.do("new clobber:2x2")["match"]
    while not lobby.says_something():
        peer.do(f"abort {match}")
        match = peer.do("new clobber:2x2")["match"]
    return match


@test
def watch_lobby_tells_what_happens(bench):
    peer, other = bench.peer("lola"), bench.peer("leo")
    lobby = follow(bench, "watch", "lobby")
    match = open_until_heard(peer, lobby)
    row = rows(lobby.read_to(f"opened\t{match}\t"))[-1]
    expect_that(row == ["opened", match, "clobber", "2x2", "lola", "-", "open", "0"], row)
    other.do(f"join {match}")
    row = rows(lobby.read_to(match))[-1]
    expect_that(row == ["started", match, "clobber", "2x2", "lola", "leo", "playing", "0"], row)
    lines = follow(bench, "watch", "lobby", "--json")
    match = open_until_heard(peer, lines)
    message = json.loads(lines.read_to(f'"match":"{match}"').split("\n")[-2])
    expect_that((message["type"], message["what"], message["white"]) ==
                ("lobby", "opened", "lola"), message)
    lines.process.terminate()
    lines.end(1)


@test
def watch_tells_when_the_server_goes(bench):
    fake = bench.keep(AnsweringServer({"watch": [OK, state(you=None),
                                            {"type": "ping"}]}))
    lines = follow(bench, "watch", "1", "--json", address=fake.address)
    lines.read_to("state")
    fake.say({"type": "chat", "match": "1", "from": "x", "text": "a\u009b\u202eb\x1b[2Jc\td"})
    chat = json.loads(lines.read_to("chat"))
    expect_that(chat["text"] == "a?????b?[2Jc?d", chat)
    fake.say({"type": "bye", "reason": "shutdown"})
    expect_in_order(lines.end(1), f"ludus: {fake.address}: the server ends the connection: "
                                  "shutdown")
    expect_that("ping" in fake.heard, fake.heard)
    lines = follow(bench, "watch", "1", address=fake.address)
    lines.read_to("White to move")
    fake.hang_up()
    expect_in_order(lines.end(1), f"ludus: {fake.address}: the connection is lost")


@test
def say_is_heard(bench):
    peer = bench.peer("sally")
    match = peer.do("new clobber")["match"]
    for words, text in ((("hello", "there"), "hello there"), (("--", "-5", "points"), "-5 points"),
                        (("2 * 2 > 3 ½",), "2 * 2 > 3 ½")):
        expect_that(ask(bench, "say", match, *words) == "", words)
        chat = peer.wait_for("chat")
        expect_that(chat["text"] == text and chat["from"].startswith("guest-"), chat)
    ask(bench, "say", match, "hi", "--name", "sal")
    expect_that(peer.wait_for("chat")["from"] == "sal", "name")
    expect_that(json.loads(ask(bench, "say", match, "hi", "--json")) ==
                {"type": "ok", "cmd": "say", "match": match}, "json")
    ask(bench, "say", "nosuch", "hi", status=1,
        error="ludus: say nosuch: unknown match 'nosuch'")
    ask(bench, "say", match, "x" * 600, status=1, error=f"ludus: say {match}: chat line too long")
    ask(bench, "say", match, "x" * 2000, status=1, error=f"ludus: say {match}: that line is too long: 999 bytes at most\n")


# --- what goes wrong ------------------------------------------------------------------------


@test
def bad_usage_exits_with_2(bench):
    for words, error in (
            (("list", "x"), "list: unexpected argument 'x' (it takes none): see --help"),
            (("list", "--frob"), "--frob: unknown option"),
            (("list", "-\xe9"), "-?: unknown option"),
            (("list", "--plain", "--json"), "--json, --plain: only one of them"),
            (("top", "a", "b"), "top: unexpected argument 'b' (ludus top [GAME[:VARIANT]]): see --help"),
            (("top", ""), "top: an argument is empty (ludus top [GAME[:VARIANT]])"),
            (("watch",), "watch: arguments are missing (ludus watch MATCH|lobby)"),
            (("say", "1"), "say: arguments are missing (ludus say MATCH TEXT...)"),
            (("say", "1", "a\nquit"), "say: control characters"),
            (("move", "1"), "move: arguments are missing (ludus move MATCH MOVE)"),
            (("moves", "1", "a1", "b1"), "moves: unexpected argument 'b1' (ludus moves MATCH [SQUARE])"),
            (("state", "1\n2"), "state: control characters"),
            (("record", "1", "--pgn", "--json"), "--json, --pgn: only one of them"),
            (("who", "--name", "me"), "--name: 'me' cannot be a name"),
            (("who", "--code"), "--code: value missing: CODE"),
            (("new",), "new: arguments are missing (ludus new GAME[:VARIANT])"),
            (("join", ""), "join: an argument is empty (ludus join [HOST[:PORT]])"),
            (("nosuch",), "nosuch: unknown command")):
        done = subprocess.run([os.path.join(BUILD, "ludus"), *words], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S,
                              env=bench.home.environment())
        expect_that(done.returncode == 2 and done.stdout == "" and
                    done.stderr.startswith(f"ludus: {error}"), f"{words}: {done}")


@test
def no_server_and_no_sense_exit_with_1(bench):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = "127.0.0.1:%d" % unused.getsockname()[1]
    for words in (("list",), ("watch", "lobby"), ("say", "1", "hi"), ("move", "1", "a1")):
        ask(bench, *words, address=address, status=1,
            error=f"ludus: {address}: Connection refused")
    fake = bench.keep(AnsweringServer({"who": [{"type": "top"}], "list": [{"type": "error"}]}))
    ask(bench, "who", address=fake.address, status=1, error="ludus: who: unexpected reply")
    ask(bench, "list", address=fake.address, status=1, error="ludus: list: the server refuses")
    ask(bench, "state", "1", address=fake.address, status=1,
        error="ludus: state 1: unexpected reply")


@test
def a_server_that_hangs_up(bench):
    fake = bench.keep(AnsweringServer({"who": [{"type": "bye", "reason": "idle"}]}))
    fake.answer = lambda line: fake.hang_up() if "who" in line else AnsweringServer.answer(fake, line)
    ask(bench, "who", address=fake.address, status=1,
        error=f"ludus: {fake.address}: the server does not answer")
    fake.answer = lambda line: fake.hang_up() if "ping" in line else AnsweringServer.answer(fake, line)
    ask(bench, "move", "1", "a1b1", address=fake.address, status=1,
        error=f"ludus: {fake.address}: the server does not answer")


@test
def hostile_texts_stay_in_their_fields(bench):
    players = [{"name": "a\tb\nc\x1b[2J\u009b\u202e\u2066d", "bot": {"x": 1}, "rating": 1e300,
                "rating_game": ["p", 5, "q"], "playing": "x" * 5000}, 7, "text", None, []]
    fake = bench.keep(AnsweringServer({"who": [{"type": "who", "players": players}]}))
    output = rows(ask(bench, "who", address=fake.address))
    expect_that(len(output) == 5 and all(len(row) == 5 for row in output), output)
    expect_that(output[0][:4] == ["a?b?c?[2J????????d", "-", "1e+300", "p,q"], output[0])
    expect_that(output[0][4] == "x" * 511 and output[1:] == [["-"] * 5] * 4, output)
    for players in (None, 5, "x", {"a": {"name": "b"}}, [[["deep"]]]):
        fake.answers["who"] = [{"type": "who", "players": players}]
        ask(bench, "who", address=fake.address)


@test
def output_that_cannot_be_written(bench):
    command = command_line(bench.server.address, ("games",))
    program = os.path.join(BUILD, "ludus")
    environment = bench.home.environment()
    for words in (command, [*command, "--json"], [program, "--help"], [program, "list", "--help"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True,
                                  env=environment, timeout=LIMIT_S)
        expect_that((done.returncode, done.stderr) ==
                    (1, "ludus: standard output: No space left on device\n"), done)
        done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *words], stderr=subprocess.PIPE,
                              text=True, env=environment, timeout=LIMIT_S)
        expect_that((done.returncode, done.stderr) ==
                    (1, "ludus: standard output: Bad file descriptor\n"), done)
    peer = bench.peer("pipe")
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    lines = follow(bench, "watch", match, "--plain")
    lines.read_to(match)
    lines.process.stdout.close()
    peer.do(f"move {match} a2a1")
    expect_that(lines.process.wait(LIMIT_S) == 1, "exit status")
    expect_that(lines.process.stderr.read() == "ludus: standard output: Broken pipe\n",
                "pipe")
    lines.process.stdout = open(os.devnull)


@test
def join_codes_and_interrupts(bench):
    server = bench.new_server("--code", "sesame", "--no-bots")
    ask(bench, "list", address=server.address, status=1,
        error="this server wants its join code: give --code CODE")
    ask(bench, "list", "--code", "wrong", address=server.address, status=1,
        error=f"ludus: {server.address}: wrong join code")
    expect_that(ask(bench, "list", "--code", "sesame", address=server.address) == "", "list")
    lobby = follow(bench, "watch", "lobby", "--code", "sesame", address=server.address)
    while not lobby.says_something():
        ask(bench, "new", "clobber:2x2", "--code", "sesame", "--name", "x",
            address=server.address)
    lobby.process.send_signal(signal.SIGINT)
    lobby.end(1)


@test
def another_device(bench):
    """`ludus device` prints the command for another device, which plays under the same name from then on, beside the
    first. Scripts of the player end nothing that runs."""
    server = bench.new_server("--no-bots")
    screen = server.connect()
    ask(bench, "new", "clobber", "--name", "dora", address=server.address)
    shown = ask(bench, "device", "--name", "dora", address=server.address)
    command = shown.splitlines()[-1].split()
    expect_that(command[:6] == ["ludus", "--connect", server.address, "--name", "dora", "--device"], shown)
    expect_that(shown.startswith("This server answers on this machine only, ") and "scan" not in shown, shown)
    expect_that(f"\n  http://{server.address}/#/device/dora/{command[-1]}\n" in shown, shown)
    phone = bench.new_home()
    line = ["--line", "--name", "dora", "--device", command[-1]]
    expect_that("Playing as dora" in ask(bench, *line, home=phone, address=server.address), "the other device")
    ask(bench, *line, home=bench.new_home(), address=server.address, status=1, error="that is no device code of dora")
    ask(bench, "new", "clobber", "--name", "dora", home=phone, address=server.address)
    reply = json.loads(ask(bench, "device", "--name", "dora", "--json", home=phone, address=server.address))
    expect_that(reply["expires_ms"] == 300000, reply)
    expect_that(screen.ask(f"hello dora device={reply['code']}")["name"] == "dora", "a code from there")
    ask(bench, "new", "clobber", "--name", "dora", address=server.address)
    screen.wait_for("state", match="3")
    expect_that(screen.ask("ping")["type"] == "pong", "it stays connected")
    ask(bench, "--device", "x", status=2, error="--device: needs --name")


if __name__ == "__main__":
    sys.exit(run_tests("test_script", test))
