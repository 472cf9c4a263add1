"""Measures `list` among many matches: what a filter costs that fits nothing, and other lists, beside a ping.

usage: lists.py BUILD [MATCHES]

Opens N matches (10,000) of four games, each by a player who is here, and half of them running, and prints the server's
processor time of a line, from its clock: the median of some runs of many lines each, without that of a ping.
"""
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../soak")
from harness import Server
from samples import cpu_ns

RUNS, LINES = 7, 400
LISTS = ("list clobber:7x7", "list clobber bot=yes", "list bot=yes status=open", "list shakti status=open",
         "list from=1000000", "list", "list from=9000")


def fill(server, matches):
    games = ("clobber:5x6", "clobber:4x5", "xadrersi", "latrunculi")
    for number in range(matches // 100):
        peer = server.connect(f"player-{number}")
        for i in range(100):
            seats = " white=me black=me" if i % 2 else ""
            peer.ask(f"new {games[i // 2 % 4]}{seats}")
        yield peer


def cost_us(server, peer, line):
    """The processor time of a line."""
    times = []
    for _ in range(RUNS):
        begun = cpu_ns(server.process.pid)
        peer.send(*[line] * LINES)
        peer.do("ping")
        times.append((cpu_ns(server.process.pid) - begun) / 1e3 / LINES)
    return statistics.median(times)


def main():
    build, matches = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    with Server(build, "--data", "none", "--no-bots", "--max-unfinished", "1000000", "--rate", "0") as server:
        players = list(fill(server, matches))
        peer = server.connect()
        ping_us = cost_us(server, peer, "ping")
        print(f"{matches} matches of {len(players)} players: a ping takes {ping_us:.1f} us of the server, and")
        for line in LISTS:
            rows = len(peer.ask(line)["matches"])
            print(f"  {cost_us(server, peer, line) - ping_us:6.1f} us more  {line}  ({rows} rows)", flush=True)


if __name__ == "__main__":
    main()
