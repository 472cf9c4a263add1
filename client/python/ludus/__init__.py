"""The games of Ludus: positions and moves, the bots' levels, the solver and the review, and a server to play at.

    from ludus import Position
    position = Position("clobber:5x6")
    while position.outcome() is None:
        position = position.play(position.legal()[0])

client/python/README.md describes all of it. It needs libludus.so: `make lib`.
"""
from .library import LibraryMissing
from .position import Batch, Game, IllegalMove, Outcome, Position, games, step_many

__all__ = ["Batch", "Game", "IllegalMove", "LibraryMissing", "Outcome", "Position", "games", "step_many"]
