"""Bots on a scripted server, which may misbehave."""
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from bots import PROGRAM, Bot, BotServer, challenge, state
from harness import LIMIT_S, Checks, kept_token, wait_until

VERSION = subprocess.check_output([PROGRAM, "--version"], text=True).split()[1]


def command_line_of(process):
    with open(f"/proc/{process.pid}/cmdline") as file:
        return file.read().split("\0")


def finishes(t):
    """After SIGTERM a bot takes no new match, and leaves when the last one is over."""
    offer = {"type": "offer", "match": "6", "what": "rematch", "from": "anna", "color": "black",
             "open": True}
    with BotServer() as server, Bot(server.address, "--name", "gus") as bot:
        server.accept()
        server.welcome()
        server.say(state())
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "a move")
        bot.process.send_signal(signal.SIGTERM)
        server.say(challenge(8), offer)
        t.equal([server.hear(), server.hear()], ["#8 decline 8 later", "#6 decline 6"], "no new match, no rematch")
        server.hang_up()
        server.accept()
        server.welcome()
        t.equal(server.hear(), "#idle ping", "it comes back to its match")
        server.say(state(), {"type": "pong", "id": "idle"})
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "and plays on")
        server.say(state(status="over", result="1-0", reason="no-moves"))
        server.let_go()
        t.equal(bot.end()[0], 0, "exit code")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--retry", "1") as bot:
        server.accept()
        server.welcome()
        server.say(state())
        server.hear()
        bot.process.send_signal(signal.SIGTERM)
        server.say(challenge(8))
        t.equal(server.hear(), "#8 decline 8 later", "it leaves")
        server.listener.close()
        server.hang_up()
        t.equal(bot.end()[0], 1, "exit code if its match is lost with the server")
    with BotServer() as server, Bot(server.address, "--name", "gus") as bot:
        server.accept()
        server.welcome()
        server.say(state())
        server.hear()
        bot.process.send_signal(signal.SIGINT)
        t.equal(server.hear(), "quit", "SIGINT does not wait")
        server.hang_up()
        t.equal(bot.end()[0], 0, "exit code after SIGINT")


class Held:
    """A bot that is stopped meanwhile, and gets SIGTERM together with all that was said. A context manager."""

    def __init__(self, bot):
        self.process = bot.process

    def __enter__(self):
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGTERM)
        self.process.send_signal(signal.SIGCONT)


def heeds_signals_at_once(t):
    """Nothing is taken after SIGTERM, even if it came in one piece with what the bot was busy with."""
    offer = {"type": "offer", "match": "6", "what": "rematch", "from": "anna", "color": "black", "open": True}
    with BotServer() as server, Bot(server.address, "--name", "gus") as bot:
        server.accept()
        server.welcome()
        with Held(bot):
            server.say(challenge(8), challenge(9), offer)
        t.equal(sorted(server.hear() for _ in range(4)),
                ["#6 decline 6", "#8 decline 8 later", "#9 decline 9 later", "#idle ping"], "with challenges and an offer")
        server.say({"type": "pong", "id": "idle"})
        t.equal(server.hear(), "quit", "and leaves")
        t.equal(bot.end()[0], 0, "exit code")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--join", "5", "--seek", "clobber",
                                    "--tournament", "t1") as bot:
        server.accept()
        server.hear()
        with Held(bot):
            server.say({"type": "ok", "cmd": "hello", "name": "gus", "token": "t0k3n"})
        said = []
        with contextlib.suppress(ConnectionResetError):  # it may not read the welcome any more
            while line := server.hear():
                said.append(line)
        t.equal([line for line in said if "join" in line or "seek" in line or "tournament" in line], [], "while it comes")
        t.equal(bot.end()[0], 0, "exit code")


