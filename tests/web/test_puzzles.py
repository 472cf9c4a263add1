#!/usr/bin/env python3
"""Puzzles on the page: what wins is played on to the end, what does not is refuted, and what was solved is kept.

usage: python3 tests/web/test_puzzles.py BUILD_DIR [TEST...]
"""
import os
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from page import KEYS
from test_looks import DIFFERS, OVERFLOW
from web_stage import Tests, run_tests

test = Tests()
GAMES = ("clobber", "xadrersi", "latrunculi", "shakti")
PUZZLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common", "puzzles")
SHARED = "navigator.share = told => { window.told = told; return Promise.resolve(); }"
DAY_S = 86400


def puzzles(game):
    """Returns the fields of each puzzle of a game."""
    with open(os.path.join(PUZZLES, game + ".txt"), encoding="ascii") as file:
        return [line.rstrip("\n").split("; ") for line in file]


def at(name):
    return f'#puzzle [data-square="{name}"]'


def play(page, move):
    """Plays a move by the mouse."""
    piece, _, target = move.rpartition("@")
    page.click(f'#puzzle [data-piece="{piece}"]' if piece else at(target[:2]), at(target[-2:]))


def pieces(page):
    """Returns the cells of the board as a position has them."""
    words = page.run("return Object.fromEntries([...document.querySelectorAll('#puzzle [data-square]')].map(cell => [cell.dataset.square, cell.getAttribute('aria-label')]))")
    return {name: label.split(", ")[0] for name, label in words.items() if not label.startswith(name)}


def kept(page):
    return page.run("return JSON.parse(localStorage.getItem('ludus.puzzles'))")


def not_over_midnight():
    if time.time() % DAY_S > DAY_S - 120:
        time.sleep(130)
    return time.strftime("%Y-%m-%d", time.gmtime()), time.strftime("%Y-%m-%d", time.gmtime(time.time() - DAY_S))


@test
def solved(stage):
    """The answer is played on to the end; the next time the next puzzle comes. No match is opened for that."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server)
    for game in GAMES:
        line = puzzles(game)[0][4].split()
        told = peer.ask(f"puzzle {game} 1")
        page.go(f"#/puzzle/{game}").there('#puzzle[data-puzzle="1"][data-state="asking"]').expect(told["task"], "#task")
        play(page, line[0])
        page.there('#puzzle[data-state="solved"]').expect(f"Right: {line[0]} wins, as in {' '.join(line[1:])}.", "#said")
        page.there(f'#puzzle[data-ply="{len(line)}"]')
        end = peer.ask(f"puzzle {game} 1 {line[0]}")["positions"][-1]
        page.wait("return [...document.querySelectorAll('#puzzle [data-square]')].filter(cell => /^(white|black)/.test(cell.getAttribute('aria-label'))).length === arguments[0]",
                  sum(cell.isalpha() for cell in end.split(" ")[0].split("[")[0]))
        page.click('#puzzle [data-action="next"]').there('#puzzle[data-puzzle="2"]')
        page.go(f"#/puzzle/{game}").there('#puzzle[data-puzzle="2"]')
    stage.checks.equal(kept(page)["next"], dict.fromkeys(GAMES, 2), "what is kept")
    stage.checks.equal(peer.ask("stats")["matches_total"], 0, "matches")
    count = len(puzzles("shakti"))
    page.go(f"#/puzzle/shakti/{count}").expect(f"puzzle {count} of {count}")
    stage.checks.check(page.run("return document.querySelector('[data-action=next]').hash") == "#/puzzle/shakti/1", "the first one follows the last")


@test
def refuted(stage):
    """A wrong move is answered on the board by the reply of the puzzle, and a press takes both back."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server)
    for game in GAMES:
        number, fields = next((i, row) for i, row in enumerate(puzzles(game), 1) if " " in row[5])
        wrong, reply = fields[5].split()[1].split(":")
        told = peer.ask(f"puzzle {game} {number} {wrong}")
        stage.checks.equal([told["reply"], len(told["positions"]), told["positions"][1]], [reply, 2, told["position"]], f"{game}: the reply")
        page.go(f"#/puzzle/{game}/{number}").there('#puzzle[data-state="asking"]')
        before = pieces(page)
        play(page, wrong)
        page.there('#puzzle[data-state="refuted"][data-ply="2"]').expect(f"plays {reply}. Press the board to try again.", "#said")
        stage.checks.check(pieces(page) != before, f"{game}: the reply is on the board")
        page.click(at("d4")).there('#puzzle[data-state="asking"]')
        stage.checks.equal(pieces(page), before, f"{game}: both are taken back")
        play(page, wrong)
        page.there('#puzzle[data-state="refuted"]').click('[data-action="again"]').there('#puzzle[data-state="asking"]')
        play(page, fields[4].split()[0])
        page.there('#puzzle[data-state="solved"]').run(SHARED)
        page.click('[data-action="tell"]').there("#link").click('[data-action="share"]')
        stage.checks.check(page.run("return told.text").endswith(f", puzzle {number} of {len(puzzles(game))}: solved after 2 wrong moves"), f"{game}: what is shared")


