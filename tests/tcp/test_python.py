"""client/python, the package `ludus`: every row of tests/positions, random games, batches, and what the README shows.

usage: test_python.py BUILD_DIR
"""
import ctypes
import doctest
import glob
import os
import pickle
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, os.path.abspath("client/python"))
from harness import Checks, build_folder, games_of

BUILD = build_folder()
LIBRARY = os.path.abspath(os.path.join(BUILD, "libludus.so"))
if not os.path.exists(LIBRARY):
    subprocess.run(["make", "-s", f"BUILD={BUILD}", "lib"], check=True)
os.environ.update(LUDUS_LIBRARY=LIBRARY, LUDUS_BOT=os.path.abspath(os.path.join(BUILD, "ludus-bot")))
from ludus import Batch, Game, IllegalMove, Outcome, Position, games, step_many

MASK = (1 << 64) - 1


def next_number(seed):
    """SplitMix64, as common/rng.h has it. Returns the next state and the number."""
    seed = x = (seed + 0x9e3779b97f4a7c15) & MASK
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9 & MASK
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb & MASK
    return seed, x ^ (x >> 31)


def refusal(act):
    try:
        act()
    except ValueError as error:
        return str(error)
    return None


def rows_of_positions(checks):
    """What tests/unit/common/test_rules.c checks of the games, through Python."""
    rows = 0
    for path in sorted(glob.glob("tests/positions/*.txt")):
        game = position = None
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            word, _, rest = line.rstrip("\n").partition(" ")
            at = f"{path}:{number}: {word}"
            left, _, right = rest.partition(" = ")
            rows += word in ("moves", "legal", "illegal", "after", "result", "score", "perft", "refuse")
            if word == "game":
                game = rest
            elif word == "position":
                position = Position(game) if rest == "start" else Position(rest, game)
                rest == "start" or checks.equal(str(position), rest, at)
            elif word == "moves":
                checks.equal(sorted(position.legal()), sorted(rest.split() if rest != "-" else []), at)
            elif word == "legal":
                checks.equal([move for move in rest.split() if position.explain(move)], [], at)
            elif word == "illegal":
                checks.equal(position.explain(left), right, at)
                checks.equal(refusal(lambda: position.play(left)), right, at)
            elif word == "after":
                after = position.play(left)
                checks.equal((str(after), after), (right, Position(right, game)), at)
            elif word == "result":
                outcome = position.outcome()
                checks.equal(rest, f"{outcome.result} {outcome.reason}" if outcome else "*", at)
                checks.equal(position.is_over(), outcome is not None, at)
            elif word == "score":
                checks.equal(position.score, tuple(map(int, rest.split())), at)
            elif word == "perft":
                depth, nodes = map(int, rest.split())
                checks.equal(position.perft(depth), nodes, at)
            elif word == "refuse":
                checks.equal(refusal(lambda: Position(left, game)), right, at)
    checks.check(rows > 500, "so many rows", rows)


def random_games(checks):
    """Games chosen here, move by move, end as those that the library plays with the same numbers, in the same positions."""
    checks.equal(games(), games_of(BUILD), "games and variants, as the programs list them")
    for game, variants in games().items():
        for variant in variants:
            start = Position(f"{game}:{variant}")
            for seed in range(25):
                position, plies, state = start, 0, seed
                while (actions := position.actions()) and plies < 300:
                    state, number = next_number(state)
                    after = position.play(actions[number % len(actions)])
                    if plies % 7 == 0:
                        move = position.move(actions[number % len(actions)])
                        checks.equal((position.play(move), position.explain(move)), (after, None), f"{game}: by text")
                        checks.check(after != position and Position(str(after), after.game) == after, f"{game}: by its text")
                    position, plies = after, plies + 1
                checks.equal(start.random_game(seed, 300), (position, plies), f"{start.game}: seed {seed}")
                checks.equal(position.is_over(), not position.legal(), f"{start.game}: over without moves")


