"""What servers that share PostgreSQL achieve: more servers, more moves; and what a move costs the database.

usage: bench.py BUILD [--against BUILD] [--seconds S] [--share PERCENT] [--rounds N]
                [--game GAME] [--matches N]

Each server is held to a share of one core, so small that four of them, the database, its two standbys and the load
fit on two cores: on a full machine a server's moves would become fewer with each that comes, whatever it costs. All
are batch work to the scheduler: whoever is woken waits until a core is free and interrupts no server, as if each had
a machine of its own. The two players of a match are always at two servers, if there are two. One, two and four
servers, each with a database of its own, are up all the time and take turns of a few seconds, as a machine is not
always equally fast; how many times one server's moves the others make is the median of the ratios to the turns of one
server before and after, with their quartiles. Then, without any limit on the servers: a server with many matches,
whose batches are full, and one match whose players are at one server, and at two. With another build to compare with,
both take turns.
"""
import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

from lobby import Lobby
from postgres import why_not
from throttle import Throttle

SERVERS = (1, 2, 4)
CROWD = 400


def cpu_s(pids):
    """Returns the processor time of these processes."""
    total = 0.0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    return total


def ended_cpu_s(pid):
    """Returns the processor time of a process's children that have ended."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")


def database_cpu_s(members):
    return sum(cpu_s(member.processes()) + ended_cpu_s(member.process.pid) for member in members)


class Setup(typing.NamedTuple):
    what: str
    servers: int
    matches: int
    at: typing.Sequence[int]  # the servers that the players use, from 0
    share: float  # of a core, for each server; 0: no limit


class Bench:
    def __init__(self, builds, folder, options):
        self.builds, self.folder, self.game = builds, folder, options.game
        self.seconds, self.rounds = options.seconds, options.rounds
        self.way = "not at all"

    def compare(self, setups):
        """Shows what each build achieves in each setup. The first one has its turn before and after each other."""
        order = [number for i in range(1, len(setups)) for number in (0, i)] * self.rounds + [0]
        if len(setups) == 1:
            order = [0] * self.rounds
        with contextlib.ExitStack() as stack:
            lobbies = [[stack.enter_context(self.lobby(build, setup)) for build in self.builds] for setup in setups]
            turns = [[self.turn(lobby, setups[i]) for lobby in lobbies[i]] for i in order]
        for i, setup in enumerate(setups):
            places = [place for place, number in enumerate(order) if number == i]
            for j, which in enumerate(("", " (the other build)")[:len(self.builds)]):
                done = [turn[j] for turn in turns]
                ratios = [times(done[place], done[place - 1], done[place + 1]) for place in places] if i > 0 else []
                show(setup.what + which, [done[place] for place in places], ratios)

    @contextlib.contextmanager
    def lobby(self, build, setup):
        """Yields the servers of a setup, and ends them."""
        folder = tempfile.mkdtemp(dir=self.folder)
        os.chmod(folder, 0o755)
        lobby = Lobby(build, folder, setup.servers, relayed=False)
        try:
            lobby.start()
            yield lobby
        finally:
            lobby.close()
            shutil.rmtree(folder, ignore_errors=True)

    @contextlib.contextmanager
    def throttled(self, lobby, setup):
        """Holds the servers to their share for one turn. When each of them gets it within a period is new in every
        turn, as chance has it: two servers that wait for each other are not equally fast at all distances."""
        throttles = []
        try:
            for node in lobby.nodes if setup.share else ():
                throttles.append(Throttle(node.process.pid, setup.share))
                self.way = throttles[0].way
            yield
        finally:
            for throttle in throttles:
                throttle.close()

    def turn(self, lobby, setup):
        with self.throttled(lobby, setup):
            return self.measure(lobby, setup)

    def measure(self, lobby, setup):
        addresses = [lobby.nodes[number].address for number in setup.at]
        before = self.cpu(lobby)
        begun_s = time.monotonic()
        done = subprocess.run(
            [os.path.join(self.builds[0], "bench", "load"), "--address", ",".join(addresses), "--matches",
             str(setup.matches), "--game", self.game, "--seconds", str(self.seconds), "--json"], text=True, capture_output=True,
            timeout=300)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        after, took_s = self.cpu(lobby), time.monotonic() - begun_s
        told = json.loads(done.stdout)
        servers, primary, standbys = (end - start for start, end in zip(before, after))
        moves = told["moves"]
        return {"moves_per_s": told["moves_per_s"], "p50_ms": told["players_p50_us"] / 1000,
                "p99_ms": told["players_p99_us"] / 1000, "server_us": servers / moves * 1e6,
                "primary_us": primary / moves * 1e6, "standbys_us": standbys / moves * 1e6,
                "server_percent": 100 * servers / took_s / len(lobby.nodes)}

    def cpu(self, lobby):
        databases = lobby.databases
        return (cpu_s(node.process.pid for node in lobby.nodes), database_cpu_s([databases.primary]),
                database_cpu_s(databases.standbys()))


def times(turn, before, after):
    """Returns how many times the moves of the turns before and after it a turn has made."""
    return 2 * turn["moves_per_s"] / (before["moves_per_s"] + after["moves_per_s"])


COLUMNS = ("moves_per_s", "p50_ms", "p99_ms", "server_us", "primary_us", "standbys_us", "server_percent")
HEADING = ("| | moves/s | times one server | p50 ms | p99 ms | servers, µs a move | primary | both standbys "
           "| a server, % of a core |\n|---|---|---|---|---|---|---|---|---|")


def quartiles(values):
    """Returns the lower quartile, the median and the upper quartile, as text."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else 3 * values
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def show(what, rounds, ratios):
    middle = {column: statistics.median(row[column] for row in rounds) for column in COLUMNS}
    print(f"| {what} | {middle['moves_per_s']:.0f} | {quartiles(ratios) if ratios else ''} | "
          f"{middle['p50_ms']:.1f} | {middle['p99_ms']:.1f} | "
          f"{middle['server_us']:.1f} | {middle['primary_us']:.1f} | {middle['standbys_us']:.1f} | "
          f"{middle['server_percent']:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Measures servers that share PostgreSQL.")
    parser.add_argument("build", nargs="?", default="build", help="where the programs are")
    parser.add_argument("--against", help="where another ludusd is, to compare with")
    parser.add_argument("--seconds", type=int, default=2, help="of a turn")
    parser.add_argument("--share", type=float, default=5, help="percent of a core for each server; 0: no limit")
    parser.add_argument("--rounds", type=int, default=10, help="the median counts")
    parser.add_argument("--matches", type=int, default=50, help="at a time, for each server")
    parser.add_argument("--game", default="clobber:5x6", help="what is played")
    options = parser.parse_args()
    if reason := why_not():
        print(f"cluster-bench: {reason}")
        return 1
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    folder = tempfile.mkdtemp(prefix="cluster-bench-", dir=options.build)
    os.chmod(folder, 0o755)
    bench = Bench([options.build] + [options.against] * bool(options.against), folder, options)
    try:
        print(HEADING)
        held = f" of {options.share:.0f} % of a core" if options.share else ""
        bench.compare([Setup(f"{servers} server{'s' * (servers > 1)}{held}", servers, options.matches * servers,
                             range(servers), options.share / 100) for servers in SERVERS])
        for setup in (Setup(f"1 server without a limit, {CROWD} matches", 1, CROWD, [0], 0),
                      Setup("one match at one server", 2, 1, [0], 0),
                      Setup("one match at two servers", 2, 1, [0, 1], 0)):
            bench.compare([setup])
        print(f"\nServers held by: {bench.way}.")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
