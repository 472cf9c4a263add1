#!/usr/bin/env python3
"""The page in a browser: what hands and keys do at a board beside playing a move.

usage: python3 tests/web/test_hands.py BUILD_DIR [TEST...]
"""
import sys

from page import by_click, by_drag, by_tap, by_touch_drag, by_typing, square
from web_stage import Tests, run_tests
from webdriver import press

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


# What is drawn on the board by the right button, and where the middle of a shape is.
SHAPES = "return [...document.querySelectorAll('#match .drawn [data-shape]')].map(node => node.dataset.shape)"


def with_right(page, start, end):
    """Presses the right button on a square, and lets it go on another."""
    steps = press(*page.points(square(start))[0], page.points(square(end))[0])
    page.window.act("pointer", *({**step, "button": 2} if "button" in step or step["type"] == "pointerUp" else step for step in steps), pointer="mouse")


@test
def drawing(stage):
    """The right button draws arrows and circles, and takes each away again; a left click or a move clears all."""
    page = stage.page(stage.server("--no-bots"))
    page.start("clobber", opponent="both")
    page.mine(0)
    for start, end, shapes in (("a1", "c3", ["a1c3"]), ("b2", "b2", ["a1c3", "b2b2"]), ("a1", "c3", ["b2b2"]), ("b2", "b3", ["b2b2", "b2b3"])):
        with_right(page, start, end)
        stage.checks.equal(page.run(SHAPES), shapes, f"{start} to {end}")
    box, cell = (page.run("const {x, y, right, bottom} = document.querySelector(arguments[0]).getBoundingClientRect(); return [x, y, right, bottom]", selector)
                 for selector in ('[data-shape="b2b2"]', square("b2")))
    stage.checks.check(all(abs(one - two) < 8 for one, two in zip(box, cell)), "the circle is around its square", (box, cell))
    page.click('[data-step="turn"]')
    stage.checks.equal(page.run(SHAPES), ["b2b2", "b2b3"], "on a turned board")
    stage.checks.equal(page.run("return document.querySelector('#match').dataset.ply"), "0", "nothing is played")
    page.click(square("e6"))
    stage.checks.equal(page.run(SHAPES), [], "after a left click")
    with_right(page, "a1", "b1")
    by_typing(page, "a2a1")
    page.mine(1)
    stage.checks.equal(page.run(SHAPES), [], "after a move")


@test
def premoves(stage):
    """A move chosen while the other side thinks goes when the turn comes; without a clock, too, and by every means."""
    anna, bob = stage.met()
    anna.mine(0)
    for ply, (means, move, answer) in enumerate(((by_click, "b2b1", "a2a1"), (by_drag, "d2d1", "c2c1"), (by_tap, "b4b3", "a4a3"), (by_typing, "d4d3", "c4c3"))):
        means(bob, move)
        bob.there("#premove").there(square(move[2:]) + '[aria-label*="chosen"]')
        by_typing(anna.mine(2 * ply), answer)
        anna.at(2 * ply + 2)
        bob.at(2 * ply + 2).gone("#premove")
        stage.checks.equal(bob.text("#moves").split()[-1], move, means.__name__)


@test
def premoves_that_do_not_go(stage):
    """They are taken back by a tap, a key or a button, and dropped in words when they are not possible any more."""
    anna, bob = stage.met()
    for take_back in (lambda: bob.click(square("b3")), lambda: bob.press("escape"), lambda: bob.click('[data-action="unplan"]')):
        by_click(bob, "b2b1")
        bob.there("#premove")
        take_back()
        bob.gone("#premove")
    by_click(bob, "b2b1")
    bob.there("#premove")
    by_typing(anna.mine(0), "b1b2")
    bob.mine(1).expect("The premove b2b1 is not possible now.", "#problem").gone("#premove")
    by_click(bob, "d2d1")
    anna.mine(2)


@test
def a_premove_from_the_hand(stage):
    anna, bob = stage.met("xadrersi")
    bob.click('#seat-near [data-piece="Q"]', square("d5")).there("#premove")
    by_click(anna.mine(0), "K@d4")
    anna.mine(2)
    stage.checks.equal(anna.board(), {"d4": "white king", "d5": "black queen"}, "board")


@test
def asked_before_it_is_sent(stage):
    """Where that is wished, a move stands on the board and is played by a second press, a key, or not at all."""
    page = stage.page(stage.server("--no-bots"))
    page.go("#/settings").there("#settings").choose(confirm="slow")
    page.start("clobber", opponent="both", clock="300+5")
    by_click(page.mine(0), "a2a1")
    page.mine(1).start("clobber", opponent="both", clock="")
    before = page.mine(0).board()
    by_click(page, "a2a1")
    page.expect("Play a2 to a1?", "#confirm").click('[data-action="unplan"]').gone("#confirm")
    stage.checks.equal(page.board(), before, "nothing is played")
    by_drag(page, "a2a1")
    page.there("#confirm").press("escape").gone("#confirm")
    by_typing(page, "a2a1")
    page.there('[data-action="send"]:focus').press("enter").mine(1).gone("#confirm")
    by_click(page, "b2b1")
    page.click('[data-action="send"]').mine(2)
    by_click(page, "c2c1")
    page.there("#confirm")
    by_drag(page, "e2e1")  # another one stands for the first
    page.expect("Play e2 to e1?", "#confirm").click('[data-action="send"]').mine(3)
    stage.checks.check("e2" not in page.board() and "c2" in page.board(), "the second choice is played", page.board())


# Notes the piece that follows the pointer, in squares, and the square that is marked below it.
CARRIED = """
    window.carried = [];
    const note = event => {
        const ghost = document.querySelector('.ghost')?.getBoundingClientRect(), square = document.querySelector('#match .cell').getBoundingClientRect().width;
        if (ghost) carried.push({size: ghost.width / square, up: (event.clientY - ghost.y - ghost.height / 2) / square, aside: (ghost.x + ghost.width / 2 - event.clientX) / square,
            below: [...document.querySelectorAll('#match .cell.below')].map(cell => cell.dataset.square).join()});
    };
    addEventListener('pointerdown', () => addEventListener('pointermove', note), {once: true}); /* the board has heard of it before */"""


@test
def a_piece_that_is_dragged(stage):
    """It is larger than on the board, and above a finger, which would hide it; the square that it is over is marked."""
    for pointer, size, up, drag in (("mouse", 1.2, 0, by_drag), ("touch", 1.8, 0.8, by_touch_drag)):
        page = stage.page(stage.server("--no-bots"))
        page.start("latrunculi", opponent="both")
        page.mine(0).screen(*((390, 844) if pointer == "touch" else (1280, 800)), phone=pointer == "touch").run(CARRIED)
        drag(page, "c1c5")
        page.mine(1).gone(".ghost")
        shown = page.run("return carried")
        stage.checks.check(shown and all(row["size"] >= size and row["up"] >= up and abs(row["aside"]) < 0.1 for row in shown), f"{pointer}: large, and lifted", shown)
        stage.checks.equal(shown[-1]["below"] if shown else "", "c5", f"{pointer}: where it is")
        stage.checks.equal(page.run("return document.querySelectorAll('#match .below').length"), 0, f"{pointer}: nothing is marked")
        page.plain()


if __name__ == "__main__":
    sys.exit(run_tests("test_hands", test))
