"""The games for Gymnasium, whose package it needs: an environment against a level of the bots.

    from ludus.gym_env import LudusEnv
    env = LudusEnv("clobber:5x6", level="easy")
"""
import gymnasium
import numpy

from .engine import Engine
from .position import Game, Position


class LudusEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, start="clobber:5x6", level="easy", side="white", plies_max=1000, render_mode=None, **limits):
        """`start` as Position takes it. `limits` of the level's thought are those of Engine.think(). A game is cut after so many plies."""
        self.start, self.level, self.side, self.plies_max = Position(start), level, side, plies_max
        self.render_mode, self.limits, self.engine, self.game = render_mode, limits, None, Game(self.start)
        self.observation_space = gymnasium.spaces.Box(0, 1, self.start.planes_shape, numpy.int8)
        self.action_space = gymnasium.spaces.Discrete(self.start.action_count)

    def action_masks(self):
        """Returns an array of 1 for each legal action, under the name by which learners of masked actions ask for it."""
        mask = numpy.zeros(self.start.action_count, dtype=numpy.int8)
        for action in self.game.position.actions():
            mask[action] = 1
        return mask

    def _seen(self):
        planes = numpy.frombuffer(self.game.position.planes(), dtype=numpy.int8).reshape(self.start.planes_shape)
        return planes, {"action_mask": self.action_masks()}

    def _answer(self):
        while self.game.outcome() is None and self.game.position.side != self.side and len(self.game.moves) < self.plies_max:
            self.game.play(self.engine.move(self.game, **self.limits))

    def reset(self, *, seed=None, options=None):
        """With a seed the level has the same chances in this game and in those after it."""
        super().reset(seed=seed)
        if self.engine is None or seed is not None:
            self.close()
            self.engine = Engine(self.level, seed=seed)
        self.engine.new_game()
        self.game = Game(self.start)
        self._answer()
        return self._seen()

    def step(self, action):
        """Plays, and lets the level reply. IllegalMove says which rule an action breaks."""
        self.game.play(int(action))
        self._answer()
        outcome = self.game.outcome()
        reward = {"1-0": 1.0, "0-1": -1.0}.get(outcome.result, 0.0) if outcome else 0.0
        seen, info = self._seen()
        cut = outcome is None and len(self.game.moves) >= self.plies_max
        return seen, reward if self.side == "white" else -reward, outcome is not None, cut, info

    def render(self):
        return "\n".join(self.game.position.board) if self.render_mode == "ansi" else None

    def close(self):
        if self.engine is not None:
            self.engine.close()
            self.engine = None
