"""How far a reader has to walk: what one move visits in the server, and how the sources are cut.

usage: walk.py BUILD_DIR [--store] [--list]

For the move it builds a server with -finstrument-functions in BUILD_DIR/walk, seats two players at a match, and
follows one move from the socket to both of them: without a store, or with --store into one. --list names the
functions in turn. The names used elsewhere are those of the objects in BUILD_DIR.
"""
import argparse
import collections
import os
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Connection, Server
from tree import PRODUCT, Tree

TRACE = os.path.join(sys.path[0], "walk_trace.c")
MOVES = 7       # of which the one that visits the median number of functions counts: a timer may fire meanwhile
QUIET_S = 0.2   # after which a move has been told to everybody
SHORT_LINES = 8


# What one move visits.

def build_server(build):
    folder = os.path.join(build, "walk")
    subprocess.run(["make", "--no-print-directory", "-s", f"BUILD={folder}", "WERROR=",
                    "COUNT=-O0 -g -finstrument-functions", f"COUNT_LINK={TRACE}",
                    f"{folder}/ludusd"], check=True, stdout=subprocess.DEVNULL)
    return folder


class Trace:
    """What the server writes, see walk_trace.c."""

    def __init__(self, program, path):
        self.path, self.names = path, {}
        self.program = os.path.abspath(program)
        symbols = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout
        self.there = int(re.search(r"^(\w+) \w __cyg_profile_func_enter$", symbols, re.M).group(1), 16)

    def read_header(self):
        with open(self.path, "rb") as file:
            return struct.unpack("<QQ", file.read(16))

    def count(self):
        return self.read_header()[1]

    def between(self, begin, end):
        """Returns [(address in the program, whether it ends)]."""
        here, _ = self.read_header()
        with open(self.path, "rb") as file:
            file.seek(16 + 8 * begin)
            words = struct.unpack(f"<{end - begin}Q", file.read(8 * (end - begin)))
        return [((word >> 1) - here + self.there, bool(word & 1)) for word in words]

    def look_up(self, addresses):
        """Returns {address: (function, file)}."""
        addresses = sorted(addresses)
        told = subprocess.run(["addr2line", "-f", "-e", self.program, *map(hex, addresses)],
                              check=True, capture_output=True, text=True).stdout.splitlines()
        return {address: (name, os.path.relpath(place.rsplit(":", 1)[0]))
                for address, name, place in zip(addresses, told[::2], told[1::2])}


def play_moves(port, trace):
    """Plays at a table of two and returns the words of each move."""
    anna, bob = Connection(port, "anna"), Connection(port, "bob")
    number = anna.do("new clobber white=me black=open")["match"]
    bob.do(f"join {number}")
    anna.wait_for("state")
    moves = []
    for ply in range(MOVES):
        mover, other = (anna, bob) if ply % 2 == 0 else (bob, anna)
        move = mover.ask(f"moves {number}")["moves"][0]
        time.sleep(QUIET_S)
        begin = trace.count()
        mover.do(f"move {number} {move}")
        other.wait_for("state", ply=ply + 1)
        time.sleep(QUIET_S)
        moves.append(trace.between(begin, trace.count()))
    return moves


def follow(words, places):
    """Returns (files, functions, changes of file, deepest stack, [(depth, function, file)]). The file changes where
    a function begins that stands in another one than the function that began before it."""
    depth, deepest, visited = 0, 0, []
    for address, ends in words:
        depth = max(depth + (-1 if ends else 1), 0)
        if not ends:
            deepest = max(deepest, depth)
            visited.append((depth, *places[address]))
    files = [file for _, _, file in visited]
    changes = sum(file != before for before, file in zip(files, files[1:]))
    return len(set(files)), len({(name, file) for _, name, file in visited}), changes, deepest, visited


