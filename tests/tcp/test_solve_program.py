"""`ludus-bot solve`: the winner of a Clobber position."""
import json
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(build_folder(), "ludus-bot")


def solve(*arguments):
    done = subprocess.run([PROGRAM, "solve", *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr


def answers(t):
    for arguments, winner, moves in [
            (("clobber:1x2",), "white", {"a1a2", "a2a1"}),
            (("clobber:3x4",), "black", {"-"}),
            (("CLOBBER:3X4", "--threads", "2"), "black", {"-"}),
            (("--memory", "1", "clobber:3x5"), "white", None),
            (("clobber:12x2",), "black", {"-"}),
            (("clobber:1x11",), "white", None),
            (("pPpP w",), "white", {"b1c1"}),
            (("pp1 b",), "white", {"-"}),
            (("clobber:2x14",), "white", None),
            (("18pP/20/20 b",), "black", {"s3t3"}),
            (("p/P/" + "/".join(["1"] * 18) + " w",), "white", {"a19a20"}),
            (("10/10/10/10/10/10/10/10/10/8pP b",), "black", {"i1j1"})]:
        code, shown, errors = solve(*arguments)
        found = re.fullmatch(r"winner: (white|black)\nmove: (\S+)\nnodes: \d+\n"
                             r"seconds: \d+\.\d\d\nmover: (wins|loses)\n", shown)
        t.equal((code, errors), (0, ""), f"{arguments}")
        if t.check(found, f"{arguments}", shown):
            t.equal(found[1], winner, f"{arguments}")
            t.check(moves is None or found[2] in moves, f"{arguments}", found[2])
            t.equal(found[3], "loses" if found[2] == "-" else "wins", f"{arguments}")


def exact(t):
    """The class of a position, and every winning move."""
    for arguments, shown in [
            (("--outcome", "clobber:3x4"), "P\n"),
            (("--outcome", "clobber:4x4"), "N\n"),
            (("--outcome", "Pp/1p/1P b"), "P\n"),
            (("--outcome", "pPP w"), "L\n"),
            (("--outcome", "1pp/Ppp w"), "R\n"),
            (("--all", "clobber:3x4"), "-\n"),
            (("--all", "pPpP w"), "b1c1\nd1c1\n"),
            (("--all", "clobber:1x2"), "a2a1\n"),
            (("--outcome", "--all", "pPpP b"), "N\na1b1\nc1b1\n"),
            (("--outcome", "--all", "2/PP w"), "P\n-\n")]:
        t.equal(solve(*arguments), (0, shown, ""), f"{arguments}")
    code, shown, errors = solve("--json", "pPpP w")
    found = json.loads(shown)
    t.check(found.pop("nodes") >= 0 and found.pop("seconds") >= 0, "--json", shown)
    t.equal((code, found, errors), (0, {"position": "pPpP w", "outcome": "N", "winner": "white", "mover": "wins",
                                        "moves": ["b1c1", "d1c1"]}, ""), "--json")
    for text in ("6/PpPpPp/pPpPpP/PpPpPp/pPpPpP b", "PpPpPpPpPp/pPpPpPpPpP b", "pP4/Pp4/6/PpPpPp/pPpPpP/3PpP w", "1pPpP/PpPpP/pP1Pp/PpPpP/pPpPp w"):
        found = json.loads(solve("--json", text)[1])
        t.check(found["outcome"] in "NPLR" and found["seconds"] < LIMIT_S, text, found)
        first = "w" if text.endswith("w") else "b"
        t.equal(bool(found["moves"]), found["winner"][0] == first, text)


def refusals(t):
    argument = "give one argument: clobber:WxH or a quoted position"
    sizes = "write files x ranks, 1x2 to 10x10, or at most 20 of each and 64 squares"
    for arguments, code, error in [
            ((), 2, f"solve: {argument}"),
            (("pP", "w"), 2, f"solve: {argument}"),
            (("clobber:0x4",), 2, f"solve: invalid size '0x4' of Clobber: {sizes}"),
            (("clobber:21x3",), 2, f"solve: invalid size '21x3' of Clobber: {sizes}"),
            (("clobber:6x12",), 2, f"solve: invalid size '6x12' of Clobber: {sizes}"),
            (("P w",), 2, f"solve: invalid size '1x1' of Clobber: {sizes}"),
            (("11/pP9/11/11/11/11 w",), 2, f"solve: invalid size '11x6' of Clobber: {sizes}"),
            (("20/20/20/20/20/20 w",), 2, "solve: the board has more than 100 squares"),
            (("21 w",), 2, "solve: invalid run of empty squares: 21"),
            (("20pP w",), 2, "solve: the rank 20pP is too long"),
            (("/".join(["1"] * 21) + " w",), 2, "solve: the board has more than 20 ranks"),
            (("shakti",), 2, "solve: only Clobber can be solved, not Shakti"),
            (("pX w",), 2, "solve: unknown piece 'X'"),
            (("--memory", "0", "clobber"), 2, "--memory: invalid value '0': write a number from 1 to 1048576"),
            (("--threads", "3", "clobber"), 2, "--threads: invalid value '3': write a number from 1 to 2"),
            (("--openings", "9", "clobber"), 2, "--openings: invalid value '9': write a number from 0 to 8"),
            (("--effort", "61", "clobber"), 2, "--effort: invalid value '61': write a number from 0 to 60"),
            (("--book", "none", "clobber:6x7"), 2, "--book: the board has more than 40 squares"),
            (("--book", "/none/here", "clobber:1x2"), 1, "/none/here: No such file or directory"),
            (("--progress", "x", "clobber"), 2,
             "--progress: invalid value 'x': write a number from 0 to 86400"),
            (("--threads",), 2, "--threads: value missing: N"),
            (("--fast", "clobber"), 2, "--fast: unknown option: see --help"),
            (("clobber:9x8",), 1, "solve: too large: no box of 64 squares or fewer takes every group of stones")]:
        t.equal(solve(*arguments), (code, "", f"ludus-bot: {error}\n"), f"{arguments}")
    code, shown, errors = solve("--help")
    t.check(code == 0 and shown.startswith("Usage: ludus-bot solve") and errors == "", "--help",
            shown)


def book(t):
    """The proof of a board that the second player wins: the start is in it."""
    for board, start, effort in [("3x4", "PpP/pPp/PpP/pPp w", "0"),
                                 ("12x2", "PpPpPpPpPpPp/pPpPpPpPpPpP w", "8")]:
        counts = [len(book_of(t, board, start, some)) for some in (effort, "60")]
        t.check(counts[0] > 10 and counts[1] == 1, f"{board}: more effort leaves less", counts)


def book_of(t, board, start, effort):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "book")
        code, _, errors = solve("--book", path, "--effort", effort, f"clobber:{board}")
        t.equal((code, errors), (0, ""), f"{board} --effort {effort}")
        with open(path) as file:
            lines = file.read().splitlines()
    t.equal(lines[:1], [start], f"{board}: the start")
    t.check(all(re.fullmatch(r"[pP1-9/]+ w", line) for line in lines), f"{board}: positions", lines)
    return lines


def after_first_move(width, height):
    """The start of a board after a move of White, as the text of a position."""
    ranks = [["Pp"[(file + rank) % 2 == 0] for file in range(width)] for rank in range(height)]
    ranks[0][0], ranks[0][1] = "P", "1"
    return "/".join("".join(rank) for rank in reversed(ranks)) + " b"


def check(program, board, path, *options):
    done = subprocess.run([program, path, *board.split("x"), *options], capture_output=True, text=True,
                          timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr


def certificates(t):
    """The checker solves every leaf: it notices each certificate that is false, be it in one position."""
    false = "check_proof: the proof is false: a leaf is lost for the side that was to win\n"
    with tempfile.TemporaryDirectory() as folder:
        program, path, state = (os.path.join(folder, name) for name in ("check_proof", "proof", "state"))
        source = os.path.join(os.path.dirname(__file__), "../tools/check_proof.c")
        subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-std=c11", "-D_GNU_SOURCE", "-O2", "-o", program, source],
                       check=True)
        for board in ("3x8", "4x5", "2x14", "13x2", "5x5"):
            t.equal(solve("--book", path, "--effort", "6", f"clobber:{board}")[0], 0, board)
            code, shown, errors = check(program, board, path)
            t.check(code == 0 and errors == "" and shown.endswith("\nproven: every leaf is won\n"), board,
                    (shown, errors))

        solve("--book", path, "--effort", "2", "pPp/PpP/pPp/PpP/pPp b")
        code, shown, errors = check(program, "3x5", path, "--first", "black")
        t.check("to be shown: black, moving first, wins\n" in shown and shown.endswith("\nproven: every leaf is won\n"), "black first",
                (shown, errors))
        t.equal(check(program, "3x5", path)[2], "check_proof: neither the start nor a position after a first move is in the proof\n",
                "black first, but for white")

        solve("--book", path, "clobber:3x8")
        leaves = int(re.search(r"leaves: (\d+)\n", check(program, "3x8", path)[1])[1])
        shown = check(program, "3x8", path, "--sample", "5")[1]
        t.check("a glance: " in shown and "proven: " not in shown, "--sample", shown)
        t.check(f"leaves solved: {leaves}\n" in check(program, "3x8", path, "--resume", state)[1], "whole", leaves)
        with open(state) as file:
            words = file.read().split()
        with open(state, "w") as file:
            file.write(f"leaves {words[1]} solved {leaves - 7}\n")
        t.check("leaves solved: 7\n" in check(program, "3x8", path, "--resume", state)[1], "resumed", state)

        with open(path, "a") as file:
            file.write(after_first_move(3, 8) + "\n")
        code, shown, errors = check(program, "3x8", path)
        t.equal((code, errors), (1, false), "one position is false")
        t.equal(check(program, "3x8", path, "--resume", state)[2],
                "check_proof: the state is that of another proof\n", "another state")
        with open(path, "w") as file:
            file.write(after_first_move(3, 8) + "\n")
        code, shown, errors = check(program, "3x8", path)
        t.check("to be shown: white, moving first, wins" in shown, "White wins 3x8", shown)
        t.equal((code, errors), (1, false), "White wins 3x8")


def progress(t):
    """On a terminal it shows its progress, here on a board too large to solve."""
    outer, inner = pty.openpty()
    process = subprocess.Popen([PROGRAM, "solve", "--memory", "16", "clobber:8x8"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=inner)
    os.close(inner)
    text = ""
    while not text.endswith(" s "):
        text += os.read(outer, 100).decode()
    process.terminate()
    process.wait(LIMIT_S)
    os.close(outer)
    t.check(re.search(r"\r0 of \d+ moves tried, \d+\.\d million nodes, \d+ s $", text), "progress",
            text)


if __name__ == "__main__":
    sys.exit(Checks("test_solve_program").run([answers, exact, refusals, book, certificates, progress]))