def finishes_what_it_accepted(t):
    """After SIGTERM a bot waits for matches that it has said yes to, and that have not begun."""
    with BotServer() as server, Bot(server.address, "--name", "gus") as bot:
        server.accept()
        server.welcome()
        server.say(challenge(7, "clobber", variant="2x1"))
        t.equal(server.hear(), "#7 join 7", "a challenge")
        bot.process.send_signal(signal.SIGTERM)
        for shown in ([], [state(status="open", players=seats(black=None))]):
            server.say(*shown, {"type": "ping"})
            t.equal(server.hear(), "ping", "it waits")
        server.say(state())
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "and plays")
        server.say(state(status="over", result="1-0", reason="no-moves"))
        server.let_go()
        t.equal(bot.end()[0], 0, "exit code")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--join", "7") as bot:
        server.accept()
        server.welcome()
        t.equal(server.hear(), "#join join 7", "--join")
        bot.process.send_signal(signal.SIGTERM)
        server.say({"type": "ping"})
        t.equal(server.hear(), "ping", "it waits for the reply")
        server.hang_up()
        server.accept()
        server.welcome()
        t.equal(server.hear(), "#idle ping", "it comes back, for what may have become of it")
        server.say(state(), {"type": "pong", "id": "idle"})
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "and plays")
        server.say(state(status="over", result="1-0", reason="no-moves"))
        server.let_go()
        t.equal(bot.end()[0], 0, "exit code")


def accepts_and_declines(t):
    """Each challenge that is not accepted is declined with the reason."""
    with tempfile.TemporaryDirectory() as folder, BotServer() as server:
        path = os.path.join(folder, "names")
        with open(path, "w") as file:
            file.write("Bob\nmallory\n")
        with Bot(server.address, "--name", "gus", "--accept-games", "latrunculi,shakti:standard,clobber:4x4",
                 "--accept-clocks", "none,60+1,300+0..600+5", "--opponents", f"block:{path}", "--max-matches", "2"):
            server.accept()
            server.welcome()
            for number, (more, answer) in enumerate([
                    ({}, "join"), ({"clock": (60, 1)}, "join"), ({"clock": (60, 2)}, "clock"),
                    ({"clock": (300, 0)}, "join"), ({"clock": (450, 5)}, "join"), ({"clock": (450, 6)}, "clock"),
                    ({"clock": (601, 0)}, "clock"), ({"game": "xadrersi"}, "game"), ({"variant": "x"}, "game"),
                    ({"game": "clobber", "variant": "4x4"}, "join"), ({"game": "clobber", "variant": "5x6"}, "game"),
                    ({"game": "latrunculi", "variant": "standard"}, "join"), ({"game": "latrunculi", "variant": "x"}, "game"), ({"name": "bob"}, "no")]):
                server.say(challenge(number, **more))
                words = f"#{number} join {number}" if answer == "join" else f"#{number} decline {number} {answer}"
                t.equal(server.hear(), words, f"a challenge with {more}")
                error = {"type": "error", "id": str(number), "cmd": words.split()[1], "code": "match-over", "message": "!"}
                server.say(error)
            with open(path, "w") as file:
                file.write("anna\n")
            server.say(challenge(20), challenge(21, name="bob"))
            t.equal([server.hear(), server.hear()], ["#20 decline 20 no", "#21 join 21"], "the file has changed")
            offer = {"type": "offer", "match": "5", "what": "rematch", "from": "bob", "color": "white", "open": True}
            server.say(state(match="30", position="Pp b"), challenge(22, name="bob"), offer)
            t.equal([server.hear(), server.hear()], ["#22 decline 22 busy", "#5 decline 5"],
                    "as many as --max-matches, with one that it has joined")
            server.say(challenge(21, name="bob", color="black"))
            t.equal(server.hear(), "#21 join 21", "the other seat of that one")
            server.say(*[{"type": "error", "id": "21", "cmd": "join", "code": "match-over", "message": "!"}] * 2, offer,
                       challenge(23, name="bob"))
            t.equal([server.hear(), server.hear()], ["#5 rematch 5", "#23 decline 23 busy"], "a rematch is one, too")
            server.say({"type": "error", "id": "5", "cmd": "rematch", "code": "not-allowed", "message": "!"},
                       state(match="31", position="Pp b"), challenge(24, name="bob"))
            t.equal(server.hear(), "#24 decline 24 busy", "two that run")
            os.remove(path)
            server.say(state(match="30", status="over", result="1-0", reason="resign"), challenge(25, name="bob"))
            t.equal(server.hear(), "#25 decline 25 no", "no file, nobody comes")
        server.hang_up()
        with open(path, "w") as file:
            file.write("bob\n")
        with Bot(server.address, "--name", "gus", "--opponents", f"allow:{path}"):
            server.accept()
            server.welcome()
            server.say(challenge(1), challenge(2, name="BOB"))
            t.equal([server.hear(), server.hear()], ["#1 decline 1 no", "#2 join 2"], "only those in the file")


