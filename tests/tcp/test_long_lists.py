"""The best of many ratings, and the latest of many matches in a cross table, are those that sorting all would show.

usage: test_long_lists.py BUILD
"""
import os
import sqlite3
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder

NAMES = ("anna", "bob", "carl", "dave")
PLAYERS, FIRST, ENTRANTS, PAIRINGS = 1500, 1000, len(NAMES), 1000
SHOWN, OF_EACH, CELLS = 200, 10, 100
VARIANTS = (("clobber", "2x2", 40), ("clobber", "10x2", 7), ("clobber", "2x10", 300), ("shakti", "standard", 90))


def rating_of(player, number, levels):
    """Many have the same rating, and some of them the same deviation."""
    return 1500 + player * 7919 % levels, 60 + player * (number + 3) % 5


def fill(build, data):
    """Makes a store in which everybody has a rating in every variant, and an arena with many matches is over."""
    with Server(build, "--no-bots", "--data", data) as maker:
        for name in NAMES:
            maker.connect(name)
        maker.stop()
    database = sqlite3.connect(os.path.join(data, "ludus.db"))
    ids = dict(database.execute("SELECT name, id FROM player"))
    database.executemany("INSERT INTO player (id, name, kind, bot, token_hash, seen_s) VALUES (?, ?, 'named', 0, zeroblob(32), 0)",
                         [(FIRST + number, f"p{number}") for number in range(PLAYERS)])
    for number, (game, variant, levels) in enumerate(VARIANTS):
        database.executemany("INSERT INTO rating VALUES (?, ?, ?, ?, ?, 0.06, 5)",
                             [(FIRST + player, game, variant, *rating_of(player, number, levels)) for player in range(PLAYERS)])
    database.execute("INSERT INTO tournament (number, name, game, variant, format, rounds, cycles, minutes, base_ms, increment_ms,"
                     " bots, rated, director, status, created_s, starts_s, started_s, ended_s)"
                     " VALUES (1, 'Arena', 'clobber', '2x2', 'arena', 0, 0, 0, 60000, 0, 'yes', 1, ?, 'over', 1, 0, 2, 3)", [ids["anna"]])
    database.executemany("INSERT INTO entrant VALUES (1, ?, ?, 1500, 0)", [(number, ids[name]) for number, name in enumerate(NAMES)])
    database.executemany("INSERT INTO pairing VALUES (1, ?, ?, ?, ?, 0, NULL, ?)",
                         [(number, number + 1, *meet(number), number % 3 + 1) for number in range(PAIRINGS)])
    database.commit()
    database.close()


def meet(number):
    """Who plays white and black in a match: the last one has only played at the beginning."""
    white = number % (ENTRANTS if number < 50 else ENTRANTS - 1)
    return white, (white + 1 + number % 2) % (ENTRANTS if number < 50 else ENTRANTS - 1)


def best_of(number, count):
    game, variant, levels = VARIANTS[number]
    rows = [(-rating, deviation, f"p{player}") for player in range(PLAYERS) for rating, deviation in [rating_of(player, number, levels)]]
    return [(game, variant, place + 1, name) for place, (_, _, name) in enumerate(sorted(rows)[:count])]


def tops(checks, peer):
    for line, numbers, count in (("top", (0, 2, 1, 3), OF_EACH), ("top clobber", (0, 2, 1), OF_EACH), ("top clobber:2x2", (0,), SHOWN),
                                 ("top shakti", (3,), OF_EACH), ("top clobber:10x2", (1,), SHOWN), ("top clobber:5x6", (), 0)):
        got = [(row["game"], row["variant"], row["rank"], row["name"]) for row in peer.do(line)["players"]]
        checks.equal(got, [row for number in numbers for row in best_of(number, count)], line)


def cross_table(checks, peer):
    shown = peer.do("tournament show t1")
    for row, cells in zip(shown["players"], shown["crosstable"]):
        own, wanted = row["number"] - 1, []
        for number in range(PAIRINGS):
            white, black = meet(number)
            if own in (white, black):
                result = number % 3 + 1  # white wins, black wins, a draw
                score = "=" if result == 3 else "1" if (result == 1) == (own == white) else "0"
                wanted.append(f"{(black if own == white else white) + 1}{'w' if own == white else 'b'}{score}")
        checks.equal(cells, wanted[-CELLS:], f"the cells of {row['name']}")


def long_lists(checks):
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "store")
        fill(build_folder(), data)
        with Server(build_folder(), "--no-bots", "--data", data) as server:
            peer = server.connect()
            tops(checks, peer)
            cross_table(checks, peer)


if __name__ == "__main__":
    raise SystemExit(Checks("test_long_lists").run([long_lists]))
