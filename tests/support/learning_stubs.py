"""What the adapters of client/python use of numpy, gymnasium, pettingzoo and pyspiel, with the same names, arguments and rules, for
machines that lack them: Gymnasium 0.29, PettingZoo 1.24, OpenSpiel 1.4."""
import enum
import importlib.util
import sys
import types


class Array(list):
    """A flat array with a shape."""

    def __init__(self, values, shape=None):
        super().__init__(values)
        self.shape = shape or (len(self),)

    def reshape(self, *shape):
        return Array(self, shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape)

    def astype(self, kind):
        return Array(map(kind, self), self.shape)


class Discrete:
    def __init__(self, n):
        self.n = n

    def contains(self, value):
        return isinstance(value, int) and 0 <= value < self.n


class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape = low, high, tuple(shape)

    def contains(self, value):
        return value.shape == self.shape and all(self.low <= item <= self.high for item in value)


class Dict(dict):
    def __init__(self, spaces):
        super().__init__(spaces)

    def contains(self, value):
        return value.keys() == self.keys() and all(space.contains(value[name]) for name, space in self.items())


class Env:
    def reset(self, *, seed=None, options=None):
        self.np_random_seed = seed


class AECEnv:
    def __init__(self):
        pass

    def _clear_rewards(self):
        for agent in self.rewards:
            self.rewards[agent] = 0

    def _accumulate_rewards(self):
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def last(self, observe=True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent],
                self.infos[agent])

    def agent_iter(self, max_iter=1 << 62):
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def _was_dead_step(self, action):
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        assert self.terminations[agent] or self.truncations[agent], "an agent that was not dead as attempted to be removed"
        for table in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del table[agent]
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]
        self._clear_rewards()


class SpielGame:
    def __init__(self, kind, info, params):
        self.kind, self.info, self.params = kind, info, params

    def num_distinct_actions(self):
        return self.info.num_distinct_actions


class SpielState:
    def __init__(self, game):
        self.game = game

    def legal_actions(self):
        return [] if self.is_terminal() else self._legal_actions(self.current_player())

    def apply_action(self, action):
        assert action in self.legal_actions(), action
        self._apply_action(action)

    def action_to_string(self, action):
        return self._action_to_string(self.current_player(), action)


def names(*words):
    return enum.Enum("Names", words)


def pyspiel():
    found = {}

    class GameType(types.SimpleNamespace):
        Dynamics, ChanceMode = names("SEQUENTIAL", "SIMULTANEOUS"), names("DETERMINISTIC", "EXPLICIT_STOCHASTIC")
        Information, Utility = names("PERFECT_INFORMATION", "IMPERFECT_INFORMATION"), names("ZERO_SUM", "GENERAL_SUM")
        RewardModel = names("TERMINAL", "REWARDS")

    def load_game(text):
        name, _, words = text.rstrip(")").partition("(")
        kind, make = found[name]
        params = {**kind.parameter_specification, **dict(word.split("=") for word in words.split(",") if word)}
        return make(params)

    return types.SimpleNamespace(
        Game=SpielGame, State=SpielState, GameType=GameType, GameInfo=types.SimpleNamespace, PlayerId=types.SimpleNamespace(TERMINAL=-4),
        register_game=lambda kind, make: found.update({kind.short_name: (kind, make)}), load_game=load_game)


def install():
    """Puts a stub in the place of each package that is missing, and returns their names."""
    spaces = types.SimpleNamespace(Discrete=Discrete, Box=Box, Dict=Dict)
    stubs = {"numpy": types.SimpleNamespace(int8=int, float32=float, zeros=lambda count, dtype: Array([0] * count),
                                            frombuffer=lambda data, dtype: Array(data)),
             "gymnasium": types.SimpleNamespace(Env=Env, spaces=spaces), "pettingzoo": types.SimpleNamespace(AECEnv=AECEnv), "pyspiel": pyspiel()}
    missing = [name for name in stubs if importlib.util.find_spec(name) is None]
    sys.modules.update({name: stubs[name] for name in missing})
    return missing
