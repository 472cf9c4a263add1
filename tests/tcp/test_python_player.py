"""client/python: levels, solver and review as functions, a player at a server, and the wheel.

usage: test_python_player.py BUILD_DIR
"""
import asyncio
import os
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, os.path.abspath("client/python"))
from bots import state
from harness import LIMIT_S, STATE, Checks, Server as Ludusd, build_folder, wait_until
from scripted_server import ScriptedServer
from test_tls import Place, start as start_tls

BUILD = os.path.abspath(build_folder())
LIBRARY, PROGRAM = os.path.join(BUILD, "libludus.so"), os.path.join(BUILD, "ludus-bot")
if not os.path.exists(LIBRARY):
    subprocess.run(["make", "-s", f"BUILD={build_folder()}", "lib"], check=True)
os.environ.update(LUDUS_LIBRARY=LIBRARY, LUDUS_BOT=PROGRAM)
from ludus import AsyncServer, Engine, EngineError, Game, Position, Refused, Server, Thought, position_of, review, solve

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.path.abspath("client/python")}


def refusal(act, kind=EngineError):
    try:
        act()
    except kind as error:
        return str(error)
    return "nothing is wrong"


def levels(t):
    with Engine("easy", seed=3) as engine:
        first = [engine.think("clobber:5x6", nodes=500), engine.think("xadrersi:attack", nodes=500)]
        t.check(first[0].move in Position("clobber:5x6").legal() and first[0].pv and first[0].nodes, "it thinks", first)
        engine.new_game()
        t.equal(engine.think("clobber:5x6", nodes=500), first[0], "the same seed, the same thought")
        game = Game("clobber:2x2")
        game.play("a2a1")
        t.equal((engine.move(game), engine.move(game.position, depth=1)), ("b2b1", "b2b1"), "of a game and of a position")
        t.check("is over" in refusal(lambda: engine.think("1P b"), ValueError), "a game that is over")
        moves = []
        threads = [threading.Thread(target=lambda: moves.append(engine.move("clobber:4x5", nodes=200))) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join(LIMIT_S) for thread in threads]
        t.equal(len(moves), 4, "threads share it")
    t.equal(refusal(lambda: engine.think("clobber:2x2")), "the engine has ended", "after its end")
    t.check("unknown level 'boss'" in refusal(lambda: Engine("boss")), "an unknown level")
    t.check("not a number from 1 to 16" in refusal(lambda: Engine("easy", threads=99)), "too many threads")
    os.environ["LUDUS_BOT"] = "/nonexistent/ludus-bot"
    t.check("LUDUS_BOT names it" in refusal(lambda: solve("Pp w")), "no program")
    os.environ["LUDUS_BOT"] = PROGRAM


def proofs(t):
    t.equal(solve("clobber:3x2")[:4], ("black", "loses", [], None), "a loss")
    t.equal(solve("pP1/Ppp w", every=True)[:4], ("white", "wins", ["a1b1", "b2a2", "a1a2", "b2b1"], "N"), "all winning moves")
    t.equal(solve(Position("Pp b")).winner, "black", "a position")
    t.check("only Clobber can be solved" in refusal(lambda: solve("shakti")), "another game")
    for text, moves in (("latrunculi", ("a1a2", "a8a7", "a2a1", "a7a8") * 2), ("clobber:2x2", ("a2a1", "b2b1", "a1b1"))):
        game = Game(text)
        for move in moves:
            game.play(move)
        plies = review(game, nodes=50, threads=1)
        t.equal([ply["move"] for ply in plies], [*moves, None], f"{text}: a review has a row for each ply, and the end")


def blocks_of_readme():
    with open("client/python/README.md", encoding="utf-8") as file:
        return re.findall(r"```python\n(.*?)```", file.read(), re.S)


