"""Bots on a server: a real one, and a scripted one that may misbehave."""
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from harness import LIMIT_S, Checks, Server, build_folder, forget_tokens, kept_token, wait_until

PROGRAM = os.path.join(build_folder(), "ludus-bot")
VERSION = subprocess.check_output([PROGRAM, "--version"], text=True).split()[1]


class Bot:
    """A ludus-bot that ends with the `with` at the latest."""

    def __init__(self, address, *options, given=None):
        self.process = subprocess.Popen(
            [PROGRAM, "--connect", address, *options], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.PIPE)
        if given is not None:
            self.process.stdin.write(given)
            self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=LIMIT_S)

    def end(self):
        """Waits for the bot to exit by itself, and returns its exit code, output and errors."""
        shown, errors = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, shown, errors


def wait_for_player(connection, name):
    wait_until(lambda: name in [p["name"] for p in connection.ask("who")["players"]],
               f"{name} is here")


def play_on(connection, match, state):
    """Plays the first legal move on every turn of ours, and returns the last state."""
    while state["status"] != "over":
        if "legal" in state:
            connection.send(f"move {match} {state['legal'][0]} ply={state['ply']}")
        state = connection.wait_for("state", match=match)
    return state


def challenges(t):
    with Server(build_folder(), "--no-bots", checks=t) as server, \
            Bot(server.address, "--name", "gus", "--level", "random") as bot:
        anna = server.connect("anna")
        wait_for_player(anna, "gus")
        t.equal([p["bot"] for p in anna.ask("who")["players"] if p["name"] == "gus"], [True],
                "it says that it is a bot")
        match = anna.ask("new clobber black=gus")["match"]
        state = anna.wait_for("state", match=match, status="playing")
        state = play_on(anna, match, state)
        t.equal(state["reason"], "no-moves", "a challenge is accepted and played")
        anna.ask(f"rematch {match}")
        follow = anna.wait_for("rematch", match=match)["new"]
        state = anna.wait_for("state", match=follow, status="playing")
        t.equal(state["players"]["white"]["name"], "gus", "a rematch, with colours swapped")
        t.equal(play_on(anna, follow, state)["reason"], "no-moves", "and it is played")
        bot.process.send_signal(signal.SIGTERM)
        shown = bot.end()[1]
        t.check(re.search(r"^connected to \S+ as gus$", shown, re.M), "tells who it is", shown)
        token = kept_token(server.address, "gus")
        t.check("token" not in shown, "does not tell its token", shown)
        t.equal(server.connect().ask(f"hello gus token={token}")["name"], "gus", "keeps it")
        t.check(f"match {match}: clobber, playing black\n" in shown, "tells of a match", shown)
        t.check(re.search(rf"^match {match}: over, [01]-[01] no-moves$", shown, re.M),
                "tells of its end", shown)
        anna.close()


# Draw offers to the bot, which is black and clearly better, worse or equal, or in a game without draws.
# White moves.
DRAWS = [
    ("latrunculi", "ssssssss/3d4/8/8/8/8/4D3/4S3 w 0", "decline"),
    ("latrunculi", "3s4/3d4/8/8/8/8/4D3/SSSSSSSS w 0", "draw-agreed"),
    ("clobber", "pP1pP w", "decline"),
    ("clobber", "pP3/5/PpP2/3pP w", "decline"),
    ("shakti", "*5*/1w1k1w1/7/7/7/3K3/*5* w 0", "decline"),
    ("shakti", "*5*/3k3/7/7/7/1W1K1W1/*5* w 0", "draw-agreed"),
    ("xadrersi", None, "decline"),
]


def draws(t):
    with Server(build_folder(), "--bots", "greedy", checks=t) as server:
        anna = server.connect("anna")
        for game, position, answer in DRAWS:
            words = f" position={position}" if position else ""
            match = anna.ask(f"new {game} black=bot:greedy{words}")["match"]
            anna.send(f"draw {match}")
            if answer == "decline":
                event = anna.wait_for("offer", match=match, open=False)
                t.equal(event and event["what"], "draw", f"{game}: a draw is answered")
                t.equal(anna.ask(f"state {match}")["status"], "playing", f"{game}: declined")
                anna.ask(f"resign {match}")
            else:
                state = anna.wait_for("state", match=match, status="over")
                t.equal(state["reason"], answer, f"{game}: a draw is accepted")
        anna.close()


