#!/usr/bin/env python3
"""The page in a browser: what a player chooses for it, and the ways to each page on every screen.

usage: python3 tests/web/test_settings.py BUILD_DIR [TEST...]
"""
import sys

from page import by_typing
from web_stage import Tests, run_tests

test = Tests()

# Whether the page is bright, and the colour of the first board's frame.
BRIGHT = "return getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number).reduce((a, b) => a + b) > 380"
FRAME = "return getComputedStyle(document.querySelector('main .frame')).fill"


def bright(stage, page, expected, what):
    stage.checks.equal(page.run(BRIGHT), expected, what)


def again(page):
    """Loads the page anew."""
    page.window.post("refresh")
    return page.here()


@test
def the_ways(stage):
    """Each page is one press away on the smallest phones, too."""
    page = stage.page(stage.server("--no-bots"))
    pages = {"#/": "home", "#/players": "players", "#/tournaments": "tournaments", "#/rules": "rules", "#/settings": "settings", "#/you": "you"}
    for size in ((320, 640), (390, 844), (844, 390), (1440, 900)):
        page.screen(*size, phone=size[0] < 1000)
        for route, name in pages.items():
            page.point("touch" if size[0] < 1000 else "mouse", f'header a[href="{route}"]:not(.mark)').there(f'main[data-page="{name}"]')
            stage.checks.equal(page.run("return document.querySelector('header [aria-current]')?.getAttribute('href')"), route, f"current at {size}")


@test
def a_theme(stage):
    """It holds at once, against what the system says, and on the next visit before anything is painted."""
    page = stage.page(stage.server("--no-bots"))
    page.go("#/settings").there("#settings")
    bright(stage, page, True, "as the system")
    page.prefer(color_scheme="dark")
    bright(stage, page, False, "as the dark system")
    page.choose(theme="light")
    bright(stage, page, True, "light on a dark system")
    page.prefer(color_scheme="light").choose(theme="dark")
    bright(stage, page, False, "dark on a light system")
    again(page).there("#settings")
    bright(stage, page, False, "after a reload")
    stage.checks.equal(page.run("return document.querySelector('meta[name=theme-color][media=all]')?.content"), "#15171b", "the browser's own colour")
    stage.checks.equal(page.run("return document.querySelector('[name=theme]:checked').value"), "dark", "what the form says")
    page.window.new_tab()
    page.go("#/settings").there("#settings").choose(theme="system")
    page.window.go("about:blank")
    page.window.use(page.handle)
    page.wait(BRIGHT, what="the theme chosen in another tab")


@test
def boards(stage):
    """One look for all games, on the settings' own boards and in a match."""
    page = stage.page(stage.server("--no-bots"))
    page.go("#/settings").there("#settings .frame")
    own = page.run(FRAME)
    seen = {own}
    for boards in ("wood", "slate", "contrast"):
        page.choose(boards=boards)
        seen.add(page.run(FRAME))
    stage.checks.equal(len(seen), 4, "each looks different")
    stage.checks.equal(page.run("return [...new Set([...document.querySelectorAll('main .frame')].map(node => getComputedStyle(node).fill))].length"), 1, "the same for all games")
    page.start("latrunculi", opponent="both")
    stage.checks.equal(page.run(FRAME), "rgb(0, 0, 0)", "in a match")
    page.go("#/settings").there("#settings").choose(boards="game")
    stage.checks.equal(page.run(FRAME), own, "its own again")


@test
def sound(stage):
    """The header's button and the settings say the same; how loud it is stays when it is silent for a while."""
    page = stage.page(stage.server("--no-bots"))
    page.run("""
        window.gains = [];
        const set = AudioParam.prototype.setTargetAtTime;
        AudioParam.prototype.setTargetAtTime = function (value, ...rest) {
            if (value > 0) gains.push(value);
            return set.call(this, value, ...rest);
        };
        location.hash = '#/settings'""")
    page.there("#settings").choose(sound="soft").there('#sound[aria-pressed="true"]').choose(sound="loud")
    stage.checks.check(max(page.run("return gains")) >= 2 * min(page.run("return gains")), "loud is louder than soft", page.run("return gains"))
    page.click("#sound").there('#sound[aria-pressed="false"]')
    stage.checks.equal(page.run("return document.querySelector('[name=sound]:checked').value"), "off", "turned off in the header")
    page.click("#sound").there('#sound[aria-pressed="true"]')
    stage.checks.equal(page.run("return document.querySelector('[name=sound]:checked').value"), "loud", "turned on again")
    again(page).there('#sound[aria-pressed="true"]').run("localStorage.setItem('ludus.sound', 'true')")
    again(page).there('#sound[aria-pressed="true"]')  # as it was kept before there were settings


# Notes the notifications, and makes the page one that cannot be seen.
NOTIFIED = """
    window.notified = [];
    const real = window.Notification;
    window.asked = 0;
    window.Notification = class { constructor(title, options) { notified.push([title, options.body]); } close() {} };
    Object.defineProperty(Notification, 'permission', {get: () => real.permission});
    Notification.requestPermission = () => { asked++; return real.requestPermission(); };"""
HIDE = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => true})"


@test
def notifications(stage):
    """They are asked for by the setting alone, and tell of a move, a challenge and an end while the page is hidden."""
    anna, bob = stage.met()
    anna.devtools("Browser.grantPermissions", permissions=[], origin=anna.top.rstrip("/"))
    anna.devtools("Page.enable").devtools("Page.addScriptToEvaluateOnNewDocument", source=NOTIFIED)
    match = anna.match()
    anna.go("#/settings").there("#settings")
    again(anna).there("#settings")
    stage.checks.equal(anna.run("return [asked, document.querySelector('[name=notify]:checked').value]"), [0, "off"], "nobody is asked")
    anna.choose(notify="on").expect("does not allow them", "#no-alerts")
    stage.checks.equal(anna.run("return [asked, document.querySelector('[name=notify]:checked').value]"), [1, "off"], "refused")
    anna.devtools("Browser.grantPermissions", permissions=["notifications"], origin=anna.top.rstrip("/"))
    anna.choose(notify="on").wait("return asked === 2 && localStorage.getItem('ludus.notify') === '\"on\"'")
    anna.go(f"#/m/{match}")
    by_typing(anna.mine(0), "a2a1")
    by_typing(bob.mine(1), "b2b1")
    anna.mine(2)
    stage.checks.equal(anna.run("return notified"), [], "nothing while the page is seen")
    by_typing(anna, "c2c1")
    anna.at(3).run(HIDE)
    by_typing(bob.mine(3), "d2d1")
    anna.mine(4).wait("return notified.length > 0")
    stage.peer(anna.server, "carla").ask("new shakti white=me black=anna")
    anna.wait("return notified.length > 1")
    bob.surely("resign")
    anna.wait("return notified.length > 2")
    stage.checks.equal(anna.run("return notified"), [["Your move", "Clobber 5\u00a0×\u00a06 against bob"], ["carla challenges you", "Shakti"],
                                                    ["You won", "Clobber 5\u00a0×\u00a06 against bob"]], "what is told")
    anna.window.post("refresh")
    anna.here()
    stage.checks.equal(anna.run("return asked"), 0, "nobody is asked again")


if __name__ == "__main__":
    sys.exit(run_tests("test_settings", test))
