#!/usr/bin/env python3
"""Texts that are too long for the full screen are never lost.

usage: python3 tests/tcp/test_small_screens.py BUILD_DIR [TEST...]
"""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import showing, state
from full_screen import POSITIONS
from stage import Tests, run_tests
from terminal import expect_that

SMALLEST = {"columns": 40, "rows": 16}
HERE = ("--vs", "me")
YOUR_TURN = "Your turn ("
test = Tests()


def body(full):
    """Returns the rows of a page without its title and last line."""
    return full.screen.split("\n")[2:-2]


def words(text):
    return re.findall(r"\S+", text)


def read_to_the_end(full, wanted):
    """Scrolls row by row and returns the words seen."""
    rows = body(full)
    seen = words(" ".join(rows))
    while len(seen) < len(wanted):
        full.keys("down").until(
            lambda _, before=rows: body(full) != before,
            f"not one row down, behind {seen[-9:]}").drawn()
        expect_that(body(full)[:-1] == rows[1:], f"not the same rows: {rows}, {body(full)}")
        rows = body(full)
        seen += words(rows[-1])
    return seen


@test
def no_word_of_a_page_is_lost(bench):
    wide = bench.full(columns=200, rows=150).expect("> Play now")
    narrow = bench.full(home=bench.new_home(), **SMALLEST).expect("> Play now")
    for full in (wide, narrow):
        full.pick("Rules of the games").expect("The rules of which game?")
    for title in ("Clobber", "Xadrersi", "Latrunculi XXI", "Shakti"):
        wide.keys("enter").expect(f"The rules of {title}").expect("Enter close")
        narrow.keys("enter").expect(f"The rules of {title}").expect("PgDn scroll")
        narrow.until(lambda _: narrow.emulator.y == narrow.rows - 1, "it is not drawn to its end")
        wanted = words(" ".join(body(wide)))
        expect_that(read_to_the_end(narrow, wanted) == wanted, title)
        for full in (wide, narrow):
            full.keys("enter").expect("The rules of which game?").keys("down")


@test
def tables_go_on_below_their_second_column(bench):
    full = bench.full("--play", "clobber:2x2", *HERE, **SMALLEST).expect(YOUR_TURN).keys("f1")
    full.expect("Esc, Ctrl-D       go back (asks first\n                   during a match)")


@test
def sentences_take_a_second_row(bench):
    match = bench.peer("a-name-that-is-too-long").do("new clobber:2x2 black=me white=open")["match"]
    full = bench.full("--join", match, **SMALLEST)
    full.expect(YOUR_TURN).keys("f8").expect("Resign? (y/n)").keys("y")
    full.expect("\n You resigned. a-name-that-is-too-long\n wins.")
    full.keys("x").expect("\n wins.\n > x")  # it has rows of its own


@test
def matches_to_join_are_told_in_full(bench):
    peer = bench.peer("somebody-of-a-long-name")
    peer.do("new latrunculi black=me white=open clock=300+5")
    full = bench.full(**SMALLEST).expect("  (11 more below)\n  Play now: Clobber 5x6 against\n  bot:")
    full.pick("Join a match")
    full.expect("Latrunculi XXI standard, clo~").expect("+ 5, white free,")
    full.keys("escape").expect("> Join a match")


LONG = """[Game "xadrersi"]
[White "anna-has-a-long-name"]
[Black "so-has-bert-the-second"]
[Result "1/2-1/2"]

1. K@d4 Q@d5 2. Q@e5 R@c4 1/2-1/2
"""


