#!/usr/bin/env python3
"""The page in a browser: players are shown by the names that they have in their own letters.

usage: python3 tests/web/test_display_names.py BUILD_DIR [TEST...]
"""
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import by_typing
from web_stage import Tests, run_tests

KEPT = "return JSON.parse(localStorage.getItem('ludus.player'))"
# The display names that an element shows, each with the name that is typed.
SHOWN = "return [...document.querySelectorAll(`${arguments[0]} bdi`)].map(node => [node.textContent, node.title])"
JOAO, TANAKA = ["João", "joao"], ["田中", "taro"]
# Has the page show taro by a text, as if the server had told it.
LEARN = """
    const [text] = arguments, from = name => import(new URL(name, document.querySelector('script[type=module]').src).href);
    return Promise.all([from('names.js'), from('words.js')]).then(([{ learnName }, { nameOf, shownName }]) => {
        learnName('taro', text);
        document.querySelector('#profile h1').replaceChildren(shownName('taro'));
        document.title = nameOf('taro');
    });"""
test = Tests()


def set_display(page, text):
    page.run("location.hash = '#/you'")
    page.there("#display").run("document.querySelector('#display').value = arguments[0]; document.querySelector('#display-form').requestSubmit()", text)
    return page


@test
def set_and_taken_away(stage):
    """On the page of one's name, which shows what the server says of it; it is there on the next visit."""
    server = stage.server("--no-bots")
    page = stage.page(server)
    page.go("#/you").there("#name").gone("#display-form")  # guests have none
    page.take_name("joao")
    set_display(page, "Joa\u0303o").expect("You are João (joao)", ".you")
    stage.checks.equal(page.run(SHOWN, "#you"), [JOAO], "the header")
    stage.checks.equal(page.run("return document.querySelector('#display').value"), "João", "in the field, in the server's form")
    page.window.post("refresh")
    page.here().expect("You are João (joao)", ".you")
    for text, why in (("Jo\u0430o", "one script"), ("a\u202eb", "letters, digits, blanks"), ("me", "reserved"), ("x" * 33, "at most 32"),
                      ("<b>x</b>", "letters, digits"), ("bot:max", "letters, digits")):
        set_display(page, text).expect(why, "#problem")
        stage.checks.equal(page.name(), "João", f"{text!r}: the old one stays")
    bob = stage.peer(server, "bob")
    stage.checks.equal(bob.ask("set display=João Silva")["type"], "ok", "the name of somebody else")
    set_display(page, "Joao Silva").expect("Somebody else has", "#problem")
    set_display(page, "").wait("return document.querySelector('#you').innerText === 'joao'")
    stage.checks.equal(page.run(SHOWN, "body"), [], "nothing is left of it")
    stage.checks.equal(page.run(KEPT)["name"], "joao", "the name is what it was")


@test
def everywhere(stage):
    """In the lobby, players, profiles, notices, matches, chat and tournaments; lines have names that are typed."""
    server = stage.server("--no-bots", "--challenges", "0")
    page, taro = stage.page(server).take_name("joao"), stage.peer(server, "taro")
    taro.do("set display=田中")
    set_display(page, "João").expect("João", "#you")

    def seen(selector, players, what):
        page.there(f"{selector} bdi")
        stage.checks.equal(page.run(SHOWN, selector), players, what)

    page.go("#/")
    open_seat = taro.do("new clobber")["match"]
    taro.do("seek shakti")
    seen(f'#lobby [data-match="{open_seat}"]', [TANAKA], "an open seat")
    page.go(f"#/m/{open_seat}").expect("田中 (taro) invites you to", "#invited")
    page.go("#/")
    seen("#lobby [data-seek]", [TANAKA], "a seek")
    taro.do(f"abort {open_seat}")
    taro.do("unseek")
    page.go("#/players")
    seen('#here [data-player="taro"]', [TANAKA], "who is here")
    page.go("#/p/taro").expect("Name to type: taro", "#profile")
    seen("#profile h1", [TANAKA], "a profile")
    match = taro.do("new clobber:2x2 black=joao")["match"]
    seen(f'.challenge[data-match="{match}"]', [TANAKA], "a challenge")
    page.expect("田中 (taro) challenges you", ".challenge")
    for width in (390, 1440):
        page.screen(width, 844)
        stage.checks.check(page.run("return document.scrollingElement.scrollWidth <= innerWidth"), f"the challenge in {width} px")
    page.go(f"#/m/{match}").expect("You are challenged by 田中 (taro).", "#actions")
    page.go("#/players").click(".challenge .primary").there('#match[data-status="playing"]')
    seen("#seat-far", [TANAKA], "the other seat")
    seen("#seat-near", [JOAO], "the own one")
    page.expect("\u2068田中\u2069 to move", "#status")
    stage.checks.check("\u2068田中\u2069" in page.run("return document.title"), "the title", page.run("return document.title"))
    taro.do(f"say {match} hello <b>you</b>")
    page.expect("hello <b>you</b>", "#chat-lines")
    seen("#chat-lines", [TANAKA], "chat")
    watcher = stage.page(server)
    watcher.go("#/").there(f'#lobby [data-match="{match}"] bdi')
    stage.checks.equal(watcher.run(SHOWN, f'#lobby [data-match="{match}"]'), [TANAKA, JOAO], "what is played")
    taro.do("set display=太郎")
    taro.do(f"move {match} a2a1")
    seen("#seat-far", [["太郎", "taro"]], "a new one, with the next state")
    by_typing(page.mine(1), "b2b1")
    page.at(2)
    taro.do("set display=")
    taro.do(f"resign {match}")
    page.expect("You won", "#status").gone("#seat-far bdi").expect("taro", "#seat-far")
    taro.do("set display=田中")
    page.go("#/history").there("#history .row")
    page.go("#/players").there('#top bdi')
    stage.checks.equal(sorted(page.run(SHOWN, "#top")), sorted([JOAO, TANAKA]), "the best players")
    cup = taro.do("tournament new cup clobber:2x2 format=round-robin")["tournament"]
    taro.do(f"tournament join {cup}")
    page.go(f"#/t/{cup}").there("#standings bdi")
    stage.checks.equal(page.run(SHOWN, "#standings"), [TANAKA], "standings")
    for width, height in ((390, 844), (1440, 900)):
        page.screen(width, height)
        stage.checks.check(page.run("return document.scrollingElement.scrollWidth <= innerWidth"), f"{width} px")
    page.plain()


@test
def any_text_is_text(stage):
    """Whatever a server tells: letters are no elements, and their direction is theirs alone."""
    page = stage.page(stage.server("--no-bots")).take_name("joao")
    for text in ("<img src=x onerror=window.hurt=1>", "\u05d0\u05d1\u05d2", "${1}`"):
        page.go("#/p/taro").there("#profile h1").run(LEARN, text)
        stage.checks.equal(page.run(SHOWN, "#profile h1"), [[text, "taro"]], f"{text}: as it is")
        stage.checks.equal(page.run("return document.title"), f"\u2068{text}\u2069", f"{text}: isolated")
        stage.checks.equal(page.run("return [document.querySelector('#profile img'), window.hurt ?? null]"), [None, None], f"{text}: no element")


if __name__ == "__main__":
    sys.exit(run_tests("test_display_names", test))
