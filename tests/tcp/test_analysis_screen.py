#!/usr/bin/env python3
"""The analysis board in full screen: moves by keys, mouse and typing, variations, a bot's word, and the ways there.

usage: python3 tests/tcp/test_analysis_screen.py BUILD_DIR [TEST...]

UPDATE_SCREENS=1 writes the pictures in tests/screens/ anew.
"""

import os
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from golden_screen import expect_screen
from stage import Tests, run_tests
from terminal import BUILD, expect_that
from test_review import MOVES, SEE_SAW

test = Tests()
SMALL = "PpPp/pPpP/PpPp w"
END = "Ppp/3/1Pp w"


def board(bench, *words, position=SMALL, **options):
    """Opens the board by its letter, and begins with a position that is typed."""
    full = bench.full(*words, **options).expect("> Play now").keys("a").expect("what a bot thinks").keys("enter")
    return full.expect("Analysis of Clobber 5x6 (White)").keys(position, "enter").expect_gone("5x6")


def saved(full, path):
    full.keys("f7").expect("Save as which file?").control("u").keys(path, "enter").expect("Saved as ")
    with open(path, encoding="utf-8") as file:
        return file.read()


@test
def variations(bench):
    """Moves are typed and chosen; others that are tried become variations, which one goes through, promotes and deletes."""
    full = board(bench).keys("a1b1", "enter").expect("1. a1b1").expect("(Black)").keys("D1 c1", "enter").expect("1. a1b1 d1c1")
    full.keys("c3b3", "enter").expect("2. c3b3").keys("<", "<").keys("a2a3", "enter").expect("(1... a2a3)").keys("c3d3", "enter").keys(",")
    full.keys("b2b3", "enter").expect("1. a1b1 d1c1 (1... a2a3 2. c3d3").expect("(2. b2b3)) 2. c3b3")
    full.expect("F5 main line").keys("<", "pgup").expect_gone("F5 main line").keys("f5").expect("This is the main line.").keys("pgup", "f5")
    full.expect("1. a1b1 a2a3 (1... d1c1 2. c3b3)").expect("2. c3d3 (2. b2b3)")
    full.keys("home").expect_gone("F4 delete").keys("f4").expect("There is no move to delete.").keys("end").expect("(Black)")
    full.click("d1c1").expect("(White)").keys("f4").expect_gone("d1c1").expect("1. a1b1 a2a3 2. c3d3 (2. b2b3)")
    text = saved(full, os.path.join(bench.home.path, "tree.pgn"))
    expect_that(text.split("\n\n")[1] == "1. a1b1 a2a3 2. c3d3 (2. b2b3) *\n", text)
    expect_that('[Event "Analysis of Clobber"]' in text and f'[FEN "{SMALL}"]' in text, text)
    full.keys("escape").expect("> Go on with the last one: Clobber 4x3").keys("enter").expect("2. c3d3 (2. b2b3)")
    full.keys("escape", "escape").pick("Quit").end()


@test
def by_cursor_and_mouse(bench):
    """As in a match: arrows and Enter, clicks; what is not legal is explained, and letters are text."""
    full = board(bench).keys(*["left"] * 4, *["down"] * 3, "enter", "right", "enter").expect("1. a1b1").expect("(Black)")
    full.keys("enter").expect("The stone on b1 is not yours").keys("a1a2", "enter").expect("a1 is empty").keys("quiet", "enter")
    full.expect('"quiet" is not a move.').keys("hello").expect("> hello").keys("escape").expect_gone("hello")
    full.wheel(True).expect("(White)").wheel(False).expect("(Black)")
    full.keys("f1").expect("list the keys").keys("end").expect("Letters are text here").keys("escape").expect("Analysis of")
    full.keys("f2").expect("The rules of Clobber").keys("escape").expect("Analysis of")
    full.keys("8/8/8/d2s4/3S4/8/8/S6D w 0", "enter").expect("Begin anew there?").keys("n").expect("1. a1b1")
    full.keys("8/8/8/d2s4/3S4/8/8/S6D w 0", "enter").expect("Begin anew there?").keys("y").expect("Analysis of Latrunculi")
    full.keys("1x/2 w", "enter").expect("(White)").keys("escape").expect("what a bot thinks").keys("escape").pick("Quit").end()


