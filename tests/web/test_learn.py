#!/usr/bin/env python3
"""Learning on the page: the lessons, and the rule that forbids what is pressed.

usage: python3 tests/web/test_learn.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import by_typing, in_hand, square
from screens import Gallery
from web_stage import Tests, run_tests

test = Tests()
GAMES = ("clobber", "xadrersi", "latrunculi", "shakti")


def at(name):
    return f'#lesson [data-square="{name}"]'


def hand(piece):
    return f'#lesson [data-piece="{piece}"]'


@test
def every_lesson(stage):
    """One move that each asks for is shown and played; no match is opened for that."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server)
    for game in GAMES:
        lessons = peer.ask(f"lessons {game}")["lessons"]
        page.go(f"#/learn/{game}")
        for number, lesson in enumerate(lessons, 1):
            page.there(f'#lesson[data-lesson="{number}"][data-done="false"]').expect(lesson["title"], "#lesson h1")
            page.click('[data-action="hint"]').expect(f"One way is {lesson['moves'][0]}.", "#said").there("#lesson .cell.target")
            page.click(at(lesson["moves"][0][2:])).there('#lesson[data-done="true"]').expect("Right. ", "#said")
            page.there(f'.lessons li:nth-child({number}) [aria-label="done"]')
            if number == len(lessons):
                page.expect("You know the rules now", "#said").there('[data-action="puzzles"]').there('[data-action="other"]')
            page.click("#lesson .buttons .primary")
        page.there("#setup")
    stage.checks.equal(peer.ask("stats")["matches_total"], 0, "matches")
    page.go("#/learn/clobber/3").there('#lesson[data-lesson="3"]')
    stage.checks.equal(page.run("return document.querySelectorAll('.lessons [aria-label=done]').length"), 6, "what is done is kept")


@test
def other_moves(stage):
    """A legal move that is not the one, and moves that the rules forbid."""
    page = stage.page(stage.server("--no-bots")).go("#/learn/clobber/4")
    page.click(at("a1"), at("b1")).expect("a1b1 is legal, but not what is asked for.", "#said")
    page.click(at("a1"), at("d1")).expect("A stone moves one square up, down, left or right", "#said")
    page.click(at("b1")).expect("The stone on b1 is not yours: white moves.", "#said")
    page.click(at("c1"), at("b1")).expect("Right. ", "#said").click('[data-action="again"]')
    page.there('#lesson[data-done="false"]').expect("White is to move", "#said")
    page.go("#/learn/latrunculi/8").click(at("d4"), at("d3")).expect("That soldier is locked", "#said")
    page.go("#/learn/xadrersi/6").click(hand("R")).expect("White must answer with the queen.", "#said")
    page.click(hand("R"), at("a1")).expect("a1 is not next to a piece.", "#said").click(at("d4")).expect("d4 is occupied.", "#said")
    page.click(at("d3")).expect("Choose a piece in hand first.", "#said").click(hand("Q"), at("d3")).expect("Right. ", "#said")


@test
def by_keys(stage):
    """From the address on, by the keyboard alone; the answer is heard."""
    page = stage.page(stage.server("--no-bots")).go("#/learn/clobber/1").there("#lesson")
    page.run("document.querySelector('#lesson [data-square=a1]').focus()")
    page.press("up", "right", "enter", "right", "enter").expect("Right. Your stone stands", "#said")
    stage.checks.equal(page.run("return document.querySelector('#said').getAttribute('role')"), "status", "it is heard")
    page.run("document.querySelector('[data-action=next]').focus()")
    page.press("enter").there('#lesson[data-lesson="2"]')
    page.wait("return document.activeElement?.textContent === 'Not diagonally'", what="the heading has the keyboard")
    for route in ("#/learn", "#/learn/nothing", "#/learn/clobber/99", "#/learn/clobber/x"):
        page.go(route).there("#lesson")


@test
def why_not_in_a_match(stage):
    """A press on what may not move names the rule, until something else is picked up; it is heard, too."""
    gallery = Gallery(stage)
    page = gallery.page
    for position, pressed, words in (("clobber:3x3 3/1Pp/P2 w", "a1", "b1 is empty: a stone moves only onto an enemy stone."),
                                     ("clobber:3x3 3/1Pp/P2 w", "c2", "The stone on c2 is not yours: white moves."),
                                     ("clobber:3x3 3/1Pp/P2 w", "c1", "c1 is empty."),
                                     ("latrunculi 7d/8/8/3s4/3S4/8/8/S6D w 0", "d4", "That soldier is locked: only a capture"),
                                     ("shakti *5*/5k1/7/2W4/3w3/3K3/*5* w 0", "c4", "Your king is in check: a warrior cannot help")):
        game, _, text = position.partition(" ")
        gallery.match(game, text)
        page.click(square(pressed)).expect(words, "#problem").expect(words, "#announcer")
    gallery.match("clobber:3x3", "3/1Pp/P2 w")
    page.click(square("a1")).there("#problem").click(square("b2")).gone("#problem").there(".cell.target")
    page.click(square("c2")).there('#match[data-status="over"]')
    gallery.match("xadrersi", "8/8/8/3q4/3K4/8/8/8[QRRBBNNkrrbbnn] w Q d5")
    page.click(square("d4")).expect("d4 is occupied.", "#problem").click(square("e4")).expect("Choose a piece in hand first.", "#problem")
    page.click(in_hand("N")).expect("White must answer with the queen.", "#problem").click(in_hand("Q")).gone("#problem")
    gallery.match("xadrersi", "8/8/8/8/BNR5/Bbbn4/nNQr4/1Kqr4[Rk] w - d3")
    page.click(square("e3")).there('#moves [data-ply="1"]')  # there is one kind only


