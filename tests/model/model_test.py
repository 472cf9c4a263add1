"""Random people and restarts, compared with a model of every command. See --help."""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time

from world import FINISHED_MAX, GiveUp, World

sys.path.insert(1, sys.path[0] + "/../cluster")
sys.path.insert(1, sys.path[0] + "/../crash")
import postgres
from databases import Databases
from ludusd import Ludusd, free_port
from nodes import Node, on_database

OPTIONS = ["--no-bots", "--grace", "1", "--first-move", "1", "--keep-finished", str(FINISHED_MAX), "--max-errors", "1000000",
           "--max-matches", "1000", "--challenges", "0", "--idle", "86400", "--drain", "0"]


class OnSqlite:
    def __init__(self, build, folder, rng):
        self.rng, self.port = rng, free_port(rng)
        self.build, self.folder = build, os.path.join(folder, "data")
        self.program = None

    def start(self):
        durability = self.rng.choice(("process", "power"))
        self.program = Ludusd(self.build, self.folder, self.port, [*OPTIONS, "--durability", durability])
        self.program.start_and_wait()

    def stop(self):
        code = self.program.stop()
        if code != 0:
            raise GiveUp(f"the server ends with {code}: {self.program.read_log()[-1500:]}")

    def kill(self):
        self.program.kill()

    def close(self):
        """Returns what `ludusd check` finds."""
        self.stop()
        return self.program.check()


class OnPostgres:
    def __init__(self, build, folder, _rng):
        os.chmod(folder, 0o755)
        self.databases = Databases(folder)
        self.node = Node(build, folder, 1, OPTIONS)
        self.node.words += on_database(self.databases.conninfo(), 1, self.node.address)
        self.port, self.build = self.node.port, build

    def start(self):
        self.node.start()
        self.node.wait()

    def stop(self):
        code = self.node.stop()
        if code != 0:
            raise GiveUp(f"the server ends with {code}: {self.node.read_log()[-1500:]}")

    def kill(self):
        self.node.kill()

    def close(self):
        self.stop()
        done = os.popen(f"{self.build}/ludusd check --engine '{self.databases.conninfo()}' 2>&1; echo $?").read()
        self.databases.close()
        return int(done.split()[-1]), done


def run(world, restarts, steps, minutes):
    end_s = time.monotonic() + 60 * minutes if minutes else None
    world.server.start()
    for name in ("anna", "bob", "carl"):
        world.come(name)
    verbs = world.check_commands()
    world.pauses = 0.16 / steps
    while world.count.get("restarts", 0) < restarts and (end_s is None or time.monotonic() < end_s):
        for _ in range(world.rng.randrange(2 * steps)):
            world.step()
        world.restart()
    world.compare_all(True)
    if sum(world.count.values()) >= 20000:  # enough to have sent each
        world.check_used(verbs)


def main():
    parser = argparse.ArgumentParser(description="Sends every command at random through restarts of the server, and "
                                     "compares all matches with an independent model.")
    parser.add_argument("build", nargs="?", default="build", help="where the programs are")
    parser.add_argument("--restarts", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=40, help="commands between two restarts, on average")
    parser.add_argument("--minutes", type=float, default=0, help="end after so long")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL with two standbys")
    options = parser.parse_args()
    if options.postgres and postgres.why_not() is not None:
        print(f"model_test: SKIPPED: {postgres.why_not()}")
        return 0
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    folder = tempfile.mkdtemp(prefix="model-", dir=options.build)
    began_s = time.monotonic()
    server = (OnPostgres if options.postgres else OnSqlite)(options.build, folder, random.Random(seed))
    world = World(options.build, server, seed)
    try:
        run(world, options.restarts, options.steps, options.minutes)
    except GiveUp as reason:
        world.problems += 1
        print(f"the run ends here: {reason}")
    code, said = server.close()
    if code != 0:
        world.problems += 1
        print(f"ludusd check: {said}")
    world.referee.close()
    restarts, compared = (world.count.get(what, 0) for what in ("restarts", "compared"))
    sent = sum(world.count.values()) - restarts - compared
    print(f"seed {seed}, {time.monotonic() - began_s:.0f} s: restarts {restarts}, commands {sent}, comparisons "
          f"{compared}, differences {world.problems}")
    if world.problems == 0:
        shutil.rmtree(folder)
    else:
        print(f"the store and the log are kept in {folder}")
    return 1 if world.problems else 0


if __name__ == "__main__":
    sys.exit(main())
