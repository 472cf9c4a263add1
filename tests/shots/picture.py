"""Draws the screen of an emulator (tests/support/emulator.py) as SVG.

Cells keep their places with any font: lines and plain symbols are shapes, letters are runs of a given
length, and other symbols are centred in their cells.
"""

import html
import re

WIDTH, HEIGHT, SIZE = 9, 18, 15   # of a cell, and of its letters
MARGIN = 12
# The terminal's own colours: background, text and bold text.
DARK = ("#1a1c22", "#d4d4d4", "#ffffff")
LIGHT = ("#fcfcf8", "#303030", "#000000")

# The ends of a cell that a line reaches: left, right, up, down.
LINES = {"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "rud",
         "┤": "lud", "┬": "lrd", "┴": "lru", "┼": "lrud"}
# Bits of the quarters that a block fills: top left, top right, bottom left, bottom right.
BLOCKS = {letter: bits for bits, letter in enumerate(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█") if letter != " "}
SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}
# From the middle of a cell.
POLYGONS = {"◆": "m0-6l5 6l-5 6l-5-6", "▲": "m0-5l5 10h-10", "▼": "m0 5l5-10h-10", "■": "m-4.5-4.5h9v9h-9"}
SYSTEM = ("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
          "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff")


def colour(number):
    """Returns one of xterm's 256 colours."""
    if number < 16:
        return SYSTEM[number]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = (0, 95, 135, 175, 215, 255)
    number -= 16
    return "#" + "".join(f"{levels[number // by % 6]:02x}" for by in (36, 6, 1))


class Style:
    """The style of a cell, from its escape sequences in the emulator."""

    def __init__(self, sequences, terminal):
        paper, ink, strong = terminal
        self.ink = self.paper = None
        self.bold = self.dim = self.underlined = self.reverse = False
        for sequence in sequences.split("m")[:-1]:
            words = [int(word) if word else 0 for word in sequence.split(";")]
            while words:
                self.take(words)
        if self.reverse:
            self.ink, self.paper = self.paper or paper, self.ink or ink
        self.ink = self.ink or (strong if self.bold else ink)

    def take(self, words):
        word = words.pop(0)
        if word in (38, 48):
            value = colour(words[1])
            del words[:2]
            self.ink, self.paper = (value, self.paper) if word == 38 else (self.ink, value)
        elif word == 0:
            self.ink = self.paper = None
            self.bold = self.dim = self.underlined = self.reverse = False
        elif word in (39, 49):
            self.ink, self.paper = (None, self.paper) if word == 39 else (self.ink, None)
        elif 30 <= word <= 37:
            self.ink = colour(word - 30)
        elif 40 <= word <= 47:
            self.paper = colour(word - 40)
        elif word in (1, 2, 4, 7):
            setattr(self, {1: "bold", 2: "dim", 4: "underlined", 7: "reverse"}[word], True)
        elif word in (22, 24, 27):
            for name in {22: ("bold", "dim"), 24: ("underlined",), 27: ("reverse",)}[word]:
                setattr(self, name, False)


def place(x, y):
    """Returns the top left corner of a cell."""
    return MARGIN + x * WIDTH, MARGIN + y * HEIGHT


def papers(emulator, styles):
    """Returns the background rectangles, one for each run."""
    for y, row in enumerate(styles):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end].paper == row[x].paper:
                end += 1
            if row[x].paper:
                left, top = place(x, y)
                yield (f'<rect x="{left}" y="{top}" width="{(end - x) * WIDTH}" height="{HEIGHT}" '
                       f'fill="{row[x].paper}"/>')
            x = end


def lines(emulator, styles):
    """Draws all lines of a colour as one path."""
    paths = {}
    for y, row in enumerate(emulator.cells):
        for x, letter in enumerate(row):
            left, top = place(x, y)
            middle, centre = left + WIDTH / 2, top + HEIGHT / 2
            ends = {"l": f"M{left} {centre:g}H{middle:g}", "r": f"M{middle:g} {centre:g}h{WIDTH / 2:g}",
                    "u": f"M{middle:g} {top}V{centre:g}", "d": f"M{middle:g} {centre:g}v{HEIGHT // 2}"}
            for end in LINES.get(letter, ""):
                paths.setdefault(styles[y][x].ink, []).append(ends[end])
    for ink, parts in paths.items():
        yield f'<path d="{joined(parts)}" stroke="{ink}" fill="none"/>'


