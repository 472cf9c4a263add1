#!/usr/bin/env python3
"""The page in a browser: what strangers send, and what their links and names bring.

usage: python3 tests/web/test_strangers.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import action, by_click
from web_stage import Tests, run_tests

NOTICES = "return [...document.querySelectorAll('#notices > *')].filter(node => node.checkVisibility()).length"
WHERE = "const box = document.querySelector('#match .scene').getBoundingClientRect(); return [box.x, box.y, box.width]"
test = Tests()


def challenged(peer, name, count=1, **more):
    """Has a peer challenge a player; returns the matches."""
    extra = "".join(f" {key}={value}" for key, value in more.items())
    return [peer.do(f"new clobber white=me black={name}{extra}")["match"] for _ in range(count)]


def at_a_board(stage, *words):
    """Returns a phone on which anna plays against bob, and both peers that may challenge her."""
    server = stage.server("--no-bots", "--challenges", "0")
    page, bob, carl = stage.page(server), stage.peer(server, "bob"), stage.peer(server, "carl")
    page.take_name("anna").screen(390, 844, phone=True)
    match = bob.do(" ".join(["new clobber white=anna black=me", *words]))["match"]
    page.click(f'.challenge[data-match="{match}"] .primary').there(f'#match[data-match="{match}"]')
    by_click(page.mine(0), "a2a1")
    page.at(1)
    return page, bob, carl


@test
def many_challenges(stage):
    """They move nothing and cover little: one is shown, and how many more there are."""
    page, bob, carl = at_a_board(stage)
    before = page.run(WHERE)
    first = challenged(carl, "anna", 5)[0]
    page.there(f'.challenge[data-match="{first}"]').expect("4 more", "#notices .more")
    stage.checks.equal(page.run(WHERE), before, "the board has not moved")
    stage.checks.equal(page.run(NOTICES), 2, "one challenge, and the button for others")
    covered = page.run("return document.querySelector('#notices').offsetHeight")
    stage.checks.check(covered < 844 / 4, "little is covered", covered)
    page.click("#notices .more").wait("return document.querySelectorAll('#notices .challenge').length === 5")
    page.click("#notices .more").wait("return document.querySelectorAll('#notices .challenge').length === 1")
    bob.do(f"move {page.match()} b2b1")
    by_click(page.mine(2), "c2c1")
    page.at(3).click(f'.challenge[data-match="{first}"] button:not(.primary):not(.quiet)').expect("3 more", "#notices .more")


@test
def a_press_among_challenges(stage):
    """A challenge that comes does not take the one away that is being pressed."""
    server = stage.server("--no-bots", "--challenges", "0")
    page, carl = stage.page(server).take_name("anna"), stage.peer(server, "carl")
    first = challenged(carl, "anna")[0]
    page.there(".challenge").run("window.pressed = document.querySelector('.challenge .primary'); window.pressed.focus()")
    challenged(carl, "anna", 2)
    page.expect("2 more", "#notices .more")
    stage.checks.check(page.run("return window.pressed.isConnected && document.activeElement === window.pressed"), "it is there")
    carl.do(f"abort {first}")
    page.gone(f'.challenge[data-match="{first}"]').expect("1 more", "#notices .more")


@test
def beside_a_running_clock(stage):
    """Only a badge tells of challenges; it shows them when it is pressed."""
    page, bob, carl = at_a_board(stage, "clock=300+5")
    before = page.run(WHERE)
    challenged(carl, "anna", 2)
    page.expect("2", "#calls")
    stage.checks.equal((page.run(NOTICES), page.run(WHERE)), (0, before), "nothing but the badge")
    stage.checks.equal(page.run("return document.querySelector('#calls').getAttribute('aria-label')"), "2 challenges", "its name")
    page.click("#calls").wait("return document.querySelectorAll('#notices .challenge').length === 2")
    page.click("#calls").gone("#notices .challenge").screen(320, 640, phone=True).screen(390, 844, phone=True)
    bob.do("resign")
    page.there("#notices .challenge").gone("#calls")


@test
def a_player_who_is_ignored(stage):
    """All that they send is gone at once and stays away, until they are heard again."""
    server = stage.server("--no-bots", "--challenges", "0")
    page, carl = stage.page(server).take_name("anna"), stage.peer(server, "carl")
    first = challenged(carl, "anna", 3)[0]
    page.click(f'.challenge[data-match="{first}"] [data-action="ignore"]').gone("#notices > *")
    for _ in range(3):
        carl.wait_for("declined")
    page.window.post("refresh")
    match = challenged(carl, "anna")[0]
    stage.checks.equal(carl.wait_for("declined")["match"], match, "the next one, too, after a reload")
    own = page.start("clobber", opponent="friend", color="white")
    carl.do(f"join {own} black")
    page.at(0).there('#match[data-status="playing"]')
    carl.do(f"say {own} you cannot hear this")
    carl.do(f"resign {own}")
    page.there('#match[data-status="over"]')
    stage.checks.equal(page.text("#chat-lines"), "", "what they say")
    page.run("location.hash = '#/you'")
    page.click('#ignored [data-name="carl"] button').gone("#ignored .row")
    challenged(carl, "anna")
    page.expect("carl challenges you", ".challenge")


@test
def do_not_disturb(stage):
    """Nobody can challenge who plays and does not wish it; afterwards they can."""
    page, bob, carl = at_a_board(stage)
    page.run("location.hash = '#/you'")
    page.click("#quiet").there('#quiet[aria-pressed="true"]')
    while (reply := carl.ask("new clobber white=me black=anna"))["type"] == "ok":  # before the page has told the server
        carl.do(f"abort {reply['match']}")
    stage.checks.equal(reply["code"], "not-allowed", "while she plays")
    page.window.post("refresh")
    page.here().there('#quiet[aria-pressed="true"]')
    while (reply := carl.ask("new clobber white=me black=anna"))["type"] == "ok":
        carl.do(f"abort {reply['match']}")
    bob.do("resign")
    while carl.ask("new clobber white=me black=anna")["type"] != "ok":
        pass
    page.expect("carl challenges you", ".challenge")


@test
def a_challenge_is_no_open_seat(stage):
    """Others do not see it among open seats; who comes by its address reads for whom it waits."""
    server = stage.server("--no-bots")
    page, other, bob = stage.page(server), stage.page(server), stage.peer(server, "bob")
    page.take_name("anna")
    match = challenged(bob, "anna")[0]
    seat = bob.do("new shakti white=open black=me")["match"]
    other.there(f'#lobby [data-match="{seat}"]').gone(f'#lobby [data-match="{match}"]').expect("bob waits", "#lobby")
    other.go(f"#/m/{match}").expect("Waiting for anna", "#status").expect("when anna accepts", "#actions").gone("#actions button")
    page.go(f"#/m/{match}").expect("You are challenged", "#actions").click(action("accept"))
    other.there('#match[data-status="playing"]')
    page.mine(1) if page.run("return document.querySelector('#seat-near').dataset.seat") == "white" else page.at(0)
    match = challenged(bob, "anna")[0]
    page.go(f"#/m/{match}").click(action("decline")).expect("Broken off", "#status")
    stage.checks.equal(bob.wait_for("declined")["match"], match, "bob hears of it")


@test
def a_seat_that_asks_for_a_word(stage):
    server = stage.server("--no-bots")
    page, bob = stage.page(server), stage.peer(server, "bob")
    match = bob.do("new clobber white=open black=me code=tulip")["match"]
    page.expect("asks for a word", "#lobby").click(f'#lobby [data-match="{match}"]', action("join-white"))
    page.there("#word").write("#word", "rose").press("enter").there("#word-form .problem")
    page.write("#word", "tulip color=black").press("enter").expect("one word", "#word-form")
    page.write("#word", "tulip").press("enter").mine(0)


@test
def words_that_would_be_more(stage):
    """Names, codes and numbers from people and links go into a line as one word, or not at all."""
    server = stage.server("--no-bots")
    page, peer = stage.page(server).take_name("anna"), stage.peer(server, "bob")
    for name in ("me rated=no", "bob private=yes", "me", "open", "bob\tx", "bot:"):
        page.go("#/").there(".cards").go("#/new/clobber").there("#setup").choose(opponent="player", color="white")
        page.run("document.querySelector('#player').value = arguments[0]", name)
        page.click("#start").expect("is no name", "#problem")
    page.go("#/new/clobber/bob%20rated=no").click("#start").expect("is no name", "#problem")
    page.go("#/history/bob%20from=3").expect("is no name", "#history")
    page.go("#/device/bob%20x/ABCD").click('[data-action="use"]').expect("is no name", "#problem")
    page.go("#/device/bob/A%20bot=yes").click('[data-action="use"]').expect("one word", "#problem")
    page.go("#/m/1%20x").expect("No such match")
    page.start("clobber", opponent="both")
    page.run("const line = document.querySelector('#move'); line.value = 'a2a1=x'; line.form.requestSubmit()")
    page.expect("is no move", "#problem")
    by_click(page.mine(0), "a2a1")
    page.mine(1)
    stage.checks.equal(len(peer.ask("list")["matches"]), 0, "no match was opened but hers, which is private")


@test
def a_code_that_would_be_more(stage):
    """What is no code leaves the address, and that is all."""
    server = stage.server("--no-bots", "--code", "sesame99")
    page, peer = stage.page(server), stage.peer(server)
    peer.ask("hello bob code=sesame99")
    page.window.go("about:blank")
    page.window.go(page.top + "#/&code=sesame99%20bot=yes")
    page.there("#code-form").write("#code", "x bot=yes").press("enter").expect("one word", "#code-form .problem")
    stage.checks.equal([each["name"] for each in peer.ask("who")["players"]], ["bob"], "nobody came in")
    page.window.go(page.top + "#/&code=sesame99")
    page.gone("#code-form").there(".cards")
    stage.checks.equal([each["bot"] for each in peer.ask("who")["players"]], [False, False], "no bot")


if __name__ == "__main__":
    sys.exit(run_tests("test_strangers", test))
