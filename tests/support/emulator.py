"""An xterm in memory that knows only what curses uses. Anything else is a failure, so that nothing
unknown passes for text."""

import re
import unicodedata

# The last kind resets the palette.
SEQUENCE = re.compile(r"\x1b(?:\[([?>]?)([0-9;]*)([@-~])|([()])([A-Z0-9])|([=>78MDEc])|\]104\a|\]2;([^\a]*)\a)")
PARTIAL = re.compile(r"\x1b(?:\[[?>]?[0-9;]*|[()]|\]1?0?4?|\]2;[^\a]*|\]2)?\Z")
# Modes without effect on the drawing: cursor keys, cursor, mouse and others.
QUIET_MODES = {"1", "4", "7", "12", "25", "1000", "1002", "1006", "1034", "2004"}


def width_of(letter):
    """The cells that a letter takes: marks and what joins letters take none, those of East Asia two."""
    if unicodedata.category(letter) in ("Mn", "Me", "Cf") and letter != "\u00ad":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


class Emulator:
    """A cell has a letter with its marks; the second one of a wide letter has ""."""

    def __init__(self, columns, rows):
        self.alternate = False
        self.cursor_shown = True
        self.mouse = self.pastes = False
        self.title, self.titles = "shell", []
        self.pending = ""
        self.bad = []          # unknown control characters and sequences
        self.attributes = ""
        self.last = " "
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.styles = [[""] * columns for _ in range(rows)]
        self.y = self.x = 0
        self.top, self.bottom = 0, rows - 1

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    # --- what comes ---

    def feed(self, text):
        text = self.pending + text
        partial = PARTIAL.search(text)
        self.pending = text[partial.start():] if partial else ""
        text = text[:partial.start()] if partial else text
        at = 0
        while at < len(text):
            match = SEQUENCE.match(text, at) if text[at] == "\x1b" else None
            if match:
                self.sequence(match)
                at = match.end()
            else:
                self.letter(text[at] if text[at] != "\x1b" else text[at:at + 8])
                at += 1

    def letter(self, letter):
        if letter == "\r":
            self.x = 0
        elif letter == "\n":
            self.line_feed()
        elif letter == "\b":
            self.x = max(0, self.x - 1)
        elif letter == "\t":
            self.x = min(self.columns - 1, self.x // 8 * 8 + 8)
        elif letter == "\a" or letter in "\x0e\x0f":
            pass
        elif ord(letter[0]) < 32 or 127 <= ord(letter[0]) < 160:
            self.bad.append(repr(letter))
        else:
            self.put(letter)

    def put(self, letter):
        width = width_of(letter)
        if width == 0:
            self.mark(letter)
            return
        if self.x + width > self.columns:
            self.x = 0
            self.line_feed()
        for cell in letter, "":
            if cell or width == 2:
                self.clear(self.y, self.x)
                self.cells[self.y][self.x] = cell
                self.styles[self.y][self.x] = self.attributes
                self.x += 1
        self.last = letter

    def mark(self, letter):
        """Adds a mark to the letter before the cursor."""
        x = self.x - 1
        while x > 0 and self.cells[self.y][x] == "":
            x -= 1
        if x >= 0:
            self.cells[self.y][x] += letter

    def clear(self, y, x):
        """Makes room in a cell: of a wide letter that has it, the other half goes, too."""
        row = self.cells[y]
        if row[x] == "":
            row[x - 1] = " "
        elif x + 1 < self.columns and row[x + 1] == "":
            row[x + 1] = " "
        row[x] = " "

    def column(self, y, index):
        """The column of the letter that has this index in a line of text()."""
        x = 0
        while x < self.columns and index >= len(self.cells[y][x]):
            index -= len(self.cells[y][x])
            x += 1
        return x

    def line_feed(self):
        if self.y == self.bottom:
            self.scroll(1)
        else:
            self.y = min(self.rows - 1, self.y + 1)

    def scroll(self, count):
        for _ in range(abs(count)):
            old, new = (self.top, self.bottom) if count > 0 else (self.bottom, self.top)
            for grid, blank in ((self.cells, " "), (self.styles, "")):
                del grid[old]
                grid.insert(new, [blank] * self.columns)

    # --- sequences ---

    def sequence(self, match):
        private, numbers, final, _, _, single, title = match.groups()
        if single == "M":
            self.reverse_feed()
        elif single == "c":
            self.resize(self.columns, self.rows)
        elif title is not None:
            self.title = title
        elif numbers == "22;2" and final == "t":
            self.titles.append(self.title)
        elif numbers == "23;2" and final == "t":
            self.title = self.titles.pop()
        elif final is not None:
            self.control(private, numbers, final)

    def reverse_feed(self):
        if self.y == self.top:
            self.scroll(-1)
        else:
            self.y = max(0, self.y - 1)

    def control(self, private, numbers, final):
        words = [int(word) if word else 0 for word in numbers.split(";")]
        first = words[0] or 1
        second = words[1] if len(words) > 1 and words[1] else 1
        if private:
            if final in "hl":
                for word in numbers.split(";"):
                    self.mode(word, final == "h")
            elif final not in "mc":
                self.bad.append(private + numbers + final)
            return
        if final in "ABCDGdHf":
            self.move(final, first, second)
        elif final in "JK":
            self.erase(final, words[0])
        elif final in "@PXLMSTb":
            self.edit(final, first)
        elif final == "m":
            self.attributes = "" if numbers in ("", "0") else self.attributes + numbers + "m"
        elif final == "r":
            self.top = first - 1
            self.bottom = (words[1] if len(words) > 1 and words[1] else self.rows) - 1
        elif final not in "hltcn":
            self.bad.append(numbers + final)

    def mode(self, word, on):
        if word in ("1049", "47", "1047"):
            self.alternate = on
            if on:
                self.resize(self.columns, self.rows)
        elif word not in QUIET_MODES:
            self.bad.append("?" + word)
        if word == "25":
            self.cursor_shown = on
        if word == "1000":
            self.mouse = on
        if word == "2004":
            self.pastes = on

    def move(self, final, first, second):
        if final == "A":
            self.y -= first
        elif final == "B":
            self.y += first
        elif final == "C":
            self.x += first
        elif final == "D":
            self.x -= first
        elif final == "G":
            self.x = first - 1
        elif final == "d":
            self.y = first - 1
        else:
            self.y, self.x = first - 1, second - 1
        self.y = max(0, min(self.rows - 1, self.y))
        self.x = max(0, min(self.columns - 1, self.x))

    def blank(self, y, start, end):
        for x in range(start, min(end, self.columns)):
            self.clear(y, x)
            self.styles[y][x] = self.attributes

    def erase(self, final, how):
        at = min(self.x, self.columns - 1)
        self.blank(self.y, at if how == 0 else 0, at + 1 if how == 1 else self.columns)
        if final == "K":
            return
        rows = range(self.y + 1, self.rows) if how == 0 else range(self.y)
        for y in range(self.rows) if how in (2, 3) else rows:
            self.blank(y, 0, self.columns)

    def edit(self, final, count):
        if final == "b":
            for _ in range(count):
                self.put(self.last)
            return
        if final == "X":
            self.blank(self.y, self.x, self.x + count)
            return
        if final in "ST":
            self.scroll(count if final == "S" else -count)
            return
        if final in "LM":
            top, self.top = self.top, self.y
            self.scroll(-count if final == "L" else count)
            self.top = top
            return
        for x in (self.x,) if final == "@" else (self.x, self.x + count):
            if x < self.columns and self.cells[self.y][x] == "":
                self.clear(self.y, x)  # no half of a wide letter moves, or stays
        for grid, blank in ((self.cells, " "), (self.styles, "")):
            row, old = grid[self.y], [blank] * count
            if final == "@":
                row[self.x:self.x] = old
                if grid is self.cells and row[self.columns] == "":
                    row[self.columns - 1] = blank
                del row[self.columns:]
            else:
                del row[self.x:self.x + count]
                row.extend([blank] * (self.columns - len(row)))
