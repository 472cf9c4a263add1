"""Plays at several servers while a nemesis breaks them, the database and the links, then compares all that
was told with what is there in the end.

usage: cluster_test.py BUILD [--minutes M] [--seed N] [--servers N] [--pairs N] [--think-ms N] [--keep]

--servers 0 is one server with a store of its own. The folder in BUILD has history.jsonl (crowd.py),
faults.jsonl (nemesis.py) and the logs; it is kept when something was wrong.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../crash")
import checker
import told
from lobby import Lobby
from nemesis import Nemesis
from postgres import why_not
from referee import Referee
from summary import Summary

SHOWN = 5      # violations of each rule
CROWD_S = 600  # the longest time that the crowd takes to end


class Run:
    """One run: play, break, mend, end, check. `problems` is {rule: violations}."""

    def __init__(self, build, folder, seed, servers=3, pairs=10, think_ms=100, **nemesis):
        self.build, self.folder, self.seed = build, folder, seed
        self.pairs, self.think_ms, self.nemesis_options = pairs, think_ms, nemesis
        self.lobby = self.make_lobby(servers)
        self.problems, self.summary = {}, None

    def make_lobby(self, servers):
        return Lobby(self.build, self.folder, servers)

    def make_nemesis(self):
        return Nemesis(self.lobby, random.Random(self.seed), **self.nemesis_options)

    def run(self, seconds):
        try:
            self.lobby.start()
            nemesis = self.make_nemesis()
            crowd = self.start_crowd()
            try:
                nemesis.run(seconds, lambda: self.stand_still(crowd))
                crowd.stdin.close()
                if (code := crowd.wait(CROWD_S)) != 0:
                    raise RuntimeError(f"the crowd ends with {code}")
            finally:
                crowd.kill()
                crowd.wait()
            versions, codes, checked = self.lobby.versions(), self.lobby.stop(), self.lobby.check()
        finally:
            self.lobby.close()
        self.check(nemesis, versions, codes)
        if checked[0] != 0:
            self.problems["ludusd check"] = checked[1].splitlines()

    def start_crowd(self):
        crowd = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "crowd.py"), self.folder, str(self.seed), str(self.pairs),
             str(self.think_ms), *(node.address for node in self.lobby.nodes)], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if crowd.stdout.readline() != "ready\n":
            raise RuntimeError("the crowd does not start")
        return crowd

    @staticmethod
    def stand_still(crowd):
        """Has everyone wait until all are told how things stand, and write it down."""
        crowd.stdin.write("still\n")
        crowd.stdin.flush()
        if crowd.stdout.readline() != "stood\n":
            raise RuntimeError("the crowd does not stand still")

    def check(self, nemesis, versions, codes):
        history = told.Told(told.read(os.path.join(self.folder, "history.jsonl")), nemesis.outages(), nemesis.cuts(),
                            nemesis.stops())
        referee = Referee(self.build)
        self.problems = checker.check(history, referee, versions)
        referee.close()
        self.problems["servers"] = nemesis.crashes + list(self.look_at_servers(codes))
        self.summary = Summary(history, nemesis)

    def look_at_servers(self, codes):
        for node, code in zip(self.lobby.nodes, codes):
            if code != 0:
                yield f"server {node.number} ends with {code}"
            for line in node.read_log().splitlines():
                if "Sanitizer" in line or "runtime error" in line or "Assertion" in line:
                    yield f"server {node.number}: {line}"

    def count(self):
        return sum(map(len, self.problems.values()))

    def report(self):
        for rule, lines in self.problems.items():
            for line in lines[:SHOWN]:
                print(f"VIOLATION of {rule}: {line[:600]}")
            if len(lines) > SHOWN:
                print(f"    and {len(lines) - SHOWN} more of {rule}")
        print(f"seed {self.seed}")
        if self.summary is not None:
            self.summary.show(self.problems)


def conclude(run, folder, keep):
    """Reports, and removes the folder of a run without violations unless it is to be kept. Returns the exit status."""
    run.report()
    if run.count() == 0 and not keep:
        shutil.rmtree(folder)
    else:
        print(f"the history, the faults and the logs are in {folder}")
    return 1 if run.count() else 0


def main():
    parser = argparse.ArgumentParser(description="Breaks a cluster while people play.")
    parser.add_argument("build", nargs="?", default="build", help="where the programs are")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--servers", type=int, default=3, help="0: one, with a store of its own")
    parser.add_argument("--pairs", type=int, default=10, help="of players")
    parser.add_argument("--think-ms", type=int, default=100, help="before a move, on average")
    parser.add_argument("--longest-stop-s", type=float, default=60, help="of a stopped process")
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    if options.servers and (reason := why_not()):
        print(f"cluster-test: {reason}")
        return 1
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    folder = tempfile.mkdtemp(prefix="cluster-", dir=options.build)
    os.chmod(folder, 0o755)
    print(f"seed {seed}, in {folder}", flush=True)
    run = Run(options.build, folder, seed, options.servers, options.pairs, options.think_ms,
              longest_stop_s=options.longest_stop_s)
    run.run(options.minutes * 60)
    return conclude(run, folder, options.keep)


if __name__ == "__main__":
    sys.exit(main())
