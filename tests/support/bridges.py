"""A ludus-bridge at a server, of its own or scripted, and matches with it."""
import os
import re
import signal
import subprocess
import sys
import tempfile

from harness import LIMIT_S, build_folder, kept_token, read_again, wait_until
from scripted_server import ScriptedServer

BUILD = build_folder()
PROGRAM = os.path.join(BUILD, "ludus-bridge")
BAD_ENGINE = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bad_engine.py")]


def parent_of(pid):
    """Returns the parent's process id; None if there is no such process or it is a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[1])


def children(pid):
    """Returns all descendants of the process."""
    below = [int(entry) for entry in os.listdir("/proc")
             if entry.isdigit() and parent_of(entry) == pid]
    return below + [grandchild for child in below for grandchild in children(child)]


def wait_for_children(pid, count=1):
    """Waits until the process has at least `count` descendants, and returns them."""
    seen = [[]]
    wait_until(lambda: seen.append(children(pid)) or len(seen[-1]) >= count, f"{count} children")
    return seen[-1]


def wait_for_ends(pids):
    """Waits until none of these processes is left."""
    wait_until(lambda: all(parent_of(pid) is None for pid in pids), f"processes {pids} end")


class Bridge:
    """A ludus-bridge; a context manager that ends it and checks its exit."""

    def __init__(self, address, *words, checks=None, command=BAD_ENGINE, folder=None):
        self.checks = checks
        self.log = tempfile.TemporaryFile(mode="w+", errors="replace")
        self.process = subprocess.Popen(
            [PROGRAM, "--connect", address, "--name", "robot", "--movetime", "20", *words, "--",
             *command], stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "TMPDIR": folder or tempfile.gettempdir()})

    def wait_until_seated(self):
        """Returns the token."""
        line = self.process.stdout.readline()
        match = re.fullmatch(r"ludus-bridge: robot plays at (\S+)\n", line)
        if not match:
            raise RuntimeError(f"the bridge does not start: {line!r} {self.read_log()}")
        return kept_token(match.group(1), "robot")

    def __enter__(self):
        self.token = self.wait_until_seated()
        return self

    def __exit__(self, kind, error, trace):
        below = children(self.process.pid)
        self.process.send_signal(signal.SIGINT)
        code = self.wait()
        if self.checks is not None and kind is None:
            self.checks.equal(code, 0, f"exit code of the bridge ({self.read_log()[-2000:]})")
            wait_for_ends(below)

    def read_log(self):
        return read_again(self.log)

    def wait(self):
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "hangs"


def challenge(peer, game, color="white", more=""):
    """Opens a match in which the peer has this colour, and returns its id."""
    other = "black" if color == "white" else "white"
    return peer.ask(f"new {game} {color}=me {other}=robot{more}")["match"]


def play_out(peer, match, rng):
    """Plays random legal moves to the end of the match, and returns the last state."""
    while True:
        state = peer.wait_for("state", match=match)
        if state is None or state["status"] == "over":
            return state
        if state.get("legal") and state["status"] == "playing":
            peer.send(f"move {match} {rng.choice(state['legal'])} ply={state['ply']}")


def played_to_the_end(checks, state, what):
    checks.check(state["reason"] not in ("resign", "aborted", "forfeit"), f"{what}: played out",
                 state["reason"])


def state(ply, position, **more):
    """Returns a `state` in which the bridge is white."""
    ranks, side = position.split()[:2]
    turn = "white" if side == "w" else "black"
    board = [re.sub(r"\d", lambda digit: "." * int(digit.group()), rank)
             for rank in ranks.split("/")]
    return {"type": "state", "match": "7", "game": "clobber", "variant": "3x2",
            "status": "playing", "you": "white", "ply": ply, "turn": turn,
            "position": position, "board": board,
            "last": None, "clock": None, "offers": [], "result": "*", "reason": None, **more}


class BridgeServer(ScriptedServer):
    """A scripted server that knows how a bridge comes and leaves."""

    def come(self):
        """Waits for the bridge to connect, and returns its hello."""
        self.accept()
        return self.hear()

    def welcome(self, token="t0ken"):
        hello = self.come()
        self.say({"type": "ok", "cmd": "hello", "name": "robot", "token": token})
        return hello

    def hear(self):
        """Returns the next line without its id."""
        return re.sub(r"^#\S+ ", "", super().hear())

    def wait_for(self, verb):
        """Returns the next line that begins with this verb."""
        while (line := self.hear()).split(" ")[0] != verb:
            if not line:
                raise RuntimeError(f"waited in vain for {verb}")
        return line

    def state(self, ply=0, position="PpP/pPp w", **more):
        self.say(state(ply, position, **more))

    def let_go(self):
        """Answers a bridge that leaves, as nothing is on its way any more."""
        self.wait_for("ping")
        self.say({"type": "pong", "id": "idle"})
        self.wait_for("quit")
        self.hang_up()


def engine_log(folder):
    with open(os.path.join(folder, "log")) as file:
        return file.read().splitlines()
