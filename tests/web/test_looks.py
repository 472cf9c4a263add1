#!/usr/bin/env python3
"""The page in a browser: every screen in every size, light and dark.

usage: python3 tests/web/test_looks.py BUILD_DIR [TEST...]

Nothing may overflow, whatever is pressed is large enough for a thumb on a phone, and axe-core finds
nothing to say, neither about contrast (4.5 to 1 for all text) nor about anything else.
"""
import os
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import square
from screens import Gallery
from web_stage import Tests, run_tests
from webdriver import press
from browser import Browser, request

PHONES = [(320, 640), (360, 640), (390, 844), (844, 390), (640, 360)]
DESKTOPS = [(320, 256), (1440, 900), (800, 600), (768, 1024), (1024, 1366), (3840, 2160)]  # the first is 1280x1024 at 400 %
BOTH = ("light", "dark")
AXE_SIZES = [(320, 640, True, BOTH[:1]), (390, 844, True, BOTH), (844, 390, True, BOTH[1:]), (768, 1024, False, BOTH[1:]), (1440, 900, False, BOTH),
             (3840, 2160, False, BOTH[:1])]  # both schemes at two of them, as all would take a quarter of an hour
THUMB = 40
TOP = os.path.dirname(os.path.abspath(__file__))
AXE = os.path.join(TOP, "node_modules", "axe-core", "axe.min.js")
MAX_BYTES = 400_000  # before gzip; client/web/README.md says so
test = Tests()

# What sticks out of the window to the left or right, but for what scrolls by itself or is only heard.
OVERFLOW = """
    const scrolls = node => node.closest('.unseen, .skip, .moves, .lines') !== null;
    const wide = document.scrollingElement.scrollWidth > innerWidth ? [`page: ${document.scrollingElement.scrollWidth}`] : [];
    return [...wide, ...[...document.querySelectorAll('body *')].filter(node => {
        const box = node.getBoundingClientRect();
        return node.checkVisibility() && box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(node);
    }).map(node => `${node.tagName}.${node.getAttribute('class')} ${node.textContent.slice(0, 20)}`)];"""

# Texts that are wider than their boxes, unless they end in an ellipsis there.
CUT = """
    return [...document.querySelectorAll('button, .button, a, dd, dt, label, legend, td, th, p, h1, h2, .clock')]
        .filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0
            && getComputedStyle(node).textOverflow !== 'ellipsis' && !node.matches('.unseen, .piece-button'))
        .map(node => `${node.tagName}.${node.className} ${node.textContent.slice(0, 20)}: ${node.scrollWidth} in ${node.clientWidth}`);"""

# What stands in the way of a placeholder: it is wider than its field.
HELD = """
    const ruler = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('input[placeholder], textarea[placeholder]')].filter(node => node.checkVisibility()).map(node => {
        const style = getComputedStyle(node);
        ruler.font = style.font;
        const room = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return [ruler.measureText(node.placeholder).width, room, node.placeholder];
    }).filter(([wide, room]) => wide > room + 1).map(([wide, room, text]) => `${text}: ${Math.round(wide)} in ${Math.round(room)}`);"""

# Texts that stand in a row, and buttons and cards that stand below each other, without a gap.
TOUCHING = """
    const box = node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect();
    };
    const over = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 2;
    const near = (a, b, from, to, least) => Math.max(b[from] - a[to], a[from] - b[to]) < least;
    const rows = [...document.querySelectorAll('.label, header nav, .tabs, .seat, .steps, .buttons')].filter(node => node.checkVisibility());
    const texts = rows.flatMap(row => {
        const boxes = [...row.children].filter(node => node.checkVisibility() && node.innerText?.trim()).map(node => [node, box(node)]);
        return boxes.slice(1).map((next, i) => [boxes[i], next]);
    }).filter(([[, a], [, b]]) => over(a, b, 'top', 'bottom') && near(a, b, 'left', 'right', 5));
    const things = [...document.querySelectorAll('main :is(button, .button, a.row, .row:has(.what), input, select, .card)')]
        .filter(node => node.checkVisibility() && !node.closest('.board, .hand, .moves, .steps, .pace, .choices, .lines, .unread-badge')).map(node => [node, node.getBoundingClientRect()]).filter(([, a]) => a.width > 0);
    const pairs = things.flatMap(([a, one], i) => things.slice(i + 1).filter(([b, two]) => !a.contains(b) && !b.contains(a) &&
        over(one, two, 'left', 'right') && near(one, two, 'top', 'bottom', 2)).map(([b]) => [[a], [b]]));
    return [...texts, ...pairs].map(([[a], [b]]) => `${a.textContent.slice(0, 20)} | ${b.textContent.slice(0, 20)}`);"""

