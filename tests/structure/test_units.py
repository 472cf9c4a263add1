"""The units that make compiles (common/units.py).

usage: test_units.py BUILD_DIR
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "tcp"))
from harness import Checks, LIMIT_S  # noqa: E402

# What is in a room: two files that go together, one that means something else by a name of the first, one with
# a name of the C library, one whose header is missing.
FILES = {
    "room/one.c": '#include "one.h"\nstatic int count;\nint one(void) { return count; }\n',
    "room/one.h": "int one(void);\n",
    "room/two.c": '#include "one.h"\nint two(void) { return one(); }\n',
    "room/other.c": "static int count(void);\n",
    "room/system.c": "static void read(void);\n",
    "room/typo.c": '#include "oen.h"\nint typo(void);\n',
}


def units(folder, paths):
    """Returns the unit of each path, or what went wrong."""
    done = subprocess.run([sys.executable, os.path.join(PROJECT, "common/units.py"), "units", *paths], cwd=folder,
                          capture_output=True, text=True, timeout=LIMIT_S)
    return dict(line.removeprefix("object_of/").split(" = ") for line in done.stdout.splitlines()) or done.stderr


def text_of(folder, unit):
    with open(os.path.join(folder, "units", unit + ".c"), encoding="utf-8") as file:
        return file.read()


def test_groups(checks):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "room"))
        for path, text in FILES.items():
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text)
        sources = [path for path in FILES if path.endswith(".c")]
        expected = {"room/one.c": "room/unit1", "room/other.c": "room/unit2", "room/system.c": "room/unit3",
                    "room/two.c": "room/unit1", "room/typo.c": "room/unit1"}
        checks.equal(units(folder, sources), expected, "units; the compiler is to name a missing header")
        sources.remove("room/typo.c")
        units(folder, sources)
        checks.equal(text_of(folder, "room/unit1"), '#include "room/one.c"\n#include "room/two.c"\n',
                     "a unit without a file that is gone")


def test_no_python(checks):
    """`make run` on a fresh system has python3 installed."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("make", "sh", "mkdir", "uname", "nproc", "find"):
            os.symlink(shutil.which(name), os.path.join(folder, name))
        done = subprocess.run(["make", f"BUILD={folder}/build", "help"], cwd=PROJECT, env={"PATH": folder},
                              capture_output=True, text=True, timeout=LIMIT_S)
    checks.equal((done.returncode, done.stderr), (0, ""), "make without python3")


if __name__ == "__main__":
    sys.exit(Checks("test_units").run([test_groups, test_no_python]))
