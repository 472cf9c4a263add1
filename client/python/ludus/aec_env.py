"""The games for PettingZoo, whose package it needs: an AECEnv with an action mask.

    from ludus.aec_env import LudusAEC
    env = LudusAEC("clobber:5x6")
"""
import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from .position import Game, Position


def observation_of(position, agent):
    """The planes of a position, and 1 for each legal action if it is the agent's turn."""
    mask = numpy.zeros(position.action_count, dtype=numpy.int8)
    for action in position.actions() if position.side == agent else ():
        mask[action] = 1
    return {"observation": numpy.frombuffer(position.planes(), dtype=numpy.int8).reshape(position.planes_shape), "action_mask": mask}


def space_of(position):
    return spaces.Dict({"observation": spaces.Box(0, 1, position.planes_shape, numpy.int8),
                        "action_mask": spaces.Box(0, 1, (position.action_count,), numpy.int8)})


class LudusAEC(AECEnv):
    metadata = {"name": "ludus_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, start="clobber:5x6", plies_max=1000, render_mode=None):
        """`start` as Position takes it. A game is cut after so many plies."""
        super().__init__()
        self.start, self.plies_max, self.render_mode = Position(start), plies_max, render_mode
        self.possible_agents = ["white", "black"]
        self.observation_spaces = {agent: space_of(self.start) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.start.action_count) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self.game, self.agents = Game(self.start), self.possible_agents[:]
        self.rewards, self._cumulative_rewards = ({agent: 0 for agent in self.agents} for _ in range(2))
        self.terminations, self.truncations = ({agent: False for agent in self.agents} for _ in range(2))
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.position.side

    def observe(self, agent):
        return observation_of(self.game.position, agent)

    def step(self, action):
        """Plays for the agent whose turn it is. IllegalMove says which rule an action breaks."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.play(int(action))
        self._cumulative_rewards[agent] = 0
        outcome, cut = self.game.outcome(), len(self.game.moves) >= self.plies_max
        white = {"1-0": 1, "0-1": -1}.get(outcome.result, 0) if outcome else 0
        self.rewards = {"white": white, "black": -white}
        self.terminations, self.truncations = ({agent: value for agent in self.agents} for value in (outcome is not None, cut and outcome is None))
        self.agent_selection = self.game.position.side
        self._accumulate_rewards()

    def render(self):
        return "\n".join(self.game.position.board) if self.render_mode == "ansi" else None
