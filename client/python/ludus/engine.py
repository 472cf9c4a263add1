"""The bots' levels, the solver and the review: ludus-bot computes them, each in a process of its own."""
import json
import os
import subprocess
import threading
from collections import namedtuple

from .library import tree
from .position import Game, Outcome

# What an engine thinks: `score_cp` is for the side to move, `mate` how many moves it or, negative, the other side needs to win. What it did
# not say is None or empty.
Thought = namedtuple("Thought", "move score_cp mate depth nodes pv")

# `winner` with best play, `mover` "wins" or "loses"; `moves` that win, one or all; `outcome` N, P, L or R, or None if it was not asked for.
Solution = namedtuple("Solution", "winner mover moves outcome nodes seconds")


class EngineError(RuntimeError):
    """ludus-bot is missing or has ended, or cannot do what it was asked for: why."""


def program():
    """Returns the path of ludus-bot: LUDUS_BOT, beside this package, in the build of its sources, or in PATH."""
    if "LUDUS_BOT" in os.environ:
        return os.environ["LUDUS_BOT"]
    for path in (os.path.join(os.path.dirname(os.path.abspath(__file__)), "ludus-bot"), os.path.join(tree(), "build", "ludus-bot")):
        if os.access(path, os.X_OK):
            return path
    return "ludus-bot"


def start(*words):
    try:
        return subprocess.Popen([program(), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise EngineError(f"{program()}: {error.strerror}: `make` builds it, LUDUS_BOT names it") from None


def run(*words, given=""):
    """Returns what a command has printed. EngineError has its sentence."""
    process = start(*words)
    try:
        shown, errors = process.communicate(given)
    except BaseException:  # Ctrl-C
        process.kill()
        raise
    if process.returncode != 0:
        raise EngineError(errors.strip() or f"ludus-bot has ended with {process.returncode}")
    return shown


class Engine:
    """A level, which thinks as long as the program lives: close() or `with` ends it. Threads may share one; it thinks of one position at
    a time."""

    def __init__(self, level="max", seed=None, threads=1, hash_mb=None):
        """With a `seed` a game has the same chances again. EngineError says what is wrong with the level."""
        self.level, self._lock, self._game = level, threading.Lock(), None
        self._process = start("ugi", "--level", level)
        self._options = {"Seed": seed, "Threads": threads, "Hash": hash_mb}
        self._talk("ugi", "ugiok")
        for name, value in self._options.items():
            if value is not None:
                self._set(name, value)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def close(self):
        """Ends it, also in the middle of a thought, which then is an EngineError."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()

    def _talk(self, lines, last):
        """Sends lines, and returns those that come, up to one that begins with `last`."""
        answer = []
        try:
            self._process.stdin.write(lines + "\n")
            self._process.stdin.flush()
            for line in self._process.stdout:
                answer.append(line.rstrip("\n"))
                if line.split(" ")[0].strip() == last:
                    return answer
        except (OSError, ValueError):
            pass
        try:
            why = self._process.stderr.read().strip()
        except ValueError:
            why = ""
        raise EngineError(why or "the engine has ended")

    def _set(self, name, value):
        for line in self._talk(f"setoption name {name} value {value}\nisready", "readyok"):
            if line.startswith("info string error: "):
                raise EngineError(line[len("info string error: "):])

    def new_game(self):
        """Forgets what it knows of earlier positions, and begins with its seed again."""
        with self._lock:
            self._game = None

    def think(self, position, movetime_ms=None, nodes=None, depth=None):
        """Returns the Thought about a Position, its text, or a Game, of which it knows the repetitions. Without a limit the level has its
        own pace, and max a second."""
        game = position if isinstance(position, Game) else Game(position)
        if game.position.is_over():
            raise ValueError(f"{game.position}: the game is over")
        limits = [f"{word} {value}" for word, value in (("movetime", movetime_ms), ("nodes", nodes), ("depth", depth)) if value is not None]
        with self._lock:
            if self._game != game.position.game:
                self._set("Game", game.position.game)
                self._talk("uginewgame\nisready", "readyok")
                self._game = game.position.game
            moves = " moves " + " ".join(game.moves) if game.moves else ""
            lines = self._talk(f"position fen {game.start}{moves}\ngo {' '.join(limits) or 'movetime 1000'}", "bestmove")
        return thought_of(lines)

    def move(self, position, **limits):
        """Returns the move that it plays."""
        return self.think(position, **limits).move


def thought_of(lines):
    """Reads the last `info` that has a line of moves, and the move."""
    said = {"score_cp": None, "mate": None, "depth": None, "nodes": None, "pv": []}
    for words in (line.split() for line in lines if line.startswith("info ") and " pv " in line):
        value = dict(zip(words, words[1:]))
        said = {"score_cp": value.get("cp"), "mate": value.get("mate"), "depth": value.get("depth"), "nodes": value.get("nodes"),
                "pv": words[words.index("pv") + 1:]}
        said.update((name, int(text)) for name, text in said.items() if isinstance(text, str))
    return Thought(move=lines[-1].split()[1], **said)


def solve(position, every=False, memory_mb=256):
    """Returns the Solution of a position of Clobber, or of "clobber:WxH", which may be longer than boards to play on. With `every` it has all
    winning moves, and the outcome."""
    shown = run("solve", "--memory", str(memory_mb), *["--json"] * every, str(position))
    if every:
        found = json.loads(shown)
        return Solution(*(found[name] for name in Solution._fields))
    found = dict(line.split(": ", 1) for line in shown.splitlines())
    moves = [] if found["move"] == "-" else [found["move"]]
    return Solution(found["winner"], found["mover"], moves, None, int(found["nodes"]), float(found["seconds"]))


def review(game, nodes=None, movetime_ms=None, threads=None):
    """Returns a dict for each ply of a Game, and a last one for its end: what was played, what was best, what it lost. ludus-bot(6) explains
    the members. Without a limit, each position has a second."""
    options = (("--nodes", nodes), ("--movetime", movetime_ms), ("--threads", threads))
    name, variant = game.start.game.split(":", 1)
    result = (game.outcome() or Outcome("*", None)).result
    pgn = "\n".join((f'[Game "{name}"]', f'[Variant "{variant}"]', '[SetUp "1"]', f'[FEN "{game.start}"]', f'[Result "{result}"]', "",
                     " ".join([*game.moves, result]), ""))
    plies = {}
    for line in run("review", *(word for option, value in options if value is not None for word in (option, str(value))), given=pgn).splitlines():
        ply = json.loads(line)
        if "ply" in ply:
            plies[ply["ply"]] = ply
    return [plies[number] for number in sorted(plies)]
