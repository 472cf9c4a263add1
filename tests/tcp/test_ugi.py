"""The engine interface: `ludus-bot ugi` on standard input and output."""
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(build_folder(), "ludus-bot")


class Engine:
    def __init__(self, *options):
        self.process = subprocess.Popen([PROGRAM, "ugi", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.process.stdin.close()
        self.process.wait(LIMIT_S)

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self, limit_s=LIMIT_S):
        """Returns the next line, or None when none comes in time."""
        try:
            return self.lines.get(timeout=limit_s)
        except queue.Empty:
            return None

    def read_to(self, beginning):
        """Returns the lines up to the one with this prefix."""
        lines = [self.read()]
        while lines[-1] is not None and not lines[-1].startswith(beginning):
            lines.append(self.read())
        return lines

    def ask(self, *commands):
        """Returns the output of commands that are executed at once."""
        self.send(*commands, "isready")
        return self.read_to("readyok")[:-1]

    def describe(self):
        """Returns the position and the result from `d`."""
        lines = self.ask("d")
        return [line.split(": ", 1)[1] for line in lines if re.match("position: |result: ", line)]


def run(*arguments, given=""):
    done = subprocess.run([PROGRAM, *arguments], input=given, capture_output=True, text=True,
                          timeout=LIMIT_S)
    return done.returncode, done.stdout, done.stderr


def greeting(t):
    with Engine() as engine:
        engine.send("ugi")
        t.equal(engine.read_to("ugiok")[1:],
                ["id author the Ludus authors",
                 "option name Game type string default clobber:5x6",
                 "option name Level type combo default max var random var greedy var gentle"
                 " var easy var medium var hard var expert var master var max",
                 "option name Hash type spin default 16 min 0 max 65536",
                 "option name Threads type spin default 1 min 1 max 16",
                 "option name MultiPV type spin default 1 min 1 max 16",
                 "option name Move Overhead type spin default 30 min 0 max 60000",
                 "option name Seed type spin default -1 min -1 max 2147483647", "ugiok"],
                "ugi")
        t.equal(engine.ask(), [], "isready")
        t.equal(engine.ask("", "  ", "uginewgame", "stop"), [], "commands without an answer")
        t.equal(engine.ask("\tquery   p1turn \r"), ["response true"], "spaces and line ends")


def position_and_moves(t):
    start = "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w"
    with Engine() as engine:
        t.equal(engine.describe(), [start, "*"], "the default game")
        t.equal(engine.ask("position startpos moves b1a1 B2A2"), [], "moves are accepted")
        after = "PpPpP/pPpPp/PpPpP/pPpPp/p1PpP/P1pPp w"
        t.equal(engine.describe(), [after, "*"], "moves from startpos")
        errors = [
            ("position startpos moves b1a1 a2b2", "a2b2: the stone on a2 is not yours: black moves"),
            ("position startpos moves b1a1 x", "x: 'x' is not a move"),
            ("position fen P b", "the rank 'P' has 1 square instead of 5"),
            ("position fen  moves b1a1", "a position is placement, side"),
            ("position startpos b1a1", "usage: position startpos"),
            ("position", "usage: position startpos"),
            ("setoption name Game value chess", "unknown game 'chess'"),
            ("setoption name Game value clobber:11x1", "invalid size '11x1' of Clobber"),
            ("setoption name Level value hardest", "unknown level 'hardest'"),
            ("setoption name Threads value 17", "Threads: '17' is not a number from 1 to 16"),
            ("setoption name Hash value x", "Hash: 'x' is not a number from 0 to 65536"),
            ("setoption name MultiPV value 0", "MultiPV: '0' is not a number from 1 to 16"),
            ("setoption name Move Overhead value -1", "Move Overhead: '-1' is not a number from 0 to 60000"),
            ("setoption name Seed value 5000000000", "Seed: '5000000000' is not a number from -1 to 2147483647"),
            ("setoption name Seed value", "Seed: '' is not a number"),
            ("setoption name UCI_Variant value chess", "unknown game 'chess'"),
            ("setoption name Ponder value x", "unknown option 'Ponder'"),
            ("setoption Game clobber", "usage: setoption name NAME value VALUE"),
            ("query colour", "query takes gameover, p1turn or result"),
            ("xyzzy", "unknown command 'xyzzy'"),
        ]
        for command, sentence in errors:
            shown = engine.ask(command)
            t.check(shown[0].startswith("info string error: " + sentence)
                    and shown[1:] == (["response none"] if command.startswith("query") else []), command, shown)
            if command.startswith("position"):
                t.equal(engine.ask("query gameover", "query result", "query p1turn", "go depth 1"),
                        ["response true", "response none", "response false",
                         "info string error: no position: it was refused", "bestmove 0000"],
                        f"{command} leaves no position")
                t.equal(engine.ask("d", "go perft 1"),
                        ["info string error: no position: it was refused", "position: none", "result: none",
                         "info string error: no position: it was refused", "nodes: 0"], f"{command}: d, perft")
            else:
                t.equal(engine.describe(), [after, "*"], f"{command} changes nothing")
            engine.ask("position startpos moves b1a1 B2A2")
        engine.ask("uginewgame")
        t.equal(engine.describe(), [start, "*"], "uginewgame")


def games_and_variants(t):
    with Engine() as engine:
        for value, position in [
                ("clobber:3x2", "PpP/pPp w"),
                ("Clobber", "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w"),
                ("xadrersi", "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -"),
                ("xadrersi:attack", "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -"),
                ("latrunculi", "ssssssss/3d4/8/8/8/8/4D3/SSSSSSSS w 0"),
                ("shakti", "*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0")]:
            t.equal(engine.ask(f"setoption name Game value {value}"), [], value)
            t.equal(engine.describe(), [position, "*"], f"start of {value}")
            t.equal(engine.ask(f"position fen {position}"), [], f"start of {value} as text")
        engine.ask("setoption name Game value clobber")
        engine.ask("position fen Pp w")
        t.equal(engine.describe(), ["Pp w", "*"], "without a size the position decides")
        engine.ask("setoption name game value clobber:2x2")
        t.check(engine.ask("position fen Pp w")[0].startswith("info string error: "),
                "with a size it must fit")
        engine.ask("setoption name Game value xadrersi:attack", "position startpos moves K@a1")
        t.equal(engine.ask("go perft 1")[-1], "nodes: 12", "squares that the king attacks")


def drawing_and_perft(t):
    with Engine() as engine:
        engine.ask("setoption name Game value clobber:3x2")
        t.equal(engine.ask("d"), ["  2  P p P", "  1  p P p", "     a b c",
                                  "position: PpP/pPp w", "result: *"], "d")
        t.equal(engine.ask("go perft 0"), ["nodes: 1"], "perft 0")
        lines = engine.ask("go perft 2")
        counts = [int(line.split(": ")[1]) for line in lines]
        t.equal(sum(counts[:-1]), counts[-1], "the sum of perft 2")
        t.equal(sorted(line.split(": ")[0] for line in lines),
                ["a2a1", "a2b2", "b1a1", "b1b2", "b1c1", "c2b2", "c2c1", "nodes"], "its moves")
        engine.ask("setoption name Game value clobber:2x1")
        t.equal(engine.ask("go perft 1"), ["b1a1: 1", "nodes: 1"], "perft 1")
        t.equal(engine.ask("go perft 2"), ["b1a1: 0", "nodes: 0"], "perft 2 beyond the end")


def results(t):
    with Engine() as engine:
        for game, position, result, query in [
                ("clobber", "P w", None, None),
                ("clobber", "PP w", "0-1 no-moves", "p2win"),
                ("clobber", "1P b", "1-0 no-moves", "p1win"),
                ("latrunculi", "7s/3d4/8/8/8/8/4D3/SSSSSSSS w 100", "1/2-1/2 no-capture", "draw")]:
            engine.ask(f"setoption name Game value {game}")
            errors = engine.ask(f"position fen {position}")
            if result is None:
                t.check(len(errors) == 1, f"{position} is refused", errors)
                continue
            t.equal(engine.describe(), [position, result], "d of a game that is over")
            t.equal(engine.ask("query result", "query gameover"),
                    [f"response {query}", "response true"], f"queries about {position}")
            t.equal(engine.ask("go depth 1"),
                    ["info string error: the game is over", "bestmove 0000"], "go when it is over")
            t.equal(engine.ask("go perft 2"), ["nodes: 0"], "perft when it is over")


def repetition(t):
    there_and_back = "d2d3 d6d5 d3d2 d5d6"
    with Engine() as engine:
        engine.ask("setoption name Game value shakti",
                   f"position startpos moves {there_and_back} d2d3 d6d5 d3d2")
        t.equal(engine.ask("query gameover", "query result"),
                ["response false", "response none"], "twice is not enough")
        engine.ask(f"position startpos moves {there_and_back} {there_and_back}")
        start = "*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0"
        t.equal(engine.describe(), [start, "1/2-1/2 repetition"], "three times is a draw")
        t.equal(engine.ask("query result"), ["response draw"], "query result")
        shown = engine.ask(f"position startpos moves {there_and_back} {there_and_back} d2d3")
        t.equal(shown, ["info string error: d2d3: the game is over"], "no move after the draw")
        engine.ask(f"position startpos moves {there_and_back} {there_and_back}")
        t.equal(engine.ask("go perft 1")[-1], "nodes: 26", "perft knows no repetition")


def thinking(t):
    with Engine("--level=greedy") as engine:
        for go in ["depth 1", "nodes 1", "nodes 1000000", "movetime 0", "movetime 500",
                   "p1time 0 p2time 0", "p1time 60000 p2time 60000 p1inc 500 p2inc 500",
                   "p2inc 5 p1inc 5 p2time 1000 p1time 1000"]:
            engine.send(f"go {go}")
            lines = engine.read_to("bestmove")
            t.check(re.fullmatch(r"bestmove [a-e][1-6][a-e][1-6]", lines[-1]), f"go {go}", lines)
            t.check(re.fullmatch(r"info depth 1 score cp -?\d+ time \d+ nodes \d+ nps \d+ seldepth 1 hashfull 0 pv "
                                 + lines[-1].split()[1], lines[0]), f"info of go {go}", lines)
        engine.send("setoption name Level value random", "go depth 3")
        t.check(engine.read().startswith("bestmove "), "the level random answers at once")


def remarks(t):
    """Every go is answered once, whatever its words are."""
    rows = [
        ("go depth 0", "go: depth: '0' is not a number from 1 to 2147483647: using 1"),
        ("go movetime -5", "go: movetime: '-5' is not a number from 0 to 2147483647: using 0"),
        ("go depth 1 winc many", "go: winc: 'many' is not a number from 0 to 2147483647: using 0"),
        ("go nodes many", "go: nodes: 'many' is not a number from 1 to 9223372036854775807: using 1"),
        ("go depth 1 mate", "go: unknown word 'mate'"),
        ("go movetime", "go: movetime: '' is not a number"),
        ("go depth 99999999999999999999 nodes 1", "go: depth: '99999999999999999999' is not a number"),
        ("go searchmoves depth 1", "go: unknown word 'searchmoves'"),
        ("go depth 1x", "go: depth: '1x' is not a number"),
        ("go wtime 1000 btime 1000", None), ("go wtime 50 btime 50 winc 5 binc 5", None),
        ("go p1time -20 p2time -20", None), ("go p2time 1000", None), ("go p1inc 5", None),
        ("go wtime 300 movestogo 1", None), ("go movetime 0 depth 1", None)]
    with Engine("--level=greedy") as engine:
        for command, remark in rows:
            engine.send(command)
            lines = engine.read_to("bestmove")
            shown = [line for line in lines if line.startswith("info string")]
            t.check(re.fullmatch(r"bestmove [a-e][1-6][a-e][1-6]", lines[-1] or ""), command, lines)
            t.check(len(shown) == (remark is not None)
                    and all(line.startswith("info string error: " + remark) for line in shown),
                    f"remarks on {command}", shown)
            t.equal(engine.ask(), [], f"{command} is answered once")


def stopping(t):
    for go in ["go infinite", "go"]:
        with Engine("--level=greedy") as engine:
            engine.send(go)
            t.check(engine.read().startswith("info depth 1 "), f"{go} thinks")
            t.equal(engine.read(0.3), None, "but does not answer")
            t.equal(engine.ask(), [], "isready meanwhile")
            t.equal(engine.ask("query p1turn"), ["response true"], "query meanwhile")
            engine.send("stop")
            t.check(engine.read().startswith("bestmove "), "stop brings the answer")
            t.equal(engine.ask("stop"), [], "a second stop does nothing")
            engine.send("go depth 1")
            t.check(engine.read_to("bestmove")[-1].startswith("bestmove "), "and it goes on")


def heard_meanwhile(t):
    """Commands that need the engine idle end an infinite search, and wait for any other."""
    for command in ["position startpos", "go depth 1", "uginewgame",
                    "setoption name Level value random"]:
        with Engine("--level=greedy") as engine:
            engine.send("go infinite")
            engine.read()
            engine.send(command, "go depth 1")
            answers = [engine.read_to("bestmove")[-1] for _ in range(2 + command.startswith("go"))]
            t.check(None not in answers, f"{command} while it thinks: each go is answered", answers)
            t.equal(engine.ask(), [], f"{command}: once")
    with Engine("--level=max") as engine:
        engine.send("go movetime 3600000", "setoption name Level value greedy", "go infinite",
                    "go depth 1", "isready")
        t.equal([line for line in engine.read_to("readyok") if not line.startswith("info depth")],
                ["readyok"], "isready does not wait for commands that do")
        engine.send("stop")
        answers = [engine.read_to("bestmove")[-1] for _ in range(3)]
        t.check(None not in answers, "stop is heard by the search that waits, too", answers)
        t.equal(engine.ask(), [], "three answers")


def counting(t):
    """A long perft can be left alone, stopped and left."""
    with Engine() as engine:
        engine.send("go perft 99")
        t.equal(engine.ask(), [], "isready while it counts")
        engine.send("stop")
        t.check(re.fullmatch(r"info string error: perft was stopped after \d+ nodes", engine.read() or ""), "stop")
        t.equal(engine.ask(), [], "without a total")
        engine.send("go depth 1")
        t.check(engine.read_to("bestmove")[-1].startswith("bestmove "), "and it goes on")
        engine.send("go perft 3")
        t.equal(engine.read_to("nodes: ")[-1], "nodes: 80063", "perft 3")


def finished(t):
    """What has limits is finished at the end of the input, and at a quit right behind it or right before that end."""
    for end in ["", "quit\n", "isready\nquit\n", "quit\nstop\n"]:
        code, shown, errors = run("ugi", given="go perft 5\n" + end)
        counts = [int(line.split(": ")[1]) for line in shown.splitlines() if ": " in line]
        t.equal((code, errors, counts[-1], sum(counts[:-1])), (0, "", 74662024, 74662024), f"perft, then {end!r}")
        for go, last in [("depth 9", "info depth 9 "), ("nodes 300000 movetime 3600000", "info depth "),
                         ("movetime 300", "info depth ")]:
            code, shown, errors = run("ugi", given=f"go {go}\n{end}")
            lines = shown.splitlines()
            t.check(code == 0 and errors == "" and lines[-1].startswith("bestmove ")
                    and shown.count("bestmove") == 1 and any(line.startswith(last) for line in lines),
                    f"{go}, then {end!r}", lines)
            if "depth" not in go:
                time_ms, nodes = map(int, re.search(r" time (\d+) nodes (\d+)", lines[-2]).groups())
                t.check(time_ms > 100 or nodes > 100000, f"{go} is used, then {end!r}", lines[-2])
    code, shown, _ = run("ugi", given="setoption name Game value shakti\ngo depth 4\n"
                         "position startpos moves d2d3\ngo depth 4\nquit\ngo depth 1\n")
    t.equal((code, shown.count("info depth 4 "), shown.count("bestmove")), (0, 2, 2), "all that stands before quit")
    code, shown, _ = run("ugi", given="go perft 99\nstop\nquit\n")
    t.check(code == 0 and "perft was stopped" in shown and "nodes: " not in shown, "stop and quit", shown)
    with Engine() as engine:
        engine.send("go perft 5", "quit")
        t.equal(engine.read_to("nodes: ")[-1], "nodes: 74662024", "right behind it, while the input goes on")
    for go in ["perft 99", "movetime 3600000", "infinite"]:
        with Engine() as engine:
            engine.send(f"go {go}")
            engine.ask()
            time.sleep(0.1)  # more than right behind it
            engine.send("quit")
            engine.process.wait(LIMIT_S)
            t.equal(engine.process.returncode, 0, f"a later quit ends {go}")
    process = subprocess.Popen([PROGRAM, "ugi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b"go perft 99\n")
    process.stdin.close()
    try:
        process.wait(0.3)
    except subprocess.TimeoutExpired:
        pass
    t.equal(process.poll(), None, "it counts on for who reads")
    process.stdout.close()
    t.check(process.wait(LIMIT_S) is not None, "but not for nobody")


def perft_program(t):
    """`ludus-bot perft` for scripts: the same counts, and status 0 only with the whole."""
    for arguments, total in [(("clobber:5x6", "3"), 80063), (("CLOBBER", "0"), 1), (("shakti", "2"), 660),
                             (("PpP/pPp w", "2"), 22), (("xadrersi:attack", "1"), 64),
                             (("--game=xadrersi:attack", "8/8/8/8/8/8/8/K7[QRRBBNNkqrrbbnn] b - a1", "1"), 12),
                             (("8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -", "1"), 64), (("PP w", "3"), 0)]:
        code, shown, errors = run("perft", *arguments)
        rows = [line.split(": ") for line in shown.splitlines()]
        t.equal((code, errors, rows[-1:]), (0, "", [["nodes", str(total)]]), f"perft {arguments}")
        t.check(arguments[-1] == "0" or sum(int(count) for _, count in rows[:-1]) == total, f"{arguments}: a line a move")
    for arguments, error in [((), "give two arguments"), (("clobber",), "give two arguments"),
                             (("chess", "2"), "unknown game 'chess'"), (("clobber:11x1", "2"), "invalid size"),
                             (("PpP/pPp", "2"), "unknown game"), (("Pq w", "2"), "'Pq w' is not a position of any"),
                             (("--game=shakti", "PpP/pPp w", "2"), "the position has 2 fields"),
                             (("clobber", "x"), "invalid value 'x'")]:
        code, shown, errors = run("perft", *arguments)
        t.check((code, shown) == (2, "") and errors.startswith("ludus-bot: perft: " + error)
                and errors.count("\n") == 1, f"usage: {arguments}", errors)
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "perft", "clobber", "1"], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT_S)
    t.equal(done.returncode, 1, "a count that is not written")
    process = subprocess.Popen([PROGRAM, "perft", "clobber", "99"], stdout=subprocess.PIPE)
    process.terminate()
    shown = process.communicate(timeout=LIMIT_S)[0]
    t.check(process.returncode != 0 and b"nodes: " not in shown, "a count that is ended", shown)


def counting_in_turn(t):
    """What waits for a count to end is obeyed when it has ended, though `isready` waits for that, too, and hears of it
    first: each `go` is answered."""
    for depth in (3, 4, 2):
        with Engine() as engine:
            engine.send(*["position startpos", f"go perft {depth}", "position startpos", "isready"] * 10, "go perft 1")
            counts = []
            while len(counts) < 11 and (line := engine.read(10)) is not None:
                counts += [line] if line.startswith("nodes: ") else []
            t.equal((len(counts), len(set(counts[:-1]))), (11, 1), f"counts of {depth} plies")
            if len(counts) < 11:
                engine.process.kill()


def malformed(t):
    """Nothing hangs it, and it says what is wrong with each line."""
    words = ["go", "position", "setoption", "query", "fen", "startpos", "moves", "name", "value",
             "Game", "depth", "perft", "-1", "99999999999999999999", "a1b1", "\u00e9", "\x01", "%s"]
    lines = [f"{first} {second}".strip() for first in words for second in ["", *words]
             if first not in ("go", "query", "setoption", "position")]
    lines += [f"{verb} {word}" for verb in ("query", "setoption", "position") for word in words]
    lines.remove("position startpos")
    t.check(len(lines) > 100, "many lines", len(lines))
    with Engine() as engine:
        for line in lines:
            shown = engine.ask(line)
            t.check(shown[0].startswith("info string error: ")
                    and shown[1:] == (["response none"] if line.startswith("query") else []), repr(line), shown)
        t.equal(engine.ask("is\0ready"), ["info string error: unknown command 'is'"], "a NUL")
        t.equal(engine.ask("position startpos\0moves b1a1", "query p1turn"), ["response false"],
                "a NUL does not cut a line")
        t.equal(engine.ask("position startpos", "\rposition startpos\rmoves b1a1\r", "query p1turn\r"), ["response false"],
                "a CR does not, either")
        t.equal(engine.ask("position startpos" + " " * 100000 + "moves b1a1", "query p1turn"),
                ["response false"], "a long line")


def tracing(t):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        os.environ["LUDUS_UGI_LOG"] = path
        try:
            run("ugi", "--level=random", given="isready\nxyzzy\ngo depth 1")
            run("ugi", given="isready\n")
            os.environ["LUDUS_UGI_LOG"] = os.path.join(path, "x")
            code, shown, errors = run("ugi")
        finally:
            del os.environ["LUDUS_UGI_LOG"]
        with open(path) as file:
            lines = [line.split(" ", 1) for line in file.read().splitlines()]
        t.check(all(ms.isdigit() for ms, _ in lines), "times in ms", lines)
        texts = [text for _, text in lines]
        t.equal(texts[:5], ["> isready", "< readyok", "> xyzzy",
                            "< info string error: unknown command 'xyzzy'", "> go depth 1"], "the trace")
        t.check(texts[5].startswith("< bestmove "), "answers", texts)
        t.equal(texts[-2:], ["> isready", "< readyok"], "the next run is added")
        t.equal((code, shown, errors), (1, "", f"ludus-bot: {path}/x: Not a directory\n"), "no such file")


def one_after_the_other(t):
    """Commands sent without awaiting answers get them in order."""
    code, shown, errors = run("ugi", given="go depth 1\nposition startpos moves b1a1\n"
                              "go depth 1\nsetoption name Game value shakti\ngo depth 1")
    moves = re.findall("^bestmove (.*)$", shown, re.M)
    t.equal((code, len(moves), errors), (0, 3, ""), "three answers up to the end of the input")
    t.check(re.fullmatch("[bdf][2][a-g][1-7]", moves[-1]), "the last one in Shakti", moves)
    for given in ["go infinite\n", "go infinite\nquit\nxyzzy\n", "go\nquit\nxyzzy\n"]:
        code, shown, errors = run("ugi", given=given)
        t.check(code == 0 and shown.count("bestmove") == 1 and "xyzzy" not in shown,
                f"the end while it thinks: {given!r}", shown)
    t.equal(run("ugi"), (0, "", ""), "the end at once")


def seeds(t):
    def moves(*options):
        with Engine(*options) as engine:
            engine.send("go depth 1", "setoption name Level value random", *["go depth 1"] * 20)
            return [engine.read_to("bestmove")[-1] for _ in range(21)]

    t.equal(moves("--seed", "7"), moves("--seed", "7"), "the same seed, the same moves")
    for seed in ("value 7", "value -1"):
        with Engine("--level=random") as engine:
            engine.ask(f"setoption name Seed {seed}")
            games = []
            for _ in range(3):
                engine.send("uginewgame", *["go depth 1"] * 20)
                games.append(tuple(engine.read_to("bestmove")[-1] for _ in range(20)))
            t.equal(len(set(games)), 1 if seed == "value 7" else 3, f"games with Seed {seed}")
    t.check(len({tuple(moves("--level=random")) for _ in range(3)}) > 1, "without one they differ")


def counted(t):
    """Who counts nodes or plies gets the same answer from level max in every run, whatever the seed."""
    def answer(game, go):
        code, shown, errors = run("ugi", given=f"setoption name Game value {game}\nposition startpos\n{go}\n")
        return [re.sub(r" time \d+| nps \d+", "", line) for line in shown.splitlines()]

    for game in ("clobber:6x6", "xadrersi", "latrunculi", "shakti"):
        for go in ("go nodes 3000", "go depth 2"):
            t.equal(len({tuple(answer(game, go)) for _ in range(3)}), 1, f"{game}: {go}")


def scores(t):
    """A win that is found is told in moves, for both sides; the best of several lines comes first."""
    with Engine() as engine:
        engine.ask("setoption name Game value shakti")
        for position, mate in [("*5*/2*1*2/w2**2/5*1/1k1w1*W/1*3*1/*1K3* b 0", 1),
                               ("*4k*/ww***2/1**1**W/***W**K/1*****1/1*1***1/*1**2* b 0", -4)]:
            engine.ask(f"position fen {position}")
            engine.send("go depth 6")
            lines = engine.read_to("bestmove")
            found = re.search(r" score mate (-?\d+) .* pv (.*)", lines[-2])
            t.check(found and int(found[1]) == mate and len(found[2].split()) <= 2 * abs(mate),
                    f"the end of {position}", lines[-2])
        engine.ask("position startpos", "setoption name MultiPV value 3")
        engine.send("go depth 4")
        lines = engine.read_to("bestmove")
        ranks = [int(found[1]) for found in (re.search(r"multipv (\d) score", line) for line in lines) if found]
        values = [int(re.search(r" cp (-?\d+)", line)[1]) for line in lines[-4:-1]]
        firsts = [re.search(r" pv (\S+)", line)[1] for line in lines[-4:-1]]
        t.equal((ranks, sorted(values, reverse=True), len(set(firsts)), lines[-1].split()[1]),
                ([1, 2, 3] * 4, values, 3, firsts[0]), "three lines at each of four depths")
        t.check(all(re.search(r" seldepth (\d+) hashfull \d+ pv ", line) for line in lines[:-1]), "each line", lines)
        engine.ask("setoption name MultiPV value 1", "setoption name Hash value 1", "uginewgame")
        engine.send("go nodes 200000")
        last = re.search(r"info depth (\d+) .* seldepth (\d+) hashfull (\d+) pv", engine.read_to("bestmove")[-2])
        t.check(int(last[2]) > int(last[1]) and 0 < int(last[3]) <= 1000, "how deep, and how full", last[0])
        for overhead, moves in ((100, "0"), (30, "[1-9]")):
            engine.ask(f"setoption name Move Overhead value {overhead}", "uginewgame")
            engine.send("go p1time 100 p2time 100 p1inc 100 p2inc 100")
            lines = engine.read_to("bestmove")
            t.equal(len(lines) > 2, overhead == 30, f"deeper than a ply with an overhead of {overhead} ms")


def in_uci(t):
    """Programs for chess that know variants choose the game by UCI_Variant, and add fields of chess to positions."""
    start = "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w"
    with Engine("--level=greedy") as engine:
        t.check(engine.ask(f"position fen {start} - - 0 1")[0].startswith("info string error"), "not in UGI")
        engine.send("uci")
        lines = engine.read_to("uciok")
        t.equal(lines[-2:], ["option name UCI_Variant type combo default clobber var clobber var clobber10"
                             " var xadrersi var latrunculi var shakti", "uciok"], "uci")
        for tail in (" - - 0 1", " 0 1", " - -", ""):
            t.equal(engine.ask("ucinewgame", f"position fen {start}{tail} moves b1a1"), [], f"a position with {tail!r}")
            t.equal(engine.describe()[0], "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/P1pPp b", f"it, with {tail!r}")
        t.check(engine.ask(f"position fen {start} - - 0 1 5")[0].startswith("info string error"), "but not with more")
        for variant, position in [
                ("clobber10", "/".join(["PpPpPpPpPp", "pPpPpPpPpP"] * 5) + " w"), ("shakti", "*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0"),
                ("clobber", start)]:
            engine.ask(f"setoption name UCI_Variant value {variant}", "position startpos")
            t.equal(engine.describe()[0], position, f"UCI_Variant {variant}")
        engine.send("position startpos", "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 5")
        t.check(re.fullmatch("bestmove [a-e][1-6][a-e][1-6]", engine.read_to("bestmove")[-1]), "go")


def match_runner(t):
    """A game of two engines, with the commands of cutegames in its order."""
    for game in ["clobber:4x5", "xadrersi", "latrunculi", "shakti"]:
        with Engine("--level", "greedy", "--seed", "1") as first, \
                Engine("--level", "random", "--seed", "2") as second:
            for engine in first, second:
                engine.send("ugi")
                engine.read_to("ugiok")
                t.equal(engine.ask(f"setoption name Game value {game}", "uginewgame"), [], game)
            moves = []
            while True:
                position = "position startpos" + (" moves " + " ".join(moves) if moves else "")
                turn = first.ask(position, "query p1turn")
                t.equal(turn, ["response " + ("false" if len(moves) % 2 else "true")], "turn")
                mover = second if len(moves) % 2 else first
                if mover.ask(position, "query gameover") == ["response true"]:
                    break
                mover.send("go p1time 600000 p2time 600000 p1inc 100 p2inc 100")
                moves.append(mover.read_to("bestmove")[-1].split()[1])
            results = [engine.ask(position, "query gameover", "query result")
                       for engine in (first, second)]
            t.equal(results[0], results[1], f"{game}: both give the same result")
            t.check(re.fullmatch("response (p1win|p2win|draw)", results[0][1]), game, results)


def long_game(t):
    """A match sent from its start for each move, as match runners do."""
    moves = []
    with Engine("--level=greedy") as engine:
        engine.ask("setoption name Game value clobber:10x10")
        while True:
            engine.send("position startpos" + (" moves " + " ".join(moves) if moves else ""),
                        "go nodes 1")
            best = engine.read_to("bestmove")[-1].split()[1]
            if best == "0000":
                break
            moves.append(best)
        t.check(len(moves) > 40, "plies of a game on the largest board", len(moves))
        t.check(engine.describe()[1].endswith("no-moves"), "it ends")


def command_line(t):
    for arguments in [("--help",), ("ugi", "--help")]:
        code, shown, errors = run(*arguments)
        t.check(code == 0 and shown.startswith("Usage: ludus-bot ") and errors == "",
                f"{arguments}", shown)
        t.check("greedy" in shown and "random" in shown, "the levels are shown", shown)
    for arguments in [("--version",), ("ugi", "--version")]:
        code, shown, errors = run(*arguments)
        t.check(code == 0 and re.fullmatch(r"ludus-bot \d+\.\d+\.\d+\n", shown), f"{arguments}",
                shown)
    for arguments, error in [
            ((), "--connect: no server given: see --help"),
            (("play",), "play: unknown command: see --help"),
            (("--fast",), "--fast: unknown option: see --help"),
            (("-x",), "-x: unknown option: see --help"),
            (("--connect",), "--connect: value missing: HOST:PORT"),
            (("--conect", "x"), "--conect: unknown option (did you mean --connect?): see --help"),
            (("ugi", "--seed"), "--seed: value missing: N"),
            (("ugi", "--seed", "x"), "--seed: invalid value 'x': write a number from 0 to 9223372036854775807"),
            (("ugi", "--level", "hardest"), "--level: unknown level 'hardest': see --help"),
            (("ugi", "--level", "hrad"), "--level: unknown level 'hrad' (did you mean hard?): see --help"),
            (("ugi", "now"), "now: ugi takes no arguments"),
            (("--connect", "localhost:1", "--retry", "-1"),
             "--retry: invalid value '-1': write a number from 0 to 1000000"),
            (("--connect", "localhost:1", "--token", "x"),
             "--token: a token belongs to a name: give --name"),
            (("--connect", "localhost:1", "--house", "random"),
             "--house: no secret on standard input")]:
        t.equal(run(*arguments), (2, "", f"ludus-bot: {error}\n"), f"usage: {arguments}")


if __name__ == "__main__":
    sys.exit(Checks("test_ugi").run([
        greeting, position_and_moves, games_and_variants, drawing_and_perft, results, repetition,
        thinking, remarks, stopping, heard_meanwhile, counting, finished, perft_program, counting_in_turn, malformed, tracing, one_after_the_other, seeds, counted, scores, in_uci, match_runner, long_game, command_line]))
