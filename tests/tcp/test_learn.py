#!/usr/bin/env python3
"""Lessons: in full screen by keys and by mouse, from the menu, line by line; and the pictures of the rules pages.

usage: python3 tests/tcp/test_learn.py BUILD_DIR [TEST...]
"""

import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from golden_screen import expect_screen
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, expect_in_order, expect_that

test = Tests()
LESSONS = {"clobber": 6, "xadrersi": 8, "latrunculi": 11, "shakti": 8}
SIZES = ((40, 16), (80, 24), (120, 40))


@test
def every_lesson_shows_a_way(bench):
    """F3 and Enter do what is asked for; Enter goes on, and ends after the last lesson."""
    for game, count in LESSONS.items():
        full = bench.full("learn", game)
        for number in range(1, count + 1):
            full.expect(f"lesson {number} of {count}: ").keys("f3").expect("One way is").keys("enter")
            full.expect("Right. ").keys("enter")
        full.end()


@test
def a_lesson_by_the_cursor(bench):
    full = bench.full("learn", "clobber").expect("lesson 1 of 6: The move (White)")
    full.choose("a1").expect("Choose a white piece").keys(">").expect("lesson 2 of 6")
    full.keys(">", ">").expect("lesson 4 of 6").choose("a1").choose("b1")
    full.expect("a1b1 is legal, but not")
    full.choose("c1").choose("b1").expect("Right. The black stone on d1").keys("f4")
    full.expect_gone("Right. ").keys("<").expect("lesson 3 of 6").control("t").expect("Colours: ")
    full.keys("f1").expect("list the keys")
    expect_that("turn the board" not in full.screen and "PgUp" not in full.screen, full.screen)
    full.keys("escape").expect_gone("Colours: ").keys("escape").end()


@test
def a_lesson_by_typing(bench):
    """As in a match: an illegal move is explained, and Escape drops what is typed."""
    full = bench.full("learn", "clobber").expect("lesson 1 of 6").keys("b2b4", "enter").expect("b4 is off the board.")
    full.keys("foo").expect("> foo").keys("enter").expect("is not a move")
    full.keys("b2").expect("> b2").keys("escape").expect_gone("> b2").keys("b2 c2", "enter").expect("Right. ")
    full.keys("enter").expect("lesson 2 of 6").keys("escape").end()


@test
def every_letter_begins_a_move(bench):
    """None moves the cursor, leaves the lesson or plays on; F1 names none and says what is typed."""
    full = bench.full("learn", "xadrersi").expect("lesson 1 of ").drawn()
    for letter in "hjklqpr":
        full.keys(letter).expect(f"> {letter}").keys("escape").expect_gone(f"> {letter}").expect("lesson 1 of ")
    full.keys("qh9", "enter").expect("h9 is off the board.").keys("f1").expect("list the keys").expect("Esc, Ctrl-D ").expect("Arrows  ")
    full.keys("end").expect("Letters are text here: type a move").keys("escape", "escape").end()


@test
def a_lesson_by_the_mouse(bench):
    full = bench.full("learn", "latrunculi").expect("lesson 1 of 11").click("show me").expect("One way is c1c5")
    full.click("choose").expect("Right. ").click("go on").expect("lesson 2 of 11").click("previous")
    full.expect("lesson 1 of 11").click("back").end()


@test
def lessons_of_the_menu(bench):
    full = bench.full().expect("> Play now").pick("Learn a game").expect("Learn which game?").pick("Shakti")
    full.expect("Shakti, lesson 1 of 8: Jump (White)").keys("f2").expect("The rules of Shakti")
    full.keys("enter").expect("lesson 1 of 8").keys("escape").expect("Learn which game?").keys("escape")
    full.pick("Quit").end()


@test
def lessons_as_drawn(bench):
    for columns, rows in SIZES:
        for kind, environment in (("ascii", {"LC_ALL": "C"}), ("utf8", {})):
            full = bench.full("learn", "latrunculi", columns=columns, rows=rows, **environment)
            full.expect("Between two").keys(">", ">", ">", ">").expect("Flank").drawn()
            expect_screen(full, f"learn-{kind}-{columns}x{rows}")
            full.keys("f2").expect("The rules of Latrunculi XXI").keys("end")
            full.expect("c8, d7 and e8 are").drawn()
            expect_screen(full, f"rules-{kind}-{columns}x{rows}")
            full.keys("enter", "escape").end()


def run(*words, text="", status=0):
    done = subprocess.run([os.path.join(BUILD, "ludus"), "learn", *words], input=text, text=True,
                          capture_output=True, timeout=LIMIT_S)
    expect_that(done.returncode == status, (words, done))
    return done.stdout + done.stderr


@test
def printed_lessons(bench):
    """Without a screen all lessons are printed, with their answers."""
    text = run("latrunculi")
    expect_in_order(text, "Latrunculi XXI, lesson 1 of 11: Between two\n", "  5  . . . s S . . .\n",
                    "Answer: c1c5. It stood between c5 and e5.\n", "  5  . . S . S . . .\n", "lesson 2 of 11",
                    "Nothing is captured", "lesson 11 of 11")
    expect_in_order(run("Clobber:5x6"), "Clobber, lesson 6 of 6: Two fights\n", "Answer: ")
    for game, count in LESSONS.items():
        expect_that(run(game).count("\nAnswer: ") == count, game)
    lines = bench.ludus("learn", "shakti", address=None).expect("lesson 1 of 8").expect("Answer: c4e4").expect("lesson 8 of 8")
    lines.end()


@test
def which_game(bench):
    expect_in_order(run(text="5\n2\n"), "  4  Shakti\n", "Which game? [1] ", "Which game? [1] ",
                    "Xadrersi, lesson 1 of 8: ")
    expect_in_order(run(text="\n"), "Clobber, lesson 1 of 6: ")
    expect_in_order(run(text="latrunculi\n"), "Latrunculi XXI, lesson 1 of 11: ")
    run(text="", status=1)
    expect_that("learn: unknown game 'chess'" in run("chess", status=2), "a game that is not there")


if __name__ == "__main__":
    sys.exit(run_tests("test_learn", test))