@test
def answer(stage):
    """Whoever asks for the answer sees it, and has not solved the puzzle."""
    page = stage.page(stage.server("--no-bots")).go("#/puzzle/clobber/3")
    line = puzzles("clobber")[2][4]
    page.click('[data-action="answer"]').expect(f"The line that wins is {line}.", "#said").there('#puzzle[data-state="solved"]')
    page.click('[data-action="again"]').there('#puzzle[data-state="asking"]')
    play(page, line[:4])
    page.there('#puzzle[data-state="solved"]').expect("It does not count as solved", "#said").click('[data-action="tell"]')
    stage.checks.equal(page.run("return document.querySelector('#link').value"), f"Ludus: Clobber 5\u00a0×\u00a06, puzzle 3 of {len(puzzles('clobber'))}: answer shown", "what is shared")
    stage.checks.equal(kept(page), None, "nothing is kept")
    page.click('[data-action="copy"]').expect("Copied", '[data-action="copy"]')
    page.go("#/puzzle/clobber/4").there('#puzzle[data-puzzle="4"]').go("#/puzzle/clobber/3").there('#puzzle[data-puzzle="3"]')
    play(page, line[:4])
    page.there('#puzzle[data-state="solved"]').expect("It does not count as solved", "#said")
    stage.checks.equal(kept(page), None, "nor when one comes back")


@test
def rated(stage):
    """Who has a name is rated at the first attempt only, and gets the puzzle for their rating next; a guest is not."""
    page = stage.page(stage.server("--no-bots"))
    page.go("#/puzzle/clobber/1").there("#puzzle").run("window.guest = document.querySelector('#rating').textContent")
    stage.checks.equal(page.run("return window.guest"), "", "a guest has no rating")
    page.take_name("anna")
    peer = stage.peer(page.server, "bob")
    told = peer.ask("puzzle clobber")
    page.go("#/puzzle/clobber").there(f'#puzzle[data-puzzle="{told["number"]}"]').expect(f"Its difficulty: {told['rating']}. Your rating: 1500.", "#rating")
    right = puzzles("clobber")[told["number"] - 1][4].split()[0]
    wrong = next(move for move in told["legal"] if move != right)
    play(page, wrong)
    page.there('#puzzle[data-state="refuted"]')
    page.wait(r"return /^Your rating: 1[0-4]\d\d \(−\d+\)\.$/.test(document.querySelector('#rating').textContent)", what="it was rated")
    said = page.run("return document.querySelector('#rating').textContent")
    page.click('[data-action="again"]').there('#puzzle[data-state="asking"]')
    play(page, right)
    page.there('#puzzle[data-state="solved"]')
    stage.checks.equal(page.run("return document.querySelector('#rating').textContent"), said, "the second attempt does not count")
    stage.checks.equal(peer.ask(f"puzzle clobber {told['number']}")["attempts"], 1, "nor for the puzzle")
    page.go(f"#/puzzle/clobber/{told['number']}").expect("You have tried it before: it is not rated.", "#rating")
    page.go("#/puzzle/clobber").there("#puzzle").there(f'#puzzle:not([data-puzzle="{told["number"]}"])')


