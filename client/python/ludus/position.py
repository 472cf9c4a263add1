"""Positions of all games, one at a time and in batches."""
import ctypes
from array import array
from collections import Counter, namedtuple

from .library import LIBRARY, MOVES_MAX, SLOW, TEXT_MAX, Data

# `result` as the protocol has it: "1-0", "0-1" or "1/2-1/2"; `reason` such as "no-moves".
Outcome = namedtuple("Outcome", "result reason")

RESULTS = (None, "1-0", "0-1", "1/2-1/2")
NO_ACTIONS = array("H", bytes(2 * MOVES_MAX))
byref, address_of = ctypes.byref, ctypes.addressof
_new = object.__new__
_after, _legal, _outcome = LIBRARY.ludus_after, LIBRARY.ludus_legal, LIBRARY.ludus_outcome


class IllegalMove(ValueError):
    """The sentence names the rule that the move breaks."""


def _text(write, *arguments):
    """What a function writes into a text."""
    text = ctypes.create_string_buffer(TEXT_MAX)
    write(*arguments, text)
    return text.value.decode()


def games():
    """Returns the variants to offer of each game, by its name, the default one first."""
    found, game = {}, 0
    while name := LIBRARY.ludus_game_name(game):
        variants = []
        while variant := LIBRARY.ludus_variant_name(game, len(variants)):
            variants.append(variant.decode())
        found[name.decode()], game = variants, game + 1
    return found


class Position:
    """A position, which does not change: play() returns another one. Equal ones are interchangeable."""

    __slots__ = ("_data",)

    def __init__(self, text, game=None):
        """The start of GAME or GAME:VARIANT, or a position as the protocol writes it; `game` says of which GAME or GAME:VARIANT it
        is where its form does not. ValueError says what is wrong."""
        data, why = Data(), ctypes.create_string_buffer(TEXT_MAX)
        read = LIBRARY.ludus_open(text.encode(), address_of(data), why) if game is None else \
            LIBRARY.ludus_read(game.encode(), text.encode(), address_of(data), why)
        if not read:
            raise ValueError(why.value.decode())
        self._data = data.raw

    @classmethod
    def _of(cls, data):
        position = cls.__new__(cls)
        position._data = data
        return position

    def __str__(self):
        return _text(LIBRARY.ludus_write, self._data)

    def __repr__(self):
        return f"Position({str(self)!r}, {self.game!r})"

    def __reduce__(self):
        return Position, (str(self), self.game)

    def __eq__(self, other):
        return self._data == other._data if isinstance(other, Position) else NotImplemented

    def __hash__(self):
        return self.key()

    @property
    def game(self):
        """GAME:VARIANT."""
        return _text(LIBRARY.ludus_write_game, self._data)

    @property
    def side(self):
        """Who is to move, "white" or "black"."""
        return "black" if LIBRARY.ludus_side(self._data) else "white"

    @property
    def board(self):
        """A string a rank, the highest first: capitals are white, `.` is empty, `*` a hole."""
        cells, width = _text(LIBRARY.ludus_board, self._data), LIBRARY.ludus_width(self._data)
        return [cells[i:i + width] for i in range(len(cells) - width, -1, -width)]

    @property
    def score(self):
        """The points of white and black; None in games without points."""
        points = (ctypes.c_int * 2)()
        return tuple(points) if LIBRARY.ludus_score(self._data, points) else None

    def legal(self):
        """Returns the legal moves as texts; none exactly when the game is over."""
        return [self.move(action) for action in self.actions()]

    def actions(self):
        """Returns the legal moves as numbers, in the order of legal()."""
        found = NO_ACTIONS[:]
        return found[:_legal(self._data, found.buffer_info()[0])].tolist()

    def action(self, move):
        """Returns the number of a legal move. IllegalMove says which rule another one breaks."""
        why = ctypes.create_string_buffer(TEXT_MAX)
        action = LIBRARY.ludus_action(self._data, move.encode(), why)
        if action < 0:
            raise IllegalMove(why.value.decode())
        return action

    def move(self, action):
        """Returns the text of an action, legal or not."""
        text = ctypes.create_string_buffer(TEXT_MAX)
        if not LIBRARY.ludus_write_action(self._data, action, text):
            raise IllegalMove(f"{action} is not below {self.action_count}")
        return text.value.decode()

    @property
    def action_count(self):
        """How many numbers of moves there are, which mean the same in all positions on boards of this game and size."""
        return LIBRARY.ludus_action_count(self._data)

    def play(self, move):
        """Returns the position after a move, a text or a number. IllegalMove says which rule it breaks."""
        data = Data()
        if not _after(self._data, move if move.__class__ is int else self.action(move), address_of(data)):
            raise IllegalMove(self.explain(self.move(move)))
        position = _new(Position)
        position._data = data.raw
        return position

    def explain(self, move):
        """Returns the rule that a move breaks, in a sentence; None if it is legal."""
        try:
            self.action(move)
        except IllegalMove as error:
            return str(error)
        return None

    def random_game(self, seed=0, plies_max=1000):
        """Plays random moves to the end, which repetition alone does not bring. Returns the last position, and how many moves there were.
        """
        data = Data.from_buffer_copy(self._data)
        plies = SLOW.ludus_random_game(address_of(data), byref(ctypes.c_uint64(seed)), plies_max)
        return Position._of(data.raw), plies

    def outcome(self):
        """Returns the Outcome by the position alone, or None while the game goes on. Repetition is a matter of Game."""
        reason = ctypes.c_char_p()
        result = _outcome(self._data, byref(reason))
        return Outcome(RESULTS[result], reason.value.decode()) if result else None

    def is_over(self):
        return _outcome(self._data, None) != 0

    def key(self):
        """Returns a hash of 64 bits. Where repetition draws, positions of one key repeat each other."""
        return LIBRARY.ludus_key(self._data)

    def perft(self, depth):
        """Returns how many sequences of so many legal moves there are."""
        return SLOW.ludus_perft(self._data, depth)

    @property
    def planes_shape(self):
        """(planes, ranks, files) of planes()."""
        data = self._data
        return LIBRARY.ludus_plane_count(data), LIBRARY.ludus_height(data), LIBRARY.ludus_width(data)

    def planes(self):
        """Returns bytes of 0 and 1, a1 first: a plane for each kind of piece of white, then of black (see letters), one for holes, and
        one that is 1 everywhere if black is to move."""
        planes, ranks, files = self.planes_shape
        found = ctypes.create_string_buffer(planes * ranks * files)
        LIBRARY.ludus_planes(self._data, found)
        return found.raw

    @property
    def letters(self):
        """The kinds of pieces, in the order of planes()."""
        return _text(LIBRARY.ludus_letters, self._data)


