"""client/examples/bot.py, the bot that newcomers copy, plays matches to their end."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from harness import LIMIT_S, Checks, Server, build_folder

EXAMPLE = os.path.join("client", "examples", "bot.py")


def run(*arguments):
    return subprocess.run([sys.executable, EXAMPLE, *arguments], capture_output=True, text=True,
                          timeout=LIMIT_S)


def is_short(t):
    with open(EXAMPLE) as file:
        t.check(len(file.readlines()) <= 40, "at most 40 lines")


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
        t.equal((done.returncode, done.stderr), (1, "bot.py: there is no match '99'\n"),
                "a match that is not there")
        done = run(server.address)
        t.check(done.returncode == 1 and "bot:random" in done.stderr, "no house bots", done.stderr)


if __name__ == "__main__":
    sys.exit(Checks("test_example_bot").run([is_short, challenges_the_house, joins_a_match,
                                             says_what_is_wrong]))
