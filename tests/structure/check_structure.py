#!/usr/bin/env python3
"""Checks how the parts of Ludus depend on each other: the tables below are the rules.

usage: check_structure.py [--all] [BUILD...]      checks every rule, prints the first offence of each
       check_structure.py --circles [BUILD...]    prints every circle with all its arrows

It reads the sources under the present directory and the objects under BUILD/obj. Each object is
taken from the first BUILD that has it; without BUILD, from build or else build/san.
"""
import functools
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, HERE + "/../tools")
from circles import chain, circles
from mutant_table import MUTANTS
from tree import PRODUCT, Tree, module_of, program_of

# The rooms of each program from the top down. A file includes and calls files of its own room and
# of rooms below it. An entry is a directory or one file; the longest that fits is the room of a file.
ROOMS = {
    "ludusd": "server/main.c server/boot/ server/net/ server/play/ server/keep/ server/wire/"
              " server/model/ server/tournament/ server/base/ common/",
    "ludus": "client/ludus/main.c client/ludus/cli/ client/ludus/screen/ client/ludus/screen/menu/"
             " client/ludus/screen/match/ client/ludus/screen/board/ client/ludus/screen/stage/ client/ludus/talk/"
             " client/ludus/term/ client/ludus/learn/ client/ludus/lan/ client/course/ client/games/ client/engine/ client/link/ common/",
    "ludus-bot": "client/bot/main.c client/gauntlet/ client/bot/ client/bot/search/"
                 " client/bot/clobber/ client/bot/base/ client/games/ client/seating/ client/engine/ client/link/ common/",
    "libludus": "client/library/ common/",
    "ludus-bridge": "client/bridge/ client/seating/ client/engine/ client/link/ common/",
}
PROGRAMS = {program: rooms.split() for program, rooms in ROOMS.items()}

# Below, a name with a slash at its end is a directory. Any other, such as server/clock, is a module
# of that program, whatever its room.

C_LIBRARY = r"<(assert|ctype|inttypes|limits|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings)\.h>"
SOCKETS = r"<(sys/(socket|un|epoll)|netinet/.*|arpa/.*|netdb|poll)(\.h)?>"

# rule: (where it holds, headers that must not be included there, modules that may nevertheless).
# Here and in ALLOWED, headers included through other headers of the project count, too.
FORBIDDEN = {
    "libevent": ("common/ server/ client/", r"<event.*>", "server/net/"),
    # Most bugs of libevent were found in these.
    "libevent-extras": ("common/ server/ client/", r"<event2/(http|dns|rpc).*>", ""),
    "openssl": ("common/ server/ client/", r"<openssl/.*>",
                "server/stream server/http client/tls"),
    "qrencode": ("common/ server/ client/", r"<qrencode\.h>", "common/qr_code"),
    "zlib": ("common/ server/ client/", r"<zlib\.h>", "server/board_png"),
    "wslay": ("common/ server/ client/", r"<wslay/.*>", "server/websocket"),
    "libpq": ("common/ server/ client/", r"<libpq.*>", "server/postgres_connect server/postgres_link"),
    "sqlite": ("common/ server/ client/", r"<sqlite3.*>", "server/sqlite"),
    "curses": ("common/ server/ client/", r"<(n?curses|ncursesw/.*|term)(\.h)?>", "client/ludus/screen/"),
    "sockets": ("common/ server/", SOCKETS,
                "server/net/ server/service server/postgres_connect server/postgres_link"),
    "common-pure": ("common/", r"<(time|sys/|unistd|fcntl|poll|signal|netdb|netinet|arpa).*>", ""),
    # Programs that only write JSON need no tree of it.
    "cjson": ("common/ server/", r"<cjson/.*>", ""),
    "match-json": ("server/match", r"common/json_text\.h", ""),
}

