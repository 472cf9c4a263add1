"""Groups the sources of each folder into units, which are compiled at once: compiling each file by itself takes twice the
time. Where two files mean different things by a name, they are in different units.

usage: python3 units.py FOLDER FILE.c...
Writes the units below FOLDER, and prints for make which object each FILE.c is in."""
import functools
import os
import re
import sys

UNSEEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
INCLUDE = re.compile(r'^#\s*include\s+"([^"]+)"', re.M)
DIRECTIVE = re.compile(r"^#(?:\\\n|[^\n])*", re.M)
MACRO = re.compile(r"^#\s*define\s+(\w+)", re.M)
ENUM = re.compile(r"\benum\b[^{};()]*\{([^}]*)\}")
WORD = re.compile(r"[A-Za-z_]\w*")
NAME = re.compile(r"([A-Za-z_]\w*)\s*[\[({=;,]")


def at_file_level(text):
    """Returns the text without what is in braces or parentheses."""
    level, kept = 0, []
    for part in re.split(r"([(){}])", text):
        if level == 0:
            kept.append(part)
        level += (part in ("(", "{")) - (part in (")", "}"))
    return "".join(kept)


class Source:
    """A file: the names that it declares, of which `macros` are its macros, those that it gets from the headers of the
    project, and all words in it."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        places = [[os.path.join(os.path.dirname(path), name), name] for name in INCLUDE.findall(text)]
        headers = [read(next(filter(os.path.exists, pair))) for pair in places]
        text = UNSEEN.sub(" ", text)
        code = DIRECTIVE.sub("", text)
        enumerators = {word for body in ENUM.findall(code) for word in WORD.findall(body)}
        self.path = path
        self.words = set(WORD.findall(text))
        self.included = set().union(*(header.names | header.included for header in headers))
        self.macros = set(MACRO.findall(text)) - self.included
        self.names = set(NAME.findall(at_file_level(code))) - {"enum", "struct", "union"}
        self.names = (self.names | self.macros | enumerators) - self.included

    def disturbs(self, other):
        return self.names & (other.names | other.included) or self.macros & other.words


read = functools.lru_cache(maxsize=None)(Source)


def write(path, text):
    """Leaves a file alone that has this text already, so that make does not compile it again."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    units = {}
    for path in sorted(sys.argv[2:]):
        source, number = read(path), 1
        while any(source.disturbs(other) or other.disturbs(source)
                  for other in units.get((os.path.dirname(path), number), ())):
            number += 1
        units.setdefault((os.path.dirname(path), number), []).append(source)
    for (folder, number), sources in units.items():
        unit = f"{folder}/unit{number}"
        write(f"{sys.argv[1]}/{unit}.c", "".join(f'#include "{source.path}"\n' for source in sources))
        for source in sources:
            print(f"object_of/{source.path} = {unit}")


main()
