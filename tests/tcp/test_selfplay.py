"""`ludus-bot selfplay`: every line is a game by the rules, and the same seed gives the same games.

usage: test_selfplay.py BUILD_DIR
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, os.path.abspath("client/python"))
from harness import LIMIT_S, Checks, build_folder, games_of

BUILD = build_folder()
PROGRAM, LIBRARY = os.path.join(BUILD, "ludus-bot"), os.path.abspath(os.path.join(BUILD, "libludus.so"))
if not os.path.exists(LIBRARY):
    subprocess.run(["make", "-s", f"BUILD={BUILD}", "lib"], check=True)
os.environ["LUDUS_LIBRARY"] = LIBRARY
from ludus import Game, Position

MEMBERS = ["game", "variant", "start", "opening", "moves", "positions", "evals", "result", "reason"]


def selfplay(*words, **more):
    done = subprocess.run([PROGRAM, "selfplay", *words], capture_output=True, text=True, timeout=LIMIT_S, stdin=subprocess.DEVNULL, **more)
    return done.returncode, done.stdout, done.stderr


def by_the_rules(t):
    for name, variants in games_of(BUILD).items():
        for variant in variants[:2]:
            code, shown, said = selfplay(f"{name}:{variant}", "--games", "2", "--nodes", "30", "--jsonl")
            t.equal((code, said, shown.count("\n")), (0, "", 2), f"{name}:{variant}: a line a game")
            for match in map(json.loads, shown.splitlines()):
                t.equal(list(match), MEMBERS, "its members")
                game = Game(Position(match["start"], f"{name}:{variant}"))
                t.equal((game.position.game, match["opening"]), (f"{name}:{variant}", 4), f"{name}:{variant}: its game")
                for ply, move in enumerate(match["moves"]):
                    t.equal(match["positions"][ply], str(game.position), f"{name}:{variant}: positions")
                    game.play(move)
                t.equal(match["positions"][-1], str(game.position), f"{name}:{variant}: the last position")
                outcome = game.outcome()
                t.equal((match["result"], match["reason"]), tuple(outcome) if outcome else ("*", None), f"{name}:{variant}: the end")
                t.check(len(match["evals"]) == len(match["moves"]) and match["evals"][:4] == [None] * 4 and
                        any(value is not None for value in match["evals"]), f"{name}:{variant}: values", match["evals"])


def seeds(t):
    words = ("clobber:4x5", "--games", "6", "--nodes", "50")
    first = selfplay(*words)
    games = first[1].splitlines()
    t.equal(selfplay(*words), first, "the same games again")
    t.check(len(set(games)) == 6, "games differ from each other", games)
    t.check(not set(games) & set(selfplay(*words, "--seed", "2")[1].splitlines()), "another seed, other games")
    t.equal(selfplay("clobber:4x5", "--games", "3", "--nodes", "50")[1].splitlines(), games[:3], "a game does not depend on how many follow")
    code, shown, said = selfplay("clobber:2x2", "--level", "random", "--opening", "9", "--games", "1")
    match = json.loads(shown)
    t.equal((code, match["opening"]), (0, len(match["moves"])), "an opening that is the whole game")


def bad_usage(t):
    for words, why in (([], "give one argument"), (["chess"], "chess"), (["clobber", "shakti"], "give one argument"),
                       (["clobber", "--games", "0"], "--games"), (["clobber", "--level", "boss"], "unknown level 'boss'"),
                       (["clobber", "--opening", "41"], "--opening")):
        code, shown, said = selfplay(*words)
        t.check(code == 2 and shown == "" and said.startswith("ludus-bot: ") and why in said, f"{words} is refused", said)
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "selfplay", "clobber:2x2", "--games", "3"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT_S)
    t.check(done.returncode == 1 and done.stderr.startswith("ludus-bot: "), "a full disk is said", done.stderr)
    t.check("--games N" in selfplay("--help")[1], "help")


if __name__ == "__main__":
    sys.exit(Checks("test_selfplay").run([by_the_rules, seeds, bad_usage]))
