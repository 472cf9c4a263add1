#!/usr/bin/env python3
"""The terminal in which the tests see the client (support/emulator.py): letters that take two cells, and marks that take
none.

usage: python3 tests/tcp/test_emulator.py BUILD_DIR
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from emulator import Emulator
from harness import Checks

AT = "\x1b[1;%dH"  # moves the cursor to that column of the first row


def shown(text, columns=8, rows=2):
    """Returns the screen after a text, and the column of the cursor, from 0."""
    emulator = Emulator(columns, rows)
    emulator.feed(text)
    return emulator.text(), emulator.x


def wide_letters(checks):
    checks.equal(shown("田中x"), ("田中x\n", 5), "two cells each")
    checks.equal(shown("１a"), ("１a\n", 3), "wide digits, too")
    checks.equal(shown("田" + AT % 3 + "x"), ("田x\n", 3), "the next letter is behind both")
    checks.equal(shown("abc田", columns=4), ("abc\n田", 2), "half of one does not end a row")
    checks.equal(shown("ab田", columns=4), ("ab田\n", 4), "a whole one does")


def halves(checks):
    for at, left in ((1, "x 中"), (2, " x中"), (3, "田x"), (4, "田 x")):
        checks.equal(shown("田中" + AT % at + "x")[0], left + "\n", f"overwritten in column {at}")
    checks.equal(shown("a田b" + AT % 1 + "中")[0], "中 b\n", "a wide one over a half")
    checks.equal(shown("田中a" + AT % 2 + "\x1b[2X")[0], "    a\n", "erased from half to half")
    checks.equal(shown("田中a" + AT % 2 + "\x1b[K")[0], "\n", "erased to the end")
    checks.equal(shown("田中a" + AT % 2 + "\x1b[2P")[0], "  a\n", "taken out from half to half")
    checks.equal(shown("田a" + AT % 2 + "\x1b[1@")[0], "   a\n", "torn by a blank")
    checks.equal(shown("ab田" + AT % 1 + "\x1b[1@", columns=4)[0], " ab\n", "half pushed out")


def marks(checks):
    checks.equal(shown("e\u0301x"), ("e\u0301x\n", 2), "no cell of their own")
    checks.equal(shown("กิตติ"), ("กิตติ\n", 3), "of Thai, too")
    checks.equal(shown("田\u3099x"), ("田\u3099x\n", 3), "on a wide letter")
    checks.equal(shown("abe\u0301", columns=3), ("abe\u0301\n", 3), "at the end of a row")
    checks.equal(shown("e\u0301" + AT % 1 + "x")[0], "x\n", "gone with their letter")
    checks.equal(shown("\u0301x"), ("x\n", 1), "none without a letter")


def columns(checks):
    emulator = Emulator(12, 2)
    emulator.feed("田e\u0301x中 y")
    line = emulator.text().split("\n")[0]
    for letter, column in (("田", 0), ("e", 2), ("x", 3), ("中", 4), ("y", 7)):
        checks.equal(emulator.column(0, line.index(letter)), column, f"where {letter} is")


if __name__ == "__main__":
    sys.exit(Checks("test_emulator").run([wide_letters, halves, marks, columns]))
