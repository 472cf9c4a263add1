#!/usr/bin/env python3
"""What a newcomer does first: the seconds and the keys from the prompt of the shell to the effect.

usage: python3 tests/bench/tasks.py BUILD_DIR

Each task is done in full screen, in a pseudo-terminal, without a server: none may run at the default address, which
the host takes. The phone is Chromium, if it is installed.
"""

import contextlib
import os
import re
import sys
import time

sys.path[1:1] = [sys.path[0] + "/../support", sys.path[0] + "/../web"]

import webdriver
from full_screen import FullScreen
from terminal import BUILD, Home

PROGRAMS = os.path.abspath(BUILD)


def tell(task, seconds, keys):
    print(f"| {task} | {seconds:.1f} | {keys} |", flush=True)


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
        tell(task, time.monotonic() - self.began, self.count)
        return self

    def play_hint(self):
        """Plays what a bot would: its thought of about a second is part of the time."""
        return self.expect("Your turn (").press("f3").expect("Hint: ").press("enter")


def play_and_look_back(anna):
    full = Player(anna)
    full.expect("> Play now").press("enter").play_hint().done("play: first move against a bot", "1. ")
    full.expect("Your turn (").restart().control("t")
    full.count += 1
    full.done("theme: other colours", "Colours: ").leave()

    full = Player(anna).expect("> Back to match 1").press("enter").done("resume that match later", "Your turn (")
    full.keys("f8").expect("Resign?").keys("y")
    full.expect("You resigned").restart().press("f6").done("review the game that has just ended", "Reviewed.")
    full.keys("q").expect("You resigned").restart().press("f7").expect("Save as").press("enter")
    full.done("save it as PGN", "Saved as").leave()

    full = Player(anna).choose_row("My games").expect("steps through").press("enter").done("replay it later", "Start (0 of")
    full.leave()
    full = Player(anna).choose_row("Replay a file").expect("ludus-1.pgn").press("enter").done("replay the saved file", "Start (0 of")
    full.leave()


def try_the_menu(anna):
    full = Player(anna).choose_row("Play a bot").expect("< Clobber >").press("right", "right", "right").expect("< Shakti >")
    full.press("enter").play_hint().done("play a chosen game: first move of Shakti", "1. ").leave()
    full = Player(anna).choose_row("Watch two bots").expect("Enter start").press("enter")
    full.done("watch two bots play", "1. ").leave()
    full = Player(anna).choose_row("Rules of the games").expect("which game?").press("enter").done("read the rules of a game", "The rules of ")
    full.leave()
    full = Player(anna).choose_row("Learn a game").expect("which game?").press("enter").expect("lesson 1").press("f3")
    full.expect("One way is").press("enter").done("learn: the first lesson of a game", "Right. ").leave()


def host_for(anna):
    """Returns a host, the line for a terminal and the address that the code on the screen has."""
    host = Player(anna).choose_row("Host a match").expect("Enter start").press("enter")
    host.done("host: the ways for a friend", "In a terminal: ludus join").drawn()
    rows = host.screen.split("\n")
    x = next(row.index("In a terminal: ") for row in rows if "In a terminal: " in row)
    beside = " ".join(row[x:].strip() for row in rows)  # the code on the screen is on the left
    return host, re.search(r"In a terminal: ludus (join \S+ --code \S+)", beside)[1], \
        re.search(r"In a browser: (http://\S+)", host.screen)[1]


def end_hosting(host):
    host.control("c").expect("Ctrl-C again").control("c")
    host.expect("Stop the server?").keys("y").end().close()


def meet(anna, bert):
    host, line, _ = host_for(anna)
    Player(bert, *line.split()).done("friend, by terminal: pastes that line", "Waiting for").close()
    host.expect("Your turn (")
    end_hosting(host)
    if webdriver.missing():
        return
    with webdriver.Driver() as driver:
        phone = driver.window()  # a phone has its browser open
        phone.devtools("Emulation.setDeviceMetricsOverride", width=390, height=780, deviceScaleFactor=2, mobile=True)
        with contextlib.redirect_stdout(None):
            host, _, address = host_for(anna)
        began = time.monotonic()
        phone.go(address)
        phone.wait("return document.querySelector('#match [data-action=\"join-black\"]')?.checkVisibility()")
        phone.run("document.querySelector('#match [data-action=\"join-black\"]').click()")
        host.expect("Your turn (")
        tell("friend, by phone: scans the code, taps once", time.monotonic() - began, 1)
        end_hosting(host)


def main():
    anna, bert = Home(), Home()
    os.chdir(anna.path)  # the file that is saved goes with it
    play_and_look_back(anna)
    try_the_menu(anna)
    meet(anna, bert)
    for home in (anna, bert):
        home.remove()


if __name__ == "__main__":
    main()