# What can be pressed and is too small, but for links inside sentences.
SMALL = """
    const inText = node => node.matches('p a, td a');
    return [...document.querySelectorAll('a, button:enabled, input:not([type=radio]), [data-field] label, [data-square]')]
        .filter(node => node.checkVisibility() && !node.closest('.skip') && !inText(node))
        .map(node => [node, node.getBoundingClientRect()])
        .filter(([node, box]) => box.width > 0 && Math.round(Math.min(box.width, box.height)) < (node.dataset.square ? arguments[1] : arguments[0]))
        .map(([node, box]) => `${node.tagName}.${node.className} ${node.dataset.square ?? node.textContent.slice(0, 20)}: ${box.width} x ${box.height}`);"""

# Whether the pieces of a match cover each other: board, seats, and what is beside them.
COVERED = """
    const boxes = ['.match .scene', '#seat-far', '#seat-near', '.match .side'].map(name => document.querySelector(name))
        .filter(node => node?.checkVisibility()).map(node => [node, node.getBoundingClientRect()]);
    return boxes.flatMap(([a, one], i) => boxes.slice(i + 1).filter(([, two]) =>
        Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1)
        .map(([b]) => `${a.id || a.className} and ${b.id || b.className}`));"""

RUN_AXE = """
    axe.configure({checks: [{id: 'color-contrast', options: {contrastRatio: {normal: {expected: 4.5}, large: {expected: 4.5}}}}]});
    return axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.flatMap(rule =>
        rule.nodes.map(node => `${rule.id} (${rule.help}): ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)));"""

# Contrasts of the texts that are drawn: coordinates on the frame, numbers on their chips.
DRAWN = """
    const light = color => {
        const parts = color.match(/[0-9.]+/g).map(Number).slice(0, 3).map(part => part / 255)
            .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
        return .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2];
    };
    const fill = node => light(getComputedStyle(node).fill);
    return [...document.querySelectorAll('.scene text')].filter(node => node.checkVisibility()).map(node => {
        const ground = node.closest('.chip')?.querySelector('rect') ?? node.closest('svg').querySelector('.frame');
        const [dark, bright] = [fill(node), fill(ground)].sort((a, b) => a - b);
        return [(bright + .05) / (dark + .05), node.textContent];
    }).filter(([ratio]) => ratio < 4.5).map(([ratio, text]) => `${text}: ${ratio.toFixed(2)}`);"""


def found(checks, page, name, what, script, *values):
    checks.equal(page.run(script, *values)[:5], [], f"{name}: {what}")


def look_at_sizes(checks, page, name):
    for phone, sizes in ((True, PHONES), (False, DESKTOPS)):
        for width, height in sizes:
            page.screen(width, height, phone)
            place = f"{name} at {width}x{height}"
            found(checks, page, place, "sticks out", OVERFLOW)
            found(checks, page, place, "text is cut off", CUT)
            found(checks, page, place, "covers each other", COVERED)
            found(checks, page, place, "a placeholder is cut off", HELD)
            found(checks, page, place, "touches", TOUCHING)
            if phone:  # eight squares of that size and a frame are wider than the smallest: Board.aim() is for those
                found(checks, page, place, f"smaller than {THUMB} px", SMALL, THUMB, THUMB if width > 320 else 36)


def look_with_axe(checks, page, name):
    with open(AXE, encoding="utf-8") as file:
        axe = file.read()
    for width, height, phone, schemes in AXE_SIZES:
        page.screen(width, height, phone)
        for scheme in schemes:
            page.prefer(color_scheme=scheme, reduced_motion="reduce")
            place = f"{name} at {width}x{height}, {scheme}"
            page.run(axe)
            found(checks, page, place, "axe", RUN_AXE)
            found(checks, page, place, "contrast of what is drawn", DRAWN)


@test
def sizes(stage):
    for name, page in Gallery(stage).screens():
        look_at_sizes(stage.checks, page, name)
        page.plain()


