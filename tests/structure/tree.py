"""Includes and calls between the files of the project, from its sources and objects.

A module is a source file together with the header of its name, and is named by their path without
the ending: server/model/match. A header without a source file is a module, too.
"""
import os
import re
import subprocess

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")')
PRODUCT = ("common", "server", "client")  # the folders whose objects count
PROJECT = PRODUCT + ("tests",)


def module_of(path):
    return os.path.splitext(path)[0]


def program_of(path):
    return path.split("/")[0]


class Tree:
    """The project under `root`. Each object is taken from the first of `builds` that has it."""

    def __init__(self, root, builds):
        self.root, self.builds = root, builds
        self.files = sorted(self._find_files())
        self.product = [path for path in self.files if program_of(path) in PRODUCT]
        known = set(self.files)
        self.lines = {path: self._read(path) for path in self.files}
        self.includes = {path: self._includes(path, known) for path in self.files}

    def _find_files(self):
        for top in PROJECT:
            for folder, _, names in os.walk(os.path.join(self.root, top)):
                for name in names:
                    if name.endswith((".c", ".h")):
                        yield os.path.relpath(os.path.join(folder, name), self.root)

    def _read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read().splitlines()

    def lines_of(self, path):
        """Returns the lines of any file; none if there is no such file."""
        there = path in self.lines or os.path.exists(os.path.join(self.root, path))
        return self.lines.get(path) or (self._read(path) if there else [])

    def _includes(self, path, known):
        found = []
        for match in filter(None, map(INCLUDE.match, self.lines[path])):
            system, own = match.groups()
            beside = os.path.normpath(os.path.join(os.path.dirname(path), own)) if own else None
            found.append(f"<{system}>" if system else beside if beside in known else own)
        return found

    def reached(self, path):
        """Returns all headers that a file includes, directly or not: {header: the file that names it}."""
        seen, todo = {}, [path]
        while todo:
            file = todo.pop()
            for header in self.includes.get(file, ()):
                if header not in seen:
                    seen[header] = file
                    todo.append(header)
        return seen

    def include_arrows(self):
        """Returns {module: {included module: in which file}} for common/, server/ and client/."""
        arrows = {module_of(path): {} for path in self.product}
        for path in self.product:
            for header in self.includes[path]:
                if module_of(header) in arrows and module_of(header) != module_of(path):
                    arrows[module_of(path)].setdefault(module_of(header), f"in {os.path.basename(path)}")
        return arrows

    def objects(self):
        """Returns ({module: its object}, missing or outdated objects)."""
        objects, wrong = {}, []
        for path in self.product:
            if not path.endswith(".c"):
                continue
            places = [os.path.join(build, "obj", module_of(path) + ".o") for build in self.builds]
            there = next(filter(os.path.exists, places), None)
            if there is None:
                wrong.append(f"no object of {path} in {' or '.join(self.builds)}: build first")
            elif os.path.getmtime(there) < os.path.getmtime(os.path.join(self.root, path)):
                wrong.append(f"{there} is older than {path}: build first")
            else:
                objects[module_of(path)] = there
        return objects, wrong

    def symbols(self):
        """Returns ({symbol: modules that define it}, {module: symbols that it needs}, errors)."""
        objects, wrong = self.objects()
        defined, needed = {}, {module: set() for module in objects}
        if not objects:
            return defined, needed, wrong
        modules = {path: module for module, path in objects.items()}
        listing = subprocess.run(["nm", "-A", "-P", "-g", *modules], check=True, capture_output=True, text=True)
        for line in listing.stdout.splitlines():
            file, _, rest = line.partition(": ")
            name, kind = rest.split()[:2]
            if kind == "U":
                needed[modules[file]].add(name)
            elif kind in "TDBRC" and not name.startswith("__"):  # __ is the compiler's
                defined.setdefault(name, []).append(modules[file])
        return defined, needed, wrong

    @staticmethod
    def call_arrows(defined, needed):
        """Returns {module: {module that it calls or refers to: up to three of the symbols}}."""
        arrows = {module: {} for module in needed}
        for module, names in needed.items():
            for name in sorted(names & defined.keys()):
                arrows[module].setdefault(nearest(module, defined[name]), []).append(name)
        return {module: {other: ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
                         for other, names in others.items()} for module, others in arrows.items()}


def nearest(module, others):
    """Returns the module with the longest common path, of several that define a symbol."""
    return max(others, key=lambda other: len(os.path.commonprefix([module, other])))
