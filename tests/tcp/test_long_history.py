"""A long history is read step by step, while others go on; what it tells is what a short one would.

usage: test_long_history.py BUILD
"""
import os
import sqlite3
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder

LONG_MATCH = 7  # has a move more than PLIES_MAX by its row, the next one as many
COPIES = 2999  # of a match; with it ten steps of 300, the last of which finds nothing more
MATCHES, PAGE = COPIES + 1, 200
PLIES_MAX = 1000  # of a match that is read for its positions


def fill(build, data):
    """Makes a store in which each match of anna's has a number of its own as its id; every tenth was against bob, and is
    private, every other one she had the black stones. Carl has the others."""
    with Server(build, "--no-bots", "--data", data) as maker:
        anna, bob = maker.connect("anna"), maker.connect("bob")
        maker.connect("carl")
        match = anna.do("new clobber:2x2 black=bob")["match"]
        bob.do(f"join {match}")
        for player, move in ((anna, "a2a1"), (bob, "b2b1"), (anna, "a1b1")):
            player.do(f"move {match} {move}")
        token = anna.token
    database = sqlite3.connect(os.path.join(data, "ludus.db"))
    columns = [row[1] for row in database.execute("PRAGMA table_info(match)")]
    ids = dict(database.execute("SELECT name, id FROM player"))
    other = f"iif(n % 10 = 0, {ids['bob']}, {ids['carl']})"
    changed = {"number": "n", "id": "n", "ended": "n", "private": "n % 10 = 0",
               "white": f"iif(n % 2, {ids['anna']}, {other})", "black": f"iif(n % 2, {other}, {ids['anna']})"}
    database.execute(
        f"WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < {MATCHES}) INSERT INTO match"
        f" ({', '.join(columns)}) SELECT {', '.join(changed.get(name, name) for name in columns)} FROM c, match WHERE match.number = 1")
    for number, plies in ((LONG_MATCH, PLIES_MAX + 1), (LONG_MATCH + 1, PLIES_MAX)):
        database.execute("UPDATE match SET plies = ? WHERE number = ?", (plies, number))
    database.commit()
    database.close()
    return token


def ids_of(reply):
    return [int(row["match"]) for row in reply["matches"]]


def pages(checks, server, token):
    """The rows and their number, whoever asks, from anywhere, with any filter."""
    anna, eve = server.connect(), server.connect("eve")
    anna.do(f"hello anna token={token}")
    everything = list(range(MATCHES, 0, -1))
    public = [number for number in everything if number % 10 or number == 1]
    with_bob = [number for number in everything if number % 10 == 0 or number == 1]
    for peer, line, wanted in ((anna, "history", everything), (eve, "history anna", public), (anna, "history anna clobber", everything),
                               (anna, "history clobber:2x2 against=bob", with_bob), (eve, "history anna against=bob", [1]),
                               (anna, "history shakti", []), (anna, "history clobber:3x3", []), (eve, "history bob", [1])):
        for skipped in (0, 250, 1350, 2650, 2990, 5000):
            reply = peer.do(f"{line} from={skipped}")
            checks.equal((reply["total"], ids_of(reply)), (len(wanted), wanted[skipped:skipped + PAGE]), f"{line} from={skipped}")


def long_match(checks, server):
    """A match that is too long is not read for each page of its positions."""
    peer = server.connect()
    reply = peer.ask(f"record {LONG_MATCH} positions=0")
    checks.equal((reply["code"], reply["message"]), ("limit-reached", f"match {LONG_MATCH} is too long for this: it may have {PLIES_MAX} moves"),
                 "positions of a long match")
    for line in (f"record {LONG_MATCH}", f"record {LONG_MATCH + 1} positions=0"):
        checks.check("too long" not in peer.ask(line).get("message", ""), line)


def others(checks, server):
    """Others are answered while a history is read; who leaves meanwhile harms nobody."""
    for leaver in [server.connect() for _ in range(5)]:
        leaver.send("history anna", "history anna shakti")
        leaver.socket.close()
    peers = [server.connect() for _ in range(5)]
    for peer in peers:
        peer.send("#a history anna against=carl", "#b ping", "quit")
    eve = server.connect("eve2")
    match = eve.do("new clobber:2x2 white=me black=me")["match"]
    for move in ("a2a1", "b2b1", "a1b1"):
        eve.do(f"move {match} {move}")
    checks.equal(eve.do("history")["total"], 1, "a short one")
    with_carl = len([number for number in range(2, MATCHES + 1) if number % 10])
    for peer in peers:
        replies = [message for message in iter(peer.read, None) if message.get("id")]
        checks.equal([(reply["id"], reply.get("total")) for reply in replies], [("a", with_carl), ("b", None)], "in order")


def long_histories(checks):
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "store")
        token = fill(build_folder(), data)
        with Server(build_folder(), "--no-bots", "--data", data, "--keep-finished", "1") as server:
            pages(checks, server, token)
            long_match(checks, server)
            others(checks, server)


if __name__ == "__main__":
    raise SystemExit(Checks("test_long_history").run([long_histories]))
