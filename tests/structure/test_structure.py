"""Each rule of check_structure.py reports a planted offence.

usage: test_structure.py BUILD_DIR

The offences are planted in a temporary copy of the project whose files are links.
"""
import os
import subprocess
import sys
import tempfile

import check_structure as structure
from tree import Tree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S  # noqa: E402

BUILDS = [os.path.abspath(build) for build in sys.argv[1:]]
# For each rule on includes a header that breaks it.
BAD_INCLUDES = {
    "libevent": "<event2/event.h>", "libevent-extras": "<event2/http.h>", "openssl": "<openssl/ssl.h>",
    "sqlite": "<sqlite3.h>", "wslay": "<wslay/wslay.h>", "zlib": "<zlib.h>", "libpq": "<libpq-fe.h>",
    "qrencode": "<qrencode.h>", "curses": "<ncursesw/curses.h>", "sockets": "<netinet/in.h>",
    "cjson": "<cjson/cJSON.h>", "common-pure": "<sys/stat.h>",
    "match-json": '"common/json_text.h"', "games": "<unistd.h>", "match": "<time.h>", "clock": "<time.h>",
}

ABOVE = {"server/net/planted_above.c": "void planted_above(void) {}\n"}

# (rule, files to plant: {path: text}, part of the expected line). Source files are compiled. Each row
# gets its number after the word "planted".
PLANTS = [
    ("rooms", {"server/planted/planted.h": ""}, "server/planted/planted.h lies in no room"),
    ("includes-up",
     {"server/model/planted.h": '#include "server/play/planted_above.h"\n', "server/play/planted_above.h": ""},
     "server/play/ is above server/model/"),
    ("includes-up",
     {"client/ludus/talk/planted.h": '#include "client/ludus/cli/planted_above.h"\n', "client/ludus/cli/planted_above.h": ""},
     "client/ludus/cli/ is above client/ludus/talk/"),
    ("includes-up",
     {"server/model/planted.h": '#include "client/link/planted_there.h"\n', "client/link/planted_there.h": ""},
     "server/model/planted.h includes"),
    ("includes-up",
     {"client/bridge/planted.h": '#include "client/bot/planted_there.h"\n', "client/bot/planted_there.h": ""},
     "part of ludus-bridge, which has no"),
    ("calls-up",
     {"server/base/planted.c": "void planted_above(void);\nvoid planted(void) { planted_above(); }\n", **ABOVE},
     "(planted_above): in ludusd"),
    # A table of functions counts as calls do.
    ("calls-up",
     {"server/base/planted.c": "void planted_above(void);\nvoid (*planted[])(void) = {planted_above};\n", **ABOVE},
     "(planted_above): in ludusd"),
    ("include-circles",
     {"server/base/planted_a.h": '#include "planted_b.h"\n',
      "server/base/planted_b.c": "", "server/base/planted_b.h": '#include "server/base/planted_c.h"\n',
      "server/base/planted_c.h": "", "server/base/planted_c.c": '#include "planted_a.h"\n'},
     "-> server/base/planted_b (in planted_a.h) -> server/base/planted_c (in planted_b.h) ->"),
    ("call-circles",
     {"server/base/planted_a.c": "void planted_b(void);\nvoid planted_a(void) { planted_b(); }\n",
      "server/base/planted_b.c": "void planted_a(void);\nvoid planted_b(void) { planted_a(); }\n"},
     "server/base/planted_a -> server/base/planted_b (planted_b) -> server/base/planted_a (planted_a)"),
    ("folder-circles",
     {"server/base/planted/planted_x.h": '#include "server/base/planted_y.h"\n', "server/base/planted_y.h": "",
      "server/base/planted_z.h": '#include "server/base/planted/planted_x.h"\n'},
     "server/base -> server/base/planted"),
    ("structs-up",
     {"server/model/planted.h": "struct planted_above *planted;\n",
      "server/play/planted_above.h": "struct planted_above {\n    int x;\n};\n"},
     "server/model/planted.h names struct planted_above of server/play/planted_above.h"),
    ("libevent",
     {"server/play/planted.h": '#include "planted_through.h"\n',
      "server/play/planted_through.h": "#include <event2/event.h>\n"},
     "server/play/planted.h includes <event2/event.h> (through server/play/planted_through.h)"),
    ("memory",
     {"server/base/planted.c": "#include <stdlib.h>\nvoid *planted(void) { return malloc(9); }\n"},
     "server/base/planted.c calls malloc()"),
    ("time",
     {"server/model/planted.c": "#include <time.h>\nlong planted(void) { return time(0); }\n"},
     "server/model/planted.c calls time()"),
    ("games-effects", {"common/games/planted.h": "static inline void f(void) { puts(0); }\n"}, "puts(0)"),
    ("games-variables", {"common/games/planted.h": "static int planted;\n"}, "planted.h:1: static int planted;"),
    ("session-handles", {"server/model/planted.h": "static inline int f(void) { return planted->session->text; }\n"},
     "planted.h:1: static inline int f"),
    ("full-folder",
     {f"server/play/planted/a{n}.c": "" for n in range(structure.MODULES_IN_FOLDER + 1)},
     "server/play/planted/ holds 25 modules"),
    ("file-names", {"server/play/planted.h": "", "tests/fuzz/planted.h": ""},
     "server/play/planted and tests/fuzz/planted"),
    ("function-names",
     {"client/bot/planted_a.c": "void planted(void) {}\n", "client/bridge/planted_b.c": "void planted(void) {}\n"},
     "planted is defined in client/bot/planted_a and client/bridge/planted_b"),
]

