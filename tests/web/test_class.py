#!/usr/bin/env python3
"""The page in a browser: a class of 25 plays a tournament, and their teacher directs it before a projector.

usage: python3 tests/web/test_class.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import by_typing
from web_stage import Tests, run_tests

PUPILS = [f"pupil-{number}" for number in range(1, 25)]  # who are on netcat; one more is on a page
STANDINGS = "return [...document.querySelectorAll('#standings tbody tr')].map(row => [row.dataset.player, row.cells[2].textContent])"
# The rows of the standings and the boards that a screen does not show as a whole, and how large the smallest letters are.
HIDDEN = """
    return [...document.querySelectorAll('#standings tr, #boards .board-card, #pairings details[open] tbody tr')].filter(node => {
        const box = node.getBoundingClientRect();
        return box.height > 0 && (box.bottom > innerHeight || box.right > innerWidth || box.top < 0);
    }).map(node => node.textContent);"""
SMALLEST = "return Math.min(...[...document.querySelectorAll('#standings td, #pairings td')].filter(node => node.checkVisibility()).map(node => parseFloat(getComputedStyle(node).fontSize)))"
test = Tests()


def shown(page):
    """Returns which opponents the latest round of the page pairs, with their matches."""
    return page.run("""return [...document.querySelectorAll('#pairings details[open] tbody tr')].map(row =>
        [row.dataset.match ?? null, ...[...row.cells].map(cell => cell.textContent)])""")


@test
def a_class(stage):
    """24 pupils on netcat and one on a page play two rounds of a Swiss tournament, which their teacher opens, starts, pauses and shows."""
    server = stage.server("--no-bots")
    teacher, pupil = (stage.page(server).take_name(name) for name in ("teacher", "pupil-25"))
    peers = {name: stage.peer(server, name) for name in PUPILS}
    teacher.go("#/tournaments").there("#open-form").click("#open-form summary").write("#title", "Class-7b")
    teacher.run("for (const [name, value] of Object.entries({kind: 'clobber:4x5', format: 'swiss', rounds: 2, clock: '600+5'})) document.querySelector(`#new-tournament [name=${name}]`).value = value")
    teacher.click('#new-tournament [type="submit"]').there('#tournament [data-action="start"]')
    cup = teacher.run("return document.querySelector('#tournament').dataset.tournament")
    for peer in peers.values():
        peer.do(f"tournament join {cup}")
    pupil.go("#/tournaments").expect("Class-7b", "#tournaments").click("#tournaments .row").click('[data-action="join"]').there('[data-action="leave"]')
    teacher.expect("25 players", "#tournament").click('[data-action="start"]').expect("round 1 of 2", "#tournament")
    first = pairs_of(stage, teacher, 1)

    own = next((row for row in first if "pupil-25" in row and row[0]), None)
    if own:  # not the one of 25 who has a bye
        pupil.there(f'#match[data-match="{own[0]}"]')
        other = peers[own[3] if own[1] == "pupil-25" else own[1]]
        if own[1] == "pupil-25":
            by_typing(pupil.mine(0), "b1a1")
            other.wait_for("state", match=own[0], ply=1)
        other.do(f"resign {own[0]}")
        pupil.there('#match[data-status="over"]').expect("You won", "#status")
    finish(peers, first)
    teacher.expect("round 2 of 2", "#tournament")
    second = pairs_of(stage, teacher, 2)
    stage.checks.check(not {frozenset((row[1], row[3])) for row in first} & {frozenset((row[1], row[3])) for row in second}, "nobody meets the same one twice")

    teacher.click('[data-action="pause"]').expect("Paused", "#tournament").click('[data-action="resume"]').expect("Running", "#tournament")
    teacher.there("#crosstable").click("#boards .board-card").there('#match[data-status="playing"] .scene').run("history.back()")
    teacher.there("#boards .board-card")
    on_the_projector(stage, teacher)

    own = next(row for row in second if "pupil-25" in row)
    if own[0]:
        peers[own[3] if own[1] == "pupil-25" else own[1]].do(f"resign {own[0]}")
    finish(peers, second)
    teacher.expect("Over", "#tournament").wait(f"return ({STANDINGS.replace('return ', '')})[0][1] === '2'", what="the points of the winner")
    table = teacher.run(STANDINGS)
    stage.checks.equal((len(table), sum(float(points) for _, points in table)), (25, 26.0), "all are in the standings, with all points")
    stage.checks.equal([row["name"] for row in server_standings(stage, server, cup)], [name for name, _ in table], "in the server's order")


def server_standings(stage, server, cup):
    return stage.peer(server).ask(f"tournament show {cup}")["players"]


def pairs_of(stage, page, number):
    """Waits for the pairings of a round, and returns them as the page shows them."""
    page.wait("return document.querySelectorAll('#pairings details[open] tbody tr').length === 13 && document.querySelector('#pairings details[open]').dataset.round === arguments[0]",
              str(number), what="13 pairs")
    rows = shown(page)
    names = sorted(name for row in rows for name in (row[1], row[3]) if name)
    stage.checks.equal(names, sorted([*PUPILS, "pupil-25"]), f"round {number}: each once")
    stage.checks.equal(sum(row[0] is None for row in rows), 1, f"round {number}: one has a bye")
    stage.checks.check(0 < page.wait("return document.querySelectorAll('#boards .scene').length") <= 6, f"round {number}: boards are shown")
    return rows


def finish(peers, rows):
    """Has the white players of the other matches resign."""
    for match, white, _, black in rows:
        if match and white in peers and black in peers:
            peers[white].do(f"resign {match}")


def on_the_projector(stage, page):
    """All of a class is seen at once on a screen that it fills, in letters that are as large as that allows."""
    for width, height in ((1920, 1080), (1280, 720), (3840, 2160)):
        page.screen(width, height)
        page.click('[data-action="projector"]').wait("return document.fullscreenElement?.id === 'tournament'")
        page.wait("return new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 50)))")
        stage.checks.equal(page.run(HIDDEN), [], f"not seen at {width}x{height}")
        stage.checks.check(page.run(SMALLEST) >= height / 52, f"letters at {width}x{height}", page.run(SMALLEST))
        page.run("return document.exitFullscreen()")
        page.wait("return !document.fullscreenElement")
    page.plain()


if __name__ == "__main__":
    sys.exit(run_tests("test_class", test))
