#!/usr/bin/env python3
"""A Clobber engine that speaks the Go Text Protocol, to copy: it looks two moves ahead.

    ludus-bridge --name pat --games clobber --protocol gtp -- client/examples/gtp_clobber.py

Squares are as in Ludus, a1 to j10. On a1 stands a black stone; white moves first.
"""
import random
import sys


class Board:
    def __init__(self):
        self.width, self.height = 5, 6
        self.clear()

    def clear(self):
        self.stones = {(file, rank): "bw"[(file + rank) % 2]
                       for file in range(self.width) for rank in range(self.height)}

    def take_position(self, placement):
        """Takes `pP1/...`: ranks from the top, P white, p black, numbers of empty squares."""
        self.stones = {}
        for row, text in enumerate(placement.split("/")):
            file, digits = 0, ""
            for letter in text:
                if letter.isdigit():
                    digits += letter
                    continue
                file, digits = file + int(digits or 0), ""
                self.stones[file, self.height - 1 - row] = "w" if letter == "P" else "b"
                file += 1

    def moves(self, color):
        """Returns the pairs of squares: a stone and a neighbour of the other colour."""
        return [((file, rank), to) for (file, rank), stone in self.stones.items() if stone == color
                for to in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1))
                if self.stones.get(to, color) != color]

    def play(self, move):
        """Plays a move, and returns what undo() needs."""
        start, to = move
        taken = self.stones[to]
        self.stones[to] = self.stones.pop(start)
        return start, to, taken

    def undo(self, start, to, taken):
        self.stones[start] = self.stones[to]
        self.stones[to] = taken


def value(board, color, depth):
    """How good the position is for the color that is to move: more stones that can move than the other side."""
    other = "b" if color == "w" else "w"
    moves = board.moves(color)
    if not moves:
        return -1000  # who cannot move has lost
    if depth == 0:
        return len({start for start, _ in moves}) - len({start for start, _ in board.moves(other)})
    best = -1000
    for move in moves:
        done = board.play(move)
        best = max(best, -value(board, other, depth - 1))
        board.undo(*done)
    return best


def choose(board, color):
    """Returns a move: replace this function."""
    other = "b" if color == "w" else "w"
    best, found = -2000, None
    moves = board.moves(color)
    random.shuffle(moves)
    for move in moves:
        done = board.play(move)
        score = -value(board, other, 1 if len(moves) < 30 else 0)
        board.undo(*done)
        if score > best:
            best, found = score, move
    return found


def write_square(square):
    return "abcdefghij"[square[0]] + str(square[1] + 1)


def read_move(text):
    cut = max(i for i, letter in enumerate(text) if letter.isalpha())
    return tuple(("abcdefghij".index(part[0]), int(part[1:]) - 1)
                 for part in (text[:cut].lower(), text[cut:].lower()))


def boardsize(board, width, height=None):
    board.width, board.height = int(width), int(height or width)
    if not (1 <= board.width <= 10 and 1 <= board.height <= 10):
        raise ValueError("unacceptable size")
    board.clear()


def play(board, color, text):
    move = read_move(text)
    if move not in board.moves(color[0].lower()):
        raise ValueError("illegal move")
    board.play(move)


def genmove(board, color):
    move = choose(board, color[0].lower())
    if move is None:
        return "resign"
    board.play(move)
    return write_square(move[0]) + write_square(move[1])


COMMANDS = {
    "protocol_version": lambda board: "2", "name": lambda board: "Example Clobber",
    "version": lambda board: "1", "list_commands": lambda board: "\n".join(COMMANDS),
    "known_command": lambda board, name: "true" if name in COMMANDS else "false",
    "boardsize": boardsize, "clear_board": Board.clear, "play": play, "genmove": genmove,
    "ludus-position": lambda board, placement, color: board.take_position(placement),
    "time_settings": lambda board, *words: None, "time_left": lambda board, *words: None,
    "quit": lambda board: None,
}


def main():
    board = Board()
    for line in sys.stdin:
        words = line.split("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            sign, answer = "=", COMMANDS[words[0]](board, *words[1:])
        except KeyError:
            sign, answer = "?", "unknown command"
        except (TypeError, ValueError) as error:
            sign, answer = "?", str(error)
        print(f"{sign}{number} {answer or ''}\n", flush=True)
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()
