#!/usr/bin/env python3
"""Packs files of lines into C, so that no program needs them at run time.

usage: pack.py TABLE [FILE...] >TABLE.c     writes `const struct packed_file TABLE[]`, see common/text.h
"""
import os
import sys


def main(table, paths):
    print('#include "common/text.h"\n')
    names = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    for number, path in enumerate(paths):
        with open(path, encoding="ascii") as file:
            lines = [line for line in file.read().split("\n") if line and not line.startswith("#")]
        print(f"static const char *const lines_{number}[] = {{")
        for line in lines:
            assert '"' not in line and "\\" not in line, line
            print(f'    "{line}",')
        print("    NULL,\n};\n")
    print(f"extern const struct packed_file {table}[];\nconst struct packed_file {table}[] = {{")
    for number, name in enumerate(names):
        print(f'    {{"{name}", lines_{number}, (int)(sizeof lines_{number} / sizeof lines_{number}[0]) - 1}},')
    print("    {.name = NULL},\n};")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
