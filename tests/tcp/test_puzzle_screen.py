#!/usr/bin/env python3
"""Puzzles in full screen: from the menu, by keys; what wins is played on to the end, what does not is refuted.

usage: python3 tests/tcp/test_puzzle_screen.py BUILD_DIR [TEST...]
"""

import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from golden_screen import expect_screen
from stage import Tests, run_tests
from puzzle_files import kept, puzzles
from terminal import expect_that

test = Tests()
TITLES = {"clobber": "Clobber", "xadrersi": "Xadrersi", "latrunculi": "Latrunculi", "shakti": "Shakti"}
DAY = 86400
SIZES = ((40, 16), (80, 24))


def puzzle(bench, row, **environment):
    """Opens the list by its letter, and chooses a row."""
    return bench.full(**environment).expect("> Play now").keys("z").expect("One move wins: find it").pick(row)


def play(full, position, move):
    """Plays a move by the cursor; the side to move sits at the bottom."""
    ranks = re.sub(r"\d+", lambda run: "." * int(run[0]), re.split(r"[ \[]", position)[0]).split("/")
    width, height, black = len(ranks[0]), len(ranks), position.split()[1] == "b"
    if "@" in move:
        full.until(lambda screen: re.search(r"placing (.)\)", screen), "nothing to place")
        for _ in range(6):
            shown = re.search(r"placing (.)\)", full.drawn().screen)[1]
            if shown == move[0]:
                break
            full.keys("tab").expect_gone(f"placing {shown})")
    for file, rank in re.findall(r"([a-j])(\d+)", move):
        right, up = ord(file) - ord("a"), int(rank) - 1
        if black:
            right, up = width - 1 - right, height - 1 - up
        full.keys(*["left"] * 10, *["down"] * 10, *["right"] * right, *["up"] * up, "enter")
    return full


@test
def the_answer_shown(bench):
    """F3 plays the line that wins to its end, in every game; that is no merit, and the next puzzle comes."""
    for game, title in TITLES.items():
        line = puzzles(game)[0][4].split()
        full = puzzle(bench, title).expect("puzzle 1 of ").expect("to move: one move wins").keys("f3")
        full.expect("The line that wins is").expect(line[0]).expect("shown").keys("enter").expect("puzzle 2 of ")
        full.keys("<").expect("puzzle 1 of ").keys("escape").expect("One move wins").keys("escape").pick("Quit").end()
    expect_that(kept(bench) == {}, kept(bench))


@test
def refuted_and_solved(bench):
    """A wrong move is answered on the board and taken back; the right one goes on until the win, and is kept."""
    for game, title in TITLES.items():
        fields = puzzles(game)[0]
        line, wrong = fields[4].split(), fields[5].split()[1].split(":")
        full = play(puzzle(bench, title).expect("puzzle 1 of "), fields[1], wrong[0]).expect(f"{wrong[0]} ").expect(f"{wrong[1]}.").keys("enter").expect_gone(f"{wrong[1]}.")
        play(full, fields[1], line[0]).expect(f"Right: {line[0]} ").expect("1 wrong").keys("enter").expect("puzzle 2 of ")
        full.keys("escape").expect(f"{title}").expect("puzzle 2 of").keys("escape").pick("Quit").end()
    expect_that(kept(bench) == dict.fromkeys(TITLES, "2"), kept(bench))


@test
def played_to_the_end(bench):
    """A capture a ply: the board has lost as many stones as the line is long."""
    fields = puzzles("clobber")[0]
    stones = sum(letter in "Pp" for letter in fields[1].split(" ")[0])
    full = puzzle(bench, "Clobber", columns=40, rows=16, LC_ALL="C").expect("1 of 520 (Black)")

    def left(screen):
        board = "".join(re.findall(r"^ {1,3}\d ([^\n]*)", screen, re.M))
        return sum(letter in "Pp" for letter in board)

    full.until(lambda screen: left(screen) == stones, f"{stones} stones at first")
    play(full, fields[1], fields[4].split()[0]).until(lambda screen: left(screen) == stones - int(fields[2]), f"{fields[2]} captures")
    full.keys("f4").until(lambda screen: left(screen) == stones, "all are back").keys("escape", "escape").pick("Quit").end()


@test
def today(bench):
    """The puzzle of today comes first, and counts the days in a row."""
    if time.time() % DAY > DAY - 120:
        time.sleep(130)  # not over midnight
    day, date = int(time.time()) // DAY, time.strftime("%Y-%m-%d", time.gmtime())
    text = bench.piped(("puzzle", "--daily"), "?\n")
    game = next(game for game, title in TITLES.items() if text.startswith(title))
    line = re.search(r"The line that wins is (.*)\.", text)[1]
    fields = next(row for row in puzzles(game) if row[4] == line)
    os.makedirs(os.path.dirname(bench.home.file("puzzles")), mode=0o700, exist_ok=True)
    with open(bench.home.file("puzzles"), "w", encoding="ascii") as file:
        file.write(f"daily {day - 1} 4\n")
    full = play(puzzle(bench, "Today: ").expect(f"puzzle of {date}"), fields[1], line.split()[0]).expect("Right: ")
    full.expect("row: 5.").expect("5 days").keys("escape").expect("(solved, days in a row: 5)").keys("escape").pick("Quit").end()
    expect_that(kept(bench)["daily"] == f"{day} 5", kept(bench))


@test
def as_drawn(bench):
    wrong, reply = puzzles("latrunculi")[0][5].split()[1].split(":")
    for columns, rows in SIZES:
        for kind, environment in (("ascii", {"LC_ALL": "C"}), ("utf8", {})):
            full = puzzle(bench, "Latrunculi", columns=columns, rows=rows, **environment).expect("1 of 529").drawn()
            expect_screen(full, f"puzzle-{kind}-{columns}x{rows}")
            play(full, puzzles("latrunculi")[0][1], wrong).expect(f"{reply}.")
            expect_screen(full, f"puzzle-refuted-{kind}-{columns}x{rows}")
            full.keys("escape", "escape").pick("Quit").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_puzzle_screen", test))
