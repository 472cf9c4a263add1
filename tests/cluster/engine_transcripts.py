"""Runs the conversations of tests/transcripts on PostgreSQL, each in a database of its own.

usage: engine_transcripts.py BUILD [FILE...]

Without FILE all of them but those in which the server is restarted or its disk fills: the rules that these show are
tested by ../tcp/test_engine_rules.py, with the engine's own clock. APART names others that cannot hold.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "crash"))
from ludusd import free_port
from postgres import Account, Postgres, why_not

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, os.pardir, "transcripts")
LIMIT_S = 60  # for a conversation
RESTARTS = re.compile(r"^(the server is|the machine is|the disk)", re.MULTILINE)

# What does not hold where servers share a lobby.
APART = {"address_kept.txt": "tournaments",
         "kick.txt": "kick",
         "rate.txt": "the cost of lists, which is higher", "ratings.txt": "which of two ratings is shown",
         "text.txt": "the lines of stats", "too_many_names.txt": "--max-names", "tournament.txt": "tournaments",
         "tournament_limits.txt": "tournaments", "tournament_text.txt": "tournaments"}


class One:
    """One PostgreSQL without standbys."""

    def __init__(self, folder):
        account = Account()
        home = os.path.join(folder, "postgres")
        os.mkdir(home, 0o700)
        account.own(home)
        os.chmod(folder, 0o711)
        password, superuser = os.path.join(home, "password"), os.path.join(home, "passfile")
        account.write(password, "secret")
        account.write(superuser, "*:*:*:postgres:secret\n")
        self.postgres = Postgres(home, "one", free_port(), account, superuser, "")
        self.postgres.make(password)
        self.postgres.follow(None)
        self.postgres.start()
        self.postgres.sql("CREATE ROLE ludus LOGIN PASSWORD 'secret'")

    def conninfo(self, database):
        self.postgres.sql(f"CREATE DATABASE {database} OWNER ludus")
        return f"hostaddr=127.0.0.1 port={self.postgres.port} dbname={database} user=ludus password=secret"


def run(build, engine, number, path):
    """Returns how many checks passed and failed; shows those that failed."""
    done = subprocess.run([os.path.join(build, "tests", "test_transcripts"), "--engine",
                           engine.conninfo(f"t{number}"), path], text=True, stdin=subprocess.DEVNULL,
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
        engine = One(folder)
        try:
            for number, path in enumerate(paths):
                counts = run(build, engine, number, path)
                passed, failed = passed + counts[0], failed + counts[1]
        finally:
            engine.postgres.kill()
    finally:
        shutil.rmtree(folder)
    print(f"engine_transcripts: {len(paths)} conversations, {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
