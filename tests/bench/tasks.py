#!/usr/bin/env python3
"""What a player does first: the seconds and the keys from the prompt of the shell to the effect.

usage: python3 tests/bench/tasks.py BUILD_DIR

Each task is done in full screen, in a pseudo-terminal, without a server: none may run at the default address.
"""

import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")

from full_screen import FullScreen
from terminal import BUILD, Home

PROGRAMS = os.path.abspath(BUILD)


class Player(FullScreen):
    """A client that counts keys; a pasted line is one."""

    command = staticmethod(lambda _, words: [os.path.join(PROGRAMS, "ludus"), *words])

    def __init__(self, home, *words):
        self.count, self.began = 0, time.monotonic()
        super().__init__(None, *words, home=home, columns=100, rows=30)

    def press(self, *keys):
        self.count += len(keys)
        return self.keys(*keys)

    def choose_row(self, text):
        """Presses the digit or letter of a row in a menu."""
        self.expect(text)
        return self.press(re.search(rf"(\w) [ >] {text}", self.screen)[1])

    def restart(self):
        self.count, self.began = 0, time.monotonic()
        return self

    def leave(self):
        """Quits, and waits for the end of the private server, which has the store."""
        return self.control("c").expect("Ctrl-C again").control("c").end().close()

    def done(self, task, text):
        self.expect(text)
        print(f"| {task} | {time.monotonic() - self.began:.1f} | {self.count} |", flush=True)
        return self


def main():
    anna, bert = Home(), Home()
    os.chdir(anna.path)  # the file that is saved goes with it
    full = Player(anna)
    full.expect("> Play now").press("enter").expect("Your turn (").press("f3").expect("Hint: ").press("enter")
    full.done("play: first move against a bot", "1. ").expect("Your turn (").keys("f8").expect("Resign?").keys("y")
    full.expect("You resigned").restart().press("f6").done("review the game that has just ended", "Reviewed.")
    full.keys("q").expect("You resigned").restart().press("f7").expect("Save as").press("enter")
    full.done("save it as PGN", "Saved as").leave()

    full = Player(anna).choose_row("My games").expect("steps through").press("enter").done("replay it later", "Start (0 of")
    full.leave()
    full = Player(anna).choose_row("Watch two bots").expect("Enter start").press("enter")
    full.done("watch two bots play", "1. ").leave()
    full = Player(anna).choose_row("Learn a game").expect("which game?").press("enter").expect("lesson 1").press("f3")
    full.expect("One way is").press("enter").done("learn: the first lesson of a game", "Right. ").leave()

    host = Player(anna).choose_row("Host a match").expect("Enter start").press("enter")
    host.done("host: a line for a friend", "friend types")
    line = re.search(r"friend types: ludus (.*)", host.drawn().screen)[1]
    Player(bert, *line.split()).done("join: paste that line", "Waiting for").close()
    host.expect("Your turn (").close()
    for home in (anna, bert):
        home.remove()


if __name__ == "__main__":
    main()
