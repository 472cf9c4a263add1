#!/usr/bin/env python3
"""Every row of the table of keys (client/ludus/screen/stage/keys.c) in every place where it holds: each of its
keys has its effect, and so has the mouse alone.

usage: python3 tests/tcp/test_every_key.py BUILD_DIR [PLACE...]
"""

import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from full_screen import KEYS
from stage import Tests, run_tests
from terminal import expect_that
from test_review import SEE_SAW, Folder

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     "..", "..", "client", "ludus", "screen", "stage", "keys")
ZOOM = {"CONTROL_PLUS": "\x1b[43;5u", "CONTROL_MINUS": "\x1b[27;5;45~"}  # in the two newer encodings
WHEELS = {"WHEEL_UP": "\x1b[<64;5;5M", "WHEEL_DOWN": "\x1b[<65;5;5M"}
CURSES = {"PPAGE": "pgup", "NPAGE": "pgdn", "BTAB": "backtab"}
NAMES = {" ": "Space", ",": "comma", ".": "dot"}
test = Tests()


# --- the table --------------------------------------------------------------------------------


MARK = r'(?:NC?_\((?:"key", )?)?'  # of words that are translated


class Row:
    """A row of the table. `group` is the name in the help, which rows without one share, `unlettered` that
    where letters are text."""

    def __init__(self, action, text, before):
        found = re.search(r"\.keys = \{(.*?)\},\s*\.", text, re.S)
        self.action = action
        self.keys = [typed(key.strip()) for key in re.split(r",(?!')", found[1])] if found else []
        self.label = re.search(rf'\.label = {MARK}"(.*?)"', text)[1]
        self.named = '.name = ' in text
        self.group = re.search(rf'\.name = {MARK}"(.*?)"', text)[1] if self.named else before.group
        found = re.search(rf'\.unlettered = {MARK}"(.*?)"', text)
        self.unlettered = found[1] if found else self.group if self.named else before.unlettered
        self.places = places_of(re.search(r"\.places = ([A-Z_ |]+)", text)[1])

    def word(self, group):
        """Returns its word in the name of the group."""
        chars = [NAMES.get(key, key) for key in self.keys]
        words = re.split("[, ]+", group)
        return next((word for word in words if word in [self.label, *chars]), words[0])


def typed(key):
    """Returns what a terminal sends for a key of the table; the mouse sends what depends on the screen."""
    if key in {**WHEELS, **ZOOM}:
        return {**WHEELS, **ZOOM}[key]
    if key == "MOUSE_DROP":
        return ""
    if key.startswith("CTRL"):
        return chr(ord(key[6]) & 0x1f)
    if key.startswith("FN"):
        name = re.search(r"KEY_(F\(\d+\)|\w+)", key)[1]
        name = CURSES.get(name, re.sub("[()]", "", name).lower())
        return "" if name == "mouse" else KEYS[name]
    return {"ESCAPE_KEY": "\x1b", "ENTER_KEY": "\r", r"'\t'": "\t"}.get(key) or key[1]


def places_of(text):
    with open(TABLE + ".h", encoding="utf-8") as file:
        header = file.read()
    found = set()
    for name in re.findall(r"IN_\w+|EVERYWHERE|LETTERS_TYPED", text):
        value = re.search(rf"\b{name} = ([^,}}]+)", header)[1]
        found |= {name} if value.strip().isdigit() else places_of(value)
    return found


def read_table():
    with open(TABLE + ".c", encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("key_rows[ACTIONS] = {"):text.index("};")]
    rows = []
    for action, body in re.findall(r"\[ACTION_(\w+)\] =\s*(.*?)(?=\[ACTION_|\Z)", text, re.S):
        rows.append(Row(action, body, rows[-1] if rows else None))
    return rows


ROWS = read_table()
LETTERS_TYPED = places_of("LETTERS_TYPED")


# --- effects ----------------------------------------------------------------------------------


class Effect:
    """What an action does: `seen` comes to the screen, or with no text anything changes; `back` are the
    keys that lead back, and with "?" texts to wait for; `before` are those that it needs first; `thing`
    can be clicked on instead, or dragged by `rows`. A key that is only `typed` has none by the mouse."""

    def __init__(self, seen="", back=(), before=(), thing=None, rows=0, typed=False):
        self.seen, self.thing, self.rows, self.typed = seen, thing, rows, typed
        self.back, self.before = ((keys,) if isinstance(keys, str) else keys for keys in (back, before))