# Allowed, although a careless checker might report it: a callback, an include in a comment.
HARMLESS = {
    "server/play/planted/planted_top.c": "void planted(void (*call)(void));\nvoid planted_back(void) {}\n"
                                         "void planted_go(void) { planted(planted_back); }\n",
    "server/play/planted/planted_top.h": '#include "server/model/planted/planted_low.h"\n',
    "server/model/planted/planted_low.c": '#include "server/model/planted/planted_low.h"\n'
                                          "void planted(void (*call)(void)) { call(); }\n",
    "server/model/planted/planted_low.h": "/* #include <event2/event.h> */\n",
    "client/ludus/lan/planted_socket.h": "#include <sys/socket.h>\n",
}


class Copy:
    """A copy of the project whose files are links. A context manager."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="ludus-structure-")
        self.root, self.build = self.folder.name, os.path.join(self.folder.name, "build")
        project = Tree(".", BUILDS)
        for path in {*project.files, *(path for path, *_ in structure.MUTANTS)}:
            self.link(os.path.abspath(path), path)
        for module, there in project.objects()[0].items():
            self.link(os.path.abspath(there), f"build/obj/{module}.o")
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def place(self, path):
        os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
        return os.path.join(self.root, path)

    def link(self, there, path):
        os.symlink(there, self.place(path))

    def plant(self, files):
        for path, text in files.items():
            self.plant_text(path, text)
        for path in files:
            if path.endswith(".c"):
                there = self.place(f"build/obj/{os.path.splitext(path)[0]}.o")
                subprocess.run([*os.environ.get("CC", "cc").split(), "-I.", "-c", path, "-o", there], cwd=self.root,
                               check=True, timeout=LIMIT_S)

    def remove(self, files):
        for path in files:
            os.remove(self.place(path))
            if path.endswith(".c"):
                os.remove(self.place(f"build/obj/{os.path.splitext(path)[0]}.o"))

    def append(self, path, text):
        """Adds text to a file and keeps it older than its object."""
        place = self.place(path)
        with open(place, encoding="utf-8") as file:
            text = file.read() + text
        os.remove(place)
        self.plant_text(path, text)
        os.utime(place, (0, 0))

    def plant_text(self, path, text):
        with open(self.place(path), "w", encoding="utf-8") as file:
            file.write(text)

    def offences(self):
        return structure.Checker(Tree(self.root, [self.build])).offences()


def news(before, after):
    """Returns the offences that were not there before: {rule: lines}, without rules that have none."""
    found = {rule: [line for line in lines if line not in before[rule]] for rule, lines in after.items()}
    return {rule: lines for rule, lines in found.items() if lines}


def with_copy(checks, case):
    with Copy() as copy:
        before = copy.offences()
        for rule, lines in before.items():
            checks.equal(lines, [], f"{rule} holds in the copy")
        case(checks, copy, before)


def expect(checks, found, rule, part):
    lines = found.get(rule, ())
    checks.check(any(part in line for line in lines), f"{rule} reports {part!r}", lines)


def number(text, row):
    return text.replace("planted", f"planted{row}")


def test_plants(checks):
    """Each row of PLANTS is reported by its rule."""
    def case(checks, copy, before):
        rows = [(rule, {number(path, n): number(text, n) for path, text in files.items()}, number(part, n))
                for n, (rule, files, part) in enumerate(PLANTS)]
        for _, files, _ in rows:
            copy.plant(files)
        found = news(before, copy.offences())
        for rule, _, part in rows:
            expect(checks, found, rule, part)
        for _, files, _ in rows:
            copy.remove(files)
        checks.equal(copy.offences(), before, "nothing is left when the plants are gone")
    with_copy(checks, case)


def test_includes(checks):
    """Each rule on includes reports a header that breaks it, in a file where the rule holds."""
    def case(checks, copy, before):
        product = Tree(copy.root, [copy.build]).product
        lines = {}
        for rule, header in BAD_INCLUDES.items():
            where, _, *exempt = {**structure.FORBIDDEN, **structure.ALLOWED}[rule]
            path = next(path for path in product if structure.fits(path, where)
                        and not structure.fits(path, "".join(exempt)))
            copy.append(path, f"#include {header}\n")
            lines[rule] = f"{path} includes {header.strip(chr(34))}"
        found = news(before, copy.offences())
        for rule, line in lines.items():
            expect(checks, found, rule, line)
    with_copy(checks, case)


def test_objects(checks):
    """Missing and outdated objects, and a missing file that the rules name."""
    def case(checks, copy, before):
        there = copy.place("build/obj/common/move.o")
        os.remove(there)
        expect(checks, news(before, copy.offences()), "objects", "no object of common/move.c")
        copy.plant_text("build/obj/common/move.o", "")
        os.utime(there, (0, 0))
        expect(checks, news(before, copy.offences()), "objects", "older than common/move.c")
        clock = structure.ALLOWED["clock"][0]
        copy.remove([path for path in Tree(copy.root, []).product if structure.fits(path, clock)])
        expect(checks, news(before, copy.offences()), "names", f"{clock} is named")
    with_copy(checks, case)


def test_harmless(checks):
    """The program accepts what is allowed. Given an offence, it prints a line and fails."""
    def case(checks, copy, before):
        copy.plant(HARMLESS)
        checks.equal(news(before, copy.offences()), {}, "harmless plants")
        checks.equal(run_checker(copy.root, copy.build).returncode, 0, "exit status without an offence")
        copy.plant({"server/play/planted.h": "#include <sqlite3.h>\n"})
        ended = run_checker(copy.root, copy.build)
        checks.check("sqlite: server/play/planted.h includes <sqlite3.h>" in ended.stdout, "its line", ended.stdout)
        last = ended.stdout.splitlines()[-1]
        checks.check(last.startswith("check_structure: ") and last.endswith(" passed, 1 failed"), "last line", last)
        checks.equal(ended.returncode, 1, "exit status with an offence")
        checks.equal(run_checker(copy.root, copy.root).returncode, 1, "exit status without objects")
    with_copy(checks, case)


def run_checker(root, build):
    return subprocess.run([sys.executable, os.path.join(HERE, "check_structure.py"), build], cwd=root,
                          capture_output=True, text=True, timeout=LIMIT_S)


def test_faults(checks):
    """A second place for a fault of `make mutants`."""
    def case(checks, copy, before):
        path, text = structure.MUTANTS[0][:2]
        copy.append(path, f"/* {text} */\n")
        expect(checks, news(before, copy.offences()), "planted-faults", f"{path} has 2 places")
    with_copy(checks, case)


def test_every_rule(checks):
    tested = {rule for rule, _, _ in PLANTS} | BAD_INCLUDES.keys() | {"objects", "names", "planted-faults"}
    checks.equal(sorted(set(structure.rule_names()) - tested), [], "rules that no case sees fail")


if __name__ == "__main__":
    sys.exit(Checks("test_structure").run([test_plants, test_includes, test_objects, test_harmless, test_faults,
                                           test_every_rule]))
