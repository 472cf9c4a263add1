"""The cost of each attack to a server: memory and processor time.

usage: abuse.py BUILD [ATTACK...]

Each attack gets a new ludusd with 40 running matches and the usual limits, those of an address included,
except that it keeps only 200 names and 100 finished matches, so that these do not grow. Three waves of 8
attackers follow, each from its own address: all do their worst, keep what they get, and leave.

Prints the server's memory before, at most, and after the first and the last wave; one attacker's share;
the kernel's memory for one of its connections; and the processor time for one attacker. Fails when an
attacker occupies more than 1 MiB, or the kernel more than a quarter of that for a connection, when the
next wave cannot reuse the memory, or when a match was harmed. Finally it takes all descriptors away.
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")
import samples
import server
from attacker import Attacker, Target
from attacks import ATTACKS
from harness import wait_until
from players import QUICK_GAMES

WAVES, ATTACKERS = 3, 8
SHARE_KIB = 1024           # of one attacker
SYSTEM_KIB = 256           # for one connection
KEPT_KIB = 512             # by all waves after the first: the needs of the matches themselves
LOOK_S = 0.01              # between memory samples
MATCHES, PACE_S, IDLE_S = 40, 0.2, 1


class Stage:
    """A server with running matches and a probe."""

    def __init__(self, build, folder, *options):
        self.server = server.start(build, folder, "--no-bots", "--challenges", "0", "--keep-finished",
                                   "100", "--max-names", "200", *options)
        self.pid, self.played = self.server.process.pid, {}
        self.players = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "players.py"), build, str(self.server.port), folder,
             str(MATCHES), str(PACE_S), "1", QUICK_GAMES], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self.listen, daemon=True).start()
        wait_until(lambda: self.played.get("finished", 0) >= 100, "matches")
        self.witness = self.server.connect("witness")
        self.base = self.connections()
        self.target = Target(self.server.port, self.server.tls_port, people=["soak-0", "soak-1"])

    def listen(self):
        for line in self.players.stdout:
            self.played.update(json.loads(line))

    def connections(self):
        return self.witness.ask("stats")["connections"]

    def end(self):
        """Returns the errors, if any."""
        wrong = []
        self.players.stdin.write("end\n")
        self.players.stdin.flush()
        if self.players.wait() != 0:
            wrong.append("the players broke")
        self.players.stdin.close()
        if self.played["faults"] or self.played["finished"] != self.played["verified"]:
            wrong += self.played["shown"] or ["not all matches went by the rules"]
        if (code := self.server.stop()) != 0:
            wrong.append(f"the server ends with {code}: {self.server.read_log()[-2000:]}")
        return wrong


class Peak:
    """Samples the memory in a thread, and on request."""

    def __init__(self, pid):
        self.pid, self.most, self.done = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        while not self.done.wait(LOOK_S):
            self.take()

    def take(self):
        self.most = max(self.most, samples.rss_kib(self.pid))

    def end(self):
        self.done.set()
        self.thread.join()
        return self.most


def attack_once(attack, attacker):
    try:
        attack(attacker)
    except OSError:
        pass  # disconnected, as expected


def wave(stage, attack, number):
    """Returns KiB at most during the wave, after it, and in the kernel for one connection, and the
    milliseconds of processor time for one attacker."""
    crowd = [Attacker(stage.target, random.Random(number * 100 + i), f"127.5.{number}.{i + 1}",
                      f"known-{i}") for i in range(ATTACKERS)]
    idle_begun, idle_cpu = time.monotonic(), samples.cpu_ns(stage.pid)
    time.sleep(IDLE_S)
    peak, begun, cpu = Peak(stage.pid), time.monotonic(), samples.cpu_ns(stage.pid)
    idle = (cpu - idle_cpu) / (begun - idle_begun)  # the share of the matches
    for attacker in crowd:
        attack_once(attack, attacker)
    stage.witness.ask("ping")
    connections = sum(len(attacker.peers) for attacker in crowd)
    kept = samples.socket_kib(stage.server.port) / max(1, connections)
    peak.take()  # with all of them connected, however briefly
    for attacker in crowd:
        attacker.leave()
    wait_until(lambda: stage.connections() <= stage.base, "the attackers' end")
    own = samples.cpu_ns(stage.pid) - cpu - idle * (time.monotonic() - begun)
    return peak.end(), samples.rss_kib(stage.pid), kept, max(0, own) / ATTACKERS / 1e6


def measure(build, folder, attack, *options):
    """Returns the row of one attack, and its errors."""
    stage = Stage(build, folder, *options)
    before = samples.rss_kib(stage.pid)
    waves = [wave(stage, attack, i) for i in range(WAVES)]
    share, by_system = max(0, waves[0][0] - before) / ATTACKERS, max(w[2] for w in waves)
    grown = waves[-1][1] - waves[0][1]
    wrong = stage.end()
    if share > SHARE_KIB:
        wrong.append(f"an attacker holds {share:.0f} KiB")
    if by_system > SYSTEM_KIB:
        wrong.append(f"the system keeps {by_system:.0f} KiB for a connection")
    if grown > max(KEPT_KIB, waves[0][0] - before):
        wrong.append(f"the last waves left {grown:.0f} KiB more")
    row = (f"| {attack.__name__} | {before} | {max(w[0] for w in waves)} | {waves[0][1]} | "
           f"{waves[-1][1]} | {share:.0f} | {by_system:.0f} | {sum(w[3] for w in waves) / WAVES:.1f} |")
    return row, wrong


def no_descriptors(build, folder):
    """Returns lines about a server without free descriptors, and errors."""
    stage = Stage(build, folder)
    moves, most = stage.witness.ask("stats")["moves_total"], resource.prlimit(
        stage.pid, resource.RLIMIT_NOFILE)[1]
    resource.prlimit(stage.pid, resource.RLIMIT_NOFILE, (samples.descriptors(stage.pid), most))
    crowd = Attacker(stage.target, random.Random(1), "127.5.0.1")
    cpu, begun = samples.cpu_ns(stage.pid), time.monotonic()
    for _ in range(90):
        attack_once(lambda attacker: attacker.connect(), crowd)
    time.sleep(3)
    passed = time.monotonic() - begun
    busy = (samples.cpu_ns(stage.pid) - cpu) / passed / 1e7
    played = stage.witness.ask("stats")["moves_total"] - moves
    logged = stage.server.read_log().count("refused")
    resource.prlimit(stage.pid, resource.RLIMIT_NOFILE, (most, most))
    crowd.leave()
    begun = time.monotonic()
    newcomer = stage.server.connect()
    again = time.monotonic() - begun
    wrong = stage.end()
    for good, text in ((newcomer.greeting["type"] == "hello", "nobody is let in again"),
                       (again < 1, f"it took {again:.2f} s to be let in again"),
                       (busy < 50, f"the server is busy: {busy:.0f} %"), (played, "no move was played"),
                       (logged <= passed + 1, f"{logged} lines of log in {passed:.1f} s")):
        if not good:
            wrong.append(text)
    return [f"No descriptor left for {passed:.1f} s, 90 connections waiting: the server took "
            f"{busy:.1f} % of a core, matches included, wrote {logged} lines of log, and {played} moves "
            f"were played; with descriptors again somebody new was let in after {again * 1000:.0f} ms."
            ], wrong


def main():
    build, *names = sys.argv[1:]
    failed = 0
    print("| attack | before, KiB | most | after one wave | after three | one attacker | system, a connection | "
          "processor, ms |\n|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for attack in ATTACKS:
            if not names or attack.__name__ in names:
                row, wrong = measure(build, folder, attack)
                print("\n".join([row, *(f"FAILED: {text}" for text in wrong)]), flush=True)
                failed += len(wrong)
        if not names:
            lines, wrong = no_descriptors(build, folder)
            print("\n".join(["", *lines, *(f"FAILED: {text}" for text in wrong)]))
            failed += len(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