@test
def storm(stage):
    """Puzzle after puzzle, by the rules of the server: what is right counts, what is wrong costs time and shows the answer; the best of storms that end is kept."""
    page = stage.page(stage.server("--no-bots"))
    page.go("#/puzzle/clobber").there("#puzzle").click('.tabs a[href="#/storm/clobber"]').there('#storm[data-state="ready"]').expect("180 seconds", "#task")

    def answer():
        return puzzles("clobber")[int(page.run("return document.querySelector('#storm').dataset.puzzle")) - 1]

    def tried(move, kind):
        before = page.run(f"return Number(document.querySelector('#storm').dataset.{kind})")
        for name in (move[:2], move[2:]):
            page.click(f'#storm [data-square="{name}"]')
        page.there(f'#storm[data-{kind}="{before + 1}"]')

    page.click('[data-action="start"]').there('#storm[data-state="running"]').expect("2:5", "#left")
    tried(answer()[4].split()[0], "solved")
    page.expect("Right.", "#said")
    while len(answer()[5].split()) < 2:
        tried(answer()[4].split()[0], "solved")
    fields, left = answer(), page.run("return document.querySelector('#left').textContent")
    tried(fields[5].split()[1].split(":")[0], "wrong")
    page.expect(f"{fields[4].split()[0]} does: 10 s less.", "#said")
    after = page.run("return document.querySelector('#left').textContent")
    seconds = [60 * int(text[0]) + int(text[2:]) for text in (left, after)]
    stage.checks.check(10 <= seconds[0] - seconds[1] <= 15, f"a wrong move costs: {left}, {after}")
    solved = page.run("return Number(document.querySelector('#storm').dataset.solved)")
    page.run("const now = performance.now.bind(performance); performance.now = () => now() + 200000")
    page.there('#storm[data-state="over"]').expect("Time is up:", "#said").expect("Your best so far.", "#said").expect(f"Your best: {solved}.", "#score")
    stage.checks.equal(kept(page)["storm"], {"clobber": solved}, "it is kept")
    stage.checks.equal(kept(page)["next"], {}, "and no puzzle counts as solved")
    page.click('[data-action="again"]').there('#storm[data-state="ready"]').expect(f"Your best: {solved}.", "#score")
    page.screen(320, 640, True)
    stage.checks.equal(page.run(OVERFLOW)[:5], [], "sticks out")


@test
def illegal(stage):
    page = stage.page(stage.server("--no-bots")).go("#/puzzle/clobber/1")
    page.click(at("b6")).expect("The stone on b6 is not yours: black moves.", "#said").there('#puzzle[data-state="asking"]')
    page.click(at("c5"), at("a1")).expect("A stone moves one square", "#said").there('#puzzle[data-state="asking"]')


