"""`ludus-bot review`: what it prints about a match, what it refuses, and when it ends."""
import json
import os
import select
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(build_folder(), "ludus-bot")
# White and black give the win away in turn.
SEE_SAW = """[Game "clobber"]
[Variant "3x4"]

1. c2c3 b2b3 2. a2a1 b3c3 3. a4a3 c3c4 4. b1c1 1-0
"""


def review(text, *arguments):
    done = subprocess.run([PROGRAM, "review", *arguments], input=text, capture_output=True, text=True,
                          timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr


def lines(t):
    for threads in ("1", "3"):
        code, shown, errors = review(SEE_SAW, "--movetime", "5000", "--threads", threads)
        t.equal((code, errors), (0, ""), f"{threads} threads")
        rows = [json.loads(line) for line in shown.splitlines()]
        t.equal(rows.pop(), {"done": True}, "the last line")
        last = {row["ply"]: row for row in rows}
        t.equal(sorted(last), list(range(8)), "the plies")
        t.check(all(row["deep"] and row["exact"] for row in last.values()), "all is proven", shown)
        t.equal([last[ply]["mark"] for ply in range(8)], ["", "??", "", "", "??", "??", "", ""], "the marks")
        t.equal([ply for ply in last if last[ply].get("last_win")], [5], "the last win")
        t.equal(last[5]["best"], "c1b1", "the better move")
        t.equal(last[5]["pv"][0], "c1b1", "its line")
        t.equal((last[7]["move"], last[7]["best"], last[7]["eval_cp"]), (None, None, 30000), "the end")


def first_look(t):
    """Each position is looked at before any is judged in depth; nobody reads on, and it ends."""
    with subprocess.Popen([PROGRAM, "review", "--movetime", "600000", "--threads", "2"], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write('[Game "latrunculi"]\n\n1. a1a4 h8h5 2. a4a3 h5h6 *\n')
        child.stdin.close()
        seen = set()
        while len(seen) < 5 and select.select([child.stdout], [], [], LIMIT_S)[0]:
            row = json.loads(child.stdout.readline())
            t.check(not row["deep"], "a first look", row)
            seen.add(row["ply"])
        t.equal(seen, set(range(5)), "the plies of the first look")
        child.stdout.close()
        t.equal(child.wait(LIMIT_S), 1, "its end when nobody reads")


def refusals(t):
    for text, arguments, code, error in [
            ("", (), 1, "review: line 1: no match found"),
            ('[Game "clobber"]\n\n1. a1a2 *\n', (), 1,
             "review: move 1. a1a2 (ply 1): the stone on a1 is not yours: white moves"),
            (SEE_SAW, ("x",), 2, "x: review takes no arguments"),
            (SEE_SAW, ("--movetime", "0"), 2,
             "--movetime: invalid value '0': write a number from 1 to 600000"),
            (SEE_SAW, ("--threads", "17"), 2, "--threads: invalid value '17': write a number from 1 to 16")]:
        t.equal(review(text, *arguments), (code, "", f"ludus-bot: {error}\n"), f"{arguments}")


if __name__ == "__main__":
    sys.exit(Checks("test_review_program").run([lines, first_look, refusals]))
