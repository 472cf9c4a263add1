#!/usr/bin/env python3
"""Plants the faults of mutant_table.py, one at a time, in a copy of the project, and runs the tests of its part.

usage: mutants.py [--under-faults] SCRATCH [PART...]

PARTs choose the faults in files whose name, or in lines whose text, has one of them. Prints each fault with the test that
noticed it, then the score, and what no test noticed: such a fault needs a test. With --under-faults three servers on
PostgreSQL play for four minutes while they are broken (`make cluster-test`) in place of the tests. CC and JOBS of the
environment are for make. Exits 1 if anything was not noticed."""
import argparse
import os
import shutil
import subprocess
import sys
import time

from mutant_table import MUTANTS

TEST_S, BUILD_S = 300, 900  # a test that takes longer hangs, which counts as noticed
UNDER_FAULTS = "cluster/cluster_test.py"
OPTIONS = {UNDER_FAULTS: ["--minutes", "4", "--longest-stop-s", "10", "--seed", "1"]}
LIMITS = {UNDER_FAULTS: 900}
OUTPUT = "output.txt"  # of the last program, in SCRATCH


def run(command, limit_s, folder):
    """Returns the exit status; None after the limit."""
    with open(os.path.join(folder, OUTPUT), "wb") as output, \
            subprocess.Popen(command, cwd=folder, stdout=output, stderr=output, start_new_session=True) as process:
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return None


def remove_others(scratch, names):
    """Removes the files that are no longer among the sources: the Makefile would take them for some."""
    for folder, folders, files in os.walk(scratch):
        if folder == scratch and "build" in folders:
            folders.remove("build")
        for file in files:
            if os.path.relpath(os.path.join(folder, file), scratch) not in names:
                os.remove(os.path.join(folder, file))


def copy_sources(scratch):
    """Copies what git knows, and keeps what is built there: only changed files are built again."""
    listed = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout.decode()
    names = set(filter(None, listed.split("\0")))
    remove_others(scratch, names)
    for name in names:
        path = os.path.join(scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(name, "rb") as source:
            text = source.read()
        if not os.path.exists(path) or open(path, "rb").read() != text:
            shutil.copy(name, path)


def build(scratch, tests):
    """Builds what the tests need. Returns whether that succeeded."""
    programs = ["all"] if any(test.endswith(".py") for test in tests) else []
    programs += [f"build/tests/{test}" for test in tests if not test.endswith(".py")]
    make = ["make", f"-j{os.environ.get('JOBS', '2')}", "WERROR=", "UNITS=", f"CC={os.environ.get('CC', 'cc')}"]
    return run(make + programs, BUILD_S, scratch) == 0


def first_failure(scratch, tests):
    """Returns the first test that fails, or None."""
    for test in tests:
        command = ["python3", f"tests/{test}", "build"] if test.endswith(".py") else [f"build/tests/{test}"]
        if run(command + OPTIONS.get(test, []), LIMITS.get(test, TEST_S), scratch) != 0:
            return test
    return None


def plant(path, good, bad):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(good) != 1:
        raise SystemExit(f"mutants: {path}: {text.count(good)} places instead of one: {good!r}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(good, bad))
    return text


def check_good(scratch, mutants):
    """Ends unless all tests pass without a fault: else they would notice nothing, or everything."""
    tests = sorted({test for mutant in mutants for test in mutant[3].split()})
    if not build(scratch, tests):
        raise SystemExit(f"mutants: the project does not build: see {scratch}/{OUTPUT}")
    failing = first_failure(scratch, tests)
    if failing is not None:
        raise SystemExit(f"mutants: {failing} fails without any fault: see {scratch}/{OUTPUT}")


def judge(scratch, mutant):
    """Returns what became of a fault: the name of a test, "compiler", or None."""
    name, good, bad, tests = mutant
    path = os.path.join(scratch, name)
    text = plant(path, good, bad)
    try:
        return first_failure(scratch, tests.split()) if build(scratch, tests.split()) else "compiler"
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def is_chosen(mutant, parts):
    return not parts or any(part in text for part in parts for text in mutant[:2])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--under-faults", action="store_true")
    parser.add_argument("scratch", type=os.path.abspath)
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    scratch = options.scratch
    mutants = [mutant for mutant in MUTANTS if is_chosen(mutant, options.parts)]
    if options.under_faults:
        mutants = [(*mutant[:3], UNDER_FAULTS) for mutant in mutants]
    copy_sources(scratch)
    check_good(scratch, mutants)
    unnoticed, invalid = [], 0
    for mutant in mutants:
        began = time.monotonic()
        what = judge(scratch, mutant)
        print(f"{what or 'NOT NOTICED':<26} {time.monotonic() - began:6.1f} s  {mutant[0]}: {mutant[1]!r}"
              f" -> {mutant[2]!r}", flush=True)
        invalid += what == "compiler"
        if what is None:
            unnoticed.append(mutant)
    count = len(mutants) - invalid
    print(f"mutants: {count - len(unnoticed)} of {count} noticed; {invalid} do not compile")
    return 1 if unnoticed or invalid else 0


if __name__ == "__main__":
    sys.exit(main())
