"""`ludus-bot check`: good engines pass, and each fault of a bad one is found by the check that is for it.

usage: test_check.py BUILD_DIR
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(os.path.abspath(build_folder()), "ludus-bot")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GTP = os.path.join(ROOT, "client", "examples", "gtp_clobber.py")

# An engine around ours: argv[1] is its fault.
FAULTY = f"""
import os, signal, subprocess, sys, time
fault = sys.argv[1]
engine = subprocess.Popen([{PROGRAM!r}, "ugi", "--level", "greedy"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
def say(line):
    print(line, flush=True)
def ask(line, end):
    engine.stdin.write(line + "\\n")
    for answer in iter(engine.stdout.readline, ""):
        if answer.startswith(end):
            return answer.rstrip("\\n")
        if not answer.startswith("info string error"):
            say(answer.rstrip("\\n"))
infinite = False
for line in map(str.rstrip, open(0, encoding="utf-8", errors="replace")):
    if line == "quit":
        if fault == "crash": os.kill(os.getpid(), signal.SIGSEGV)
        if fault == "hang": time.sleep(1000)
        sys.exit(3 if fault == "status" else 0)
    elif line == "ugi":
        if fault == "option": say("option name Depth type spin default 9 min 1 max 5")
        say(ask(line, "ugiok"))
    elif line == "go infinite":
        infinite = fault != "early"
        say(ask("go depth 1", "bestmove")) if not infinite else engine.stdin.write(line + "\\n")
    elif line == "stop":
        best = ask(line, "bestmove") if infinite else None
        if best and fault != "deaf": say(best)
        if fault == "twice": say("bestmove a1a2")
        infinite = False
    elif line == "isready":
        if not (infinite and fault == "busy"): say("readyok")
    elif line.startswith("go"):
        best = ask("go depth 1", "bestmove")
        if fault == "slow" and "500" in line: time.sleep(7)
        say("bestmove a1a1" if fault == "illegal" and "time" in line else best)
    elif line.startswith("query"):
        if fault != "mute": say(ask(line, "response"))
    elif line == "xyzzy" and fault == "nervous":
        sys.exit(1)
    elif line.startswith(("position", "setoption name Game", "uginewgame")):
        engine.stdin.write(line + "\\n")
sys.exit(1 if fault == "end" else 0)
"""


def check(*words):
    """The exit status, the names of checks that are good and bad, and standard error."""
    done = subprocess.run([PROGRAM, "check", *words], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL)
    rows = [re.fullmatch(r"(ok|BAD) +([a-z ]+?)  +(.*)", line) for line in done.stdout.splitlines()[:-1]]
    good = [row[2] for row in rows if row and row[1] == "ok"]
    bad = [row[2] for row in rows if row and row[1] == "BAD"]
    return done.returncode, good, bad, done.stdout + done.stderr


def good_engines(t):
    ours = f"{PROGRAM} ugi"
    for words, least in ((["--game", "clobber:4x5", ours], 13), (["--game", "shakti", f"{ours} --level easy"], 13),
                         (["--protocol", "uci", "--option", "Hash=1", "--", PROGRAM, "ugi"], 12), ([GTP], 5)):
        code, good, bad, shown = check(*words)
        t.check((code, bad) == (0, []) and len(good) == least, f"{words}", shown)
        t.check(f"good: {least} of {least} checks passed" in shown, "the sum", shown)


def bad_engines(t):
    faults = {"none": [], "crash": ["quit", "quit"], "hang": ["quit", "quit"], "status": ["quit", "quit"], "end": ["end"],
              "option": ["options"], "early": ["stop"], "deaf": ["stop"], "twice": ["once"], "busy": ["isready"],
              "illegal": ["positions"], "slow": ["positions"], "mute": ["query"], "nervous": ["odd input"]}
    # Most of them only wait.
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(5) as pool:
        path = os.path.join(folder, "faulty.py")
        with open(path, "w") as file:
            file.write(FAULTY)
        runs = {fault: pool.submit(check, "--", sys.executable, path, fault) for fault in faults}
        for fault, wanted in faults.items():
            code, good, bad, shown = runs[fault].result()
            t.check(code == bool(wanted) and [name for name in wanted if name not in bad] == [], f"fault {fault}", shown)
            t.check(set(bad) <= {*wanted, "limits", "odd input"}, f"fault {fault}: nothing else is bad", shown)
        t.equal(check("--game", "clobber:3x1", f"{sys.executable} {ROOT}/tests/support/bad_engine.py")[:3], (1, [], ["start"]),
                "one that refuses the game")
    for command in ("true", "/nowhere/at/all", "cat"):
        t.equal(check(command)[:3], (1, [], ["start"]), f"{command} is no engine")


def usage(t):
    for words, error in (([], "check: no engine"), (["--game", "chess", "x"], "--game: unknown game"), (["'a"], "ENGINE: ''a': a quote"),
                         (["--protocol", "xboard", "x"], "--protocol: 'xboard' is not"), (["--option", "x", "y"], "--option: 'x'"),
                         (["--speed"], "--speed: unknown option")):
        code, good, bad, shown = check(*words)
        t.check((code, good, bad) == (2, [], []) and shown.startswith(f"ludus-bot: {error}"), f"{words}", shown)


if __name__ == "__main__":
    sys.exit(Checks("test_check").run([good_engines, bad_engines, usage], at_once=2))
