#!/usr/bin/env python3
"""The page in a browser: what a player chooses for it, and the ways to each page on every screen.

usage: python3 tests/web/test_settings.py BUILD_DIR [TEST...]
"""
import sys

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


if __name__ == "__main__":
    sys.exit(run_tests("test_settings", test))
