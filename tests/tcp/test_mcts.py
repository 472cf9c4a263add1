"""`tests/tools/mcts`: a yardstick is of use only if it plays by the rules and takes a win that it can see."""
import glob
import os
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

PROGRAM = os.path.join(build_folder(), "ludus-bot")
ROOT = os.path.join(os.path.dirname(__file__), "../..")
GAMES = ("clobber:5x6", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti")


def build_mcts(folder):
    program = os.path.join(folder, "mcts")
    sources = ["tests/tools/mcts.c", "client/bot/base/search_question.c",
               *sorted(glob.glob("common/games/*.c", root_dir=ROOT)),
               "common/game.c", "common/move.c", "common/position_text.c", "common/text.c", "common/message.c"]
    subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-std=c11", "-D_GNU_SOURCE", "-O2", "-I.", "-o", program,
                    *sources, "-lm"], cwd=ROOT, check=True)
    return program


def talk(program, *lines):
    done = subprocess.run([program], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=LIMIT_S)
    return done.returncode, done.stdout.splitlines(), done.stderr


def legal_moves(game):
    done = subprocess.run([PROGRAM, "perft", game, "1"], capture_output=True, text=True, timeout=LIMIT_S)
    return {line.split(":")[0] for line in done.stdout.splitlines() if not line.startswith("nodes")}


def plays(t, program):
    for game in GAMES:
        status, lines, errors = talk(program, "ugi", f"setoption name Game value {game}", "isready",
                                     "position startpos", "go nodes 300", "quit")
        t.equal((status, errors), (0, ""), game)
        t.check("ugiok" in lines and "readyok" in lines, f"{game}: greetings", lines)
        t.check(lines[-1].split()[1] in legal_moves(game), f"{game}: a legal move", lines)


def wins(t, program):
    for game, position, moves in [
            ("clobber:4x1", "pPpP w", {"b1c1", "d1c1"}),
            ("latrunculi", "2sd4/3s4/8/8/4S3/8/8/S6D w 0", {"e4e8"}),
            ("clobber:4x4", "pPPp/2Pp/PpPp/pp1P b", {"b2c2", "a4b4", "d3c3", "d4c4", "d2d1"})]:
        lines = talk(program, f"setoption name Game value {game}", f"position fen {position}", "go nodes 20000")[1]
        t.check(lines[-1].split()[1] in moves, f"{game} {position}", lines)
        t.check("score cp 690" in lines[-2], f"{game} {position}: proven", lines)


def errs(t, program):
    lines = talk(program, "setoption name Game value chess", "position fen 9 w", "position startpos moves a1a9", "go nodes 1")[1]
    t.equal([line.startswith("info string error: ") for line in lines[:3]], [True] * 3, "bad input")
    t.check(lines[-1].startswith("bestmove "), "and it plays on", lines)


def everything(t):
    with tempfile.TemporaryDirectory(prefix="ludus-test-") as folder:
        program = build_mcts(folder)
        for test in (plays, wins, errs):
            test(t, program)


if __name__ == "__main__":
    sys.exit(Checks("test_mcts").run([everything]))
