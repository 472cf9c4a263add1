"""The man pages: well-formed, and consistent with --help and the server.

usage: test_manual.py BUILD_DIR
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tcp"))
from harness import Checks, LIMIT_S, Server, build_folder  # noqa: E402

BUILD = build_folder()
PAGES = {"ludus": "client/ludus.6", "ludus-bot": "client/bot/ludus-bot.6",
         "ludus-bridge": "client/bridge/ludus-bridge.6", "ludusd": "server/ludusd.8"}
CONFIGURATION = "server/ludusd.conf.5"
PROTOCOL = "server/ludus-protocol.7"
ALL_PAGES = [*PAGES.values(), CONFIGURATION, PROTOCOL]
NOT_IN_FILE = {"config", "check-config", "export", "help", "version"}


def read(path):
    with open(path) as file:
        return file.read()


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S,
                          stdin=subprocess.DEVNULL)


def help_text(*words):
    return run(os.path.join(BUILD, words[0]), *words[1:], "--help").stdout


def help_options(text):
    """Returns the options of a help text, as "--name" or "--name ARGUMENT"."""
    found = []
    for line in text.splitlines():
        if re.match(r" +--", line):
            left = re.split(r" {2,}", line.strip())[0]
            found += re.findall(r"--[a-z][a-z-]*(?: (?!--)[^ ]+)?", left)
    return sorted(found)


def subcommands(program, text):
    listed = text.partition("A COMMAND is one of:\n\n")[2].partition("\n\n")[0]
    return sorted({*re.findall(rf"^(?:[Uu]sage:)? *{program} ([a-z]+)\b", text, re.M),
                   *re.findall(r"^  ([a-z]+)\b", listed, re.M)})


def sections(page):
    """Returns the texts below the headings of a page. "ludus list, who" counts for each of its words."""
    parts = re.split(r"^\.S[hs] (.*)\n", page, flags=re.M)
    found = {}
    for title, body in zip(parts[1::2], parts[2::2]):
        program, _, words = title.rpartition(" ") if "," not in title else title.partition(" ")
        for word in words.split(", "):
            found[f"{program} {word}".strip()] = body
    return found


def page_options(text):
    items = re.findall(r"^\.It Fl -([a-z-]+)(?: Ar (\S+))?$", text, re.M)
    return sorted(f"--{name} {argument}".strip() for name, argument in items)


def options(checks):
    """--help and the page have equal options with equal arguments."""
    for program, path in PAGES.items():
        text, page = help_text(program), sections(read(path))
        checks.check("--version" in " ".join(help_options(text)), f"{program} --help", text)
        main = "".join(body for title, body in page.items() if not title.startswith("ludus"))
        checks.equal(page_options(main), help_options(text), f"the options in {path}")
        for command in subcommands(program, text):
            own = help_text(program, command)
            if own == text:  # it has no options of its own
                continue
            title = f"{program} {command}"
            if checks.check(title in page, f"{path} has a section '.Ss {title}'"):
                checks.equal(page_options(page[title]), help_options(own),
                             f"the options below '.Ss {title}' in {path}")


def entries(path):
    """Returns the entries of ludusd.conf(5): argument and text by name."""
    found = re.findall(r"^\.It Ic ([a-z-]+) No = (?:Ar|Cm) (\S+)\n((?:(?!\.(?:It|El)).*\n)*)",
                       read(path), re.M)
    return {name: (argument, " ".join(text.split())) for name, argument, text in found}


def configuration(checks):
    """ludusd.conf(5) has every option that may stand in the file, with its range and default."""
    found = entries(CONFIGURATION)
    text = help_text("ludusd")
    wanted = {}
    for option in help_options(text):
        name, _, argument = option[2:].partition(" ")
        if name not in NOT_IN_FILE:
            wanted[name] = argument or "yes|no"
    checks.equal({name: argument for name, (argument, _) in found.items()}, wanted,
                 f"the options in {CONFIGURATION}")
    for name, (argument, about) in found.items():
        said = run(os.path.join(BUILD, "ludusd"), "--check-config", f"--{name}=x").stderr
        span = re.search(r"a number from (\d+ to \d+)", said)
        if span is not None:
            checks.check(f" {span[1]}" in about, f"{CONFIGURATION}: {name}: {span[1]}", about)
        usual = re.search(rf"^  --{name} (?:(?!\n  --)[^(])*\((\d+)\)$", text, re.M)
        if usual is not None:
            checks.check(re.search(rf"[Dd]efault (\.Li )?{usual[1]}\b", about) is not None,
                         f"{CONFIGURATION}: {name}: default {usual[1]}", about)


def protocol(checks):
    """ludus-protocol(7) has every command of the server, and every event and error code."""
    page = read(PROTOCOL)
    with Server(BUILD, "--no-bots", checks=checks) as server:
        verbs = [row["verb"] for row in server.connect().ask("help")["commands"]]
    checks.check(len(verbs) > 20, "commands of the server", verbs)
    items = re.findall(r"^\.It (?:Xo\n\.)?Ic (.*)$", page, re.M)
    words = {word for item in items for word in re.findall(r"[a-z]+", item)}
    for verb in verbs:
        checks.check(verb in words, f"the command {verb} is in {PROTOCOL}")
    text = read("protocol.md")
    parts = dict(zip(*[iter(re.split(r"^## (.*)\n", text, flags=re.M)[1:])] * 2))
    for title, heading in (("Events", "EVENTS"), ("Errors", "ERROR CODES")):
        body = sections(page)[heading]
        rows = re.findall(r"^(?:\| (`.*?`) \||\*\*(`[a-z]+`)\*\*)", parts[title], re.M)
        names = [name for row in rows for cell in row for name in re.findall(r"`([a-z-]+)`", cell)]
        items = re.findall(r"^\.It Li (.*)$", body, re.M)
        listed = {word for item in items for word in re.findall(r"[a-z-]+", item)}
        fields = {"match", "status", "you", "ply", "turn", "position", "board", "last", "players",
                  "game", "variant", "clock", "offers", "result", "reason", "score", "check",
                  "legal"} if title == "Events" else set()
        checks.equal(sorted(listed), sorted(set(names) - fields), f"{heading} in {PROTOCOL}")


def references(checks):
    """Pages refer to existing pages."""
    there = {os.path.basename(path) for path in ALL_PAGES}
    for path in ALL_PAGES:
        for name, section in re.findall(r"^\.Xr (\S+) (\d)", read(path), re.M):
            checks.check(f"{name}.{section}" in there, f"{path}: {name}({section}) is a page")
        checks.check(all(f"\n.Sh {title}\n" in read(path) for title in
                         ("NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO")), f"sections of {path}")


def form(checks):
    """Checks the pages with mandoc and man, if installed."""
    for tool, words in (("mandoc", ["-T", "lint", "-W", "warning"]),
                        ("man", ["--warnings", "-E", "UTF-8", "-l"])):
        if shutil.which(tool) is None:
            print(f"test_manual: {tool} is not installed: the form of the pages is not looked at")
            continue
        for path in ALL_PAGES:
            done = run(tool, *words, path)
            said = done.stderr if tool == "man" else done.stdout + done.stderr
            checks.equal((done.returncode, said), (0, ""), f"{tool} {path}")


if __name__ == "__main__":
    sys.exit(Checks("test_manual").run([options, configuration, protocol, references, form]))