def seats(white="gus", black="anna", **gone):
    """Returns the players of a state; black=None: that seat is open; gone=MS: black is gone, and MS is left until the
    win can be claimed."""
    player = {"bot": False, "rating": None, "online": not gone, "seated": True}
    return {"white": {**player, "name": white, "online": True},
            "black": black and {**player, "name": black, "claim_ms": gone.get("gone")}}


def waits_no_longer(t):
    """A match whose opponent is gone, or never begins, does not keep a place for ever."""
    presence = {"type": "presence", "match": "7", "name": "anna", "color": "black", "online": False, "claim_ms": 300}
    with BotServer() as server, Bot(server.address, "--name", "gus", "--first-move", "1") as bot:
        server.accept()
        server.welcome()
        theirs = {"turn": "black", "position": "Pp b", "last": None}
        began = time.monotonic()
        server.say(state(ply=5, players=seats(gone=300), **theirs))
        t.equal(server.hear(), "#7 claim 7", "a player who is gone")
        t.check(0.3 <= time.monotonic() - began, "not before the time has come")
        # The claim of another match, which is due later, shows that none was made in this one.
        server.say(state(match="6", ply=5, players=seats(), **theirs))
        for what, *said in (
                ("one who is back", presence, {**presence, "claim_ms": None, "online": True},
                 {"type": "error", "id": "7", "cmd": "claim", "code": "not-allowed", "message": "here"}),
                ("the bot itself, from another connection", {**presence, "color": "white"})):
            server.say(*said, {**presence, "match": "6", "claim_ms": 310})
            t.equal(server.hear(), "#6 claim 6", what)
        server.say(state(match="6", status="over", result="1-0", reason="forfeit"), presence)
        t.equal(server.hear(), "#7 claim 7", "one who goes again")
        server.say(state(status="over", result="1-0", reason="forfeit"))

        # Somebody who is here, and has not moved for days: the move ends that, and so does nothing else.
        silent = seats()
        silent["black"]["stall_ms"] = 300
        began = time.monotonic()
        server.say(state(match="12", ply=5, players=silent, **theirs), state(match="13", ply=5, players=silent, **theirs),
                   {**presence, "match": "13"}, {**presence, "match": "13", "claim_ms": None, "online": True},
                   state(match="12", ply=7, players=seats(), **theirs))
        t.equal(server.hear(), "#13 claim 13", "one who has not moved for days")
        t.check(0.3 <= time.monotonic() - began, "not before those days are over")
        server.say({"type": "ping"})
        t.equal(server.hear(), "ping", "one who has moved in time")
        server.say(*[state(match=match, status="over", result="1-0", reason="forfeit") for match in ("12", "13")])

        began = time.monotonic()
        # What has begun before would be aborted before the last one.
        server.say(state(match="8", ply=1, players=seats(), **theirs), state(match="9", ply=1, players=seats(), **theirs),
                   state(match="10", ply=2, position="Pp b", turn="black", players=seats()),
                   state(match="9", ply=3, players=seats(), **theirs),
                   state(match="11", ply=0, position="Pp b", turn="black", players=seats(), status="open"))
        t.equal(sorted([server.hear(), server.hear()]), ["#11 abort 11", "#8 abort 8"], "no first move")
        t.check(1 <= time.monotonic() - began, "not before the time has come")
        server.say({"type": "ping"})
        t.equal(server.hear(), "ping", "none of those that have begun")
        server.say({"type": "bye", "reason": "quit"})
        shown = bot.end()[1]
        for line in ("match 7: the opponent is gone or silent: claiming the win", "match 8: no first move: aborting it"):
            t.check(line + "\n" in shown, f"tells: {line}", shown)
    with BotServer() as server, Bot(server.address, "--house", "random", given="s3cr3t\n"):
        server.accept()
        server.hear()
        server.say({"type": "ok", "cmd": "hello", "name": "bot:random"})
        server.hear()
        server.say(*[challenge(number) for number in range(3)])
        t.equal([server.hear() for _ in range(3)], [f"#{n} join {n}" for n in range(3)],
                "a house bot has room for all of a player's matches")
        server.say(state(match="8"))
        t.equal(server.hear(), "#8 move 8 b1a1 ply=0", "a move")
        # It is sent again when a claim would have been due for long.
        server.say(state(ply=1, players=seats(white="bot:random", gone=0), **theirs),
                   {"type": "error", "id": "8", "cmd": "move", "code": "rate-limited", "message": "!", "retry_ms": 300})
        t.equal(server.hear(), "#8 move 8 b1a1 ply=0", "and waits for people")


