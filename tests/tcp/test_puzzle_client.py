#!/usr/bin/env python3
"""`ludus puzzle`: what wins is taken, what does not is refuted, and what was solved is kept.

usage: python3 tests/tcp/test_puzzle_client.py BUILD_DIR [TEST...]
"""

import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from stage import Tests, run_tests
from puzzle_files import kept, puzzles
from terminal import expect_in_order, expect_that

test = Tests()
GAMES = ("clobber", "xadrersi", "latrunculi", "shakti")
DAY = 86400


def keep_day(bench, day, streak):
    os.makedirs(os.path.dirname(bench.home.file("puzzles")), mode=0o700, exist_ok=True)
    with open(bench.home.file("puzzles"), "w", encoding="ascii") as file:
        file.write(f"daily {day} {streak}\n")


@test
def solved(bench):
    """The answer is taken, and the next time the next puzzle comes."""
    for game in GAMES:
        first, second = puzzles(game)[:2]
        answer, mover = first[4].split()[0], first[1].split()[1]
        text = bench.piped(("puzzle", game), f"{answer}\nshare\n\nquit\n")
        expect_in_order(text, "puzzle 1 of ", {"w": "White", "b": "Black"}[mover] + f" to move and win in {(int(first[2]) + 1) // 2} moves.",
                        f"Right: {answer} wins, as in {' '.join(first[4].split()[1:])}.", ": solved at the first try\n", "puzzle 2 of ")
        expect_that(kept(bench)[game] == "2", kept(bench))
        text = bench.piped(("puzzle", game.upper()), second[4].split()[0] + "\n")
        expect_in_order(text, "puzzle 2 of ", "Right: ")


@test
def refuted(bench):
    """A wrong move is answered by the reply of the puzzle, on the board, and can be tried again."""
    for game in GAMES:
        number, first = next((i, row) for i, row in enumerate(puzzles(game), 1) if " " in row[5])
        common, other_reply, *_ = first[5].split()
        wrong, reply = other_reply.split(":")
        text = bench.piped(("puzzle", game, str(number)), f"{wrong}\n{first[4].split()[0]}\nshare\n")
        other = {"w": "black", "b": "white"}[first[1].split()[1]]
        claim = {"clobber": "loses", "xadrersi": "does not win"}.get(game, f"does not win in {(int(first[2]) + 1) // 2} moves")
        expect_in_order(text, "Your move", f"{wrong} {claim}: {other} plays {reply}.", "Right: ", "solved after 1 wrong move\n")
        expect_that(text.count("     a b c") >= 3, text)
        expect_that(common != reply, first)


@test
def shown(bench):
    """Whoever asks for the answer has not solved it."""
    first = puzzles("clobber")[0]
    text = bench.piped(("puzzle", "clobber"), f"zz\n?\n{first[4].split()[0]}\nshare\nhelp\nnext\n")
    expect_in_order(text, "'zz' is not a move", f"The line that wins is {first[4]}.", "Right: ", "answer shown\n", "A move, ?", "puzzle 2 of ")
    expect_that("clobber" not in kept(bench), kept(bench))
    expect_in_order(bench.piped(("puzzle", "clobber"), "next\n\nanswer\nquit\n"), "puzzle 1 of ", "puzzle 2 of ", "puzzle 2 of ", "The line that wins")


@test
def chosen(bench):
    count = len(puzzles("shakti"))
    expect_in_order(bench.piped(("puzzle", "shakti", str(count)), "next\n"), f"puzzle {count} of {count}", f"puzzle 1 of {count}")
    expect_in_order(bench.piped(("puzzle",), "4\n"), "  4  Shakti\n", "Which game? [1] ", "Shakti, puzzle 1 of ")
    bench.piped(("puzzle",), "", status=1)
    for words, why in ((("chess",), "puzzle: unknown game 'chess'"), (("shakti", "0"), f"the puzzles of Shakti have numbers from 1 to {count}"),
                       (("shakti", str(count + 1)), "have numbers from 1"), (("shakti", "x"), "have numbers from 1"),
                       (("--daily", "shakti", "3"), "with --daily there is no number"), (("shakti", "1", "2"), "unexpected argument '2'")):
        text = bench.piped(("puzzle", *words), "", status=2)
        expect_that(why in text, (words, text))


