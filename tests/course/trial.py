#!/usr/bin/env python3
"""A whole course as a class would have it: bots in all languages, engines and five cheats; `ludus course run` is killed once in each night.

usage: trial.py BUILD_DIR [--nights N] [--short]

It plays a Swiss and a round robin, as root and as somebody else when root starts it, and checks that nobody is disturbed: no verdict about
others than the cheats, no match lost or counted twice, tables that follow from the matches, and moves that take others no longer than in
nights without cheats, before and after. The last asks for a machine that has nothing else to do. With --short: six bots and one night of a Swiss.
"""
import argparse
import csv
import glob
import json
import os
import shutil
import statistics
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/support")
from course_run import BUILD, NOBODY, RANDOM_BOT, Course, audit, wait_gone
from harness import Checks

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "client", "examples")
NIGHT_S = 400
SLOWER_MOST = 1.2  # the time a move of others with cheats, by that without
WORK = "sum(range(300000))"  # what a bot in Python thinks, so that a move takes a time that can be compared

# Students: what they hand in, and how it is started.
LANGUAGES = {
    "py1 py2 py3 py4 py5": ("player.py", "python3", "python3 player.py {name} {host}:{port}"),
    "sh1 sh2 sh3": ("player.sh", "bash", "bash player.sh {name} {host}:{port}"),
    "js1 js2": ("player.js", "node", "node player.js {name} {host}:{port}"),
    "pl1 pl2": ("player.pl", "swipl", "swipl player.pl {name} {host}:{port}"),
    "java1": ("Player.java", "java", "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m Player.java {name} {host}:{port}"),
}
PROGRAMS = {
    **{f"bot_{level}": f"bot = bot_{level} {BUILD}/ludus-bot --connect {{host}}:{{port}} --name {{name}} --token {{token}} "
                       f"--tournament {{tournament}} --level {level}" for level in ("random", "greedy", "gentle", "easy")},
    **{f"ugi_{level}": f"engine = ugi_{level} {BUILD}/ludus-bot ugi --level {level}" for level in ("random", "greedy")},
}

LOOK = """
for path in ("../py1/player.py", "../../keys", "../../server/tokens", "../../results/verdicts.jsonl", "/proc/1/environ", "/root/.profile"):
    try:
        print("READ", open(path).read()[:20], flush=True)
    except OSError as error:
        print("refused", path, flush=True)
"""
OPEN = """
import socket as sockets
for what in ((sockets.AF_INET, sockets.SOCK_DGRAM), (sockets.AF_INET, sockets.SOCK_RAW), (sockets.AF_UNIX, sockets.SOCK_STREAM),
             (sockets.AF_NETLINK, sockets.SOCK_RAW), (sockets.AF_PACKET, sockets.SOCK_RAW)):
    try:
        sockets.socket(*what)
        print("OPENED", what, flush=True)
    except OSError:
        print("refused", what, flush=True)
for address in (("127.0.0.1", 22), ("127.0.0.1", 80), ("192.0.2.1", 80)):
    try:
        sockets.create_connection(address, 2)
        print("REACHED", address, flush=True)
    except OSError:
        print("refused", address, flush=True)
kept = []
for _ in range(50):
    try:
        kept.append(sockets.create_connection((os.environ["LUDUS_HOST"], int(os.environ["LUDUS_PORT"])), 2))
    except OSError:
        pass
"""
CHEATS = {
    "fork": "import os\nwhile True:\n    os.fork()\n",
    "hog": "kept = []\nwhile True:\n    kept.append(b'x' * 10_000_000)\n",
    "loud": "while True:\n    print('x' * 1000)\n",
    "spy": LOOK + RANDOM_BOT % "pass",
    "sockets": "import os\n" + OPEN + "del kept\n" + RANDOM_BOT % "pass",
}
# What is said of each; a bomb may use up its time before it is seen with all of its processes, or end by what the kernel refuses it.
ACCUSED = {"fork": {"processes", "no-start", "memory", "time"}, "hog": {"memory", "no-start"}, "loud": {"output"}, "spy": set(), "sockets": set()}


