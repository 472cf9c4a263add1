"""client/examples/bot.py, the bot for newcomers to copy, plays matches to the end."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import OK, AnsweringServer, state
from harness import LIMIT_S, Checks, Server, build_folder

EXAMPLE = os.path.join("client", "examples", "bot.py")


def run(*arguments):
    return subprocess.run([sys.executable, EXAMPLE, *arguments], capture_output=True, text=True,
                          timeout=LIMIT_S)


def is_short(t):
    with open(EXAMPLE) as file:
        t.check(len(file.readlines()) <= 45, "at most 45 lines")


def challenges_the_house(t):
    with Server(build_folder(), checks=t) as server:
        done = run(server.address)
        t.equal((done.returncode, done.stderr), (0, ""), "exit code and errors")
        t.check("no-moves, we were white" in done.stdout, "prints the result", done.stdout)


def joins_a_match(t):
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new xadrersi white=me black=open")["match"]
        process = subprocess.Popen([sys.executable, EXAMPLE, server.address, match],
                                   stdout=subprocess.PIPE, text=True)
        state = anna.wait_for("state", match=match, status="playing")
        while state["status"] != "over":
            if "legal" in state:
                anna.send(f"move {match} {state['legal'][0]}")
            state = anna.wait_for("state", match=match)
        shown = process.communicate(timeout=LIMIT_S)[0]
        t.equal(process.returncode, 0, "exit code")
        t.equal(shown, f"match {match}: {state['result']} score, we were black\n", "result")
        t.equal(state["ply"], 16, "plies of Xadrersi")
        anna.close()


def says_what_is_wrong(t):
    with Server(build_folder(), "--no-bots", checks=t) as server:
        done = run(server.address, "99")
        t.equal((done.returncode, done.stderr), (1, "bot.py: unknown match '99'\n"),
                "a match that is not there")
        done = run(server.address)
        t.check(done.returncode == 1 and "bot:random" in done.stderr, "no house bots", done.stderr)


def tries_again(t):
    """The bot repeats a move that the server could not take at once."""
    with Server(build_folder(), "--bots", "random", "--rate", "6", checks=t) as server:
        done = run(server.address)
        t.equal((done.returncode, done.stderr), (0, ""), "a server with little patience")
        t.check("no-moves, we were white" in done.stdout, "the match is over", done.stdout)


class Failing(AnsweringServer):
    """A server that refuses the first two moves."""

    def __init__(self):
        super().__init__({"new": [OK, state(legal=["a2a1"])]})
        self.moves = iter([[{"type": "error", "code": "rate-limited", "message": "", "retry_ms": 50}],
                           [{"type": "error", "code": "internal", "message": "the disk is full"}],
                           [{"type": "ok"}, state(status="over", result="1-0", reason="no-moves")]])

    def answer(self, line):
        if line.startswith("move "):
            self.answers["move"] = next(self.moves)
        super().answer(line)


def sends_the_same_move(t):
    server = Failing()
    done = run(server.address)
    server.close()
    t.equal((done.returncode, done.stderr), (0, ""), "exit code and errors")
    t.equal(server.heard[2:], [server.heard[2]] * 3, "three times the same move")


if __name__ == "__main__":
    sys.exit(Checks("test_example_bot").run([is_short, challenges_the_house, joins_a_match,
                                             says_what_is_wrong, tries_again,
                                             sends_the_same_move]))
