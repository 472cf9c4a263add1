#!/usr/bin/env python3
"""The analysis board: moves, variations, positions that are pasted or set up, what the bots think, and playing on.

usage: python3 tests/web/test_analysis.py BUILD_DIR [TEST...]
"""
import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import build_folder, wait_until
from page import action
from screens import POSITIONS
from test_looks import CUT, OVERFLOW, SMALL, THUMB
from web_stage import Tests, run_tests

test = Tests()
MATE = "*W1*2*/1****2/2*1*2/kw****1/2****1/1W***2/*2w1K* w 0"


def at(name):
    return f'#analysis [data-square="{name}"]'


def act(name):
    return f'#analysis [data-action="{name}"]'


def put(cell):
    return f'#analysis [data-put="{cell}"]'


def shown(page):
    """Returns the notation."""
    return page.run("return [...document.querySelectorAll('#variations > *')].map(part => part.textContent).join(' ')")


def address(page):
    return page.run("return location.hash")


def position(page):
    return page.run("return document.querySelector('#position').value")


def play(page, moves):
    for move in moves.split():
        page.click(at(move[:2]), at(move[2:]))
        page.there("#variations [aria-current]").expect(move, "#variations [aria-current]")


@test
def variations(stage):
    """Moves of both sides, other moves in brackets, and a way back to each; the address leads to what is shown."""
    page = stage.page(stage.server("--no-bots")).go("#/analysis/clobber:4x5")
    page.there("#analysis").expect("White to move.", "#task").expect("No moves yet", "#variations")
    play(page, "b1a1 b2a2")
    page.click('#analysis [data-step="back"]').there('#analysis[data-ply="1"]')
    play(page, "d2d1")
    stage.checks.equal(shown(page), "1. b1a1 b2a2 ( 1... d2d1 )", "a variation")
    stage.checks.check(address(page).startswith("#/analysis/clobber:4x5/pPpP.") and address(page).endswith("_w/b1a1_d2d1"), "the address", address(page))
    page.click('#variations [data-node="1"]').there('#analysis[data-ply="2"]').expect("b2a2", "#variations [aria-current]")
    page.click('#analysis [data-step="first"]').there('#analysis[data-ply="0"]').there('[data-step="back"]:disabled').gone(act("remove"))
    page.click('#analysis [data-step="last"]').there('#analysis[data-ply="2"]').gone(act("promote"))
    page.click('#variations [data-node="2"]').click(act("promote")).gone(act("promote"))
    stage.checks.equal(shown(page), "1. b1a1 d2d1 ( 1... b2a2 )", "the other one is the main line")
    link = address(page)
    page.window.go("about:blank")
    page.go(link).there('#analysis[data-ply="2"]')
    stage.checks.equal([shown(page), address(page)], ["1. b1a1 d2d1", link], "the line comes back by its address")
    page.click(act("remove")).there('#analysis[data-ply="1"]')
    stage.checks.equal(shown(page), "1. b1a1", "what was deleted")
    page.click(at("b2"), at("d5")).expect("A stone moves one square", "#said").there('#analysis[data-ply="1"]')
    stage.checks.equal(stage.peer(page.server).ask("stats")["matches_total"], 0, "matches")


@test
def saved(stage):
    """The file has all variations, and the reader of Ludus takes it."""
    page = stage.page(stage.server("--no-bots")).go("#/analysis/clobber/Ppp.3.1Pp_w")
    folder = stage.folder()
    play(page, "a3b3 c3b3 b1c1")
    page.expect("White wins. Black cannot move.", "#task")
    page.click('#variations [data-node="0"]')
    page.click('#analysis [data-step="back"]').there('#analysis[data-ply="0"]')
    play(page, "b1c1 b3a3")
    page.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
    page.click(act("download"))
    path = os.path.join(folder, "ludus-analysis-clobber.pgn")
    wait_until(lambda: os.path.exists(path), "the file")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    stage.checks.equal(text.split("\n\n")[1], "1. a3b3 (1. b1c1 b3a3) 1... c3b3 2. b1c1 1-0\n", "moves")
    stage.checks.check('[Event "Analysis of Clobber"]' in text and '[FEN "Ppp/3/1Pp w"]' in text and '[Result "1-0"]' in text and "[Match " not in text, "tags", text)
    done = subprocess.run([os.path.join(build_folder(), "ludus-bot"), "review", "--words", "--nodes", "50"], input=text, capture_output=True, text=True, check=False)
    stage.checks.equal([done.returncode, done.stderr, done.stdout.splitlines()[-1]], [0, "", "done"], "the reader takes it")


