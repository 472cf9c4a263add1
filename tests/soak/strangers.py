"""What strangers can do to everybody: each with one address, or with 1,000 networks of 64 bits of one of 48.

usage: strangers.py BUILD [--minutes N] [--networks | --proxy]

A server with the usual limits and a store of 50,000 finished and 4,000 running matches, and a series of 20,000 players, has a probe (probe.py), a player whose line is slow, and newcomers: each second
two of them, from new addresses, take names, open a match with a word, join it and play. First it is quiet, then
each attack runs by itself, then all together for N minutes. The attackers have the last processor, server and probe
the others, and priority over other work if that is allowed. Prints the latencies of the probe beside those of
the quiet, the server's share of a processor and the longest time that a newcomer took for anything. Fails when a newcomer
was refused or the slow player closed.

--networks needs root: everything runs in a network of its own, where 1,000 addresses take all that they get.
--proxy: everybody comes through one proxy, which tells the server their addresses; only all attacks together.
"""
import argparse
import hashlib
import itertools
import json
import multiprocessing
import os
import random
import resource
import selectors
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")
import server
from attacker import Attacker, Target
from harms import HARMS, STORE_HARMS
from harness import BEHIND_PROXY, Connection, Server
from samples import cpu_ns, share

QUIET_S, ALONE_S, SETTLE_S = 60, 30, 2
NETWORK = "fd77:48:1"
SEEDS = {f"seed-{number}": f"{number:032x}" for number in range(400)}  # names and tokens in the store
FINISHED, RUNNING, OF_ONE, LONG, FIRST = 50000, 4000, 1000, 10000, 1000
SCORERS, FIRST_SCORER = 20000, 100000
SLOW_BYTES, SLOW_S = 4096, 0.1


def go_elsewhere():
    """Leaves server and probe the other processors, as an attacker has a machine of its own."""
    os.nice(10)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def nothing(attacker):
    """No attack, but a busy program beside the server: what the machine adds by itself."""
    while True:
        yield


def go_on(harm, target, address, rounds):
    """Harms others, and comes again when the server has had enough."""
    go_elsewhere()
    attacker = Attacker(target, random.Random(), address)
    while True:
        try:
            for _ in harm(attacker):
                rounds.value += 1
        except (OSError, KeyError, ValueError):
            pass
        attacker.leave()
        time.sleep(0.01)


class Network:
    """One network of 64 bits: takes a name, matches and a connection, and keeps what it gets, or tries again."""

    LINES = b"hello n%d\n" + b"new clobber\n" * 110

    def __init__(self, selector, port, number):
        self.selector, self.number, self.socket, self.kept = selector, number, None, False
        self.from_, self.to = (f"{NETWORK}:{number:x}::1", 0), ("fd99::1", port)
        self.begin_at = 0

    def begin(self):
        self.socket = socket.socket(socket.AF_INET6)
        self.socket.setblocking(False)
        self.socket.bind(self.from_)
        self.socket.connect_ex(self.to)
        self.selector.register(self.socket, selectors.EVENT_WRITE, self)

    def go_on(self, events):
        try:
            if events & selectors.EVENT_WRITE:
                self.socket.sendall(self.LINES % self.number)
                self.selector.modify(self.socket, selectors.EVENT_READ, self)
            elif told := self.socket.recv(1 << 16):
                self.kept = self.kept or b'"ok"' in told
            else:
                self.end()
        except OSError:
            self.end()

    def end(self):
        self.selector.unregister(self.socket)
        self.socket.close()
        self.socket, self.kept, self.begin_at = None, False, time.monotonic() + 0.2


def occupy(port, kept):
    """All 1,000 networks, beside what is measured as the other attackers are."""
    go_elsewhere()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    selector = selectors.DefaultSelector()
    networks = [Network(selector, port, number) for number in range(1, 1001)]
    while True:
        for network in networks:
            if network.socket is None and network.begin_at <= time.monotonic():
                network.begin()
        for key, events in selector.select(0.05):
            key.data.go_on(events)
        kept.value = sum(network.kept for network in networks)


