#!/usr/bin/env python3
"""The page in a browser, as a place to meet: seeks, the lobby, invitations, ratings, profiles,
tournaments.

usage: python3 tests/web/test_meeting.py BUILD_DIR [TEST...]
"""
import contextlib
import os
import shutil
import sqlite3
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from page import action, by_typing
from web_stage import Tests, build_folder, run_tests
from harness import games_of

test = Tests()
SEEK = "#lobby [data-seek]"


def rows(page, kind):
    """Returns the matches that the lobby shows in one of its lists."""
    return page.run("return [...document.querySelectorAll(`#lobby [data-list=${arguments[0]}] [data-match]`)].map(row => row.dataset.match)", kind)


@test
def anyone(stage):
    """Who seeks sees for how long, who is here, and can play a bot; who comes takes the seek by one click."""
    server = stage.server("--bots", "random,gentle")
    anna, bob = stage.page(server).take_name("anna"), stage.page(server).take_name("bob")
    anna.seek("shakti", clock="300+5", color="black").expect("Shakti, 5 min + 5 s, rated", "#seeking")
    anna.expect("0:01", "#seeking").expect("1 other person here", "#seeking")
    anna.click('#seeking [data-action="meanwhile"]').there('#match[data-status="playing"]').expect("Gentle bot", "#seat-far")
    anna.gone('#seeking [data-action="meanwhile"]').there("#seeking")
    bob.go("#/").expect("anna (1500), 5 min + 5 s, rated, wants black", SEEK).click(SEEK)
    for page, seat in ((bob, "white"), (anna, "black")):
        page.there('#match[data-status="playing"]').expect("anna" if page is bob else "bob", "#seat-far")
        page.there(f'#seat-near[data-seat="{seat}"]').gone("#seeking")
    stage.checks.equal(anna.match(), bob.match(), "one match")
    stage.checks.equal(anna.text("#terms"), "Rated", "what it counts for")


