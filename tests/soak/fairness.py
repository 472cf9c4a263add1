"""How much longer others wait while one peer pipelines commands.

usage: fairness.py BUILD [ROUNDS [COMMAND...]]

A well-behaved peer sends a thousand pings a second, in rounds of half a second, by turns without and
with a peer that pipelines the command at full speed. Prints, for each command, the median of the rounds'
p50 and p99 in milliseconds. The server has no limit on the rate of commands, so this is the worst case;
it has 200 open matches and as many players. With enough privileges, server and waiting peer get priority
over the rest of the machine, a second at a time.
"""
import os
import select
import socket
import statistics
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Connection, Server, wait_until
from samples import share

COMMANDS = ("ping", "move x a1b1", "moves 1", "state 1", "list", "help", "new clobber white=me black=me")
ROUND_S, PINGS_A_SECOND, BATCH = 0.5, 1000, 500


def flood(port, command):
    """Pipelines between the lines `go` and `stop` on standard input."""
    data = (command + "\n").encode() * BATCH
    for line in sys.stdin:
        if line != "go\n":
            continue
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.setblocking(False)
            left = data
            print("goes", flush=True)
            while not select.select([sys.stdin], [], [], 0)[0]:
                readable, writable, _ = select.select([peer], [peer], [], 1)
                if readable and not peer.recv(1 << 20):
                    break
                if writable:
                    left = left[peer.send(left):] or data


class Flood:
    """The process of the pipelining peer."""

    def __init__(self, port, command):
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--flood", str(port), command], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        if word == "go":
            self.process.stdout.readline()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def one_round(peer):
    """Returns the latencies of one round's pings in milliseconds."""
    times, begun = [], time.monotonic()
    for i in range(int(PINGS_A_SECOND * ROUND_S)):
        time.sleep(max(0, begun + i / PINGS_A_SECOND - time.monotonic()))
        sent = time.monotonic()
        peer.send("ping")
        peer.read()
        times.append((time.monotonic() - sent) * 1000)
    return times


def populate(server):
    """Creates matches and people to be listed."""
    people = []
    for i in range(200):
        person = server.connect(f"person-{i}")
        person.ask("new clobber black=open")
        people.append(person)
    return people


def put_first(pid, place):
    """Gives the process priority over other work on the machine; needs root."""
    try:
        os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(place))
    except PermissionError:
        pass


def compare(server, command, rounds):
    """Returns the medians of (p50, p99) without the flood and with it."""
    peer, flooder = Connection(server.port, None), Flood(server.port, command)
    peer.ask("set legal=off")
    put_first(server.process.pid, 1)
    put_first(0, 2)
    found = {"stop": [], "go": []}
    for _ in range(rounds):
        for word in ("stop", "go"):
            flooder.tell(word)
            one_round(peer) if not found["stop"] else None  # the first one is a warm-up
            times = one_round(peer)
            found[word].append((share(times, 0.5), share(times, 0.99)))
    flooder.end()
    peer.close()
    wait_until(lambda: server.witness.ask("stats")["connections"] == 201, "the flooder's end")
    return [tuple(statistics.median(column) for column in zip(*found[word])) for word in ("stop", "go")]


def measure(build, rounds, commands, *options):
    """Returns ((p50, p99) without, (p50, p99) with the flood) for each command."""
    table = {}
    for command in commands:
        with Server(build, "--no-bots", "--rate", "0", "--max-matches", "1000000", "--max-unfinished",
                    "1000000", "--max-errors", "1000000", "--idle", "600", *options) as server:
            server.people, server.witness = populate(server), server.connect()
            table[command] = compare(server, command, rounds)
    return table


def lines(table):
    yield f"{'pipelined':32}{'p50 without':>12}{'with':>8}{'p99 without':>13}{'with':>8}{'times':>7}"
    for command, ((p50, p99), (p50_with, p99_with)) in table.items():
        yield (f"{command:32}{p50:12.3f}{p50_with:8.3f}{p99:13.3f}{p99_with:8.3f}"
               f"{p99_with / p99:7.2f}")


def main():
    if sys.argv[1] == "--flood":
        flood(int(sys.argv[2]), sys.argv[3])
        return
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for line in lines(measure(sys.argv[1], rounds, sys.argv[3:] or COMMANDS)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
