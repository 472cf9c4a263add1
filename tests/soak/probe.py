"""A well-behaved peer that measures the latency of a server.

usage: probe.py PORT

Sends 20 pings and plays a match against itself at 20 moves a second, in turn. Prints a line of JSON each second,
with the latencies in milliseconds.
"""
import itertools
import json
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Connection

INTERVAL_S = 0.025


class Probe:
    def __init__(self, port):
        self.peer = Connection(port, "probe")
        self.state = None
        self.pings, self.moves = [], []

    def timed(self, line, into):
        """Returns the reply, and keeps a state that comes before it."""
        begun = time.monotonic()
        self.peer.send("#q " + line)
        while True:
            message = self.peer.read()
            if message is None or message["type"] in ("error", "bye"):
                raise RuntimeError(f"the probe is told {message}")
            if message.get("id") == "q":
                into.append(round((time.monotonic() - begun) * 1000, 3))
                return message
            if message["type"] == "state":
                self.state = message

    def move(self):
        """Moves, then reads what comes of it: so the next move goes at once when its time has come."""
        if self.state is None or self.state["status"] == "over":
            self.timed("new clobber:8x8 white=me black=me", [])
        else:
            self.timed(f"move {self.state['match']} {self.state['legal'][0]}", self.moves)
        self.timed("ping", [])

    def tell(self):
        print(json.dumps({"pings": self.pings, "moves": self.moves}), flush=True)
        self.pings, self.moves = [], []


def main():
    probe, at = Probe(int(sys.argv[1])), time.monotonic()
    for count in itertools.count():
        at = max(at + INTERVAL_S, time.monotonic())
        time.sleep(max(0, at - time.monotonic()))
        if count % 2 == 0:
            probe.timed("ping", probe.pings)
        else:
            probe.move()
        if count % 40 == 39:
            probe.tell()


if __name__ == "__main__":
    main()
