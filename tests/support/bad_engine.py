#!/usr/bin/env python3
"""A Clobber engine that plays the first legal move it finds, and misbehaves on some boards.

usage: bad_engine.py [--uci] [--fairy] [--slow] [--mute] [--score SCORE] [--log FILE] [--second HOW] [--leak MB] [--chatter BYTES]

The misbehaviour depends on the size of the board, so one process can fail in one match and play well in
the next. --uci speaks UCI instead of UGI; --fairy speaks it as a Fairy-Stockfish built for a single size
of board; --slow moves only after `stop`; --mute prints nothing; --score mate_2 always says
so of its own side, instead of cp 0. The log gets all input lines. --second is for the second `uginewgame` that it gets: it
`crashes`, `hangs`, or is `deaf`, and has no moves, as when the first match was over. With each, --leak takes so many megabytes,
and --chatter writes so much to standard error.
"""
import os
import subprocess
import sys
import time

# size: (the misbehaviour, whether the bridge declines the match instead of resigning it)
WRONG = {
    "3x1": ("refuses the game", True),
    "4x1": ("hangs in the setup", True),
    "5x1": ("ends in the setup", True),
    "6x1": ("crashes", False),
    "7x1": ("hangs", False),
    "8x1": ("floods with lines", False),
    "9x1": ("floods without line ends", False),
    "10x1": ("plays an illegal move", False),
    "1x3": ("plays nonsense", False),
    "1x4": ("plays an empty move", False),
    "1x5": ("closes its output", False),
    "1x6": ("floods when it is not its turn", False),
    "1x7": ("hangs with a child of its own", False),
}

LINE = b"info string" + 100 * b" blah" + b"\n"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def read_board(placement):
    """A dictionary from (file, rank) to 'P' or 'p'."""
    board = {}
    ranks = placement.split("/")
    for row, text in enumerate(ranks):
        file, digits = 0, ""
        for letter in text + " ":
            if letter.isdigit():
                digits += letter
                continue
            file, digits = file + int(digits or 0), ""
            if letter in "Pp":
                board[file, len(ranks) - row] = letter
                file += 1
    return board


def square(text):
    return ord(text[0]) - ord("a"), int(text[1:])


def best_move(words):
    """The first legal move after `position fen PLACEMENT SIDE ... moves M...`."""
    board, own = read_board(words[2]), "P" if words[3] == "w" else "p"
    for move in words[words.index("moves") + 1:] if "moves" in words else []:
        cut = max(i for i in range(1, len(move)) if move[i].isalpha())
        board[square(move[cut:])] = board.pop(square(move[:cut]))
        own = "p" if own == "P" else "P"
    for (file, rank), stone in sorted(board.items()):
        for to in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)):
            if stone == own and board.get(to, own) != own:
                return f"{chr(97 + file)}{rank}{chr(97 + to[0])}{to[1]}"
    return "0000"


def sleep_for_ever():
    while True:
        time.sleep(1000)


def flood(text):
    while True:
        os.write(1, text)


def misbehave(wrong):
    """In place of a move."""
    if wrong == "crashes":
        sys.exit(3)
    if wrong == "hangs":
        sleep_for_ever()
    if wrong == "hangs with a child of its own":
        subprocess.Popen(["sleep", "1000"])
        sleep_for_ever()
    if wrong == "floods with lines":
        flood(LINE * 100)
    if wrong == "floods without line ends":
        flood(b"blah" * 16000)
    if wrong == "plays an illegal move":
        say("bestmove a1a1")
    if wrong == "plays nonsense":
        say("bestmoves b1c1\nbestmove \x1b[31m\"banana\" split \xff" + "x" * 3000)
    if wrong == "plays an empty move":
        say("bestmove")
    if wrong == "closes its output":
        os.close(1)
        sleep_for_ever()


def main():
    fairy, slow = "--fairy" in sys.argv, "--slow" in sys.argv
    dialect = "uci" if fairy or "--uci" in sys.argv else "ugi"
    log = open(sys.argv[sys.argv.index("--log") + 1], "a") if "--log" in sys.argv else None
    score = sys.argv[sys.argv.index("--score") + 1].replace("_", " ") if "--score" in sys.argv else "cp 0"
    wrong, position = None, None
    second = sys.argv[sys.argv.index("--second") + 1] if "--second" in sys.argv else None
    leak, chatter = (int(sys.argv[sys.argv.index(option) + 1]) if option in sys.argv else 0 for option in ("--leak", "--chatter"))
    matches, leaked, is_deaf = 0, [], False
    if "--mute" in sys.argv:
        sleep_for_ever()
    for line in sys.stdin:
        words = line.split()
        if log:
            log.write(line)
            log.flush()
        if words == [dialect]:
            say("id name Bad Engine\nid author nobody\noption name Style type string default dull")
            if dialect == "ugi":
                say("option name Game type string default clobber:5x6")
            if fairy:
                say("id name Fairy-Stockfish, in a way\n"
                    "option name UCI_Variant type combo default chess var chess var clobber\n"
                    "option name VariantPath type string default <empty>")
            say(dialect + "ok")
        elif words[:3] == ["setoption", "name", "Game"]:
            wrong = WRONG.get(words[4].split(":")[1], (None,))[0]
        elif words == "setoption name UCI_Variant value clobber".split():
            say("info string variant clobber files 5 ranks 6 pocket 0 template fairy")
        elif words == ["isready"] and wrong == "hangs in the setup":
            sleep_for_ever()
        elif words == ["isready"] and wrong == "ends in the setup":
            return
        elif words == ["isready"]:
            if wrong == "refuses the game":
                say("info string error: no such game")
            say("readyok")
            if wrong == "floods when it is not its turn":
                flood(LINE * 100)
        elif words == ["uginewgame"]:
            matches += 1
            leaked.append(b"x" * (leak << 20))
            sys.stderr.write((99 * "x" + "\n") * (chatter // 100))
            sys.stderr.flush()
            if matches == 2 and second == "crashes":
                return
            if matches == 2 and second == "hangs":
                sleep_for_ever()
            is_deaf = matches == 2 and second == "deaf"
        elif words[:1] == ["position"]:
            position = words if not is_deaf else ["position", "fen", "1", "w"]
        elif words == (["stop"] if slow else ["go", *words[1:]]):
            misbehave(wrong)
            if wrong not in ("plays an illegal move", "plays nonsense", "plays an empty move"):
                say(f"info depth 1 score {score} pv " + best_move(position))
                say(f"bestmove {best_move(position)} ponder a1a2")
        elif words == ["quit"]:
            return


if __name__ == "__main__":
    main()