def plain_values(checks):
    start = Position("shakti")
    checks.equal((start.game, start.side, start.score, len(start.board)), ("shakti:standard", "white", None, 7), "what it tells")
    other = start.play(start.legal()[0])
    checks.equal((start, start.side, other.side), (Position("shakti"), "white", "black"), "play() changes nothing")
    checks.equal(len({start, Position("shakti"), other}), 2, "equal ones have one hash")
    checks.equal(pickle.loads(pickle.dumps(other)), other, "pickled")
    checks.equal(eval(repr(other), {"Position": Position}), other, "repr")
    checks.check(start != "shakti", "no position is a text")
    for act, what in ((lambda: Position("chess"), "chess"), (lambda: Position("Pp"), "Pp"), (lambda: Position("Pp w", "shakti"), ""),
                      (lambda: Position("Pp w").play(5), "is not below"), (lambda: Position("Pp w").move(-1), "is not below"),
                      (lambda: Position("Pp w").play(0), "a1"), (lambda: Position("Pp w").play("b1a1"), "is not yours")):
        checks.check(what in (refusal(act) or "nothing is wrong"), f"{what!r} is said", refusal(act))
    checks.check(issubclass(IllegalMove, ValueError), "an illegal move is a ValueError")
    position = Position("Pp w")
    checks.equal((position.planes_shape, position.letters, position.planes()), ((4, 1, 2), "P", bytes([1, 0, 0, 1, 0, 0, 0, 0])), "planes")
    checks.equal(position.play("a1b1").planes(), bytes([0, 1, 0, 0, 0, 0, 1, 1]), "planes of black")


def repetition(checks):
    """Only a game knows that a position has come three times."""
    game = Game(Position("7s/3d4/8/8/8/8/4D3/S7 w 0", "latrunculi"))
    for move in ("a1a2", "h8h7", "a2a1", "h7h8") * 2:
        checks.equal(game.outcome(), None, "it goes on")
        game.play(move)
    checks.equal((game.outcome(), game.position.outcome()), (Outcome("1/2-1/2", "repetition"), None), "drawn")
    checks.equal((len(game.moves), game.start.side), (8, "white"), "it keeps its moves")


def batches(checks):
    for name, count in (("clobber:3x4", 300), ("xadrersi", 50), ("latrunculi", 50), ("shakti", 50)):
        batch, alone, ended = Batch(name, count, seed=5), [Position(name)] * count, 0
        for step in range(40):
            masks, actions = bytes(batch.masks()), batch.random_actions()
            for i in (0, count - 1):
                row = masks[i * batch.action_count:(i + 1) * batch.action_count]
                checks.equal([a for a in range(batch.action_count) if row[a]], sorted(alone[i].actions()), f"{name}: masks")
            after, results = step_many(alone, actions)
            checks.equal(list(batch.step(actions)), results, f"{name}: the results of both")
            ended += sum(result > 0 for result in results)
            alone = [Position(name) if result > 0 else position for position, result in zip(after, results)]
            checks.equal([batch[i] for i in range(len(batch))], alone, f"{name}: the positions of both")
        checks.check(ended > 0 or name in ("latrunculi", "shakti"), f"{name}: games have ended and begun anew")
    batch = Batch("clobber:2x1", 3, resets=False)
    checks.equal(list(batch.step([batch[0].action("b1a1"), 4, -1])), [1, -1, -1], "white wins, a pass and nothing")
    checks.equal(list(batch.random_actions())[0], -1, "where it is over there is no action")
    for actions in ([1, 2], b"abc", [1, 2, 3, 4], bytearray(3), (ctypes.c_int8 * 3)()):
        try:
            batch.step(actions)
            checks.check(False, "too many or too few actions are refused", actions)
        except (ValueError, TypeError):
            checks.check(True, "too many or too few actions are refused")
    checks.check("2 positions, but 1 actions" in refusal(lambda: step_many([Position("Pp w")] * 2, [0])), "and in step_many")


def without_library(checks):
    """What is missing is said, and how to get it."""
    for path, what in (("/nonexistent.so", "make lib"), ("/dev/null", "make lib")):
        done = subprocess.run([sys.executable, "-c", "import ludus"], capture_output=True, text=True,
                              env={**os.environ, "LUDUS_LIBRARY": path, "PYTHONPATH": "client/python"})
        checks.check(done.returncode == 1 and what in done.stderr and path in done.stderr, path, done.stderr)


def readme(checks):
    """Its examples give what it shows."""
    failed, tried = doctest.testfile(os.path.abspath("client/python/README.md"), module_relative=False)
    checks.equal((failed, tried > 10), (0, True), "examples of the README")


if __name__ == "__main__":
    random.seed(1)
    sys.exit(Checks("test_python").run([rows_of_positions, random_games, plain_values, repetition, batches, without_library, readme]))
