#!/usr/bin/env python3
"""The review of a match in full screen: pictures, keys, stopping, failing.

usage: python3 tests/tcp/test_review_screen.py BUILD_DIR [TEST...]

UPDATE_SCREENS=1 writes the pictures in tests/screens/ anew.
"""

import os
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from stage import Tests, run_tests
from terminal import BUILD, expect_that
from test_review import MOVES, SEE_SAW
from test_puzzle_screen import play
from test_screen import expect_screen

test = Tests()
SIZES = ((80, 24), (40, 16), (120, 40))


def file_of(home, text=SEE_SAW):
    path = os.path.join(home.path, "match.pgn")
    with open(path, "w") as file:
        file.write(text)
    return path


def review(bench, *words, text=SEE_SAW, **environment):
    return bench.full("review", file_of(bench.home, text), *words, **environment)


def screens_of(bench, letters, **locale):
    full = review(bench, **locale).expect("Reviewed. Mistakes: White 1, Black 2").expect("1... b2b3 ??")
    full.keys("tab", "tab").expect("3... c3c4 ??")
    for columns, rows in SIZES:
        if (columns, rows) != (80, 24):
            full.resize(columns, rows)
        expect_screen(full, f"review-{letters}-{columns}x{rows}")
    full.keys("escape").end()


@test
def pictures_in_utf8(bench):
    screens_of(bench, "utf8", LC_ALL="C.UTF-8")


@test
def pictures_in_ascii(bench):
    screens_of(bench, "ascii", LC_ALL="C")


@test
def keys(bench):
    full = review(bench).expect("Reviewed. Mistakes:").expect("1... b2b3 ??").keys("end").expect("4. b1c1").expect("White wins (proven)")
    full.keys("home").expect("Start of the game").expect("Black wins (proven)")
    full.keys("tab").expect("1... b2b3 ??").expect("Better: a3a2 ")
    full.keys("tab").expect("3. a4a3 ??").keys("tab").expect("This was the last moment to win.")
    full.keys("right").expect("4. b1c1").keys("left", "left").expect("3. a4a3 ??")
    full.keys("backtab").expect("1... b2b3 ??").keys("backtab").expect("That was the first mistake. This is the last.")
    full.keys("tab").expect("That was the last mistake. This is the first.").expect("1... b2b3 ??")
    full.keys("f1").expect("step back and forward").keys("escape").expect("Review of Clobber")
    path = os.path.join(bench.home.path, "review.pgn")
    full.keys("f7").expect("Save as which file?").expect("> ludus-review.pgn").control("u").keys(path, "enter")
    full.expect("Saved as ").keys("q").end()
    with open(path, encoding="utf-8") as file:
        record = file.read()
        expect_that("(1... a3a2 " in record, record)


@test
def a_mistake_is_tried_again(bench):
    """The move is asked for, and hidden until it is found or asked for; one that keeps the win counts, too."""
    full = review(bench).expect("Reviewed. Mistakes:").keys("end", "r").expect("Tab leads to a mistake that you can try again.")
    full.keys("tab").expect("1... b2b3 ??").expect("r retry").keys("r").expect("Clobber: find a better move (Black)")
    full.expect("Black played b2b3??: find a").expect("better move.").expect_gone("a3a2")
    for columns, rows in ((40, 16), (80, 24)):
        full.resize(columns, rows)
        expect_screen(full, f"retry-{columns}x{rows}")
    full.keys("f3").expect("Better: a3a2").expect("Enter go on").keys("f4").expect("F3 show me").expect_gone("a3a2")
    position = "PpP/pPP/Pp1/pPp b"
    play(full, position, "b2b3").expect("b2b3 is what was played.").keys("enter").expect_gone("is what was played")
    play(full, position, "b4c4").expect("b4c4 is a blunder, too. Try").expect("Enter try again").keys("enter")
    play(full, position, "c1b1").expect("Right: c1b1 is good, too. The").expect("review found a3a2").keys("enter").expect("1... b2b3 ??")
    full.keys("tab").expect("3. a4a3 ??").keys("r").expect("White played a4a3??")
    play(full, "PpP/p1p/3/PPp w", "b1c1").expect("Right: b1c1").keys("enter").expect("3. a4a3 ??").keys("escape").end()


@test
def play_on_from_here(bench):
    """From a position of a replay or a review the side to move plays on against a bot, on a server only."""
    path = file_of(bench.home)
    full = bench.full("--name", "revscreen6").expect("> Play now").pick("Replay a file").keys(path, "enter").expect("Start (0 of 7")
    full.keys("end", "p").expect("The game is over here: step back to play on.").keys("left", "left", "p")
    full.expect("Play on from here").expect("You are Black, who is to move.").pick("bot:greedy").expect("Your turn (Black)").expect("bot:greedy")
    full.keys("c1b1", "enter").expect("legal move").expect("1. c1b1").expect("Your turn (Black)").keys("f8").expect("Resign?").keys("y").expect("F6 review")
    full.keys("f6").expect("Reviewed. Mistakes:").keys("home", "p").expect("You are Black").keys("escape").expect("Review of Clobber")
    full.keys("p").pick("bot:greedy").expect("Your turn (Black)")
    alone = review(bench).expect("Reviewed.").keys("left", "p").expect("Playing on needs a server")
    alone.keys("escape").end()


def play_on(full, row):
    """Chooses the opponent, and waits for the match."""
    return full.expect("You are White, who is to move. Against whom?").pick(row)


