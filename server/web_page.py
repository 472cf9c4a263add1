#!/usr/bin/env python3
"""Packs the page for browsers into a C file, so that ludusd needs no directory at run time.

usage: web_page.py DIR [LANGUAGES COMMON] >page_files.c     packs the files of a directory that need not exist, with a
                                                            table of sentences for each language

The server has each file at its own path, and in a folder that is named after the contents of all of them. index.html
names the files there: a browser keeps them for ever, and never mixes those of two versions. The modules name each other
by relative paths, so nothing in them is rewritten.
"""
import fnmatch
import gzip
import hashlib
import os
import re
import sys

from web_language import tables

TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".png": "image/png",
    ".ico": "image/x-icon", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
    ".wasm": "application/wasm", ".json": "application/json",
}


# A line with the name of any file, such as href="js/games/*.js", stands for a line with each of them.
ANY = re.compile(rb'^(.*")([^"*\n]+/\*\.\w+)(".*\n)', re.M)


def each_file(paths, row):
    names = sorted(path[1:] for path in paths if fnmatch.fnmatch(path[1:], row[2].decode()))
    return b"".join(row[1] + name.encode() + row[3] for name in names)


def files_of(top, languages=None, common=None):
    """Returns the path on the server, the type and the contents of each file, in a fixed order."""
    files = list(files_in(top))
    if languages:
        files += [(path, TYPES[".json"], data) for path, data in tables(top, languages, common)]
    paths = [path for path, _, _ in files]
    return [(path, kind, ANY.sub(lambda row: each_file(paths, row), data) if path == "/" else data)
            for path, kind, data in files]


def files_in(top):
    found = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
    for file in sorted(found):
        kind = TYPES.get(os.path.splitext(file)[1])
        path = "/" + os.path.relpath(file, top)
        if kind is None or any(part.startswith(".") for part in path.split("/")):
            continue
        with open(file, "rb") as opened:
            data = opened.read()
        yield "/" if path == "/index.html" else path, kind, data


def version_of(files):
    """Returns the name of the folder of these files."""
    total = hashlib.sha256()
    for path, _, data in files:
        total.update(f"{path} {len(data)}\n".encode() + data)
    return total.hexdigest()[:16]


def in_folder(index, folder, files):
    """Has index.html name the files in their folder."""
    named = {path[1:].encode() for path, _, _ in files}
    return re.sub(rb'( (?:src|href)=")([^"]+)', lambda row: row[1] + (folder.encode() + b"/" if row[2] in named else b"") + row[2], index)


def array(name, data):
    """Returns the definition of an array of bytes."""
    rows = [", ".join(map(str, data[i:i + 32])) for i in range(0, len(data), 32)]
    return f"static const unsigned char {name}[] = {{\n" + ",\n".join(rows or ["0"]) + "\n};\n"


def main(top, *texts):
    arrays, rows = [], []
    files = files_of(top, *texts)
    version = version_of(files)
    for number, (path, kind, data) in enumerate(files):
        if path == "/":
            data = in_folder(data, version, files)
        packed = gzip.compress(data, 9, mtime=0)
        if len(packed) >= len(data):
            packed = b""
        arrays += [array(f"plain_{number}", data), array(f"packed_{number}", packed)]
        rows.append(f'    {{"{path}", "{kind}", "{hashlib.sha256(data).hexdigest()[:32]}", '
                    f"plain_{number}, {len(data)}, packed_{number}, {len(packed)}}},\n")
    print('#include "server/net/http.h"\n')
    print("\n".join(arrays))
    print(f'const char page_version[] = "{version}";\n')
    print("const struct page_file page_files[] = {\n" + "".join(rows) + "    {0},\n};")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