@test
def accessibility(stage):
    for name, page in Gallery(stage).screens():
        look_with_axe(stage.checks, page, name)
        page.plain()
    # The tools themselves: what is wrong must be found.
    page.run("const node = document.createElement('p'); node.style.cssText = 'color: #777; background: #888; width: 200vw';"
             "node.append('grey', document.createElement('button')); document.querySelector('main').append(node)")
    for tool, script, values in (("axe", RUN_AXE, ()), ("overflow", OVERFLOW, ()), ("small", SMALL, (THUMB, THUMB))):
        stage.checks.check(len(page.run(script, *values)) > 0, f"{tool} finds what is wrong")


@test
def losing_the_connection(stage):
    gallery = Gallery(stage)
    gallery.board("clobber")
    page = gallery.page
    gallery.stage.checks.equal(gallery.server.stop(), 0, "exit code")
    page.there("#lost")
    look_at_sizes(stage.checks, page, "a lost connection")
    look_with_axe(stage.checks, page, "a lost connection")
    page.window.go("about:blank")  # which tries no more
    stage.quiet(page, but="WebSocket connection to .* failed")


# The edges of the board, its seats, its first square, and the smallest letters of its frame, on the screen.
EDGES = """
    const box = name => document.querySelector(name).getBoundingClientRect();
    const [scene, far, near, cell] = ['#match .scene', '#seat-far', '#seat-near', '#match .cell'].map(box);
    return {left: scene.left, right: scene.right, frame: cell.left - scene.left, seats: [far.left, far.right, near.left, near.right],
        letters: box('#match .coordinates text').height};"""


@test
def the_frame_and_the_seats(stage):
    """The frame of a board is slim on a phone, also of a window that becomes as small; the seats are as wide as the board where they
    are above and below it."""
    gallery = Gallery(stage)
    for game in ("clobber", "xadrersi", "latrunculi", "shakti"):
        gallery.page.plain()
        gallery.board(game)
        for width, height in (*PHONES, (1440, 900), (768, 1024), (1024, 1366), (3840, 2160)):
            edges = gallery.page.screen(width, height, phone=(width, height) in PHONES).run(EDGES)
            place = f"{game} at {width}x{height}"
            if (width, height) in PHONES:
                stage.checks.check(edges["frame"] <= 11 and edges["letters"] > edges["frame"] * .8, f"{place}: the frame", edges)
            if width < height or height > 512:
                stage.checks.check(all(abs(seat - board) <= 1 for seat, board in zip(edges["seats"], [edges["left"], edges["right"]] * 2)), f"{place}: seats", edges)


@test
def one_edge(stage):
    """All pages begin at the same distance from the left, below the mark."""
    page = stage.page(stage.server("--no-bots"))
    left = "return Math.round([...document.querySelectorAll(arguments[0])].find(node => node.checkVisibility()).getBoundingClientRect().left)"
    for width, height in ((320, 640), (390, 844), (844, 390), (768, 1024), (1440, 900), (3840, 2160)):
        page.screen(width, height)
        for route, name in (("#/", "home"), ("#/players", "players"), ("#/tournaments", "tournaments"), ("#/rules/shakti", "rules"), ("#/settings", "settings"), ("#/you", "you"), ("#/history", "history")):
            page.run("location.hash = arguments[0]", route)
            page.there(f'main[data-page="{name}"] h1')
            stage.checks.equal(page.run(left, "main h1"), page.run(left, ".mark svg"), f"{name} at {width}x{height}")


def touch(page, name, right=0, down=0):
    """Touches a screen at a distance in pixels from the middle of a square."""
    x, y = page.points(square(name))[0]
    page.window.act("pointer", *press(x + right, y + down), pointer="touch")
    return page


@test
def a_board_of_ten(stage):
    """The largest board fits a phone, too: its squares are smaller than a thumb, but each that does something is
    reached from 20 px around its middle, or after a second touch, on a board that is magnified."""
    gallery = Gallery(stage)
    gallery.match("clobber:10x10")
    page = gallery.page.mine(0)
    for width, height in PHONES:
        page.screen(width, height, phone=True)
        found(stage.checks, page, f"10x10 at {width}x{height}", "sticks out", OVERFLOW)
        for right, down in ((19, 0), (0, 19), (-19, 0), (0, -19), (0, 0)):
            touch(page, "d5", right, down).there(square("d5") + '[aria-selected="true"]')
            touch(page, "d5").gone('#match [aria-selected="true"]')
    page.screen(360, 640, phone=True)
    touch(page, "d5")
    touch(page, "d6", 17).there(".near")
    stage.checks.equal(page.run("return document.scrollingElement.scrollWidth"), 360, "the width of a magnified page")
    stage.checks.equal(page.run(SMALL, THUMB, THUMB), [], "targets on a magnified board")
    stage.checks.equal(page.run("return document.querySelector('#match').dataset.ply"), "0", "nothing is played")
    touch(page, "d6").at(1).gone(".near")