def places(t):
    """A player can hold two of a bot's places at most."""
    with BotServer() as server, Bot(server.address, "--name", "gus"):
        server.accept()
        server.welcome()
        server.say(challenge(1), challenge(2), challenge(2, color="black"), challenge(3), challenge(4, name="bob"))
        t.equal([server.hear() for _ in range(5)],
                ["#1 join 1", "#2 join 2", "#2 join 2", "#3 decline 3 busy", "#4 join 4"], "two for anna")
        server.say(state(match="1", players=seats(), status="over", result="1-0", reason="resign"), challenge(5))
        t.equal(server.hear(), "#5 join 5", "one is over")
        server.hang_up()
        server.accept()
        server.welcome()
        theirs = {"turn": "black", "position": "Pp b", "players": seats()}
        server.say(state(match="2", **theirs), state(match="5", **theirs), challenge(6))
        t.equal(server.hear(), "#6 decline 6 busy", "after a lost connection it knows them")


def seeks(t):
    with BotServer() as server, Bot(server.address, "--name", "gus", "--seek", "clobber:4x4", "--clock",
                                 "60+1") as bot:
        seek = "#seek seek clobber:4x4 clock=60+1 repeat=yes max=100"
        server.accept()
        server.welcome()
        t.equal(server.hear(), seek, "it seeks")
        server.say({"type": "error", "id": "seek", "cmd": "seek", "code": "rate-limited", "message": "",
                    "retry_ms": 10})
        t.equal(server.hear(), seek, "once more when that may help")
        server.say({"type": "ok", "id": "seek", "cmd": "seek", "seek": "s1"}, {"type": "paired", "match": "7"},
                   state())
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "it plays when it is paired")
        server.hang_up()
        server.accept()
        server.welcome()
        t.equal(server.hear(), seek, "and seeks again when it comes back")
        server.say(state())
        server.hear()
        bot.process.send_signal(signal.SIGTERM)
        t.equal(server.hear(), "#unseek unseek", "after SIGTERM it seeks no more")
        server.say(state(status="over", result="1-0", reason="no-moves"),
                   {"type": "error", "id": "seek", "cmd": "seek", "code": "rate-limited", "message": ""},
                   {"type": "error", "id": "unseek", "cmd": "unseek", "code": "rate-limited", "message": "", "retry_ms": 1})
        t.equal(server.hear(), "#unseek unseek", "nor after a late refusal")
        server.say({"type": "ok", "id": "unseek", "cmd": "unseek"})
        server.let_go()
    with BotServer() as server, Bot(server.address, "--name", "gus", "--seek", "shakti") as bot:
        server.accept()
        server.welcome()
        t.equal(server.hear(), "#seek seek shakti repeat=yes max=100", "without a clock")
        refusal = {"type": "error", "id": "seek", "cmd": "seek", "message": "too many"}
        server.say({**refusal, "code": "limit-reached", "retry_ms": 1})
        t.equal([server.hear(), server.hear()], ["ping", "#seek seek shakti repeat=yes max=100"], "a limit may pass")
        server.say({**refusal, "code": "not-allowed"})
        code, shown, errors = bot.end()
        t.check("--seek: too many: trying again\n" in shown, "it says so", shown)
        t.equal((code, errors), (1, "ludus-bot: --seek: too many\n"), "another refusal ends the bot")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--seek", "shakti", "--tournament", "t1") as bot:
        server.accept()
        server.welcome()
        t.equal([server.hear(), server.hear()], ["#seek seek shakti repeat=yes max=100", "#watch watch tournament t1"], "both")
        page = {"type": "tournament", "id": "show", "tournament": "t1", "status": "running", "total_players": 2}
        server.say({"type": "error", "id": "watch", "cmd": "watch", "code": "limit-reached", "message": "!", "retry_ms": 1})
        t.equal(sorted(server.hear() for _ in range(3)),
                ["#show tournament show t1 players=1", "#watch watch tournament t1", "ping"], "it looks without watching")
        server.say({**page, "players": [{"name": "hal"}]})
        t.equal(server.hear(), "#show tournament show t1 players=2", "the rest of the players")
        server.say({**page, "players": [{"name": "gus", "left": True}]})
        for _ in range(3):
            t.equal(server.hear(), "#tournament tournament join t1", "it joins, and does nothing else again")
            server.say({"type": "error", "id": "tournament", "cmd": "tournament", "code": "rate-limited",
                        "message": "", "retry_ms": 1})
        server.say({"type": "tournament", "tournament": "t1", "what": "aborted", "status": "aborted"})
        wait_until(lambda: server.hear() == "#unseek unseek", "an end of the tournament ends its seek")
        server.say({"type": "ok", "id": "unseek", "cmd": "unseek"})
        server.let_go()


