#!/usr/bin/env python3
"""The page in a browser, for those who hear it or read it large: where the keyboard begins, what is said, how large
letters are, and what a notch covers.

usage: python3 tests/web/test_readers.py BUILD_DIR [TEST...]
"""
import sys

from page import action, by_typing
from screens import Gallery
from test_looks import COVERED, OVERFLOW, found
from web_stage import Tests, run_tests

test = Tests()

FOCUSED = "return [document.activeElement.tagName, document.activeElement.innerText.trim()]"
HEARD = """
    window.heard = [];
    new MutationObserver(list => list.forEach(change => change.addedNodes.forEach(node => heard.push([node.dataset.about, node.textContent]))))
        .observe(document.querySelector('#announcer'), {childList: true});"""


@test
def the_heading_of_a_page(stage):
    """The keyboard goes to the heading of each page that is gone to, and nowhere when the page is loaded."""
    page = stage.page(stage.server("--no-bots"))
    stage.checks.equal(page.run("return document.activeElement.tagName"), "BODY", "when the page is loaded")
    for route, name in (("#/players", "players"), ("#/tournaments", "tournaments"), ("#/rules/shakti", "rules"), ("#/learn/shakti", "learn"), ("#/puzzle", "puzzle"), ("#/settings", "settings"), ("#/you", "you"),
                        ("#/history", "history"), ("#/p/nobody", "p"), ("#/new/clobber", "new"), ("#/", "home")):
        page.run("location.hash = arguments[0]", route)
        page.there(f'main[data-page="{name}"]').wait("return document.activeElement.tagName === 'H1'", what=f"no focus on {route}")
        stage.checks.equal(page.run("return [...document.querySelectorAll('h1')].length"), 1, f"one heading on {route}")
    page.start("clobber", opponent="both")
    page.wait("return document.activeElement.tagName === 'H1'", what="no focus in a match")
    stage.checks.equal(page.run(FOCUSED)[1], "Clobber 5\u00a0×\u00a06", "the heading of a match")
    page.press("tab")
    stage.checks.check(page.run("return document.activeElement.closest('#match') !== null"), "the board is next")
    by_typing(page, "a2a1")
    page.mine(1)


@test
def moves_and_chat(stage):
    """What is said soon after something else is said, too, once each, and chat tells itself apart."""
    anna, bob = stage.met()
    by_typing(anna.mine(0), "a2a1")
    bob.mine(1)
    anna.at(1).run(HEARD)
    match = anna.match()
    peer = stage.peer(anna.server)
    token = bob.run("return JSON.parse(localStorage.getItem('ludus.player')).token")
    peer.ask(f"hello bob token={token}")
    for line in (f"say {match} hello", f"move {match} b2b1", f"say {match} hello"):
        peer.ask(line)
    anna.wait("return heard.length >= 3")
    stage.checks.equal(anna.run("return heard"), [["chat", "bob says: hello"], ["match", "Black: b2 to b1. Your move. "], ["chat", "bob says: hello"]], "what is heard")
    anna.run("heard.length = 0")
    anna.click(action("undo")).wait("return heard.length > 0")
    stage.checks.equal(anna.run("return heard"), [["match", "You have asked to take a move back."]], "an offer")
    stage.checks.equal(anna.run("return [...document.querySelectorAll('[data-offer=undo]')].filter(node => node.closest('[role=status], [aria-live]')).length"), 0,
                       "which nothing else says again")


# The texts of a page, and how large their letters are on the screen.
LETTERS = "return [...document.querySelectorAll('h1, h2, p, a, button, label')].filter(node => node.checkVisibility()).map(node => [node.textContent, parseFloat(getComputedStyle(node).fontSize)])"


