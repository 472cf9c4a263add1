"""Finished matches go from the store into PGN files of their months: none is lost and none is there twice, even
when the server is killed; others do not wait for it.

usage: test_archive.py BUILD_DIR
"""
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Server, build_folder, wait_until
from test_store import Place

MATCHES = 100  # of three plies
DAY_S = 86400
PAGE = 4096  # bytes of the store
KEEP = ("--no-bots", "--keep-days", "2", "--keep-finished", "1")


def fill(data):
    """Creates a store with old finished matches, two months of them, by copying one that was played."""
    with Server(build_folder(), "--no-bots", "--data", data) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        match = anna.ask("new clobber:2x2 black=bob clock=300")["match"]
        bob.ask(f"join {match}")
        for player, move in ((anna, "a2a1"), (bob, "b2b1"), (anna, "a1b1")):
            player.ask(f"move {match} {move}")
    database = sqlite3.connect(os.path.join(data, "ludus.db"))
    columns = [row[1] for row in database.execute("PRAGMA table_info(match)")]
    new = {"number": "n", "id": "n", "ended": "n", "changed_s": f"changed_s - {DAY_S} * iif(n > {MATCHES} / 2, 40, 80)"}
    database.executescript(
        f"UPDATE match SET changed_s = 1767225600;"  # 2026-01-01, the first of these
        f"INSERT INTO match ({', '.join(columns)}) WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c"
        f" WHERE n < {MATCHES}) SELECT {', '.join(new.get(column, column) for column in columns)} FROM match, c;"
        f"UPDATE match SET ended = {MATCHES} + 1 WHERE number = 1;")
    database.close()


def archived(data):
    """Returns the ids in the files, and the names of the files."""
    folder = os.path.join(data, "archive")
    found, names = [], sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for name in names:
        with open(os.path.join(folder, name)) as file:
            found += re.findall(r'^\[Match "(.*)"\]$', file.read(), re.M)
    return found, names


def stored(data):
    database = sqlite3.connect(os.path.join(data, "ludus.db"))
    found = [row[0] for row in database.execute("SELECT id FROM match")]
    database.close()
    return found


