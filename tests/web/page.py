"""The page of the server in a browser, and the ways to play a move on it."""
import json
import re

from webdriver import Problem, press

KEYS = {"tab": "\ue004", "enter": "\ue007", "escape": "\ue00c", "left": "\ue012", "up": "\ue013",
        "right": "\ue014", "down": "\ue015", "home": "\ue011", "end": "\ue010"}
MAX_TABS = 80  # from anywhere on a page to anywhere else

# The middle of an element, as far as a pointer reaches it there.
CENTER = """
    const node = document.querySelector(arguments[0]), box = node.getBoundingClientRect();
    const at = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const hit = document.elementFromPoint(...at);
    return node.contains(hit) ? at : null;"""
INTO_VIEW = "document.querySelector(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'});"
TEXT = "return document.querySelector(arguments[0])?.innerText.trim() ?? ''"


def square(name):
    return f'#match .board [data-square="{name}"]'


def in_hand(piece):
    return f'#seat-near [data-piece="{piece}"]'


def action(name):
    return f'#match [data-action="{name}"]'


class Page:
    """One player's page. Hosts that are names of this machine have storages of their own."""

    def __init__(self, window, server, host="127.0.0.1"):
        self.window, self.server = window, server
        self.top = f"http://{host}:{server.port}/"
        self.handle = window.tab()

    def go(self, route=""):
        """Opens a route such as `#/new/clobber`, as typed into the address."""
        self.window.go(self.top + route)
        return self.here()

    def here(self):
        """Waits until the server has taken this page."""
        self.wait("return document.querySelector('#you').textContent !== '…'", what="no name")
        return self

    def run(self, script, *values):
        return self.window.run(script, *values)

    def wait(self, script, *values, what=None):
        try:
            return self.window.wait(script, *values, what=what)
        except Problem as problem:
            shown = self.run("return [location.hash, document.body.innerText.slice(0, 600)]")
            raise Problem(f"{problem} on {shown}") from None

    def text(self, selector):
        return self.run(TEXT, selector)

    def expect(self, text, selector="body"):
        """Waits until an element shows a text."""
        self.wait("return (document.querySelector(arguments[0])?.innerText ?? '').includes(arguments[1])",
                  selector, text)
        return self

    def there(self, selector):
        """Waits until an element is there and can be seen."""
        self.wait("return document.querySelector(arguments[0])?.checkVisibility()", selector)
        return self

    def gone(self, selector):
        self.wait("return !document.querySelector(arguments[0])?.checkVisibility()", selector)
        return self

    def name(self):
        return self.text("#you")

    def take_name(self, name):
        """Takes a name on the page for that."""
        self.run("location.hash = '#/you'")
        self.there("#name").write("#name", name).press("enter")
        self.wait("const sure = document.querySelector('#name-form .sure'); sure?.click();"
                  "return document.querySelector('#you').innerText === arguments[0]", name)
        return self

    def points(self, *selectors):
        """Returns the middle of each element, after scrolling if one is out of view."""
        for selector in selectors:
            self.there(selector)
        found = [self.run(CENTER, selector) for selector in selectors]
        if None in found:
            self.run(INTO_VIEW, selectors[found.index(None)])
            found = [self.run(CENTER, selector) for selector in selectors]
        if None in found:
            raise Problem(f"something covers {selectors[found.index(None)]}")
        return found

    def point(self, pointer, *selectors):
        """Presses one element after the other."""
        for selector in selectors:
            self.window.act("pointer", *press(*self.points(selector)[0]), pointer=pointer)
        return self

    def click(self, *selectors):
        return self.point("mouse", *selectors)

    def surely(self, name):
        """Presses a button that asks once more."""
        return self.click(action(name), action(name) + ".sure")

    def drag(self, pointer, selector, target):
        start, end = self.points(selector, target)
        middle = [(a + b) // 2 for a, b in zip(start, end)]
        self.window.act("pointer", *press(*start, middle, end), pointer=pointer)

    def press(self, *keys):
        self.window.type(*(KEYS.get(key, key) for key in keys))
        return self

    def tab_to(self, selector):
        """Goes to an element by the keyboard."""
        for _ in range(MAX_TABS):
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return self
            self.press("tab")
        raise Problem(f"the keyboard does not come to {selector}")

    def write(self, selector, text):
        """Types into a field."""
        self.click(selector)
        self.window.type(*text)
        return self

    def choose(self, **fields):
        """Chooses among the radio buttons of a form."""
        for field, value in fields.items():
            self.click(f'[data-field="{field}"] label:has([value="{value}"])')
        return self

    def match(self):
        """Waits for a match and returns its number."""
        return self.wait("const match = document.querySelector('#match');"
                         "return match?.dataset.ply !== undefined && match.dataset.match")

    def start(self, game, **fields):
        """Opens a match; returns its number."""
        self.go(f"#/new/{game}").there("#setup").choose(**fields).click("#start")
        return self.match()

    def seek(self, game, **fields):
        """Looks for an opponent."""
        self.go(f"#/new/{game}").there("#setup").choose(opponent="anyone", **fields).click("#start")
        return self.there("#seeking")

    def at(self, ply):
        """Waits until the match has come to a ply."""
        self.there(f'#match[data-ply="{ply}"]')
        return self

    def mine(self, ply):
        """Waits until this player is to move at a ply."""
        self.there(f'#match[data-ply="{ply}"][data-mine="true"]')
        return self

    def board(self):
        """Returns the colour and the piece that a screen reader hears of each occupied square."""
        cells = self.run("return [...document.querySelectorAll('#match .board [data-square]')]"
                         ".map(cell => [cell.dataset.square, cell.getAttribute('aria-label')])")
        return {name: words.split(",")[0] for name, words in cells if words.startswith(("white", "black"))}

    def devtools(self, command, **parameters):
        self.window.devtools(command, **parameters)
        return self

    def screen(self, width, height, phone=False, screen=None):
        """Makes the window so large, in CSS pixels, on a screen that is as large unless it is given; a phone has touch."""
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=phone,
                      deviceScaleFactor=1, screenWidth=(screen or (width, height))[0], screenHeight=(screen or (width, height))[1])
        self.wait("return innerWidth >= arguments[0] && innerHeight === arguments[1] &&"
                  "new Promise(done => requestAnimationFrame(() => done(true)))", width, height)
        return self

    def prefer(self, **features):
        """Sets what media queries find: color_scheme="dark", reduced_motion="reduce"."""
        return self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in features.items()])

    def plain(self):
        """Takes screen() and prefer() back."""
        return self.screen(1280, 800).prefer(color_scheme="light")

    def requests(self):
        """Returns the addresses that the browser has asked for since the last call."""
        found = []
        for entry in self.window.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                found.append(message["params"]["url"])
        return found


