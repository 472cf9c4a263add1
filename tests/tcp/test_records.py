#!/usr/bin/env python3
"""Records as text, replaying them, clocks and lists of people in the terminal client.

usage: python3 tests/tcp/test_records.py BUILD_DIR [TEST...]

For clocks and claims the test itself plays the server.
"""

import json
import os
import re
import socket
import sys
from xml.etree import ElementTree

sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import OK, AnsweringServer, state
from harness import wait_until
from stage import Tests, run_tests
from terminal import expect_in_order, expect_that

test = Tests()


def clock(white_ms, black_ms, increment_ms, running):
    return {"white_ms": white_ms, "black_ms": black_ms, "increment_ms": increment_ms,
            "running": running}


def away(claim_ms):
    players = state()["players"]
    players["black"].update(online=False, claim_ms=claim_ms)
    return players


# --- records --------------------------------------------------------------------------------


def play_a_match(bench, name):
    peer = bench.peer(name)
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    for move in ("a2a1", "b2b1", "a1b1"):
        peer.do(f"move {match} {move}")
    return match


PGN_MOVES = '[Reason "no-moves"]\n\n1. a2a1 b2b1 2. a1b1 1-0\n'
SEVEN = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


@test
def record_prints_json_or_pgn(bench):
    match = play_a_match(bench, "rita1")
    record = json.loads(bench.piped(["record", match]))
    expect_that((record["type"], record["match"], record["moves"], "id" in record) ==
                ("record", match, ["a2a1", "b2b1", "a1b1"], False), record)
    pgn = bench.piped(["record", match, "--pgn"])
    date = record["date"]
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', pgn, re.M))
    expect_that(list(tags)[:7] == SEVEN and tags["White"] == "rita1" and tags["Site"] == bench.server.address, tags)
    expect_that((tags["UTCDate"], tags["UTCTime"]) == (date[:10].replace("-", "."), date[11:19]), tags)
    expect_in_order(pgn, '[Variant "Clobber 2x2"]\n', '[Game "clobber"]\n', f'[Match "{match}"]\n', PGN_MOVES)
    bare = re.sub(r'^\[(Game|Match|Reason|Rated|\w+Rating) ".*"\]\n', "", pgn, flags=re.M)
    expect_that("clobber" not in bare and "no-moves" not in bare, bare)
    expect_in_order(bench.piped(["replay", "-"], bare), "match ? (line 1): ok, clobber, 3 plies, 1-0\n")
    expect_that(pgn.endswith(PGN_MOVES), pgn)
    times = bench.piped(["record", "--pgn", "--times", match])
    expect_in_order(times, "1. a2a1 { [%emt 0:00:0", "] } 1... b2b1 { [%emt ", "2. a1b1\n{ [%emt",
                    " 1-0\n")
    for text in (pgn, times, pgn + "\n" + times):
        checked = bench.piped(["replay", "-"], text)
        expect_that(all(" ok, clobber, 3 plies, 1-0 no-moves" in line
                        for line in checked.splitlines()), checked)


SVG = "{http://www.w3.org/2000/svg}"


