"""`ludus-bot solve`: the winner of a Clobber position."""
import os
import pty
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(build_folder(), "ludus-bot")


def solve(*arguments):
    done = subprocess.run([PROGRAM, "solve", *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr


def answers(t):
    for arguments, winner, moves in [
            (("clobber:1x2",), "first", {"a1a2", "a2a1"}),
            (("clobber:3x4",), "second", {"-"}),
            (("CLOBBER:3X4", "--threads", "2"), "second", {"-"}),
            (("--memory", "1", "clobber:3x5"), "first", None),
            (("pPpP w",), "first", {"b1c1"}),
            (("pp1 b",), "second", {"-"}),
            (("10/10/10/10/10/10/10/10/10/8pP b",), "first", {"i1j1"})]:
        code, shown, errors = solve(*arguments)
        found = re.fullmatch(r"winner: (first|second)\nmove: (\S+)\nnodes: \d+\n"
                             r"seconds: \d+\.\d\d\n", shown)
        t.equal((code, errors), (0, ""), f"{arguments}")
        if t.check(found, f"{arguments}", shown):
            t.equal(found[1], winner, f"{arguments}")
            t.check(moves is None or found[2] in moves, f"{arguments}", found[2])


def refusals(t):
    argument = "give one argument: clobber:WxH or a quoted position"
    for arguments, code, error in [
            ((), 2, f"solve: {argument}"),
            (("pP", "w"), 2, f"solve: {argument}"),
            (("clobber:0x4",), 2, "solve: invalid size '0x4' of Clobber: write files x ranks, "
                                  "1x2 to 10x10"),
            (("shakti",), 2, "solve: only Clobber can be solved, not Shakti"),
            (("pX w",), 2, "solve: unknown piece 'X'"),
            (("--memory", "0", "clobber"), 2, "--memory: invalid value '0': write a number from 1 to 1048576"),
            (("--threads", "3", "clobber"), 2, "--threads: invalid value '3': write a number from 1 to 2"),
            (("--effort", "61", "clobber"), 2, "--effort: invalid value '61': write a number from 0 to 60"),
            (("--book", "none", "clobber:6x7"), 2, "--book: the board has more than 40 squares"),
            (("--book", "/none/here", "clobber:1x2"), 1, "/none/here: No such file or directory"),
            (("--threads",), 2, "--threads: value missing: see --help"),
            (("--fast", "clobber"), 2, "--fast: unknown option: see --help"),
            (("clobber:9x7",), 1, "solve: too large: a group of stones does not fit into "
                                  "8x8 or 10x6 squares")]:
        t.equal(solve(*arguments), (code, "", f"ludus-bot: {error}\n"), f"{arguments}")
    code, shown, errors = solve("--help")
    t.check(code == 0 and shown.startswith("Usage: ludus-bot solve") and errors == "", "--help",
            shown)


def book(t):
    """The proof of a board: the second player wins 3x4, so the start is in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "book")
        counts = []
        for effort in ("0", "60"):
            code, _, errors = solve("--book", path, "--effort", effort, "clobber:3x4")
            t.equal((code, errors), (0, ""), f"--effort {effort}")
            with open(path) as file:
                lines = file.read().splitlines()
            t.equal(lines[:1], ["PpP/pPp/PpP/pPp w"], "the start")
            t.check(all(re.fullmatch(r"[pP1-3/]+ w", line) for line in lines), "positions", lines)
            counts.append(len(lines))
    t.check(counts[0] > 10 and counts[1] == 1, "more effort leaves less", counts)


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
    sys.exit(Checks("test_solve_program").run([answers, refusals, book, progress]))
