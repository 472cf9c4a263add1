"""The games of Ludus: positions and moves, the bots' levels, the solver and the review, and a server to play at.

    from ludus import Position
    position = Position("clobber:5x6")
    while position.outcome() is None:
        position = position.play(position.legal()[0])

client/python/README.md describes all of it. It needs libludus.so, and ludus-bot for what thinks: `make lib`.
"""
from .engine import Engine, EngineError, Solution, Thought, review, solve
from .library import LibraryMissing
from .position import Batch, Game, IllegalMove, Outcome, Position, games, step_many
from .server import AsyncServer, Refused, Server, position_of

__all__ = ["AsyncServer", "Batch", "Engine", "EngineError", "Game", "IllegalMove", "LibraryMissing", "Outcome", "Position", "Refused", "Server",
           "Solution", "Thought", "games", "position_of", "review", "solve", "step_many"]
