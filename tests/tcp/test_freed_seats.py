"""A seat that becomes free takes a match back to its start: after a restart, too, whatever was offered before."""
import os
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder, wait_until

GAMES = ("clobber:5x6", "clobber:3x4", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti")
OFFERS = ("draw", "undo", "decline", None)
MOVES = 30
FIRST_MOVE_S = 1


class Freed:
    """A match whose opener moves, and whose guest offers something and loses the seat: by kick, or for the first move."""

    def __init__(self, game, offer, kicked):
        self.game, self.offer, self.kicked = game, offer, kicked

    def begin(self, opener, stranger, rng):
        seat = rng.choice(("white", "black")) if self.kicked else "white"
        free = "black" if seat == "white" else "white"
        self.match = opener.ask(f"new {self.game} {seat}=me {free}=open")["match"]
        stranger.ask(f"join {self.match}")
        white = opener if seat == "white" else stranger
        white.ask(f"move {self.match} {rng.choice(white.ask(f'moves {self.match}')['moves'])}")
        if self.offer == "decline":
            opener.ask(f"draw {self.match}")
        if self.offer is not None:
            stranger.ask(f"{self.offer} {self.match}")

    def go_on(self, opener, friend, rng):
        friend.ask(f"join {self.match}")
        for _ in range(MOVES):
            state = opener.ask(f"state {self.match}")
            if state["status"] != "playing":
                break
            mover = opener if state["turn"] == state["you"] else friend
            mover.ask(f"move {self.match} {rng.choice(mover.ask(f'moves {self.match}')['moves'])}")
        self.record = opener.ask(f"record {self.match}")
        self.state = opener.ask(f"state {self.match}")


def survive(checks, durability, killed):
    folder = tempfile.mkdtemp(prefix="freed-", dir=build_folder())
    rng = random.Random(5)
    matches = [Freed(game, offer, kicked) for game in GAMES for offer in OFFERS for kicked in (True, False)]
    try:
        with Server(build_folder(), "--no-bots", "--data", os.path.join(folder, "data"), "--durability", durability,
                    "--first-move", str(FIRST_MOVE_S), "--rate", "0", checks=checks) as server:
            anna, bob, carl = server.connect("anna"), server.connect("bob"), server.connect("carl")
            for freed in [each for each in matches if not each.kicked]:
                freed.begin(anna, bob, rng)
            time.sleep(FIRST_MOVE_S)
            for freed in [each for each in matches if each.kicked]:
                freed.begin(anna, bob, rng)
                checks.equal(anna.ask(f"kick {freed.match}")["type"], "ok", "the kick")
            for freed in matches:
                wait_until(lambda freed=freed: anna.ask(f"state {freed.match}")["status"] == "open", "the free seat")
                freed.go_on(anna, carl, rng)
            (server.kill if killed else server.stop)()
            server.again()
            dora = server.connect("dora")
            checks.equal(dora.ask("stats")["matches_broken"], 0, "none is broken")
            for freed in matches:
                about = (freed.game, freed.offer, "kick" if freed.kicked else "first move")
                checks.equal(dora.ask(f"record {freed.match}"), freed.record, f"the record: {about}")
                state = dora.ask(f"state {freed.match}")
                for what in ("status", "ply", "position", "offers", "result"):
                    checks.equal(state[what], freed.state[what], f"the {what}: {about}")
    finally:
        shutil.rmtree(folder)


def process_killed(checks):
    survive(checks, "process", True)


def power_killed(checks):
    survive(checks, "power", True)


def process_stopped(checks):
    survive(checks, "process", False)


def power_stopped(checks):
    survive(checks, "power", False)


if __name__ == "__main__":
    sys.exit(Checks("test_freed_seats").run([process_killed, power_killed, process_stopped, power_stopped], at_once=4))
