#!/usr/bin/env python3
"""The page in a browser: a tournament of 24 on a projector, its standings and the match that matters most.

usage: python3 tests/web/test_projector.py BUILD_DIR [TEST...]
"""
import os
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from test_languages import in_language
from web_stage import Tests, run_tests
from terminal import Proxy

PUPILS = [f"pupil-{number}" for number in range(1, 25)]
SIZES = [(1920, 1080), (1280, 720), (1024, 768), (720, 1280)]
LIVE = "#screen-match"
REFUSED = "WebSocket connection to .* failed"
END_S = 4  # the end of a match is shown at least so long
test = Tests()

ROWS = "return [...document.querySelectorAll('#standings tbody tr')].map(row => [row.dataset.player, row.cells[2].textContent])"
SHOWN = "const {match, status, ply} = document.querySelector('#screen-match').dataset; return document.querySelector('#screen-match').checkVisibility() && {match, status, ply}"
# What does not fit: what sticks out of the window or of its box, lines in two rows, what lies over something else, and what scrolls.
AMISS = """
    const seen = [...document.querySelectorAll('#screen *')].filter(node => node.checkVisibility() && !node.closest('svg'));
    const name = node => `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`;
    const out = seen.filter(node => { const box = node.getBoundingClientRect(); return box.width > 0 && (box.left < 0 || box.top < 0 || box.right > innerWidth + .5 || box.bottom > innerHeight + .5); });
    const cut = seen.filter(node => node.children.length === 0 || node.matches('td, th, .name, .seat, .clock, p, .screen-rows')).filter(node => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0);
    const high = [...document.querySelectorAll('#standings tr')].filter(row => row.offsetHeight > parseFloat(getComputedStyle(row.cells[0]).fontSize) * 1.9);
    const boxes = ['.screen-head', '#standings', '.screen-board .scene', '.seat[data-seat=white]', '.seat[data-seat=black]', '.screen-line'].map(each => document.querySelector(each)).filter(node => node?.checkVisibility());
    const over = boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => { const [one, two] = [a, b].map(each => each.getBoundingClientRect());
        return Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1; }).map(b => `${name(a)} over ${name(b)}`));
    const page = document.scrollingElement;
    const scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth || document.querySelector('#screen').scrollHeight > document.querySelector('#screen').clientHeight;
    return [...out.map(node => `out: ${name(node)}`), ...cut.map(node => `cut: ${name(node)}`), ...high.map(row => `high: ${name(row)}`), ...over, ...scrolls ? ['scrolls'] : []];"""
# How much of the window's height the smallest letters of the table and the board take.
LARGE = """
    const sizes = [...document.querySelectorAll('#standings td')].map(node => parseFloat(getComputedStyle(node).fontSize));
    const scene = document.querySelector('.screen-board .scene').getBoundingClientRect();
    return {letters: Math.min(...sizes) / Math.min(innerWidth, innerHeight), board: Math.max(scene.width, scene.height) / Math.min(innerWidth, innerHeight)};"""


class Room:
    """A tournament of 24 pupils on netcat, its director, and a page that shows it on a projector."""

    def __init__(self, stage, rounds=2):
        self.stage, self.server = stage, stage.server("--no-bots")
        self.peers = {name: stage.peer(self.server, name) for name in PUPILS}
        self.director = stage.peer(self.server, "teacher")
        self.cup = self.director.ask(f"tournament new Class-7b clobber:5x6 format=swiss rounds={rounds} clock=600+5")["tournament"]
        for peer in self.peers.values():
            peer.do(f"tournament join {self.cup}")

    def order(self, word):
        self.director.do(f"tournament {word} {self.cup}")

    def told(self):
        return self.director.ask(f"tournament show {self.cup}")

    def running(self):
        return [pair for each in self.told()["rounds"] for pair in each["pairings"] if pair["match"] and pair["result"] == "*"]

    def best(self):
        """Returns the pairing whose players stand highest together, the oldest of these."""
        told = self.told()
        rank = {row["name"]: row["rank"] for row in told["players"]}
        pairs = [pair for each in told["rounds"] for pair in each["pairings"] if pair["match"] and pair["result"] == "*"]
        return min(pairs, key=lambda pair: rank[pair["white"]] + rank[pair["black"]])  # the first of equals

    def resign(self, pair):
        """Lets the player who came earlier win; returns how the page says that."""
        loser, color, other = max((PUPILS.index(pair[color]), color, other) for color, other in (("white", "black"), ("black", "white")))
        self.peers[PUPILS[loser]].do(f"resign {pair['match']}")
        return f"{other.capitalize()} wins. {color.capitalize()} resigned."

    def screen(self, page):
        return page.go(f"#/t/{self.cup}/screen").there("#screen #standings")