class Game:
    """A game from its start, with what a position alone does not know: moves, and repetition."""

    def __init__(self, start):
        self.position = start if isinstance(start, Position) else Position(start)
        self.start, self.moves, self._keys = self.position, [], Counter([self.position.key()])
        self._draws = LIBRARY.ludus_repetition_draws(LIBRARY.ludus_game(self.position._data))

    def play(self, move):
        after = self.position.play(move)
        self.moves.append(move if isinstance(move, str) else self.position.move(move))
        self.position = after
        self._keys[after.key()] += 1

    def outcome(self):
        """Returns the Outcome, also by a position that has occurred three times, or None."""
        found = self.position.outcome()
        if found is None and self._draws and self._keys[self.position.key()] >= 3:
            return Outcome("1/2-1/2", "repetition")
        return found


class Batch:
    """Many positions of one game and size, which are played at the same time, each by itself.

    actions(), results and masks() are arrays of ctypes, which numpy.frombuffer() and memoryview() take without a copy.
    """

    def __init__(self, start, count, seed=0, resets=True):
        """With `resets`, a game that has ended begins anew at once."""
        start = start if isinstance(start, Position) else Position(start)
        self.count, self.action_count, self._seed = count, start.action_count, ctypes.c_uint64(seed)
        self._data, self._starts = ((Data * count).from_buffer_copy(start._data * count) for _ in range(2))
        self.resets, self.results, self._actions = resets, (ctypes.c_int8 * count)(), (ctypes.c_int32 * count)()
        self._masks = None

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        return Position._of(self._data[place].raw)

    def random_actions(self):
        """Returns a random legal action for each position, -1 where the game is over. The array is used again."""
        SLOW.ludus_random_many(self._data, self.count, byref(self._seed), self._actions)
        return self._actions

    def masks(self):
        """Returns a row of action_count bytes for each position: 1 for a legal action. The array is used again."""
        if self._masks is None:
            self._masks = (ctypes.c_uint8 * (self.count * self.action_count))()
        SLOW.ludus_mask_many(self._data, self.count, self._masks, self.action_count)
        return self._masks

    def step(self, actions):
        """Plays an action in each: an array of c_int32, anything with its buffer, or a list. Returns `results`, which is used again: 0
        while the game goes on, 1 where white has won, 2 black, 3 for a draw, -1 where the action was not legal and nothing has changed.
        """
        if len(actions) != self.count:
            raise ValueError(f"step() takes {self.count} actions, not {len(actions)}")
        if not isinstance(actions, ctypes.Array):
            row = ctypes.c_int32 * self.count
            actions = row(*actions) if isinstance(actions, (list, tuple)) else row.from_buffer(actions)
        if actions._type_ is not ctypes.c_int32:
            raise ValueError("step() takes an array of c_int32")
        SLOW.ludus_step_many(self._data, actions, self.count, self.results, self._starts if self.resets else None)
        return self.results


def step_many(positions, actions):
    """Plays an action in each of a list of positions. Returns the positions after them, and results as Batch.step() has them."""
    count = len(positions)
    if len(actions) != count:
        raise ValueError(f"{count} positions, but {len(actions)} actions")
    data, results = (Data * count).from_buffer_copy(b"".join(position._data for position in positions)), (ctypes.c_int8 * count)()
    SLOW.ludus_step_many(data, (ctypes.c_int32 * count)(*actions), count, results, None)
    return [Position._of(item.raw) for item in data], list(results)