@test
def placed_and_over(bench):
    """Pieces in hand are placed by a square; a game that is over takes no move."""
    full = bench.full().expect("> Play now").keys("a").pick("Xadrersi").expect("placing K").keys("d4", "enter").expect("1. K@d4")
    full.keys("tab").expect_gone("placing K").keys("<").expect("(White, placing K)").keys(END, "enter").expect("Begin anew").keys("y")
    for move in ("a3b3", "c3b3", "b1c1"):
        full.keys(move, "enter").expect(move)
    full.expect("The game is over: 1-0").keys("a1a2", "enter").expect("The game is over here.").keys("f3").expect("The game is over here.")
    full.keys("<").expect("(White)").keys("escape", "escape").pick("Quit").end()


@test
def set_up_by_hand(bench):
    """Letters and clicks put pieces, and what the rules refuse is explained; moves that would be lost are asked for."""
    full = board(bench).keys("f8").expect("Set up a position (White to move)").keys("f1").expect("Letters put a piece").keys("escape")
    full.keys("f4", "P", "right", "p", "enter").expect("Analysis of Clobber 4x3 (White)").expect("1 legal move")
    expect_that('[FEN "4/2Pp/4 w"]' in saved(full, os.path.join(bench.home.path, "set-up.pgn")), full)
    full.keys("f8", "tab").expect("(Black to move)").keys("enter").expect("Analysis of Clobber 4x3 (Black)").keys("d2c2", "enter").expect("1... d2c2")
    full.keys("<", "f8", "z").expect("No piece here is called z.").keys("P", " ", "enter").expect("Begin anew there?").keys("n").expect("1... d2c2")
    full.keys("f8").expect("Set up").keys("escape").expect("1... d2c2").keys("escape")
    full.expect("what a bot thinks").pick("Xadrersi touch").expect("placing K").keys("f8").expect("K  White's king").keys("K", "enter").expect("it is not white's turn")
    full.keys("right", "K").expect("There is no K left to put.").keys("tab", "enter").expect("(Black, placing Q)")
    expect_that("[QRRBBNNkqrrbbnn] b - a5" in saved(full, os.path.join(bench.home.path, "placed.pgn")), full)
    full.keys("f8", "enter").expect("(Black, placing Q)").keys("f8", "left", "q", "tab", "enter").expect("(White, placing Q)")
    full.keys("escape").expect("what a bot thinks").pick("Shakti").expect("Analysis of Shakti").keys("f8").click("W  White's warrior").keys("*")
    row, column = full.place_of("a    b")
    full.drag((row - 1, column + 5), (row - 1, column + 5)).click("Space  nothing").keys("enter").expect("Analysis of Shakti")
    expect_that('/*1WKW2* w 0' not in saved(full, os.path.join(bench.home.path, "tiles.pgn")), full)


@test
def a_bot_is_asked(bench):
    """Its best move is chosen, so that Enter plays it; what is proved is said so, and kept with the position."""
    full = board(bench, position=END).keys("f3").expect("White wins in at most ").expect("(proven)").expect("Best: a3b3").expect("{ ")
    full.expect("which keeps").keys("enter").expect("1. a3b3").expect_gone("Best: ").keys("<").expect("Best: a3b3")
    full.keys("8/8/8/d2s4/3S4/8/8/S6D w 0", "enter", "y").expect("Analysis of Latrunculi").keys("f3").expect("White wins in at most 3 plies").expect("captures the last soldier in 2")
    full = bench.full(home=bench.new_home()).expect("> Play now").keys("a").pick("Latrunculi").keys("f3").expect("White's chances: ").expect("Best: ")


