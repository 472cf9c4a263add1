"""A short soak test: all attacks at once on a server with matches. `make soak` is the long one."""
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../soak")
import soak
from attacks import ATTACKS
from harness import Checks, build_folder

MATCHES, PACE_S, SEED, MINUTES = 20, 0.2, 1, 0.1


def short(checks):
    folder = tempfile.mkdtemp(prefix="soak-", dir=build_folder())
    try:
        run = soak.Soak(build_folder(), MINUTES, MATCHES, PACE_S, SEED, folder, short=True)
        run.run()
        checks.equal(run.problems, [], "problems")
        checks.equal(set(run.attacks), {attack.__name__ for attack in ATTACKS}, "attacks")
        checks.check(run.played["verified"] >= MATCHES, "matches", run.played)
        checks.equal(run.played["verified"], run.played["finished"], "all went by the rules")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(Checks("test_soak").run([short]))
