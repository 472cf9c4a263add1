"""The games for OpenSpiel, whose package it needs.

    import pyspiel, ludus.spiel
    game = pyspiel.load_game("ludus(start=shakti)")
"""
import numpy
import pyspiel

from .position import Game, Position

PLIES_MAX = 1000  # a game that is not over by then is drawn

TYPE = pyspiel.GameType(
    short_name="ludus", long_name="Ludus", dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC, information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM, reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=2, min_num_players=2,
    provides_information_state_string=True, provides_information_state_tensor=False, provides_observation_string=True,
    provides_observation_tensor=True, parameter_specification={"start": "clobber:5x6"})


class LudusGame(pyspiel.Game):
    def __init__(self, params=None):
        params = params or {}
        self.start = Position(params.get("start", "clobber:5x6"))
        super().__init__(TYPE, pyspiel.GameInfo(
            num_distinct_actions=self.start.action_count, max_chance_outcomes=0, num_players=2, min_utility=-1.0, max_utility=1.0,
            utility_sum=0.0, max_game_length=PLIES_MAX), params)

    def new_initial_state(self):
        return LudusState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return LudusObserver(self.start)


class LudusState(pyspiel.State):
    """White is player 0."""

    def __init__(self, game):
        super().__init__(game)
        self.ludus = Game(game.start)

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else ("white", "black").index(self.ludus.position.side)

    def _legal_actions(self, player):
        return sorted(self.ludus.position.actions())

    def _apply_action(self, action):
        self.ludus.play(action)

    def _action_to_string(self, player, action):
        return self.ludus.position.move(action)

    def is_terminal(self):
        return self.ludus.outcome() is not None or len(self.ludus.moves) >= PLIES_MAX

    def returns(self):
        outcome = self.ludus.outcome()
        white = {"1-0": 1.0, "0-1": -1.0}.get(outcome.result, 0.0) if outcome else 0.0
        return [white, -white]

    def __str__(self):
        return str(self.ludus.position)


class LudusObserver:
    def __init__(self, start):
        self._shape = start.planes_shape
        self.set_planes(start)

    def set_planes(self, position):
        self.tensor = numpy.frombuffer(position.planes(), dtype=numpy.int8).astype(numpy.float32)
        self.dict = {"observation": self.tensor.reshape(self._shape)}

    def set_from(self, state, player):
        self.set_planes(state.ludus.position)

    def string_from(self, state, player):
        return str(state)


pyspiel.register_game(TYPE, LudusGame)
