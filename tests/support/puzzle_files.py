"""The files of puzzles: those that are shipped, and what the client keeps of them."""
import os


def puzzles(game):
    """Returns the fields of each puzzle of a game."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common", "puzzles", game + ".txt")
    with open(path, encoding="ascii") as file:
        return [line.rstrip("\n").split("; ") for line in file]


def kept(bench):
    if not os.path.exists(bench.home.file("puzzles")):
        return {}
    with open(bench.home.file("puzzles"), encoding="ascii") as file:
        return dict(line.rstrip("\n").split(" ", 1) for line in file)