@test
def share_prints_text_a_picture_or_a_recording(bench):
    match = play_a_match(bench, "sara1")
    page = f"http://{bench.server.address}/m/{match}"
    expect_that(bench.piped(["share", match]) ==
                f"Clobber 2x2: sara1 - sara1, 1-0 (no-moves), 3 moves\n  2  . .\n  1  . P\n     a b\n{page}\n",
                bench.piped(["share", match]))
    expect_that(bench.piped(["share", match, "--ply", "1"]) ==
                "Clobber 2x2: sara1 - sara1, 1-0 (no-moves), after 1 of 3 moves\n"
                f"  2  . p\n  1  P P\n     a b\n{page}?ply=1\n", bench.piped(["share", match, "--ply", "1"]))
    picture = ElementTree.fromstring(bench.piped(["share", match, "--svg", "--ply", "1"]))
    expect_that([stone.get("fill") for stone in picture.iter(SVG + "circle")] == ["#fbf7ec"] * 2 + ["#2b2723"],
                "stones: from a1 on, white ones and a black one")
    expect_that([square.get("fill") for square in picture.iter(SVG + "rect")].count("#dfb64d") == 2, "the last move is marked")
    expect_that(picture.find(SVG + "title").text.startswith("Clobber 2x2: sara1 - sara1"), "title")
    header, *events = map(json.loads, bench.piped(["share", match, "--cast"]).splitlines())
    expect_that((header["version"], len(events)) == (2, 5), (header, events))
    expect_that([at for at, _, _ in events] == sorted(at for at, _, _ in events), events)
    expect_that(all(kind == "o" and "\n" not in shown.replace("\r\n", "") for _, kind, shown in events), events)
    expect_in_order(events[3][2], "\x1b[2J\x1b[H", "2  . .\r\n", "3. a1b1")


@test
def share_draws_every_board(bench):
    peer = bench.peer("sara2")
    for game, stones in (("xadrersi", 0), ("latrunculi", 18), ("shakti", 6)):
        match = peer.do(f"new {game} white=me black=me")["match"]
        picture = ElementTree.fromstring(bench.piped(["share", match, "--svg"]))
        expect_that(len(list(picture.iter(SVG + "circle"))) == stones, f"stones of {game}")
        squares = [square.get("fill") for square in picture.iter(SVG + "rect")][1:]
        expect_that(len(squares) == {"shakti": 45}.get(game, 64), f"squares of {game}: {squares}")
        expect_in_order(bench.piped(["share", match]), "not over yet, 0 moves\n", f"/m/{match}\n")
        peer.do(f"resign {match}")


@test
def share_keeps_private_matches_private(bench):
    match = bench.piped(["new", "clobber:2x2", "--vs", "me", "--private"]).strip()
    expect_in_order(bench.piped(["share", match]), f"/m/{match}\nThe match is private: whoever has this link can see it.\n")
    expect_in_order(bench.piped(["share", match, "--name", "stranger4"], home=bench.new_home(), status=1),
                    f"share {match}: the match is private, and shared by its players only")


def exported(bench, *words, **more):
    return [json.loads(line) for line in bench.piped(["export", *words], **more).splitlines()]


@test
def export_prints_every_match_with_its_positions(bench):
    played = [play_a_match(bench, f"rita{i}") for i in range(10, 30)]
    before = str(int(played[0]) - 1)
    rosa = bench.peer("rosa")
    hidden = rosa.do("new clobber:2x1 white=me black=me private=yes")["match"]
    rosa.do(f"move {hidden} b1a1")
    matches = exported(bench, "--jsonl", "--after", before, "--game", "clobber:2x2")
    expect_that([match["match"] for match in matches] == played, matches)  # more than a page
    record = json.loads(bench.piped(["record", played[-1]]))
    known = bench.peer("rosa2").do(f"record {played[-1]} positions=0")["positions"]
    expect_that(matches[-1].pop("positions") == known and len(known) == 4, matches[-1])
    expect_that(matches[-1] == {key: record[key] for key in record if key != "type"}, (matches[-1], record))
    expect_that(hidden not in str(exported(bench, "--after", before)), hidden)
    expect_that(exported(bench, "--game", "shakti", "--after", before) == [], "another game")
    expect_that(exported(bench, "--from", "2999-01-01") == [], "a day to come")
    expect_that(len(exported(bench, "--from", record["date"][:10], "--after", before)) == 20, "the day of the matches")


class PagedServer(AnsweringServer):
    """Answers `records` with one page after the other."""

    def __init__(self, pages):
        self.pages = pages
        super().__init__()

    def answer(self, line):
        if " records " in line:
            self.answers["records"] = [self.pages.pop(0)]
        super().answer(line)