def secrets(t):
    """The token is kept, in a file of its own if told so, and shown to nobody."""
    with BotServer() as server, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "token")
        with Bot(server.address, "--name", "gus", "--token-file", path, "--code", "sesam",
                 "--retry", "0"):
            server.accept()
            t.equal(server.welcome("f1rst"), f"hello gus code=sesam bot=yes only=yes client=ludus-bot/{VERSION}",
                    "the first time it has none")
            wait_until(lambda: os.path.exists(path), "the token's file")
        with open(path) as file:
            t.equal(file.read(), "f1rst\n", "the file")
        t.equal(os.stat(path).st_mode & 0o777, 0o600, "nobody else may read it")
        server.hang_up()
        with Bot(server.address, "--name", "gus", "--token-file", path):
            server.accept()
            t.check("token=f1rst" in server.welcome("f1rst"), "the next time it comes back")
        server.hang_up()
        with Bot(server.address, "--name", "gus", "--token", "g1ven", "--code", "sesam") as bot:
            server.accept()
            words = command_line_of(bot.process)
            t.check("g1ven" not in words and "sesam" not in words, "no secret in ps", words)
            t.check("token=g1ven code=sesam" in server.welcome("g1ven"), "the token of --token")
            wait_until(lambda: kept_token(server.address, "gus") == "g1ven", "it is kept, too")
        server.hang_up()
        with Bot(server.address, "--name", "gus"):
            server.accept()
            t.check("token=g1ven" in server.welcome("g1ven"), "as the client keeps its own")
        server.hang_up()
        with open(path, "w") as file:
            file.write("two words\n")
        with Bot(server.address, "--name", "gus", "--token-file", path) as bot:
            t.equal(bot.end(), (1, "", f"ludus-bot: --token-file: {path}: holds no token\n"),
                    "a file with something else")
        with Bot(server.address, "--name", "gus", "--quiet", "--token-file", folder + "/no/where") as bot:
            server.accept()
            server.welcome("l0st")
            t.check(bot.process.stderr.readline().startswith("ludus-bot: token: l0st (not kept: "),
                    "a token that cannot be kept is told, --quiet or not")


def waits_for_a_server(t):
    """A bot with a name, started before its server, tries again."""
    with BotServer() as server:
        server.listener.close()
        with Bot(server.address, "--name", "gus") as bot:
            t.equal(bot.process.stdout.readline(),
                    f"{server.address}: Connection refused: trying for 300 s\n", "says so")
            host, port = server.address.split(":")
            server.listener = socket.create_server((host, int(port)))
            server.listener.settimeout(LIMIT_S)
            server.accept()
            t.check(server.welcome().startswith("hello gus"), "and comes")
    with Bot("127.0.0.1:99:x:1", "--name", "gus") as bot:
        t.equal(bot.end()[0], 1, "no waiting for an address that cannot be right")


