#!/usr/bin/env python3
"""The page in a browser: what hands and keys do at a board beside playing a move.

usage: python3 tests/web/test_hands.py BUILD_DIR [TEST...]
"""
import sys

from page import by_click, by_typing, square
from web_stage import Tests, run_tests

test = Tests()


def at_move(page, ply):
    """Waits until the board shows the position after that many moves; 0 is the start."""
    page.there(f'#moves [data-ply="{ply}"][aria-current]' if ply else '[data-step="first"]:disabled')


@test
def arrow_keys(stage):
    """They step through the moves, also right after a move by mouse; on the board they walk from square to square."""
    page = stage.page(stage.server("--no-bots"))
    page.start("clobber", opponent="both")
    for ply, move in enumerate("a2a1 b2b1 c2c1".split()):
        by_click(page.mine(ply), move)
    at_move(page.mine(3), 3)
    for key, ply in (("left", 2), ("left", 1), ("right", 2), ("home", 0), ("left", 0), ("right", 1), ("end", 3), ("right", 3)):
        page.press(key)
        at_move(page, ply)
    page.tab_to("#match .board [data-square]").press("left", "home", "up")
    at_move(page, 0)  # End and Home are no steps on the board, and left is none of them
    page.press("end")
    at_move(page, 3)
    page.write("#move", "a5a4").press("home", "left", "x")
    stage.checks.equal(page.run("return [document.activeElement.id, document.activeElement.value]"), ["move", "xa5a4"], "in a line they are the line's")
    at_move(page, 3)


@test
def the_list_of_keys(stage):
    """`?` shows it anywhere, a button at a board; with single letters off, they are not in it and do nothing."""
    page = stage.page(stage.server("--no-bots"))
    page.press("?").there("dialog#keys").expect("One move back", "dialog#keys").press("escape").gone("dialog#keys")
    page.start("clobber", opponent="both")
    by_click(page.mine(0), "a2a1")
    page.mine(1).press("?").there("dialog#keys").press("left", "b", "?")
    stage.checks.equal(page.run("return document.querySelectorAll('dialog').length"), 1, "one list")
    page.click("dialog#keys button").gone("dialog#keys")
    at_move(page, 1)
    page.click('#match [data-action="keys"]').there("dialog#keys").press("escape").gone("dialog#keys")
    page.go("#/settings").there("#settings").choose(keys="off")
    stage.checks.check("type a move" not in page.text(".keys"), "no letters in the list", page.text(".keys"))
    page.press("?").run("history.back()")
    page.there('#match[data-ply="1"]').press("?", "b", "<", "+")
    stage.checks.equal(page.run("return [document.querySelector('dialog'), document.activeElement.id === 'move']"), [None, False], "letters and signs do nothing")
    at_move(page, 1)
    page.press("left")
    at_move(page, 0)
    by_typing(page.press("end").click("#move"), "b2b1")
    page.mine(2)


if __name__ == "__main__":
    sys.exit(run_tests("test_hands", test))
