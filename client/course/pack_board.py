#!/usr/bin/env python3
"""Packs the board of the page for browsers into C, as `ludus course report` writes it beside its pages.

usage: pack_board.py WEB_DIR ENTRY.js STYLE.css >board_files.c

A report is opened from any web server, and from a folder without one, where browsers load no modules. So the module ENTRY and those
that it imports become one script: each is a function that returns what it exports. Each game's module is among them, whichever
there are; `show` of ENTRY gets their pictures by name. STYLE follows the style of the page.
"""
import glob
import os
import re
import sys

IMPORT = re.compile(r"^import (\{[^}]*\}) from '([^']+)';$", re.M)
EXPORT = re.compile(r"^export (async function|function|class|const) (\w+)", re.M)


class Bundle:
    def __init__(self):
        self.names, self.parts = {}, []

    def add(self, path):
        """Adds a module after those that it imports, and returns the name of what it exports."""
        path = os.path.normpath(path)
        if path in self.names:
            assert self.names[path], f"{path} imports itself"
            return self.names[path]
        self.names[path] = None
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = IMPORT.sub(lambda found: f"const {found[1].replace(' as ', ': ')} = "
                                        f"{self.add(os.path.join(os.path.dirname(path), found[2]))};", text)
        exported = [name for _, name in EXPORT.findall(text)]
        text = EXPORT.sub(r"\1 \2", text)
        left = re.search(r"^(import|export)\b.*|\bimport[.(].*", text, re.M)
        assert left is None, f"{path}: {left[0]} cannot be packed"
        self.names[path] = f"module{len(self.parts)}"
        self.parts.append(f"const {self.names[path]} = (() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}})();\n")
        return self.names[path]


def script_of(web, entry):
    bundle = Bundle()
    games = [path for path in sorted(glob.glob(os.path.join(web, "js", "games", "*.js"))) if os.path.basename(path) != "index.js"]
    pictures = [f"'{os.path.basename(path)[:-3]}': {bundle.add(path)}.pictures" for path in games]
    shown = bundle.add(entry)
    return "'use strict';\n{\n" + "".join(bundle.parts) + f"{shown}.show({{ {', '.join(pictures)} }});\n}}\n"


def array(name, text):
    data = text.encode() + b"\0"
    rows = [", ".join(map(str, data[i:i + 32])) for i in range(0, len(data), 32)]
    return f"const char {name}[] = {{\n" + ",\n".join(rows) + "\n};\n"


def main(web, entry, style):
    with open(os.path.join(web, "style.css"), encoding="utf-8") as page, open(style, encoding="utf-8") as own:
        styles = page.read() + own.read()
    print('#include "client/course/report_html.h"\n')
    print(array("report_script", script_of(web, entry)))
    print(array("report_style", styles))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