def daily_answer(bench, *words):
    """Returns the answer to the puzzle of today, which the program shows to whoever asks."""
    return re.search(r"The line that wins is (\S+)", bench.piped(("puzzle", "--daily", *words), "?\n"))[1]


@test
def daily(bench):
    """The days in a row count, each once; a gap begins anew."""
    if time.time() % DAY > DAY - 120:
        time.sleep(130)  # not over midnight
    today, date = int(time.time()) // DAY, time.strftime("%Y-%m-%d", time.gmtime())
    answer = daily_answer(bench)
    expect_that("daily" not in kept(bench), kept(bench))
    for before, streak in (((0, 0), 1), ((today, "x"), 1), ((today - 1, 4), 5), ((today - 2, 4), 1), ((today, 7), 7)):
        keep_day(bench, *before)
        text = bench.piped(("puzzle", "--daily"), f"{answer}\nshare\n")
        expect_in_order(text, f", puzzle of {date}\n", f" Days in a row: {streak}.\n", f"puzzle of {date}: solved at the first try")
        expect_that((f", {streak} days in a row\n" in text) == (streak > 1), text)
        expect_that(kept(bench) == {"daily": f"{today} {streak}"}, kept(bench))
    for game in GAMES:
        answer = daily_answer(bench, game)
        expect_in_order(bench.piped(("puzzle", "--daily", game), answer + "\nnext\n"), f"puzzle of {date}", "Right", "puzzle 1 of ")


@test
def what_was_shown_of_one_game(bench):
    """It takes the merit of that puzzle of today, later, too, and of no other game's."""
    if time.time() % DAY > DAY - 120:
        time.sleep(130)  # not over midnight
    answers = {game: daily_answer(bench, game) for game in GAMES[:2]}
    for game in GAMES[:2]:
        expect_that("Days in a row" not in bench.piped(("puzzle", "--daily", game), answers[game] + "\n"), game)
    with open(bench.home.file("puzzles"), encoding="ascii") as file:
        of_second = [line for line in file if GAMES[1] not in line]
    with open(bench.home.file("puzzles"), "w", encoding="ascii") as file:
        file.writelines(of_second)  # it was never shown
    expect_in_order(bench.piped(("puzzle", "--daily", GAMES[1]), answers[GAMES[1]] + "\n"), "Right: ", "Days in a row: 1.")
    expect_that("Days in a row" not in bench.piped(("puzzle", "--daily", GAMES[0]), answers[GAMES[0]] + "\n"), "shown, and no merit")


@test
def at_a_terminal(bench):
    """A person is asked for a move after the board, and again after a wrong one."""
    fields = puzzles("shakti")[1]
    wrong, reply = fields[5].split()[1].split(":") if " " in fields[5] else (None, None)
    lines = bench.ludus("puzzle", "shakti", "2").expect("puzzle 2 of ").expect("Your move (? shows the answer): ")
    if wrong is not None:
        lines.line(wrong).expect(f"plays {reply}.").expect("Your move")
    lines.line(fields[4].split()[0]).expect("Right: ").expect("next, share or quit").line("quit").end()


@test
def not_kept(bench):
    """A folder that cannot be written to is said; the puzzle is solved all the same."""
    answer = puzzles("clobber")[0][4].split()[0]
    text = bench.piped(("puzzle", "clobber"), answer + "\n", XDG_STATE_HOME="/dev/null")
    expect_in_order(text, "Right: ", "It cannot be noted: ")


if __name__ == "__main__":
    sys.exit(run_tests("test_puzzle_client", test))
