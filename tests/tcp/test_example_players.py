"""client/examples/player.*, the bots for authors to copy: matches, offers, tokens, kill -9."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from bots import plays_all, state, with_many_matches
from harness import LIMIT_S, Checks, Server, build_folder, read_again, wait_until
from scripted_server import ScriptedServer

EXAMPLES = os.path.abspath(os.path.join("client", "examples"))
PROGRAMS = {"python": (sys.executable, "player.py"), "node": ("node", "player.js"), "bash": ("bash", "player.sh"),
            "prolog": ("swipl", "player.pl"), "java": ("java", "Player.java")}
COMMANDS = {kind: [program, os.path.join(EXAMPLES, file)] for kind, (program, file) in PROGRAMS.items() if shutil.which(program)}
for kind in PROGRAMS.keys() - COMMANDS.keys():
    print(f"test_example_players: SKIPPED {PROGRAMS[kind][1]}: {PROGRAMS[kind][0]} is not installed")
# What each plays, and another game.
GAMES = {"prolog": (["clobber:6x6", "clobber:5x6", "clobber:4x5", "clobber:4x4"], "clobber", "shakti")}
ALL_GAMES = (["xadrersi:attack", "clobber:10x10", "shakti", "latrunculi"], "shakti", "chess")


class Player:
    """One of the bots, in a folder of its own."""

    def __init__(self, kind, name, *words, token=None):
        self.folder = tempfile.mkdtemp()
        self.token_file = os.path.join(self.folder, name + ".token")
        if token:
            with open(self.token_file, "w") as file:
                file.write(token)
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen([*COMMANDS[kind], name, *words], cwd=self.folder, stdout=self.log,
                                        stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(LIMIT_S)
        shutil.rmtree(self.folder)

    def read_log(self):
        return read_again(self.log)

    def wait_for(self, pattern):
        wait_until(lambda: re.search(pattern, self.read_log()), pattern)


def is_short(t):
    for kind, (_, name) in PROGRAMS.items():
        with open(os.path.join(EXAMPLES, name)) as file:
            most = 130 if kind in ("python", "node") else 120
            t.check(len(file.readlines()) <= most, f"{name} has at most {most} lines")


def wants_a_port(t, kind):
    with Player(kind, "ann", "localhost") as ann:
        t.equal(ann.process.wait(LIMIT_S), 1, f"{kind}: exit status without a port")
        t.check(re.fullmatch(r"(?i)player\.\w+: localhost: write HOST:PORT\n", ann.read_log()), f"{kind}: says so",
                ann.read_log())


def through_kill(t, kind):
    """The bots play eight matches at once, of all games that they know; the server is killed in the middle of them."""
    other = "node" if "node" in COMMANDS else "python"
    with tempfile.TemporaryDirectory() as folder:
        with Server(build_folder(), "--data", folder, "--no-bots", checks=t) as server, \
                Player(kind, "ann", server.address) as ann, Player(other, "ben", server.address):
            anna = server.connect("anna")
            wait_until(lambda: anna.ask("who")["total"] == 3, "both bots")
            matches = []
            for game in GAMES.get(kind, ALL_GAMES)[0]:
                for white, black in (("ann", "ben"), ("ben", "ann")):
                    matches.append(anna.ask(f"new {game} white={white} black={black} clock=60+1")["match"])
                    anna.wait_for("state", match=matches[-1], status="playing")
            with open(ann.token_file) as file:
                token = file.read()
            t.equal(os.stat(ann.token_file).st_mode & 0o777, 0o600, f"{kind}: nobody else reads the token")
            server.kill()
            server.again()
            anna = server.connect()
            records = {}

            def all_over():
                for match in set(matches) - set(records):
                    record = anna.ask(f"record {match}")
                    if record["result"] != "*":
                        records[match] = record
                return len(records) == len(matches)

            wait_until(all_over, f"{kind}: all matches are over")
            rules = {"no-moves", "score", "dux-immobilised", "no-soldiers", "repetition", "no-capture", "checkmate"}
            t.equal({record["reason"] for record in records.values()} - rules, set(),
                    f"{kind}: all are played out by the rules")
            t.equal(anna.ask(f"hello ann token={token} only=yes").get("name"), "ann", f"{kind}: its token is still good")
            ann.process.wait(LIMIT_S)
            t.check("goodbye: replaced" in ann.read_log(), f"{kind}: gives way to another program")


def finds_opponents(t, kind):
    """By a seek, and in a tournament."""
    other = "node" if "node" in COMMANDS else "python"
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        cup = anna.ask("tournament new cup clobber:3x3 format=round-robin clock=60+1 start=manual")["tournament"]
        words = [server.address, "seek=clobber:4x4", "clock=60+1", f"tournament={cup}"]
        with Player(kind, "ann", *words), Player(other, "ben", *words):
            wait_until(lambda: anna.ask("who")["total"] == 3, "both bots")
            wait_until(lambda: anna.ask("history ann").get("total", 0) >= 2, f"{kind}: matches by seeking")
            wait_until(lambda: anna.ask(f"tournament show {cup}")["entrants"] == 2, f"{kind}: both take part")
            anna.ask(f"tournament start {cup}")
            wait_until(lambda: anna.ask(f"tournament show {cup}")["status"] == "over", f"{kind}: a tournament")
            players = anna.ask(f"tournament show {cup}")["players"]
            t.equal(sorted(player["score"] for player in players), [0, 1], f"{kind}: it was played")
            anna.ask(f"new {GAMES.get(kind, ALL_GAMES)[0][0]} black=ann")
            t.equal(anna.wait_for("state", status="playing")["players"]["black"]["name"], "ann",
                    f"{kind}: a challenge beside that")


def manners(t, kind):
    """What a bot answers, by a scripted server."""
    offer = {"type": "offer", "match": "7", "what": "draw", "from": "anna", "color": "black", "open": True}
    _, game, other = GAMES.get(kind, ALL_GAMES)
    with ScriptedServer() as server, Player(kind, "gus", server.address, "seek=shakti", "clock=60+1", "tournament=3") as gus:
        def hello(token):
            server.take()
            said = server.hear()
            server.say({"type": "hello", "proto": 1, "name": "guest-1"},
                       {"type": "ok", "cmd": "hello", "name": "gus", "token": token})
            return said, server.hear().split(), server.hear()

        words = f"hello gus bot=yes only=yes client={os.path.basename(COMMANDS[kind][1])} max=8"
        t.equal(hello("t0k3n"), (words, ["seek", "shakti", "clock=60+1", "repeat=yes"], "tournament join 3"),
                f"{kind}: hello, seek, tournament")
        server.say({"type": "error", "cmd": "seek", "code": "bad-arguments", "message": "no such clock"},
                   {"type": "paired", "match": "7"}, state(legal=["b1a1"]))
        move = "#7 move 7 b1a1 ply=0"
        t.equal(server.hear(), move, f"{kind}: a move")
        for code in ("rate-limited", "internal"):
            server.say({"type": "error", "id": "7", "cmd": "move", "code": code, "message": "", "retry_ms": 10})
            t.equal(server.hear(), move, f"{kind}: once more after {code}")
        server.say({"type": "error", "id": "7", "cmd": "move", "code": "stale-ply", "message": ""},
                   {"type": "ping"}, offer, {**offer, "from": "gus"}, {**offer, "open": False},
                   {**offer, "what": "undo"}, {**offer, "what": "rematch", "match": "6"},
                   {"type": "challenge", "match": "8", "game": other, "from": "anna"},
                   {"type": "challenge", "match": "9", "game": game, "from": "anna"}, {"type": "unheard-of"})
        t.equal([server.hear() for _ in range(6)],
                ["ping", "decline 7", "undo 7", "rematch 6", "decline 8 game", "join 9"], f"{kind}: its answers")
        server.say(*[state(match=str(number), legal=None) for number in range(20, 27)],
                   {"type": "challenge", "match": "30", "game": game, "from": "anna"})
        t.equal(server.hear(), "decline 30 busy", f"{kind}: eight matches are enough")
        gus.wait_for("seek: no such clock")
        server.hang_up()
        t.equal(hello("t0k3n")[0], words + " token=t0k3n", f"{kind}: comes back with its token")
        server.say(state(legal=None, offers=[{"what": "undo", "from": "anna", "color": "black"}]))
        t.equal(server.hear(), "undo 7", f"{kind}: an offer from meanwhile")
        server.say({"type": "error", "cmd": "hello", "code": "bad-token", "message": "?"})
        t.equal(server.hear(), words, f"{kind}: where its token is not known it comes anew")
        server.say({"type": "error", "cmd": "hello", "code": "name-taken", "message": "name taken"})
        gus.process.wait(LIMIT_S)
        t.check(gus.process.returncode == 1 and "name taken" in gus.read_log(), f"{kind}: a name that is taken")


def many_matches(t, kind):
    """It moves in more matches than come by themselves."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna, token, matches = with_many_matches(server, kind)
        with Player(kind, kind, server.address, token=token):
            plays_all(anna, matches)
        t.equal(anna.do("list mine status=playing")["total"], len(matches), f"{kind}: nothing was resigned")
        anna.close()


