#!/usr/bin/env python3
"""Packs the puzzles into a C file, so that no program needs their files at run time.

usage: pack.py FILE... >puzzle_texts.c     packs GAME.txt of each game; common/puzzle.h says what is in it
"""
import os
import sys


def main(paths):
    names = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    print('#include "common/puzzle.h"\n')
    for name, path in zip(names, paths):
        with open(path, encoding="ascii") as file:
            lines = [line for line in file.read().split("\n") if line and not line.startswith("#")]
        print(f"static const char *const {name}_lines[] = {{")
        for line in lines:
            assert '"' not in line and "\\" not in line, line
            print(f'    "{line}",')
        print("    NULL,\n};\n")
    print("const struct puzzle_file puzzle_files[] = {")
    for name in names:
        print(f'    {{"{name}", {name}_lines, (int)(sizeof {name}_lines / sizeof {name}_lines[0]) - 1}},')
    print("    {.game = NULL},\n};")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
