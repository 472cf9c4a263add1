#!/usr/bin/env python3
"""Whole games in full screen with only cursor keys and Enter, from the menu to the result and back.

usage: python3 tests/tcp/test_whole_games.py BUILD_DIR [TEST...]

The games are short ones between programs.
"""

import re
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from stage import Tests, run_tests
from terminal import expect_that

YOUR_TURN = "Your turn ("
# In the order of the menu; for Clobber only the first sizes.
VARIANTS = {"Clobber": ("5x6", "4x5"), "Xadrersi": ("touch", "attack"),
            "Latrunculi XXI": ("standard",), "Shakti": ("standard",)}
test = Tests()


def opened(full, item, title, variant, black=False):
    """Opens a match by an item of the menu."""
    full.expect("> Play").pick(item).expect("< Clobber >")
    full.keys(*["right"] * list(VARIANTS).index(title)).expect(f"< {title} >").keys("down")
    full.keys(*["right"] * VARIANTS[title].index(variant)).expect(f"< {variant} >")
    if black:
        full.keys("down", "right").expect("< black >")
    return full.keys("enter").expect(f"{title} {variant}, casual match")


def play(full, move, sides, flip=False):
    """Plays with the cursor, from the bottom left corner, on a board of that many files and ranks."""
    files, ranks = sides
    piece, _, target = move.rpartition("@")
    if piece:
        full.take(piece)
    for square in re.findall(r"[a-j]\d+", target):
        file, rank = ord(square[0]) - ord("a"), int(square[1:]) - 1
        if flip:
            file, rank = files - 1 - file, ranks - 1 - rank
        full.keys(*["left"] * (files - 1), *["down"] * (ranks - 1))
        full.keys(*["right"] * file, *["up"] * rank, "enter")


def two_people(bench, title, variant, sides, moves, result):
    full = opened(bench.full(), "Two players at this keyboard", title, variant).expect(YOUR_TURN)
    moves = moves.split()
    for ply, move in enumerate(moves):
        full.expect("(Black)" if ply % 2 else "(White)")
        play(full, move, sides)
        full.expect(f"{ply // 2 + 1:3}. " + "    ".join(moves[ply // 2 * 2:ply + 1]))
    full.expect(result).keys("escape").expect("> Two players at this keyboard")
    full.pick("Quit").end()


@test
def clobber(bench):
    two_people(bench, "Clobber", "4x5", (4, 5),
               "d3d4 b2b1 a2a3 d2d1 d5c5 c3b3 b5a5 b3a3 a4b4 c1c2",
               "has no moves left.")


@test
def xadrersi_touch(bench):
    two_people(bench, "Xadrersi", "touch", (8, 8),
               "K@b1 N@c2 N@a2 R@d1 Q@e1 Q@e2 N@d3 R@f2 B@f3 N@a3 B@e3 B@g4 R@h5 B@d4 R@c5 K@c6",
               "White wins ")


@test
def xadrersi_attack(bench):
    two_people(bench, "Xadrersi", "attack", (8, 8),
               "K@b1 N@c2 R@a1 R@b2 B@b5 B@c4 R@b4 Q@c6 Q@e1 B@e3 N@d2 R@a3 B@b6 N@f3 N@d5 K@g3",
               "Black wins ")


@test
def latrunculi(bench):
    two_people(bench, "Latrunculi XXI", "standard", (8, 8),
               "a1a3 d7d6 b1b6 e8e7 c1c6 d6d2 c6c2 g8g5 a3d3", "White wins: Black's dux is surrounded.")


@test
def shakti(bench):
    two_people(bench, "Shakti", "standard", (7, 7),
               "f2d4 f6f4 d2c2 f4g4 d4d5 d6d5 b2a2 g4e2 a2c4 d5c4 c2a4 b6b4",
               "Black wins: White is checkmated.")


class Adviser:
    """Asks for the legal moves of a match."""

    def __init__(self, bench, match):
        self.peer, self.match = bench.peer("adviser"), match

    def moves(self):
        """Returns the number of moves so far and the legal moves; none when it is over."""
        reply = self.peer.do(f"moves {self.match}")
        return reply["ply"], reply["moves"]


@test
def against_a_bot(bench):
    full = opened(bench.full(), "Play a bot", "Clobber", "4x5", black=True).expect("  1. ")
    adviser = Adviser(bench, re.search(r"match (\d+)", full.screen).group(1))
    ply, moves = adviser.moves()
    while moves:
        expect_that(ply % 2 == 1, "it is not black's turn")
        play(full, moves[0], (4, 5), flip=True)
        full.until(lambda screen, row=rf"{ply // 2 + 1:3}\. \S+ +{moves[0]}":
                   re.search(row, screen), f"{moves[0]} is not played")
        full.until(lambda screen, row=f"{ply // 2 + 2:3}. ":
                   row in screen or "no moves left." in screen, "the bot does not move")
        ply, moves = adviser.moves()
    full.expect("no moves left.").expect("Black " + bench.me).keys("escape").expect("> Play a bot")


if __name__ == "__main__":
    sys.exit(run_tests("test_whole_games", test))
