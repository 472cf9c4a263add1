"""`ludus-bot review`: what it prints about a match, what it refuses, and when it ends."""
import json
import os
import random
import select
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
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


def words(t):
    """The words say what the members of the objects say, in the same order of lines."""
    arguments = ("--movetime", "5000", "--threads", "1")
    code, shown, errors = review(SEE_SAW, *arguments, "--words")
    t.equal((code, errors, shown.splitlines()[-1:]), (0, "", ["done"]), "words")
    rows = {}
    for line in shown.splitlines()[:-1]:
        ply, move, value, chance, loss, mark, exact, deep, last, *line = line.split(" ")
        row = rows[int(ply)] = {
            "ply": int(ply), "move": None if move == "-" else move, "eval_cp": int(value), "chance": int(chance),
            "best": line[0] if line else None, "pv": line, "loss_cp": int(loss), "mark": "" if mark == "-" else mark,
            "exact": exact == "exact", "deep": deep == "deep"}
        if last == "last":
            row["last_win"] = True
    t.check(any(len(row["pv"]) > 1 for row in rows.values()), "a line of several moves", shown)
    objects = [json.loads(line) for line in review(SEE_SAW, *arguments)[1].splitlines()[:-1]]
    why = {row["ply"]: row.pop("why", None) for row in objects}
    t.equal(rows, {row["ply"]: row for row in objects}, "the same as JSON")
    t.equal((why[1], why[7]), ("keeps the last move", None), "only people are told why")


def played(game, seed, plies):
    """A match of moves by chance that is not over, as PGN."""
    moves, chance = [], random.Random(seed)
    while len(moves) < plies:
        given = f"setoption name Game value {game}\nposition startpos moves {' '.join(moves)}\ngo perft 1\nquit\n"
        given = given.replace(" moves \n", "\n")
        shown = subprocess.run([PROGRAM, "ugi"], input=given, capture_output=True, text=True, timeout=LIMIT_S).stdout
        legal = [line.split(":")[0] for line in shown.splitlines() if not line.startswith("nodes:")]
        if not legal:
            break
        moves.append(chance.choice(legal))
    del moves[-1:]  # the last one may have ended it
    name, _, variant = game.partition(":")
    head = f'[Game "{name}"]\n' + (f'[Variant "{variant}"]\n' if variant else "")
    return head + "\n" + " ".join(f"{i // 2 + 1}. {move}" if i % 2 == 0 else move for i, move in enumerate(moves)) + " *\n"


def the_same_again(t):
    """What a review finds depends on the match and the nodes, not on threads, their luck and other work."""
    for seed, game in enumerate(["clobber:4x5", "clobber:5x6", "xadrersi", "latrunculi", "shakti"]):
        text = played(game, seed, 24)
        found = []
        for threads in ("1", "2", "5", "2"):
            code, shown, errors = review(text, "--nodes", "4000", "--threads", threads)
            rows = [json.loads(line) for line in shown.splitlines()]
            t.equal((code, errors, rows.pop()), (0, "", {"done": True}), f"{game}, {threads} threads")
            found.append({row["ply"]: row for row in rows})
        t.check(all(row["deep"] for row in found[0].values()), f"{game}: all plies are judged")
        t.equal([again == found[0] for again in found], [True] * 4, f"{game}: with any number of threads")


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
    sys.exit(Checks("test_review_program").run([lines, words, the_same_again, first_look, refusals]))
