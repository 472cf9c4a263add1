"""ludus-bot gauntlet: engines against each other, good and bad ones.

usage: test_gauntlet.py BUILD_DIR
"""
import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from bridges import wait_for_children, wait_for_ends
from harness import Checks, LIMIT_S, build_folder, wait_until

BUILD = os.path.abspath(build_folder())
PROGRAM = os.path.join(BUILD, "ludus-bot")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAIRY = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
BAD = f"{sys.executable} {os.path.join(ROOT, 'tests', 'support', 'bad_engine.py')}"
GAMES = ("clobber:5x6", "clobber:10x10", "xadrersi:touch", "xadrersi:attack", "latrunculi",
         "shakti")


def gauntlet(*words, folder=None):
    """Runs a gauntlet. Returns its exit code, the report as a dictionary, and standard error."""
    done = subprocess.run([PROGRAM, "gauntlet", *words], capture_output=True, text=True,
                          timeout=3 * LIMIT_S, cwd=folder, stdin=subprocess.DEVNULL)
    return done.returncode, read_report(done.stdout), done.stderr


def read_report(text):
    return dict(re.split("  +", line, maxsplit=1) for line in text.splitlines())


def read_matches(path):
    """Returns the text of each match without its date and what was said of moves."""
    with open(path) as file:
        text = re.sub(r"\[(Date|UTCDate|UTCTime) .*\]\n|^%.*\n+", "", file.read(), flags=re.M).replace("]\n\n", "]\n")
    matches = re.sub(r"\{[^}]*\}", "", text).strip()
    heads_and_moves = [match.rpartition("]\n") for match in matches.split("\n\n") if match]
    numbers = re.compile(r"(?<=.)\b\d+[.]{3} ")  # black's moves have numbers behind a comment
    return [f"{head.strip()}]\n" + " ".join(numbers.sub("", " ".join(moves.split())).split())
            for head, _, moves in heads_and_moves]


def moves_of(match):
    return re.sub(r"\[.*\]\n|\d+\.+|\S+\s*$", "", match).split()


def check_records(checks, path, count, what):
    """Checks the records against the rules."""
    with open(path) as file:
        done = subprocess.run([os.path.join(BUILD, "ludus"), "replay", "-"], stdin=file,
                              capture_output=True, text=True, timeout=LIMIT_S)
    checks.equal((done.returncode, done.stdout.count(": ok, ")), (0, count),
                 f"{what}: records ({done.stdout[-300:]}{done.stderr[-300:]})")


def every_game(checks):
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            for first, pairs in (("random", 2), ("greedy", 3)):
                path = os.path.join(folder, "matches.pgn")
                options = ["--game", game, "--nodes", "100000", "--pairs", str(pairs), "--seed",
                           "5", "--pgn", path, first, "random"]
                what = f"{first} against random in {game}"
                code, report, said = gauntlet(*options)
                checks.equal((code, said), (0, ""), what)
                check_records(checks, path, 2 * pairs, what)
                one = read_matches(path)
                again, three = gauntlet(*options, "--parallel", "3"), read_matches(path)
                checks.equal(again, (code, report, said), f"{what}: the same, three at a time")
                checks.equal(three, one, f"{what}: the same matches")
                if first == "greedy":
                    checks.check(int(report["wins"]) >= 5, f"{what}: wins", report)