def saved(bench, text):
    path = os.path.join(bench.home.path, "long.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def first_row(full):
    return full.drawn().screen.split("\n")[0].strip()


@test
def titles_leave_out_what_matters_least(bench):
    path = saved(bench, LONG)
    full = bench.full("replay", path, **SMALLEST).expect("Start (0 of 4)")
    expect_that(first_row(full) == "Xadrersi, match ? (1 of 1)", full.screen)
    full.resize(60, 20).expect("1 of 1: anna-has-a-long-name - so-has-bert-the-second")
    full.resize(100, 30).expect("Xadrersi, match ? (1 of 1): anna-has-a-long-name - so-has-bert-the-second")
    full.keys("q").end()
    full = bench.full("review", path, **SMALLEST).expect("Review of Xadrersi, 1/2-1/2")
    full.resize(60, 20).expect("anna-has-a-long-name - so-has-bert-the-second, 1/2-1/2")
    full.keys("q").expect("Stopped").keys("q").end()
    peer = bench.peer("director")
    cup = peer.do("tournament new The_cup_of_the_whole_wide_world latrunculi format=round-robin clock=5999+59")["tournament"]
    full = bench.full(**SMALLEST).expect("> Play now").pick("Tournaments").expect("Enter shows the table")
    full.pick("The_cup").expect("rank  no player")
    expect_that(full.drawn().screen.split("\n")[1].strip() == "The_cup_of_the_whole_wide_world", full.screen)
    full.resize(80, 24).expect("The_cup_of_the_whole_wide_world: Latrunculi XXI standard, round-robin")
    peer.do(f"tournament abort {cup}")


@test
def questions_and_sentences_are_read_to_their_end(bench):
    full = bench.full(**SMALLEST).expect("> Play now").keys("escape").expect("Leave Ludus? (y/n)")
    full.keys("n").expect_gone("Leave Ludus?")
    path = saved(bench, LONG)
    full = bench.full("review", path, **SMALLEST).expect("Review of Xadrersi").keys("q").expect("Stopped").keys("f7")
    full.expect("Save as which file?").control("u").keys(path, "enter").expect("Replace").expect("it? (y/n)")
    full.keys("n").expect_gone("(y/n)")


@test
def facts_that_do_not_fit_are_not_missing_without_a_sign(bench):
    play, position = POSITIONS["latrunculi"]
    full = bench.full("--play", play, *HERE, "--position", position, **SMALLEST).expect(YOUR_TURN)
    expect_that(re.search(r"\n  The dux may only attack +~\n Your turn", full.drawn().screen), full.screen)
    full.resize(80, 24).expect("White: 5 soldiers, 3 lost").expect_gone("~")


CHAT = " ".join(f"word{number}" for number in range(110))
STATE = state(variant="5x6", you=None, ply=4001, turn="black", last="b1a1",
              position="PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/P1PpP b",
              board=["PpPpP", "pPpPp", "PpPpP", "pPpPp", "PpPpP", "P.PpP"],
              players={"white": {"name": "w" * 39, "online": True}, "black": {"name": "b" * 39, "online": True}})


@test
def long_talk_is_there_to_its_end(bench):
    server = bench.keep(showing(STATE, {"type": "chat", "match": "1", "from": "x", "text": CHAT}))
    full = bench.full("--watch", "1", address=server.address)
    full.expect("<x> word0 word1").control("g").expect("Messages").expect("word109")
    full.keys("escape").resize(40, 16).expect("<x> word0 word1")


@test
def long_lists_of_moves(bench):
    moves = ["b1a1", "c1d1"] * 2000 + ["b1a1"]
    record = {"type": "record", "moves": moves, "start": "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w"}
    server = bench.keep(showing(STATE, record=[record]))
    full = bench.full("--watch", "1", address=server.address).expect("2001.b1a1")
    full.keys("pgup").expect_gone("2001.").expect("1995.b1a1    c1d1").keys("pgdn").expect("2001.")
    full.keys("<").expect("The past cannot be shown")  # the rules exclude such a match
    full.keys("home").expect("Looking back: the start (0 of 4001)").expect("  1. b1a1    c1d1")
    full.keys(">").expect("move 1 of 4001").keys("end").expect("2001.b1a1")


if __name__ == "__main__":
    sys.exit(run_tests("test_small_screens", test))