def ten_lines(t):
    """The bots of the README are ten lines, and good citizens."""
    blocks = blocks_of_readme()
    t.equal(len(blocks), 2, "two bots in the README")
    with tempfile.TemporaryDirectory() as folder:
        for number, block in enumerate(blocks):
            t.check(block.count("\n") <= 10, f"bot {number} has at most ten lines")
            path = os.path.join(folder, f"bot{number}.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(block)
            done = subprocess.run([PROGRAM, "check-bot", "--", sys.executable, path], capture_output=True, text=True, timeout=2 * LIMIT_S,
                                  env=ENVIRONMENT, cwd=folder, stdin=subprocess.DEVNULL)
            t.check(done.returncode == 0 and "14 of 14" in done.stdout, f"bot {number} is a good citizen", done.stdout + done.stderr)


def open_match(player, words):
    """Opens a match, as soon as the player has not asked for too much of late, and challenges are answered."""
    while "match" not in (reply := player.ask(f"new {words}")):
        if reply["code"] not in ("rate-limited", "limit-reached"):
            raise RuntimeError(reply)
        time.sleep(reply.get("retry_ms", 100) / 1000)
    return reply["match"]


def through_kill(t):
    """Both kinds play eight matches; the server is killed in the middle of them."""
    with tempfile.TemporaryDirectory() as folder, Ludusd(BUILD, "--data", folder, "--no-bots", checks=t) as server, \
            Engine("random") as engine, Server("ann", server.address) as ann:
        ended = []

        def play_ben():
            ben = AsyncServer("ben", server.address)

            async def choose(state):
                await asyncio.sleep(0)
                return state["legal"][-1]

            asyncio.run(ben.play(choose, matches=8))
            ended.append("ben")

        def play_ann():
            ann.play(lambda state: engine.think(position_of(state)), matches=8)
            ended.append("ann")

        threads = [threading.Thread(target=play, daemon=True) for play in (play_ben, play_ann)]
        [thread.start() for thread in threads]
        anna = server.connect("anna")
        wait_until(lambda: {"ann", "ben"} <= {row["name"] for row in anna.ask("who")["players"]}, "both players")
        matches = [open_match(anna, f"{game} white={white} black={black} clock=60+1")
                   for game in ("xadrersi:attack", "clobber:10x10", "shakti", "clobber:5x6")
                   for white, black in (("ann", "ben"), ("ben", "ann"))]
        wait_until(lambda: anna.ask(f"record {matches[-1]}")["moves"], "the last one has begun")
        path = os.path.join(STATE, "ludus", f"ann@127.0.0.1:{server.port}.token")
        t.equal(os.stat(path).st_mode & 0o777, 0o600, "nobody else reads the token")
        server.kill()
        server.again()
        [thread.join(LIMIT_S) for thread in threads]
        t.equal(sorted(ended), ["ann", "ben"], "all matches are over")
        anna = server.connect()
        reasons = {anna.ask(f"record {match}")["reason"] for match in matches}
        t.equal(reasons - {"no-moves", "score", "checkmate", "repetition"}, set(), "all are played out by the rules")
        record = anna.ask(f"record {matches[0]}")
        t.equal(ann.game(matches[0]).moves, record["moves"], "a match as a Game")


def over_tls(t):
    """A match over TLS, to a server whose certificate it trusts, and to no other."""
    with Place() as place, start_tls(t, "--no-bots", *place.certificate("a")) as server, tempfile.TemporaryDirectory() as folder:
        token, trusted = os.path.join(folder, "token"), ssl.create_default_context(cafile=place.file("a.pem"))
        anna = server.connect("anna")
        with Server("ann", server.tls_address, tls=trusted, token_file=token) as ann:
            match = ann.new("clobber:2x2", white="me", black="anna")
            player = threading.Thread(target=ann.play, args=(lambda state: state["legal"][0], 1), daemon=True)
            player.start()
            anna.do(f"join {match}")
            wait_until(lambda: anna.ask(f"record {match}")["moves"], "a move")
            anna.do(f"resign {match}")
            player.join(LIMIT_S)
            t.equal((player.is_alive(), anna.ask(f"record {match}")["result"]), (False, "1-0"), "a match")
        stranger = Server("ben", f"tls://{server.tls_address}", token_file=token + "2")
        t.check("CERTIFICATE_VERIFY_FAILED" in refusal(lambda: stranger.ask("who"), OSError), "a certificate that nobody vouches for")


def finds_opponents(t):
    with Ludusd(BUILD, checks=t) as server, Server("ann", server.address) as ann, Server("ben", server.address) as ben:
        anna = server.connect("anna")
        cup = anna.ask("tournament new cup clobber:3x3 format=round-robin clock=60+1 start=manual")["tournament"]
        for player in (ann, ben):
            player.enter(cup)
            player.seek("clobber:4x4", clock="60+1", more="rated=no")
        said = []
        threads = [threading.Thread(target=player.play, args=(lambda state: state["legal"][0],), kwargs={"told": said.append}, daemon=True)
                   for player in (ann, ben)]
        [thread.start() for thread in threads]
        wait_until(lambda: anna.ask("history ann").get("total", 0) >= 2, "matches by seeking")
        wait_until(lambda: anna.ask(f"tournament show {cup}")["entrants"] == 2, "both take part")
        anna.ask(f"tournament start {cup}")
        wait_until(lambda: anna.ask(f"tournament show {cup}")["status"] == "over", "a tournament")
        t.check({"state", "paired"} <= {message["type"] for message in said}, "all that is said can be heard")
        t.equal(refusal(lambda: ann.ask("watch 99999"), Refused), "unknown match '99999'", "what the server refuses")
        wait_until(lambda: anna.ask("who bot=yes")["total"] > 3, "the house bots")
        match = ann.new("shakti", black="bot:random")
        wait_until(lambda: anna.ask(f"record {match}")["moves"], "a match of its own")


def manners(t):
    """What it answers, by a scripted server."""
    offer = {"type": "offer", "match": "7", "what": "draw", "from": "anna", "color": "black", "open": True}
    challenge = {"type": "challenge", "match": "8", "game": "chess", "variant": "standard", "from": "anna", "rated": True}
    with ScriptedServer() as server:
        ended = []

        def play():
            try:
                gus.play(lambda state: Thought("b1a1", 35, None, 4, 10, ["b1a1", "a2a1"]))
            except Refused as refused:
                ended.append(refused)

        gus = Server("gus", server.address, games=["shakti", "clobber:2x2"], max_matches=2, token_file=os.path.join(STATE, "gus.token"),
                     accept=lambda challenge: challenge["game"] == "shakti" or "rated", code="open")
        gus.seek("shakti", clock="60+1")
        thread = threading.Thread(target=play, daemon=True)
        thread.start()

        def hello(token):
            server.take()
            said = server.hear()
            server.say({"type": "hello", "proto": 1, "name": "guest-1"}, {"type": "ok", "cmd": "hello", "name": "gus", "token": token})
            return said

        def heard():
            line = server.hear()
            number, _, rest = line.partition(" ") if line.startswith("#") else ("", "", line)
            return number[1:], rest

        words = "hello gus bot=yes only=yes client=ludus-python/1 max=2 code=open"
        t.equal(hello("t0k3n"), words, "hello")
        number, line = heard()
        t.equal(line, "seek shakti clock=60+1 repeat=yes", "it seeks")
        server.say({"type": "error", "id": number, "cmd": "seek", "code": "rate-limited", "message": "", "retry_ms": 10})
        number, again = heard()
        t.equal(again, line, "again when it may")
        server.say({"type": "ok", "id": number, "cmd": "seek", "seek": "1"}, state(legal=["b1a1"]))
        move = "move 7 b1a1 ply=0 "
        for code in ("rate-limited", "internal", "stale-ply"):
            number, line = heard()
            t.equal((line.replace("  ", " ").strip(), server.thought), (move.strip(), [("eval", "35"), ("pv", "b1a1,a2a1")]), f"a move, before {code}")
            server.say({"type": "error", "id": number, "cmd": "move", "code": code, "message": "", "retry_ms": 10})
        server.say({"type": "ping"}, offer, {**offer, "from": "gus"}, {**offer, "open": False}, {**offer, "what": "undo"},
                   {**offer, "what": "rematch", "match": "6"}, challenge, {**challenge, "match": "9", "game": "clobber", "variant": "2x2"},
                   {**challenge, "match": "10", "game": "shakti"}, {**challenge, "match": "11", "game": "shakti"}, {"type": "unheard-of"})
        t.equal([server.hear() for _ in range(8)], ["ping", "decline 7", "undo 7", "rematch 6", "decline 8 game", "decline 9 rated", "join 10",
                                                   "decline 11 busy"], "its answers")
        server.say({"type": "presence", "match": "7", "name": "anna", "color": "black", "online": False, "claim_ms": 20})
        t.equal(server.hear(), "claim 7", "it claims")
        server.hang_up()
        t.equal(hello("t0k3n"), words + " token=t0k3n", "it comes back with its token")
        t.equal(heard()[1], "seek shakti clock=60+1 repeat=yes", "and seeks again")
        server.say(state(legal=None, offers=[{"what": "undo", "from": "anna", "color": "black"}]))
        t.equal(server.hear(), "undo 7", "an offer from meanwhile")
        server.say({"type": "error", "cmd": "hello", "code": "bad-token", "message": "?"})
        t.equal(server.hear(), words, "where its token is not known it comes anew")
        server.say({"type": "error", "cmd": "hello", "code": "name-taken", "message": "name taken"})
        thread.join(LIMIT_S)
        t.equal([(refused.code, str(refused)) for refused in ended], [("name-taken", "name taken")], "a name that is taken")


def many_matches(t):
    """Beyond fifty it asks for the others, until no page has anything new."""
    with ScriptedServer() as server, Server("gus", server.address, max_matches=100) as gus:
        thread = threading.Thread(target=lambda: gus.play(lambda state: "a1a2"), daemon=True)
        thread.start()
        server.take()
        server.hear()
        server.say({"type": "ok", "cmd": "hello", "name": "gus", "token": "t", "matches": 51}, state(match="1", legal=None))
        for rows, asks in ((["1", "2"], ["2"]), ([], []), (["1", "2"], []), ([], [])):
            line = server.hear()
            t.check(" list mine from=" in line, "it asks for a page", line)
            server.say({"type": "list", "id": line.split()[0][1:], "matches": [{"match": row} for row in rows], "total": len(rows)})
            t.equal([server.hear() for _ in asks], [f"state {match}" for match in asks], "and for what is new")


def what_ends_it(t):
    """What choose() raises, a goodbye, no server, a wrong address."""
    def wrong(state):
        raise LookupError("my mistake")
    with ScriptedServer() as server:
        for choose, messages, want in ((wrong, [state(legal=["b1a1"])], LookupError("my mistake")),
                                       (next, [state(legal=["b1a1"])], TypeError()),
                                       (len, [{"type": "bye", "reason": "replaced"}], Refused("replaced", "the server says goodbye: replaced"))):
            gus, ended = Server("gus", server.address), []

            def play():
                try:
                    gus.play(choose)
                except Exception as error:
                    ended.append(error)
            thread = threading.Thread(target=play, daemon=True)
            thread.start()
            server.take()
            server.hear()
            server.say({"type": "ok", "cmd": "hello", "name": "gus", "token": "t"}, *messages)
            thread.join(LIMIT_S)
            t.check([type(error) for error in ended] == [type(want)] and str(want) in str(ended[0]), f"{want!r} ends it", ended)
            t.check(refusal(lambda: gus.ask("who"), Exception) != "nothing is wrong", "it has left")
            gus.close()
            server.hang_up()
        address = server.address
    t.check(address in refusal(lambda: Server("gus", address, retry_s=0).ask("who"), ConnectionError), "no server")
    t.equal(refusal(lambda: Server("gus", "localhost"), ValueError), "localhost: write HOST:PORT", "an address without a port")


def wheel(t):
    """pip installs it without a network, with what it needs."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode != 0:
        print("test_python_player: SKIPPED pip install: pip is not installed")
        return
    environment = {name: value for name, value in ENVIRONMENT.items() if not name.startswith(("LUDUS_", "PYTHONPATH", "MAKE", "MFLAGS"))}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-cache-dir", "--target", folder, "./client/python"],
                              capture_output=True, text=True, timeout=LIMIT_S, env={**environment, "BUILD": build_folder()})
        t.check(done.returncode == 0, "pip install", done.stdout + done.stderr)
        done = subprocess.run([sys.executable, "-c", "import ludus; print(ludus.__file__, ludus.solve('Pp w').winner)"], capture_output=True,
                              text=True, cwd=folder, env={**environment, "PYTHONPATH": folder})
        t.equal((done.stdout.split(), done.stderr), ([os.path.join(folder, "ludus", "__init__.py"), "white"], ""), "it works there")


if __name__ == "__main__":
    sys.exit(Checks("test_python_player").run([levels, proofs, ten_lines, through_kill, over_tls, finds_opponents, manners, many_matches, what_ends_it, wheel]))