@test
def pasted(stage):
    """A position is taken as text; what is none is said, in the address, too."""
    page = stage.page(stage.server("--no-bots")).go("#/analysis/clobber").there("#position")
    page.run("document.querySelector('#position').value = ''")
    page.write("#position", "3/1Pp/3 b").press("enter").expect("3\u00a0×\u00a03", "#analysis").expect("Black to move.", "#task")
    play(page, "c2b2")
    page.run("document.querySelector('#position').value = ''")
    page.write("#position", "3/1Px w").press("enter").there("#said.problem")
    stage.checks.equal(shown(page), "1... c2b2", "nothing is lost")
    page.click(act("copy")).expect("Copied", act("copy"))
    for route, said in (("clobber:3x3/nonsense", "No such position"), ("clobber/3.1Pp.3_w%0Aquit", "No such position"), ("clobber:9x17", "No such position"), ("chess", "Analysis"),
                        ("latrunculi:standard/8.8.8.d2s4.3S4.8.8.S6D_w_0/d4a4_a1a1_quit", "Analysis")):
        page.go(f"#/analysis/{route}").expect(said, "h1")
    stage.checks.equal(shown(page), "1. d4a4", "the legal beginning of a line")
    page.go("#/analysis/xadrersi:touch/8.8.8.8.3K4.8.8.8(QRRBBNNkqrrbbnn)_b_-_d4").there("#analysis .hand [data-piece=N]")
    page.click("#analysis [data-piece=N]", at("c3")).expect("N@c3", "#variations")
    stage.checks.check(address(page).endswith("/N~c3"), "a placement in the address", address(page))


@test
def edited(stage):
    """Pieces are put and taken away by hand, the side to move is chosen, and the server says whether that is a position."""
    page = stage.page(stage.server("--no-bots")).go("#/analysis/clobber:3x3")
    page.click(act("edit")).there(put("P")).expect("Choose a piece", "#said").click(act("clear"))
    page.click(put("P"), at("b2"), put("p"), at("c2"), at("c3"), at("c3"), put("."), at("a1"), act("side"))
    page.expect("This position is legal.", "#said").expect("Black to move", act("side"))
    stage.checks.equal(position(page), "3/1Pp/3 b", "what was set up")
    page.click(act("done")).expect("Black to move.", "#task").gone(".editor")
    play(page, "c2b2")
    page.go("#/analysis/latrunculi").click(act("edit"), put("."), at("e2")).there("#said.problem").there(act("done") + ":disabled")
    page.click(put("D"), at("e4")).expect("This position is legal.", "#said").click(act("cancel")).gone(".editor")
    stage.checks.equal(position(page), "ssssssss/3d4/8/8/8/8/4D3/SSSSSSSS w 0", "it is as it was")
    page.go("#/analysis/xadrersi").click(act("edit"), put("K"), at("e4")).there("#said.problem").click(act("side")).expect("This position is legal.", "#said")
    page.there(put("K") + ":disabled").click(put("Q"), at("d4"))
    stage.checks.equal(position(page), "8/8/8/8/3QK3/8/8/8[RRBBNNkqrrbbnn] b Q d4", "the hand and the call follow")
    page.click(put("Q"), at("d4"), put("q"), at("d5"), act("side")).expect("This position is legal.", "#said").click(act("done")).expect("White to move.", "#task")
    page.go("#/analysis/shakti").click(act("edit"), put("*"), at("d4")).expect("This position is legal.", "#said")


@test
def bots(stage):
    """The server's bots tell who stands better, what is best and why; their line is played on the board. They answer alike."""
    page = stage.page(stage.server("--bots", "random"))
    peer = stage.peer(page.server)
    page.go(f"#/analysis/shakti:standard/{MATE.replace('/', '.').replace(' ', '_')}").click(act("engine"))
    page.expect("White wins by force, in at most 1 ply. Best is b7b5, which mates.", "#verdict").there('.better[data-shape="b7b5"]').gone(act("engine"))
    page.click('#verdict [data-pv="0"]').expect("White wins. Black is checkmated.", "#task").gone("#verdict").gone(act("engine"))
    page.go("#/analysis/xadrersi").click(act("engine")).expect("White’s chances: ", "#verdict").there(".ringed.better")
    told = peer.ask("analyse xadrersi")
    page.expect(f"White’s chances: {told['chance']} %. Best is {told['best']}", "#verdict")
    stage.checks.equal(page.run("return [...document.querySelectorAll('#line button')].map(button => button.textContent)"), told["pv"], "the line")
    page.click('#verdict [data-pv="2"]').there('#analysis[data-ply="3"]')
    other = stage.page(stage.server("--no-bots")).go("#/analysis/clobber").click(act("engine"))
    other.expect("This server runs no bots", "#said").there(act("engine"))