def openings(checks):
    """The two matches of a pair share an opening with colours swapped; different pairs do not."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "matches.pgn")
        for plies in (0, 1, 6):
            code, _, said = gauntlet("random", "greedy", "--nodes", "9", "--pairs",
                                     "8" if plies else "1", "--opening", str(plies), "--pgn", path)
            checks.equal((code, said), (0, ""), f"openings of {plies} plies")
            matches = read_matches(path)
            heads = [tuple(moves_of(match)[:plies]) for match in matches]
            checks.equal(heads[::2], heads[1::2], f"{plies} plies: pairs share their opening")
            checks.equal(len(set(heads)), len(heads) // 2, f"{plies} plies: no opening twice")
            whites = [re.search(r'White "(.*)"', match).group(1) for match in matches]
            checks.equal(whites, ["random", "greedy"] * (len(whites) // 2), "colours")
    code, report, said = gauntlet("random", "random", "--game", "clobber:2x2", "--opening", "1",
                                  "--pairs", "5", "--nodes", "1")
    checks.check(code == 1 and "no more than 4 different openings" in said,
                 "a board with four openings", said)
    first = gauntlet("random", "greedy", "--nodes", "9", "--pairs", "9", "--seed", "1")
    other = gauntlet("random", "greedy", "--nodes", "9", "--pairs", "9", "--seed", "2")
    checks.check(first != other, "another seed, other matches")


# How bad_engine.py's match on each board ends. On the two marked boards only white has a move, with the right seed.
FAULTS = {
    "6x1": ("crash", "the engine has ended"), "7x1": ("time", "no move after"),
    "8x1": ("crash", "floods"), "9x1": ("crash", "floods"), "10x1": ("illegal", "bestmove a1a1: "),
    "1x3": ("illegal", "bestmove ?[31m\"banana\""),  # as white
    "1x4": ("illegal", "bestmove : "),  # as white
    "1x5": ("crash", "the engine has ended"), "1x7": ("time", "no move after"),
}


def bad_engines(checks):
    for size, (kind, why) in FAULTS.items():
        count = 1 if size in ("1x3", "1x4") else 2
        limit = ("--movetime", "20", "--margin", "4000") if kind == "time" else ("--movetime", "60000")
        code, report, said = gauntlet(BAD, "random", "--game", f"clobber:{size}", *limit, "--pairs", "1",
                                      "--opening", "0", "--parallel", "2", "--seed", "7")
        checks.equal((code, int(report.get("losses", 0)) >= count), (0, True), f"{size} ({said})")
        for row, its in (("lost on time", "time"), ("illegal moves", "illegal"),
                         ("crashes", "crash")):
            want = f"{count if its == kind else 0} by {BAD}, 0 by random"
            checks.equal(report.get(row), want, f"{size}: {row}")
        checks.equal(said.count(f"loses by {kind}: "), count, f"{size}: each is named: {said}")
        checks.check(why in said, f"{size}: with the reason", said)
        checks.check("\x1b" not in said, f"{size}: nothing that a terminal obeys", said)


def child_holds_the_output(checks):
    """An engine that ends is noticed although a child of its own keeps its output open."""
    engine = f"sh -c 'sleep 1000 & exec {BAD}'"
    for limit in (["--nodes", "1"], ["--movetime", "3600000"]):  # which nobody waits for
        code, report, said = gauntlet(engine, "random", "--game", "clobber:6x1", *limit, "--pairs", "1", "--opening", "0")
        checks.equal((code, report.get("crashes", "?")[:4]), (0, "2 by"), f"two crashes with {limit}: {said}")
        checks.check("the engine has ended" in said, "the reason", said)


def startup_and_logs(checks):
    """--startup bounds the wait for an engine that says nothing; a log is cut where an engine writes too much."""
    code, report, said = gauntlet(f"{BAD} --mute", "random", "--nodes", "1", "--startup", "1")
    checks.check(code == 1 and "does not answer the greeting in time" in said, "a mute engine", said)
    with tempfile.TemporaryDirectory() as folder:
        noisy = f"sh -c 'head -c 3000000 /dev/zero | tr \"\\\\0\" x | fold -w 99 >&2; exec {BAD}'"
        code, report, said = gauntlet(noisy, "random", "--game", "clobber:2x2", "--opening", "0", "--nodes", "1", "--pairs", "1",
                                      "--engine-log", os.path.join(folder, "log"))
        checks.equal((code, said), (0, ""), "a noisy engine plays")
        with open(os.path.join(folder, "log.1-white")) as file:
            lines = file.read().splitlines()
        checks.check(lines[-1] == "cut: more than 1048576 bytes" and len("\n".join(lines)) < 1300000, "its log is cut",
                     (lines[-1], len(lines)))


def kept_between_matches(checks):
    """One process plays all matches of a player; one that cannot play a second match loses none by that."""
    base = ("--game", "clobber:4x4", "--nodes", "50", "--pairs", "3")
    for words, how, greetings in (((), None, 1), (("--restart",), None, 6), (("--memory", "400"), "leak", 2),
                                  ((), "crashes", 6), (("--startup", "5"), "hangs", 6), ((), "deaf", 6)):
        with tempfile.TemporaryDirectory() as folder:
            more = f"--log {folder}/log " + ("--leak 80" if how == "leak" else f"--second {how}" if how else "")
            opponent = BAD if how == "leak" else "random"  # a level built with sanitizers takes more memory than that
            code, report, said = gauntlet(f"{BAD} {more}", opponent, *base, *words)
            checks.equal((code, report.get("crashes", "?")[:4], report.get("illegal moves", "?")[:4]), (0, "0 by", "0 by"),
                         f"{words} {how}: no match is lost: {said}")
            with open(f"{folder}/log") as file:
                lines = file.read().split("\n")
            checks.equal((lines.count("ugi"), lines.count("uginewgame") >= 6), (greetings, True), f"{words} {how}: processes")
            is_second = how not in (None, "leak")
            checks.equal(("is started again: " in said, said.count("cannot play two matches")), (is_second, int(is_second)),
                         f"{words} {how}: {said}")
    kept, new = (gauntlet("greedy", "medium", "--nodes", "200", "--pairs", "4", *words) for words in ((), ("--restart",)))
    checks.equal(kept, new, "levels play alike either way")


def commands(checks):
    """A command is split as a shell does it; the path of a program is one word whatever it has in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "my engines", "it's \"bad\"")
        os.mkdir(os.path.dirname(path))
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >>'{folder}/words'\nexec {BAD}\n")
        os.chmod(path, 0o700)
        long = f"{BAD} --log {'/' * 100}dev/null --score"
        code, report, said = gauntlet(f"{long} cp_1", f"{long} cp_2", "--nodes", "9", "--pairs", "1")
        checks.check(code == 0 and re.fullmatch(r"(.*) \(1\) against \1 \(2\)", report["players"]), "names that begin alike", (report, said))
        escaped = path.replace(" ", "\\ ").replace("'", "\\'").replace('"', '\\"')
        double = path.replace('"', '\\"')
        for command, words in ((path, []), (shlex.quote(path), []), (f"{shlex.quote(path)} a 'b  c' \"d\\\"e\" f\\ g ''",
                               ["a", "b  c", 'd"e', "f g", ""]), (escaped + "  x", ["x"]), (f'"{double}" "\\x$y"', ["\\x$y"])):
            code, report, said = gauntlet(command, "random", "--game", "clobber:2x1", "--nodes", "1", "--pairs", "1", "--opening", "0")
            checks.equal((code, said), (0, ""), f"a match of {command}")
            with open(f"{folder}/words") as file:
                checks.equal(file.read().split("\n")[:-1], words or [""], f"the words of {command}")
            os.remove(f"{folder}/words")
    for command in ("'a b", 'a "b', " ", "''"):
        code, report, said = gauntlet(command, "random")
        checks.equal((code, report, said.startswith(f"ludus-bot: PLAYER: '{command}' is neither a level nor a command")),
                     (2, {}, True), f"{command!r} is refused: {said}")


def engines_that_cannot_play(checks):
    for words, why in (
            ([BAD, "random", "--game", "clobber:3x1"], "no such game"),
            ([BAD, "random", "--game", "clobber:5x1"], "the engine has ended"),
            (["random", f"{BAD} --uci", "--game", "shakti"], "UCI and GTP engines play Clobber only"),
            (["/nowhere/at/all", "random"], "/nowhere/at/all: No such file"),
            (["random", "true"], "true: ")):
        code, report, said = gauntlet(*words, "--nodes", "1", "--opening", "0", "--pairs", "1")
        checks.check(code == 1 and report == {} and why in said, f"{words}",
                     f"exit code {code}: {said}")


