"""How long a server with a store of many finished matches takes to start.

usage: many_matches.py BUILD [MATCHES [FOLDER [guests]]]

Makes a store of MATCHES (1,000,000) of three plies each, played by a tenth as many players but 100,000 at most, or each
by two guests of its own, and times five starts: until the server listens, and until it has answered `record` of the
oldest match and `history`. The last two find nothing of the store in memory, if that may be asked for (as root).
"""
import os
import shutil
import sqlite3
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../soak")
from harness import Server
from samples import cpu_ns

STARTS, COLD = 5, 2


def play_one(build, data):
    with Server(build, "--no-bots", "--data", data) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        match = anna.ask("new clobber:2x2 black=bob clock=300")["match"]
        bob.ask(f"join {match}")
        for player, move in ((anna, "a2a1"), (bob, "b2b1"), (anna, "a1b1")):
            player.ask(f"move {match} {move}")


def multiply(data, matches, guests):
    players = 2 * matches + 2 if guests else min(100000, matches // 10)
    database = sqlite3.connect(os.path.join(data, "ludus.db"))
    columns = [row[1] for row in database.execute("PRAGMA table_info(match)")]
    other = {"number": "n", "id": "n", "ended": "n", "white": f"10 + n * 7919 % {players}",
             "black": f"10 + n * 104729 % {players}"}
    if guests:
        other.update(white="10 + 2 * n", black="11 + 2 * n")
    database.executescript(script(columns, other, players, matches, guests))
    database.close()


def script(columns, other, players, matches, guests):
    person = "'guest-' || (10 + n), 'guest', 0, NULL, n" if guests else "'player-' || n, 'named', 0, randomblob(32), n"
    count = "WITH RECURSIVE c(n) AS (SELECT {} UNION ALL SELECT n + 1 FROM c WHERE n < {})"
    return (
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000;"
        f"INSERT INTO player {count.format(0, players - 1)}"
        f" SELECT 10 + n, {person} FROM c;"
        "INSERT INTO rating SELECT id, 'clobber', '2x2', 1500 + id % 500, 100, 0.06, 20 FROM player"
        " WHERE id >= 10 AND kind = 'named';"
        f"INSERT INTO match ({', '.join(columns)}) {count.format(2, matches)}"
        f" SELECT {', '.join(other.get(name, name) for name in columns)} FROM c, match;"
        "PRAGMA journal_mode = WAL;")


def forget_files():
    """Drops what the system has of files in memory."""
    try:
        os.sync()
        with open("/proc/sys/vm/drop_caches", "w") as file:
            file.write("3")
    except OSError:
        pass


def start(build, data):
    begun = time.monotonic()
    with Server(build, "--no-bots", "--data", data) as server:
        listens, processor = time.monotonic() - begun, cpu_ns(server.process.pid) / 1e9
        peer = server.connect()
        assert peer.ask("record 2")["type"] == "record" and peer.ask("history anna")["total"] > 0
        return listens, processor, time.monotonic() - begun


def main():
    build = sys.argv[1]
    matches = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
    folder = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    data = os.path.join(folder, "store")
    if not os.path.exists(data):
        begun = time.monotonic()
        play_one(build, data)
        multiply(data, matches, "guests" in sys.argv[4:])
        size = os.path.getsize(os.path.join(data, "ludus.db"))
        print(f"{matches} matches, {size / 1e6:.0f} MB, made in {time.monotonic() - begun:.0f} s", flush=True)
    for number in range(STARTS):
        if number >= STARTS - COLD:
            forget_files()
        print("listens after {:.2f} s, {:.2f} s of them at work, has answered after {:.2f} s".format(*start(build, data)), flush=True)
    if len(sys.argv) <= 3:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
