"""ludus-bot under ThreadSanitizer: no races while it searches in several threads.

usage: threads.py BUILD PLAIN_BUILD   BUILD has the bots, PLAIN_BUILD the server
"""
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
import harness
from harness import Checks, Server, wait_until
from scenes import GAMES, think

BUILD, PLAIN = sys.argv[1:3]
BOT = os.path.join(BUILD, "ludus-bot")
LIMIT_S = harness.LIMIT_S = 300  # everything takes ten times as long
RACE_STATUS = 66
ENVIRONMENT = {**os.environ, "TSAN_OPTIONS": f"exitcode={RACE_STATUS}:halt_on_error=1"}


def run(t, *words):
    done = subprocess.run([BOT, *words], text=True, capture_output=True, timeout=LIMIT_S,
                          env=ENVIRONMENT, stdin=subprocess.DEVNULL)
    t.check(done.returncode == 0, " ".join(words), (done.stdout[-300:], done.stderr[-3000:]))


def engines(t):
    for game in GAMES:
        for threads in (2, 5):
            think(t, BOT, game, threads, LIMIT_S, ENVIRONMENT)
        print(f"  ludus-bot ugi, {game}", flush=True)


def programs(t):
    run(t, "gauntlet", "--game", "clobber:4x4", "--pairs", "2", "--parallel", "2", "--nodes",
        "2000", "hard", "greedy")
    print("  ludus-bot gauntlet", flush=True)


def matches(t):
    """Two bots at a time, each with three threads, while a person makes offers."""
    with Server(PLAIN, "--no-bots", "--idle", "3600", checks=t) as server:
        watcher = server.connect("watcher")
        bots = [subprocess.Popen([BOT, "--connect", server.address, "--name", name, "--level",
                                  level, "--threads", "3", "--quiet"], env=ENVIRONMENT, text=True,
                                 stderr=subprocess.PIPE)
                for name, level in (("ann", "max"), ("ben", "hard"))]
        wait_until(lambda: {"ann", "ben"} <= {p["name"] for p in watcher.ask("who")["players"]},
                   "the bots are here")
        for game in GAMES:
            match = watcher.ask(f"new {game} white=ann black=ben clock=4+0.05")["match"]
            interrupt(watcher, game)
            wait_until(lambda: watcher.ask(f"state {match}")["status"] == "over", f"{game} ends")
            print(f"  ludus-bot, {game}", flush=True)
        for bot in bots:
            bot.send_signal(signal.SIGINT)
            errors = bot.communicate(timeout=LIMIT_S)[1]
            t.check(bot.returncode != RACE_STATUS and "ThreadSanitizer" not in errors,
                    "bots in matches", errors[-3000:])
        watcher.close()


def is_ours(state):
    return state["turn"] == "white" or state["status"] == "over"


def interrupt(person, game):
    """A match in which the bot's search becomes useless: a take-back, or a resignation."""
    match = person.ask(f"new {game} black=ann clock=60+1")["match"]
    for ending in ("undo", "draw", "resign"):
        wait_until(lambda: is_ours(person.ask(f"state {match}")), "the bot moves")
        if person.ask(f"state {match}")["status"] == "over":
            return  # it accepted the draw
        person.ask(f"move {match} {person.ask(f'moves {match}')['moves'][0]}")
        person.ask(f"{ending} {match}")


if __name__ == "__main__":
    sys.exit(Checks("threads").run([engines, programs, matches]))