def shows(page, match, status="playing"):
    page.wait("return document.querySelector(arguments[0])?.checkVisibility()", f'{LIVE}[data-match="{match}"][data-status="{status}"]', what=f"match {match} {status}")


def look(stage, page, place, whole=True, players=len(PUPILS)):
    for width, height in SIZES:
        page.screen(width, height)
        page.wait("return new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 250)))")
        stage.checks.equal(page.run(AMISS), [], f"{place} at {width}x{height}")
        if os.environ.get("PICTURES"):
            with open(os.path.join(os.environ["PICTURES"], f"{place.replace(' ', '-')}-{width}x{height}.png"), "wb") as file:
                file.write(page.window.picture("body"))
        if whole:
            large = page.run(LARGE)
            stage.checks.check(large["letters"] > 1 / 50 and large["board"] > .55, f"{place} at {width}x{height}: large", large)
        if width > height:
            stage.checks.equal(len(page.run(ROWS)), players, f"{place} at {width}x{height}: all rows")
    page.plain()


@test
def a_tournament(stage):
    """Table and board keep up, from before the start to the winner."""
    room = Room(stage, rounds=5)
    page = stage.page(room.server).go(f"#/t/{room.cup}").there('[data-action="screen"]').click('[data-action="screen"]')
    page.there("#screen #standings").expect("Not started yet", "#screen-news").expect("24 players", "#screen-news").gone("header")
    room.order("start")
    best = room.best()
    shows(page, best["match"])
    page.expect("Class-7b", "#screen h1").expect("round 1 of 5, 12 matches are running", "#screen .screen-head")
    stage.checks.equal([page.text(f"{LIVE} [data-seat={color}] .name") for color in ("white", "black")], [best["white"], best["black"]], "the players of the match")
    stage.checks.equal([page.text(f"{LIVE} [data-seat={color}] .clock") for color in ("white", "black")], ["10:00", "10:00"], "the clocks")

    peer = room.peers[best["white"]]
    move = peer.ask(f"state {best['match']}")["legal"][0]
    peer.do(f"move {best['match']} {move}")
    page.there(f'{LIVE}[data-ply="1"]')
    stage.checks.equal(page.run("return document.querySelectorAll('#screen-match .last').length"), 2, "the last move is marked")
    page.expect("move 1", f"{LIVE} .screen-line").there(f"{LIVE} [data-seat=black].turn")

    other = next(pair for pair in reversed(room.running()) if pair["match"] != best["match"])
    room.resign(other)
    page.wait(f"return (() => {{{ROWS}}})()[0][1] === '1'", what="the point of the winner")
    page.expect("11 matches are running", "#screen .screen-head")
    stage.checks.equal(page.run(ROWS), [[row["name"], f"{row['score']:g}"] for row in room.told()["players"]], "the table")
    shows(page, best["match"])

    words = room.resign(best)
    shows(page, best["match"], "over")
    since, after = time.monotonic(), room.best()
    page.expect(words, f"{LIVE} .screen-line").expect("10 matches are running", "#screen .screen-head")
    shows(page, after["match"])
    stage.checks.check(time.monotonic() - since >= END_S, "the end is shown for a while", time.monotonic() - since)
    page.expect("0 points", f"{LIVE} [data-seat=white]")

    room.order("pause")
    for pair in room.running():
        room.resign(pair)
    page.gone(LIVE).expect("Paused", "#screen-news").expect("Round 2 begins soon", "#screen-news")
    room.order("resume")
    best = room.best()
    shows(page, best["match"])
    page.expect("round 2 of 5", "#screen .screen-head").expect("1 point", f"{LIVE} [data-seat=white]")
    while pairs := room.running():
        for pair in pairs:
            room.resign(pair)
    page.gone(LIVE).expect("The tournament is over", "#screen-news").expect("pupil-1 has won", "#screen-news")
    stage.checks.equal(page.run(ROWS)[0], ["pupil-1", "5"], "the winner in the table")
    stage.checks.equal(page.run("return document.querySelectorAll('#screen button:enabled').length"), 0, "nothing is pressed")
    page.press("escape").there("#tournament")