def time_controls(checks):
    code, report, said = gauntlet("greedy", "random", "--clock", "60+0.5", "--pairs", "1")
    checks.equal((code, said, report["played with"]),
                 (0, "", "clock 60+0.5 s, openings of 4 plies, seed 1"), "a clock")
    # --slow moves on `stop`, a second after its time.
    slow = [f"{BAD} --slow", "random", "--game", "clobber:4x4", "--pairs", "1"]
    for option in (["--clock", "0.1"], ["--movetime", "50"]):
        code, report, said = gauntlet(*slow, *option)
        checks.equal((code, report["lost on time"][:4]), (0, "2 by"), f"{option}: {said}")
    code, report, said = gauntlet(*slow, "--movetime", "10", "--margin", "30000", "--opening", "8")
    checks.equal((code, said), (0, ""), "late, but within the margin")


def dialects(checks):
    words = ["--game", "clobber:5x6", "--nodes", "50", "--pairs", "2", "--parallel", "2"]
    code, report, said = gauntlet(BAD, f"{BAD} --uci", *words)
    checks.equal((code, said, report["wins"]), (0, "", report["losses"]),
                 "UGI against UCI, of the same strength")
    blank = f"{sys.executable} {os.path.join(ROOT, 'tests', 'support', 'blank_engine.py')}"
    for engine in (f"{PROGRAM} ugi", f"{sys.executable} {os.path.join(ROOT, 'tests', 'support', 'bad_engine.py')} --uci"):
        code, report, said = gauntlet(f"{blank} {engine}", "random", *words)
        checks.equal((code, said), (0, ""), f"words with blanks and tabs between and around them: {engine}")
        checks.check(all(report[what].startswith("0") for what in report if "lost" in what or "crash" in what),
                     "no match is lost by that", report)
    command = f"{PROGRAM} ugi --seed 3"
    code, report, said = gauntlet(command, command, "--option", "1:Level=greedy", "--option",
                                  "2:Level=random", "--game", "shakti", *words[2:])
    checks.equal((code, said), (0, ""), "commands with options")
    checks.check(report["players"] == f"{command} (1) against {command} (2)", "their names",
                 report["players"])
    checks.check(report["score"].startswith("100.0 %"), "the options arrive", report)


def ply_limit(checks):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "matches.pgn")
        code, report, said = gauntlet("random", "random", "--game", "latrunculi", "--plies", "10",
                                      "--pairs", "2", "--nodes", "1", "--pgn", path)
        checks.equal((code, said, report["draws"], report["ply limit"]),
                     (0, "", "4", "4 drawn at 10 plies"), "matches of 10 plies")
        checks.equal([len(moves_of(match)) for match in read_matches(path)], [10] * 4, "plies")
        check_records(checks, path, 4, "matches that were cut")


def sprt(checks):
    code, report, said = gauntlet("greedy", "random", "--sprt", "0,100", "--nodes", "1000")
    checks.check(code == 0 and report["sprt"].startswith("ELO1 accepted") and
                 report["sprt"].endswith("ELO0 +0, ELO1 +100, alpha 0.05, beta 0.05, logistic Elo, pentanomial") and
                 int(report["matches"].split()[0]) < 200, "a stronger one", f"{report} {said}")
    more = gauntlet("greedy", "random", "--sprt", "0,100", "--nodes", "1000", "--parallel", "4")
    checks.equal(more, (code, report, said), "the same, four at a time")
    code, report, said = gauntlet("random", "greedy", "--sprt", "0,100", "--nodes", "1000")
    checks.check(code == 3 and report["sprt"].startswith("ELO0 accepted"), "a weaker one", report)
    code, report, said = gauntlet("random", "random", "--sprt=-1,1", "--nodes", "9", "--pairs", "2")
    checks.check(code == 4 and report["sprt"].startswith("undecided"), "two pairs", report)
    code, report, said = gauntlet("greedy", "random", "--sprt", "0,100,0.2,0.01", "--nodes", "1000")
    checks.check(code == 0 and "(-4.38 to 1.60)" in report["sprt"] and "alpha 0.2, beta 0.01" in report["sprt"],
                 "errors of its own", report)


LONG = ["greedy", "random", "--game", "latrunculi", "--nodes", "100000", "--pairs", "20",
        "--parallel", "2"]


def start(*words, folder):
    """Starts a gauntlet that hears SIGHUP, even if this test was told to ignore it."""
    return subprocess.Popen([PROGRAM, "gauntlet", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            cwd=folder, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))