def interrupted(t, kind):
    """Ctrl-C ends a bot, which says nothing of it."""
    with ScriptedServer() as server, Player(kind, "gus", server.address) as gus:
        server.take()
        server.hear()
        gus.process.send_signal(signal.SIGINT)
        gus.process.wait(LIMIT_S)
        t.equal(gus.read_log(), "", f"{kind}: after Ctrl-C")


def as_module(t):
    """player.js runs in a package that has modules only, too."""
    with tempfile.TemporaryDirectory() as folder, ScriptedServer() as server:
        script = shutil.copy(os.path.join(EXAMPLES, "player.js"), folder)
        with open(os.path.join(folder, "package.json"), "w") as file:
            file.write('{"type": "module"}')
        process = subprocess.Popen(["node", script, "gus", server.address], cwd=folder)
        server.take()
        line = server.hear()
        t.check(line.startswith("hello gus "), "player.js as a module", line)
        process.kill()
        process.wait()


def each(case):
    def run(t):
        for kind in COMMANDS:
            case(t, kind)
    run.__name__ = case.__name__
    return run


if __name__ == "__main__":
    cases = [is_short, each(wants_a_port), each(manners), each(finds_opponents), each(through_kill), each(many_matches),
             each(interrupted)]
    sys.exit(Checks("test_example_players").run(cases + [as_module] * ("node" in COMMANDS)))
