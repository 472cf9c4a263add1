"""How much longer others wait while one peer sends commands without waiting for answers.

usage: fairness.py BUILD [ROUNDS [COMMAND...]]

Someone well-behaved sends a thousand pings a second, in rounds of half a second: in turn without and with the
peer who pipelines the command as fast as he is served. Prints, for each command, the median of the
rounds' p50 and p99 in milliseconds. The server has no limit on the rate of commands, so this is the
worst that a peer can do; 200 matches are open, and as many people known. Where it may, it puts the server
and the one who waits before all else on the machine, a second at a time.
"""
import os
import select
import socket
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, os.pardir, "tcp"))
from harness import Connection, Server, wait_until
from samples import share

COMMANDS = ("ping", "move x a1b1", "moves 1", "state 1", "list", "help", "new clobber white=me black=me")
ROUND_S, PINGS_A_SECOND, BATCH = 0.5, 1000, 500


def flood(port, command):
    """Pipelines while standard input says so: a line `go`, a line `stop`."""
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
    """The process of the peer who pipelines."""

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
    """Waiting times of one round's pings, in milliseconds."""
    times, begun = [], time.monotonic()
    for i in range(int(PINGS_A_SECOND * ROUND_S)):
        time.sleep(max(0, begun + i / PINGS_A_SECOND - time.monotonic()))
        sent = time.monotonic()
        peer.send("ping")
        peer.read()
        times.append((time.monotonic() - sent) * 1000)
    return times


def populate(server):
    """Matches to be listed, and people."""
    people = []
    for i in range(200):
        person = server.connect(f"person-{i}")
        person.ask("new clobber black=open")
        people.append(person)
    return people


def put_first(pid, place):
    """Has the system run that process before all else, so that other work on the machine is not felt;
    that takes root."""
    try:
        os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(place))
    except PermissionError:
        pass


def compare(server, command, rounds):
    """Medians of (p50, p99) without the flood and with it."""
    peer, flooder = Connection(server.port, None), Flood(server.port, command)
    peer.ask("set legal=off")
    put_first(server.process.pid, 1)
    put_first(0, 2)
    found = {"stop": [], "go": []}
    for _ in range(rounds):
        for word in ("stop", "go"):
            flooder.tell(word)
            one_round(peer) if not found["stop"] else None  # the first is for getting warm
            times = one_round(peer)
            found[word].append((share(times, 0.5), share(times, 0.99)))
    flooder.end()
    peer.close()
    wait_until(lambda: server.witness.ask("stats")["connections"] == 201, "the flooder's end")
    return [tuple(statistics.median(column) for column in zip(*found[word])) for word in ("stop", "go")]


def measure(build, rounds, commands, *options):
    """For each command ((p50, p99) without, (p50, p99) with the flood)."""
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
