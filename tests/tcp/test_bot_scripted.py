"""Bots on a scripted server, which may misbehave."""
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
        # The signal may come after the first challenge.
        server.say({"type": "challenge", "match": "8", "from": "anna", "game": "shakti"})
        wait_until(lambda: server.hear() == "#8 decline 8 later" or server.say(
            {"type": "challenge", "match": "8", "from": "anna", "game": "shakti"}), "no new match")
        server.say(offer)
        said = server.hear()
        t.check(said in ("decline 6", "#8 decline 8 later"), "no rematch", said)
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
        wait_until(lambda: server.hear() == "#8 decline 8 later" or server.say(challenge(8)), "it leaves")
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
                words = f"join {number}" if answer == "join" else f"#{number} decline {number} {answer}"
                t.equal(server.hear(), words, f"a challenge with {more}")
                server.say({"type": "ok", "cmd": words.split()[0], "match": str(number)})
            with open(path, "w") as file:
                file.write("anna\n")
            server.say(challenge(20), challenge(21, name="bob"))
            t.equal([server.hear(), server.hear()], ["#20 decline 20 no", "join 21"], "the file has changed")
            offer = {"type": "offer", "match": "5", "what": "rematch", "from": "bob", "color": "white", "open": True}
            server.say(state(match="30", position="Pp b"), challenge(22, name="bob"), offer)
            t.equal([server.hear(), server.hear()], ["#22 decline 22 busy", "decline 5"],
                    "as many as --max-matches, with one that it has joined")
            server.say(challenge(21, name="bob"))
            t.equal(server.hear(), "join 21", "the other seat of that one")
            server.say(*[{"type": "error", "cmd": "join", "code": "match-over", "message": "!"}] * 2, offer,
                       challenge(23, name="bob"))
            t.equal([server.hear(), server.hear()], ["rematch 5", "#23 decline 23 busy"], "a rematch is one, too")
            server.say({"type": "error", "cmd": "rematch", "code": "not-allowed", "message": "!"},
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
            t.equal([server.hear(), server.hear()], ["#1 decline 1 no", "join 2"], "only those in the file")


def seeks(t):
    with BotServer() as server, Bot(server.address, "--name", "gus", "--seek", "clobber:4x4", "--clock",
                                 "60+1") as bot:
        seek = "#seek seek clobber:4x4 clock=60+1 repeat=yes"
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
        t.equal(server.hear(), "#seek seek shakti repeat=yes", "without a clock")
        refusal = {"type": "error", "id": "seek", "cmd": "seek", "message": "too many"}
        server.say({**refusal, "code": "limit-reached", "retry_ms": 1})
        t.equal([server.hear(), server.hear()], ["ping", "#seek seek shakti repeat=yes"], "a limit may pass")
        server.say({**refusal, "code": "not-allowed"})
        code, shown, errors = bot.end()
        t.check("--seek: too many: trying again\n" in shown, "it says so", shown)
        t.equal((code, errors), (1, "ludus-bot: --seek: too many\n"), "another refusal ends the bot")
    with BotServer() as server, Bot(server.address, "--name", "gus", "--seek", "shakti", "--tournament", "t1") as bot:
        server.accept()
        server.welcome()
        t.equal([server.hear(), server.hear()], ["#seek seek shakti repeat=yes", "#watch watch tournament t1"], "both")
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
            t.equal(server.welcome("f1rst"), f"hello gus code=sesam bot=yes client=ludus-bot/{VERSION}",
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
        for text, error in (("frob = 1", "1: frob: unknown option"), ("\nname", "2: 'name': not a setting: write name = value"),
                            ("config = x", "1: config: unknown option"),
                            ("tls = maybe", "1: tls: write yes or no"),
                            ("name = " + "x" * 2000, "1: longer than 1022 bytes"),
                            ("seed = 1\n" * 300, "257: more than 256 options")):
            write(text)
            with Bot(server.address, "--config", path) as bot:
                t.equal(bot.end(), (2, "", f"ludus-bot: --config: {path}:{error}\n"), f"{text[:20]!r}")
        write("threads = 0")
        with Bot(server.address, "--config", path) as bot:
            t.equal(bot.end()[0], 2, "a value out of its range")


def comes_back(t):
    with BotServer() as server, Bot(server.address, "--name", "gus", "--retry", "30") as bot:
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
        t.equal(server.hear(), "hello bot:random token=s3cr3t bot=yes", "hello of a house bot")
        server.say({"type": "ok", "cmd": "hello", "name": "bot:random"})
        server.hear()
        server.say(state())
        t.equal(server.hear(), "#7 move 7 b1a1 ply=0", "plays")
        server.say({"type": "ping"})
        t.equal(server.hear(), "ping", "answers a ping")
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
        t.check(time.monotonic() - began >= 0.2, "when the time has come")
        refuse("internal")
        t.equal(server.hear(), move, "and once more")
        refuse("stale-ply")
        refuse("match-over")
        refuse("not-your-turn")
        server.say(state(ply=4))
        t.equal(server.hear(), "#7 move 7 b1a1 ply=4", "other errors are passed over")
        refuse("illegal-move")
        t.equal(server.hear(), "resign 7", "resigns where the rules are in doubt")
        server.say({"type": "bye", "reason": "quit"})
        code, _, errors = bot.end()
        t.equal((code, errors.count("\n")), (0, 1), "exit code, and one line of errors")


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
        t.equal(server.hear(), "join 9", "a challenge to a known one")
        server.say(state(turn="black", position="Pp b", variant="2x1", offers=[
            {"what": "undo", "from": "anna", "color": "black"},
            {"what": "draw", "from": "guest-1", "color": "white"}]))
        t.equal(server.hear(), "undo 7", "what was offered while it was away")
        server.say({**offer, "open": False}, {**offer, "from": "guest-1"},
                   {**offer, "match": "11"}, {**offer, "what": "rematch", "match": "12"})
        t.equal(server.hear(), "rematch 12", "only open ones of others, in matches of its own")
        server.say(state(position="pP w", offers=[{"what": "undo", "from": "anna"}]), offer)
        said = sorted([server.hear(), server.hear()])
        t.equal(said, ["#7 move 7 b1a1 ply=0", "decline 7"], "no offer is answered twice")
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
        secrets, waits_for_a_server, configuration, finishes, accepts_and_declines, seeks,
        comes_back, house, refusals, offers, nonsense, bad_servers]))