def configuration(t):
    with BotServer() as server, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gus.conf")

        def write(text):
            with open(path, "w") as file:
                file.write(text)

        write(f"# a bot\n\nconnect = {server.address}\nname=ann\n  level = random  \ntls = no\n"
              "quiet = yes\ncode = a=b")
        with Bot(server.address, "--config", path, "--name", "gus") as bot:
            server.accept()
            t.check(server.welcome().startswith("hello gus code=a=b"), "the command line wins")
            server.say({"type": "bye", "reason": "quit"})
            t.equal(bot.end(), (0, "", ""), "quiet")
        for text, error in (("levle = easy", "1: 'levle': unknown option (did you mean level?): see ludus-bot --help"),
                            ("frob = 1", "1: 'frob': unknown option: see ludus-bot --help"), ("\nname", "2: 'name': not a setting: write name = value"),
                            ("config = x", "1: config: not allowed in a file: give it on the command line"),
                            ("tls = maybe", "1: tls: invalid value 'maybe': write yes or no"),
                            ("name = " + "x" * 9000, "1: line too long, or not text"),
                            ("seed = 1\n\nseed = 1\n", "3: seed: already set in line 1"),
                            ("level =", "1: level: value missing: LEVEL"),
                            ("threads = 0", "1: threads: invalid value '0': write a number from 1 to 16")):
            write(text)
            with Bot(server.address, "--config", path) as bot:
                t.equal(bot.end(), (2, "", f"ludus-bot: --config: {path}:{error}\n"), f"{text[:20]!r}")
        write(f"connect = {server.address}\nname = gus\nquiet = yes\n")
        with Bot(server.address, "--config=~/gus.conf", "--quiet=no", env={"HOME": folder}) as bot:
            server.accept()
            t.check(server.welcome().startswith("hello gus"), "~ is the home directory")
            server.say({"type": "bye", "reason": "quit"})
            code, shown, errors = bot.end()
            t.check(code == 0 and shown != "" and errors == "", "the command line unsets a flag", shown + errors)


def comes_back(t):
    with BotServer() as server, Bot(server.address, "--name", "gus") as bot:
        server.accept()
        t.check(server.welcome().startswith("hello gus bot=yes"), "hello")
        server.hang_up()
        server.accept()
        t.check(server.welcome().startswith("hello gus token=t0k3n bot=yes"), "with its token")
        server.say(state())
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "plays on")
        server.say({"type": "bye", "reason": "shutdown"})
        server.hang_up()
        server.accept()
        t.check("token=t0k3n" in server.hear(), "comes back after a shutdown")
        server.say({"type": "error", "cmd": "hello", "code": "server-busy", "message": "busy"})
        server.accept()
        t.check("token=t0k3n" in server.hear(), "comes back to a server that was busy")
        server.say({"type": "error", "cmd": "hello", "code": "bad-token", "message": "unknown"})
        t.check(server.welcome("n3w").startswith("hello gus bot=yes"),
                "takes the name anew where it is not known")
        server.say({"type": "bye", "reason": "replaced"})
        t.equal((bot.end()[0], bot.process.poll()), (1, 1), "gives way to the one that replaced it")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--retry", "1") as bot:
        server.accept()
        server.welcome()
        server.listener.close()
        server.hang_up()
        code, _, errors = bot.end()
        t.check(code == 1 and errors.endswith("Connection refused\n"), "gives up in the end", errors)


def house(t):
    with BotServer() as server, Bot(server.address, "--house", "random", given="s3cr3t\n") as bot:
        server.accept()
        t.equal(server.hear(), "hello bot:random token=s3cr3t bot=yes only=yes", "hello of a house bot")
        server.say({"type": "ok", "cmd": "hello", "name": "bot:random"})
        server.hear()
        server.say(state())
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "plays")
        server.say({"type": "ping"})
        t.equal(server.hear(), "ping", "answers a ping")
        players = {color: {"name": name, "bot": False, "rating": 1500, "online": True, "seated": True}
                   for color, name in (("white", "bot:random"), ("black", "anna"))}
        guests = {color: {**player, "rating": None} for color, player in players.items()}
        offer = {"type": "offer", "match": "8", "what": "undo", "from": "anna", "color": "black", "open": True}
        for rated, who, answer in ((True, players, "decline"), (False, players, "undo"), (True, guests, "undo")):
            server.say(state(match="8", turn="black", position="Pp b", rated=rated, players=who), offer)
            t.equal(server.hear(), f"#8 {answer} 8", f"a take-back, {rated}, {who['black']['rating']}")
        server.hang_up()
        t.equal(bot.end(), (0, "", ""), "ends with its connection, and in silence")