def check_data(data):
    """Returns exit status and output of `ludusd check`."""
    done = subprocess.run([os.path.join(build_folder(), "ludusd"), "check", "--data", data], capture_output=True,
                          text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout + done.stderr


def all_once(checks, data, what):
    everything = sorted(map(int, archived(data)[0] + stored(data)))
    checks.equal(everything, list(range(1, MATCHES + 1)), f"{what}: each match once")


def killed(checks):
    """The server is killed again and again while it works."""
    with Place() as place:
        fill(place.data)
        done = 0
        for kill in range(6):
            server = Server(build_folder(), *KEEP, "--data", place.data)
            until = time.monotonic() + LIMIT_S
            while (now := len(archived(place.data)[0])) <= done + 50 * (kill % 2) and now < MATCHES - 1 and \
                    time.monotonic() < until:
                pass
            done = now
            server.process.kill()
            server.process.wait(LIMIT_S)
            if done == MATCHES - 1:
                break
        with Server(build_folder(), *KEEP, "--data", place.data, checks=checks) as server:
            anna = server.connect()
            wait_until(lambda: anna.ask("history anna").get("archived") == MATCHES - 1, "all but one are archived")
            checks.equal(anna.ask("record 3")["code"], "match-archived", "record of an archived match")
            checks.equal(anna.ask("record 1")["type"], "record", "record of the match that stays in memory")
            checks.equal([row["name"] for row in anna.ask("top")["players"]], ["anna", "bob"], "ratings stay")
        all_once(checks, place.data, "after kills")
        checks.equal(archived(place.data)[1], ["2025-10.pgn", "2025-11.pgn"], "a file a month")
        code, told = check_data(place.data)
        checks.check(code == 0 and "matches: 1," in told, "check finds no fault", told)
        os.truncate(os.path.join(place.data, "archive", "2025-10.pgn"), 200)
        code, told = check_data(place.data)
        checks.check(code == 1 and "2025-10.pgn: " in told and "instead of" in told, "check finds a short file", told)


def left_over(checks):
    """A step that was written but not kept is written again in its place; anything else is left alone."""
    with Place() as place:
        fill(place.data)
        before = place.data + ".before"
        shutil.copytree(place.data, before)

        def finish():
            with Server(build_folder(), *KEEP, "--data", place.data, checks=checks) as server:
                eve = server.connect()
                wait_until(lambda: eve.ask("history anna").get("archived") == MATCHES - 1 or
                           "archive-fails" in server.read_log(), "all but one are archived, or that fails")
                return server.read_log()

        finish()
        shutil.copy(os.path.join(before, "ludus.db"), place.data)  # the store as it was: all is a tail
        log = finish()
        checks.check("archive-fails" not in log, "the same again", log[-500:])
        all_once(checks, place.data, "after a tail")

        shutil.copy(os.path.join(before, "ludus.db"), place.data)
        path = os.path.join(place.data, "archive", "2025-10.pgn")
        with open(path, "w") as file:
            file.write("a letter")
        log = finish()
        checks.check("event=archive-fails" in log and "goes on with something else" in log, "another file", log[-500:])
        with open(path) as file:
            checks.equal(file.read(), "a letter", "which is left alone")
        checks.equal(len(stored(place.data)), MATCHES, "and all stays in the store")
        checks.equal(log.count("archive-fails"), 1, "said once")

        os.rename(path, path + ".old")
        finish()
        all_once(checks, place.data, "moved away")


def by_size(checks):
    """With --keep-bytes the oldest go until the store is small enough."""
    with Place() as place:
        fill(place.data)
        database = sqlite3.connect(os.path.join(place.data, "ludus.db"))
        # A page more than a megabyte, which is the least: a table of one page, and a blob that fills the rest.
        pages = 1000000 // PAGE + 1 - database.execute("PRAGMA page_count").fetchone()[0] - 1
        database.executescript(
            f"CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob({pages * (PAGE - 4)} + 489));")
        checks.equal(database.execute("PRAGMA page_count").fetchone()[0], 1000000 // PAGE + 1, "pages of the store")
        database.close()
        with Server(build_folder(), "--no-bots", "--keep-bytes", "1", "--keep-finished", "1", "--data", place.data,
                    checks=checks) as server:
            eve = server.connect()
            wait_until(lambda: eve.ask("history anna").get("archived", 0) > 0, "some are archived")
            wait_until(lambda: len(archived(place.data)[0]) == eve.ask("history anna")["archived"], "their files")
        left = len(stored(place.data))
        checks.check(1 < left < MATCHES, "some matches go, and some stay", left)
        all_once(checks, place.data, "by size")


def guests_go(checks):
    """A start removes the guests of earlier runs whose matches are not in the store, and no others."""
    def guests():
        with contextlib.closing(sqlite3.connect(os.path.join(place.data, "ludus.db"))) as database:
            return [row[0] for row in database.execute("SELECT name FROM player WHERE kind = 'guest' ORDER BY id")]

    def start(*options):
        return Server(build_folder(), "--no-bots", "--data", place.data, *options, checks=checks)

    def play(one, other, moves):
        match = one.ask("new clobber:2x2")["match"]
        other.ask(f"join {match}")
        for player, move in zip((one, other), moves):
            player.ask(f"move {match} {move}")
        one.ask(f"resign {match}")

    with Place() as place:
        with start() as server:
            peers = [server.connect() for _ in range(5)]
            play(peers[0], peers[1], ("a2a1", "b2b1"))
            play(peers[2], peers[3], ())
            peers[4].ask("new clobber")
        checks.equal(guests(), [f"guest-{n}" for n in range(1, 6)], "guests with matches")
        with start() as server:
            checks.equal(server.connect().greeting["name"], "guest-6", "their numbers are not used again")
            play(server.connect("anna"), server.connect("bob"), ("a2a1", "b2b1"))
        # guest-5's match ended with that start
        checks.equal(guests(), ["guest-1", "guest-2", "guest-5"], "those of matches without a move are gone")
        with contextlib.closing(sqlite3.connect(os.path.join(place.data, "ludus.db"))) as database:
            database.execute("UPDATE match SET changed_s = 1767225600 WHERE number = 1")
            database.commit()
        with start("--keep-days", "2", "--keep-finished", "1") as server:
            eve = server.connect()
            wait_until(lambda: eve.ask("record 1").get("code") == "match-archived", "it is archived")
        checks.equal(guests(), ["guest-1", "guest-2"], "those of a match that has just left the store")
        with start():
            pass
        checks.equal(guests(), [], "and after the next start")


def refused(checks):
    """The options need a store of the server's own."""
    for options, why in ((("--engine", "host=/nowhere", "--node", "1", "--keep-days", "1"),
                          "database: excludes keep-days and keep-bytes"),
                         (("--data", "none", "--keep-bytes", "5"), "keep-days, keep-bytes: no store with data none")):
        done = subprocess.run([os.path.join(build_folder(), "ludusd"), "--check-config", "--config", "none", *options],
                              capture_output=True, text=True, timeout=LIMIT_S)
        checks.check(done.returncode == 2 and why in done.stderr, f"{options} are refused", done.stderr)


if __name__ == "__main__":
    sys.exit(Checks("test_archive").run([killed, left_over, by_size, guests_go, refused], at_once=3))
