"""`ludus-bot openings`: what it prints is balanced as it says, and the gauntlet plays it.

usage: test_openings.py BUILD_DIR
"""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder, games_of

BUILD = build_folder()
PROGRAM = os.path.join(BUILD, "ludus-bot")
FOUND = re.compile(r"# value (-?\d+), White has (\d+\.\d) %")
MADE_WITH = {"xadrersi": (2, 60)}  # plies and matches, where they are not the usual ones
QUICK = ["--nodes", "200", "--matches", "10", "--level", "greedy"]


def run(*words, **more):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout, done.stderr


def check_openings(t, game, lines, plies, matches):
    """Each is a comment with a value within bounds, and moves that lead to a position of its own."""
    t.equal(len(lines) % 2, 0, f"{game}: two lines an opening")
    for comment, line in zip(lines[::2], lines[1::2]):
        found = FOUND.fullmatch(comment)
        t.check(found and abs(int(found[1])) <= 150 and 40 <= float(found[2]) <= 60, f"{game}: balanced", comment)
        halves = found and float(found[2]) * matches / 50
        t.check(found and abs(halves - round(halves)) <= matches / 1000, f"{game}: half points of so many matches", comment)
        t.check(line.startswith("startpos moves ") and len(line.split()) == plies + 2, f"{game}: its moves", line)
    t.equal(len(set(lines[1::2])), len(lines) // 2, f"{game}: no two alike")


def made_and_played(t):
    for game, count in (("clobber:6x6", 3), ("xadrersi:touch", 2), ("latrunculi", 2), ("shakti", 2)):
        code, shown, said = run("openings", game, str(count), "--plies", "6", "--seed", "3", *QUICK)
        t.equal((code, said, shown.count("\n")), (0, "", 2 * count), f"{game}: so many")
        check_openings(t, game, shown.splitlines(), 6, 10)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(shown)
            file.flush()
            code, told, said = run("gauntlet", "--game", game, "--openings", file.name, "--nodes", "20", "greedy", "random")
        t.check(code == 0 and f"{2 * count} in {count} pairs" in told and f"{count} openings of " in told, f"{game}: played", told + said)


def those_built_in(t):
    for name, variants in games_of(BUILD).items():
        for variant in variants:
            if variant == "4x5":
                continue  # the search sees who wins
            path = f"common/openings/{name}-{variant}.txt"
            t.check(os.path.exists(path), f"{name}:{variant} has some")
            with open(path, encoding="ascii") as file:
                lines = file.read().splitlines()
            t.check(len(lines) >= 2 * 8, f"{name}:{variant} has eight", len(lines))
            check_openings(t, f"{name}:{variant}", lines, *MADE_WITH.get(name, (4, 100)))
    code, told, said = run("gauntlet", "--game", "shakti", "--openings", "balanced", "--pairs", "3", "--nodes", "20", "greedy", "random")
    t.check(code == 0 and "balanced openings" in told and "6 in 3 pairs" in told, "a gauntlet plays them", told + said)
    code, told, said = run("gauntlet", "--game", "clobber:3x4", "--openings", "balanced", "greedy", "random")
    t.check(code == 2 and "none are known" in said, "a variant without any", said)


def seeds(t):
    words = ("openings", "shakti", *QUICK)
    first = run(*words, "3")
    t.equal(run(*words, "3", "--seed", "1"), first, "the same openings again")
    t.equal(run(*words, "1")[1].splitlines(), first[1].splitlines()[:2], "an opening does not depend on how many follow")
    t.check(run(*words, "1", "--seed", "2")[1] not in first[1], "another seed, other openings")


def bad_usage(t):
    for words, why in (([], "two arguments"), (["clobber"], "two arguments"), (["chess", "1"], "chess"), (["clobber", "0"], "from 1 to 10000"),
                       (["clobber", "1", "--plies", "41"], "--plies"), (["clobber", "1", "--level", "bogus"], "bogus")):
        code, shown, said = run("openings", *words)
        t.check(code == 2 and shown == "" and said.startswith("ludus-bot: ") and why in said, f"{words} is refused", said)
    code, shown, said = run("openings", "clobber:1x4", "1")
    t.check(code == 1 and shown == "" and "only 0 found" in said, "a board that is over by then", said)
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "openings", "shakti", "1", *QUICK], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    t.check(done.returncode == 1 and done.stderr.startswith("ludus-bot: "), "a full disk is said", done.stderr)
    t.check("--matches N" in run("openings", "--help")[1], "help")


if __name__ == "__main__":
    sys.exit(Checks("test_openings").run([made_and_played, those_built_in, seeds, bad_usage]))