def refusals(t):
    def refuse(code, **more):
        server.say({"type": "error", "id": "7", "cmd": "move", "code": code, "message": "no",
                    **more})

    with BotServer() as server, Bot(server.address) as bot:
        server.accept()
        server.hear()
        server.say(state())
        move = "#7 move 7 b1a1 ply=0"
        t.equal(server.hear(), move, "a move")
        began = time.monotonic()
        refuse("rate-limited", retry_ms=200)
        t.equal(server.hear(), move, "once more")
        waited_s = time.monotonic() - began
        t.check(waited_s >= 0.1, "when the time has come, counted from where its loop last read the clock", waited_s)
        refuse("internal")
        t.equal(server.hear(), move, "and once more")
        refuse("stale-ply")
        refuse("match-over")
        refuse("not-your-turn")
        server.say(state(ply=4))
        t.equal(server.hear(), "#7 move 7 b1a1 ply=4", "other errors are passed over")
        refuse("illegal-move")
        t.equal(server.hear(), "#7 resign 7", "resigns where the rules are in doubt")
        server.say({"type": "bye", "reason": "quit"})
        code, _, errors = bot.end()
        t.equal((code, errors.count("\n")), (0, 1), "exit code, and one line of errors")


def says_how_it_leaves(t):
    """A bot resigns only what has begun."""
    with BotServer() as server, Bot(server.address) as bot:
        server.accept()
        server.hear()
        for status, answer in (("open", "abort"), ("playing", "resign")):
            server.say(state(match=status, status=status, game="chess", players=seats(white="guest-1")))
            t.equal(server.hear(), f"#{status} {answer} {status}", f"an unknown game that is {status}")
            server.say(state(match=status + "2", status=status, position="x"))
            t.equal(server.hear(), f"#{status}2 {answer} {status}2", f"a faulty position, {status}")
        server.say({"type": "bye", "reason": "quit"})
        errors = bot.end()[2].splitlines()
        t.equal([error.split(": ")[1:2] + error.split(": ")[-1:] for error in errors],
                [["open", "the bot aborts"], ["open2", "the bot aborts"],
                 ["playing", "the bot resigns"], ["playing2", "the bot resigns"]], "what it says")


def offers(t):
    offer = {"type": "offer", "match": "7", "what": "draw", "from": "anna", "color": "black",
             "open": True}
    with BotServer() as server, Bot(server.address) as bot:
        server.accept()
        server.hear()
        server.say({"type": "challenge", "match": "8", "from": "anna", "game": "chess"})
        t.equal(server.hear(), "#8 decline 8 game", "a challenge to an unknown game")
        server.say({"type": "error", "id": "8", "cmd": "decline", "code": "bad-arguments", "message": "MATCH"})
        t.equal(server.hear(), "decline 8", "without a reason where the server knows none")
        server.say({"type": "challenge", "match": "9", "from": "anna", "game": "shakti"})
        t.equal(server.hear(), "#9 join 9", "a challenge to a known one")
        server.say(state(turn="black", position="Pp b", variant="2x1", offers=[
            {"what": "undo", "from": "anna", "color": "black"},
            {"what": "draw", "from": "guest-1", "color": "white"}]))
        t.equal(server.hear(), "#7 undo 7", "what was offered while it was away")
        rated = {color: {"name": name, "bot": True, "rating": 1500, "online": True, "seated": True}
                 for color, name in (("white", "guest-1"), ("black", "anna"))}
        server.say(state(match="10", turn="black", position="Pp b", rated=True, players=rated),
                   {**offer, "match": "10", "what": "undo"})
        t.equal(server.hear(), "#10 undo 10", "a bot that is nobody's house bot always agrees")
        server.say({**offer, "open": False}, {**offer, "from": "guest-1"},
                   {**offer, "match": "11"}, {**offer, "what": "rematch", "match": "12"})
        t.equal(server.hear(), "#12 rematch 12", "only open ones of others, in matches of its own")
        server.say(state(position="pP w", offers=[{"what": "undo", "from": "anna"}]), offer)
        said = sorted([server.hear(), server.hear()])
        t.equal(said, ["#7 decline 7", "#7 move 7 b1a1 ply=0"], "no offer is answered twice")
        server.say({"type": "bye", "reason": "quit"})
        t.equal(bot.end()[0], 0, "exit code")