# The ways to play a move: functions of a page and a move such as b2b3 or K@e4.

def parts(move):
    """Returns the selectors of what is taken and of where it goes."""
    piece, _, target = move.rpartition("@")
    if piece:
        return in_hand(piece), square(target)
    return tuple(square(name) for name in re.findall(r"[a-j]\d+", move))


def by_click(page, move):
    page.click(*parts(move))


def by_drag(page, move):
    page.drag("mouse", *parts(move))


def by_tap(page, move):
    page.point("touch", *parts(move))


def by_touch_drag(page, move):
    page.drag("touch", *parts(move))


def walk_to(page, name):
    """Goes to a square by the cursor keys, as they look on this board."""
    page.tab_to("#match .board [data-square]")
    here = page.run("return document.activeElement.dataset.square")
    x, y = page.points(square(here))[0]
    to_x, to_y = page.points(square(name))[0]
    width = page.run("return document.activeElement.offsetWidth")
    right, down = round((to_x - x) / width), round((to_y - y) / width)
    page.press(*["right" if right > 0 else "left"] * abs(right), *["down" if down > 0 else "up"] * abs(down))


def by_keys(page, move):
    piece, _, target = move.rpartition("@")
    if piece:
        page.tab_to(in_hand(piece)).press("enter")
    for name in re.findall(r"[a-j]\d+", target):
        walk_to(page, name)
        page.press("enter")


def by_typing(page, move):
    page.press(*move, "enter")


WAYS = [by_click, by_drag, by_tap, by_touch_drag, by_keys, by_typing]
