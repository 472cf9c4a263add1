"""Tournaments of every kind over TCP, while the server is killed in between.

Nobody is paired twice where the format forbids it, nothing that was told is lost, and everything goes on.
"""
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, Connection, Server, build_folder

BUILD = build_folder()
MOST_MATCHES = 14  # of the arena


class Hall:
    """A server with a store, and players who move at random and come back when it was killed."""

    def __init__(self, checks, names, seed):
        self.checks, self.random = checks, random.Random(seed)
        self.data = tempfile.mkdtemp(prefix="tournament-", dir=BUILD)
        self.tokens, self.told, self.peers = {name: None for name in names}, {}, {}
        self.start()

    def start(self):
        self.server = Server(BUILD, "--no-bots", "--data", self.data, checks=self.checks)
        for name, token in self.tokens.items():
            peer = self.peers[name] = Connection(self.server.port)
            reply = peer.ask(f"hello {name}" + (f" token={token}" if token else ""))
            self.tokens[name] = reply["token"]
            self.move_in_all(peer)

    def kill(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait(LIMIT_S)
        for peer in self.peers.values():
            peer.close()
        self.start()

    def end(self):
        for peer in self.peers.values():
            peer.close()
        self.checks.equal(self.server.stop(), 0, "exit code of the server")
        shutil.rmtree(self.data)

    def move_in_all(self, peer):
        """The states that came with the name were dropped: asks for them again."""
        for row in peer.ask("list")["matches"]:
            state = peer.ask(f"state {row['match']}")
            if state["type"] == "state":
                self.hear(peer, state)

    def hear(self, peer, message):
        if message["type"] == "state" and message.get("legal"):
            peer.send(f"move {message['match']} {self.random.choice(message['legal'])} ply={message['ply']}")
        if message["type"] == "state" and message["status"] == "over":
            self.told[message["match"]] = message["result"]

    def listen(self):
        """Hears one message of each peer that has sent something."""
        waiting = [peer for peer in self.peers.values() if b"\n" in peer.buffer]
        ready = waiting or select.select([peer.socket for peer in self.peers.values()], [], [], 0.2)[0]
        for peer in self.peers.values():
            if peer in waiting or peer.socket in ready:
                if (message := peer.read()) is not None:
                    self.hear(peer, message)


def pairings_of(shown):
    return [dict(pairing, round=part["round"]) for part in shown["rounds"] for pairing in part["pairings"]]


def check_end(checks, hall, shown, once):
    """What holds of every tournament that is over."""
    pairings = pairings_of(shown)
    met = [frozenset((row["white"], row["black"])) for row in pairings if row["black"]]
    matches = [row["match"] for row in pairings if row["match"]]
    byes = [row["white"] for row in pairings if not row["black"]]
    checks.equal(len(pairings), shown["total_pairings"], "all pairings are shown")
    checks.equal(len(set(matches)), len(matches), "each match belongs to one pairing")
    checks.equal(len(set(byes)), len(byes), "one bye at most")
    checks.check(not once or len(set(met)) == len(met), "nobody meets anybody twice", met)
    results = {row["match"]: row["result"] for row in pairings}
    for match, result in hall.told.items():
        checks.equal(results.get(match), result, f"match {match} counts as it was told")
    points = sum(row["result"] in ("1-0", "0-1", "1/2-1/2") for row in pairings)
    checks.equal(sum(row["score"] for row in shown["players"]), points, "scores add up")


def run_client(hall, *words, status=0):
    """Runs `ludus tournament` and returns what it prints."""
    done = subprocess.run([os.path.join(BUILD, "ludus"), "tournament", "--connect", hall.server.address, *words],
                          capture_output=True, text=True, timeout=LIMIT_S)
    hall.checks.equal(done.returncode, status, f"ludus tournament {' '.join(words)}: {done.stderr}")
    return done.stdout if status == 0 else done.stderr


def check_client(checks, hall, shown):
    """The client shows and exports what the server knows."""
    listed = run_client(hall, "list", "--plain").split("\t")
    checks.equal(listed[:2], ["t1", "Test"], "the list")
    rows = [line.split("\t") for line in run_client(hall, "show", "t1").splitlines()]
    checks.equal([row[2] for row in rows], [row["name"] for row in shown["players"]], "the standings")
    whole = json.loads(run_client(hall, "export", "t1", "--json"))
    checks.equal(pairings_of(whole), pairings_of(shown), "all pairings as JSON")
    table = [line.split("\t")[-1] for line in run_client(hall, "export", "t1", "--plain").splitlines()]
    checks.equal([cells.split(",") for cells in table], shown["crosstable"], "the cross table")
    checks.equal(run_client(hall, "watch", "t1"), "", "nothing to watch")
    pgn = run_client(hall, "export", "t1", "--pgn")
    rounds = [str(row["round"]) for row in pairings_of(shown) if row["match"]]
    checks.equal(re.findall(r'^\[Round "(\d+)"\]$', pgn, re.M), rounds, "rounds in PGN")
    file = os.path.join(hall.data, "all.pgn")
    with open(file, "w", encoding="utf-8") as out:
        out.write(pgn)
    replayed = subprocess.run([os.path.join(BUILD, "ludus"), "replay", "--all", file], capture_output=True,
                              text=True, timeout=LIMIT_S)
    checks.equal((replayed.returncode, replayed.stdout.count("\n")), (0, len(rounds)), "PGN is valid")


def check_series(checks, hall, shown):
    """The series of one tournament has its scores, and the client prints them."""
    series = hall.peers["p0"].ask("tournament series league")
    fields = ("name", "score", "matches", "performance", "performance_error")
    checks.equal(series["tournaments"], 1, "one tournament counts, once")
    checks.equal(sorted(tuple(row[field] for field in fields) for row in series["players"]),
                 sorted(tuple(row[field] for field in fields) for row in shown["players"]), "the series of one tournament")
    printed = [line.split("\t") for line in run_client(hall, "series", "league").splitlines()]
    checks.equal([(row[1], row[2]) for row in printed], [(row["name"], "1") for row in series["players"]], "as it is printed")
    checks.equal(json.loads(run_client(hall, "series", "League", "--json"))["players"], series["players"], "as JSON")
    checks.check("unknown series" in run_client(hall, "series", "none", status=1), "an unknown series")


def client_refuses(checks):
    """Refusals of the client and of the server."""
    hall = Hall(checks, ["p0"], 1)
    run_client(hall, "dance", "t1", status=2)
    run_client(hall, "show", status=2)
    run_client(hall, "show", "t1", "--json", "--plain", status=2)
    said = run_client(hall, "show", "t1", status=1)
    checks.check("unknown tournament" in said, "an unknown tournament", said)
    opened = run_client(hall, "new", "Cup", "shakti", "format=swiss", "--name", "dora")
    checks.equal(opened, "t1\n", "the id")
    run_client(hall, "join", "t1", "--name", "dora")
    said = run_client(hall, "start", "t1", "--name", "dora", status=1)
    checks.check("2 are needed" in said, "too few players", said)
    watching = subprocess.Popen([os.path.join(BUILD, "ludus"), "tournament", "watch", "t1", "--connect",
                                 hall.server.address], stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + LIMIT_S
    while not select.select([watching.stdout], [], [], 0.05)[0] and time.monotonic() < end:
        hall.peers["p0"].ask("tournament join t1")
        hall.peers["p0"].ask("tournament leave t1")
    run_client(hall, "abort", "t1", "--name", "dora")
    lines = watching.communicate(timeout=LIMIT_S)[0].splitlines()
    checks.check(lines[0].split("\t")[0] in ("joined", "left"), "watch tells who comes", lines[:1])
    checks.equal(lines[-1].split("\t")[0], "aborted", "watch tells the end")
    hall.end()


def play(checks, kind, players, kills, once=False):
    names = [f"p{number}" for number in range(players)]
    hall = Hall(checks, names, kind)
    director = hall.peers["p0"]
    opened = director.ask(f"tournament new Test clobber:2x3 clock=60 {kind}")
    checks.equal(opened, {"type": "ok", "id": "q", "cmd": "tournament", "tournament": "t1"}, kind)
    for name in names:
        checks.equal(hall.peers[name].ask("tournament join t1")["type"], "ok", f"{kind}: {name} joins")
    checks.equal(director.ask("tournament start t1")["type"], "ok", f"{kind}: starts")
    for name in names:
        hall.move_in_all(hall.peers[name])
    next_kill, end = kills, time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        hall.listen()
        if len(hall.told) >= next_kill:
            next_kill += kills
            hall.kill()
            shown = hall.peers["p0"].ask("tournament show t1")
            hall.move_in_all(hall.peers["p0"])
            if shown["status"] == "over":
                break
            if kind == "format=arena" and len(hall.told) >= MOST_MATCHES:
                hall.peers["p0"].ask("tournament abort t1")
                break
        elif not hall.told or hall.random.random() < 0.05:
            if director_sees_end(hall):
                break
    shown = hall.peers["p0"].ask("tournament show t1")
    checks.check(shown["status"] in ("over", "aborted"), f"{kind}: is over", shown["status"])
    check_end(checks, hall, shown, once)
    if kind.startswith("format=round-robin"):
        check_client(checks, hall, shown)
        check_series(checks, hall, shown)
    hall.end()
    return shown


def director_sees_end(hall):
    shown = hall.peers["p0"].ask("tournament show t1")
    hall.move_in_all(hall.peers["p0"])
    return shown["status"] == "over"


def swiss(checks):
    shown = play(checks, "format=swiss rounds=4", 7, 4, once=True)
    checks.equal([len(part["pairings"]) for part in shown["rounds"]], [4] * 4, "four rounds of four")


def round_robin(checks):
    shown = play(checks, "format=round-robin series=league", 5, 3, once=True)
    checks.equal(shown["total_pairings"], 10, "everyone meets everyone")


def knockout(checks):
    shown = play(checks, "format=knockout", 5, 4)
    checks.equal(shown["round"], 3, "three rounds")


def arena(checks):
    shown = play(checks, "format=arena", 4, 4)
    checks.check(shown["total_pairings"] >= MOST_MATCHES, "as many as asked for", shown["total_pairings"])


if __name__ == "__main__":
    sys.exit(Checks("test_tournament").run([swiss, round_robin, knockout, arena, client_refuses]))