@test
def sizes(stage):
    """All fits on every screen, in both languages, light and dark; where not all rows do, the table turns its pages."""
    room = Room(stage)
    for name in PUPILS[::3]:
        room.peers[name].do(f"set display=Maximiliana Wolfeschlegel {PUPILS.index(name)}")
    room.order("start")
    page = room.screen(stage.page(room.server))
    for pair in room.running()[3:6]:
        room.resign(pair)
    page.expect("9 matches", "#screen .screen-head")
    best = room.best()
    state = room.peers[best["white"]].ask(f"state {best['match']}")
    shows(page, page.run(SHOWN)["match"])
    room.peers[best["white"]].send(f"move {best['match']} {state['legal'][0]}")
    look(stage, page, "English")
    page.run("localStorage.setItem('ludus.theme', JSON.stringify('dark'))")
    in_language(page, "pt").expect("9 partidas a decorrer", "#screen .screen-head").there(f"{LIVE} .scene")
    stage.checks.equal(page.run("return getComputedStyle(document.querySelector('#screen')).backgroundColor"), "rgb(21, 23, 27)", "dark by the settings")
    look(stage, page, "Portuguese")

    page.screen(720, 1280)
    pages = set()
    for _ in range(3):
        rows = tuple(name for name, _ in page.run(ROWS))
        pages.add(rows)
        page.wait("return document.querySelector('#standings tbody tr').dataset.player !== arguments[0]", rows[0], what="the next page of the table")
        stage.checks.equal(page.run(AMISS), [], "another page")
    stage.checks.equal(len({name for rows in pages for name in rows}), len(PUPILS), "all come, page after page")
    stage.checks.equal(len(pages), 2, "two pages")

    page.plain()
    for pair in room.running():
        room.resign(pair)
    page.there(f"{LIVE}[data-status=playing]")
    for pair in room.running():
        room.resign(pair)
    page.gone(LIVE).there("#screen-news")
    look(stage, page, "the end", whole=False)


@test
def pieces_in_hand(stage):
    """A board of eight with pieces in hand, beside few players with long names; an arena, which has no rounds."""
    server = stage.server("--no-bots")
    peers = [stage.peer(server, name) for name in ("anna-of-the-long-name", "bob", "carla", "dora")]
    cup = peers[0].ask("tournament new Hands xadrersi format=arena minutes=60 clock=600+5")["tournament"]
    for peer in peers:
        peer.do(f"tournament join {cup}")
    peers[0].do(f"tournament start {cup}")
    page = stage.page(server).go(f"#/t/{cup}/screen").there(f"{LIVE} .hand [data-piece=K]").expect("2 matches are running", "#screen .screen-head").expect(" left", "#screen .screen-head")
    look(stage, page, "in hand", players=len(peers))


@test
def the_whole_screen(stage):
    """A key or a press fills the screen, where the notices stay; the page that is left gives it back."""
    room = Room(stage)
    page = room.screen(stage.page(room.server))
    page.press("f").wait("return document.fullscreenElement === document.documentElement")
    page.gone(".screen-fill").click("#standings tbody").wait("return !document.fullscreenElement")
    page.click("#standings tbody").wait("return !!document.fullscreenElement")
    page.click('#screen [data-action="back"]').there("#tournament").wait("return !document.fullscreenElement")


@test
def a_lost_connection(stage):
    """The page comes back to the table as it is by then, and to the match it was showing; it asks for no more than one match."""
    room = Room(stage)
    proxy = Proxy(room.server.port)
    stage.peers.append(proxy)
    page = stage.page(room.server)
    page.top = f"http://{proxy.address}/"
    room.order("start")
    room.screen(page)
    best = room.best()
    shows(page, best["match"])
    proxy.refusing = True
    proxy.drop()
    page.there("#lost")
    peer = room.peers[best["white"]]
    peer.do(f"move {best['match']} {peer.ask('state ' + best['match'])['legal'][0]}")
    others = [pair for pair in room.running() if pair["match"] != best["match"]]
    room.resign(others[0])
    proxy.refusing = False
    page.gone("#lost").there(f'{LIVE}[data-match="{best["match"]}"][data-ply="1"]').expect("11 matches are running", "#screen .screen-head")
    peer = room.peers[best["black"]]
    peer.do(f"move {best['match']} {peer.ask('state ' + best['match'])['legal'][0]}")
    page.there(f'{LIVE}[data-ply="2"]')
    asked = page.run("""
        const sent = [], send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (line) { sent.push(line.trim().replace(/ id=\\S+/, '')); return send.call(this, line); };
        return new Promise(done => setTimeout(() => done(sent), 11000));""")
    stage.checks.check(1 <= len(asked) <= 3 and all("tournament show" in line for line in asked), "what it asks in 11 s", asked)
    stage.quiet(page, but=REFUSED + "|ERR_")


if __name__ == "__main__":
    sys.exit(run_tests("test_projector", test))
