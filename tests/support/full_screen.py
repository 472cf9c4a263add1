"""The client in full screen, in a pseudo-terminal with an emulator."""

import codecs
import fcntl
import re
import struct
import termios
import time

from emulator import Emulator
from terminal import LIMIT_S, Failure, Terminal, expect_that

KEYS = {"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "enter": "\r",
        "escape": "\x1b", "tab": "\t", "backtab": "\x1b[Z", "f1": "\x1bOP", "f2": "\x1bOQ",
        "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~", "f7": "\x1b[18~",
        "f8": "\x1b[19~", "f9": "\x1b[20~", "pgup": "\x1b[5~", "pgdn": "\x1b[6~",
        "home": "\x1bOH", "end": "\x1bOF", "backspace": "\x7f"}

UTF8 = {"LC_ALL": "C.UTF-8"}
ASCII = {"LC_ALL": "C"}
HERE = ("--vs", "me")
YOUR_TURN = "Your turn ("
# A variant of each game, and a position in it.
POSITIONS = {
    "clobber": ("clobber:5x6", "Ppp1P/p1Ppp/1PP1P/p1P2/Pp1Pp/pPPp1 b"),
    "xadrersi": ("xadrersi:touch", "8/8/8/8/8/QKqN4/2Nr4/1n1n4[RRBBkrbb] w - b1"),
    "latrunculi": ("latrunculi", "3s1ss1/S2d2s1/S1sS4/8/8/4ss2/1D2S3/2S5 b 4"),
    "shakti": ("shakti", "*5*/2****1/1*****1/w**w1*1/2*1**1/1***1k1/*2K2* w 0"),
}


def leave(full):
    said = "Ctrl-C again ends the program"
    full.control("c").until(lambda screen: screen.rstrip().endswith(said), f"no {said!r} at the end")
    full.control("c").end()


class FullScreen(Terminal):
    """`screen` is the current screen; expect() waits for a text on it."""

    words = staticmethod(list)

    def __init__(self, address, *arguments, home, columns=80, rows=24, **environment):
        self.emulator = None
        self.picked = None  # the row that pick() has just chosen: its list is still on the screen
        self.rows = rows
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        environment.setdefault("TERM", "xterm-256color")
        super().__init__(address, *arguments, home=home, columns=columns, **environment)

    def resize(self, columns, rows=None):
        self.rows = rows or self.rows
        if self.emulator is None:
            self.emulator = Emulator(columns, self.rows)
        else:
            self.emulator.resize(columns, self.rows)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ,
                    struct.pack("HHHH", self.rows, columns, 0, 0))
        return self

    @property
    def screen(self):
        return self.emulator.text()

    @property
    def plain(self):
        """All output without escape sequences, for the text that remains after the full screen."""
        return super().screen

    def read_some(self, end_time):
        before = len(self.raw)
        there = super().read_some(end_time)
        self.emulator.feed(self.decoder.decode(self.raw[before:]))
        return there

    def until(self, condition, what):
        end_time = time.monotonic() + LIMIT_S
        while not condition(self.screen):
            if not self.read_some(end_time):
                raise Failure(f"{what}; the screen is\n{self.screen}")
        expect_that(not self.emulator.bad, f"unknown to a terminal: {self.emulator.bad}")
        return self

    def expect(self, text):
        self.picked = None
        return self.until(lambda screen: text in screen, f"no {text!r} came")

    def expect_title(self, title):
        return self.until(lambda _: self.emulator.title == title, f"the title is {self.emulator.title!r}")

    def expect_gone(self, text):
        return self.until(lambda screen: text not in screen, f"{text!r} stays")

    def keys(self, *names):
        for name in names:
            self.type(KEYS.get(name, name))
        return self

    def control(self, letter):
        return self.type(chr(ord(letter) & 0x1f))

    def wheel(self, up):
        return self.type(f"\x1b[<{64 if up else 65};5;5M")

    def click(self, text):
        """Clicks on the first letter of a text, as soon as it is on the screen."""
        self.expect(text)
        for y, line in enumerate(self.screen.split("\n")):
            if text in line:
                place = f"\x1b[<0;{self.emulator.column(y, line.index(text)) + 1};{y + 1}"
                return self.type(place + "M" + place + "m")
        raise Failure(f"{text!r} is broken into lines:\n{self.screen}")

    def place_of(self, text):
        """Returns row and column of the first letter of a text, from 1, as soon as it is on the screen."""
        self.expect(text)
        y, line = next((y, line) for y, line in enumerate(self.screen.split("\n")) if text in line)
        return y + 1, self.emulator.column(y, line.index(text)) + 1

    def drag(self, start, end):
        """Presses the button at one place and releases it at the other; each is (row, column), from 1."""
        return self.type("\x1b[<0;%d;%dM\x1b[<0;%d;%dm" % (start[1], start[0], end[1], end[0]))

    def choose(self, square):
        """Moves the cursor from the corner to the square and presses Enter. White is at the bottom."""
        file, rank = ord(square[0]) - ord("a"), int(square[1:]) - 1
        self.keys(*["left"] * 10, *["down"] * 10, *["right"] * file, *["up"] * rank, "enter")
        return self

    def pick(self, text):
        """Moves down a list to the row that begins so, and presses Enter."""
        if self.picked:
            self.until(lambda screen: self.picked not in screen, f"{self.picked!r} stays")
        for _ in range(40):
            self.until(lambda screen: re.search(r"^.{0,11}> \S.*$", screen, re.M), "no row is chosen").drawn()
            # Without its digit, which changes when a row comes above it.
            chosen = re.search(r"^.{0,11}(> \S.*)$", self.screen, re.M)
            if f"> {text}" in self.screen:
                self.picked = chosen and chosen.group(1) + "\n"
                return self.keys("enter")
            if chosen:
                self.keys("down").expect_gone(chosen.group(1) + "\n")
        raise Failure(f"no row {text!r}:\n{self.screen}")

    def drawn(self):
        """Waits until the screen is complete: the cursor is back on the last row, which is not being written either."""
        self.until(lambda screen: self.emulator.y == self.rows - 1, "half a screen")
        while self.read_some(time.monotonic() + 0.03):
            pass
        return self.until(lambda screen: self.emulator.y == self.rows - 1, "half a screen")

    def take(self, piece):
        """Chooses a piece in hand."""
        for _ in range(6):
            shown = re.search("placing (.)", self.drawn().screen).group(1)
            if shown == piece:
                break
            self.keys("tab").expect_gone(f"placing {shown}")
        return self

    def play(self, move):
        """Plays a move with the cursor."""
        if "@" in move:
            piece, square = move.split("@")
            return self.take(piece).choose(square)
        return self.choose(move[:2]).choose(move[2:])

    def end(self, status=0):
        super().end(status)
        expect_that(not self.emulator.alternate, "the full screen was not left")
        expect_that(self.emulator.cursor_shown, "the cursor is hidden")
        expect_that(not self.emulator.mouse, "the mouse is still taken")
        expect_that(not self.emulator.pastes, "pastes are still marked")
        expect_that(self.emulator.title == "shell", f"the title stays {self.emulator.title!r}")
        return self
