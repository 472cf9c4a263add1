"""What CLUSTER.md says of upgrading: three servers are replaced one after the other, over a step of the schema, while
people play at them.

usage: upgrade_test.py BUILD_DIR [OLD]

The version that comes after is `ludusd` of BUILD_DIR/next: this one, with one more step of the schema. With OLD, a
ludusd of an older version, that one is upgraded to that of BUILD_DIR instead. Skipped without PostgreSQL.
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
import cluster_test
import lend_postgres
import postgres
from harness import Checks, build_folder, wait_until
from lobby import CHECK_S, Lobby
from nemesis import Nemesis
from nodes import Node, on_database
from ports import hold_port

CLUSTER = os.path.join(os.path.dirname(__file__), "../../server/CLUSTER.md")
SEED, PAIRS, PLAY_S = 1, 5, 4
PROGRAM = os.path.join(build_folder(), "ludusd")
BEFORE, AFTER = (sys.argv[2], PROGRAM) if len(sys.argv) > 2 else (PROGRAM, os.path.join(build_folder(), "next", "ludusd"))


def wait_of_the_manual():
    """Returns the command that waits until all servers are there."""
    with open(CLUSTER, encoding="utf-8") as file:
        part = file.read().split("\n## Upgrading\n")[1].split("\n## ")[0]
    return next(line.strip() for line in part.splitlines() if line.startswith("    until "))


class Upgraded(Lobby):
    """Starts with servers of the version before."""

    def __init__(self, build, folder, servers):
        super().__init__(build, folder, servers)
        self.program = AFTER  # which checks in the end
        for node in self.nodes:
            node.metrics = hold_port()
            node.words += ["--metrics", str(node.metrics)]
            node.words[node.words.index(PROGRAM)] = BEFORE


class Upgrade(Nemesis):
    """Replaces one server after the other, as `apt install` does. One that stops in good order has not failed."""

    def run(self, *_):
        self.refused = []
        self.versions = [self.version()]
        for node in self.lobby.nodes:
            time.sleep(PLAY_S)
            if node.stop() != 0:
                self.crashes.append(f"server {node.number} does not stop in good order")
            if len(self.versions) > 1:
                self.refused.append(self.start_again(node))
            node.words[node.words.index(BEFORE)] = AFTER
            node.start()
            self.lobby.wait()
            command = wait_of_the_manual().replace("7119", str(node.metrics))
            subprocess.run(["bash", "-c", command], check=True, timeout=60)
            self.versions.append(self.version())
        time.sleep(PLAY_S)
        self.file.close()

    def version(self):
        return int(self.lobby.databases.sql("SELECT version FROM ludus.service")[0][0])

    @staticmethod
    def start_again(node):
        """Tries the version before on the tables of the new one; returns what it says."""
        done = subprocess.run(node.words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        return done.returncode, re.sub(r"\d+", "N", done.stderr.strip().splitlines()[-1])


class Run(cluster_test.Run):
    def make_lobby(self, servers):
        return Upgraded(self.build, self.folder, servers)

    def make_nemesis(self):
        self.upgrade = Upgrade(self.lobby, random.Random(self.seed))
        return self.upgrade

    def start_crowd(self):
        conninfo = self.lobby.databases.conninfo()
        self.checked_before = subprocess.run([BEFORE, "check", "--database", conninfo], capture_output=True, text=True,
                                             timeout=CHECK_S)
        return super().start_crowd()


def one_after_the_other(checks):
    """Nothing acknowledged is lost, and everyone is told, by servers of either version."""
    path = tempfile.mkdtemp(prefix="upgrade-", dir=build_folder())
    os.chmod(path, 0o755)
    run = Run(build_folder(), path, SEED, 3, PAIRS, 50)
    run.run(None)
    run.report()
    checks.equal({rule: lines for rule, lines in run.problems.items() if lines}, {}, "violations")
    checks.check(run.summary.acknowledged["move"] > 20, "moves", run.summary.acknowledged)
    before, *after = run.upgrade.versions
    checks.check(after == [after[0]] * 3 and after[0] > before, "the first new server brings the tables forward",
                 run.upgrade.versions)
    refusal = (1, "ludusd: database: its schema is of version N: this ludusd knows N")
    checks.equal(run.upgrade.refused, [refusal] * 2, "the version before does not start again")
    checks.equal(run.checked_before.returncode, 0, "it checks its own tables")
    if run.count() == 0:
        shutil.rmtree(path)


# Holds the log of the matches, and wants the matches once somebody waits for the log who has them.
OTHERS_FIRST = """
SET deadlock_timeout = '1 h';
BEGIN;
LOCK TABLE ludus.entry IN ACCESS SHARE MODE;
DO $$ BEGIN
    WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'ludus.entry'::regclass) LOOP
        PERFORM pg_sleep(0.02);
    END LOOP;
END $$;
LOCK TABLE ludus.match IN ACCESS SHARE MODE;
COMMIT;
"""
HAS_LOG = "SELECT 1 FROM pg_locks WHERE relation = 'ludus.entry'::regclass AND mode = 'AccessShareLock'"


def tables_are_in_use(checks):
    """A server that brings the tables forward while another one locks them in another order tries again."""
    path = tempfile.mkdtemp(prefix="upgrade-")
    one = lend_postgres.One(path)
    try:
        passfile = os.path.join(path, "passfile")
        with open(passfile, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("*:*:*:ludus:secret\n")
        conninfo = one.conninfo("lent").replace("password=secret", f"passfile={passfile}")
        for program, others in ((BEFORE, ""), (AFTER, OTHERS_FIRST)):
            psql = subprocess.Popen(
                [*one.postgres.account.prefix, os.path.join(postgres.binaries(), "psql"), "-qd",
                 one.postgres.conninfo(database="lent"), "-c", others], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd="/")
            node = Node(build_folder(), path, 1, ["--no-bots"])
            node.words += on_database(conninfo, 1, node.address)
            node.words[node.words.index(PROGRAM)] = program
            if others:
                wait_until(lambda: one.postgres.sql(HAS_LOG, "lent"), "the log of the matches is locked")
            node.start()
            node.wait()
            checks.equal((psql.wait(60), node.stop()), (0, 0), "both had their turn")
        checks.check("deadlock" in one.postgres.read_log(), "they waited for each other")
    finally:
        one.postgres.kill()
    shutil.rmtree(path)


if __name__ == "__main__":
    if reason := postgres.why_not():
        print(f"upgrade_test: SKIPPED: {reason}")
        print("upgrade_test: 1 passed, 0 failed")
        sys.exit(0)
    sys.exit(Checks("upgrade_test").run([tables_are_in_use, one_after_the_other]))
