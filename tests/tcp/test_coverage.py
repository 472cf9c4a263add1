"""tests/coverage/report.py: sums, missed lines and the goal.

usage: test_coverage.py BUILD_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
REPORT = os.path.join(TESTS, "coverage", "report.py")


def line(number, count, *branches, noncode=False):
    return {"line_number": number, "count": count, "gcovr/noncode": noncode,
            "branches": [{"count": branch} for branch in branches]}


def report(folder, taken, missed):
    """Reports a file of four lines with these branches taken and missed. Returns exit code, output and
    missed lines."""
    source, found, lines = (os.path.join(folder, name) for name in ("a.c", "found", "missed"))
    with open(source, "w") as file:
        file.write("  if (a)\n    b();\n}\n  HASH_DEL(list, item);\n")
    with open(found, "w") as file:
        json.dump({"files": [{"file": source, "lines": [
            line(1, 7, *[1] * taken, *[0] * missed), line(2, 0), line(3, 0, noncode=True),
            line(4, 7, 7, 0, 0)]}]}, file)
    done = subprocess.run([sys.executable, REPORT, found, lines], capture_output=True, text=True)
    with open(lines) as file:
        return done, file.read().replace(source, "a.c")


def reports(checks):
    with tempfile.TemporaryDirectory() as folder:
        done, missed = report(folder, 14, 1)
        checks.equal(done.returncode, 0, f"14 of 15 are enough ({done.stderr})")
        checks.equal([row.split() for row in done.stdout.splitlines() if row.startswith("all ")],
                     ["all 2 / 3 66.7 % 14 / 15 93.3 %".split()], "the sums")
        checks.equal(missed, "a.c:1: 1 of 15: if (a)\na.c:2: 0 of 0: b();\n", "what was missed, not in uthash")
        done, missed = report(folder, 91, 9)
        checks.equal(done.returncode, 1, "91 % are not")
        checks.check("coverage: less than 92 % of the branches\n" in done.stdout, "which is said",
                     done.stdout)
        done, missed = report(folder, 0, 0)
        checks.equal((done.returncode, missed), (0, "a.c:2: 0 of 0: b();\n"), "no branches at all")


if __name__ == "__main__":
    sys.exit(Checks("test_coverage").run([reports]))
