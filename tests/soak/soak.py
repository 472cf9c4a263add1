"""A long run of a server with matches and attacks at once.

usage: soak.py BUILD [--minutes M] [--matches N] [--pace S] [--seed N] [--folder DIR]

Starts a ludusd with a store, keeps N matches running (players.py), measures the latency for a
well-behaved peer (probe.py) and runs the attacks (attacks.py): each one for a while, then no free
descriptors, then all attacks together, then quiet, and so on. From half-time on the server requires a
join code. At the end it counts everything, restarts the server and asks for all matches again. DIR
(BUILD/soak) gets samples.csv, a row every ten seconds, and summary.txt.
"""
import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")
import samples
import server
from attacker import CROWD, Attacker, Target
from attacks import ATTACKS, MATCHES_OPENED, connects, opens_everything
from harness import Server, wait_until
from players import PLAYERS, QUICK_GAMES, fingerprint
from samples import Samples, Waits, share, slope

BOTS = ["bot:random", "bot:greedy"]             # of the house
GUESTS = {"rando": "random", "greta": "greedy"}  # ludus-bots that connect by themselves
CODE = "sesam-open"
CONNECTIONS_MAX = 400
ADDRESSES = 4096 + 300     # more than the server remembers: ORIGINS_IDLE_MAX in server/model/origin.h
UNIT_S = 5                 # of one attack
UNITS = len(ATTACKS) + 1 + 4 + 3  # of a round: each attack, no descriptors, all together, quiet
SAMPLE_S = 10
WARM_UP = 1 / 2            # of the time, while caches and limits fill, again after the join code
LEAK_BYTES = 32            # the smallest block that malloc gives
LONG_S = 1200              # below this, growth cannot be told from chance
END_S = 10                 # for programs that are told to end
AGAIN_S = 1                # the limit for accepting connections once descriptors are free again
BUSY_PERCENT = 60          # share of processor time that means spinning without descriptors