class Trial:
    """A course, with or without the cheats, played by a user."""

    def __init__(self, names, user, cheats, **settings):
        self.names = names
        more = "".join(line + "\n" for name, line in PROGRAMS.items() if name in names)
        files = {}
        for students, (file, program, command) in LANGUAGES.items():
            for name in students.split():
                if name in names and shutil.which(program):
                    files[name] = file
                    more += f"bot = {name} {command}\n"
        self.others = [name for name in PROGRAMS if name in names] + list(files)
        self.cheats = [name for name in CHEATS if name in names and cheats]
        self.course = Course({name: CHEATS[name] for name in self.cheats}, more, user, game="clobber:4x5", clock="30+0.1", start="30", memory="600",
                             processes="64", **settings)
        for name, file in files.items():
            folder = self.course.path(f"bots/{name}")
            os.makedirs(folder, mode=0o755, exist_ok=True)
            with open(os.path.join(EXAMPLES, file)) as source:
                text = source.read()
            self.course.write(f"bots/{name}/{file}", text.replace("    return random.choice(state[", f"    {WORK}\n    return random.choice(state["))
            if user is not None:
                os.chown(folder, user, user)

    def count_over(self):
        """How many matches are over, by the server's log."""
        path = self.course.path("server/log")
        return self.course.read("server/log").count("event=over") if os.path.exists(path) else 0

    def wait(self, process, ready):
        end = time.monotonic() + NIGHT_S
        while process.poll() is None and not ready():
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.02)

    def play(self, t, nights, kills, what):
        """Plays all nights; returns what was printed. Kills the course once in each when so many matches of it are over."""
        process = self.course.start("run")
        for night in range(1, nights + 1) if kills else ():
            self.wait(process, lambda: night == 1 or os.path.exists(self.course.path(f"results/{night - 1}.json")))
            before = self.count_over()
            self.wait(process, lambda: self.count_over() >= before + kills)
            t.check(process.poll() is None and not os.path.exists(self.course.path(f"results/{night}.json")), f"{what}: killed within night {night}")
            process.kill()
            process.communicate()
            t.equal(wait_gone(self.course), [], f"{what}: nothing outlives it")
            process = self.course.start("run")
        self.wait(process, lambda: os.path.exists(self.course.path(f"results/{nights}.json")))
        output = process.communicate(timeout=NIGHT_S)[0]
        t.check(process.returncode == 0, f"{what}: all nights are played", output[-2000:])
        t.equal(wait_gone(self.course), [], f"{what}: nothing is left running")
        return output

    def move_times(self):
        """Milliseconds of each move of the others, by name."""
        times = {name: [] for name in self.others}
        for record in self.course.lines("matches.jsonl"):
            for number, time_ms in enumerate(record["times_ms"]):
                mover = record["black" if number % 2 else "white"]
                if mover in times:
                    times[mover].append(time_ms)
        return times


def check_verdicts(t, trial, nights, what):
    """Only the cheats are accused, and each of what it did, in each night."""
    accused = {}
    for verdict in trial.course.lines("verdicts.jsonl"):
        accused.setdefault(verdict["bot"], []).append(verdict)
    for name in trial.others:
        t.equal([(verdict["night"], verdict["verdict"], verdict["text"]) for verdict in accused.get(name, [])], [], f"{what}: {name} is not disturbed")
    for name in trial.cheats:
        kinds = {verdict["verdict"] for verdict in accused.get(name, [])}
        t.check(kinds <= ACCUSED[name] and bool(kinds) == bool(ACCUSED[name]), f"{what}: {name} is accused of what it did", kinds)
        if ACCUSED[name]:
            t.equal({verdict["night"] for verdict in accused[name]}, set(range(1, nights + 1)), f"{what}: {name}, each night")
    for name in {"spy", "sockets"} & set(trial.cheats):
        for path in glob.glob(trial.course.path(f"logs/*/{name}.log")):
            with open(path) as log:
                said = log.read()
            t.check("refused" in said and not any(word in said for word in ("READ", "OPENED", "REACHED")), f"{what}: {name} gets nowhere", said[-500:])


