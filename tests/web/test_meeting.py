#!/usr/bin/env python3
"""The page in a browser, as a place to meet: seeks, the lobby, invitations, ratings.

usage: python3 tests/web/test_meeting.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import action, by_typing
from web_stage import Tests, run_tests

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


if __name__ == "__main__":
    sys.exit(run_tests("test_meeting", test))
