"""client/SHEET.md, followed to the letter: every language of its table comes to its first move.

usage: test_sheet.py BUILD_DIR
"""
import concurrent.futures
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Server, build_folder, read_again, wait_until

BUILD = os.path.abspath(build_folder())
EXAMPLES = os.path.abspath(os.path.join("client", "examples"))
ADDRESS = "localhost:7117"
with open(os.path.join("client", "SHEET.md"), encoding="utf-8") as sheet:
    TEXT = sheet.read()
ROWS = re.findall(r"^\| \w+ \| `([\w.]+)` \| `([^`]+)` \|", TEXT, re.M)
COMMANDS = re.findall(r"^       (\S.*)$", TEXT, re.M)


def run(t, command, folder, status=0):
    """Runs a command of the sheet with our programs, and returns what it prints."""
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=LIMIT_S, cwd=folder,
                          env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "XDG_STATE_HOME": folder})
    t.equal(done.returncode, status, f"{command}: {done.stderr}")
    return done.stdout


def follow(t, file, command):
    program = command.split()[0]
    if shutil.which(program) is None:
        print(f"test_sheet: SKIPPED {file}: {program} is not installed")
        return
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile(mode="w+") as log, \
            Server(BUILD, checks=t) as server:
        shutil.copy(os.path.join(EXAMPLES, file), folder)
        bot = subprocess.Popen(shlex.split(command.replace(ADDRESS, server.address)), cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until(lambda: "ana plays" in read_again(log), f"{file} says that it plays")
            server.connect().wait_for_bots(2)
            match = run(t, COMMANDS[0].replace(ADDRESS, server.address), folder).strip()
            t.equal(match, "1", f"{file}: the number of the match")
            shown = run(t, COMMANDS[1].replace(ADDRESS, server.address), folder)
            t.check("Result: " in shown and "no-moves" in shown, f"{file}: a match to the end", shown[-400:])
            t.check(os.path.exists(os.path.join(folder, "ana.token")), f"{file}: keeps its token")
        finally:
            bot.send_signal(signal.SIGINT)
            bot.wait(LIMIT_S)


def every_language(t):
    t.equal([file for file, _ in ROWS], ["player.py", "player.js", "Player.java", "player.pl", "player.sh"], "the languages")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(follow, t, *row) for row in ROWS]:
            done.result()


def the_check(t):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(EXAMPLES, "player.py"), folder)
        shown = run(t, COMMANDS[2], folder)
        said = re.search(r"It must end with `([^`]+)`", TEXT)[1]
        t.equal(shown.strip().splitlines()[-1], said, "the last line of the check")


def one_page(t):
    lines = TEXT.splitlines()
    t.check(len(lines) <= 60 and max(map(len, lines)) <= 140, "it fits on a page", (len(lines), max(map(len, lines))))
    t.equal(len(COMMANDS), 3, f"commands: {COMMANDS}")


if __name__ == "__main__":
    sys.exit(Checks("test_sheet").run([every_language, the_check, one_page]))