@test
def letters(stage):
    """They have the reader's own size: twice that is twice as large, and so is the page at 200 %, at any width."""
    page = stage.page(stage.server("--no-bots"))
    page.go("#/new/clobber").there("#setup")
    for width, height in ((3840, 2160), (1440, 900), (390, 844)):
        page.screen(width, height)
        whole = page.run(LETTERS)
        page.screen(width // 2, height // 2, screen=(width, height))  # as a browser lays it out at 200 %
        stage.checks.equal([row for row in page.run(LETTERS) if row not in whole], [], f"letters at 200 % of {width}x{height}, in half as many pixels that are twice as large")
    size = "return parseFloat(getComputedStyle(document.documentElement).fontSize)"
    large = {width: page.screen(width, height).run(size) for width, height in ((1920, 1080), (2560, 1440), (3840, 2160))}
    stage.checks.equal(large, {1920: 16, 2560: 16, 3840: 28}, "letters on a screen of many pixels are larger")
    stage.checks.equal(page.screen(1280, 720, screen=(3840, 2160)).run(size), 28, "in a small window there, too")
    page.screen(1440, 900)
    page.run("document.documentElement.style.fontSize = '200%'")
    stage.checks.equal(page.run("const root = getComputedStyle(document.documentElement); return parseFloat(root.fontSize)"), 32, "the reader's size")
    stage.checks.equal(page.run(LETTERS), [[text, 2 * size] for text, size in whole_of(page)], "all letters follow it")


def whole_of(page):
    """Returns the texts at the usual size."""
    page.run("document.documentElement.style.fontSize = ''")
    found = page.run(LETTERS)
    page.run("document.documentElement.style.fontSize = '200%'")
    return found


# What reaches under a notch or a bar of the phone: texts, squares and what is pressed.
UNDER = """
    const [top, right, bottom, left] = arguments;
    return [...document.querySelectorAll('header *, #match .cell, #match .name, #match button, #match input, main h1, main p, main a, #notices *')].filter(node => {
        const box = node.getBoundingClientRect();
        return node.checkVisibility() && box.width > 1 && !node.closest('.unseen') && (box.left < left - 1 || box.right > innerWidth - right + 1 || (scrollY === 0 && box.top < top - 1));
    }).map(node => `${node.tagName}.${node.getAttribute('class')} ${node.textContent.slice(0, 20)}`);"""


@test
def notches(stage):
    """Nothing lies under a notch or a rounded corner, upright and on the side, and a board still fits between them."""
    gallery = Gallery(stage)
    page = gallery.page
    gallery.match("latrunculi")
    gallery.carla.ask("new shakti white=me black=anna")
    for (width, height), (top, right, bottom, left) in (((390, 844), (47, 0, 34, 0)), ((844, 390), (0, 47, 21, 47))):
        page.screen(width, height, phone=True).devtools("Emulation.setSafeAreaInsetsOverride", insets={"top": top, "right": right, "bottom": bottom, "left": left})
        for route in ("#/", "#/settings", "#/new/latrunculi"):
            page.go(route).there("main h1").there(".challenge")
            found(stage.checks, page, f"{route} at {width}x{height}", "lies under a notch", UNDER, top, right, bottom, left)
            stage.checks.check(page.run("return document.querySelector('.challenge').getBoundingClientRect().bottom") <= height - bottom, "a notice above the bar")
        page.go("#/").click("#mine [data-match]").there("#match .cell")
        found(stage.checks, page, f"a match at {width}x{height}", "lies under a notch", UNDER, top, right, bottom, left)
        found(stage.checks, page, f"a match at {width}x{height}", "sticks out", OVERFLOW)
        found(stage.checks, page, f"a match at {width}x{height}", "covers each other", COVERED)
        low = page.run("return document.querySelector('#match .scene').getBoundingClientRect().bottom")
        stage.checks.check(low <= height - bottom + 1, f"the whole board is seen at {width}x{height}", low)
    page.devtools("Emulation.setSafeAreaInsetsOverride", insets={})


if __name__ == "__main__":
    sys.exit(run_tests("test_readers", test))