def undo(t):
    with Server(build_folder(), "--bots", "greedy", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber:4x5 black=bot:greedy")["match"]
        state = anna.wait_for("state", match=match, ply=0)
        first = state["legal"][0]
        anna.send(f"move {match} {first}")
        anna.wait_for("state", match=match, ply=2)
        anna.send(f"undo {match}")
        state = anna.wait_for("state", match=match, ply=0)
        t.equal(state["turn"], "white", "the last two plies are taken back")
        anna.send(f"move {match} {state['legal'][1]}")
        state = anna.wait_for("state", match=match, ply=2)
        t.equal(play_on(anna, match, state)["reason"], "no-moves", "and play goes on")
        anna.close()


def undo_while_it_thinks(t):
    """The bot answers a take-back and a draw offer at once, not after the minute that its move takes."""
    with Server(build_folder(), "--bots", "max", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber:10x10 black=bot:max clock=3600")["match"]
        state = anna.wait_for("state", match=match, ply=0)
        anna.send(f"move {match} {state['legal'][0]}")
        anna.wait_for("state", match=match, ply=1)
        anna.send(f"undo {match}")
        state = anna.wait_for("state", match=match)
        t.equal(state["ply"], 0, "the take-back does not wait for the move")
        anna.send(f"move {match} {state['legal'][1]}")
        anna.wait_for("state", match=match, ply=1)
        anna.send(f"draw {match}")
        message = {}
        while message.get("open") is not False and message.get("status") != "over" \
                and message.get("ply") != 2:
            message = anna.read()
        t.check(message.get("ply") != 2, "a draw is answered before the move", message)
        anna.close()


def many_clocks(t):
    """One bot in fifty matches at once loses none on time."""
    with Server(build_folder(), "--bots", "random,max", checks=t) as server:
        anna = server.connect("anna")
        anna.send("set legal=off")
        matches = []
        for i in range(50):
            white, black = ["max", "random"] if i % 2 else ["random", "max"]
            reply = anna.ask(f"new clobber:4x5 white=bot:{white} black=bot:{black} clock=20+0")
            matches.append(reply["match"])
        reasons = {}

        def all_over():
            for match in set(matches) - set(reasons):
                reason = anna.ask(f"record {match}")["reason"]
                if reason is not None:
                    reasons[match] = reason
            return len(reasons) == len(matches)

        wait_until(all_over, "50 matches at once come to their ends")
        t.equal(set(reasons.values()), {"no-moves"}, "how they end")
        anna.close()


def many_matches(t):
    games = ["clobber", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti"]
    with Server(build_folder(), checks=t) as server:
        anna = server.connect("anna")
        anna.send("set legal=off")
        greedy_white, results = {}, {}
        for i in range(60):
            white, black = ["greedy", "random"] if i % 2 else ["random", "greedy"]
            reply = anna.ask(f"new {games[i % 5]} white=bot:{white} black=bot:{black}")
            greedy_white[reply["match"]] = white == "greedy"

        def all_over():
            for match in set(greedy_white) - set(results):
                record = anna.ask(f"record {match}")
                if record["reason"] is not None:
                    results[match] = record["result"]
            return len(results) == len(greedy_white)

        wait_until(all_over, "60 matches at once come to their ends")
        won = sum(results[match] == ("1-0" if greedy_white[match] else "0-1") for match in results)
        t.check(won >= 50, "greedy beats random", f"{won} of 60")
        t.equal(anna.ask("stats")["errors_total"], 0, "no command was refused")
        anna.close()


def killed_in_mid_match(t):
    with Server(build_folder(), "--bots", "greedy", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new shakti black=bot:greedy")["match"]
        state = anna.wait_for("state", match=match, ply=0)
        child = server.children()["greedy"]
        anna.send(f"move {match} {state['legal'][0]}")
        state = anna.wait_for("state", match=match, ply=2)
        os.kill(child, signal.SIGKILL)
        t.check(anna.wait_for("presence", match=match, online=False), "it is gone")
        anna.send(f"move {match} {state['legal'][0]}")
        state = anna.wait_for("state", match=match, ply=4)
        t.check(state, "the next one plays on")
        t.check(server.children()["greedy"] != child, "another process")
        for ply in range(4, 200, 2):  # random moves, because the first legal one may repeat for ever
            if state["status"] == "over":
                break
            anna.send(f"move {match} {random.choice(state['legal'])} ply={ply}")
            while state["status"] != "over" and state["ply"] < ply + 2:
                state = anna.wait_for("state", match=match)
        if state["status"] != "over":
            anna.send(f"resign {match}")
            state = anna.wait_for("state", match=match, status="over")
        t.equal(state["status"], "over", "the match ends")
        anna.close()


def stopped(t):
    """House bots that ignore SIGTERM do not delay the server's exit."""
    with Server(build_folder(), "--bots", "random,greedy", checks=t) as server:
        wait_until(lambda: len(server.children()) == 2, "the house bots")
        children = server.children()
        for child in children.values():
            os.kill(child, signal.SIGSTOP)
    for level, child in children.items():
        t.check(not os.path.exists(f"/proc/{child}"), f"{level} is gone")


def options(t):
    with Server(build_folder(), "--no-bots", "--code", "sesame", checks=t) as server:
        anna = server.connect()
        anna.ask("hello anna code=sesame")
        match = anna.ask("new clobber:3x3 white=me black=open")["match"]
        with Bot(server.address, "--name", "gus", "--code", "sesame", "--join", match,
                 "--level", "hard", "--threads", "2"):
            state = anna.wait_for("state", match=match, status="playing")
            t.equal(state["players"]["black"]["name"], "gus", "--join")
            play_on(anna, match, state)
        for words, error in [
                (["--name", "bob"], "bob: join code required: "
                                    "hello NAME code=CODE"),
                (["--name", "bob", "--code", "x"],
                 "bob: wrong join code"),
                (["--name", "anna", "--code", "sesame"], "anna: name taken: choose another"),
                (["--name", "anna", "--code", "sesame", "--token", "x"],
                 "anna: name taken: choose another"),
                (["--name", "bob", "--code", "sesame", "--join", "99"],
                 "join: unknown match '99'"),
                ([], f"{server.address}: this server wants a join code: give --name and --code")]:
            with Bot(server.address, *words) as bot:
                code, _, errors = bot.end()
                t.check(code == 1 and errors.startswith(f"ludus-bot: {error}"), f"{words}",
                        (code, errors))
        anna.close()
    for words, error in [
            (["-xy"], "-x: unknown option: see --help"),
            (["-\xe9\xe9"], "-?: unknown option: see --help"),
            (["--connect", ""], "--connect: nothing given"),
            (["--token", ""], "--token: nothing given"),
            (["--token", "x"], "--token: a token belongs to a name: give --name"),
            (["--token-file", "x"], "--token-file: a token belongs to a name: give --name"),
            (["--name", "b b"], "--name: 'b b' is not one word of at most 24 bytes"),
            (["--seek", "chess"], "--seek: unknown game 'chess'"),
            (["--clock", "60+1"], "--clock: give --seek, too"),
            (["--seek", "shakti", "--clock", "x"], "--clock: "),
            (["--tournament", "1"], "--tournament: guests cannot take part: give --name"),
            (["--accept-games", "shakti,chess"], "--accept-games: unknown game 'chess'"),
            (["--accept-clocks", "none,x"], "--accept-clocks: "),
            (["--opponents", "list"], "--opponents: 'list' is not allow:FILE or block:FILE"),
            (["--config", "/nonexistent"], "--config: /nonexistent: No such file or directory"),
            (["--name", "bob\nquit"], "--name: control characters")]:
        with Bot(server.address, *words) as bot:
            code, shown, errors = bot.end()
            t.check((code, shown, errors.count("\n")) == (2, "", 1) and
                    errors.startswith(f"ludus-bot: {error}"), f"{words}", errors)
    with Bot(server.address, "--threads", "0") as bot:
        t.equal(bot.end(), (2, "", "ludus-bot: --threads: invalid value '0': write a number from 1 to 16\n"),
                "no threads")
    with Bot(server.address, "--name", "gus", "--retry", "0") as bot:
        t.equal(bot.end(), (1, "", f"ludus-bot: {server.address}: Connection refused\n"),
                "nobody listens")
    with Bot(server.address) as bot:
        t.equal(bot.end(), (1, "", f"ludus-bot: {server.address}: Connection refused\n"),
                "a guest does not wait")


def finishes(t):
    """After SIGTERM a bot takes no new match, and leaves when the last one is over."""
    offer = {"type": "offer", "match": "6", "what": "rematch", "from": "anna", "color": "black",
             "open": True}
    with Script() as server, Bot(server.address, "--name", "gus") as bot:
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
    with Script() as server, Bot(server.address, "--name", "gus", "--retry", "1") as bot:
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
    with Script() as server, Bot(server.address, "--name", "gus") as bot:
        server.accept()
        server.welcome()
        server.say(state())
        server.hear()
        bot.process.send_signal(signal.SIGINT)
        t.equal(server.hear(), "quit", "SIGINT does not wait")
        server.hang_up()
        t.equal(bot.end()[0], 0, "exit code after SIGINT")


def challenge(number, game="shakti", clock=None, name="anna", **more):
    clock = clock and {"base_ms": clock[0] * 1000, "increment_ms": clock[1] * 1000}
    return {"type": "challenge", "match": str(number), "from": name, "game": game, "variant": "standard",
            "clock": clock, **more}


def accepts_and_declines(t):
    """Each challenge that is not accepted is declined with the reason."""
    with tempfile.TemporaryDirectory() as folder, Script() as server:
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


def kicked(t):
    """A bot that loses its seat says so, and may play other matches with it."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber white=me black=open")["match"]
        with Bot(server.address, "--name", "gus", "--join", match, "--max-matches", "1") as bot:
            anna.wait_for("state", match=match, status="playing")
            anna.ask(f"kick {match}")
            anna.wait_for("state", match=match, status="open")
            other = anna.ask("new clobber black=gus")["match"]
            t.equal(anna.wait_for("state", match=other, status="playing")["status"], "playing", "it plays on")
            bot.process.send_signal(signal.SIGINT)
            bot.process.send_signal(signal.SIGINT)
            t.check(f"match {match}: the seat was freed\n" in bot.end()[1], "it says so")


def seeks(t):
    with Script() as server, Bot(server.address, "--name", "gus", "--seek", "clobber:4x4", "--clock",
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
    with Script() as server, Bot(server.address, "--name", "gus", "--seek", "shakti") as bot:
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
    with Script() as server, Bot(server.address, "--name", "gus", "--seek", "shakti", "--tournament", "t1") as bot:
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


def meets_by_seeking(t):
    """Two bots seek, the server pairs them again and again; a real server declines with reasons."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        words = ["--level", "random", "--seek", "clobber:3x3", "--clock", "60+1", "--accept-games", "shakti"]
        with Bot(server.address, "--name", "gus", *words), Bot(server.address, "--name", "hal", *words):
            wait_until(lambda: anna.ask("history gus").get("total", 0) >= 3, "three matches in a row")
            players = {match[color] for match in anna.ask("history gus")["matches"] for color in ("white", "black")}
            t.equal(players, {"gus", "hal"}, "of these two")
            match = anna.ask("new latrunculi black=gus")["match"]
            t.equal(anna.wait_for("declined")["reason"], "game", "the challenger hears why")
            t.equal(anna.wait_for("state", match=match, status="over")["reason"], "aborted", "and it is over")


def tournament(t):
    """Bots play a tournament to its end, and leave."""
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        cup = anna.ask("tournament new cup clobber:3x3 format=round-robin clock=60+1 start=manual")["tournament"]
        bots = [Bot(server.address, "--name", name, "--level", "random", "--tournament", cup)
                for name in ("gus", "hal", "ida")]
        wait_until(lambda: anna.ask(f"tournament show {cup}")["entrants"] == 3, "all take part")
        t.check("error" != anna.ask(f"tournament start {cup}")["type"], "it starts")
        for bot in bots:
            code, shown, errors = bot.end()
            t.equal((code, errors), (0, ""), "a bot ends with its tournament")
            t.equal(shown.count(": over, "), 2, "and has met both others")
        shown = anna.ask(f"tournament show {cup}")
        t.equal((shown["status"], sum(player["score"] for player in shown["players"])), ("over", 3), "its end")
        with Bot(server.address, "--name", "late", "--tournament", cup) as bot:
            t.equal(bot.end()[0], 0, "one that comes too late leaves")
        words = "clobber:3x3 format=round-robin clock=60+1 start=manual"
        people = anna.ask(f"tournament new people {words} bots=no")["tournament"]
        started = anna.ask(f"tournament new started {words}")["tournament"]
        bob = server.connect("bob")
        for player in (anna, bob):
            player.ask(f"tournament join {started}")
        anna.ask(f"tournament start {started}")
        for wrong, why in (("t99", "unknown tournament 't99'"), (people, "it is for people"),
                           (started, "it has started without you")):
            with Bot(server.address, "--name", "lost", "--tournament", wrong) as bot:
                t.equal(bot.end()[::2], (1, f"ludus-bot: --tournament: {why}\n"), f"it cannot take part: {why}")


def command_line_of(process):
    with open(f"/proc/{process.pid}/cmdline") as file:
        return file.read().split("\0")


def secrets(t):
    """The token is kept, in a file of its own if told so, and shown to nobody."""
    with Script() as server, tempfile.TemporaryDirectory() as folder:
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
    with Script() as server:
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
    with Script() as server, tempfile.TemporaryDirectory() as folder:
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
        for text, error in (("frob = 1", "1: frob: unknown option"), ("\nname", "2: write name = value"),
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


def guest(t):
    with Server(build_folder(), "--no-bots", checks=t) as server:
        anna = server.connect("anna")
        match = anna.ask("new xadrersi black=open")["match"]
        with Bot(server.address, "--join", match) as bot:
            play_on(anna, match, anna.wait_for("state", match=match, status="playing"))
            anna.close()
            server.stop()
            code, shown, errors = bot.end()
            t.equal((code, errors), (0, ""), "a guest ends with its connection")
            t.check("score" in shown, "and has played", shown)


class Script:
    """A scripted server."""

    def __init__(self):
        forget_tokens()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(LIMIT_S)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.peer = None

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.hang_up()
        self.listener.close()

    def accept(self, greeting=True):
        self.peer = self.listener.accept()[0]
        self.peer.settimeout(LIMIT_S)
        self.lines = self.peer.makefile("r")
        assert self.lines.readline() == "\n"  # asks for the greeting
        if greeting:
            self.say({"type": "hello", "proto": 1, "name": "guest-1", "code": False})

    def say(self, *messages):
        for message in messages:
            text = message if isinstance(message, str) else json.dumps(message)
            self.peer.sendall((text + "\n").encode())

    def hear(self):
        return self.lines.readline().rstrip("\n")

    def welcome(self, token="t0k3n"):
        """Answers the bot's hello and returns it."""
        said = self.hear()
        self.say({"type": "ok", "cmd": "hello", "name": "gus", "token": token})
        assert self.hear() == "set legal=off"
        return said

    def let_go(self):
        """Answers a bot that leaves, as nothing is on its way any more."""
        assert (said := self.hear()) == "#idle ping", said
        self.say({"type": "pong", "id": "idle"})
        assert (said := self.hear()) == "quit", said

    def hang_up(self):
        if self.peer is not None:
            self.lines.close()
            self.peer.close()
            self.peer = None


def state(**changes):
    return {"type": "state", "match": "7", "game": "clobber", "variant": "2x1",
            "status": "playing", "you": "white", "ply": 0, "turn": "white", "position": "pP w",
            "board": ["pP"],
            "clock": None, "offers": [], "result": "*", "reason": None, **changes}


def comes_back(t):
    with Script() as server, Bot(server.address, "--name", "gus", "--retry", "30") as bot:
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
    with Script() as server, Bot(server.address, "--name", "gus", "--retry", "1") as bot:
        server.accept()
        server.welcome()
        server.listener.close()
        server.hang_up()
        code, _, errors = bot.end()
        t.check(code == 1 and errors.endswith("Connection refused\n"), "gives up in the end", errors)


def house(t):
    with Script() as server, Bot(server.address, "--house", "random", given="s3cr3t\n") as bot:
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

    with Script() as server, Bot(server.address) as bot:
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
    with Script() as server, Bot(server.address) as bot:
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
    with Script() as server, Bot(server.address, "--quiet") as bot:
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
        with Script() as server, Bot(server.address, "--retry", "0") as bot:
            server.accept(greeting=False)
            try:
                server.peer.sendall(greeting)
            except ConnectionError:
                pass  # the bot has disconnected already
            server.hang_up()
            t.equal(bot.end(), (1, "", f"ludus-bot: {server.address}: no Ludus server answers "
                                "there\n"), f"ends after {greeting[:20]!r}")
    with Script() as server, Bot(server.address, "--name", "gus", "--retry", "0") as bot:
        server.accept()
        server.welcome()
        server.hang_up()
        code, _, errors = bot.end()
        t.equal((code, errors), (1, f"ludus-bot: {server.address}: the connection is lost\n"),
                "--retry 0")


if __name__ == "__main__":
    sys.exit(Checks("test_bot").run([
        challenges, draws, undo, undo_while_it_thinks, many_clocks, many_matches,
        killed_in_mid_match, stopped, options, secrets, waits_for_a_server, configuration,
        finishes, accepts_and_declines, kicked, seeks, meets_by_seeking, tournament,
        guest, comes_back, house, refusals, offers, nonsense,
        bad_servers]))
