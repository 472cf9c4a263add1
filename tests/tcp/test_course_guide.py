"""client/COURSE.md, followed to the letter from the folder to the report; what is built is there already.

usage: test_course_guide.py BUILD_DIR
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, build_folder

BUILD = os.path.abspath(build_folder())
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONG_S = 600  # two nights of three bots
with open(os.path.join(ROOT, "client", "COURSE.md"), encoding="utf-8") as guide:
    COMMANDS = re.findall(r"^    (\S.*)$", guide.read(), re.M)
BUILT, SERVED = COMMANDS[0], COMMANDS[-1]


def to_the_letter(t):
    t.check(BUILT == "make deps && make" and SERVED.startswith("python3 -m http.server"), "what is left out", COMMANDS)
    with tempfile.TemporaryDirectory(prefix="ludus-guide-") as folder:
        os.chmod(folder, 0o755)
        os.symlink(BUILD, os.path.join(folder, "build"))
        os.symlink(os.path.join(ROOT, "client"), os.path.join(folder, "client"))
        script = "set -ex\n" + "\n".join(COMMANDS[1:-1])
        done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=LONG_S)
        t.equal(done.returncode, 0, f"the commands: {done.stdout[-1500:]} {done.stderr[-1500:]}")
        t.equal(done.stdout.count("good: 14 of 14 checks passed"), 4, "four bots are handed in")
        course = os.path.join(folder, "bots-2026")
        with open(os.path.join(course, "report", "marks.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        t.equal(sorted(row["name"] for row in rows), ["ana", "eva", "rui"], "the students of the table")
        t.check(all(row["night_1"] and row["night_2"] for row in rows), "two nights", rows)
        t.check(all(int(row["matches"]) > 0 for row in rows), "all have played", rows)
        t.equal([row[kind] for row in rows for kind in ("no-start", "time", "crash")], ["0"] * 9, "without a verdict")
        with open(os.path.join(course, "keys")) as file:
            keys = dict(line.split() for line in file)
        for name in ("ana", "eva", "rui"):
            t.check(os.path.exists(os.path.join(course, "report", keys[name] + ".html")), f"the page of {name}")


if __name__ == "__main__":
    sys.exit(Checks("test_course_guide").run([to_the_letter]))
