"""Runs the conversations of tests/transcripts on PostgreSQL, each in a database of its own.

usage: engine_transcripts.py BUILD [FILE...]

Without FILE all of them but those in which the server is restarted or its disk fills: the rules that these show are
tested by ../tcp/test_engine_rules.py, with the database's own clock. APART names others that cannot hold.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lend_postgres import One
from postgres import why_not

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, os.pardir, "transcripts")
LIMIT_S = 60  # for a conversation
RESTARTS = re.compile(r"^(the server is|the machine is|the disk)", re.MULTILINE)

# What does not hold where servers share a lobby.
APART = {"address_kept.txt": "two days, second by second",
         "device_expires.txt": "five minutes, which the database counts",
         "matches_max_arena.txt": "the number of its tournament", "rate.txt": "the cost of lists, which is higher",
         "ratings.txt": "which of two ratings is shown", "text.txt": "the lines of stats",
         "too_many_names.txt": "--max-names", "tournament_text.txt": "the numbers of its tournaments"}


def run(build, databases, number, path):
    """Returns how many checks passed and failed; shows those that failed."""
    done = subprocess.run([os.path.join(build, "tests", "test_transcripts"), "--engine",
                           databases.conninfo(f"t{number}"), path], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S)
    lines = done.stdout.splitlines()
    counts = re.fullmatch(r"test_transcripts: (\d+) passed, (\d+) failed", lines[-1] if lines else "")
    if counts is None:
        print(f"{path} ends with {done.returncode}: {done.stderr[-1500:]}")
        return 0, 1
    for line in lines[:-1]:
        print(line)
    return int(counts[1]), int(counts[2])


def choose():
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.txt")) + glob.glob(os.path.join(FOLDER, "store", "*.txt"))):
        with open(path) as file:
            if os.path.basename(path) not in APART and not RESTARTS.search(file.read()):
                yield os.path.relpath(path)


def main():
    build, paths = sys.argv[1], sys.argv[2:] or list(choose())
    if reason := why_not():
        print(f"engine_transcripts: {reason}")
        return 1
    folder = tempfile.mkdtemp(prefix="engine-transcripts-", dir=os.path.abspath(build))
    passed = failed = 0
    try:
        databases = One(folder)
        try:
            for number, path in enumerate(paths):
                counts = run(build, databases, number, path)
                passed, failed = passed + counts[0], failed + counts[1]
        finally:
            databases.postgres.kill()
    finally:
        shutil.rmtree(folder)
    print(f"engine_transcripts: {len(paths)} conversations, {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