def fill_store(build, data):
    """Makes a store in which the first name has a long history and the second many running matches; match 5 is long, and
    a series has many players."""
    with Server(build, "--no-bots", "--data", data) as maker:
        anna, bob = maker.connect("anna"), maker.connect("bob")
        for plies in (3, 2):  # the one is over then, the other goes on
            match = anna.do("new clobber:2x2 black=bob")["match"]
            bob.do(f"join {match}")
            for player, move in ((anna, "a2a1"), (bob, "b2b1"), (anna, "a1b1"))[:plies]:
                player.do(f"move {match} {move}")
    database = sqlite3.connect(os.path.join(data, "ludus.db"))
    columns = [row[1] for row in database.execute("PRAGMA table_info(match)")]
    seen = database.execute("SELECT max(seen_s) FROM player").fetchone()[0]
    database.executemany("INSERT INTO player (id, name, kind, bot, token_hash, seen_s) VALUES (?, ?, 'named', 0, ?, ?)",
                         [(FIRST + number, name, hashlib.blake2b(token.encode(), digest_size=32).digest(), seen)
                          for number, (name, token) in enumerate(SEEDS.items())])

    def multiply(template, first, count, **changed):
        cells = ", ".join(changed.get(name, name) for name in columns)
        database.execute(
            f"WITH RECURSIVE c(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM c WHERE n < {first + count - 1})"
            f" INSERT INTO match ({', '.join(columns)}) SELECT {cells} FROM c, match WHERE match.number = {template}")

    some = f"{FIRST + 2} + n % {len(SEEDS) - 2}"
    multiply(1, 5, 1, number="n", id="n", ended="n", white=str(FIRST), black=some, plies=str(LONG),
             moves=f"replace(hex(zeroblob({LONG})), '00', 'a2a1 0' || char(10))")
    multiply(1, 10, FINISHED, number="n", id="n", ended="n", white=str(FIRST), black=some)
    multiply(2, 100000, RUNNING, number="n", id="n", creator=some, black=some,
             white=f"iif(n < {100000 + OF_ONE}, {FIRST + 1}, {FIRST + 2} + n * 7 % {len(SEEDS) - 2})")
    database.execute("INSERT INTO player (id, name, kind, bot, seen_s)"
                     f" WITH RECURSIVE c(n) AS (SELECT {FIRST_SCORER} UNION ALL SELECT n + 1 FROM c WHERE n < {FIRST_SCORER + SCORERS - 1})"
                     " SELECT n, 'scorer-' || n, 'guest', 0, 0 FROM c")
    database.execute("UPDATE counter SET guests_seen = (SELECT max(id) FROM player)")  # or they would go
    database.execute("INSERT INTO series VALUES ('seeds', ?, 'clobber', '2x2', 20)", [FIRST])
    database.execute("INSERT INTO series_score SELECT 'seeds', id, 1, id * 7919 % 41, 20, 20, 30000 FROM player WHERE id >= ?",
                     [FIRST_SCORER])
    database.commit()
    database.close()


class Newcomers(threading.Thread):
    """Friends who meet on the server, a pair each second."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.took, self.refused, self.count = port, [], [], 0
        self.start()

    def do(self, peer, line):
        begun = time.monotonic()
        reply = peer.ask(line)
        self.took.append(time.monotonic() - begun)
        if reply["type"] == "error":
            self.refused.append((line, reply))
        return reply

    def enter(self, number):
        begun = time.monotonic()
        peer = Connection(self.port, address=f"127.{20 + number // 60000}.{number // 250 % 240}.{number % 250 + 1}")
        self.took.append(time.monotonic() - begun)
        self.do(peer, f"hello friend-{number}")
        return peer

    def meet(self, number):
        one, two = self.enter(2 * number), self.enter(2 * number + 1)
        tournament = self.do(one, "tournament new Friends clobber:2x2 format=swiss").get("tournament")
        self.do(one, f"tournament abort {tournament}")
        match = self.do(one, "new clobber:2x2 code=tulip")["match"]
        self.do(two, f"join {match} code=tulip")
        for peer, move in ((one, "a2a1"), (two, "b2b1"), (one, "a1b1")):
            self.do(peer, f"move {match} {move}")
        one.socket.close()
        two.socket.close()

    def run(self):
        for number in itertools.count():
            try:
                self.meet(number)
            except Exception as error:  # the server has closed one
                self.refused.append((number, repr(error)))
            self.count += 1
            time.sleep(1)

    def take(self):
        """Returns the longest time, how many there were and who was refused, since the last call."""
        found = max(self.took, default=0), self.count, self.refused
        self.took, self.count, self.refused = [], 0, []
        return found


class Slow(threading.Thread):
    """A player with a running match and a slow line."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.peer, self.closed = Connection(port, "slow", receive_buffer=4096), False
        friend = Connection(port, "slowest")
        self.match = self.peer.ask("new clobber:10x10 black=slowest")["match"]
        friend.ask(f"join {self.match}")
        self.peer.socket.settimeout(SLOW_S)
        self.friend, self.done = friend, False
        self.start()

    def run(self):
        while not self.closed and not self.done:
            self.closed = self.read_some() == b""
            self.friend.socket.send(b"\n")
            time.sleep(SLOW_S)

    def read_some(self):
        """Returns what there is, or None; nothing at the end."""
        try:
            self.peer.socket.send(b"\n")
            return self.peer.socket.recv(SLOW_BYTES)
        except TimeoutError:
            return None  # nobody talks
        except OSError:
            return b""


class Probe:
    def __init__(self, port):
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "probe.py"), str(port)], text=True,
                                        stdout=subprocess.PIPE)
        self.pings, self.moves = [], []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            told = json.loads(line)
            self.pings += told["pings"]
            self.moves += told["moves"]

    def take(self):
        """Returns p50 and p99 of pings and moves since the last call."""
        found = [share(of, part) for of in (self.pings, self.moves) for part in (0.5, 0.99)]
        self.pings, self.moves = [], []
        return found


