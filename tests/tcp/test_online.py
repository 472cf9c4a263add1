#!/usr/bin/env python3
"""The client finds opponents and plays tournaments, by lines and in full screen.

usage: python3 tests/tcp/test_online.py BUILD_DIR [TEST...]
"""

import sys

from stage import Tests, run_tests
from terminal import expect_that

ASCII = {"LC_ALL": "C"}

test = Tests()


def seek(peer, line):
    """Lets a peer seek; returns the match that it gets."""
    peer.do("seek " + line)
    return peer.wait(lambda message: message["type"] == "paired")["match"]


def waiting(peer):
    """Returns the seeks that wait."""
    peer.file.write("seeks\n")
    peer.file.flush()
    return peer.wait(lambda message: message["type"] == "seeks")["seeks"]


@test
def seeks_in_full_screen(bench):
    bob = bench.peer("bob-seeks")
    full = bench.full("--name", "anna-seeks", **ASCII).expect("> Play now").pick("Find an opponent")
    full.expect("Find an opponent").expect("< 5 + 3 >").keys("down", "e").expect("files x ranks")
    full.keys("3x3", "enter").expect("< 3x3 >").keys("down", "down", "right").expect("< people >")
    full.keys("enter").expect("Looking for an opponent ...").expect("clobber:3x3, clock 5 + 3, people only")
    full.expect("0:01").keys("escape").expect("< people >")
    expect_that(waiting(bob) == [], "Esc takes the seek back")
    full.keys("enter").expect("Looking for an opponent")
    match = seek(bob, "clobber:3x3 clock=300+3")
    full.expect("Clobber 3x3").expect("bob-seeks").expect("5:00")
    bob.do(f"resign {match}")
    full.expect("resigned").keys("escape").expect("> Find an opponent")


@test
def seeks_from_the_command_line(bench):
    bob = bench.peer("bob-line")
    full = bench.full("seek", "shakti", "--name", "anna-line", "--clock", "60+1", "--color", "black", "--unrated",
                      "--rating", "1000-2000", "--bots", "no", **ASCII)
    full.expect("Looking for an opponent").expect("shakti, clock 1 + 1, you are black, rating 1000-2000, people only")
    row = waiting(bob)[0]
    expect_that((row["color"], row["range"], row["rated"], row["bots"]) == ("black", [1000, 2000], False, "no"), row)
    match = seek(bob, "shakti clock=60+1 rated=no")
    full.expect("Shakti").expect("anna-line")
    bob.do(f"resign {match}")
    full.expect("resigned")
    output = bench.piped(("seek", "chess", "--name", "anna-pipe"), status=1)
    expect_that("chess" in output, output)


@test
def seeks_line_by_line(bench):
    bob = bench.peer("bob-by-line")
    ludus = bench.ludus("seek", "clobber:2x2", "--line", "--name", "anna-by-line")
    ludus.expect("Looking for an opponent: clobber:2x2, no clock. An empty line stops.")
    ludus.line("nonsense").expect("An empty line stops looking.").line("").expect("find an opponent")
    expect_that(waiting(bob) == [], "an empty line takes the seek back")
    ludus.line("9").expect("Game [").line("1").expect("Variant [").line("2x2").expect("Clock").line("").expect("Looking for an opponent")
    match = seek(bob, "clobber:2x2")
    ludus.expect("Opponent found: bob-by-line")
    bob.do(f"resign {match}")
    ludus.expect("menu> ")


@test
def seeks_again_after_a_lost_connection(bench):
    bob, proxy = bench.peer("bob-lost"), bench.proxy()
    full = bench.full("seek", "clobber:2x2", "--name", "anna-lost", address=proxy.address, **ASCII)
    full.expect("Looking for an opponent")
    proxy.drop()
    full.expect("Connected again")
    seek(bob, "clobber:2x2")
    full.expect("Clobber 2x2").expect("bob-lost")


if __name__ == "__main__":
    sys.exit(run_tests("test_online", test))