def settled(full):
    """Returns the screen when nothing more comes."""
    while full.read_some(time.monotonic() + 0.25):
        pass
    return full.screen


class Walk:
    """Goes through all rows that hold in a place, from a screen that each effect leads back to."""

    def __init__(self, full, place, effects):
        self.full, self.place = full, place
        self.effects = {**EVERYWHERE, **effects}
        self.home = self.quiet(settled(full.drawn()))
        self.rows = [row for row in ROWS if place in row.places]
        missing = {row.action for row in self.rows} ^ {action for action in self.effects}
        expect_that(not missing, f"{place}: no effect is known, or no row, of {missing}")

    def all(self):
        for row in self.rows:
            for key in row.keys:
                is_text = key.isprintable() if self.place in ("IN_LINE", "IN_EDITOR") else \
                    key.isalpha() and self.place in LETTERS_TYPED and row.action not in ("YES", "NO")
                if key and not is_text:
                    self.one(row, lambda key=key: self.full.type(key), repr(key))
            by_square = self.place in LETTERS_TYPED and row.action in ("DOWN", "LEFT", "RIGHT")  # clicked on instead
            if row.action not in WHEELS and not self.effects[row.action].typed and not by_square:
                self.one(row, lambda row=row: self.by_mouse(row), "the mouse")

    def one(self, row, press, what):
        full, effect = self.full, self.effects[row.action]
        what = f"{self.place}, {row.action}, {what}"
        for keys in effect.before:
            full.keys(keys)
            full.until(lambda screen: screen != self.home, f"{what}: {keys} does nothing").drawn()
        before, said = settled(full), len(full.raw)
        press()
        if row.action == "REDRAW":
            full.until(lambda _: b"\x1b[2J" in full.raw[said:], f"{what} does nothing")
        else:
            full.until(lambda screen: effect.seen in screen and screen != before and
                       (effect.seen or not screen.startswith(" Keys")), f"{what} does nothing")
        for keys in effect.back:
            full.drawn().expect(keys[1:]) if keys[0] == "?" else full.keys(keys)
        full.until(lambda screen: self.quiet(screen) == self.home, f"{what}: no way back to\n{self.home}\n")
        full.drawn()

    @staticmethod
    def quiet(screen):
        """Returns the screen without what was said in the match."""
        return re.sub(r"(?m)^ {42}\S.*$", "", screen)

    def by_mouse(self, row):
        """Clicks on its word in the bar, on the thing, or on its line in the help."""
        full, effect = self.full, self.effects[row.action]
        bar = full.drawn().screen.split("\n")[-1]
        at = re.search(rf"(?:^| ) {re.escape(row.label)} \w", bar)
        if at:
            self.click(full.rows - 1, at.start() + 1 + (at[0][1] == " "))
        elif effect.rows:
            y, x = full.place_of(effect.thing)
            full.drag((y, x + 1), (y + effect.rows, x + 1))
        elif effect.thing:
            full.click(effect.thing)
        else:
            self.click_help(row)

    def click(self, y, x):
        self.full.type(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def click_help(self, row):
        """Scrolls line by line, as a line may come while the screen is still being drawn."""
        group = row.unlettered if self.place in LETTERS_TYPED else row.group
        full, line = self.full, re.compile(rf"^ {re.escape(group)} ", re.M)
        full.keys("f1").expect("list the keys").drawn()
        for _ in range(40):
            found = line.search(full.screen) and line.search(settled(full))  # it may still be scrolling
            if found:
                y = full.screen[:found.start()].count("\n")
                return self.click(y, 1 + group.index(row.word(group)))
            seen = full.screen
            full.keys("down").until(lambda screen, seen=seen: screen != seen, f"no line {group}").drawn()
        raise AssertionError(f"F1 of {self.place} has no line {group}")


CLEAR = "\x15"  # Ctrl-U, which only lets a notice go
EVERYWHERE = {
    "HELP": Effect("list the keys", "q"), "THEME": Effect("Colours: ", ("\x14", "\x14", CLEAR)),
    "BELL": Effect("The bell is ", CLEAR), "SYMBOLS": Effect("Pieces as ", ("\x10", CLEAR)),
    "REDRAW": Effect(),
}
RULES = {"RULES": Effect("The rules of", "q")}


# --- the places -------------------------------------------------------------------------------


@test
def menu(bench):
    full = bench.full().expect("> Play now").pick("Learn a game").expect("> Clobber")
    up, down = Effect("> Shakti", "home"), Effect("> Xadrersi", "home")
    first, last = Effect("> Clobber", "home", "end"), Effect("> Shakti", "home")
    Walk(full, "IN_MENU", {
        "BACK": Effect("> Learn a game", "enter"), "CHOOSE": Effect("lesson 1 of", "escape"),
        "CLICK": Effect("lesson", ("escape", "home"), thing="Shakti"),
        "PICK": Effect("Xadrersi, lesson", ("escape", "home"), thing="Xadrersi"),
        "UP": up, "WHEEL_UP": up, "PREVIOUS": up, "DOWN": down, "WHEEL_DOWN": down, "NEXT": down,
        "PAGE_UP": first, "PAGE_DOWN": last, "FIRST": first, "LAST": last, **RULES}).all()


@test
def form(bench):
    bench.peer("waits-for-bots").wait_for_bots(9)  # the form begins with the fitting one of those that are there
    full = bench.full().expect("> Play now").pick("Play a bot").expect("< Clobber >")
    up, down = Effect("The match changes no rating", "down"), Effect("e type", "up")
    aborted = ("abort", "enter", "?Game aborted.", "escape", "?> Play a bot", "enter")
    Walk(full, "IN_FORM", {
        "BACK": Effect("> Play a bot", "enter"), "CHOOSE": Effect("Your turn (", aborted),
        "EDIT": Effect("files x ranks", ("escape", "up"), "down"),
        "UP": up, "WHEEL_UP": up, "PREVIOUS": up, "DOWN": down, "WHEEL_DOWN": down, "NEXT": down,
        "LEFT": Effect("< Shakti >", "right"), "RIGHT": Effect("< Xadrersi >", "left"),
        "CLICK": Effect("< Xadrersi >", "left", thing="r >"), **RULES}).all()


@test
def page(bench):
    full = bench.full().expect("> Play now").pick("Rules of the games").expect("which game?")
    full.pick("Latrunculi").expect("Each side has").keys("down").expect_gone("Each side has")
    up, down, far = Effect("Each side has", "down"), Effect(back="up"), Effect(back=("home", "down"))
    left = Effect("which game?", ("enter", "?Each side", "down"))
    Walk(full, "IN_PAGE", {
        "BACK": left, "CHOOSE": left, "CLICK": Effect("which game?", left.back, thing="Esc back"),
        "UP": up, "WHEEL_UP": up, "PAGE_UP": up, "FIRST": up, "DOWN": down, "WHEEL_DOWN": far, "PAGE_DOWN": far,
        "LAST": Effect("c8, d7 and e8", far.back), "RULES": Effect("which game?", "q")}).all()


@test
def line(bench):
    full = bench.full().expect("> Play now").pick("Replay a file").expect("Replay which file?")
    left = Effect("> Replay a file", "enter", thing="Enter done")
    Walk(full, "IN_LINE", {"BACK": left, "CHOOSE": left, "CLICK": left,
                           "RULES": Effect("which game?", "q")}).all()


CURSOR = {"UP": Effect(back="down"), "DOWN": Effect(before="up"), "LEFT": Effect(back="right"),
          "RIGHT": Effect(back="left"), "NEXT": Effect(back="backtab"), "PREVIOUS": Effect(back="tab")}
SMALLER = Effect("Board: size ", (ZOOM["CONTROL_PLUS"], CLEAR), typed=True)
SIZE = {"SIZE": Effect("Board: size ", (ZOOM["CONTROL_PLUS"], CLEAR)), "SMALLER": SMALLER,
        "LARGER": Effect("Board: size ", CLEAR, typed=True)}
RECORD = {**SIZE, "SAVE": Effect("Save as which file?", "escape"), "FLIP": Effect(back="\x06"),
          "OVERLAY": Effect(back="\x0f")}


@test
def match(bench):
    thinker = bench.keep(Folder("exec sleep 600\n"))  # a bot that has no hint before Esc
    full = bench.full("--play", "clobber:8x8", "--vs", "me", columns=100, rows=18, program=thinker.program)
    full.expect("Your turn (")
    for rank in range(8, 0, -1):
        moves = (f"a{rank}b{rank}", f"d{rank}c{rank}") if rank % 2 == 0 else (f"b{rank}a{rank}", f"c{rank}d{rank}")
        full.keys(moves[0], "enter").expect("(Black)").keys(moves[1], "enter").expect("(White)")
    full.expect("  8. ").keys("escape").expect("Back to the menu").keys("y").expect("> Back to match").keys("enter")
    full.expect("  8. ").expect("[●]")
    Walk(full, "IN_MATCH", {
        "BACK": Effect("Back to the menu?", "n"), "YES": Effect("> Back to match", "enter", "escape"),
        "NO": Effect("(White)", (), "escape"), "CHOOSE": Effect(">■<", "escape"),
        "CLICK": Effect(">■<", "escape", thing="[●"),
        "DROP": Effect("A stone moves one square", ("down", "down", CLEAR), thing="[●", rows=-2), "WHEEL_UP": Effect(back=WHEELS["WHEEL_DOWN"]),
        "WHEEL_DOWN": Effect("  8. ", (), WHEELS["WHEEL_UP"]), "PAGE_UP": Effect(back="pgdn"),
        "PAGE_DOWN": Effect("  8. ", (), "pgup"), "PAUSE": Effect("  8. ", (), "pgup"),
        "FASTER": Effect(back=CLEAR, typed=True), "SLOWER": Effect(back=CLEAR, typed=True), "FIRST": Effect("the start (0 of 16)", "end"),
        "LAST": Effect("(White)", (), "home"), "EARLIER": Effect("move 15 of 16", "end"),
        "LATER": Effect("move 1 of 16", "end", "home"), "HINT": Effect("Thinking about a hint", "escape"),
        "UNDO": Effect("(Black)", ("c1d1", "enter")), "DRAW": Effect("Clobber has no draws", CLEAR),
        "RESIGN": Effect("Resign?", "n"), "REMATCH": Effect("still running", CLEAR),
        "REVIEW": Effect("No review: ", CLEAR), "ANALYSE": Effect("Analysis of Clobber 8x8", "escape"),
        "PLAY_ON_TYPING": Effect("Your game still runs", CLEAR), "LOG": Effect("Messages", "q"),
        **CURSOR, **RECORD, **RULES}).all()


@test
def replay(bench):
    path = os.path.join(bench.home.path, "two.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SEE_SAW + "\n" + SEE_SAW)
    full = bench.full().expect("> Play now").pick("Replay a file").keys(path, "enter").expect("Start (0 of")
    full.keys("right").expect("Move 1 of")
    on, back, end = Effect("Move 2 of", "left"), Effect("Start (0 of", "right"), Effect("Move 7 of", ("home", "right"))
    other = Effect("(2 of 2)", ("tab", "right"))
    Walk(full, "IN_REPLAY", {
        "BACK": Effect("> Replay a file", ("enter", path, "enter", "right")),
        "CHOOSE": on, "DOWN": on, "RIGHT": on, "WHEEL_DOWN": on, "LATER": on, "UP": back, "LEFT": back,
        "WHEEL_UP": back, "PAGE_UP": back, "FIRST": back, "EARLIER": back, "PAGE_DOWN": end, "LAST": end,
        "NEXT": other, "PREVIOUS": other, "CLICK": Effect("Move 2 of", "left", thing="b2b3"),
        "PAUSE": Effect("Move 2 of", ("home", "right")), "FASTER": Effect("2 moves a second", ("-", CLEAR)),
        "SLOWER": Effect("A move every 2 seconds", ("+", CLEAR)), "REVIEW": Effect("Reviewed.", "q"),
        "PLAY_ON": Effect("Play on from here", "escape"), "ANALYSE": Effect("Analysis of", "escape"), **RECORD, **RULES}).all()


@test
def review(bench):
    path = os.path.join(bench.home.path, "one.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SEE_SAW)
    full = bench.full("replay", path).expect("Start (0 of").keys("f6").expect("Reviewed.").keys("end", "left")
    full.expect("last moment to win")
    on, back, start = Effect("4. b1c1", "left"), Effect(back="right"), Effect("Start of the game", ("end", "left"))
    Walk(full, "IN_REVIEW", {
        "BACK": Effect("Start (0 of", ("f6", "?Reviewed.", "end", "left")),
        "CHOOSE": on, "DOWN": on, "RIGHT": on, "WHEEL_DOWN": on, "LATER": on, "PAGE_DOWN": on, "LAST": on,
        "UP": back, "LEFT": back, "WHEEL_UP": back, "EARLIER": back, "PAGE_UP": start, "FIRST": start,
        "CLICK": Effect(back=("end", "left"), thing="▁▁▁"), "NEXT": Effect("1... b2b3 ??", ("backtab", CLEAR)),
        "PREVIOUS": Effect("3. a4a3 ??", "tab"), "RETRY": Effect("find a better move", "escape"),
        "PLAY_ON": Effect("Playing on needs a server", CLEAR), "ANALYSE": Effect("Analysis of", "escape"), **RECORD, **RULES}).all()


@test
def learn(bench):
    full = bench.full().expect("> Play now").pick("Learn a game").expect("which game?")
    full.pick("Latrunculi").expect("lesson 1 of").keys(">").expect("lesson 2 of")
    Walk(full, "IN_LEARN", {
        "BACK": Effect("which game?", ("enter", "?lesson 1", ">")), "CHOOSE": Effect(" o ", "enter"),
        "CLICK": Effect(" o ", "f4", thing="[ ●"), "DROP": Effect("", "f4", thing="[ ●", rows=-2), "HINT": Effect("One way is ", "f4"),
        "UNDO": Effect(before="right"), "ANALYSE": Effect("Analysis of", "escape"), "PLAY_ON_TYPING": Effect("Play on from here", "escape"), "EARLIER": Effect("lesson 1 of", ">"), "LATER": Effect("lesson 3 of", "<"),
        **CURSOR, **SIZE, **RULES}).all()


@test
def analysis(bench):
    thinker = bench.keep(Folder("exec sleep 600\n"))  # a bot that says nothing before Esc
    full = bench.full(columns=100, rows=18, program=thinker.program).expect("> Play now").keys("a").pick("Clobber 8x8")
    full.expect("Analysis of Clobber 8x8 (White)").keys("a2b2", "enter").expect("1. a2b2").keys("d2c2", "enter").expect("d2c2")
    full.keys("<").expect("(Black)").keys("d4c4", "enter").expect("(1... d4c4)").expect("[●]")
    other = Effect(back="pgdn")
    Walk(full, "IN_ANALYSIS", {
        "BACK": Effect("> Go on with the last", "enter"), "CHOOSE": Effect(">■<", "escape"),
        "CLICK": Effect(back="pgdn", thing="d2c2"),
        "DROP": Effect("A stone moves one square", ("down", "down", CLEAR), thing="[●", rows=-2),
        "WHEEL_UP": Effect(back=(">", "pgdn")), "EARLIER": Effect(back=(">", "pgdn")), "FIRST": Effect(back=(">", ">", "pgdn")),
        "WHEEL_DOWN": Effect("", "pgdn", "<"), "LATER": Effect("", "pgdn", "<"), "LAST": Effect("", "pgdn", "home"),
        "PAGE_UP": other, "PAGE_DOWN": other, "HINT": Effect("Thinking ...", "escape"), "UNDO": Effect(back=("d4c4", "enter")),
        "PROMOTE": Effect("d4c4 (1... d2c2)", ("pgdn", "f5", "pgdn")),
        "PLAY_ON_TYPING": Effect("Play on from here", "escape"),
        "SET_UP": Effect("Set up a position", ("escape", "?(1... d4c4)")), **CURSOR, **RECORD, **RULES}).all()


@test
def editor(bench):
    full = bench.full(columns=100, rows=18).expect("> Play now").keys("a").pick("Clobber 8x8").expect("Analysis of").keys("f8").expect("Set up a position")
    anew, side = ("?Analysis of", "f8"), Effect("(Black to move)", "tab")
    Walk(full, "IN_EDITOR", {
        "BACK": Effect("Analysis of", anew), "CHOOSE": Effect("Analysis of", anew), "CLICK": Effect("[●]", "p", thing="[■"),
        "UNDO": Effect("[ ]", ("escape", *anew)), "FLIP": Effect(back="\x06"),
        **CURSOR, **SIZE, **RULES, "LEFT": Effect(before="right"), "NEXT": side, "PREVIOUS": side}).all()


@test
def no_place_is_missing(_):
    walked = {f"IN_{function.__name__.upper()}" for function in test[:-1]}
    expect_that(walked == {place for row in ROWS for place in row.places}, walked)


if __name__ == "__main__":
    sys.exit(run_tests("test_every_key", test, at_once=len(test)))  # they mostly wait