# rule: (where it holds, the only headers that may be included there)
ALLOWED = {
    "games": ("common/games/", r"common/.*|" + C_LIBRARY),
    "match": ("server/match", r"common/.*|server/(.*/)?(match|clock|status)\.h|" + C_LIBRARY),
    "clock": ("server/clock", r"common/.*|server/(.*/)?clock\.h|" + C_LIBRARY),
}

# rule: (where it holds, functions that must not be called there, modules that may nevertheless)
UNCALLED = {
    "memory": ("common/ server/ client/", "malloc calloc realloc reallocarray strdup strndup",
               "common/xmalloc"),
    "time": ("common/ server/", "time clock_gettime gettimeofday timespec_get",
             "server/stream server/log server/tally"),
}

# rule: (where it holds, a pattern that no line of code may match there, lines that may nevertheless)
UNWRITTEN = {
    "games-effects": ("common/games/",
                      r"(^|[^a-z_])(malloc|calloc|realloc|free|strdup|f?printf|f?puts|putchar|fopen|read|write"
                      r"|time|rand|getenv)[(]", None),
    "games-variables": ("common/games/", r"^([ \t]*static |[a-z])[^(]*[;=]",
                        r"(^|[^a-z_])(const|enum|typedef)[ \t]"),
    # Rooms below play/ keep sessions as handles, and look into none.
    "session-handles": ("server/keep/ server/wire/ server/model/ server/base/", r"session->", None),
}

COMMENT = re.compile(r"[ \t]*(/?\*|//|#[ \t]*include)")

MODULES_IN_FOLDER = 24

# Folders that count as a part of another one: a game uses positions and moves, PGN the list of games; a command
# settles and announces, and the server has the list of commands.
JOINED_FOLDERS = {"common/games": "common", "server/play/commands": "server/play"}

# struct: where it may be named, although a room above defines it. The model keeps who sits where for play/, which
# alone looks into a session.
NAMED_UP = {"session": "server/model/ server/unit"}
STRUCT = re.compile(r"\bstruct (\w+)")
DEFINED_STRUCT = re.compile(r"^(?:static )?(?:const )?struct (\w+) \{")


@functools.cache
def fits(path, names):
    """Returns whether a file is in one of the directories, or belongs to one of the modules."""
    for name in names.split():
        if name.endswith("/"):
            if path.startswith(name):
                return True
        elif program_of(path) == program_of(name) and \
                os.path.basename(module_of(path)) == os.path.basename(name):
            return True
    return False


@functools.cache
def room_of(path, program):
    """Returns the place of a file's room in a program, from 0 at the top; None outside the program."""
    module = module_of(path) + ".c"
    fitting = [(len(room), place) for place, room in enumerate(PROGRAMS[program])
               if module == room or room.endswith("/") and module.startswith(room)]
    return max(fitting)[1] if fitting else None


def goes_up(path, other):
    """Returns why a file must not depend on another, or None."""
    for program, rooms in PROGRAMS.items():
        place, target = room_of(path, program), room_of(other, program)
        if place is not None and target is not None and target < place:
            return f"in {program} {rooms[target]} is above {rooms[place]}"
        if place is not None and target is None and room_somewhere(other):
            return f"{rooms[place]} is part of {program}, which has no {other}"
    if program_of(other) not in (program_of(path), "common"):
        return f"{program_of(path)}/ knows common/ and itself only"
    return None


def room_somewhere(path):
    return any(room_of(path, program) is not None for program in PROGRAMS)


def folder_of(path):
    folder = os.path.dirname(path)
    return JOINED_FOLDERS.get(folder, folder)