def measure_move(build, store):
    """Returns what follow() does of a move."""
    folder = build_server(build)
    with tempfile.TemporaryDirectory(prefix="ludus-walk-") as scratch:
        path = os.path.join(scratch, "trace")
        data = os.path.join(scratch, "store") if store else "none"
        with Server(folder, "--no-bots", "--data", data, environment={**os.environ, "LUDUS_WALK": path}) as server:
            trace = Trace(os.path.join(folder, "ludusd"), path)
            moves = play_moves(server.port, trace)
            places = trace.look_up({address for words in moves for address, _ in words})
    return sorted((follow(words, places) for words in moves), key=lambda way: way[1])[MOVES // 2]


# How the sources are cut.

class Function:
    def __init__(self, path, name, static, body):
        self.path, self.name, self.static, self.body = path, name, static, body


def without_comments(text):
    """Returns the text with comments blank, and texts and characters empty."""
    def blank(match):
        word = match.group()
        return re.sub(r"[^\n]", " ", word) if word.startswith("/") else word[0] * 2
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def functions_of(path, code):
    """Yields the functions of a file as clang-format leaves them: their braces stand in the first column."""
    begin = 0
    for at, line in enumerate(code):
        if line == "{":
            head = at
            while head > begin and code[head - 1].strip() and code[head - 1][0] not in "}#":
                head -= 1
            end = code.index("}", at)
            name = re.search(r"(\w+)\(", " ".join(code[head:at]))
            if name:
                body = sum(1 for inside in code[at + 1:end] if inside.strip())
                yield Function(path, name.group(1), "static" in code[head].split(), body)
            begin = end + 1


def read_sources():
    """Returns {path: its text} of what people wrote, and {path: its lines of code}."""
    texts, codes = {}, {}
    for path in Tree(".", []).product:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if not re.match(r"/\* (Made|Fitted) ", text):
            texts[path] = text
            codes[path] = [line.rstrip() for line in without_comments(text).split("\n")]
    return texts, codes


def called_once(functions, codes):
    """Returns the functions that have one call and no other use: a static one in its file, another one anywhere."""
    uses, calls = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for path, code in codes.items():
        for line in code:
            if line.startswith("#"):
                continue
            for match in re.finditer(r"\b([A-Za-z_]\w*)\b(\()?", line):
                declares = line[0] not in " \t}" and match.group(2) and match.start() > 0
                if not declares:
                    uses[match.group(1)][path] += 1
                    calls[match.group(1)][path] += bool(match.group(2))
    for function in functions:
        where = [function.path] if function.static else list(codes)
        if sum(uses[function.name][path] for path in where) == 1 == sum(calls[function.name][path] for path in where):
            yield function


def share(part, whole):
    return f"{100 * part / whole:.0f} %"


def print_row(what, value):
    print(f"| {what} | {value} |")


def print_shape(build):
    texts, codes = read_sources()
    functions = [function for path, code in codes.items() for function in functions_of(path, code)]
    lines = {path: text.count("\n") for path, text in texts.items()}
    modules = collections.Counter()
    for path, count in lines.items():
        modules[os.path.splitext(path)[0]] += count
    code_lines = sum(bool(line.strip()) for code in codes.values() for line in code)
    short = [function for function in called_once(functions, codes) if function.body <= SHORT_LINES]
    print_row("hand-written lines of " + ", ".join(PRODUCT), sum(lines.values()))
    for top in PRODUCT:
        print_row(f"… of {top}", sum(count for path, count in lines.items() if path.startswith(top + "/")))
    print_row("modules", len(modules))
    print_row("lines a module, with its header: mean, median",
              f"{statistics.mean(modules.values()):.0f}, {statistics.median(modules.values()):.0f}")
    sources = [count for path, count in lines.items() if path.endswith(".c")]
    print_row("lines a source file: mean, median", f"{statistics.mean(sources):.0f}, {statistics.median(sources):.0f}")
    print_row("functions", len(functions))
    print_row("median body of a function, in lines", statistics.median(function.body for function in functions))
    print_row("share of code lines inside functions", share(sum(function.body for function in functions), code_lines))
    print_row(f"functions called once and of at most {SHORT_LINES} lines",
              f"{len(short)}, {share(len(short), len(functions))}")
    defined, needed, wrong = Tree(".", [build]).symbols()
    if wrong:
        sys.exit(wrong[0])
    users = collections.Counter(name for names in needed.values() for name in names)
    one = sum(users[name] == 1 for name in defined)
    print_row("public names", len(defined))
    print_row("… used by one other file", f"{one}, {share(one, len(defined))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    files, functions, changes, deepest, visited = measure_move(options.build, options.store)
    if options.list:
        for depth, name, file in visited:
            print(f"{'  ' * depth}{name}  {file}")
    print("| one move, from the socket to both players" + (", into a store |" if options.store else " |") + " |")
    print("|---|---|")
    print_row("files", files)
    print_row("functions", functions)
    print_row("changes of file", changes)
    print_row("deepest stack", deepest)
    print_shape(options.build)


if __name__ == "__main__":
    main()
