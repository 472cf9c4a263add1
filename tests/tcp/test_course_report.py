"""`ludus course report`: the table adds up, everything that leads somewhere leads to a page, and nobody reads another's logs.

usage: test_course_report.py BUILD_DIR
"""
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from course_folder import NAMES, TITLE, Course
from harness import Checks, build_folder

BUILD = build_folder()
POINTS = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}


class Reader(html.parser.HTMLParser):
    """What a browser makes of a page: its text, links, scripts and tables."""

    def __init__(self, text):
        super().__init__()
        self.text, self.links, self.scripts, self.tables, self.tags, self.json = "", [], [], {}, set(), None
        self.table = self.within = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.add(tag)
        self.within = tag
        self.links += [given[name] for name in ("href", "src") if name in given]
        if tag == "script":
            self.scripts.append(given)
        if tag == "table":
            self.table = self.tables.setdefault(given.get("id"), [])
        if tag == "tr":
            self.table.append([])
        if tag in ("td", "th"):
            self.table[-1].append("")

    def handle_endtag(self, tag):
        self.within = None
        self.table = None if tag == "table" else self.table

    def handle_data(self, data):
        if self.within == "script" or self.scripts and self.json is None and self.scripts[-1].get("type") == "application/json":
            self.json = data
            return
        self.text += data
        if self.table and self.table[-1] and data.strip():
            self.table[-1][-1] += data.strip("\n")


def pages_of(course):
    found = {}
    for folder, _, names in os.walk(course.path("report")):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                found[os.path.relpath(path, course.path("report"))] = file.read()
    return found


def points(text):
    """Of a cell: 3½ is 3.5, and what is none is 0."""
    return float(text.replace("½", ".5") if text[0] != "½" else 0.5) if re.fullmatch(r"\d*½?", text) and text else 0


def independent_sums(course):
    """What each student has in each night, from the matches; of what has no line there (a bye, a walkover, a match
    that ended before its first move) from the pairings."""
    recorded = {record["match"]: record for record in course.lines("results/matches.jsonl")}
    sums, matches = [], {name: [0, 0, 0, 0] for name in NAMES}
    for night in (1, 2):
        shown = json.loads(course.read(f"results/{night}.json"))
        total = dict.fromkeys(NAMES, 0)
        for pairing in (pairing for part in shown["rounds"] for pairing in part["pairings"]):
            told = recorded.get(pairing["match"], pairing)
            for side, gained in zip(("white", "black"), POINTS.get(told["result"], (0, 0))):
                if told[side] is None:
                    continue
                total[told[side]] += gained
                if pairing["match"]:
                    row = matches[told[side]]
                    row[0] += 1
                    row[{1: 1, 0.5: 2, 0: 3}[gained]] += 1
        sums.append(total)
    return sums, matches


def the_table(t, course):
    t.equal(course.report(), (0, f"{course.dir}/report/index.html\n"), "the report is written")
    index = Reader(pages_of(course)["index.html"])
    rows = index.tables["table"][1:]
    sums, matches = independent_sums(course)
    t.equal(sorted(row[1] for row in rows), sorted(NAMES), "everybody has a row")
    t.check(any(half % 1 for total in sums for half in total.values()), "there are half points", sums)
    series = {row["name"]: row for row in json.loads(course.read("results/series.json"))["players"]}
    for row in rows:
        name = row[1]
        t.equal([points(cell) for cell in row[2:4]], [sums[0][name], sums[1][name]], f"{name}: points of each night")
        t.equal(points(row[4]), sums[0][name] + sums[1][name], f"{name}: points")
        t.equal(points(row[4]), series[name]["score"], f"{name}: points of the series")
        t.equal([int(cell) for cell in row[5:9]], matches[name], f"{name}: matches, won, drawn, lost")
        t.equal(row[9].strip(), f"{series[name]['performance']} ± {series[name]['performance_error']}", f"{name}: rating")
    t.equal([points(row[4]) for row in rows], sorted((points(row[4]) for row in rows), reverse=True), "the most points first")
    t.check("Agresti" in index.text and "95 %" in index.text and "logistic" in index.text, "the model is said")
    for night in (1, 2):
        for row in index.tables[f"night{night}"][1:]:
            t.equal(points(row[-1]), sums[night - 1][row[1]], f"night {night}: {row[1]}: points beside the cross table")
            cells = [word for cell in row[2:-1] for word in re.findall(r"\d½|½|\d|\+|−", cell)]
            t.equal(sum(1 if word == "+" else points(word) for word in cells), sums[night - 1][row[1]], f"night {night}: {row[1]}: its cells add up")
    table = list(csv.reader(io.StringIO(course.read("report/marks.csv").decode())))
    t.equal(table[0][:5], ["rank", "name", "night_1", "night_2", "points"], "titles of the CSV")
    t.equal({row[1]: float(row[4]) for row in table[1:]},
            {name.replace("-tom", "'-tom"): sums[0][name] + sums[1][name] for name in NAMES}, "points of the CSV")