@test
def export_waits_and_tells_what_fails(bench):
    match = {"match": "7", "game": "clobber", "variant": "2x1", "start": "pP w", "moves": ["b1a1"]}
    broken = {"match": "8", "game": "clobber", "variant": "2x1", "start": "?", "moves": [], "broken": "bad start"}
    page = {"type": "records", "matches": [match, broken], "next": None}
    fake = bench.keep(PagedServer([{"type": "error", "code": "rate-limited", "message": "too fast", "retry_ms": 50},
                                   page | {"next": 8}, page | {"matches": []}]))
    expect_that(exported(bench, address=fake.address) == [match | {"positions": ["pP w", "P1 b"]}, broken],
                "the server is busy at first")
    expect_that([line for line in fake.heard if "records" in line] ==
                ["records after=0", "records after=0", "records after=8"], fake.heard)
    for reply, text in (
            (page | {"matches": [match | {"game": "chess"}]}, "match 7 makes no sense"),
            (page | {"matches": [match | {"moves": ["a1b1", 3]}]}, "match 7 makes no sense"),
            ({"type": "records", "next": None}, "unexpected reply"),
            ({"type": "error", "code": "unknown-game", "message": "unknown game 'x'"}, "unknown game 'x'")):
        fake = bench.keep(PagedServer([reply]))
        expect_in_order(bench.piped(["export"], address=fake.address, status=1), f"ludus: export: {text}")
    expect_in_order(bench.piped(["export", "--from", "today"], status=1), "since=: write a day")
    expect_in_order(bench.piped(["export", "--game", "a b"], status=2), "--game: 'a b' has a blank in it")


@test
def record_tells_what_fails(bench):
    expect_in_order(bench.piped(["record", "nosuch"], status=1),
                    "ludus: record nosuch: unknown match 'nosuch'")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = "127.0.0.1:%d" % unused.getsockname()[1]
    expect_in_order(bench.piped(["record", "1"], address=address, status=1),
                    f"ludus: {address}: Connection refused")
    for reply, words, text in (
            ({"type": "record", "game": "chess"}, ["--pgn"], "unknown game 'chess'"),
            ({"type": "record", "game": "clobber", "start": "Pp w", "moves": [5]}, ["--pgn"],
             "invalid move in the record"),
            ({"type": "record", "result": "5-0"}, ["--pgn"],
             "invalid result in the record"),
            ({"type": "ok"}, [], "unexpected reply")):
        fake = bench.keep(AnsweringServer({"record": [reply]}))
        expect_in_order(bench.piped(["record", "1", *words], address=fake.address, status=1),
                        f"ludus: record 1: {text}")


@test
def record_shows_clock_and_ratings(bench):
    fake = bench.keep(AnsweringServer({"record": [
        {"type": "record", "match": "7", "game": "clobber", "variant": "2x1", "start": "pP w",
         "moves": ["b1a1"], "times_ms": [3723004], "white": 'an"na', "black": "bob",
         "date": "2026-11-21T09:50:21Z", "result": "1-0", "reason": "no-moves",
         "clock": {"base_ms": 300000, "increment_ms": 500}, "white_rating": 1523,
         "white_rating_before": 1500, "black_rating": None}]}))
    shown = bench.piped(["record", "7", "--pgn", "--times"], address=fake.address)
    expect_that(shown == f'[Event "Clobber match"]\n[Site "{fake.address}"]\n[Date "2026.11.21"]\n[Round "-"]\n'
                '[White "an\\"na"]\n[Black "bob"]\n[Result "1-0"]\n[UTCDate "2026.11.21"]\n[UTCTime "09:50:21"]\n'
                '[WhiteElo "1500"]\n[Variant "Clobber 2x1"]\n[TimeControl "300+0.5"]\n[Game "clobber"]\n[Match "7"]\n'
                '[WhiteRating "1523"]\n[Reason "no-moves"]\n\n'
                '1. b1a1 { [%clk 0:05:00] [%emt 1:02:03.004] } 1-0\n', shown)
    expect_that(fake.heard == ["record 7"], fake.heard)


