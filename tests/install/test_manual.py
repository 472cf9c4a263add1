"""The man pages are well-formed and agree with --help, the commands in protocol.md with `help`.

usage: test_manual.py BUILD_DIR
"""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder  # noqa: E402

BUILD = build_folder()
PAGES = {"ludus": "client/ludus.6", "ludus-bot": "client/bot/ludus-bot.6",
         "ludus-bridge": "client/bridge/ludus-bridge.6", "ludusd": "server/ludusd.8"}
ALL_PAGES = [*PAGES.values(), "server/ludusd.conf.5"]


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


def ranges(checks):
    """ludusd(8) has the range and the default of every option that is a number."""
    path, text = PAGES["ludusd"], help_text("ludusd")
    items = re.findall(r"^\.It Fl -([a-z-]+).*\n((?:(?!\.(?:It|El)).*\n)*)", read(path), re.M)
    found = 0
    for name, about in items:
        about = " ".join(about.split())
        said = run(os.path.join(BUILD, "ludusd"), "--check-config", f"--{name}=x").stderr
        span = re.search(r"a number from (\d+ to \d+)", said)
        if span is None:
            continue
        found += 1
        checks.check(f" {span[1]}" in about, f"{path}: {name}: {span[1]}", about)
        usual = re.search(rf"^  --{name} (?:(?!\n  --)[^(])*\((\d+)\)$", text, re.M)
        if usual is not None:
            checks.check(re.search(rf"[Dd]efault {usual[1]}\b", about) is not None,
                         f"{path}: {name}: default {usual[1]}", about)
    checks.check(found > 20, "options with a range", found)


def documented_commands(text):
    """Returns the commands in the table of protocol.md as "VERB USAGE". A cell may have several."""
    body = text.partition("\n## Commands\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?`) \|", body, re.M)
    return [usage.replace("\\|", "|") for cell in cells for usage in re.findall(r"`(.*?)`", cell)]


def uses(row):
    """Returns the ways to use a command of help: "watch MATCH|lobby" is two."""
    usage = row["usage"]
    ways = usage.split(", or ") if ", or " in usage else [usage] if "[" in usage else usage.split("|")
    return [f"{row['verb']} {way}".strip() for way in ways]


def protocol(checks):
    """The table of commands in protocol.md is what help says: each with its usage, and no other."""
    with Server(BUILD, "--no-bots", checks=checks) as server:
        rows = server.connect().ask("help")["commands"]
    checks.check(len(rows) > 20, "commands of the server", rows)
    checks.equal(sorted(documented_commands(read("protocol.md"))),
                 sorted(use for row in rows for use in uses(row)), "the commands in protocol.md")


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
    sys.exit(Checks("test_manual").run([options, ranges, protocol, references, form]))
