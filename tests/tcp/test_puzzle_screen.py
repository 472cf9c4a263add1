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
from harness import Server, build_folder
from stage import Tests, run_tests
from puzzle_files import kept, puzzles
from terminal import expect_that

test = Tests()
TITLES = {"clobber": "Clobber", "xadrersi": "Xadrersi", "latrunculi": "Latrunculi", "shakti": "Shakti"}
DAY = 86400
SIZES = ((40, 16), (80, 24))


def puzzle(bench, row, *arguments, **environment):
    """Opens the list by its letter, and chooses a row."""
    return bench.full(*arguments, **environment).expect("> Play now").keys("z").expect("One move wins: find it").pick(row)


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
        full = puzzle(bench, title).expect("puzzle 1 of ").expect("to move and win in").keys("f3")
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
def what_was_shown_is_no_merit_later(bench):
    text = bench.piped(("puzzle", "--daily"), "?\n")
    answer = re.search(r"The line that wins is (\S+)", text)[1]
    full = puzzle(bench, "Today: ")
    full.keys(answer, "enter").expect("Right: ").expect("answer shown")
    full.keys("escape").expect("One move wins")
    expect_that("(solved" not in full.screen, full.screen)
    full.keys("escape").expect("Puzzles (today's: new)").pick("Quit").end()
    expect_that("daily" not in kept(bench), kept(bench))


@test
def rated(bench):
    """Who has a name is rated by the server, at the first attempt only."""
    fields = puzzles("latrunculi")[0]
    full = puzzle(bench, "Latrunculi", "--name", "solver-1").expect("The puzzle is rated 1").expect("1500. Your first move")
    play(full, fields[1], fields[5].split()[1].split(":")[0]).expect("(-").keys("enter")
    play(full, fields[1], fields[4].split()[0]).expect("Right: ").expect("1 wrong").expect_gone("(-")
    full.keys("<", ">").expect("tried it before").keys("f3").expect("The line that wins").expect_gone("(-")
    full.keys("escape").expect("One move wins").keys("escape").pick("Quit").end()


def number_in_storm(screen):
    found = re.search(r"Puzzle (\d+)\.", screen)
    return int(found[1]) if found else 0


def of_storm(full, peer):
    """Returns the fields of the puzzle of Clobber that a storm shows, and a wrong move."""
    number = number_in_storm(full.until(number_in_storm, "a puzzle").screen)
    fields = puzzles("clobber")[number - 1]
    return fields, next(move for move in peer.ask(f"puzzle clobber {number}")["legal"] if move != fields[4].split()[0])


def play_in_storm(full, fields, move):
    """Plays a move, and waits for what comes behind it."""
    number = puzzles("clobber").index(fields) + 1
    return play(full, fields[1], move).until(lambda screen: "Time is up" in screen or number_in_storm(screen) not in (0, number), "the next puzzle")


def seconds_left(full):
    minutes, seconds = re.search(r"solved, (\d):(\d\d) left", full.screen).groups()
    return 60 * int(minutes) + int(seconds)


@test
def storm(bench):
    """Puzzle after puzzle: what is right counts, what is wrong costs ten seconds and shows the answer; the best of storms that end is kept."""
    peer = bench.peer(None)
    full = puzzle(bench, "Storm of Clobber").expect("Storm of Clobber: 0 solved, 2:5")
    fields, wrong = of_storm(full, peer)
    play_in_storm(full, fields, fields[4].split()[0]).expect("1 solved").expect("Right.")
    missed = 0
    while "Time is up" not in full.screen:
        left = seconds_left(full)
        fields, wrong = of_storm(full, peer)
        play_in_storm(full, fields, wrong)
        missed += 1
        if missed == 1:
            full.expect("Wrong: 1.").expect(f"{fields[4].split()[0]} does:")
            expect_that(left - seconds_left(full) >= 10, (left, full.screen))
    full.expect("Time is up: 1 solved").expect("best so far.").keys("enter").expect("0:00 left").keys("f4").expect("0 solved, 2:5")
    full.keys("escape").expect("(your best: 1)").keys("escape").pick("Quit").end()
    expect_that(kept(bench) == {"storm-clobber": "1"}, kept(bench))


@test
def as_drawn(bench):
    wrong, reply = puzzles("latrunculi")[0][5].split()[1].split(":")
    server = Server(build_folder(), "--no-bots")  # where nobody else has tried it
    bench.servers.append(server)
    for columns, rows in SIZES:
        for kind, environment in (("ascii", {"LC_ALL": "C"}), ("utf8", {})):
            full = puzzle(bench, "Latrunculi", "--name", f"drawn-{kind}-{columns}", columns=columns, rows=rows, address=server.address, **environment).expect("1 of 529").drawn()
            expect_screen(full, f"puzzle-{kind}-{columns}x{rows}")
            play(full, puzzles("latrunculi")[0][1], wrong).expect(f"{reply}.")
            expect_screen(full, f"puzzle-refuted-{kind}-{columns}x{rows}")
            full.keys("escape", "escape").pick("Quit").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_puzzle_screen", test))
