"""A well-behaved peer that measures the latency of a server.

usage: probe.py PORT

Sends 20 pings a second and plays a match against itself at five moves a second. Prints a line of JSON
each second, with the latencies in milliseconds.
"""
import json
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Connection

INTERVAL_S, PINGS_FOR_A_MOVE = 0.05, 4


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
        self.timed("ping", [])
        if self.state is None or self.state["status"] == "over":
            self.timed("new clobber:8x8 white=me black=me", [])
            self.timed("ping", [])
        else:
            self.timed(f"move {self.state['match']} {self.state['legal'][0]}", self.moves)

    def tell(self):
        print(json.dumps({"pings": self.pings, "moves": self.moves}), flush=True)
        self.pings, self.moves = [], []


def main():
    probe, at, count = Probe(int(sys.argv[1])), time.monotonic(), 0
    while True:
        at = max(at + INTERVAL_S, time.monotonic())
        time.sleep(max(0, at - time.monotonic()))
        probe.timed("ping", probe.pings)
        count += 1
        if count % PINGS_FOR_A_MOVE == 0:
            probe.move()
        if count % 20 == 0:
            probe.tell()


if __name__ == "__main__":
    main()