def audits(t, course):
    """A table that does not follow from the matches is said; a torn last line is no match."""
    whole = course.read("results/matches.jsonl")
    first, rest = whole.split(b"\n", 1)
    record = json.loads(first)
    record["result"] = "0-1" if record["result"] == "1-0" else "1-0"
    course.write("results/matches.jsonl", json.dumps(record).encode() + b"\n" + rest)
    status, said = course.report()
    t.check(status == 1 and "night 1: " in said and "their matches come to" in said, "another result", said)
    course.write("results/matches.jsonl", whole + first + b"\n")
    t.equal(course.report(), (1, f"ludus: course report: match {record['match']} is recorded twice\n"), "a match twice")
    course.write("results/matches.jsonl", whole + first.replace(b'"match":"', b'"match":"9'). replace(b'"match": "', b'"match": "9') + b"\n")
    status, said = course.report()
    t.check(status == 1 and "is not one of night 1" in said, "a match of nowhere", said)
    course.write("results/matches.jsonl", whole + first[:50])
    t.equal(course.report()[0], 0, "a torn last line")
    course.write("results/matches.jsonl", whole + b"nonsense\n")
    status, said = course.report()
    t.check(status == 1 and "is no JSON object: nonsense" in said, "a line of nonsense", said)
    course.write("results/matches.jsonl", whole)
    night = course.read("results/2.json")
    shown = json.loads(night)
    shown["rounds"][0]["pairings"].pop()
    course.write("results/2.json", json.dumps(shown))
    status, said = course.report()
    t.check(status == 1 and "night 2: its file has 9 of 10 pairings" in said, "a night that is not whole", said)
    course.write("results/2.json", night)
    t.equal(course.report()[0], 0, "as it was")


def links(t, course):
    """Every link leads to a file; every recorded match has a page with all of its positions."""
    pages = pages_of(course)
    for name, text in pages.items():
        for link in Reader(text).links if name.endswith(".html") else []:
            path = os.path.normpath(os.path.join(os.path.dirname(name), link.split("#")[0]))
            if path not in pages:
                t.check(False, f"{name} leads to {link}")
    index = Reader(pages["index.html"])
    for record in course.lines("results/matches.jsonl"):
        page = Reader(pages[f"match/{record['match']}.html"])
        t.equal(json.loads(page.json)["positions"], record["positions"], "the positions of a match")
        t.equal(index.links.count(f"match/{record['match']}.html"), 2, "both cells of a match lead to it")
        t.check("chat" not in page.json, "no more of a match than is shown")


