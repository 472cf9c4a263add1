"""A ludus-bot, and the server that a test scripts for it."""
import os
import signal
import subprocess

from harness import LIMIT_S, build_folder, wait_until
from scripted_server import ScriptedServer

PROGRAM = os.path.join(build_folder(), "ludus-bot")


class Bot:
    """A ludus-bot that ends with the `with` at the latest."""

    def __init__(self, address, *options, given=None, env=None):
        self.process = subprocess.Popen(
            [PROGRAM, "--connect", address, *options], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.PIPE,
            env={**os.environ, **(env or {})})
        if given is not None:
            self.process.stdin.write(given)
            self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=LIMIT_S)

    def end(self):
        """Waits for the bot to exit by itself, and returns its exit code, output and errors."""
        shown, errors = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, shown, errors


def wait_for_player(connection, name):
    wait_until(lambda: name in [p["name"] for p in connection.ask("who")["players"]],
               f"{name} is here")


def play_on(connection, match, state):
    """Plays the first legal move on every turn of ours, and returns the last state."""
    while state["status"] != "over":
        if "legal" in state:
            connection.send(f"move {match} {state['legal'][0]} ply={state['ply']}")
        state = connection.wait_for("state", match=match)
    return state


class BotServer(ScriptedServer):
    """A scripted server that knows how a bot comes and leaves."""

    def welcome(self, token="t0k3n"):
        """Answers the bot's hello and returns it."""
        said = self.hear()
        self.say({"type": "ok", "cmd": "hello", "name": "gus", "token": token})
        assert self.hear() == "set legal=off"
        return said

    def let_go(self):
        """Answers a bot that leaves, as nothing is on its way any more."""
        assert (said := self.hear()) == "#idle ping", said
        self.say({"type": "pong", "id": "idle"})
        assert (said := self.hear()) == "quit", said


def challenge(number, game="shakti", clock=None, name="anna", **more):
    clock = clock and {"base_ms": clock[0] * 1000, "increment_ms": clock[1] * 1000}
    return {"type": "challenge", "match": str(number), "from": name, "game": game, "variant": "standard",
            "clock": clock, **more}


def state(**changes):
    return {"type": "state", "match": "7", "game": "clobber", "variant": "2x1",
            "status": "playing", "you": "white", "ply": 0, "turn": "white", "position": "pP w",
            "board": ["pP"],
            "clock": None, "offers": [], "result": "*", "reason": None, **changes}


MANY, AT_ONCE = 70, 50  # matches of a name, and how many come by themselves (protocol.md)


def with_many_matches(server, name):
    """Somebody has begun many matches against `name`, who then leaves: it is their move in each. Returns who, the
    token of `name`, and the matches."""
    anna, other = server.connect("anna-of-" + name), server.connect(name)
    matches = [anna.do("new clobber:2x2")["match"] for _ in range(MANY)]
    for match in matches:
        other.do(f"join {match}")
        anna.do(f"move {match} a2a1")
    other.close()
    for match in matches:
        anna.wait_for("presence", match=match, online=False)
    return anna, other.token, matches


def plays_all(anna, matches):
    """The other side moves in every match."""
    left = set(matches)
    while left:
        state = anna.wait_for("state", where=lambda state: state["ply"] > 1 or state["status"] == "over")
        left.discard(state["match"])
