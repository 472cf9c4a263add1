"""`ludus-bot puzzles`: what it prints is true by another proof, and the same seed gives the same puzzles.

usage: test_puzzles.py BUILD_DIR
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

BUILD = build_folder()
PROGRAM, CHECK = os.path.join(BUILD, "ludus-bot"), os.path.join(BUILD, "tools", "check_puzzles")
if not os.path.exists(CHECK):
    subprocess.run(["make", "-s", f"BUILD={BUILD}", CHECK], check=True)


def puzzles(*words, **more):
    done = subprocess.run([PROGRAM, "puzzles", *words], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout, done.stderr


def proved_again(t):
    for game, count in (("clobber:4x5", 2), ("xadrersi:touch", 1), ("xadrersi:attack", 1), ("latrunculi", 1), ("shakti", 2)):
        code, shown, said = puzzles(game, str(count), "--seed", "7")
        t.equal((code, said, shown.count("\n")), (0, "", count), f"{game}: a line a puzzle")
        for line in shown.splitlines():
            fields = line.split("; ")
            t.check(len(fields) == 6 and fields[0].startswith(game), f"{game}: its fields", line)
            t.equal(len(fields[4].split()), int(fields[2]), f"{game}: a line to the end")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(shown)
            file.flush()
            done = subprocess.run([CHECK, file.name], capture_output=True, text=True, timeout=LIMIT_S)
            t.check(done.returncode == 0 and f"{count} puzzles, 0 wrong" in done.stdout, f"{game}: proved again", done.stdout)


def seeds(t):
    first = puzzles("shakti", "2")
    t.equal(puzzles("shakti", "2", "--seed", "1"), first, "the same puzzles again")
    t.equal(puzzles("shakti", "1")[1], first[1].splitlines(True)[0], "a puzzle does not depend on how many follow")
    t.check(puzzles("shakti", "1", "--seed", "2")[1] not in first[1], "another seed, other puzzles")


def bad_usage(t):
    for words, why in (([], "two arguments"), (["clobber"], "two arguments"), (["chess", "1"], "chess"), (["clobber", "0"], "from 1 to 100000"),
                       (["clobber", "1", "--seed", "x"], "--seed")):
        code, shown, said = puzzles(*words)
        t.check(code == 2 and shown == "" and said.startswith("ludus-bot: ") and why in said, f"{words} is refused", said)
    code, shown, said = puzzles("clobber:1x4", "1")
    t.check(code == 1 and shown == "" and "only 0 found" in said, "a board without puzzles", said)
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "puzzles", "shakti", "50"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    t.check(done.returncode == 1 and done.stderr.startswith("ludus-bot: "), "a full disk is said", done.stderr)
    t.check("--seed N" in puzzles("--help")[1], "help")


if __name__ == "__main__":
    sys.exit(Checks("test_puzzles").run([proved_again, seeds, bad_usage]))