def numbers_in(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [int(line.split()[0]) for line in file.read().splitlines()[2:]]


def interrupted(checks):
    """A gauntlet that is interrupted, several times and in several ways, ends with the result of an
    uninterrupted one."""
    with tempfile.TemporaryDirectory() as folder:
        state, path = os.path.join(folder, "state"), os.path.join(folder, "matches.pgn")
        whole = gauntlet(*LONG, "--pgn", path, folder=folder)
        checks.equal((whole[0], whole[2]), (0, ""), "not interrupted")
        want = read_matches(path)
        words = [*LONG, "--resume", state, "--pgn", path]
        for how, played in ((signal.SIGINT, 3), (signal.SIGKILL, 6), (signal.SIGHUP, 9), (signal.SIGTERM, 12)):
            there = len(numbers_in(state))
            process = start(*words, folder=folder)
            wait_until(lambda: len(numbers_in(state)) >= max(played, there + 1), "matches")  # it plays, hence listens
            process.send_signal(how)
            out, said = process.communicate(timeout=LIMIT_S)
            if how == signal.SIGKILL:
                with open(state, "a") as file:
                    file.write("99 1 1-0 rules no-mo")  # a power failure during the write
                continue
            checks.equal(process.returncode, 1, f"exit code after {how} ({said})")
            checks.check(f"of {len(want)} matches" in said, "it says how far it was", said)
            # Parallel matches finish in any order, but every counted one has a record.
            checks.equal(read_report(out)["matches"].split()[0], str(len(read_matches(path))),
                         "the report of what is there")
            command = shlex.split(said.splitlines()[-1])
            checks.equal((command[:2], sorted(command[2:])),
                         ([PROGRAM, "gauntlet"], sorted(words)), "the command to go on")
        before = numbers_in(state)
        checks.equal(gauntlet(*words, folder=folder), whole, "the report in the end")
        checks.equal(read_matches(path), want, "the matches in the end")
        checks.equal(sorted(numbers_in(state)), list(range(len(want))), "none was played twice")
        checks.equal(numbers_in(state)[:len(before)], before, "what was there stays")
        size = os.path.getsize(state)
        checks.equal(gauntlet(*words, folder=folder), whole, "nothing is left to play")
        checks.equal(os.path.getsize(state), size, "and nothing was")
        other_ways(checks, words, state)


def records_kept(checks):
    """--resume FILE.pgn has every match as soon as it ends, goes on from there after kill -9, and can be extended."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept.pgn")
        whole = gauntlet(*LONG, "--pgn", os.path.join(folder, "whole.pgn"), folder=folder)
        want = sorted(read_matches(os.path.join(folder, "whole.pgn")))
        words = [*LONG, "--resume", path]

        def count():
            return open(path).read().count("[Game ") if os.path.exists(path) else 0

        for number, tail in enumerate(["", "[Ga", '[Game "latrunculi"]\n[Variant "standard"]\n[Match "39"]\n',
                                       '[Game "latrunculi"]\n[Match "39"]\n\n1. a1a2 {+0.3', "\n"]):
            process = start(*words, folder=folder)
            wait_until(lambda: count() >= 4 * number + 3, "matches")
            process.kill()
            process.communicate(timeout=LIMIT_S)
            with open(path, "a") as file:
                file.write(tail)  # a power failure during the write
        kept = open(path).read().count("[Date")
        checks.equal(gauntlet(*words, folder=folder), whole, "the report in the end")
        checks.equal(sorted(read_matches(path)), want, "the matches in the end: none twice")
        checks.check(kept > 12, "much was kept", kept)
        check_records(checks, path, len(want), "kept records")
        before = open(path).read()
        checks.equal((gauntlet(*words, folder=folder), open(path).read()), (whole, before), "nothing is left to play")
        code, report, said = gauntlet(*LONG, "--pairs", "21", "--resume", path, folder=folder)
        checks.equal((code, report["matches"], count()), (0, "42 in 21 pairs", 42), f"extended: {said}")
        checks.check(open(path).read().startswith(before), "what was there stays")
        code, report, said = gauntlet(*words, "--seed", "2")
        checks.check(code == 1 and "begun with other options: 'seed 1', not 'seed 2'" in said, "another seed", said)
        code, report, said = gauntlet(*words, "--adjudicate-score", "900")
        checks.check(code == 1 and "begun with other options: '', not 'score 900'" in said, "an option more", said)
        for text, why in ((before.replace("1-0", "0-1", 2), "is broken"), ('[Game "clobber"]\n\n1. b1a1 *\n', "not the records"),
                          (before.replace("[Match", "[Mat"), "is broken"), ("no records", "")):
            with open(path, "w") as file:
                file.write(text)
            code, report, said = gauntlet(*words)
            if why:
                checks.check(code == 1 and why in said and open(path).read() == text, f"{text[:40]!r}: {why}", said)
        os.remove(path)
        some = ["random", "greedy", "random", "--nodes", "9", "--pairs", "2"]
        first = subprocess.run([PROGRAM, "gauntlet", *some, "--resume", path], capture_output=True, text=True, timeout=LIMIT_S)
        checks.equal((first.returncode, count()), (0, 12), f"one file for all pairings: {first.stderr}")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text[:text.index("%ludus-gauntlet 2-3") - 300])
        again = subprocess.run([PROGRAM, "gauntlet", *some, "--resume", path], capture_output=True, text=True, timeout=LIMIT_S)
        checks.equal((again.stdout, count()), (first.stdout, 12), f"it goes on there: {again.stderr}")


def each_player(checks):
    """A player has a name, a limit, a folder and a protocol of its own; the first plays the others; as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "its own"))
        os.symlink(PROGRAM, os.path.join(folder, "its own", "engine"))
        path, log = os.path.join(folder, "all.pgn"), os.path.join(folder, "log")
        words = ["greedy", "random", "./engine ugi --level random", "--gauntlet", "--pairs", "2", "--nodes", "99",
                 "--player", "1:name=Mine", "--player", "2:movetime=20", "--player", "3:clock=60+1",
                 "--player", f"3:folder={folder}/its own", "--player", "3:protocol=uci", "--engine-log", log,
                 "--event", "A \"test\"", "--site", "here", "--pgn", path, "--json", "--progress", "3600"]
        done = subprocess.run([PROGRAM, "gauntlet", *words], capture_output=True, text=True, timeout=LIMIT_S)
        checks.equal((done.returncode, done.stderr), (0, ""), "three players")
        report = json.loads(done.stdout)
        names = [[player["name"] for player in pairing["players"]] for pairing in report["pairings"]]
        checks.equal(names, [["Mine", "random"], ["Mine", "./engine ugi --level random"]], "who played whom")
        checks.equal([player["limit"] for pairing in report["pairings"] for player in pairing["players"]],
                     ["nodes 99", "movetime 20 ms", "nodes 99", "clock 60+1 s"], "their limits")
        checks.equal(sorted(row["name"] for row in report["ratings"]), sorted({*names[0], *names[1]}), "ratings")
        checks.check(all(pairing["wins"] + pairing["draws"] + pairing["losses"] == pairing["matches"] == 4 and
                         sum(pairing["pairs"]) == 2 and pairing["endings"]["rules"] == 4 for pairing in report["pairings"]),
                     "the results", report)
        with open(path) as file:
            text = file.read()
        checks.equal((text.count('[Event "A \\"test\\""]'), text.count('[Site "here"]'), text.count('[White "Mine"]'),
                      re.findall(r'Round "(.*)"', text)), (8, 8, 4, ["1.1", "1.2", "2.1", "2.2"] * 2), "tags")
        checks.check(re.search(r"\{[+-](M|\d+\.\d\d)/1 \d+\.\d\ds\}", text) and re.search(r"\{\d+\.\d\ds\}", text),
                     "what engines said of their moves", text[-500:])
        said = "".join(open(os.path.join(folder, name)).read() for name in os.listdir(folder) if name.startswith("log."))
        for line in ("> go nodes 99", "> go movetime 20", "> uci\n", "> setoption name UCI_Variant value clobber",
                     "winc 1000 binc 1000"):
            checks.check(line in said, f"engines hear {line!r}")
    for words, why in ((["1:nam=x"], "the keys are"), (["3:name=x"], "there is no player 3"), (["1:protocol=xboard"], "is not ugi"),
                       (["1:name="], "is not KEY=VALUE"), (["1:nodes=x"], "number"), (["0:name=x"], "K:KEY=VALUE")):
        code, _, said = gauntlet("random", "greedy", "--player", *words)
        checks.check(code == 2 and said.startswith("ludus-bot: --player: ") and why in said, f"{words}", said)