class Run:
    def __init__(self, build, folder, proxy):
        data = os.path.join(folder, "store")
        fill_store(build, data)
        if proxy:
            os.environ[BEHIND_PROXY] = "yes"
        self.server = server.start(build, folder, "--data", data, "--keep-finished", "100", "--listen", "[::]:0",
                                   *(("--trusted-proxy", "127.0.0.1") if proxy else ()))
        self.probe, self.slow = Probe(self.server.port), Slow(self.server.port)
        self.newcomers = Newcomers(self.server.port)
        self.quiet, self.failed, self.attacks = None, [], 0
        processors = sorted(os.sched_getaffinity(0))
        for pid in (self.server.process.pid, self.probe.process.pid):
            os.sched_setaffinity(pid, processors[:-1] or processors)
        try:
            for pid in (self.server.process.pid, 0):
                os.setpriority(os.PRIO_PROCESS, pid, -10)
            # Players have machines of their own: an answer is there, even if the server goes on with the next one.
            os.sched_setscheduler(self.probe.process.pid, os.SCHED_RR, os.sched_param(1))
        except PermissionError:
            print("without priority over other work: the machine counts, too")

    def measure(self, name, seconds):
        time.sleep(SETTLE_S)
        self.probe.take()
        self.newcomers.take()
        begun, cpu = time.monotonic(), cpu_ns(self.server.process.pid)
        time.sleep(seconds)
        busy = (cpu_ns(self.server.process.pid) - cpu) / (time.monotonic() - begun) / 1e7
        found, (longest, count, refused) = self.probe.take(), self.newcomers.take()
        self.quiet = self.quiet or found
        cells = [f"{ms:.2f} ({ms / quiet:.1f})" for ms, quiet in zip(found, self.quiet)]
        print(f"| {name} | {' | '.join(cells)} | {busy:.0f} % | {count} | {len(refused)} | {longest * 1000:.0f} |", flush=True)
        self.failed += [f"{name}: {item}" for item in refused[:3]]

    def attack(self, name, seconds, harms):
        """All of them come from an address that nobody has had before."""
        target = Target(self.server.port, self.server.tls_port, people=["slow"])
        target.tokens.update(SEEDS)
        self.attacks += 1
        rounds = [multiprocessing.Value("Q", 0, lock=False) for _ in harms]
        crowd = [multiprocessing.Process(target=go_on, args=(harm, target, f"127.9.{self.attacks}.1", count))
                 for harm, count in zip(harms, rounds)]
        for process in crowd:
            process.start()
        self.measure(name, seconds)
        for process in crowd:
            process.kill()
            process.join()
        if len(harms) == 1 and rounds[0].value == 0:
            self.failed.append(f"{name}: not one round went through")

    def one_address(self, minutes, alone):
        self.attack("a busy program", ALONE_S, [nothing])
        harms = HARMS + STORE_HARMS
        for harm in harms if alone else ():
            self.attack(harm.__name__, ALONE_S, [harm])
        self.attack("as many busy programs", QUIET_S, [nothing] * len(harms))
        self.attack("all of them", minutes * 60, harms)

    def networks(self, seconds):
        self.attack("a busy program", QUIET_S, [nothing])
        kept = multiprocessing.Value("i", 0, lock=False)
        multiprocessing.Process(target=occupy, args=(self.server.port6, kept), daemon=True).start()
        self.measure("1,000 /64 of one /48", seconds)
        print(f"they keep {kept.value} connections")
        if kept.value == 0:
            self.failed.append("the networks did not reach the server")

    def end(self):
        if self.slow.closed:
            self.failed.append("the slow player was closed")
        self.slow.done = True
        if self.probe.process.poll() is not None:
            self.failed.append("the probe was closed")
        self.probe.process.kill()
        code = self.server.stop()
        if code != 0:
            self.failed.append(f"the server ends with {code}: {self.server.read_log()[-2000:]}")
        print("\n".join(f"FAILED: {text}" for text in self.failed) or "nobody was refused or closed")
        return 1 if self.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--networks", action="store_true")
    parser.add_argument("--proxy", action="store_true")
    options = parser.parse_args()
    if options.networks:
        for words in ("link set lo up", "-6 route add local fd77::/16 dev lo", "-6 addr add fd99::1/128 dev lo nodad"):
            subprocess.run(["ip", *words.split()], check=True)
        with open("/proc/sys/net/ipv6/ip_nonlocal_bind", "w") as setting:
            setting.write("1")
    print("| attack | ping p50, ms (times) | p99 | move p50 | p99 | server | newcomers | refused | longest, ms |\n"
          "|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options.build, folder, options.proxy)
        run.measure("none", QUIET_S)
        if options.networks:
            run.networks(options.minutes * 60)
        else:
            run.one_address(options.minutes, alone=not options.proxy)
        return run.end()


if __name__ == "__main__":
    sys.exit(main())
