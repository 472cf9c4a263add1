"""`ludus-bot solve`: the winner of a Clobber position."""
import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
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
            (("10/10/10/10/10/10/10/10/10/8pP b",), "black", {"i1j1"})]:
        code, shown, errors = solve(*arguments)
        found = re.fullmatch(r"winner: (white|black)\nmove: (\S+)\nnodes: \d+\n"
                             r"seconds: \d+\.\d\d\n", shown)
        t.equal((code, errors), (0, ""), f"{arguments}")
        if t.check(found, f"{arguments}", shown):
            t.equal(found[1], winner, f"{arguments}")
            t.check(moves is None or found[2] in moves, f"{arguments}", found[2])


def refusals(t):
    argument = "give one argument: clobber:WxH or a quoted position"
    sizes = "write files x ranks, 1x2 to 10x10, or up to 12x5 or 5x12"
    for arguments, code, error in [
            ((), 2, f"solve: {argument}"),
            (("pP", "w"), 2, f"solve: {argument}"),
            (("clobber:0x4",), 2, f"solve: invalid size '0x4' of Clobber: {sizes}"),
            (("clobber:13x3",), 2, f"solve: invalid size '13x3' of Clobber: {sizes}"),
            (("clobber:6x12",), 2, f"solve: invalid size '6x12' of Clobber: {sizes}"),
            (("11/pP9 w",), 2, "solve: invalid run of empty squares: 11"),
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
            (("--file", "/none/here", "clobber"), 1, "--file: /none/here: No such file or directory"),
            (("--file", __file__, "clobber"), 1, f"--file: {__file__}: not a table of this version"),
            (("--threads",), 2, "--threads: value missing: see --help"),
            (("--fast", "clobber"), 2, "--fast: unknown option: see --help"),
            (("clobber:9x7",), 1, "solve: too large: a group of stones does not fit into "
                                  "8x8, 10x6 or 12x5 squares")]:
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


def nodes(shown):
    return int(re.search(r"nodes: (\d+)", shown)[1])


def killed(path):
    """Kills a run once its file holds something of a long proof."""
    process = subprocess.Popen([PROGRAM, "solve", "--memory", "8", "--file", path, "clobber:3x8"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    filled = 0
    while filled < 20000 and process.poll() is None:
        time.sleep(0.01)
        if os.path.exists(path):
            with open(path, "rb") as file:
                filled = len(file.read().replace(b"\0", b""))
    process.kill()
    return process.wait(LIMIT_S)


def resumed(t):
    """What a killed run has proven, the next one knows, with more memory and threads as well."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table")
        t.equal(killed(path), -signal.SIGKILL, "killed")
        whole = nodes(solve("--memory", "8", "clobber:3x8")[1])
        code, shown, errors = solve("--memory", "8", "--file", path, "--progress", "1000", "clobber:3x8")
        t.equal((code, errors), (0, ""), "resumed")
        t.check("winner: black" in shown and nodes(shown) < whole, "less is left", (shown, whole))
        shown = solve("--memory", "16", "--threads", "2", "--file", path, "clobber:3x8")[1]
        t.check("winner: black" in shown and nodes(shown) < 1000, "all is known", shown)
        with open(path, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            t.equal(solve("--file", path, "clobber:1x2"),
                    (1, "", f"ludus-bot: --file: {path}: another process uses it\n"), "in use")
        with open(path, "r+b") as file:
            file.truncate(5000)
        t.equal(solve("--file", path, "clobber:1x2"),
                (1, "", f"ludus-bot: --file: {path}: not a table of this version\n"), "cut short")


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
    sys.exit(Checks("test_solve_program").run([answers, refusals, book, resumed, progress]))
