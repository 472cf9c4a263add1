"""A short run of the crash test and of the fault test; `make crash-test` is the long one."""
import os
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../crash")
import crash_test
import fault_test
from harness import Checks, build_folder

KILLS, SEED = 12, 1
NO_TIME_LIMIT_MS = 1e9  # this test does not measure speed


def kills(checks):
    folder = tempfile.mkdtemp(prefix="crash-", dir=build_folder())
    try:
        world = crash_test.World(build_folder(), os.path.join(folder, "data"), SEED, 5,
                                 NO_TIME_LIMIT_MS)
        crash_test.run(world, KILLS)
        crash_test.report(world, 0)
        checks.equal(world.problems, 0, "problems")
        checks.equal(world.count["kills"], KILLS, "kills")
        for what in ("moves acknowledged", "states compared", "records compared"):
            checks.check(world.count[what] > KILLS, what, world.count[what])
        log = world.server.read_log()
        checks.check("Sanitizer" not in log and "runtime error" not in log, "no crash", log[-3000:])
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    checks = Checks("test_crash")
    cases = [kills, *fault_test.cases(build_folder(), True)]
    sys.exit(checks.run(cases))
