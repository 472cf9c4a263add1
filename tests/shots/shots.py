#!/usr/bin/env python3
"""Plays real matches in full screen and draws the screens, for the pictures in the README.

usage: python3 tests/shots/shots.py BUILD_DIR [--check]

Writes tests/shots/*.svg. With --check it writes nothing, and lists the pictures that are out of date.
All moves are given, and the hint is the only mating move; port and clocks are fixed.
"""

import copy
import os
import re
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")

from full_screen import FullScreen
from harness import Server, build_folder
from picture import DARK, LIGHT, draw
from terminal import Failure, Home, piped

YOUR_TURN = "Your turn"
CHECKING = "--check" in sys.argv

# A match between our bots.
CLOBBER = "d1d2 b2a2 d5e5 d6c6 c4c3 a5b5 b1a1 d4d3 b3a3 d3c3 e2e1 b4a4"
XADRERSI = "K@c7 Q@c8 Q@d7 R@d6 B@d5 B@d4 N@e5 B@c4 R@b3 N@e4"
LATRUNCULI = ("e2e7 f8f6 d1d6 c8c5 e1e6 g8g4 f1f5 f6f7 e6e5 h8h4 g1g3 b8b5 h1h3 c5d5 f5g5 f7f2 "
              "g3g4 a8a4 h3f3 a4f4")
SHAKTI = "b2c3 f6e5 f2e3 b6c5 c3c4 c5c6 e3c5 d6e6 c5d5 e6f5 c4e4 f5f6 d5d7 c6c4 d7f5 f6e7 e4d3 c4c3"
SHAKTI_MATE = "f2d4 f6f4 d2c2 f4g4 b2b3 g4g3 b3d5 d6c7 d5c5 g3g2 d4d6 c7b7 d6c6 b7a6"


class Table:
    """anna at the client that is drawn, and bob, whose moves are given."""

    def __init__(self):
        self.server, self.home, self.full = Server(build_folder()), Home(), None
        self.bob = self.server.connect("bob")

    def sit(self, *arguments, **options):
        self.full = FullScreen(f"localhost:{self.server.port}", *arguments, home=self.home, **options)
        return self.full

    def play(self, game, moves, *options):
        """Plays a match against bob up to a turn of anna."""
        match = self.bob.do(f"new {game} black=me white=open {' '.join(options)}")["match"]
        full = self.sit("--name", "anna", "--join", match)
        for ply, move in enumerate(moves.split()):
            if ply % 2 == 0:
                full.expect(YOUR_TURN).keys(move, "enter").expect("Waiting for bob")
            else:
                self.bob.do(f"move {match} {move}")
        return full.expect(YOUR_TURN), match

    def close(self):
        if self.full:
            self.full.close()
        self.bob.close()
        self.server.stop()
        self.home.remove()


# --- the pictures ---


def menu(table):
    """The start menu"""
    table.bob.wait_for_bots(9)  # the first of them to come is offered until gentle is there
    full = table.sit("--name", "anna").expect("> Play now")
    return full.keys("down").expect("> Play a bot")


def clobber(table):
    """Clobber: groups, and where the chosen stone may go"""
    full, _ = table.play("clobber:5x6", CLOBBER)
    return full.control("o").expect("in play").choose("c2").keys("up").expect("{")


def xadrersi(table):
    """Xadrersi: attackers of each square, the score, the pieces in hand"""
    full, _ = table.play("xadrersi:touch", XADRERSI)
    return full.take("R").keys("right", "up").expect("placing R").control("o").expect("attackers")


def latrunculi(table):
    """Latrunculi XXI: locked soldiers, clocks and talk"""
    full, match = table.play("latrunculi", LATRUNCULI, "clock=300+5")
    table.bob.do(f"say {match} Your dux is far from home.")
    full.expect("far from home").keys("say So is yours!", "enter").expect("So is yours!")
    return full.choose("g5").keys("up", "up").expect("{")


def shakti(table):
    """Shakti: a king in check, and the tiles that are gone"""
    full, _ = table.play("shakti", SHAKTI)
    return full.choose("d2").keys("right").expect("{")


def hint(table):
    """A hint: the move that mates"""
    full, _ = table.play("shakti", SHAKTI_MATE, "rated=no")
    return full.keys("f3").expect("Hint: ")


def light(table):
    """The theme for light terminals"""
    full, _ = table.play("clobber:5x6", CLOBBER)
    return full.control("t").expect("Colours: blue").choose("c2").keys("up").expect("{")


def replay(table):
    """A recorded match, step by step"""
    full, match = table.play("shakti", SHAKTI_MATE)
    full.keys("c5b5", "enter").expect("is checkmated").close()
    path = os.path.join(table.home.path, "match.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(piped(table.server.address, ("record", match, "--pgn"), "", table.home))
    return table.sit("replay", path).keys("end", "left", "left").expect("Move 13 of 15")


PICTURES = (menu, clobber, xadrersi, latrunculi, shakti, hint, light, replay)


# --- drawing and keeping them ---


def settled(full):
    """Returns the screen once the last key has taken effect."""
    while full.read_some(time.monotonic() + 0.3):
        pass
    return full


def same_each_time(emulator):
    """Returns a copy with fixed port and clocks."""
    emulator = copy.deepcopy(emulator)
    for y, row in enumerate(emulator.cells):
        line = re.sub(r"localhost:\d+", "localhost:7117", "".join(row))
        line = re.sub(r"(White .* )\d:\d\d", r"\g<1>4:31", line)
        line = re.sub(r"(Black .* )\d:\d\d", r"\g<1>5:02", line)
        emulator.cells[y] = list(line.ljust(emulator.columns))
    return emulator


def picture_of(full, function):
    colours = LIGHT if function is light else DARK
    return draw(same_each_time(full.emulator), function.__doc__, colours)


def check(full, function, path):
    with open(path, encoding="utf-8") as file:
        wanted = file.read()
    full.until(lambda _: picture_of(full, function) == wanted,
               f"{path} is not what is shown now: look at it, and run `make shots`")


def make(function):
    table = Table()
    path = os.path.join(FOLDER, function.__name__ + ".svg")
    try:
        full = function(table)
        if CHECKING:
            check(full, function, path)
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write(picture_of(settled(full), function))
    finally:
        table.close()


def main():
    done = 0
    try:
        for function in PICTURES:
            make(function)
            done += 1
    except (Failure, OSError) as error:  # the others would probably fail as well
        print(f"{PICTURES[done].__name__}: {error}")
    print(f"shots: {done} passed, {len(PICTURES) - done} failed")
    return 0 if done == len(PICTURES) else 1


if __name__ == "__main__":
    sys.exit(main())
