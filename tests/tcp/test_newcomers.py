#!/usr/bin/env python3
"""What newcomers are told: in a match what they can do now, in the rules what each piece does.

usage: python3 tests/tcp/test_newcomers.py BUILD_DIR [TEST...]
"""

import os
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from full_screen import HERE, leave
from golden_screen import expect_screen
from stage import Tests, run_tests
from terminal import expect_that

test = Tests()


@test
def newcomers(bench):
    """Who has finished no match of a game reads what can be done now, until one is over."""
    os.remove(bench.home.file("finished"))
    full = bench.full("--play", "xadrersi", *HERE).expect("Place your king on any square;").drawn()
    expect_screen(full, "newcomer-utf8-80x24")
    full.play("K@d4").expect("Place any piece but")
    full.keys("<").expect("Looking back").expect_gone("Place any piece but").keys("enter").expect("Place any piece but")
    full.resize(40, 16).expect("Your turn").drawn()
    expect_screen(full, "newcomer-utf8-40x16")
    full.resize(80, 24).expect("Place any piece but").keys("f8", "y").expect("wins").expect_gone("Place any piece but")
    with open(bench.home.file("finished"), encoding="ascii") as file:
        expect_that(file.read() == "xadrersi yes\n", "what is kept")
    full.keys("escape").pick("Quit").end()
    full = bench.full("--play", "xadrersi", *HERE).expect("Your turn").drawn()
    expect_that("Place your king" not in full.screen, full.screen)
    leave(full)
    leave(bench.full("--play", "clobber", *HERE).expect("Take an enemy stone"))


@test
def symbols_in_the_rules(bench):
    """F2 says what each piece does."""
    for game, line in (("shakti", "▓  hole: no tile: pieces see and move across it."), ("xadrersi", "bishop: attacks along diagonals.")):
        full = bench.full("learn", game, columns=120, rows=60).expect("lesson 1 of").keys("f2").expect(line)
        full.keys("escape", "escape").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_newcomers", test))