def joined(parts):
    """Joins pieces of lines that continue each other."""
    flat, upright = {}, {}
    for part in parts:
        x, y, kind, to = re.match(r"M(\S+) (\S+?)([HhVv])(\S+)", part).groups()
        x, y, to = float(x), float(y), float(to)
        start, end = (x, to if kind == "H" else x + to) if kind in "Hh" else (y, to if kind == "V" else y + to)
        runs = (flat if kind in "Hh" else upright).setdefault(y if kind in "Hh" else x, [])
        if runs and runs[-1][1] == start:
            runs[-1][1] = end
        else:
            runs.append([start, end])
    return "".join(f"M{a:g} {y:g}H{b:g}" for y, runs in flat.items() for a, b in runs) + \
        "".join(f"M{x:g} {a:g}V{b:g}" for x, runs in upright.items() for a, b in runs)


def blocks(letter, left, top, style):
    """Draws the quarters of a cell that a block fills."""
    half_x, half_y = WIDTH / 2, HEIGHT / 2
    corners = ((left, top), (left + half_x, top), (left, top + half_y), (left + half_x, top + half_y))
    parts = "".join(f"M{x:g} {y:g}h{half_x:g}v{half_y:g}h-{half_x:g}z"
                    for bit, (x, y) in enumerate(corners) if BLOCKS[letter] >> bit & 1)
    return f'<path d="{parts}" fill="{style.ink}" shape-rendering="crispEdges"/>'


def shape(letter, left, top, style):
    """Returns the shape of a plain symbol, or None for a letter."""
    x, y = left + WIDTH / 2, top + HEIGHT / 2
    if letter in BLOCKS:
        return blocks(letter, left, top, style)
    if letter in SHADES:
        return (f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="{style.ink}" '
                f'opacity="{SHADES[letter]}"/>')
    if letter == "●":
        return f'<circle cx="{x:g}" cy="{y:g}" r="5.3" fill="{style.ink}"/>'
    if letter in POLYGONS:
        return f'<path d="M{x:g} {y:g}{POLYGONS[letter]}z" fill="{style.ink}"/>'
    return None


def attributes(style):
    return f'fill="{style.ink}"' + (' font-weight="bold"' if style.bold else "") + \
        (' opacity=".6"' if style.dim else "") + \
        (' text-decoration="underline"' if style.underlined else "")


def text(left, top, letters, style):
    base = top + 13
    if ord(letters[0]) > 127:
        return (f'<text x="{left + WIDTH / 2:g}" y="{base + 0.5}" text-anchor="middle" font-size="17" '
                f'{attributes(style)}>{letters}</text>')
    length = f' textLength="{len(letters) * WIDTH}"' if len(letters) > 1 else ""
    return f'<text x="{left}" y="{base}"{length} {attributes(style)}>{html.escape(letters)}</text>'


def letters(emulator, styles):
    """Yields words in runs of one style, joined by single spaces."""
    for y, row in enumerate(emulator.cells):
        x = 0
        while x < len(row):
            left, top = place(x, y)
            drawn = shape(row[x], left, top, styles[y][x])
            if drawn:
                yield drawn
            run = "" if drawn else run_at(row, styles[y], x)
            if run:
                yield text(left, top, run, styles[y][x])
            x += max(1, len(run))


def run_at(row, styles, x):
    if row[x] == " " or row[x] in LINES:
        return ""
    if ord(row[x]) > 127:
        return row[x]
    end = x
    while end < len(row) and styles[end] is styles[x] and ord(row[end]) < 128 and \
            row[end:end + 2] != [" ", " "]:
        end += 1
    return "".join(row[x:end]).rstrip()


def styles_of(emulator, terminal):
    """Returns the styles of all cells, with one object for equal looks."""
    read, known = {}, {}
    for sequences in {cell for row in emulator.styles for cell in row}:
        style = Style(sequences, terminal)
        read[sequences] = known.setdefault(tuple(vars(style).items()), style)
    return [[read[cell] for cell in row] for row in emulator.styles]


def draw(emulator, title, terminal=DARK):
    """Returns the picture as text."""
    styles = styles_of(emulator, terminal)
    width, height = (2 * MARGIN + emulator.columns * WIDTH, 2 * MARGIN + emulator.rows * HEIGHT)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="monospace" font-size="{SIZE}">',
             f"<title>{html.escape(title)}</title>",
             "<style>rect { shape-rendering: crispEdges }</style>",  # no seams between rows at other sizes
             f'<rect width="{width}" height="{height}" rx="8" fill="{terminal[0]}"/>']
    for layer in (papers, lines, letters):
        parts.extend(layer(emulator, styles))
    return "\n".join(parts) + "\n</svg>\n"
