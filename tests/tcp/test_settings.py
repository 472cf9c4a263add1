#!/usr/bin/env python3
"""Settings that the client stores: colours, letters or symbols, the bell.

usage: python3 tests/tcp/test_settings.py BUILD_DIR [TEST...]
"""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from stage import Tests, run_tests
from terminal import expect_that

HERE = ("--vs", "me")
YOUR_TURN = "Your turn ("
BROWN, GOLD = b"137", b"136"  # squares of a theme, and the last move in the other
test = Tests()


def bells(terminal):
    """Returns the number of bells. BEL also ends the sequences of titles and of the palette."""
    return re.sub(rb"\x1b\][^\x07]*\x07", b"", terminal.raw).count(b"\x07")


def colours(full):
    """Returns the colour numbers in the output, of 256."""
    return set(re.findall(rb"[34]8;5;(\d+)", full.raw))


def leave(full):
    full.control("c").expect("Ctrl-C again").control("c").end()


@test
def forms_begin_with_what_was_chosen_last(bench):
    bench.peer("waits-for-bots").wait_for_bots(9)  # the form lists those that are there
    full = bench.full().expect("> Play now").pick("Play a bot").expect("< Clobber >").keys("down", "e")
    full.expect("files x ranks").keys("3x2", "enter").expect("< 3x2 >").keys("down", "down", "left", "left")
    full.expect("< bot:random >").keys("down", "e").expect("such as").keys("2:30 + 1", "enter").expect("< 2:30 + 1 >")
    leave(full.keys("enter").expect(YOUR_TURN))
    full = bench.full().expect("> Back to").pick("Play a bot").expect("< Clobber >").expect("< 3x2 >")
    full.expect("< bot:random >").expect("< 2:30 + 1 >").keys("right").expect("< Xadrersi >").keys("escape")
    full.expect("Two players").pick("Two players").expect("< 3x2 >").keys("right", "enter").expect("Xadrersi touch")
    leave(full)
    with open(bench.home.file("settings"), "a", encoding="utf-8") as file:
        file.write("game Go\nvariant 9x9x9\nclock never\nbot bot:nobody\n")
    full = bench.full().expect("> Back to").pick("Play a bot").expect("< Clobber >").expect("< 5x6 >")
    leave(full.expect("< bot:gentle >").expect("< none >"))


@test
def colours_and_letters_are_kept(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect("●")
    expect_that(BROWN in colours(full), "not the usual colours")
    full.control("t").expect("Colours: blue board").control("p").expect("Pieces as letters")
    leave(full)
    full = bench.full("--play", "clobber:2x2", *HERE).expect("P").expect(YOUR_TURN)
    expect_that(BROWN not in colours(full) and "●" not in full.screen, "all is as before")
    full.control("t").expect("Colours: none").control("p").expect("●")
    leave(full)
    full = bench.full("--play", "clobber:2x2", *HERE).expect("●").expect(YOUR_TURN)
    expect_that(not colours(full), "colours")
    full.control("t").expect("Colours: brown board")
    leave(full)


@test
def where_there_are_none_nothing_is_changed(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect("●").control("t").expect("blue")
    leave(full)
    for options in ({"NO_COLOR": "1"}, {"LC_ALL": "C"}):
        full = bench.full("--play", "clobber:2x2", *HERE, **options).expect(YOUR_TURN)
        full.control("p").expect("Pieces as")
        if "NO_COLOR" in options:
            full.control("t").expect("Colours: none").control("p").expect("Pieces as symbols")
        leave(full)
    full = bench.full("--play", "clobber:2x2", *HERE).expect("●")
    expect_that(GOLD not in colours(full), "colours of squares before any move")
    full.control("t").expect("Colours: none")
    leave(full)


@test
def a_file_of_nonsense_is_passed_over(bench):
    os.makedirs(os.path.dirname(bench.home.file("settings")), exist_ok=True)
    with open(bench.home.file("settings"), "wb") as file:
        file.write(b"theme " + b"x" * 5000 + b"\nbell\n\xff\xfe \0\npieces 7\ntheme no-such\n")
    leave(bench.full("--play", "clobber:2x2", *HERE).expect("●"))


@test
def what_cannot_be_kept_is_told(bench):
    os.makedirs(bench.home.file("settings"))
    full = bench.full("--play", "clobber:5x6", *HERE).expect(YOUR_TURN).control("t")
    full.expect("Colours: blue").control("g").expect("The setting was not saved: ").expect("settings")


@test
def the_bell_rings_when_asked_to(bench):
    full = bench.full("--play", "clobber:5x6", "--vs", "open").expect("Waiting for an opponent")
    peer = bench.peer("ringer")
    match = re.search(r"match (\d+)", full.screen).group(1)
    peer.do(f"join {match}")
    full.expect(YOUR_TURN).keys("b1a1", "enter").expect("Waiting for ringer")
    peer.do(f"move {match} c1d1")
    full.expect(YOUR_TURN)
    expect_that(bells(full) == 0, "it rings unasked")
    full.control("b").expect("The bell is on")
    rung = bells(full)
    expect_that(rung == 1, "it does not ring to be heard once")
    full.keys("a2a3", "enter").expect("Waiting for ringer")
    expect_that(bells(full) == rung, "it rings at one's own move")
    peer.do(f"move {match} b2b3")
    full.expect(YOUR_TURN)
    expect_that(bells(full) == rung + 1, f"it rang {bells(full) - rung} times")
    leave(full)


if __name__ == "__main__":
    sys.exit(run_tests("test_settings", test))