@test
def play_on_against_people(bench):
    """From a match, a replay, a puzzle and an analysis: whoever joins plays, or somebody who is challenged. It is not rated."""
    peer = bench.peer("revscreen7")
    match = peer.do("new clobber:3x4 white=me black=me")["match"]
    for move in ("c2c3", "b2b3", "a2a1"):
        peer.do(f"move {match} {move}")
    peer.do(f"resign {match}")
    full = bench.full("--name", "revscreen8", "--watch", match).expect("^E play on").keys("<").expect("move 2 of 3").control("e")
    play_on(full, "revscreen7: a challenge").expect("Waiting for revscreen7")
    challenge = peer.wait_for("challenge")
    expect_that((challenge["position"], challenge["rated"], challenge["color"]) == ("PpP/ppP/P2/pPp w", False, "black"), challenge)
    peer.do(f"join {challenge['match']}")
    full.expect("Your turn (White)").keys("f8", "y").expect("F6 review").keys("escape").expect("> Play now").pick("Puzzles").pick("Clobber")
    full.expect("Only one first move does it").control("e").expect("Play on from here").pick("bot:random").expect("Your turn (")
    full.keys("f8", "y").expect("F6 review").keys("escape").expect("Play now: ").keys("a").pick("Clobber 5x6").control("e")
    play_on(full, "A friend: whoever joins").expect("Waiting for an opponent, who types: ").expect("--join")


@test
def a_mistake_without_a_bot(bench):
    """The server has reviewed it: only its move is known to be good."""
    folder = os.path.join(bench.home.path, "bare")
    os.mkdir(folder)
    program = shutil.copy(os.path.join(BUILD, "ludus"), folder)
    peer = bench.peer("revscreen5")
    match = peer.do("new clobber:3x4 white=me black=me")["match"]
    for move in (word for word in MOVES.split()[:-1] if not word.endswith(".")):
        peer.do(f"move {match} {move}")
    full = bench.full("--watch", match, program=program, PATH="").expect("F6 review").keys("f6").expect("Reviewed. Mistakes:")
    full.keys("home", "tab").expect("1... b2b3 ??").keys("r").expect("F3 show me")
    play(full, "PpP/pPP/Pp1/pPp b", "c1b1").expect("c1b1 is not the move that the").expect("is not known: there is no bot").keys("enter")
    play(full, "PpP/pPP/Pp1/pPp b", "a3a2").expect("Right: a3a2")


@test
def after_a_match_and_in_a_replay(bench):
    peer = bench.peer("revscreen")
    match = peer.do("new clobber:3x4 white=me black=me")["match"]
    for move in (word for word in MOVES.split()[:-1] if not word.endswith(".")):
        peer.do(f"move {match} {move}")
    full = bench.full("--watch", match)
    full.expect("F6 review").keys("f6").expect("Review of Clobber: revscreen - revscreen, 1-0")
    full.expect("Reviewed. Mistakes: White 1, Black 2").keys("escape").expect("F6 review")
    full.keys(f"review {match}", "enter").expect("Reviewed. Mistakes: White 1").keys("escape", "escape")
    full.expect("> Play now").pick("Type a command").keys(f"review {match}", "enter").expect("Reviewed. Mistakes:")
    full.keys("escape").expect("Type a command")
    running = peer.do("new clobber:2x2 white=me black=me")["match"]
    full.keys("enter").expect("Which command?").keys(f"review {running}", "enter").expect("the game is still running.")
    replay = bench.full("replay", file_of(bench.home)).expect("Start (0 of 7").keys("f6")
    replay.expect("Reviewed.").keys("escape").expect("Start (0 of 7").keys("q").end()


@test
def the_end_of_a_match(bench):
    peer = bench.peer("revscreen2")
    match = peer.do("new clobber:2x2 black=me white=open")["match"]
    full = bench.full("--name", "revscreen3", "--join", match).expect("Your turn")
    full.keys("f6").expect("No review: the game is still running.").keys("a2a1", "enter").expect("Waiting for")
    peer.do(f"move {match} b2b1")
    full.expect("Your turn").keys("a1b1", "enter")
    full.expect("You win! revscreen2 has no moves left. Your rating: 1500 -> 1662 (+162).")
    full.expect("^N rematch").expect("F6 review").keys("review", "enter").expect("Review of Clobber")
    full.expect("Reviewed. Mistakes: White 0, Black 0")
    expect_that("Tab" not in full.screen, f"no way to the next mistake:\n{full.screen}")
    full.keys("q").expect("You win!").keys("escape").expect("Play a bot")


@test
def by_the_server(bench):
    """Where there is no ludus-bot."""
    folder = os.path.join(bench.home.path, "programs")
    os.mkdir(folder)
    program = shutil.copy(os.path.join(BUILD, "ludus"), folder)
    peer = bench.peer("revscreen4")
    match = peer.do("new clobber:2x2 white=me black=me")["match"]
    for move in ("a2a1", "b2b1", "a1b1"):
        peer.do(f"move {match} {move}")
    full = bench.full("--watch", match, program=program, PATH="", columns=40, rows=16)
    full.expect("F6 review").keys("f6").expect("There is no ludus-bot here. The\n  server reviews the match.").expect("Reviewing [")
    full.expect("Reviewed. Mistakes:")


@test
def it_can_be_stopped(bench):
    long = "".join(f"{number}. {white} {black} " for number, (white, black) in
                   enumerate((("a1a4", "h8h5"), ("a4a3", "h5h6")), 1))
    full = review(bench, "--movetime", "600000", text=f'[Game "latrunculi"]\n\n{long}*\n')
    full.expect("Reviewing [").expect("White's chances: ").expect("Esc stop")
    full.keys("escape").expect("Stopped. Mistakes:").keys("escape").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_review_screen", test))
