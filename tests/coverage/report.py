"""Prints the lines and branches of each file that the tests have taken, from gcovr's output.

usage: report.py COVERAGE.json MISSED.txt

Counts every branch that gcc sees without optimization, but those inside uthash's macros, which gcc ascribes
to the lines that use them. `if (a && b)` has four. The second file gets every line that was not run or has a
branch that was not taken. Exit status 1 below the goal.
"""
import json
import re
import sys

GOAL_PERCENT = 92
UTHASH = re.compile(r"\bHASH_[A-Z_]+ ?\(")


def percent(taken, all_of_them):
    return 100 * taken / all_of_them if all_of_them else 100


class Count:
    def __init__(self):
        self.lines, self.lines_taken, self.branches, self.branches_taken = 0, 0, 0, 0

    def add(self, lines, lines_taken, branches, branches_taken):
        self.lines += lines
        self.lines_taken += lines_taken
        self.branches += branches
        self.branches_taken += branches_taken

    def row(self, name):
        return (f"{name:30}{self.lines_taken:6} /{self.lines:6}"
                f" {percent(self.lines_taken, self.lines):6.1f} %"
                f"{self.branches_taken:8} /{self.branches:6}"
                f" {percent(self.branches_taken, self.branches):6.1f} %")


def source(path):
    with open(path) as file:
        return [line.strip() for line in file]


def read(found, missed):
    """Counts one file and records its misses."""
    count, text = Count(), source(found["file"])
    for line in found["lines"]:
        if line.get("gcovr/noncode"):
            continue
        number = line["line_number"]
        taken = [branch["count"] > 0 for branch in line["branches"] if not UTHASH.search(text[number - 1])]
        count.add(1, line["count"] > 0, len(taken), sum(taken))
        if not all(taken) or line["count"] == 0:
            missed.write(f"{found['file']}:{number}: {len(taken) - sum(taken)} of {len(taken)}: "
                         f"{text[number - 1]}\n")
    return count


def main():
    with open(sys.argv[1]) as file:
        files = sorted(json.load(file)["files"], key=lambda found: found["file"])
    total = Count()
    print(f"{'':30}{'lines taken':>22}{'branches taken':>26}")
    with open(sys.argv[2], "w") as missed:
        for found in files:
            count = read(found, missed)
            total.add(count.lines, count.lines_taken, count.branches, count.branches_taken)
            print(count.row(found["file"]))
    print(total.row("all"))
    print(f"the lines with branches that were not taken are in {sys.argv[2]}")
    good = percent(total.branches_taken, total.branches) >= GOAL_PERCENT
    if not good:
        print(f"coverage: less than {GOAL_PERCENT} % of the branches")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