@test
def from_everywhere(stage):
    """A match that is over, one that is watched, a puzzle and the page of a new match lead there."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server, "carol")
    match = peer.do("new clobber:4x5 white=me black=me")["match"]
    for move in "b1a1 b2a2 d1c1".split():
        peer.do(f"move {match} {move}")
    page.go(f"#/m/{match}").there(action("analyse")).click('[data-step="back"]').there('#moves [data-ply="2"][aria-current]')
    page.click(action("analyse")).there("#analysis").expect("White to move.", "#task")
    stage.checks.equal([position(page), shown(page)], [peer.ask(f"record {match} positions=0")["positions"][2], "1. b1a1 b2a2"], "the position of that move, and the moves before it")
    peer.do(f"resign {match}")
    page.go(f"#/m/{match}").there('[data-status="over"]').click(action("analyse")).there("#analysis").expect("Black to move.", "#task")
    page.go("#/puzzle/clobber/1").there("#puzzle").gone('#puzzle [data-action="analyse"]').click('[data-action="answer"]', '#puzzle [data-action="analyse"]')
    page.there("#analysis").expect("Black to move.", "#task")
    stage.checks.equal(position(page), peer.ask("puzzle clobber 1")["position"], "the position of the puzzle")
    page.go("#/new/shakti").click('#setup [href="#/analysis/shakti"]').there('#analysis[data-game="shakti"]').click('.tabs [href="#/analysis/latrunculi"]').there('#analysis[data-game="latrunculi"]')


@test
def own_running_match(stage):
    """Who plays is not offered an analysis before the end."""
    page = stage.page(stage.server("--no-bots"))
    page.start("clobber", opponent="both")
    page.mine(0).gone(action("analyse"))


@test
def playing_on(stage):
    """From a position against a bot, a friend by link, or oneself; it counts for no rating."""
    page = stage.page(stage.server("--bots", "greedy"))
    peer = stage.peer(page.server)
    page.go("#/analysis/clobber:4x5").there("#analysis")
    play(page, "b1a1")
    begun = position(page)
    page.click(act("from")).there("#setup .intro, #setup").expect("Play on from here", "h1").expect("black to move", ".intro").there(".intro .scene")
    stage.checks.equal(page.run("return [...document.querySelectorAll('[name=opponent]')].map(input => input.value)"), ["bot", "friend", "both", "player"], "opponents")
    page.choose(opponent="bot", level="greedy", color="black").click("#start")
    page.mine(0)
    told = peer.ask(f"record {page.match()} positions=0")
    stage.checks.equal([told["start"], told["white"], told["rated"], told["variant"]], [begun, "bot:greedy", False, "4x5"], "the match")
    page.go("#/from/clobber:3x3/3.1Pp.3_w").choose(opponent="friend").click("#start").there("#link")
    page.go("#/from/clobber:3x3/3.1Pp_w").choose(opponent="both").click("#start").there("#problem")
    page.go("#/from/shakti:standard/nonsense").choose(opponent="both").click("#start").there("#problem")
    page.go("#/puzzle/shakti/1").click('[data-action="answer"]', '#puzzle [data-action="from"]').expect("Play on from here", "h1").choose(opponent="both").click("#start").mine(0)
    page.surely("abort").there('[data-status="over"]').click(action("from")).expect("Play on from here", "h1")


@test
def by_keys(stage):
    """The board, the moves and the buttons, by the keyboard alone."""
    page = stage.page(stage.server("--no-bots")).go("#/analysis/clobber/3.1Pp.P2_w").there("#analysis")
    page.tab_to("#analysis [data-square]").press("right", "up", "enter", "right", "enter").there('#analysis[data-ply="1"]')
    stage.checks.equal(shown(page), "1. b2c2", "the move")
    page.tab_to("#variations [data-node]").press("enter")
    stage.checks.check(page.run("return document.activeElement.matches('#variations [aria-current]')"), "the keyboard stays on the move")
    page.press("left").there('#analysis[data-ply="0"]').press("right").there('#analysis[data-ply="1"]').press("home").there('#analysis[data-ply="0"]').press("end").there('#analysis[data-ply="1"]')
    page.tab_to(act("edit")).press("enter").there(".editor")
    page.tab_to(put("p")).press("enter").tab_to(put(".")).press("enter").tab_to("#analysis [data-square]").press("enter").there("#said")
    page.tab_to(act("cancel")).press("enter").gone(".editor")


@test
def looks(stage):
    """On the smallest phone and in the dark nothing sticks out, is cut, or is too small for a thumb."""
    page = stage.page(stage.server("--bots", "random"))
    for game, text in POSITIONS.items():
        variant = {"clobber": "5x6", "xadrersi": "touch"}.get(game, "standard")
        where = text.translate(str.maketrans("/ []", "._()"))
        page.screen(320, 640, True).prefer(color_scheme="dark").go(f"#/analysis/{game}:{variant}/{where}").there("#analysis").click(act("engine")).expect("Best is ", "#verdict")
        for state in ("shown", "edited"):
            stage.checks.equal([page.run(OVERFLOW)[:5], page.run(CUT)[:5], page.run(SMALL, THUMB, 0)[:5]], [[], [], []], f"{game} is {state}")
            if state == "shown":
                page.click(act("edit")).there(".editor")
        page.go(f"#/from/{game}:{variant}/{where}").there("#setup")
        stage.checks.equal([page.run(OVERFLOW)[:5], page.run(CUT)[:5]], [[], []], f"{game} is played on")


if __name__ == "__main__":
    sys.exit(run_tests("test_analysis", test))