class Checker:
    """Each method named rule_... yields offences as (rule, line)."""

    def __init__(self, tree):
        self.tree = tree
        self.includes = tree.include_arrows()
        self.defined, self.needed, self.wrong_objects = tree.symbols()
        self.calls = tree.call_arrows(self.defined, self.needed)
        self.reached = {path: tree.reached(path) for path in tree.product}

    def offences(self):
        """Returns {rule: offences}, with empty lists for rules that hold."""
        found = {rule: [] for rule in rule_names()}
        for method in (getattr(self, name) for name in dir(self) if name.startswith("rule_")):
            for rule, line in method():
                found[rule].append(line)
        return found

    def rule_objects(self):
        for line in self.wrong_objects:
            yield "objects", line

    def rule_names(self):
        """Names in the tables must exist, or their rules would silently hold."""
        tables = list(ROOMS.values())
        for table in (FORBIDDEN, ALLOWED, UNCALLED):
            tables += [part for row in table.values() for part in (row[0], row[-1]) if part]
        for name in sorted({name for names in tables for name in names.split() if "<" not in name}):
            if not any(fits(path, name) or path == name for path in self.tree.product):
                yield "names", f"{name} is named in the rules but does not exist"

    def rule_rooms(self):
        for path in self.tree.product:
            if not room_somewhere(path):
                yield "rooms", f"{path} lies in no room"

    def rule_arrows(self):
        for path in self.tree.product:
            for header in self.tree.includes[path]:
                if header in self.reached and (why := goes_up(path, header)):
                    yield "includes-up", f'{path} includes "{header}": {why}'
        for module, others in self.calls.items():
            for other, symbols in others.items():
                if why := goes_up(module, other):
                    yield "calls-up", f"{module}.c calls {other}.c ({symbols}): {why}"

    def rule_circles(self):
        for members in circles(self.includes):
            yield "include-circles", f"{len(members)} modules: {chain(self.includes, members)}"
        for members in circles(self.calls):
            yield "call-circles", f"{len(members)} modules: {chain(self.calls, members)}"

    def rule_folders_in_circles(self):
        """A folder is not below a folder that is below it. The files with main() are above all."""
        arrows = {}
        for module, others in [*self.includes.items(), *self.calls.items()]:
            for other, why in others.items():
                place, target = folder_of(module), folder_of(other)
                arrows.setdefault(target, {})
                if os.path.basename(module) != "main" and place != target:
                    arrows.setdefault(place, {}).setdefault(target, f"{module} to {other}, {why}")
        for members in circles(arrows):
            yield "folder-circles", f"{len(members)} folders: {chain(arrows, members)}"

    def rule_structs(self):
        """A file names no struct that only rooms above it define, even where it needs no include for that."""
        places = {}
        for path in self.tree.product:
            for match in filter(None, map(DEFINED_STRUCT.match, self.tree.lines[path])):
                places.setdefault(match.group(1), set()).add(path)
        for path in self.tree.product:
            named = {name for line in self.tree.lines[path] if not COMMENT.match(line) for name in STRUCT.findall(line)}
            for name in sorted(named & places.keys()):
                if all(goes_up(path, other) for other in places[name]) and not fits(path, NAMED_UP.get(name, "")):
                    yield "structs-up", f"{path} names struct {name} of {', '.join(sorted(places[name]))}"

    def rule_faults(self):
        """The text of each fault that `make mutants` plants stands once in its file, and its tests exist."""
        tests = {os.path.basename(module_of(path)) for path in self.tree.files}
        for path, text, _, names in MUTANTS:
            count = "\n".join(self.tree.lines_of(path)).count(text.rstrip("\n"))
            if count != 1:
                yield "planted-faults", f"{path} has {count} places instead of one for {text!r}"
            for name in names.split():
                if not (os.path.exists(os.path.join(HERE, "..", name)) if name.endswith(".py") else name in tests):
                    yield "planted-faults", f"{name} does not exist, for {text!r} in {path}"

    def rule_includes(self):
        for path in self.tree.product:
            forbidden = [(rule, re.compile(what)) for rule, (where, what, exempt) in FORBIDDEN.items()
                         if fits(path, where) and not fits(path, exempt)]
            allowed = [(rule, re.compile(what)) for rule, (where, what) in ALLOWED.items() if fits(path, where)]
            for header, through in self.reached[path].items():
                way = "" if through == path else f" (through {through})"
                for rule in [rule for rule, what in forbidden if what.fullmatch(header)] + \
                        [rule for rule, what in allowed if not what.fullmatch(header)]:
                    yield rule, f"{path} includes {header}{way}"

    def rule_calls(self):
        for module, names in self.needed.items():
            for rule, (where, functions, exempt) in UNCALLED.items():
                if fits(module, where) and not fits(module, exempt):
                    for name in sorted(names & set(functions.split())):
                        yield rule, f"{module}.c calls {name}()"

    def rule_lines(self):
        for rule, (where, what, exempt) in UNWRITTEN.items():
            for path in (path for path in self.tree.product if fits(path, where)):
                for number, line in enumerate(self.tree.lines[path], 1):
                    if re.search(what, line) and not COMMENT.match(line) and \
                            not (exempt and re.search(exempt, line)):
                        yield rule, f"{path}:{number}: {line.strip()}"

    def rule_folders(self):
        count = {}
        for path in self.tree.product:
            if path.endswith(".c"):
                count[os.path.dirname(path)] = count.get(os.path.dirname(path), 0) + 1
        for folder, modules in sorted(count.items()):
            if modules > MODULES_IN_FOLDER:
                yield "full-folder", f"{folder}/ holds {modules} modules, {MODULES_IN_FOLDER} at most"

    def rule_doubles(self):
        names = {}
        for module in sorted({module_of(path) for path in self.tree.files}):
            names.setdefault(os.path.basename(module), []).append(module)
        for name, modules in names.items():
            game = sorted(map(os.path.dirname, modules)) == ["client/games", "common/games"]
            if len(modules) > 1 and name != "main" and not game:
                yield "file-names", f"{name} is the name of {' and '.join(modules)}"
        for name, modules in sorted(self.defined.items()):
            if len(modules) > 1 and name != "main":
                yield "function-names", f"{name} is defined in {' and '.join(sorted(modules))}"