@test
def reduced_motion(stage):
    """Nothing moves for those who do not want it; something does for the others."""
    gallery = Gallery(stage)
    gallery.board("shakti")
    moves = "return [...document.querySelectorAll('*')].some(node => getComputedStyle(node).transitionDuration.split(', ')" \
            ".some(time => parseFloat(time) > 0))"
    stage.checks.equal(gallery.page.run(moves), True, "transitions")
    gallery.page.prefer(reduced_motion="reduce")
    stage.checks.equal(gallery.page.run(moves), False, "transitions with reduced motion")


# How the first element that is chosen and the first that is not differ, as far as forced colours let it be seen.
DIFFERS = """
    const look = node => { const {backgroundColor, outlineStyle, outlineColor, borderColor} = getComputedStyle(node);
        return [backgroundColor, outlineStyle === 'none' ? '' : outlineColor, borderColor].join(); };
    const [one, other] = [...arguments].map(selector => [...document.querySelectorAll(selector)].find(node => node.checkVisibility()));
    return one && other ? look(one) !== look(other) : `${one} ${other}`;"""


@test
def forced_colors(stage):
    """What is chosen, current or running is seen without a colour of the page."""
    gallery = Gallery(stage)
    page = gallery.page
    page.devtools("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    page.go("#/new/clobber").there("#setup")
    chosen = [("form", ".choices input:checked + span", ".choices input:not(:checked) + span"),
              ("game", ".tabs [aria-current=page]", ".tabs a:not([aria-current])")]
    for what, one, other in chosen:
        stage.checks.equal(page.run(DIFFERS, one, other), True, what)
    page.go("#/players").there("#here")
    stage.checks.equal(page.run(DIFFERS, "header nav [aria-current=page]", "header nav a:not([aria-current])"), True, "page")
    gallery.match("xadrersi")
    page.mine(0).click('#seat-near [data-piece="K"]', square("d4"))
    gallery.bob.wait_for("state", ply=1)
    gallery.bob.do("move Q@d5")
    page.mine(2).click('#seat-near [data-piece="Q"]')
    for what, one, other in (("clock", ".clock.runs", ".clock:not(.runs)"), ("move", ".move[aria-current]", ".move:not([aria-current])"),
                             ("piece", '.piece-button[aria-pressed="true"]', '#seat-near .piece-button[aria-pressed="false"]'),
                             ("turn", ".seat.turn .who", ".seat:not(.turn) .who")):
        stage.checks.equal(page.run(DIFFERS, one, other), True, what)
    page.devtools("Emulation.setEmulatedMedia", features=[])


def page_is_small(checks):
    top = os.path.join(TOP, "..", "..", "client", "web")
    served = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names
              if not name.endswith((".md", ".d.ts"))]
    size = sum(map(os.path.getsize, served))
    checks.check(0 < size <= MAX_BYTES, f"client/web has at most {MAX_BYTES} bytes", size)


@test
def policy(stage):
    """The policy of the server keeps out what the page does not need, and the page works by it."""
    server = stage.server("--no-bots")
    page = stage.page(server)
    with Browser(server.port) as browser:
        policy_text = browser.ask(request("/")).headers["content-security-policy"]
    stage.checks.check("default-src 'none'" in policy_text and "unsafe" not in policy_text, "policy", policy_text)
    page.run("""
        window.broken = [];
        addEventListener('securitypolicyviolation', event => broken.push(event.effectiveDirective));
        const add = (name, set) => document.body.append(Object.assign(document.createElement(name), set));
        add('script', {textContent: 'window.hacked = true'});
        add('img', {src: 'http://127.0.0.1:9/x.png'});
        fetch('http://127.0.0.1:9/').catch(() => null);""")
    page.wait("return broken.length >= 3")
    stage.checks.equal(sorted(page.run("return broken")), ["connect-src", "img-src", "script-src-elem"], "refused")
    stage.checks.equal(page.run("return window.hacked ?? false"), False, "an inline script")
    page.window.log("browser"), page.requests()  # which have these three now


if __name__ == "__main__":
    sys.exit(run_tests("test_looks", test, [page_is_small]))