def secrets(t, course):
    """Of a student's verdicts and log others see nothing but how many there are; no public page has a key."""
    pages = pages_of(course)
    own = {f"{key}.html": name for name, key in course.keys.items()}
    t.check(set(own) <= set(pages), "everybody has a page")
    for name, text in pages.items():
        for student in NAMES:
            words = [word for word in (f"verdict-{student}", f"log-{student}", f"late-{student}") if word in text]
            mine = own.get(name) == student
            t.equal(len(words), 3 if mine else 0, f"{name}: words of {student}: {words}")
        shown = [key for key in course.keys.values() if key in text]
        t.equal(shown, [], f"{name}: keys")
    t.check("2 × " not in pages["index.html"] and "1 × time, 1 × memory" in pages["index.html"], "verdicts are counted")
    old = f"{course.keys['ana']}.html"
    course.write("keys", course.read("keys").replace(course.keys["ana"].encode(), b"f" * 32))
    t.equal(course.report()[0], 0, "with another key")
    names = os.listdir(course.path("report"))
    t.check(old not in names and "f" * 32 + ".html" in names, "the old address is gone", names)
    t.check("report.new" not in os.listdir(course.dir) and "report.old" not in os.listdir(course.dir), "nothing is left behind")
    course.write("keys", b"ana ../../../tmp/x\n")
    status, said = course.report()
    t.check(status == 1 and "the key of ana is not" in said, "a key that is a path", said)
    course.write("keys", "".join(f"{name} {key}\n" for name, key in course.keys.items()))
    t.equal(course.report()[0], 0, "as it was")


def hostile(t, course):
    """What bots and people write stays text."""
    pages = pages_of(course)
    ana = pages[f"{course.keys['ana']}.html"]
    read = Reader(ana)
    t.equal(read.scripts, [], "a student's page has no script")
    t.check("default-src 'none'" in ana and "no-referrer" in ana and "noindex" in ana, "nor could it have one, or tell its address")
    t.check("</pre><script>alert(1)</script>\ufffd[31mred\ufffd[0m \ufffdback\ufffd\ufffd & \"quoted\"\nfourth" in read.text, "a log as it was written", read.text[-2000:])
    t.check("i" not in read.tags and "verdict-ana <i>" in read.text, "the verdict as it is told")
    t.check(len(ana) < 1_400_000 and "Its last 1 MB" in ana, "the end of a long log", len(ana))
    for name in ("index.html", f"{course.keys['rui']}.html"):
        t.check(TITLE in Reader(pages[name]).text and "b" not in Reader(pages[name]).tags, f"{name}: the title")
    whole = course.read("results/matches.jsonl")
    lines = course.lines("results/matches.jsonl")
    lines[0]["reason"] = "</script><b>bold</b>"
    course.write("results/matches.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    t.equal(course.report()[0], 0, "with words of a server in a record")
    read = Reader(pages_of(course)[f"match/{lines[0]['match']}.html"])
    t.equal((json.loads(read.json)["reason"], "b" in read.tags), (lines[0]["reason"], False), "the record ends where it ends")
    course.write("results/matches.jsonl", whole)
    t.equal(course.report()[0], 0, "as it was")
    match = next(text for name, text in pages.items() if name.startswith("match/"))
    t.equal(len(Reader(match).scripts), 2, "a match has its record and the board")


def refusals(t, course):
    for words, said in ((["reprot", "x"], "unknown action 'reprot' (did you mean report?): it is one of init, "), (["report"], "arguments are missing"), (["report", "a", "b"], "too many")):
        done = subprocess.run([os.path.join(BUILD, "ludus"), "course", *words], capture_output=True, text=True)
        t.check(done.returncode == 2 and said in done.stderr, f"{words}", done.stderr)
    os.rename(course.path("results/1.json"), course.path("results/none"))
    status, said = course.report()
    t.check(status == 1 and "no night is over yet" in said, "nothing to report", said)


if __name__ == "__main__":
    COURSE = Course(BUILD)
    COURSE.judge()
    CHECKS = Checks("test_course_report")
    code = CHECKS.run([lambda t, case=case: case(t, COURSE) for case in (the_table, audits, links, secrets, hostile, refusals)])
    COURSE.close()
    sys.exit(code)
