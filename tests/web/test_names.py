#!/usr/bin/env python3
"""The page in a browser: whoever takes another name keeps the one that they have.

usage: python3 tests/web/test_names.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import by_click
from web_stage import Tests, run_tests

KEPT = "return JSON.parse(localStorage.getItem('ludus.player'))"
test = Tests()


def ask_for(page, name):
    """Asks for a name on the page for that, where there is nothing that would be left behind."""
    page.run("location.hash = '#/you'")
    page.there("#name").run("document.querySelector('#name').value = ''")
    page.write("#name", name).press("enter")


def stays(stage, page, kept, what):
    """Checks that a page and its browser have the name that they had, now and on the next visit."""
    stage.checks.equal((page.run(KEPT), page.name()), (kept, kept["name"]), f"{what}: now")
    page.window.post("refresh")
    page.here().there("#name")
    stage.checks.equal((page.run(KEPT), page.name()), (kept, kept["name"]), f"{what}: on the next visit")


@test
def a_name_that_cannot_be_had(stage):
    """What the server refuses costs nothing: the name, its token and the match are still there."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    stage.peer(server, "bob")
    kept = page.run(KEPT)
    for name, why in (("bob", "Name taken"), ("me", "reserved"), ("open", "reserved"), ("guest-5", "reserved")):
        ask_for(page, name)
        page.expect(why, "#problem")
        stays(stage, page, kept, name)


@test
def what_is_left_behind(stage):
    """Who has matches is asked once more; then both names are in the browser, and one can go back."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    match = page.start("clobber", opponent="both")
    by_click(page.mine(0), "a2a1")
    page.mine(1)
    first = page.run(KEPT)
    ask_for(page, "berta")
    page.expect("1 unfinished match", ".you .note").expect("Really?", "#name-form button")
    stage.checks.equal(page.run(KEPT), first, "nothing has happened yet")
    page.press("enter").expect("berta", "#you").there('#names [data-name="anna"]')
    second = page.run(KEPT)
    stage.checks.check(second["name"] == "berta" and second["token"] != first["token"], "the new name", second)
    page.click('#names [data-name="anna"] button').expect("anna", "#you")
    stage.checks.equal(page.run(KEPT), first, "the first name again")
    page.go(f"#/m/{match}").mine(1)
    ask_for(page, "Berta")
    page.expect("Really?", "#name-form button").press("enter").expect("berta", "#you")
    stage.checks.equal(page.run(KEPT), second, "who types a name of theirs goes back to it")
    page.there('#names [data-name="anna"]').click("#names .quiet").expect("Really forget?", "#names")
    page.click("#names .quiet.sure").gone("#names .row")


@test
def a_name_that_is_gone(stage):
    """A server that has forgotten everybody has given the name to somebody else: the page says so, and plays on."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    server.kill()
    page.expect("The connection is lost", "#notices")
    server.again()
    taken = stage.peer(server).ask("hello anna")["type"] == "ok"
    page.gone("#lost")
    if taken:  # it was faster than the page
        page.expect("anna is somebody else here now", "#name-gone").expect("guest-", "#you")
        page.click("#name-gone button").gone("#name-gone")
        page.window.post("refresh")
        page.here().gone("#name-gone").go("#/you").there('#names [data-name="anna"]')
    stage.quiet(page, but="WebSocket connection to .* failed")


@test
def two_tabs_of_a_name(stage):
    """A server that has forgotten everybody: one tab takes the name again, and the other follows it."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    first, second = page.window.tab(), page.window.new_tab()
    page.go().expect("anna", "#you")
    server.kill()
    for tab in (first, second):
        page.window.use(tab)
        page.expect("The connection is lost", "#notices")
    server.again()
    for tab in (first, second):
        page.window.use(tab)
        page.gone("#lost").expect("anna", "#you")
    token = page.run(KEPT)["token"]
    stage.checks.equal(stage.peer(server).ask(f"hello anna token={token}")["type"], "ok", "the token that is kept")
    stage.quiet(page, but="WebSocket connection to .* failed")
    page.window.driver.ask("DELETE", f"{page.window.path}/window")
    page.window.use(first)
    stage.quiet(page, but="WebSocket connection to .* failed")


@test
def what_a_storage_can_have(stage):
    """What no page has written there brings words into no line, and locks nobody out."""
    page = stage.page(stage.server("--no-bots"))
    for kept in ("{", "7", '"anna"', "[]", '{"name": 7}', '{"name": "me rated=no"}', '{"name": "me"}', '{"name": "guest-5"}',
                 '{"name": "anna", "token": "x bot=yes"}'):
        page.go().run("localStorage.setItem('ludus.player', arguments[0])", kept)
        page.run("localStorage.setItem('ludus.players', arguments[0])", f"[{kept}]")
        page.window.post("refresh")
        page.here().there(".cards").gone("#notices > *:not(#name-gone)")
        stage.checks.check(page.name().startswith("guest-"), f"{kept}: a guest", page.name())
        page.go("#/you").there("#name")
    page.take_name("anna")


if __name__ == "__main__":
    sys.exit(run_tests("test_names", test))
