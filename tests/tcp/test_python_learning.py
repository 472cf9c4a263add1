"""The adapters of client/python for PettingZoo, Gymnasium and OpenSpiel; where one of these is missing, against what
tests/support/learning_stubs.py has of its interface.

usage: test_python_learning.py BUILD_DIR
"""
import copy
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, os.path.abspath("client/python"))
import learning_stubs
from harness import Checks, build_folder

LIBRARY = os.path.abspath(os.path.join(build_folder(), "libludus.so"))
if not os.path.exists(LIBRARY):
    subprocess.run(["make", "-s", f"BUILD={build_folder()}", "lib"], check=True)
os.environ.update(LUDUS_LIBRARY=LIBRARY, LUDUS_BOT=os.path.abspath(os.path.join(build_folder(), "ludus-bot")))
if MISSING := learning_stubs.install():
    print(f"test_python_learning: against their interfaces only: {', '.join(MISSING)}")
import pyspiel
from ludus import IllegalMove, Position
from ludus.aec_env import LudusAEC
from ludus.gym_env import LudusEnv
import ludus.spiel


def chosen(mask):
    return random.choice([action for action, legal in enumerate(mask) if legal])


def pettingzoo(t):
    for start in ("clobber:3x4", "xadrersi", "shakti", "latrunculi"):
        env, turns = LudusAEC(start, plies_max=60, render_mode="ansi"), []
        for _ in range(3):
            env.reset(seed=1)
            t.equal(env.render(), "\n".join(Position(start).board), f"{start}: drawn")
            totals = {}
            for agent in env.agent_iter():
                seen, reward, ended, cut, info = env.last()
                t.check(env.observation_space(agent).contains(seen), f"{start}: observations are of their space")
                totals[agent] = totals.get(agent, 0) + reward
                if ended or cut:
                    env.step(None)
                    continue
                other = "black" if agent == "white" else "white"
                t.equal(sum(env.observe(other)["action_mask"]), 0, f"{start}: nothing is legal out of turn")
                turns.append(agent)
                env.step(chosen(seen["action_mask"]))
            t.check(sum(totals.values()) == 0 and set(totals.values()) <= {-1, 0, 1}, f"{start}: who wins, wins what the other loses", totals)
            t.equal((env.agents, cut or sorted(totals.values()) == [-1, 1] or start != "clobber:3x4"), ([], True), f"{start}: it ends")
        t.equal({"white", "black"} - set(turns), set(), f"{start}: both move")
    env.reset()
    try:
        env.step(0)
        t.check(False, "an illegal action")
    except IllegalMove:
        t.equal(env.agent_selection, "white", "an illegal action changes nothing")


def gymnasium(t):
    for start, side in (("clobber:3x4", "white"), ("clobber:3x4", "black"), ("shakti", "black")):
        games = []
        for _ in range(2):
            env, random_here = LudusEnv(start, level="easy", side=side, plies_max=40, nodes=50), random.Random(5)
            seen, info = env.reset(seed=7)
            ended = cut = False
            while not (ended or cut):
                t.check(env.observation_space.contains(seen), f"{start}: observations are of their space")
                t.equal(env.game.position.side, side, f"{start}: it is {side}'s turn")
                action = random_here.choice([action for action, legal in enumerate(info["action_mask"]) if legal])
                seen, reward, ended, cut, info = env.step(action)
                t.check(reward == 0 or ended, f"{start}: only the end has a reward")
            won = {"1-0": "white", "0-1": "black"}.get(env.game.outcome().result if ended else None)
            t.equal(reward, 0 if won is None else 1 if won == side else -1, f"{start}: the reward of {side}")
            games.append(env.game.moves)
            env.close()
        t.equal(games[0], games[1], f"{start}: the same seed and actions, the same game")


def openspiel(t):
    for start in ("clobber:3x4", "xadrersi"):
        game = pyspiel.load_game(f"ludus(start={start})")
        state, observer = game.new_initial_state(), game.make_py_observer()
        t.equal(game.num_distinct_actions(), Position(start).action_count, f"{start}: actions")
        while not state.is_terminal():
            actions = state.legal_actions()
            t.check(actions == sorted(set(actions)) and state.returns() == [0, 0], f"{start}: legal actions are sorted")
            observer.set_from(state, 0)
            t.equal((len(observer.tensor), observer.dict["observation"].shape),
                    (len(state.ludus.position.planes()), Position(start).planes_shape), f"{start}: what is observed")
            action, ludus_before = random.choice(actions), copy.deepcopy(state.ludus)
            t.equal(state.action_to_string(action), state.ludus.position.move(action), f"{start}: a move as text")
            state.apply_action(action)
            ludus_before.play(action)
            t.equal(str(state), str(ludus_before.position), f"{start}: a copy plays alike")
        t.equal((state.current_player(), state.legal_actions(), sum(state.returns())), (pyspiel.PlayerId.TERMINAL, [], 0), f"{start}: the end")


if __name__ == "__main__":
    random.seed(1)
    sys.exit(Checks("test_python_learning").run([pettingzoo, gymnasium, openspiel]))