@test
def a_seek_that_ends(stage):
    """Cancelled, it is nobody's; a lost connection only interrupts it."""
    server = stage.server("--no-bots")
    anna, peer = stage.page(server).take_name("anna"), stage.peer(server, "peer")
    anna.seek("clobber", rated="no")
    stage.checks.equal([(seek["name"], seek["rated"]) for seek in peer.ask("seeks")["seeks"]], [("anna", False)], "her seek")
    anna.run("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
    anna.here()
    while [seek["seek"] for seek in peer.ask("seeks")["seeks"]] in ([], ["1"]):
        pass
    anna.there("#seeking").click('#seeking [data-action="unseek"]').gone("#seeking")
    while peer.ask("seeks")["seeks"]:
        pass
    stage.checks.check(True, "cancelled")


@test
def the_lobby(stage):
    """It shows seats that somebody offers, and boards that somebody plays on; who has gone is not waited for."""
    server = stage.server("--bots", "random")
    page, bob, carl, dora, guest = stage.page(server), *(stage.peer(server, name) for name in ("bob", "carl", "dora", "guest"))
    offered = carl.ask("new clobber rated=no")["match"]
    left = dora.ask("new clobber")["match"]
    alone = guest.ask("new clobber black=bot:random")["match"]
    played = bob.ask("new shakti white=me black=bot:random clock=600")["match"]
    page.go("#/").expect("casual", f'[data-match="{offered}"]').there(f'[data-match="{played}"] .scene')
    stage.checks.equal((set(rows(page, "open")), set(rows(page, "played"))), ({offered, left}, {alone, played}), "at first")
    dora.close()
    guest.close()
    page.gone(f'#lobby [data-match="{left}"]').gone(f'#lobby [data-match="{alone}"]')
    before = page.text(f'[data-match="{played}"]')
    carl.do(f"watch {played}")
    page.expect("1 person watches", f'[data-match="{played}"]')
    page.run("document.querySelector(arguments[0]).focus()", f'#lobby [data-match="{played}"]')
    bob.do(f"move {played} d2d3")
    page.wait("return document.querySelector(arguments[0]).innerText.includes('move 2')", f'[data-match="{played}"]')
    stage.checks.check(before != page.text(f'[data-match="{played}"]'), "the board is live")
    stage.checks.equal(page.run("return document.activeElement.dataset.match"), played, "the keyboard stays where it is")


@test
def casual_and_rated(stage):
    """Against bots and at first casual, else rated; the end says what has changed."""
    server = stage.server("--bots", "random")
    page = stage.page(server)

    def chosen(opponent):
        return page.choose(opponent=opponent).run("return document.querySelector('[name=rated]:checked').value")

    page.go("#/new/clobber").there("#setup")
    stage.checks.equal([chosen(each) for each in ("bot", "friend", "anyone")], ["no"] * 3, "a first match")
    page.take_name("anna").go("#/new/clobber").there("#setup")
    stage.checks.equal([chosen(each) for each in ("bot", "friend", "anyone", "bot")], ["no", "yes", "yes", "no"], "later")
    for rated, words in (("no", "A casual match: ratings stay as they were."), ("yes", "Your rating: 1500 → 13")):
        page.start("clobber", opponent="bot", level="random", color="white", variant="4x5", rated=rated)
        stage.checks.equal(page.text("#terms"), "Rated" if rated == "yes" else "Casual", "what is shown")
        by_typing(page.mine(0), "b1a1")
        page.mine(2).surely("resign").expect(words, "#rating-change")
    stage.checks.check("−" in page.text("#rating-change"), "what is lost", page.text("#rating-change"))


@test
def an_invitation(stage):
    """The friend reads who invites to what, and how it is played; the host reads the link, and shares it."""
    server = stage.server("--no-bots")
    anna, bob = stage.page(server).take_name("anna"), stage.page(server)
    shared = "navigator.share = what => { window.shared = what; return Promise.resolve(); }"
    anna.devtools("Page.addScriptToEvaluateOnNewDocument", source=shared).window.post("refresh")
    anna.screen(390, 844, phone=True).start("latrunculi", opponent="friend", color="white", clock="300+5")
    link = anna.there("#link").run("return document.querySelector('#link').value")
    fits = "const field = document.querySelector('#link'); return [field.scrollWidth <= field.clientWidth, field.scrollHeight <= field.clientHeight + 1]"
    stage.checks.equal(anna.run(fits), [True, True], "all of the link can be read")
    anna.click('[data-action="share"]')
    stage.checks.equal(anna.run("return window.shared.url"), link, "what is shared")
    bob.screen(390, 844, phone=True).window.go(link)
    bob.there("#invited")
    for words in ("anna invites you to Latrunculi", "5 min + 5 s, rated"):
        bob.expect(words, "#invited")
    summary = stage.peer(server).ask("games")["games"][2]["summary"]
    stage.checks.check(summary.replace("'", "’") in bob.text("#invited"), "the rules in a sentence", bob.text("#invited"))
    box = bob.run("const {top, bottom} = document.querySelector('[data-action=join-black]').getBoundingClientRect(); return [top, bottom]")
    stage.checks.check(0 <= box[0] < box[1] <= 844, "the button is in sight", box)
    bob.click(action("join-black")).there('#match[data-status="playing"]')
    anna.there('#match[data-status="playing"]').gone("#invite")
    for page in (anna, bob):
        page.plain()

@test
def a_profile(stage):
    """What somebody has won, drawn and lost in each game, the way of their rating, and their latest matches."""
    server = stage.server("--no-bots")
    page, bob, carl = stage.page(server), stage.peer(server, "bob"), stage.peer(server, "carl")
    page.go("#/p/bob").expect("bob has finished no match yet", "#profile")
    page.go("#/history").expect("No finished matches yet", "#history").there("#history a.button")
    page.go("#/players").there("#here .row")
    for game, moves, end in (("clobber:2x2", "a2a1 b2b1", "bob"), ("clobber:2x2", "a2a1 b2b1", "carl"), ("xadrersi", "K@d4 Q@d5", "draw")):
        match = bob.do(f"new {game} white=me black=carl")["match"]
        carl.do(f"join {match}")
        for ply, move in enumerate(moves.split()):
            (bob, carl)[ply % 2].do(f"move {match} {move}")
        for peer in (bob, carl) if end == "draw" else (bob if end == "carl" else carl,):
            peer.do(f"{'draw' if end == 'draw' else 'resign'} {match}")
    page.click('#here [data-player="bob"] a').there("#sums")
    cells = "return [...document.querySelectorAll('#sums tbody tr')].map(row => [...row.cells].map(cell => cell.textContent).join(' '))"
    rating = [row["white_rating"] for row in bob.ask("history")["matches"]]
    stage.checks.equal(page.run(cells), [f"Clobber 2 × 2 {rating[1]} 1 0 1".replace("2 × 2", "2\u00a0×\u00a02"), f"Xadrersi Touch {rating[0]} 0 1 0"], "sums")
    stage.checks.equal(page.run("return document.querySelectorAll('.graph path.chances').length"), 2, "graphs")
    stage.checks.equal(page.run("return [...document.querySelectorAll('#profile .when strong')].map(node => node.textContent)"), ["Draw", "Lost", "Won"], "latest")
    page.click('#profile [data-action="ignore"]').expect("Hear them again", "#profile")
    page.go("#/p/%3Cb%3E").expect("is no name", "#problem")


@test
def a_tournament(stage):
    """Opened, joined, started, paused and watched on the page; who is paired comes to the board."""
    server = stage.server("--no-bots")
    anna, bob, teacher = (stage.page(server).take_name(name) for name in ("anna", "bob", "teacher"))
    teacher.go("#/tournaments").expect("There is no tournament yet").click("#open-form summary").write("#title", "Friday cup")
    teacher.run("document.querySelector('#new-tournament').requestSubmit()")
    stage.checks.equal(teacher.run("return location.hash"), "#/tournaments", "no blank in a name")
    teacher.run("document.querySelector('#title').value = 'Friday-cup'; document.querySelector('[name=kind]').value = 'clobber:4x5'")
    teacher.click('#new-tournament [type="submit"]')
    teacher.there('#tournament [data-action="start"]').expect("Not started yet, 0 players", "#tournament")
    for page in (anna, bob):
        page.go("#/tournaments").expect("Friday-cup", "#tournaments").click("#tournaments .row").click('[data-action="join"]').there('[data-action="leave"]')
    teacher.expect("2 players", "#tournament").click('[data-action="start"]')
    matches = [page.match() for page in (anna, bob)]
    stage.checks.equal(matches[0], matches[1], "they are paired")
    teacher.expect("Running", "#tournament").expect("plays", "#pairings").there("#boards .scene")
    teacher.click('[data-action="pause"]').expect("Paused", "#tournament").click('[data-action="resume"]').expect("Running", "#tournament")
    white, black = (anna, bob) if anna.run("return document.querySelector('#seat-near').dataset.seat") == "white" else (bob, anna)
    by_typing(white.mine(0), "b1a1")
    by_typing(black.mine(1), "b2a2")
    white.mine(2).surely("resign")
    teacher.expect("0 – 1", "#pairings").expect("Over", "#tournament").there("#crosstable")
    rows = teacher.run("return [...document.querySelectorAll('#standings tbody tr')].map(row => [row.dataset.player, row.cells[2].textContent])")
    stage.checks.equal(rows, [[black.name(), "1"], [white.name(), "0"]], "standings")
    for width, height in ((390, 844), (1920, 1080)):
        teacher.screen(width, height)
        stage.checks.check(teacher.run("return document.scrollingElement.scrollWidth <= innerWidth"), f"{width} px")
    teacher.plain()


@test
def a_tournament_from_openings(stage):
    """The form asks for balanced openings: two matches each, and so it says."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    page.go("#/tournaments").click("#open-form summary").write("#title", "Even-cup")
    page.run("document.querySelector('[name=kind]').value = 'clobber:5x6'; document.querySelector('[name=openings]').value = 'balanced'")
    page.click('#new-tournament [type="submit"]').expect("balanced openings", "#tournament")
    shown = stage.peer(server, "bob").ask("tournament show t1")
    stage.checks.equal((shown["openings"], shown["cycles"]), ("balanced", 2), "as asked for")
    page.go("#/tournaments").expect("balanced openings", "#tournaments").plain()


@test
def a_series(stage):
    """The form joins tournaments by a name; the page of one leads to the table of all."""
    server = stage.server("--no-bots", "--data", stage.folder())
    page = stage.page(server).take_name("anna")
    page.go("#/tournaments").click("#open-form summary").write("#title", "Night-1").write("#series", "League")
    page.run("document.querySelector('[name=kind]').value = 'clobber:5x6'")
    page.click('#new-tournament [type="submit"]').expect("It counts in the series league", "#tournament")
    page.click('#tournament a[href="#/series/league"]').expect("0 tournaments are over, 0 players", "#series")
    bob = stage.peer(server, "bob")
    carl = stage.peer(server, "carl")
    for peer in (bob, carl):
        peer.ask("tournament join t1")
    page.go("#/t/t1").click('[data-action="start"]')
    bob.ask("resign")
    page.expect("Over", "#tournament").go("#/series/league").expect("1 tournament is over, 2 players", "#series")
    rows = page.run("return [...document.querySelectorAll('#standings tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    stage.checks.equal(rows, [["1", "carl", "1", "1", "1", "2300 ± 311"], ["2", "bob", "0", "1", "1", "700 ± 311"]], "its table")
    page.plain().go("#/series/none").expect("Unknown series", "#problem")


@test
def the_best_match(stage):
    """The start page shows it live: people before bots, and the better ones; when it is over, the next one."""
    server = stage.server("--no-bots")
    names = ("robo", "android", "bob", "carla")
    robo, android, bob, carla = (stage.peer(server, None if name in names[:2] else name) for name in names)
    robo.ask("hello robo bot=yes"), android.ask("hello android bot=yes")
    pages = []
    for first, second, name in ((bob, carla, "carla"), (robo, android, "android")):
        pages.append(first.ask(f"new clobber white=me black={name}")["match"])
        second.ask(f"join {pages[-1]}")
    people, bots = pages
    page = stage.page(server)
    page.there(f'#tv[data-kind="live"][data-match="{people}"]').expect("bob – carla", "#tv").expect("Live", "#tv")
    bob.do(f"move {people} a2a1")
    page.there('#tv[data-ply="1"]').expect("move 1", "#tv")
    carla.do(f"resign {people}")
    page.expect("white wins", "#tv").there(f'#tv[data-match="{bots}"]').expect("robo – android", "#tv")
    page.click("#tv a").there(f'#match[data-match="{bots}"]').run("history.back()")
    page.there(f'#tv[data-match="{bots}"]').screen(390, 844, phone=True).there("#tv .scene").plain()


@test
def two_bots(stage):
    """While nobody plays, a match of two bots is shown, move by move, and the page says that they are; the server knows nothing of it.
    It makes way for people."""
    folder = stage.folder()
    server = stage.server("--bots", "easy,gentle", "--data", folder)
    page, bob = stage.page(server), stage.peer(server, "bob")
    page.there('#tv[data-kind="bots"][data-ply="0"]').expect("Medium bot – Medium bot", "#tv").expect("Two bots have played this", "#tv")
    page.there('#tv[data-ply="1"]').there('#tv[data-ply="2"]').click('#tv [data-action="pause"]').expect("Go on", "#tv")
    ply = page.run("return document.querySelector('#tv').dataset.ply")
    time.sleep(2)
    stage.checks.equal(page.run("return document.querySelector('#tv').dataset.ply"), ply, "it can be stopped")
    page.click('#tv [data-action="pause"]').there(f'#tv[data-ply="{int(ply) + 1}"]')
    page.click("#tv a").there("#setup").go("#/").there('#tv[data-kind="bots"]')
    copy = shutil.copytree(folder, os.path.join(stage.folder(), "copy"), ignore=shutil.ignore_patterns("control"))  # the server has locked its own
    with contextlib.closing(sqlite3.connect(os.path.join(copy, "ludus.db"))) as store:
        stage.checks.equal(store.execute("SELECT count(*) FROM match").fetchone()[0], 0, "matches in the store")
    match = bob.ask("new clobber white=me black=me")["match"]
    page.there(f'#tv[data-kind="live"][data-match="{match}"]')

@test
def matches_of_bots(stage):
    """Those that the page brings along keep to the rules: each position follows from the move before."""
    server = stage.server("--no-bots")
    page, player = stage.page(server), stage.peer(server, "anna")
    reels = page.run("return import(document.querySelector('script[type=module]').src.replace('main.js', 'reels.js')).then(module => module.reels)")
    stage.checks.check(set(reels) <= set(games_of(build_folder())) and len(reels) > 3, "a match of each game", list(reels))
    for game, reel in reels.items():
        match = player.ask(f"new {game}:{reel['variant']} white=me black=me")["match"]
        states = [player.ask(f"state {match}")]
        for move in reel["moves"].split():
            player.ask(f"move {match} {move}")
            states.append(player.ask(f"state {match}"))
        stage.checks.equal([state["position"] for state in states], reel["positions"], f"{game}: positions")
        stage.checks.equal((states[-1]["result"], states[-1]["reason"]), (reel["result"], reel["reason"]), f"{game}: the end")


if __name__ == "__main__":
    sys.exit(run_tests("test_meeting", test))