def nonsense(t):
    """No message of a server crashes a bot or keeps it from its next move."""
    good = state()
    lines = ["", "[]", "3", "null", "{}", "{", '{"type":3}', '{"type":"state"}', "\x00\x01", "é\udcff"
             .encode("utf-8", "surrogateescape").decode("latin-1"), "[" * 5000, '{"type":' * 500]
    values = [None, True, -1, 0, 1e300, 1.5, "", "x", "x" * 5000, [], {}, [None], {"x": 1},
              "a b", "7\nmove", "white", "over", "\u202e", [[]] * 50]
    messages = [good, {"type": "offer", "match": "7", "what": "draw", "from": "x", "open": True},
                {"type": "challenge", "match": "9", "game": "shakti"},
                {"type": "ok", "cmd": "hello", "name": "gus", "token": "t"},
                {"type": "error", "id": "7", "cmd": "move", "code": "rate-limited", "retry_ms": 1},
                {"type": "bye", "reason": "idle"}, {"type": "hello", "name": "x", "code": False}]
    for message in messages[:5]:
        for field in list(message)[1:]:
            lines += [json.dumps({k: v for k, v in message.items() if k != field})]
            lines += [json.dumps({**message, field: value}) for value in values]
    clocks = [{"white_ms": v, "black_ms": v, "increment_ms": v} for v in values]
    lines += [json.dumps({**good, "clock": clock}) for clock in clocks]
    lines += [json.dumps({**good, "offers": [offer]}) for offer in values + messages]
    lines += [json.dumps({**good, "position": p}) for p in ["PP w", "p1 b", "pP w ", "9/9 w"]]
    # Omits messages with consequences of their own: a refused hello, and bye.
    lines = [line for line in lines if '"cmd": "hello"' not in line or '"code"' not in line]
    with BotServer() as server, Bot(server.address, "--quiet") as bot:
        server.accept()
        server.hear()
        random.Random(1).shuffle(lines)
        for line in lines:
            server.peer.sendall(line.encode("utf-8", "surrogatepass") + b"\n")
        server.say(state(match="end", ply=70))
        said = server.hear()
        while said and said != "#end move end b1a1 ply=70":
            said = server.hear()
        t.equal(said, "#end move end b1a1 ply=70", f"plays on after {len(lines)} odd lines")
        server.say({"type": "bye", "reason": "quit"})
        t.equal(bot.end()[:2], (0, ""), "and ends in good order")


def bad_servers(t):
    for greeting in [b"SSH-2.0-OpenSSH\r\n", b"", b"x" * 3000000]:
        with BotServer() as server, Bot(server.address, "--retry", "0") as bot:
            server.accept(greeting=False)
            try:
                server.peer.sendall(greeting)
            except ConnectionError:
                pass  # the bot has disconnected already
            server.hang_up()
            t.equal(bot.end(), (1, "", f"ludus-bot: {server.address}: no Ludus server answers "
                                "there\n"), f"ends after {greeting[:20]!r}")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--retry", "0") as bot:
        server.accept()
        server.welcome()
        server.hang_up()
        code, _, errors = bot.end()
        t.equal((code, errors), (1, f"ludus-bot: {server.address}: the connection is lost\n"),
                "--retry 0")


if __name__ == "__main__":
    sys.exit(Checks("test_bot_scripted").run([
        secrets, waits_for_a_server, configuration, finishes, heeds_signals_at_once, finishes_what_it_accepted,
        accepts_and_declines, waits_no_longer, places, seeks, comes_back, house, refusals, says_how_it_leaves, offers, nonsense, bad_servers]))