@test
def bad_usage(bench):
    cases = {
        ("record",): "ludus: record: arguments are missing (ludus record MATCH)",
        ("record", ""): "ludus: record: an argument is empty (ludus record MATCH)",
        ("record", "1", "2"): "ludus: record: unexpected argument '2' (ludus record MATCH)",
        ("record", "1", "--times"): "ludus: --times: only with --pgn",
        ("record", "1", "--frob"): "ludus: --frob: unknown option",
        ("record", "1", "--name", "a b"): "ludus: --name: a name is",
        ("share",): "ludus: share: arguments are missing (ludus share MATCH)",
        ("share", "1", "--cast", "--svg"): "ludus: --cast: it shows all moves, and goes with neither --svg nor --ply",
        ("share", "1", "--cast", "--ply", "2"): "ludus: --cast: it shows all moves",
        ("replay",): "ludus: replay: arguments are missing (ludus replay FILE)",
        ("replay", "a", "b"): "ludus: replay: unexpected argument 'b' (ludus replay FILE)",
        ("replay", "a", "--frob"): "ludus: --frob: unknown option",
        ("--clock", "5"): "only with --play",
        ("--play", "shakti", "--clock", "5x"): "ludus: --clock: invalid clock '5x': write BASE or BASE+INC",
    }
    for arguments, text in cases.items():
        expect_in_order(bench.piped(arguments, status=2), text)
    for arguments in (("record", "--help"), ("replay", "--help")):
        text = bench.piped(arguments)
        expect_in_order(text, f"Usage: ludus {arguments[0]} ", "--help")
        expect_that(max(map(len, text.splitlines())) <= 100, "a line of the help is too long")


# --- replay ---------------------------------------------------------------------------------

GOOD = ('[Game "clobber"]\n[Variant "2x2"]\n[Match "12"]\n[White "anna"]\n[WhiteRating "1523"]\n'
        '[Black "bob"]\n[Result "1-0"]\n' + PGN_MOVES)


