"""Groups the sources of each room into units, which are compiled at once: compiling each file by itself takes twice the
time. Files are apart where two mean different things by a name, or one and the C library.

usage: python3 units.py FOLDER FILE.c...
Writes the units below FOLDER, and prints for make which object each FILE.c is in."""
import ctypes
import functools
import os
import re
import sys

LIBRARY = ctypes.CDLL(None)
FILES_MAX = 20  # of a unit: whoever changes one of them waits for all
UNSEEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
INCLUDE = re.compile(r'^#\s*include\s+"([^"]+)"', re.M)
DIRECTIVE = re.compile(r"^(?:#(?:\\\n|[^\n])*|extern [^;]*;)", re.M)
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
        headers = [read(path) for pair in places for path in list(filter(os.path.exists, pair))[:1]]
        text = UNSEEN.sub(" ", text)
        code = DIRECTIVE.sub("", text)
        enumerators = {word for body in ENUM.findall(code) for word in WORD.findall(body)}
        self.path = path
        self.words = set(WORD.findall(text))
        self.included = set().union(*(header.names | header.included for header in headers))
        self.macros = set(MACRO.findall(text)) - self.included
        self.names = set(NAME.findall(at_file_level(code))) - {"enum", "struct", "union"}
        self.names = (self.names | self.macros | enumerators) - self.included
        self.has_name_of_library = path.endswith(".c") and any(hasattr(LIBRARY, name) for name in self.names - {"main"})

    def disturbs(self, other):
        return self.names & (other.names | other.included) or self.macros & other.words


read = functools.lru_cache(maxsize=None)(Source)


def fits(source, unit):
    return not unit or (len(unit) < FILES_MAX and not source.has_name_of_library and
                        not any(other.has_name_of_library or source.disturbs(other) or other.disturbs(source)
                                for other in unit))


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
        room = "/".join(os.path.dirname(path).split("/")[:2])
        while not fits(source, units.get((room, number), ())):
            number += 1
        units.setdefault((room, number), []).append(source)
    for (room, number), sources in units.items():
        unit = f"{room}/unit{number}"
        write(f"{sys.argv[1]}/{unit}.c", "".join(f'#include "{source.path}"\n' for source in sources))
        for source in sources:
            print(f"object_of/{source.path} = {unit}")


main()