def rule_names():
    return ["objects", "names", "rooms", "includes-up", "calls-up", "include-circles", "call-circles",
            "folder-circles", "structs-up", "planted-faults", *FORBIDDEN, *ALLOWED, *UNCALLED, *UNWRITTEN, "full-folder", "file-names", "function-names"]


def report(found, show_all):
    """Prints offences and the last line; returns the exit status."""
    for rule, lines in found.items():
        for line in lines if show_all else lines[:1]:
            more = f" (and {len(lines) - 1} more: --all)" if len(lines) > 1 and not show_all else ""
            print(f"{rule}: {line}{more}")
    failed = sum(bool(lines) for lines in found.values())
    passed = len(found) - failed
    print(f"check_structure: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def print_circles(checker):
    """Prints each circle with its shortest way round and all its arrows, as a guide to breaking it."""
    for kind, arrows in (("includes", checker.includes), ("calls", checker.calls)):
        found = circles(arrows)
        for top in PRODUCT:
            sizes = [len(members) for members in found if program_of(members[0]) == top]
            print(f"{top}/: {len(sizes)} circles by {kind}" + (f" of {sizes} modules" if sizes else ""))
        for members in found:
            print(f"\n{len(members)} modules by {kind}, the shortest way round:\n  {chain(arrows, members)}")
            for module in members:
                inside = [f"{other} ({arrows[module][other]})" if kind == "calls" else other
                          for other in sorted(arrows[module]) if other in members]
                print(f"  {module} -> {', '.join(inside)}")
        print()


def main(arguments):
    options = {word for word in arguments if word.startswith("-")}
    if not options <= {"--all", "--circles"}:
        sys.exit(__doc__)
    builds = [word for word in arguments if word not in options]
    if not builds:
        builds = [build for build in ("build", "build/san") if os.path.isdir(os.path.join(build, "obj"))][:1]
    if not builds:
        print("objects: neither build/obj nor build/san/obj exists: run make first")
        print("check_structure: 0 passed, 1 failed")
        return 1
    checker = Checker(Tree(".", builds))
    if "--circles" in options:
        print_circles(checker)
        return 0
    return report(checker.offences(), "--all" in options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