class Soak:
    """One run. `short`: only all attacks at once, quick games, and no limits on times, for a test on any
    machine."""

    def __init__(self, build, minutes, matches, pace_s, seed, folder, short=False):
        self.build, self.seconds, self.matches, self.pace_s = build, minutes * 60, matches, pace_s
        self.rng, self.folder, self.short = random.Random(seed), folder, short
        self.unit_s = min(UNIT_S, self.seconds / UNITS)
        self.phase, self.problems = "start", []
        self.attacks, self.thrown_out = {}, 0   # number of times for each
        self.again_s, self.busy_percent = [], []
        self.quiet_rss = []                      # (seconds, KiB) at the end of each quiet time
        self.played, self.waits, self.worst = {}, Waits(), {}
        self.programs, self.ending, self.sampler = [], threading.Event(), None

    def problem(self, text):
        print("soak: FAILED:", text, flush=True)
        self.problems.append(text)

    # Starting

    def start_server(self):
        self.data = os.path.join(self.folder, "data")
        self.config = os.path.join(self.folder, "ludusd.conf")
        open(self.config, "w").close()
        self.server = server.start(
            self.build, self.folder, "--data", self.data, "--config", self.config, "--bots",
            ",".join(bot.split(":")[1] for bot in BOTS), "--max-connections", str(CONNECTIONS_MAX),
            "--max-matches", str(MATCHES_OPENED), "--max-names", "2000", "--keep-finished", "500",
            "--first-line", "5", "--idle", "20", "--slow", "5", "--challenges", "0",
            "--address-kept", "1000")  # all players have one address
        self.pid = self.server.process.pid
        self.target = Target(self.server.port, self.server.tls_port,
                             people=["soak-0", "soak-1", *GUESTS], bots=BOTS)

    def run_program(self, words, hear=None):
        """Starts a program that runs to the end, and passes each line of its output to hear()."""
        program = subprocess.Popen(words, stdin=subprocess.PIPE, text=True,
                                   stdout=subprocess.PIPE if hear else subprocess.DEVNULL)
        self.programs.append((words, program))

        def listen():
            for line in program.stdout:
                hear(json.loads(line))
        if hear:
            threading.Thread(target=listen, daemon=True).start()
        return program

    def start_players(self):
        for name, level in GUESTS.items():
            self.run_program([os.path.join(self.build, "ludus-bot"), "--connect", self.server.address,
                              "--name", name, "--level", level, "--max-matches", "1000", "--first-move", "0", "--quiet"])
        witness = self.server.connect()
        wait_until(lambda: {*BOTS, *GUESTS} <= {row["name"] for row in witness.ask("who")["players"]},
                   "the bots")
        witness.close()
        self.players = self.run_program(
            [sys.executable, os.path.join(HERE, "players.py"), self.build, str(self.server.port),
             self.folder, str(self.matches), str(self.pace_s), str(self.rng.getrandbits(31)),
             QUICK_GAMES if self.short else "all", *BOTS, *GUESTS], self.played.update)
        self.run_program([sys.executable, os.path.join(HERE, "probe.py"), str(self.server.port)],
                         self.waits.add)
        wait_until(lambda: self.played.get("running", 0) >= 0.95 * self.matches, "the matches")

    def nobody_else_is_here(self):
        return samples.metrics(self.server.metrics_port)["ludus_connections"] == \
            2 * PLAYERS + len(BOTS) + len(GUESTS) + 1

    # Measuring

    def sample(self):
        own = samples.metrics(self.server.metrics_port)
        pings, moves = self.waits.take()
        self.note_waits(pings, moves)
        self.samples.add({
            "s": round(time.monotonic() - self.begun, 1), "phase": self.phase,
            "rss_kib": samples.rss_kib(self.pid), "descriptors": samples.descriptors(self.pid),
            "cpu_s": samples.cpu_s(self.pid), "connections": int(own["ludus_connections"]),
            "refused": int(own["ludus_connections_refused_total"]), "names": int(own["ludus_names"]),
            "pending_kib": int(own["ludus_pending_bytes"] / 1024),
            "matches_open": int(own["matches_open"]), "matches_playing": int(own["matches_playing"]),
            "commands": int(own["ludus_commands_total"]), "store_mib": samples.folder_mib(self.data),
            **{key: self.played[key] for key in ("running", "finished", "verified", "faults")},
            "ping_p50_ms": share(pings, 0.5), "ping_p99_ms": share(pings, 0.99),
            "ping_max_ms": max(pings, default=0), "move_p50_ms": share(moves, 0.5),
            "move_p99_ms": share(moves, 0.99), "move_max_ms": max(moves, default=0)})

    def note_waits(self, pings, moves):
        of_phase = self.worst.setdefault(self.phase, ([], []))
        of_phase[0].extend(pings)
        of_phase[1].extend(moves)

    def sample_again_and_again(self):
        at = self.begun
        while not self.ending.wait(max(0.0, at - time.monotonic())):
            try:
                self.sample()
            except OSError:
                pass  # no descriptor was free for the question
            at += SAMPLE_S

    # Attacking

    def attack(self, attack, end, number):
        """Runs one attacker again and again, at least once."""
        rng = random.Random(self.rng.getrandbits(64))
        known = Attacker(self.target, rng, f"127.1.0.{number + 1}", f"known-{number}", True)
        while True:
            if attack is not opens_everything and rng.random() < 0.5:
                known.address = f"127.3.{rng.randrange(8)}.{rng.randrange(1, 255)}"
            try:
                attack(known)
            except (OSError, KeyError, ValueError):
                self.thrown_out += 1
            self.attacks[attack.__name__] = self.attacks.get(attack.__name__, 0) + 1
            time.sleep(min(rng.uniform(0.1, 1), max(0, end - time.monotonic())))
            known.leave()
            if time.monotonic() >= end:
                return

    def abandon(self):
        """Leaves matches behind for good: many attackers open as many as they may."""
        for i in range(CROWD):
            lost = Attacker(self.target, self.rng, "127.1.1.1")
            peer = lost.enter(name=f"nobody-{i}")
            peer.pump(b"new latrunculi black=open\n" * MATCHES_OPENED, MATCHES_OPENED)
            lost.leave()

    def visit(self):
        """Comes from more addresses than the server remembers: later ones take no more memory."""
        for i in range(0 if self.short else ADDRESSES):
            visitor = Attacker(self.target, self.rng, f"127.6.{i // 250}.{i % 250 + 1}")
            visitor.connect().ask("ping")
            visitor.leave()

    def let_loose(self, phase, attacks, seconds):
        self.phase = phase
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=self.attack, args=(attack, end, i))
                   for i, attack in enumerate(attacks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.server.process.poll() is not None:
            raise RuntimeError(f"the server is gone: {self.server.process.returncode}")

    def no_descriptors(self):
        """Takes the descriptors away while many connect, and returns them."""
        self.phase = "no_descriptors"
        wait_until(lambda: samples.descriptors(self.pid) <= self.base + 2, "those who have left")
        _, most = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        crowd = [Attacker(self.target, self.rng, f"127.4.0.{i}", roams=True) for i in (1, 2)]
        before, begun = samples.cpu_s(self.pid), time.monotonic()
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (samples.descriptors(self.pid) + 8, most))
        for attacker in crowd:
            try:
                connects(attacker)
            except OSError:
                self.thrown_out += 1
        asker = crowd[0].connect(port=self.server.metrics_port)
        asker.send("GET /metrics HTTP/1.0", "")
        time.sleep(self.unit_s)
        passed = time.monotonic() - begun
        self.busy_percent.append((samples.cpu_s(self.pid) - before) * 100 / passed)
        resource.prlimit(self.pid, resource.RLIMIT_NOFILE, (most, most))
        for attacker in crowd:
            attacker.leave()
        self.again_s.append(self.time_to_enter())

    def time_to_enter(self):
        """Returns the seconds until a new connection is accepted."""
        begun = time.monotonic()
        while time.monotonic() < begun + 60:
            try:
                peer = self.server.connect()
                peer.close()
                if peer.greeting and peer.greeting["type"] == "hello":
                    break
            except OSError:
                pass
            time.sleep(0.01)
        return time.monotonic() - begun

    def quiet(self):
        self.phase = "quiet"
        time.sleep(3 * self.unit_s)
        self.quiet_rss.append((time.monotonic() - self.begun, samples.rss_kib(self.pid)))

    def want_code(self):
        """Makes the server require a join code, as its operator would."""
        with open(self.config, "w") as file:
            file.write(f"code = {CODE}\n")
        self.server.process.send_signal(1)
        wait_until(lambda: self.greets_with_code(), "the join code")
        self.target.code = CODE

    def greets_with_code(self):
        peer = self.server.connect()
        peer.close()
        return peer.greeting.get("code") is True

    def round(self, number):
        for attack in self.rng.sample(ATTACKS, 0 if self.short else len(ATTACKS)):
            self.let_loose(attack.__name__, [attack, attack], self.unit_s)
        self.no_descriptors()
        self.let_loose("all together", ATTACKS, 4 * self.unit_s)
        self.quiet()
        print(f"round {number}: {time.monotonic() - self.begun:.0f} s, {samples.rss_kib(self.pid)} KiB, "
              f"{self.played['finished']} matches finished, {self.played['verified']} gone through, "
              f"{self.played['faults']} faults, {sum(self.attacks.values())} attacks", *self.played["shown"][:3],
              flush=True)

    # The end

    def end_matches(self):
        self.phase = "end"
        try:
            wait_until(lambda: samples.descriptors(self.pid) <= self.base, "the descriptors")
        except RuntimeError:
            self.problem(f"descriptors: {samples.descriptors(self.pid)} are open, before the attacks it "
                         f"was {self.base}")
        self.players.stdin.write("end\n")
        self.players.stdin.flush()
        if self.players.wait() != 0:
            self.problem("the players broke")
        wait_until(lambda: self.played["finished"] == self.played["verified"] or
                   self.played["faults"], "the last words of the players")
        for fault in self.played["shown"]:
            self.problem(fault)
        if not self.played["verified"] == self.played["finished"] or not self.played["verified"]:
            self.problem(f"{self.played['verified']} of {self.played['finished']} matches gone through")

    def stop(self):
        self.ending.set()
        if self.sampler is not None:
            self.sampler.join()
        for words, program in self.programs:
            if program is self.players:
                continue
            if program.poll() is not None:
                self.problem(f"{' '.join(words)}: has ended by itself, with {program.returncode}")
            program.send_signal(signal.SIGINT)
            try:
                program.wait(END_S)
            except subprocess.TimeoutExpired:  # in the background of a shell they do not hear it
                program.kill()
                program.wait()
        if (code := self.server.stop()) != 0:
            self.problem(f"the server ends with {code}")
        log = self.server.read_log()
        with open(os.path.join(self.folder, "server.log"), "w") as file:
            file.write(log)
        for line in log.splitlines():
            if "level=error" in line or "Sanitizer" in line or "runtime error" in line:
                self.problem(line)

    def compare_store(self):
        """Restarts the server and asks for all matches."""
        done = subprocess.run([os.path.join(self.build, "ludusd"), "check", "--data", self.data],
                              text=True, capture_output=True)
        if done.returncode != 0:
            self.problem(f"ludusd check: {done.stdout} {done.stderr}")
        with open(os.path.join(self.folder, "matches")) as file:
            wanted = [line.split() for line in file]
        with Server(self.build, "--data", self.data, "--no-bots", "--rate", "0") as again:
            peer = again.connect()
            for i in range(0, len(wanted), 100):
                part = wanted[i:i + 100]
                peer.send(*[f"record {match}" for match, _ in part])
                for match, kept in part:
                    record = peer.read()
                    if record["type"] != "record" or fingerprint(record) != kept:
                        self.problem(f"match {match} is another one after a new start: {record}")
        return len(wanted)

    def judge(self):
        """After the warm-up, memory must grow less than by the smallest block for each match, and
        requests that need no descriptor must be fast."""
        warm = [point for point in self.quiet_rss if point[0] >= self.seconds * WARM_UP]
        self.growth = slope(warm) * 3600
        own = self.samples.rows[-1]
        hours = own["s"] / 3600
        self.bound = self.played["finished"] * LEAK_BYTES / 1024 / hours
        if self.seconds >= LONG_S and self.growth > self.bound:
            self.problem(f"memory grows by {self.growth:.0f} KiB an hour, more than {self.bound:.0f}")
        if self.short:
            return
        if max(self.again_s) > AGAIN_S:
            self.problem(f"with descriptors again, a new connection waited {max(self.again_s):.2f} s")
        if max(self.busy_percent) > BUSY_PERCENT:
            self.problem(f"without descriptors the server was busy for {max(self.busy_percent):.0f} %")

    def summary(self, compared):
        rows, last = self.samples.rows, self.samples.rows[-1]
        rss = [row["rss_kib"] for row in rows]
        lines = [
            f"{'time':22}{last['s'] / 60:.1f} minutes, {len(self.quiet_rss)} rounds",
            f"{'matches':22}{self.matches} at a time; {self.played['finished']} finished, "
            f"{self.played['verified']} of them gone through by the rules; {self.played['plies']} plies",
            f"{'ends':22}" + ", ".join(f"{k} {v}" for k, v in sorted(self.played["by_reason"].items())),
            f"{'again after a start':22}{compared} matches asked for",
            f"{'faults':22}{self.played['faults']}",
            f"{'attacks':22}{sum(self.attacks.values())}, {self.thrown_out} of them cut short; "
            f"{last['commands']} commands, {last['refused']} connections refused",
            f"{'memory, KiB':22}first {rss[0]}, least {min(rss)}, most {max(rss)}; when quiet "
            f"{self.quiet_rss[0][1]} .. {self.quiet_rss[-1][1]}",
            f"{'growth when warm':22}{self.growth:.0f} KiB an hour; {self.bound:.0f} would be "
            f"{LEAK_BYTES} bytes for each match finished",
            f"{'descriptors':22}{self.base} before, {max(row['descriptors'] for row in rows)} at most, "
            f"{self.descriptors_after} after",
            f"{'processor':22}{last['cpu_s'] * 100 / last['s']:.1f} % of a core",
            f"{'no descriptors':22}busy {max(self.busy_percent):.0f} % at most; then a new connection "
            f"was let in within {max(self.again_s) * 1000:.0f} ms",
            f"{'store':22}{last['store_mib']} MiB", "",
            f"{'someone well-behaved waits, ms':34}{'ping p50':>10}{'p99':>10}{'move p50':>10}{'p99':>10}"]
        for phase, (pings, moves) in sorted(self.worst.items()):
            lines.append(f"{phase:34}{share(pings, .5):10.2f}{share(pings, .99):10.2f}"
                         f"{share(moves, .5):10.2f}{share(moves, .99):10.2f}")
        lines += ["", f"verdict: {'passed' if not self.problems else 'FAILED'}", *self.problems[:50]]
        return "\n".join(lines)

    def run(self):
        self.start_server()
        try:
            self.start_players()
            self.abandon()
            self.visit()
            wait_until(self.nobody_else_is_here, "the end of those")
            self.begun, self.base = time.monotonic(), samples.descriptors(self.pid)
            self.samples = Samples(os.path.join(self.folder, "samples.csv"))
            self.sampler = threading.Thread(target=self.sample_again_and_again)
            self.sampler.start()
            rounds = 0
            while rounds == 0 or time.monotonic() - self.begun < self.seconds - UNITS * self.unit_s / 2:
                if self.target.code is None and time.monotonic() - self.begun >= self.seconds / 2 - \
                        UNITS * self.unit_s / 2 and rounds > 0:
                    self.want_code()
                self.round(rounds := rounds + 1)
            self.sample()
            self.descriptors_after = samples.descriptors(self.pid)
            self.end_matches()
        finally:
            self.stop()
        compared = self.compare_store()
        self.judge()
        text = self.summary(compared)
        with open(os.path.join(self.folder, "summary.txt"), "w") as file:
            file.write(text + "\n")
        print(text)
        return 1 if self.problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--pace", type=float, default=2, help="seconds between moves of a player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="a new one for the samples and the store")
    options = parser.parse_args()
    folder = options.folder or os.path.join(options.build, "soak")
    if options.folder is None:
        shutil.rmtree(folder, ignore_errors=True)
    try:
        os.makedirs(folder)
    except FileExistsError:
        sys.exit(f"soak: {folder}: is there already")
    return Soak(options.build, options.minutes, options.matches, options.pace, options.seed,
                folder).run()


if __name__ == "__main__":
    sys.exit(main())