@test
def what_to_do_now(stage):
    """Who has not finished a match of a game is told what can be done in each position, and what the pieces do; afterwards
    nothing is asked of the server."""
    page = stage.page(stage.server("--no-bots"))
    page.start("xadrersi", opponent="both")
    page.expect("Place your king on any square; pieces never move.", "#advice").expect("Place your king on any square", "#announcer")
    page.click(in_hand("K"), square("d4")).at(1).expect("Place any piece but the king next to another piece", "#advice")
    page.click(".advice summary").expect("attacks along diagonals", "#symbols")
    stage.checks.equal(page.run("return document.querySelectorAll('#symbols .icon').length"), 5, "pieces")
    page.click('[data-step="back"]').wait("return getComputedStyle(document.querySelector('#advice')).visibility === 'hidden'", what="nothing is said of the past")
    page.start("shakti", opponent="both")
    page.expect("Move a piece to a tile that it sees", "#advice")
    for ply, move in enumerate(("d2d3", "d6d5")):
        by_typing(page.mine(ply), move)
    page.at(2).surely("resign").there('#match[data-status="over"]').gone("#advice")
    page.start("shakti", opponent="both")
    page.mine(0).gone("#advice")
    page.start("latrunculi", opponent="both")
    page.expect("Slide a piece like a rook", "#advice")
    page.go("#/rules/clobber").click('[data-action="try"]').there("#match")
    stage.checks.equal(page.run("return document.querySelector('#advice')"), None, "not where a rule is tried")


@test
def waiting(stage):
    """While the opponent moves nothing is said, and nothing jumps."""
    gallery = Gallery(stage)
    match = gallery.match("clobber:3x3", "PpP/pPp/PpP w")
    gallery.page.expect("Take an enemy stone", "#advice")
    top = gallery.page.run("return document.querySelector('.advice details').getBoundingClientRect().top")
    gallery.page.click(square("a1"), square("a2")).at(1)
    gallery.page.wait("return getComputedStyle(document.querySelector('#advice')).visibility === 'hidden'", what="it is hidden")
    stage.checks.equal(gallery.page.run("return document.querySelector('.advice details').getBoundingClientRect().top"), top, "nothing jumps")
    gallery.bob.do(f"move {match} b1c1")
    gallery.page.mine(2).wait("return getComputedStyle(document.querySelector('#advice')).visibility === 'visible'", what="it is shown")


@test
def rules_that_are_shown(stage):
    """Each lesson with a frame is a rule with a part of the board before and after, without the exercise."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server)
    for game in GAMES:
        framed = [lesson for lesson in peer.ask(f"lessons {game}")["lessons"] if lesson["frame"]]
        page.go(f"#/rules/{game}").there("#shown-rules .rule")
        titles = page.run("return [...document.querySelectorAll('#shown-rules h2')].map(node => node.textContent)")
        stage.checks.equal(titles, [lesson["title"] for lesson in framed], game)
        for number, lesson in enumerate(framed, 1):
            left, right = (ord(lesson["frame"][at]) for at in (0, 2))
            low, high = (int(lesson["frame"][at]) for at in (1, 3))
            rule = f"#shown-rules .rule:nth-of-type({number})"
            shown = page.run("return [...document.querySelectorAll(arguments[0])].map(node => node.querySelectorAll('.square').length)", f"{rule} .part")
            stage.checks.equal(shown, [(right - left + 1) * (high - low + 1)] * 2, f"{game}: squares of {lesson['title']}")
            counts = page.run("return [...document.querySelectorAll(arguments[0])].map(node => node.querySelectorAll('.piece').length + node.querySelectorAll('.hole').length)", f"{rule} .part")
            stage.checks.check(counts[0] > 0 and counts[1] > 0, f"{game}: pieces of {lesson['title']}", counts)
    stage.checks.check("Capture d5" not in page.go("#/rules/latrunculi").there("#shown-rules .rule").text("#shown-rules"), "no exercise beside the rules")


@test
def the_ways_there(stage):
    page = stage.page(stage.server("--no-bots"))
    for route in ("#/rules/shakti", "#/new/shakti"):
        page.go(route).click('main a[href="#/learn/shakti"]').expect("Shakti, lesson 1 of 8")
    guarded = stage.page(stage.server("--no-bots", "--code", "sesame99"))
    guarded.window.go(guarded.top + "#/learn/clobber")
    guarded.there("#code-form").write("#code", "sesame99").press("enter").there("#lesson")


if __name__ == "__main__":
    sys.exit(run_tests("test_learn", test))