def file_of(bench, text):
    path = os.path.join(bench.home.path, "matches.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


@test
def replay_checks(bench):
    path = file_of(bench, GOOD + "\n" + GOOD.replace("2. a1b1", "2. a1a2") + '\n[Game "shakti"] *')
    output = bench.piped(["replay", path], status=1)
    expect_that(output.splitlines() == [
        "match 12 (line 1): ok, clobber, 3 plies, 1-0 no-moves",
        "match 12 (line 12): move 2. a1a2 (ply 3): a2 is empty: a stone moves only onto an enemy "
        "stone",
        "match ? (line 23): ok, shakti, 0 plies, *"], output)
    path = file_of(bench, GOOD.replace("\n", "\r\n"))
    bench.piped(["replay", "--all", path])
    terminal = bench.ludus("replay", path, "--all").expect(" ok, clobber, 3 plies").end()
    expect_that("ply 0" not in terminal.screen, "--all only checks")
    path = file_of(bench, GOOD + "rubbish")
    expect_in_order(bench.piped(["replay", path], status=1), "match 12 (line 1): ok, clobber, 3 plies",
                    "match ? (line 11): line 11: a match begins with its tags")
    path = file_of(bench, "rubbish")
    expect_in_order(bench.piped(["replay", path], status=1),
                    f"ludus: {path}: line 1: a match begins with its tags")
    missing = os.path.join(bench.home.path, "missing.pgn")
    expect_in_order(bench.piped(["replay", missing], status=1), f"ludus: {missing}: No such file")
    expect_in_order(bench.piped(["replay", bench.home.path], status=1), "Is a directory")


@test
def replay_steps(bench):
    path = file_of(bench, GOOD + '\n[Game "shakti"]\n[Reason "resign"] 0-1\n')
    terminal = bench.ludus("replay", path).expect("Clobber 2x2, match 12: white anna, black bob\n")
    terminal.expect("  2  P p\n  1  p P\n     a b").expect("Move 1: a2a1\n  2  . p\n  1  P P").expect("Move 2: b2b1\n")
    terminal.expect("Move 3: a1b1\n  2  . .\n  1  . P").expect("Result: 1-0 no-moves\n")
    terminal.expect("Shakti standard, match ?").expect("Result: 0-1 resign").end()


@test
def replay_names_what_is_wrong(bench):
    wrong = GOOD.replace('"1-0"', '"0-1"').replace(" 1-0", " 0-1")
    terminal = bench.ludus("replay", file_of(bench, wrong + "\n" + GOOD.replace('"12"', '"13"')))
    terminal.expect("match 12 (line 1): the result is 1-0 no-moves by the rules, not 0-1 no-moves")
    terminal.expect("match 13").expect("Move 3: a1b1").end(1)
    expect_that(terminal.screen.count("Move 3") == 1, terminal.screen)
    terminal = bench.ludus("replay", file_of(bench, wrong)).end(1)
    expect_that("Move" not in terminal.screen and "ok" not in terminal.screen, terminal.screen)


# --- clocks ---------------------------------------------------------------------------------


@test
def clocks_are_shown(bench):
    for clocks, line in (
            (clock(272999, 300000, 5000, None), "Clocks: white 4:32, black 5:00, +5 s a move\n"),
            (clock(86400000, 0, 0, None), "Clocks: white 24:00:00, black 0:00.0\n"),
            (clock(20000, 19999, 500, None), "Clocks: white 0:20, black 0:19.9, +0.5 s a move\n"),
            (clock(3599000, 3600000, 0, None), "Clocks: white 59:59, black 1:00:00\n"),
            (clock(5000, 86399999, 0, "black"), "Clocks: white 0:05.0, black 23:59:59 (running)\n")):
        fake = bench.keep(AnsweringServer({"state": [state(clock=clocks)]}))
        expect_in_order(bench.piped(["state", "1"], address=fake.address), "  1  p P", line, "White to move")
    for nonsense in (5, {}, {"white_ms": "x", "black_ms": 5}, {"white_ms": -1, "black_ms": 1e300}):
        fake = bench.keep(AnsweringServer({"state": [state(clock=nonsense)]}))
        output = bench.piped(["state", "1"], address=fake.address)
        expect_that("Clocks" not in output and "White to move" in output, output)


@test
def a_timeout_in_words(bench):
    over = state(status="over", result="0-1", reason="timeout", clock=clock(0, 300000, 0, None))
    fake = bench.keep(AnsweringServer({"watch": [OK, state(), over]}))
    output = bench.piped(["watch", "1"], address=fake.address)
    expect_in_order(output, "Clocks: white 0:00.0, black 5:00",
                    "Result: 0-1 (timeout)", "You ran out of time. bob wins.")


@test
def clocks_in_forms_and_lists(bench):
    rows = {"type": "list", "total": 1, "matches": [
        {"match": "5", "game": "shakti", "variant": "standard", "white": "eve", "black": None,
         "status": "open", "clock": {"base_ms": 300000, "increment_ms": 2500}}]}
    fake = bench.keep(AnsweringServer({"list": [rows], "new": [
        {"type": "error", "code": "bad-arguments", "message": "no such clock"}]}))
    full = bench.full(address=fake.address, columns=120).expect("> Play now").pick("Host a match").expect("< Clobber >")
    full.drawn().keys("left").expect("< Shakti >").drawn().keys("down", "down", "down", "e").expect("such as 5 + 3").drawn().keys("five", "enter")
    full.expect("'five' is not a clock").drawn().keys("e").expect("such as 5 + 3").drawn().keys("3+2.5", "enter").expect("< 3+2.5 >")
    full.drawn().keys("up", "up", "up", "down", "down", "down")
    while "Where" in full.screen and "< this network >" in full.screen:
        full.drawn().keys("down", "down", "right").expect("< this server >")
    full.drawn().keys("enter").expect("No such clock")
    expect_that(fake.heard[-1] == "new shakti:standard white=me black=open clock=180+2.5 rated=yes", fake.heard)
    full.drawn().keys("escape").expect("> Host a match").pick("Matches")
    full.expect("5: Shakti standard, clock 5 + 2.5, white eve, black free").drawn().keys("escape").expect("> Matches")
    fake.say({"type": "challenge", "match": "6", "game": "shakti", "variant": "standard",
              "from": "eve", "color": "black", "clock": {"base_ms": 60000, "increment_ms": 0}})
    full.expect("eve challenges you to Shakti standard, clock 1 + 0, you are black (match 6)")


# --- who is away ----------------------------------------------------------------------------


@test
def claims(bench):
    won = state(status="over", result="1-0", reason="forfeit")
    fake = bench.keep(AnsweringServer({"new": [OK, state()],
                                  "claim": [{"type": "ok"}, won]}))
    client = bench.full("--play", "clobber:2x2", address=fake.address, columns=120, rows=40).expect("Your turn")
    presence = {"type": "presence", "match": "1", "name": "bob", "color": "black"}
    fake.say({**presence, "online": False, "claim_ms": 119001})
    client.expect("bob is away. You can claim the win in 120 s:")
    fake.say({**presence, "online": True, "claim_ms": None})
    client.expect("bob is back.")
    fake.say({**presence, "online": False, "claim_ms": None})
    client.expect("bob is away. The game waits.")
    fake.say({**presence, "online": False, "claim_ms": 0})
    client.expect("bob is away. You can claim the win now:").drawn().keys("/claim", "enter").expect("You win! bob left the game.")
    expect_that(fake.heard[-1] == "claim 1", fake.heard)


@test
def who_comes_back_learns_who_is_away(bench):
    for you, said in (("white", "bob is away. You can claim the win in 60 s:"), (None, "bob is away. The game waits.")):
        fake = bench.keep(AnsweringServer({"watch": [OK, state(players=away(60000), you=you)]}))
        full = bench.full("--watch", "1", address=fake.address, columns=120, rows=40)
        full.expect("Black bob, away").expect(said)


def silent(color, stall_ms):
    players = state()["players"]
    players[color].update(stall_ms=stall_ms)
    return players


@test
def a_move_that_takes_days(bench):
    for color, stall_ms, who, when in (("black", 7 * 86400000, "bob has not moved for long", "win in 7 days: `claim`"),
                                       ("black", 3600001, "bob has not moved for long", "win in 2 hours: `claim`"),
                                       ("black", 0, "bob has not moved for long", "win now: `claim`"),
                                       ("white", 3600000, "It is your move for long. bob can claim", "in 1 hour.")):
        fake = bench.keep(AnsweringServer({"watch": [OK, state(players=silent(color, stall_ms), you="white", turn=color,
                                                               legal=None)]}))
        bench.full("--watch", "1", address=fake.address, columns=120, rows=40).expect(who).expect(when)


@test
def a_server_that_is_busy_at_first(bench):
    fake = bench.keep(AnsweringServer({"new": [OK, state()]}))
    client = bench.full("--play", "clobber:2x2", address=fake.address, columns=120).expect("Your turn")
    heard = len(fake.heard)
    fake.answers["hello"] = [{"type": "error", "code": "server-busy", "message": "busy"}]
    fake.hang_up()
    client.expect("No connection")
    wait_until(lambda: sum("token=T" in line for line in fake.heard[heard:]) > 1,
               "it tries again with its token")
    fake.answers["watch"] = [OK, state(ply=2, last="b2b1")]
    del fake.answers["hello"]
    client.expect("Connected again.")
    wait_until(lambda: "watch 1" in fake.heard[heard:], "it does not ask for the match again")


# --- lists ----------------------------------------------------------------------------------

WHO = {"type": "who", "total": 201, "players": [
    {"name": "anna", "bot": False, "rating": 1523, "playing": 1},
    {"name": "bot:greedy", "bot": True, "rating": None, "playing": 0}]}
TOP = {"type": "top", "players": [
    {"rank": 1, "name": "anna", "bot": False, "rating": 1623, "deviation": 84, "matches": 12,
     "game": "clobber", "variant": "5x6"},
    {"rank": 2, "name": "bot:greedy", "bot": True, "rating": 1502, "deviation": 50,
     "matches": 112, "game": "clobber", "variant": "5x6"}]}
HISTORY = {"type": "history", "name": "anna", "total": 17, "matches": [
    {"match": "12", "game": "clobber", "variant": "5x6", "white": "anna", "black": "bob",
     "result": "1-0", "reason": "timeout", "date": "2026-11-21T09:50:21Z", "plies": 24,
     "white_rating": 1523, "black_rating": None},
    {"match": "3", "game": "shakti", "variant": "standard", "white": "eve", "black": "anna",
     "result": "*", "reason": "aborted", "date": "2026-11-20T09:50:21Z", "plies": 1}]}


@test
def lists_are_readable(bench):
    fake = bench.keep(AnsweringServer({"who": [WHO], "top": [TOP], "history": [HISTORY]}))
    full = bench.full(address=fake.address, columns=120).expect("> Play now")

    def command(text):
        full.pick("Type a command").expect("Which command?").drawn().keys(text, "enter")
        return full

    for slash in ("", "/"):
        command(f"{slash}who").expect("(2 of 201 players)")
        expect_in_order(full.screen, "name        rating  playing  bot\n", "anna          1523        1  no\n",
                        "bot:greedy       -        0  yes\n")
        full.drawn().keys("enter").expect("> Type a command")
        command(f"{slash}top clobber").expect("112")
        expect_in_order(full.screen, "rank  name        rating  deviation  matches  game     variant\n",
                        "   1  anna          1623         84       12  clobber  5x6\n",
                        "   2  bot:greedy    1502         50      112  clobber  5x6\n")
        full.drawn().keys("enter").expect("> Type a command")
        command(f"{slash}history anna").expect("(2 of 17 matches)")
        expect_in_order(full.screen, "match  date        game     variant   white  black  result  reason   plies\n",
                        "12     2026-11-21  clobber  5x6       anna   bob    1-0     timeout     24\n",
                        "3      2026-11-20  shakti   standard  eve    anna   *       aborted      1\n")
        full.drawn().keys("enter").expect("> Type a command")
        expect_that(fake.heard[-3:] == ["who", "top clobber", "history anna"], fake.heard)
    fake.answers.update({"top": [{"type": "top", "players": []}],
                         "history": [{"type": "history", "name": "eve", "matches": [], "total": 0}],
                         "who": [{"type": "who", "players": [5, {}, {"name": [], "rating": "x"}]}]})
    command("top").expect("Nobody has a rating yet.")
    command("history").expect("No finished games yet.")
    command("who").expect("name  rating  playing  bot")


@test
def records_in_a_sitting(bench):
    match = play_a_match(bench, "rita2")
    full = bench.full(columns=120, rows=40).expect("> Play now")
    for text, shown in (("record", "There is no match on the screen. Name one."), ("/claim nosuch", "Unknown match"),
                        ("claim", "There is no match on the screen"), (f"record {match}", "1. a2a1 b2b1 2. a1b1 1-0"),
                        (f"/record {match}", "1. a2a1 b2b1 2. a1b1 1-0")):
        full.pick("Type a command").expect("Which command?").drawn().keys(text, "enter").expect(shown)
        if f"record {match}" in text:
            full.expect(f'[Match "{match}"]').drawn().keys("enter").expect("> Type a command")


if __name__ == "__main__":
    sys.exit(run_tests("test_records", test))
