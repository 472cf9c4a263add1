"""Short runs of the cluster test: one server with a store of its own, and three that share PostgreSQL.

usage: test_nemesis.py BUILD_DIR

`make cluster-test` is the long run. Without PostgreSQL, only one server is broken.
"""
import os
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../cluster")
import cluster_test
import postgres
from harness import Checks, build_folder

SEED, STOP_S = 1, 4


def a_run(checks, servers, seconds, **options):
    path = tempfile.mkdtemp(prefix="nemesis-", dir=build_folder())
    os.chmod(path, 0o755)
    run = cluster_test.Run(build_folder(), path, SEED, servers, longest_stop_s=STOP_S, **options)
    run.run(seconds)
    run.report()
    checks.equal({rule: lines for rule, lines in run.problems.items() if lines}, {}, "violations")
    checks.check(run.summary.acknowledged["move"] > 20, "moves", run.summary.acknowledged)
    checks.check(run.summary.faults, "faults", run.summary.faults)
    shutil.rmtree(path)


def one_server(checks):
    a_run(checks, 0, 5, pairs=4, think_ms=50, pause_s=(0.5, 2.0))


def three_servers(checks):
    a_run(checks, 3, 25, pairs=5, think_ms=50, pause_s=(1.0, 3.0))


if __name__ == "__main__":
    cases = [one_server]
    if reason := postgres.why_not():
        print(f"test_nemesis: SKIPPED three servers: {reason}")
    else:
        cases.append(three_servers)
    sys.exit(Checks("test_nemesis").run(cases, at_once=2))