@test
def the_server_is_asked(bench):
    """Where there is no ludus-bot."""
    folder = os.path.join(bench.home.path, "bare")
    os.mkdir(folder)
    program = shutil.copy(os.path.join(BUILD, "ludus"), folder)
    full = board(bench, position=END, program=program, PATH="").keys("f3").expect("(proven)").expect("Best: a3b3").keys("enter").expect("1. a3b3")


def file_of(bench):
    path = os.path.join(bench.home.path, "match.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SEE_SAW)
    return path


@test
def from_records(bench):
    """From any ply of a replay or a review, with all moves of the match; without a server, too."""
    full = bench.full("replay", file_of(bench)).expect("Start (0 of 7").keys("right", "right").expect("Move 2 of 7").control("a")
    full.expect("Analysis of Clobber 3x4 (White)").expect("4. b1c1").keys("f3").expect("(proven)").keys("escape", "escape").expect("Move 2 of 7")
    full.keys("f6").expect("Reviewed. Mistakes:").keys("home").control("a").expect("Analysis of Clobber 3x4").keys("escape").expect("Reviewed.")
    full.keys("escape").expect("Move 2 of 7").keys("q").end()
    full = bench.full().expect("> Play now").pick("Puzzles").pick("Clobber").expect("Only one first move does it").control("a").expect("Analysis of Clobber")
    full.keys("escape").expect("Only one first move does it").keys("escape", "escape").pick("Quit").end()


@test
def from_matches(bench):
    """From the position that a match shows, be it over, watched or casual; not from one of the player's that counts."""
    peer = bench.peer("anapeer1")
    match = peer.do("new clobber:3x4 white=me black=me")["match"]
    moves = [word for word in MOVES.split()[:-1] if not word.endswith(".")]
    for move in moves:
        peer.do(f"move {match} {move}")
    full = bench.full("--watch", match).expect("^A analyse").keys("<", "<").expect("move 5 of 7").control("a").expect("Analysis of Clobber 3x4 (Black)")
    text = saved(full, os.path.join(bench.home.path, "match-tree.pgn"))
    expect_that(text.endswith("1-0\n") and moves[-1] in text, text)
    full.keys("escape").expect("move 5 of 7").keys("escape", "escape").expect("> Play now")
    casual = peer.do("new clobber:2x2 black=me white=open rated=no")["match"]
    mine = bench.full("--name", "anaself", "--join", casual).expect("Your turn").control("a").expect("Analysis of Clobber 2x2").keys("a2a1", "enter", "escape")
    mine.expect("Your turn").keys("analyse", "enter").expect("Analysis of Clobber 2x2").keys("escape").expect("Your turn")
    counts = peer.do("new clobber:2x2 black=me white=open")["match"]
    mine.keys("escape").expect("Back to the menu?").keys("y").expect("> Back to match").pick("Join a match").pick(f"{counts}: ").expect("Your turn").control("a").expect("This match counts: analyse it when it is over.")
    position = "Pp/pP w"
    mine.keys("escape").expect("Back to the menu?").keys("y").expect("Back to match").keys("a").pick("Clobber 5x6").keys(position, "enter").expect("Clobber 2x2").keys("f3").expect("Your match stands here, and counts")


@test
def as_drawn(bench):
    for kind, environment in (("ascii", {"LC_ALL": "C"}), ("utf8", {"LC_ALL": "C.UTF-8"})):
        full = bench.full("replay", file_of(bench), **environment).expect("Start (0 of 7").keys("right", "right").control("a").expect("Analysis of")
        full.keys("c3b3", "enter").expect("(2. c3b3)").keys("<", "f3").expect("(proven)").expect("{")
        expect_screen(full, f"analysis-{kind}-80x24")
        expect_screen(full.resize(40, 16), f"analysis-{kind}-40x16")
        full.keys("escape", "escape").expect("Move 2").keys("q").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_analysis_screen", test))
