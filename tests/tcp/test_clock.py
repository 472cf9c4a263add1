"""Clocks over TCP: flags fall on time without any command, and house bots keep their time.

usage: test_clock.py BUILD_DIR
"""
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder

BUILD = build_folder()


def pair(server, options):
    """Two players in a match. White has made the first move, so black's clock runs."""
    anna, bob = server.connect("anna"), server.connect("bob")
    match = anna.ask(f"new clobber {options}")["match"]
    bob.ask(f"join {match}")
    anna.ask(f"move {match} b1c1")
    return anna, bob, match


def flag_falls(t):
    with Server(BUILD, "--no-bots", checks=t) as server:
        before = time.monotonic()
        anna, bob, match = pair(server, "clock=3+3")
        over = bob.wait_for("state", status="over")  # no peer sends anything from here on
        ended = time.monotonic()
        t.equal((over["result"], over["reason"]), ("1-0", "timeout"), "result")
        t.equal(over["clock"], {"white_ms": 6000, "black_ms": 0, "increment_ms": 3000,
                                "running": None}, "clock")
        t.check(ended - before >= 3, "not before its time", ended - before)
        t.equal(anna.wait_for("state", status="over")["reason"], "timeout", "the other is told")
        t.equal(bob.ask(f"move {match} a1a2")["code"], "match-over", "a move that comes too late")


def cpu_seconds(server):
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def waiting_costs_nothing(t):
    """The timer does not spin before a deadline, nor after one that has moved."""
    with Server(BUILD, "--no-bots", checks=t) as server:
        anna, bob, match = pair(server, "clock=1.5")
        before = cpu_seconds(server)
        t.equal(bob.wait_for("state", status="over")["reason"], "timeout", "the flag falls")
        used = cpu_seconds(server) - before
        t.check(used < 0.5, "a server that waits uses no time of the processor", used)
        t.equal(anna.ask("ping")["type"], "pong", "and then goes on")


def many_flags(t):
    """Deadlines in any order, each at its own match."""
    count = 40
    with Server(BUILD, "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        matches = [anna.ask(f"new clobber white=me black=me clock={(200 + i * 7 % count * 20) / 1000}")["match"]
                   for i in range(count)]
        anna.send(*[f"move {match} b1c1" for match in matches])  # which starts the clock
        over = set()
        while len(over) < count:
            state = anna.wait_for("state", status="over")
            t.equal(state["reason"], "timeout", "reason")
            over.add(state["match"])
        t.equal(len(over), count, "matches lost on time")


def bots_keep_time(t):
    with Server(BUILD, checks=t) as server:
        anna = server.connect("anna")
        for white, black in (("random", "greedy"), ("greedy", "random"), ("greedy", "greedy")):
            for game in ("clobber", "xadrersi"):
                match = anna.ask(f"new {game} white=bot:{white} black=bot:{black} clock=60+1")
                over = anna.wait_for("state", match=match["match"], status="over")
                t.check(over["result"] in ("1-0", "0-1", "1/2-1/2") and
                        over["reason"] in ("no-moves", "score"),
                        f"{game} between bot:{white} and bot:{black}", over["reason"])
                clock = over["clock"]
                t.check(clock["white_ms"] > 0 and clock["black_ms"] > 0, "time is left", clock)


def claims(t):
    with Server(BUILD, "--no-bots", "--grace", "0", checks=t) as server:
        anna, bob, match = pair(server, "")
        bob.close()
        gone = anna.wait_for("presence", match=match)
        t.equal((gone["online"], gone["claim_ms"]), (False, 0), "who has closed is away")
        t.equal(anna.ask("claim")["type"], "ok", "claim")
        t.equal(anna.wait_for("state", status="over")["reason"], "forfeit", "reason")


if __name__ == "__main__":
    sys.exit(Checks("test_clock").run([flag_falls, waiting_costs_nothing, many_flags,
                                       bots_keep_time, claims]))