def check_sums(t, trial, nights, what):
    """Adds up all matches, byes and walkovers anew, and compares that with the report's table. Returns how many matches there are."""
    records, points, met = {}, dict.fromkeys(trial.others + trial.cheats, 0), {}
    for record in trial.course.lines("matches.jsonl"):
        t.check(record["match"] not in records, f"{what}: each match once", record["match"])
        records[record["match"]] = record
    used = set()
    for number in range(1, nights + 1):
        night = json.loads(trial.course.read(f"results/{number}.json"))
        for pairing in (pairing for part in night["rounds"] for pairing in part["pairings"]):
            record = records.get(pairing["match"], pairing)
            t.check(record is not pairing or pairing["match"] is None or {pairing["white"], pairing["black"]} & set(trial.cheats),
                    f"{what}: no match of others is lost", pairing)
            t.check(pairing["result"] != "*", f"{what}: each match has ended", pairing)
            used.add(pairing["match"])
            met.setdefault((number, frozenset((pairing["white"], pairing["black"]))), []).append(pairing)
            gained = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}.get(record["result"], (0, 0))
            for name, more in zip((record["white"], record["black"]), gained):
                if name is not None:
                    points[name] += more
    t.equal(set(records) - used, set(), f"{what}: no match of nowhere")
    t.check(all(len(pairings) == 1 for pairings in met.values()), f"{what}: nobody meets twice in a night", [pairing for pairing in met.values() if len(pairing) > 1][:2])
    report = trial.course.call("report")
    t.check(report.returncode == 0, f"{what}: the report adds up", report.stdout)
    with open(trial.course.path("report/marks.csv"), newline="") as file:
        table = {row["name"]: float(row["points"]) for row in csv.DictReader(file)}
    t.equal(table, points, f"{what}: the table is the sum of the matches")
    return len(records), met


def describe(t, controls, trial, what):
    """Compares the times that the others' moves take with cheats and, before and after that, without; returns a sentence about them."""
    times = [part.move_times() for part in controls]
    before = {name: statistics.median(sum((part[name] for part in times), [])) for name in trial.others if all(part[name] for part in times)}
    after = {name: statistics.median(times) for name, times in trial.move_times().items() if times}
    ratios = sorted((after[name] / max(before[name], 1), name) for name in before.keys() & after.keys())
    ratio = statistics.median(ratio for ratio, _ in ratios)
    t.check(ratio <= SLOWER_MOST, f"{what}: others' moves take no longer", ratios)
    medians = [statistics.median(part.values()) for part in (before, after)]
    return (f"ms a move of the others, median: {medians[0]:g} without cheats, {medians[1]:g} with; of one bot {ratio:.2f} times as long "
            f"({ratios[0][0]:.2f} to {ratios[-1][0]:.2f}, {ratios[-1][1]})")


def run_course(t, names, user, nights, kills, compares=True, **settings):
    who = "root" if user is None and os.geteuid() == 0 else "nobody" if user is not None else "this user"
    what = f"{settings['format']}, {who}"
    begun = time.monotonic()
    controls = [Trial(names, user, False, **settings) for _ in range(2 if compares else 0)]
    if compares:
        controls[0].play(t, 1, kills, what + ", without cheats, before")
    trial = Trial(names, user, True, nights=str(nights), **settings)
    output = trial.play(t, nights, kills, what)
    if compares:
        controls[1].play(t, 1, kills, what + ", without cheats, after")
    audit(t, trial.course, nights, what)
    check_verdicts(t, trial, nights, what)
    matches, met = check_sums(t, trial, nights, what)
    if settings["format"] == "round-robin":
        count = len(trial.others) + len(trial.cheats)
        t.equal(len(met), nights * (count * (count - 1) // 2 + count % 2 * count), f"{what}: everybody has met everybody")
    print(f"{what}: {len(trial.others)} bots and {len(trial.cheats)} cheats, {nights} nights, {matches} matches, {nights} kills, "
          f"{time.monotonic() - begun:.0f} s; {describe(t, controls, trial, what) + '; ' if compares else ''}"
          f"{next(line for line in output.splitlines() if 'limits' in line)}", flush=True)
    for part in (*controls, trial):
        part.course.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--nights", type=int, default=3)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--user", choices=("root", "nobody"))
    given = parser.parse_args()
    everybody = [*" ".join(LANGUAGES).split(), *PROGRAMS, *CHEATS]
    users = [None] if os.geteuid() != 0 else [user for word, user in (("root", None), ("nobody", NOBODY)) if given.user in (None, word)]
    cases = [lambda t, user=user, form=form: run_course(t, everybody, user, given.nights, 40, format=form, rounds="5") for user in users for form in ("swiss", "round-robin")]
    if given.short:
        cases = [lambda t: run_course(t, ["py1", "py2", "sh1", "bot_greedy", "hog", "spy"], None, 1, 3, False, format="swiss", rounds="3")]
    return Checks("test_course_trial" if given.short else "course_trial").run(cases)


if __name__ == "__main__":
    sys.exit(main())