def drawn_by_score(checks):
    words = ["greedy", "greedy", "--game", "latrunculi", "--nodes", "500", "--pairs", "2", "--adjudicate-draw"]
    code, report, said = gauntlet(*words, "20000", "--draw-from", "12")
    checks.equal((code, said, report["draws"], report["adjudicated"]), (0, "", "4", "0 by score, 0 by solver, 4 drawn"),
                 "as soon as it may be")
    checks.check(gauntlet(*words, "1", "--plies", "20")[1]["adjudicated"].endswith(" 0 drawn"), "not so early")
    checks.check("has no draws" in gauntlet("random", "greedy", "--adjudicate-draw", "10")[2], "not in Clobber")


def progress_in_a_file(checks):
    """Without a terminal, lines of progress come now and then."""
    done = subprocess.run([PROGRAM, "gauntlet", *LONG, "--progress", "1"], capture_output=True, text=True, timeout=3 * LIMIT_S)
    lines = done.stderr.splitlines()
    checks.check(all(re.fullmatch(r"\d+/40 matches  \+\d+ =\d+ -\d+  .*", line) for line in lines), "its lines", lines)
    with tempfile.TemporaryDirectory() as folder:
        process = start("greedy", "random", "--movetime", "300", "--pairs", "5000", "--progress", "1", folder=folder)
        line = process.stderr.readline()
        checks.check(re.match(r"\d+/10000 matches ", line), "one comes while it plays", line)
        process.kill()
        process.communicate(timeout=LIMIT_S)


def more_pairs(checks):
    """A finished gauntlet can be extended, or reported in part."""
    words = ["greedy", "random", "--nodes", "99", "--pairs"]
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        for pairs, there in (("3", 6), ("8", 16), ("2", 16)):
            checks.equal(gauntlet(*words, pairs, "--resume", state), gauntlet(*words, pairs),
                         f"{pairs} pairs")
            checks.equal(len(numbers_in(state)), there, f"{pairs} pairs: matches in the state")


def other_ways(checks, words, state):
    """States that are rejected."""
    code, report, said = gauntlet(*words, "--seed", "2")
    checks.check(code == 1 and "begun with other options" in said, "another seed", said)
    with open(state) as file:
        lines = file.read().splitlines()
    for number, wrong in ((1, "something else"), (3, "x"), (4, lines[3].replace(" rules ", " x ")),
                          (5, lines[4] + " a1a1"), (6, lines[5].rsplit(" ", 1)[0])):
        with open(state, "w") as file:
            file.write("\n".join(lines[:number - 1] + [wrong] + lines[number:]) + "\n")
        code, report, said = gauntlet(*words)
        want = "not the state of a gauntlet" if number == 1 else f"line {number} is broken"
        checks.check(code == 1 and report == {} and want in said, f"a wrong line {number}", said)