@test
def daily(stage):
    """The days in a row count, each once; a gap begins anew. The start page says it."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server)
    today, yesterday = not_over_midnight()
    told = peer.ask("puzzle")
    stage.checks.equal([told["daily"], told["date"]], [True, today], "that of today")
    winning = peer.ask(f"puzzle {told['game']} daily answer")["move"]
    for before, streak in (((yesterday, 4), 5), (("2020-01-01", 4), 1), ((today, 7), 7), (("nonsense", -1), 1)):
        page.run("localStorage.setItem('ludus.puzzles', JSON.stringify({day: arguments[0], streak: arguments[1]}))", *before)
        page.go("#/players").go("#/").there("#daily .scene").expect(told["task"] if before[0] != today else "Solved. Days in a row: 7.", "#daily")
        page.click("#daily a").there(f'#puzzle[data-game="{told["game"]}"][data-puzzle="{told["number"]}"]').expect(f"puzzle of {today}", ".task")
        play(page, winning)
        page.there('#puzzle[data-state="solved"]').expect(f"Solved. Days in a row: {streak}.", "#streak")
        stage.checks.equal([kept(page)["day"], kept(page)["streak"]], [today, streak], f"after {before}")
        page.click('[data-action="tell"]')
        line = page.run("return document.querySelector('#link').value")
        stage.checks.equal(line.endswith(f"puzzle of {today}: solved at the first try" + (f", {streak} days in a row" if streak > 1 else "")), True, line)
        page.go("#/").expect(f"Solved. Days in a row: {streak}.", "#daily")
    page.click('header a[href="#/puzzle"]').there("#puzzle").click('.tabs a[href="#/puzzle/shakti"]').there('#puzzle[data-game="shakti"]')


@test
def daily_shown(stage):
    """The answer shown takes the merit of that game's puzzle of today, after a reload, too, and of no other game's."""
    page = stage.page(stage.server("--no-bots"))
    peer = stage.peer(page.server)
    today, _ = not_over_midnight()
    winning = {game: peer.ask(f"puzzle {game} daily answer")["move"] for game in ("clobber", "shakti")}
    page.go("#/puzzle/clobber/daily").there('#puzzle[data-game="clobber"]').click('[data-action="answer"]').there('#puzzle[data-state="solved"]')
    page.run("location.reload()")
    page.there('#puzzle[data-game="clobber"][data-state="asking"]')
    play(page, winning["clobber"])
    page.there('#puzzle[data-state="solved"]').expect("It does not count as solved", "#said")
    page.go("#/puzzle/shakti/daily").there('#puzzle[data-game="shakti"]')
    play(page, winning["shakti"])
    page.there('#puzzle[data-state="solved"]').expect("Solved. Days in a row: 1.", "#streak")
    stage.checks.equal([kept(page)["shown"], kept(page)["day"]], [{"clobber": today}, today], "what is kept")


@test
def by_keys(stage):
    """From the header on, by the keyboard alone; the answer is heard, and the keyboard is never lost."""
    page = stage.page(stage.server("--no-bots"))
    fields = puzzles("clobber")[0]
    page.tab_to('header a[href="#/puzzle"]').press("enter").there("#puzzle")
    page.wait("return document.activeElement.tagName === 'H1'", what="the heading has the keyboard")
    page.go("#/puzzle/clobber/1").there("#puzzle").tab_to("#puzzle [data-square]")

    def move(text):
        for name in (text[:2], text[2:]):
            here = page.run("return document.activeElement.dataset.square")
            files, ranks = ord(here[0]) - ord(name[0]), int(here[1]) - int(name[1])  # black sits below
            page.press(*["right" if files > 0 else "left"] * abs(files), *["down" if ranks < 0 else "up"] * abs(ranks), "enter")

    stage.checks.check("enter" in KEYS and fields[1].endswith(" b"), "black moves")
    move("e1e2")
    page.there('#puzzle[data-state="refuted"]').expect("e1e2 loses: white plays d5c5.", "#said")
    stage.checks.equal(page.run("return document.querySelector('#said').getAttribute('role')"), "status", "it is heard")
    page.press("enter").there('#puzzle[data-state="asking"]')
    page.tab_to('[data-action="answer"]').press("enter").there('#puzzle[data-state="solved"]')
    stage.checks.equal(page.run("return document.activeElement.dataset.action"), "next", "the way on has the keyboard")
    page.tab_to('[data-action="again"]').press("enter").there('#puzzle[data-state="asking"]')
    stage.checks.check(page.run("return document.activeElement.matches('[data-square]')"), "the board has the keyboard")
    move(fields[4].split()[0])
    page.there('#puzzle[data-state="solved"]').tab_to('[data-action="next"]').press("enter").there('#puzzle[data-puzzle="2"]')
    page.wait("return document.activeElement.tagName === 'H1'", what="the heading of the next one has the keyboard")


@test
def addresses(stage):
    """What is no puzzle is said, or is another; an address adds no command."""
    page = stage.page(stage.server("--no-bots"))
    for route, shown in (("#/puzzle/chess", "Puzzle of the day"), ("#/puzzle/shakti/x", "Puzzle 1"), ("#/puzzle/shakti/1%0Aquit", "Puzzle 1"), ("#/puzzle/clobber/daily", "Puzzle of the day"),
                         ("#/puzzle/shakti/0", "No such puzzle"), ("#/puzzle/shakti/99999", "No such puzzle")):
        page.go(route).expect(shown, "h1")
    page.run("localStorage.setItem('ludus.puzzles', JSON.stringify({next: {shakti: 99999}}))")
    page.go("#/puzzle/shakti").there('#puzzle[data-puzzle="1"]')


@test
def looks(stage):
    """On the smallest phone nothing sticks out, with the answer and the line to share; where the system chooses the colours, the page is marked."""
    page = stage.page(stage.server("--no-bots"))
    for game in GAMES:
        page.screen(320, 640, True).go(f"#/puzzle/{game}/1").click('[data-action="answer"]').click('[data-action="tell"]').there("#link")
        stage.checks.equal(page.run(OVERFLOW)[:5], [], f"{game} sticks out")
    page.plain().devtools("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    page.go("#/puzzle/shakti").there("#puzzle")
    for one, other in (("header nav [aria-current=page]", "header nav a:not([aria-current])"), (".tabs [aria-current=page]", ".tabs a:not([aria-current])")):
        if one.startswith("header"):
            page.go("#/puzzle").there("#puzzle")
        stage.checks.equal(page.run(DIFFERS, one, other), True, one)
    page.devtools("Emulation.setEmulatedMedia", features=[])


if __name__ == "__main__":
    sys.exit(run_tests("test_puzzles", test))
