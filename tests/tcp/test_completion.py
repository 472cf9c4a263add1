#!/usr/bin/env python3
"""Completion of the programs' options and arguments in bash and zsh.

usage: python3 tests/tcp/test_completion.py BUILD_DIR
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder

BUILD = build_folder()
FOLDERS = {"ludus": "client", "ludus-bot": "client/bot", "ludus-bridge": "client/bridge",
           "ludusd": "server"}
LEVELS = "random greedy gentle easy medium hard expert master max".split()
# Scripts may ask a program for its options.
ENVIRONMENT = {**os.environ, "PATH": f"{os.path.abspath(BUILD)}:{os.environ['PATH']}"}

# Calls the function as bash does: the words of the line, taken apart at : and = too.
BASH = r"""
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
shift 2
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
function=$(complete -p "$1") function=${function#*-F } function=${function%% *}
"$function"
printf '%s\n' "${COMPREPLY[@]}"
"""
# Prints what the function of zsh hands to _arguments, a specification on each line.
ZSH = r"""
_arguments() { print -rl -- "$@" }
run() { source $script }
script=$1 words=($argv[2,-1] '') CURRENT=$#
run
"""


class Folder:
    """The scripts as they are installed, and files to complete."""

    def __enter__(self):
        self.place = tempfile.TemporaryDirectory()
        self.path = self.place.name
        for shell in ("bash", "zsh", "here/folder one"):
            os.makedirs(os.path.join(self.path, shell))
        for program, folder in FOLDERS.items():
            shutil.copy(f"{folder}/{program}.bash", os.path.join(self.path, "bash"))
            shutil.copy(f"{folder}/_{program}", os.path.join(self.path, "zsh"))
        with open(os.path.join(self.path, "here", "file.pgn"), "w"):
            pass
        return self

    def __exit__(self, *_):
        self.place.cleanup()


def split(line):
    """The words as bash has them in COMP_WORDS."""
    words = []
    for word in line.split(" "):
        words += [part for part in re.split(r"([:=]+)", word) if part] or [""]
    return words


def complete(folder, line, splits=True):
    """What bash offers at the end of the line: sorted, whole words. Without `splits` as where
    somebody has told bash not to take words apart."""
    words, before = (split(line), "") if splits else (line.split(" "), "COMP_WORDBREAKS=' '\n")
    done = subprocess.run(["bash", "--norc", "-c", before + BASH, "bash",
                           os.path.join(folder.path, "bash", words[0] + ".bash"), line, *words],
                          capture_output=True, text=True, timeout=LIMIT_S, env=ENVIRONMENT,
                          cwd=os.path.join(folder.path, "here"))
    if done.stderr:
        raise RuntimeError(f"{line!r}: {done.stderr}")
    return sorted(word for word in done.stdout.split("\n") if word)


def options(*words):
    """The options that --help shows, each with whether it takes an argument."""
    text = subprocess.run([os.path.join(BUILD, words[0]), *words[1:], "--help"], text=True,
                          capture_output=True, timeout=LIMIT_S).stdout
    return {name: bool(value)
            for name, value in re.findall(r"^  (--[a-z-]+)(?: (\S+))?(?:  |$)", text, re.M)}


def zsh_options(folder, *words):
    """The options that zsh completes, each with whether it takes an argument."""
    script = os.path.join(folder.path, "zsh", "_" + words[0])
    done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", script, *words], text=True,
                          capture_output=True, timeout=LIMIT_S, env=ENVIRONMENT, check=True)
    return {name: bool(value)
            for name, value in re.findall(r"^\*?(--[a-z-]+)(=:)?", done.stdout, re.M)}


def commands(program):
    if program == "ludus-bot":
        return ["ugi", "gauntlet", "solve", "review", "perft", "selfplay", "puzzles", "openings", "check", "check-bot"]
    text = subprocess.run([os.path.join(BUILD, program), "--help"], text=True,
                          capture_output=True, timeout=LIMIT_S).stdout
    _, _, listed = text.partition("A COMMAND is one of:\n\n")
    return re.findall(r"^  ([a-z]+)\b", listed.partition("\n\n")[0], re.M)


def options_are_those_of_help(checks):
    has_zsh = shutil.which("zsh") is not None
    with Folder() as folder:
        for program in FOLDERS:
            for words in ((program,), *((program, command) for command in commands(program))):
                wanted, line = options(*words), " ".join(words)
                checks.check("--help" in wanted, f"{line} --help", wanted)
                checks.equal(complete(folder, f"{line} --"), sorted(wanted), f"options of {line}")
                if has_zsh:
                    checks.equal(zsh_options(folder, *words), wanted, f"zsh: options of {line}")
        listed = commands("ludus")
        checks.check({"list", "watch", "say", "record", "replay"} <= set(listed), "commands")
        checks.equal(complete(folder, "ludus "), sorted(listed), "commands of ludus")
        checks.equal(complete(folder, "ludus re"), ["record", "replay", "resign", "review"], "commands with re")
        checks.equal(complete(folder, "ludus-bot "), ["check", "check-bot", "gauntlet", "openings", "perft", "puzzles", "review", "selfplay", "solve", "ugi"], "of ludus-bot")
        checks.equal(complete(folder, "ludusd "), ["backup", "check", "import", "restore"],
                     "of ludusd")


def games_and_levels_are_all_there(checks):
    with Server(BUILD, "--no-bots", checks=checks) as server:
        listed = server.connect().ask("games")["games"]
    games = sorted([game["name"] for game in listed] +
                   [f"{game['name']}:{variant}" for game in listed for variant in game["variants"]])
    text = subprocess.run([os.path.join(BUILD, "ludus-bot"), "--help"], text=True,
                          capture_output=True, timeout=LIMIT_S).stdout
    levels = re.findall(r"^  (\w+) ", text.partition("Levels:\n")[2], re.M)
    checks.equal(levels, LEVELS, "the levels")
    with Folder() as folder:
        for line in ("ludus --play ", "ludus host ", "ludus-bridge --games ", "ludus-bot gauntlet --game "):
            checks.equal(complete(folder, line), games, repr(line))
        for line in ("ludus-bot --level ", "ludusd --bots "):
            checks.equal(complete(folder, line), sorted(levels), repr(line))


def values_are_known(checks):
    sizes = [f"clobber:{size}" for size in ("10x10", "4x5", "5x6", "6x6", "8x8")]
    parts = [size.partition(":")[2] for size in sizes]
    seats = sorted(["me", "open", *("bot:" + level for level in LEVELS)])
    rows = {
        "ludus --play clob": ["clobber", *sizes],
        "ludus --play clobber:": parts,  # behind the colon, as bash has it
        "ludus --play clobber:4": ["4x5"],
        "ludus --play=clobber:4": ["4x5"],
        "ludus --play=xad": ["xadrersi", "xadrersi:attack", "xadrersi:touch"],
        "ludus --play clobber --vs ": seats,
        "ludus --vs bot:ha": ["hard"],
        "ludus --vs=bot:": sorted(LEVELS),
        "ludus --color ": ["black", "random", "white"],
        "ludus --color=w": ["white"],
        "ludus --name ": [],
        "ludus --name x --li": ["--line"],
        "ludus --name=x --li": ["--line"],
        "ludus --tls list --pl": ["--plain"],  # options may stand before the command
        "ludus --name x --line=no watch lo": ["lobby"],
        "ludus --connect x ": [*sorted(commands("ludus"))],
        "ludus new --vs bot:ha": ["hard"],
        "ludus rules lat": ["latrunculi", "latrunculi:standard"],
        "ludus top sha": ["shakti", "shakti:standard"],
        "ludus top --json shakti:": ["standard"],
        "ludus watch lo": ["lobby"],
        "ludus new --clock 1 --white bot:m": ["master", "max", "medium"],
        "ludus new clobber:5": ["5x6"],
        "ludus say 1 hello --js": ["--json"],
        "ludus replay ": ["file.pgn", "folder one"],
        "ludus record 1 --pg": ["--pgn"],
        "ludus nosuch ": [],
        "ludus nosuch --li": ["--line"],
        "ludus-bot --level m": ["master", "max", "medium"],
        "ludus-bot ugi --level=m": ["master", "max", "medium"],
        "ludus-bot solve clobber:": parts,
        "ludus-bot perft shakti:": ["standard"],
        "ludus-bot check --protocol u": ["uci", "ugi"],
        "ludus-bot gauntlet --pgn fi": ["file.pgn"],
        "ludus-bot gauntlet --game shakti:": ["standard"],
        "ludus-bridge --protocol ": ["auto", "gtp", "uci", "ugi"],
        "ludus-bridge --movetime ": [],
        "ludus-bridge --games clobber,sha": ["clobber,shakti", "clobber,shakti:standard"],
        "ludus-bridge --games clobber:8x8,shakti:": ["standard"],
        "ludusd --bots ": sorted(LEVELS),
        "ludusd --bots easy,m": ["easy,master", "easy,max", "easy,medium"],
        "ludusd --bots=easy,h": ["easy,hard"],
        "ludusd --log-level ": ["debug", "error", "info", "warn"],
        "ludusd --durability po": ["power"],
        "ludusd --data ": ["folder one", "none"],
        "ludusd --config f": ["file.pgn", "folder one"],
        "ludusd --config n": ["none"],
        "ludusd restore f": ["file.pgn", "folder one"],
        "ludusd import f": ["folder one"],
        "ludusd --max-names ": [],
        "ludusd --export ": ["folder one"],
        "ludusd --log f": ["file.pgn", "folder one"],
        "ludusd --lan ch": ["check"],
    }
    with Folder() as folder:
        for line, wanted in rows.items():
            checks.equal(complete(folder, line), wanted, repr(line))
        checks.equal(complete(folder, "ludus --play=clobber:4", splits=False),
                     ["--play=clobber:4x5"], "the whole word")
        checks.equal(complete(folder, "ludusd --bots=easy,h", splits=False), ["--bots=easy,hard"],
                     "the whole list")
        found = complete(folder, "ludus-bot gauntlet ")
        checks.check({*LEVELS, "file.pgn"} <= set(found), "levels and files for players", found)
        checks.check("ls" in complete(folder, "ludus-bridge --name x l"), "a command")


class Shell:
    """A shell at a terminal: what is typed, and what it then says."""

    def __init__(self, command, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(os.path.join(folder.path, "here"))
            os.execvpe(command[0], command, {
                "PATH": ENVIRONMENT["PATH"], "TERM": "dumb", "PS1": "$ ", "HOME": folder.path,
                "LC_ALL": "C"})
        self.text = ""

    def read_to(self, wanted):
        end = time.monotonic() + LIMIT_S
        while not re.search(wanted, self.text):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            data = os.read(self.terminal, 65536) if ready else b""
            if not data:
                raise RuntimeError(f"no {wanted!r} in {self.text!r}")
            self.text += data.decode("utf-8", "replace")
        found = re.search(wanted, self.text)
        self.text = self.text[found.end():]
        return found

    def type(self, text):
        os.write(self.terminal, text.encode())

    def completed(self, line, keys):
        """The words of the line once the keys behind it were typed, told by the shell itself."""
        self.type(line + keys)
        return self.read_to(r"<<(.*)>>")[1]

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


LINES = {
    "ludus rec": "ludus|record",
    "ludus --play clobber:4": "ludus|--play|clobber:4x5",
    "ludus --play=clobber:4": "ludus|--play=clobber:4x5",
    "ludus new shakti --white bot:ha": "ludus|new|shakti|--white|bot:hard",
    "ludus replay --al": "ludus|replay|--all",
    "ludus replay fi": "ludus|replay|file.pgn",
    "ludus watch lo": "ludus|watch|lobby",
    "ludusd --data fol": "ludusd|--data|folder one",
    "ludusd --tls-key fi": "ludusd|--tls-key|file.pgn",
    "ludusd --no-b": "ludusd|--no-bots",
    "ludusd backup fi": "ludusd|backup|file.pgn",
    "ludusd --durability=po": "ludusd|--durability=power",
    "ludusd --bots easy,ha": "ludusd|--bots|easy,hard",
    "ludus-bot solve clobber:10": "ludus-bot|solve|clobber:10x10",
    "ludus-bridge --games clobber,sha": "ludus-bridge|--games|clobber,shakti",
}

# A line that was completed becomes the arguments of a command that prints them.
BASH_BEGINS = r"""
for i in FOLDER/bash/*; do . $i; done; bind 'set bell-style none'
print_words() { local IFS='|'; printf '%s%s\n' '<<' "$*>>"; }
"""
# Zsh does not complete while more keys wait, so one key does it all; Tab as it is at first.
ZSH_BEGINS = r"""
fpath=(FOLDER/zsh $fpath); autoload -Uz compinit; compinit -u -D; bindkey -e
tell() { zle expand-or-complete; zle -I; words=(${(z)BUFFER}); words=("${(@Q)words}"); tell_words; }
tell_words() { print -r "<""<${(j:|:)words}>>"; BUFFER=; }
zle -N tell; bindkey '^T' tell
"""


def at_a_terminal(checks, command, beginning, keys):
    with Folder() as folder:
        terminal = Shell(command, folder)
        try:
            terminal.type(beginning.replace("FOLDER", folder.path).replace("\n", "\r"))
            terminal.type("printf '<%s>\\n' '<ready>'\r")
            terminal.read_to("<<ready>>")
            for line, wanted in LINES.items():
                # Zsh takes a slash or comma off again when a space follows.
                checks.equal(terminal.completed(line, keys).rstrip("/,"), wanted,
                             f"{command[0]}: {line!r} and Tab")
        finally:
            terminal.close()


def bash_at_a_terminal(checks):
    at_a_terminal(checks, ["bash", "--norc", "--noprofile", "-i"], BASH_BEGINS,
                  "\t\x01print_words \x05;\r")


def zsh_at_a_terminal(checks):
    if shutil.which("zsh") is None:
        print("test_completion: zsh is not installed: what it completes is not looked at")
        return
    at_a_terminal(checks, ["zsh", "-f", "-i"], ZSH_BEGINS, "\x14")


def scripts_are_well_formed(checks):
    with Folder() as folder:
        for shell in ("bash", "zsh"):
            if shutil.which(shell) is None:
                continue
            for name in os.listdir(os.path.join(folder.path, shell)):
                path = os.path.join(folder.path, shell, name)
                done = subprocess.run([shell, "-n", path], capture_output=True, text=True,
                                      timeout=LIMIT_S)
                checks.equal((done.returncode, done.stderr), (0, ""), f"{shell} -n {name}")


if __name__ == "__main__":
    sys.exit(Checks("test_completion").run(
        [options_are_those_of_help, games_and_levels_are_all_there, values_are_known,
         scripts_are_well_formed, bash_at_a_terminal, zsh_at_a_terminal]))
