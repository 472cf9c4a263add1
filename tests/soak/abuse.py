"""What each attack costs a server: memory and processor time, by name.

usage: abuse.py BUILD [ATTACK...]

For each attack a new ludusd with its usual limits, those of an address included; but it remembers only
200 names and 100 finished matches, so that these do not grow. 40 matches go on there. Then three waves
of 8 attackers, each with an address of his own: all do their worst and hold on to what they have, then
all leave.

Tells how much memory the server had before, at most, and after the first and the last wave; the share
of one attacker; what the system keeps for one of his connections; the processor time that the server
took for one of them. Fails when an attacker holds more than 1 MiB, or the system keeps more than a
quarter of that for a connection, when what he held is not there for the next one, or when a match was
harmed. Then it takes all descriptors away.
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
sys.path.append(os.path.join(HERE, os.pardir, "tcp"))
import samples
import server
from attacker import Attacker, Target
from attacks import ATTACKS
from harness import wait_until
from players import QUICK_GAMES

WAVES, ATTACKERS = 3, 8
SHARE_KIB = 1024           # of one attacker
SYSTEM_KIB = 256           # for one connection
KEPT_KIB = 512             # by all waves after the first: what the matches need by themselves
LOOK_S = 0.01              # between looks at the memory
MATCHES, PACE_S, IDLE_S = 40, 0.2, 1


class Stage:
    """A server with matches that go on, and someone who looks at it."""

    def __init__(self, build, folder, *options):
        self.server = server.start(build, folder, "--no-bots", "--keep-finished", "100", "--max-names",
                                   "200", *options)
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
        """What has gone wrong, if anything."""
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
    """Looks at the memory again and again in a thread, and when it is asked to."""

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
        pass  # he was thrown out, as he should be


def wave(stage, attack, number):
    """KiB at most with the attackers there, after they have left, and kept by the system for one of
    their connections; and milliseconds of processor that one attacker took."""
    crowd = [Attacker(stage.target, random.Random(number * 100 + i), f"127.5.{number}.{i + 1}",
                      f"known-{i}") for i in range(ATTACKERS)]
    idle_begun, idle_cpu = time.monotonic(), samples.cpu_ns(stage.pid)
    time.sleep(IDLE_S)
    peak, begun, cpu = Peak(stage.pid), time.monotonic(), samples.cpu_ns(stage.pid)
    idle = (cpu - idle_cpu) / (begun - idle_begun)  # what the matches take
    for attacker in crowd:
        attack_once(attack, attacker)
    stage.witness.ask("ping")
    connections = sum(len(attacker.peers) for attacker in crowd)
    kept = samples.socket_kib(stage.server.port) / max(1, connections)
    peak.take()  # with all of them there, however short it was
    for attacker in crowd:
        attacker.leave()
    wait_until(lambda: stage.connections() <= stage.base, "the attackers' end")
    own = samples.cpu_ns(stage.pid) - cpu - idle * (time.monotonic() - begun)
    return peak.end(), samples.rss_kib(stage.pid), kept, max(0, own) / ATTACKERS / 1e6


def measure(build, folder, attack, *options):
    """The row of one attack, and what is wrong."""
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
    """Lines about a server that has no descriptor left, and what is wrong."""
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