def interrupted_without_state(checks):
    """Without --state an interrupted gauntlet saves its results and prints the command to continue."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "matches.pgn")
        process = start(*LONG, "--pgn", path, folder=folder)
        wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 3000, "matches")
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=LIMIT_S)
        played = int(re.search(r"after (\d+) of 40", said).group(1))
        command = shlex.split(said.splitlines()[-1])
        checks.equal(command[:3], [PROGRAM, "gauntlet", "--resume"], "the command to go on")
        checks.equal(len(numbers_in(os.path.join(folder, command[3]))), played, "what was saved")
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                              timeout=3 * LIMIT_S)
        checks.equal((done.returncode, read_report(done.stdout), done.stderr), gauntlet(*LONG),
                     "it goes on there")


def terminal_is_closed(checks):
    """A gauntlet whose terminal is closed saves its results, and leaves no engine behind."""
    with tempfile.TemporaryDirectory() as folder:
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execv(PROGRAM, [PROGRAM, "gauntlet", BAD, "random", "--game", "clobber:6x6", "--pairs", "5000", "--nodes", "1"])
        shown = b""
        while b"20/10000 matches" not in shown:
            shown = shown[-4096:] + os.read(terminal, 4096)
        below = wait_for_children(pid)
        os.close(terminal)
        checks.equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 1, "exit code")
        left = [name for name in os.listdir(folder) if name.endswith(".state")]
        checks.equal(len(left), 1, "a file to go on with")
        checks.check(len(numbers_in(os.path.join(folder, *left))) >= 20, "what was played")
        wait_for_ends(below)


def killed(checks):
    """The engines of a gauntlet that is killed end with it."""
    mute = f"{BAD} --mute"
    process = subprocess.Popen([PROGRAM, "gauntlet", mute, mute + " ", "--nodes", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    below = wait_for_children(process.pid, 2)
    process.kill()
    process.communicate(timeout=LIMIT_S)
    wait_for_ends(below)


def progress(checks):
    """On a terminal there is a progress line, which is removed at the end."""
    leader, terminal = pty.openpty()
    done = subprocess.run([PROGRAM, "gauntlet", "greedy", "random", "--nodes", "99", "--pairs", "2",
                           "--sprt", "0,10"], stdout=subprocess.PIPE, stderr=terminal, text=True,
                          timeout=LIMIT_S)
    os.close(terminal)
    shown = b""
    try:
        while data := os.read(leader, 4096):
            shown += data
    except OSError:  # Linux reports a closed other end like this
        pass
    os.close(leader)
    lines = shown.decode().split("\r")
    last = re.match(r"4/4 matches  \+(\d) =0 -(\d)  .* %  Elo .*  LLR [+-]\d", lines[-2])
    if checks.check(last, "the line at the end", lines):
        report = read_report(done.stdout)
        checks.equal((report["wins"], report["losses"]), last.groups(), "what it says")
    checks.equal((len(lines), lines[-1]), (4 + 2, "\x1b[K"), "a line a match, and it is cleared")


def round_robin(checks):
    """Each plays each; the table adds up; an interrupted one goes on."""
    words = ["random", "greedy", f"{BAD}", "random", "--game", "clobber:4x4", "--nodes", "50", "--pairs", "3",
             "--option", "3:Style=wild"]

    def run(*more, folder):
        done = subprocess.run([PROGRAM, "gauntlet", *words, *more], capture_output=True, text=True, cwd=folder,
                              timeout=3 * LIMIT_S)
        return done.returncode, done.stdout.splitlines(), done.stderr

    with tempfile.TemporaryDirectory() as folder:
        code, lines, said = run("--pgn", "all.pgn", "--resume", "state", folder=folder)
        checks.equal((code, said, len(lines)), (0, "", 6 + 2 + 4), f"a round robin: {lines}")
        results = [re.fullmatch(r"(.*) against (.*): \+(\d) =(\d) -(\d), lost by own fault 0 and 0", line).groups()
                   for line in lines[:6]]
        names = ["random (1)", "greedy", BAD, "random (4)"]
        checks.equal([row[:2] for row in results], [(names[i], names[j]) for j in range(4) for i in range(j)][:1] +
                     [(names[i], names[j]) for j in range(2, 4) for i in range(j)], "the pairings")
        rows = [re.fullmatch(r" *(\d) +([+-]\d+) +(\d+) +([\d.]+) +(\d+) +([\d.]+) %  (.*)", line).groups()
                for line in lines[8:]]
        checks.equal(sorted(row[6] for row in rows), sorted(names), "all are in the table")
        elos = [int(row[1]) for row in rows]
        checks.check(elos == sorted(elos, reverse=True) and abs(sum(elos)) <= 2, "ratings in order, mean 0", elos)
        for row in rows:
            points = sum(int(r[2]) + int(r[3]) / 2 if r[0] == row[6] else int(r[4]) + int(r[3]) / 2
                         for r in results if row[6] in r[:2])
            checks.equal((float(row[3]), row[4]), (points, "18"), f"the points of {row[6]}")
        check_records(checks, os.path.join(folder, "all.pgn"), 36, "a round robin")
        checks.equal(sorted(name for name in os.listdir(folder) if "state" in name),
                     [f"state.{i}-{j}" for i in range(1, 5) for j in range(i + 1, 5)], "a state for each two")
        with open(os.path.join(folder, "state.3-4")) as file:
            state = file.read().splitlines(True)
        with open(os.path.join(folder, "state.3-4"), "w") as file:
            file.write("".join(state[:4]))
        checks.equal(run("--resume", "state", folder=folder)[1], lines, "what was not played is played")
        for more, why in ((["--sprt", "0,10"], "--sprt: is for two players"),
                          (["--option", "5:A=b"], "--option: there is no player 5"),
                          (["random"] * 13, "PLAYER: two players are needed, or up to 16, not 17")):
            code, _, said = run(*more, folder=folder)
            checks.check(code == 2 and why in said, f"{more}", said)


POSITION = "PpPpP/pPpPp/PpPpP/p1pPp/PpPp1/P1PPp b"


def openings_of_a_file(checks):
    """Each opening is played with both colours, in the order of the file, and again from its start."""
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            with open(os.path.join(folder, name), "w", newline="") as file:
                file.write(text)
            return os.path.join(folder, name)

        lines = write("lines", f"# three\r\n\r\nstartpos\r\n startpos moves b1a1  c1d1 \nfen {POSITION} moves d4d3")
        pgn = os.path.join(folder, "matches.pgn")
        words = ["random", "greedy", "--nodes", "9", "--pgn", pgn, "--openings"]
        code, report, said = gauntlet(*words, lines)
        checks.equal((code, said, report["matches"], report["played with"]),
                     (0, "", "6 in 3 pairs", f"nodes 9, 3 openings of {lines}, seed 1"), "a file of lines")
        matches = read_matches(pgn)
        checks.equal(["[FEN " in match for match in matches], [False] * 4 + [True] * 2, "where they begin")
        checks.equal([moves_of(match)[:2] for match in matches[2:4]], [["b1a1", "c1d1"]] * 2, "their moves")
        checks.check(all(f'[FEN "{POSITION}"]' in match and "1... d4d3" in match for match in matches[4:]),
                     "a position and a move", matches[4:])
        check_records(checks, pgn, 6, "openings of a file")
        state = os.path.join(folder, "state")
        checks.equal(gauntlet(*words, lines, "--pairs", "4", "--resume", state)[1]["matches"], "8 in 4 pairs",
                     "more pairs than openings")
        again = gauntlet(*words, lines, "--pairs", "4", "--resume", state)
        checks.equal((again[0], read_matches(pgn)[6].count("Start"), len(read_matches(pgn))), (0, 0, 8),
                     "a state with positions, and the first opening again")

        other = os.path.join(folder, "other.pgn")
        code, report, said = gauntlet("random", "random", "--nodes", "9", "--openings", pgn, "--opening", "3",
                                      "--pgn", other)
        checks.equal((code, said, report["matches"]), (0, "", "16 in 8 pairs"), "PGN")
        checks.equal([moves_of(match)[:3] for match in read_matches(other)[::2]],
                     [moves_of(match)[:3] for match in read_matches(pgn)], "their first moves")
        for text, why in (("startpos\nstartpos moves a1a1", "line 2: "), ("moves", "line 1: "), ("# none", "no openings"),
                          ("fen P/p w", "line 1: "), ("startpos moves b1a1\0", "not a text"),
                          ("startpos moves " + "b1a1 " * 41, "line 1: "), ("[Game \"shakti\"]\n\n*\n", "a match of shakti"),
                          ("[Game \"clobber\"]\n\n1. a1a1 *\n", "line 1: "), ("[Variant", "line 1: ")):
            code, report, said = gauntlet("random", "random", "--openings", write("bad", text))
            checks.check(code == 2 and report == {} and said.startswith("ludus-bot: --openings: ") and why in said,
                         f"a file {text!r}", said)
        code, _, said = gauntlet("random", "random", "--game", "clobber:2x1", "--openings", write("over", "fen 1P b"))
        checks.check(code == 2 and "line 1: the game is over" in said, "an opening that is over", said)
        code, _, said = gauntlet("random", "random", "--openings", folder)
        checks.check(code == 2 and "Is a directory" in said, "a folder", said)


def adjudication(checks):
    """Matches that both scores, or the solver, know the winner of end there."""
    with tempfile.TemporaryDirectory() as folder:
        pgn = os.path.join(folder, "matches.pgn")
        words = ["--nodes", "9", "--opening", "2", "--pairs", "2", "--pgn", pgn, "--adjudicate-score", "800",
                 "--adjudicate-plies", "4"]
        for first, second, ends in (("cp_900", "cp_-900", 4), ("mate_9", "mate_-1", 4), ("cp_900", "cp_900", 0),
                                    ("cp_900", "cp_-700", 0), ("cp_900", "none", 0)):
            code, report, said = gauntlet(f"{BAD} --score {first}", f"{BAD} --score {second}", *words)
            checks.equal((code, said, report["adjudicated"]), (0, "", f"{ends} by score, 0 by solver"),
                         f"{first} and {second}")
            matches = read_matches(pgn)
            if ends:
                checks.equal((report["wins"], [len(moves_of(match)) for match in matches]), ("4", [6] * 4),
                             "the one that both call the winner, after four plies")
            checks.equal(sum('[Termination "adjudication: score"]' in match for match in matches), ends, "tags")
            check_records(checks, pgn, 4, "adjudicated by score")

        words = ["medium", "random", "--nodes", "500", "--pairs", "5", "--adjudicate-solver", "2000", "--pgn", pgn]
        done = gauntlet(*words)
        checks.equal((done[0], done[2], done[1]["adjudicated"]), (0, "", "0 by score, 10 by solver"), "by the solver")
        matches = read_matches(pgn)
        checks.check(all('[Termination "adjudication: solver"]' in match for match in matches), "tags", matches)
        solved = subprocess.run([PROGRAM, "solve", *moves_to_position(matches[0])], capture_output=True, text=True,
                                timeout=LIMIT_S).stdout
        checks.check(f"winner: {winner_of(matches[0])}\n" in solved, "the winner", solved)
        checks.equal((gauntlet(*words, "--parallel", "3"), read_matches(pgn)), (done, matches), "three at a time")


def moves_to_position(match):
    """The position after the moves of a match that began on 5x6, as words for `solve`."""
    done = subprocess.run([PROGRAM, "ugi"], capture_output=True, text=True, timeout=LIMIT_S,
                          input=f"position startpos moves {' '.join(moves_of(match))}\nquery fen\nd\nquit\n")
    return re.findall(r"[Pp1-5]+(?:/[Pp1-5]+){5} [wb]", done.stdout)[:1]


def winner_of(match):
    return "white" if '[Result "1-0"]' in match else "black"


def round_robin_interrupted(checks):
    """Without --resume, what was played of a round robin is kept, too."""
    words = ["random", "greedy", "medium", "--nodes", "500", "--pairs", "10"]
    with tempfile.TemporaryDirectory() as folder:
        process = start(*words, "--pgn", "all.pgn", folder=folder)
        wait_until(lambda: os.path.exists(os.path.join(folder, "all.pgn")) and
                   open(os.path.join(folder, "all.pgn")).read().count("[Game") > 25, "matches")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=LIMIT_S)
        played = int(re.search(r"after (\d+) of 60", said).group(1))
        command = shlex.split(said.splitlines()[-1])
        kept = {name: numbers_in(os.path.join(folder, name)) for name in os.listdir(folder) if ".state." in name}
        checks.equal((process.returncode, sum(map(len, kept.values()))), (1, played), f"what was kept: {said}")
        checks.equal(len(kept[command[3] + ".1-2"]), 20, "a pairing that was over")
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=3 * LIMIT_S)
        whole = subprocess.run([PROGRAM, "gauntlet", *words], capture_output=True, text=True, timeout=3 * LIMIT_S)
        checks.equal((done.returncode, done.stdout, done.stderr), (0, whole.stdout, ""), "it goes on there")


def short_ones(checks):
    """Both engines may exit at once, which must not make the gauntlet wait for ever."""
    for seed in range(40):
        code, _, said = gauntlet("random", "random", "--nodes", "1", "--pairs", "1", "--seed",
                                 str(seed))
        checks.equal((code, said), (0, ""), f"a short gauntlet, seed {seed}")


def one_at_a_time(checks):
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        process = start(*LONG, "--resume", state, folder=folder)
        wait_until(lambda: numbers_in(state), "matches")
        process.send_signal(signal.SIGSTOP)
        code, _, said = gauntlet(*LONG, "--resume", state)
        checks.check(code == 1 and "another gauntlet is using it" in said, "a state in use", said)
        process.kill()
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=LIMIT_S)


def talk_with_fairy(*lines):
    done = subprocess.run([FAIRY], input="\n".join(("uci", *lines, "quit\n")), text=True,
                          capture_output=True, timeout=LIMIT_S)
    return done.stdout


def counts_of(text):
    return dict(re.findall(r"^([a-z]\d+[a-z]\d+): (\d+)$", text, re.M))


POSITIONS = (
    ("5x6", "clobber", "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w"),
    ("5x6", "clobber", "PpPpP/pPpPp/PpPpP/p1pPp/PpPp1/P1PPp b"),
    ("5x6", "clobber", "pP3/2P2/1pP2/p1p1P/2PPp/3pP w"),
    ("10x10", "ludus-clobber-10x10", None),
    ("10x10", "ludus-clobber-10x10", "Pp8/p9/10/10/4pP4/4Pp4/10/10/9P/8Pp b"),
    ("6x6", "ludus-clobber-6x6", None),
    ("8x8", "ludus-clobber-8x8", None),
    ("7x10", "ludus-clobber-7x10", None),
)


def fairy_notation(checks):
    """Fairy-Stockfish reads our positions and moves as we do: it lists equal moves with equal perft
    counts, which would differ on a turned or mirrored board."""
    if FAIRY is None:
        print("test_gauntlet: fairy-stockfish is not installed: no comparison with it")
        return
    variants = os.path.join(ROOT, "tests", "bench", "clobber_variants.ini")
    for size, variant, position in POSITIONS:
        ours = subprocess.run(
            [PROGRAM, "ugi"], capture_output=True, text=True, timeout=LIMIT_S,
            input=f"setoption name Game value clobber:{size}\nposition " +
            (f"fen {position}" if position else "startpos") + "\ngo perft 3\n")
        theirs = talk_with_fairy(
            f"setoption name VariantPath value {variants}",
            f"setoption name UCI_Variant value {variant}",
            "position " + (f"fen {position} - - 0 1" if position else "startpos"), "go perft 3")
        want = counts_of(ours.stdout)
        checks.check(len(want) > 3, f"our moves in {size} {position}", ours.stdout)
        checks.equal(counts_of(theirs), want, f"moves in {size} {position}")


def fairy_plays(checks):
    if FAIRY is None:
        return
    for size in ("5x6", "10x10", "4x7"):
        code, report, said = gauntlet(FAIRY, "random", "--game", f"clobber:{size}", "--nodes",
                                      "500", "--pairs", "2", "--option", "1:Hash=1")
        checks.equal((code, said), (0, ""), f"fairy-stockfish in {size}")
        checks.check(int(report.get("wins", 0)) >= 3, f"fairy-stockfish wins in {size}", report)


def bad_usage(checks):
    for words in ([], ["greedy"], ["greedy", "random", " "], ["greedy", ""], ["greedy", "  "],
                  ["greedy", "a\nb"], ["--game", "chess"], ["--game", "clobber:0x1"],
                  ["--movetime", "0"], ["--nodes", "x"], ["--nodes", "0"], ["--clock", "0"],
                  ["--nodes", "5", "--movetime", "5"], ["--clock", "1", "--nodes", "5"],
                  ["--clock", "1+"], ["--clock", "1.+1"], ["--clock", "+1"], ["--clock", "-1"],
                  ["--clock", "1.2345"], ["--margin", "-1"], ["--pairs", "0"], ["--parallel", "0"],
                  ["--parallel", "65"], ["--opening", "41"], ["--opening", "6", "--plies", "6"], ["--adjudicate-score", "0"],
                  ["--adjudicate-plies", "1"], ["--adjudicate-solver", "0"], ["--openings", "/nowhere"],
                  ["--game", "shakti", "--adjudicate-solver", "9"],
                  ["--plies", "1001"], ["--sprt", "5"], ["--sprt", "5,5"], ["--sprt", "0,inf"],
                  ["--sprt", "0,1,2"], ["--sprt", "0,1,0.5,0.1"], ["--sprt", "0,1,0,0.1"], ["--sprt", "0,"], ["--sprt", "0,3000"],
                  ["--option", "3:a=b"], ["--option", "0:a=b"], ["--option", "1:a"], ["--option", "1:=b"],
                  ["--option", "1:a=\n"], ["--resume", ""], ["--pgn", ""], ["--pgn"], ["--engine-log", "failed:"],
                  ["--nonsense"], ["-x"]):
        players = [] if not words or not words[0].startswith("-") else ["greedy", "random"]
        code, report, said = gauntlet(*players, *words)
        checks.check(code == 2 and report == {} and said.startswith("ludus-bot: "),
                     f"{words} is refused", f"exit code {code}: {said}")
    for words in (["--pgn", "/nowhere/at/all"], ["--resume", "/nowhere/at/all"]):
        code, report, said = gauntlet("random", "random", *words)
        checks.check(code == 1 and "/nowhere/at/all: No such file" in said, f"{words}", said)
    for option in ("--pgn", "--resume"):
        code, report, said = gauntlet("random", "random", option, "/dev/full", "--pairs", "1")
        checks.check(code == 1 and report == {} and "/dev/full: " in said, f"{option}: no space",
                     f"exit code {code}: {said}")
    for option in ("--help", "--version"):
        done = subprocess.run([PROGRAM, "gauntlet", option], capture_output=True, text=True,
                              timeout=LIMIT_S)
        checks.check(done.returncode == 0 and done.stdout and not done.stderr, option, done)


if __name__ == "__main__":
    sys.exit(Checks("test_gauntlet").run([
        every_game, openings, bad_engines, child_holds_the_output, startup_and_logs, kept_between_matches, commands,
        engines_that_cannot_play, time_controls, dialects, ply_limit, sprt, interrupted, interrupted_without_state, terminal_is_closed, killed, records_kept, each_player, drawn_by_score, progress_in_a_file, more_pairs, one_at_a_time,
        openings_of_a_file, adjudication, short_ones, round_robin, round_robin_interrupted, progress, fairy_notation, fairy_plays, bad_usage], at_once=2))
