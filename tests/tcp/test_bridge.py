"""ludus-bridge: engines of every kind, seated at a server.

usage: test_bridge.py BUILD_DIR
"""
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from bad_engine import WRONG
from harness import Checks, LIMIT_S, Server, build_folder, forget_tokens, kept_token, read_again, wait_until

BUILD = build_folder()
PROGRAM = os.path.join(BUILD, "ludus-bridge")
FAIRY = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
BAD_ENGINE = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                           "bad_engine.py")]


GNUGO = shutil.which("gnugo", path=os.environ.get("PATH", "") + ":/usr/games")
GTP_ENGINE = [sys.executable, os.path.join("client", "examples", "gtp_clobber.py")]


def parent_of(pid):
    """Returns the parent's process id; None if there is no such process or it is a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else int(fields[1])


def children(pid):
    """Returns all descendants of the process."""
    below = [int(entry) for entry in os.listdir("/proc")
             if entry.isdigit() and parent_of(entry) == pid]
    return below + [grandchild for child in below for grandchild in children(child)]


class Bridge:
    """A ludus-bridge; a context manager that ends it and checks its exit."""

    def __init__(self, address, *words, checks=None, command=BAD_ENGINE, folder=None):
        self.checks = checks
        self.log = tempfile.TemporaryFile(mode="w+", errors="replace")
        self.process = subprocess.Popen(
            [PROGRAM, "--connect", address, "--name", "robot", "--movetime", "20", *words, "--",
             *command], stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "TMPDIR": folder or tempfile.gettempdir()})

    def wait_until_seated(self):
        """Returns the token."""
        line = self.process.stdout.readline()
        match = re.fullmatch(r"ludus-bridge: robot plays at (\S+)\n", line)
        if not match:
            raise RuntimeError(f"the bridge does not start: {line!r} {self.read_log()}")
        return kept_token(match.group(1), "robot")

    def __enter__(self):
        self.token = self.wait_until_seated()
        return self

    def __exit__(self, kind, error, trace):
        below = children(self.process.pid)
        self.process.send_signal(signal.SIGINT)
        code = self.wait()
        if self.checks is not None and kind is None:
            self.checks.equal(code, 0, f"exit code of the bridge ({self.read_log()[-2000:]})")
            left = [pid for pid in below if parent_of(pid) is not None]
            self.checks.equal(left, [], "processes that it leaves behind")

    def read_log(self):
        return read_again(self.log)

    def wait(self):
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "hangs"


def challenge(peer, game, color="white", more=""):
    """Opens a match in which the peer has this colour, and returns its id."""
    other = "black" if color == "white" else "white"
    return peer.ask(f"new {game} {color}=me {other}=robot{more}")["match"]


def play_out(peer, match, rng):
    """Plays random legal moves to the end of the match, and returns the last state."""
    while True:
        state = peer.wait_for("state", match=match)
        if state is None or state["status"] == "over":
            return state
        if state.get("legal") and state["status"] == "playing":
            peer.send(f"move {match} {rng.choice(state['legal'])} ply={state['ply']}")


def played_to_the_end(checks, state, what):
    checks.check(state["reason"] not in ("resign", "aborted", "forfeit"), f"{what}: played out",
                 state["reason"])


def fairy_stockfish(checks):
    if FAIRY is None:
        print("test_bridge: fairy-stockfish is not installed: no match with it")
        return
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, \
            Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--option", "Hash=4", checks=checks,
                   command=[FAIRY], folder=folder) as bridge:
        anna = server.connect("anna")
        for game, color in (("clobber", "white"), ("clobber:5x6", "black"),
                            ("clobber:4x5", "white"), ("clobber:1x10", "black"),
                            ("clobber:10x10", "white")):
            state = play_out(anna, challenge(anna, game, color), rng)
            played_to_the_end(checks, state, f"fairy-stockfish in {game}")
        match = challenge(anna, "clobber", "white", " position=5/5/5/PpPpP/5/5 w")
        checks.equal(play_out(anna, match, rng)["reason"], "no-moves", "a position of its own")
        checks.check("name=\"Fairy-Stockfish" in bridge.read_log(), "it is known by its name")
        checks.equal(os.listdir(folder), [], "files of variants that are left")


def fairy_against_house_bot(checks):
    if FAIRY is None:
        return
    with Server(BUILD, "--bots", "hard", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--option", "Hash=4", checks=checks,
                   command=[FAIRY]):
        anna = server.connect("anna")
        for white, black in (("robot", "bot:hard"), ("bot:hard", "robot")):
            match = anna.ask(f"new clobber:4x5 white={white} black={black} clock=30+1")["match"]
            over = anna.wait_for("state", match=match, status="over")
            checks.equal(over["reason"], "no-moves", f"fairy-stockfish: {white} against {black}")
            record = anna.ask(f"record {match}")
            checks.equal((record["white"], record["black"], record["result"]),
                         (white, black, over["result"]), f"{white} against {black}: its record")


def ludus_bot(checks):
    program = os.path.join(BUILD, "ludus-bot")
    if not os.path.exists(program):
        print("test_bridge: there is no ludus-bot: no match with it")
        return
    rng = random.Random(2)
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber,xadrersi,latrunculi,shakti", "--option",
                   "Level=random", checks=checks, command=[program, "ugi"]):
        anna = server.connect("anna")
        for game in ("clobber:3x4", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti"):
            for color in ("white", "black"):
                state = play_out(anna, challenge(anna, game, color), rng)
                played_to_the_end(checks, state, f"ludus-bot in {game}")


def several_at_once(checks):
    """Two matches move in turn, a third is declined, and there is room again later."""
    rng = random.Random(3)
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--max-matches", "2",
                   checks=checks) as bridge:
        anna = server.connect("anna")
        matches = []
        for color in ("white", "black"):
            matches.append(challenge(anna, "clobber:4x4", color))
            anna.wait_for("state", match=matches[-1], status="playing")
        checks.equal(len(children(bridge.process.pid)), 2, "an engine for each match")
        third = challenge(anna, "clobber")
        over = anna.wait_for("state", match=third, status="over")
        checks.equal(over["reason"], "aborted", "one match too many is declined")
        states = {match: anna.ask(f"state {match}") for match in matches}
        while any(state["status"] == "playing" for state in states.values()):
            for match, state in states.items():
                if state.get("legal"):
                    anna.send(f"move {match} {rng.choice(state['legal'])} ply={state['ply']}")
            state = anna.wait_for("state")
            states[state["match"]] = state
        for match in matches:
            played_to_the_end(checks, states[match], f"match {match} of two")
        played_to_the_end(checks, play_out(anna, challenge(anna, "clobber:2x3"), rng), "the next")


def both_seats(checks):
    """Challenged for both seats, the engine plays itself."""
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", checks=checks):
        anna = server.connect("anna")
        match = anna.ask("new clobber:3x3 white=robot black=robot")["match"]
        over = anna.wait_for("state", match=match, status="over")
        checks.equal(over["reason"], "no-moves", "a match against itself")


def gtp(checks):
    """A Clobber engine that speaks GTP: found out by itself, in matches on boards of all shapes."""
    rng = random.Random(6)
    for words in ([], ["--protocol", "gtp"]):
        with Server(BUILD, "--no-bots", checks=checks) as server, \
                Bridge(server.address, "--games", "clobber", *words, checks=checks,
                       command=GTP_ENGINE) as bridge:
            anna = server.connect("anna")
            for game, color in (("clobber:4x4", "white"), ("clobber", "black"), ("clobber:3x5", "black")):
                state = play_out(anna, challenge(anna, game, color), rng)
                played_to_the_end(checks, state, f"GTP in {game}")
            match = challenge(anna, "clobber", "white", " position=5/5/5/PpPpP/5/5 w")
            checks.equal(play_out(anna, match, rng)["reason"], "no-moves", "a position of its own")
            checks.check('dialect=gtp name="Example Clobber"' in bridge.read_log(), "its name",
                         bridge.read_log())


def gtp_lines(checks):
    """The input of a GTP engine, line by line."""
    clock = {"white_ms": 61900, "black_ms": 42000, "increment_ms": 500, "running": "white"}
    script = Script()
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        bridge = Bridge(script.address, "--games", "clobber", "--option", "level=very high",
                        "--protocol", "gtp", checks=checks,
                        command=["sh", "-c", f"tee {log} | {' '.join(GTP_ENGINE)}"])
        script.welcome()
        with bridge:
            script.state()
            move = script.wait_for("move").split()[2]
            position = after("PpP/pPp w", move)
            script.state(ply=1, position=position, last=move)
            answer = legal(position)[0]
            position = after(position, answer)
            script.state(ply=2, position=position, last=answer, clock=clock)
            second = script.wait_for("move")
            checks.check(second.endswith(" ply=2"), "a second move", second)
        with open(log) as file:
            lines = file.read().splitlines()
        start = lines.index("boardsize 3 2")
        checks.check("level very high" in lines[:start], "an option is a command", lines)
        checks.equal(lines[start:], [
            "boardsize 3 2", "clear_board", "3 protocol_version", "clear_board", "time_settings 0 1 1",
            "time_left w 1 1", "4 genmove w", "clear_board", f"play w {move}", f"play b {answer}",
            "time_settings 61 0 0", "time_left w 61 0", "time_left b 42 0", "4 genmove w", "quit"],
            "GTP lines")


def stones(position):
    """Returns the stones of a position of Clobber, by square, and the side to move."""
    placement, side = position.split()
    ranks = placement.split("/")
    return {f"{'abcdefghij'[file]}{len(ranks) - row}": stone for row, rank in enumerate(ranks)
            for file, stone in enumerate(re.sub(r"\d", lambda gap: "." * int(gap.group()), rank))
            if stone != "."}, side


def legal(position):
    board, side = stones(position)
    own = "P" if side == "w" else "p"
    return [a + b for a in board for b in board if board[a] == own != board[b] and
            abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) == 1]


def after(position, move):
    """Returns the position after a move, on a board of 3 by 2."""
    board, side = stones(position)
    board[move[2:]] = board.pop(move[:2])
    ranks = ["".join(board.get(file + rank, ".") for file in "abc") for rank in "21"]
    placement = "/".join(re.sub(r"\.+", lambda gap: str(len(gap.group())), rank) for rank in ranks)
    return placement + (" b" if side == "w" else " w")


def a_real_gtp_program(checks):
    """GNU Go speaks GTP, but plays another game: it is known by its name and gives itself up."""
    if GNUGO is None:
        print("test_bridge: SKIPPED a real GTP program: gnugo is not installed")
        return
    for words in ([], ["--protocol", "gtp"]):
        with Server(BUILD, "--no-bots", checks=checks) as server, \
                Bridge(server.address, "--games", "clobber", "--option", "frob=1", *words, checks=checks,
                       command=[GNUGO, "--mode", "gtp"]) as bridge:
            anna = server.connect("anna")
            match = challenge(anna, "clobber:5x5", "black")
            checks.equal(anna.wait_for("state", match=match, status="over")["reason"], "resign",
                         "a move of Go gives the match up")
            log = bridge.read_log()
            checks.check('dialect=gtp name="GNU Go"' in log, "it is known by its name", log)
            checks.check('option refused why="? unknown command"' in log, "an option is refused", log)


def misbehaving(checks):
    """Each kind of failure affects only its own match."""
    rng = random.Random(4)
    with Server(BUILD, "--no-bots", "--challenges", "0", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--max-matches", "20", checks=checks) as bridge:
        anna, bob = server.connect("anna"), server.connect("bob")
        beside = challenge(bob, "clobber:10x10")
        bob_state = bob.wait_for("state", match=beside, status="playing")
        running = []
        for size, (wrong, declines) in WRONG.items():  # all at once, as some failures take seconds to be seen
            peer = server.connect(f"peer-{size}")
            color = "white" if wrong.endswith("not its turn") else "black"
            running.append((peer, challenge(peer, f"clobber:{size}", color), wrong, declines))
        for peer, match, wrong, declines in running:
            state = peer.wait_for("state", match=match, status="over")
            want = ("*", "aborted") if declines else \
                ("1-0", "resign") if state["you"] == "white" else ("0-1", "resign")
            checks.equal((state["result"], state["reason"]), want, f"an engine that {wrong}")
            if bob_state["status"] == "playing":
                bob.send(f"move {beside} {rng.choice(bob_state['legal'])}")
                bob_state = bob.wait_for("state", match=beside, ply=bob_state["ply"] + 2)
            checks.equal(bob_state["reason"], None, f"the match beside one that {wrong}")
        bob.send(f"move {beside} {rng.choice(bob_state['legal'])}")
        played_to_the_end(checks, play_out(bob, beside, rng), "the match beside all of them")
        played_to_the_end(checks, play_out(anna, challenge(anna, "clobber:3x3"), rng), "the next")
        wait_until(lambda: not children(bridge.process.pid), "all engines gone")
        log = bridge.read_log()
        for words in ("the engine has ended", "the engine hangs: no bestmove",
                      "the engine hangs: no readyok", "the engine floods", "bestmove a1a1: ",
                      "no such game"):
            checks.check(words in log, f"the log says '{words}'", log)
        checks.check("\x1b" not in log, "the log has no control characters")


def memory_kib(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def floods_are_bounded(checks):
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", checks=checks) as bridge:
        anna = server.connect("anna")
        before = memory_kib(bridge.process.pid)
        for size in ("8x1", "9x1"):
            match = challenge(anna, f"clobber:{size}", "black")
            anna.wait_for("state", match=match, status="over")
        grown = memory_kib(bridge.process.pid) - before
        checks.check(grown < 8192, "a flood is not kept", f"{grown} KiB more")


def what_it_declines(checks):
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber:4x4,clobber:5x5", checks=checks) as bridge:
        anna = server.connect("anna")
        for game in ("shakti", "clobber", "clobber:4x5"):
            match = challenge(anna, game)
            over = anna.wait_for("state", match=match, status="over")
            checks.equal(over["reason"], "aborted", f"{game} is declined")
        match = challenge(anna, "clobber:5x5")
        checks.equal(anna.wait_for("state", match=match, status="playing")["match"], match,
                     "what it is there for is accepted")
        checks.check("a game that it does not play" in bridge.read_log(), "the log says why")


def offers(checks):
    rng = random.Random(5)
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", checks=checks):
        anna = server.connect("anna")
        match = challenge(anna, "clobber:4x4")
        state = anna.wait_for("state", match=match, status="playing")
        anna.send(f"draw {match}")
        anna.wait_for("offer", what="draw", open=True)
        checks.equal(anna.wait_for("offer")["open"], False, "a draw is declined")
        anna.send(f"move {match} {state['legal'][0]}")
        anna.wait_for("state", match=match, ply=2)
        anna.send(f"undo {match}")
        taken_back = anna.wait_for("state", match=match)
        checks.equal((taken_back["ply"], taken_back["turn"]), (0, "white"), "an undo is accepted")
        anna.send(f"move {match} {state['legal'][1]}")
        played_to_the_end(checks, play_out(anna, match, rng), "after an undo")
        anna.send(f"rematch {match}")
        new = anna.wait_for("rematch", match=match)["new"]
        state = play_out(anna, new, rng)
        checks.equal(state["you"], "black", "a rematch with colours swapped")
        played_to_the_end(checks, state, "the rematch")


def state(ply, position, **more):
    """Returns a `state` in which the bridge is white."""
    ranks, side = position.split()[:2]
    turn = "white" if side == "w" else "black"
    board = [re.sub(r"\d", lambda digit: "." * int(digit.group()), rank)
             for rank in ranks.split("/")]
    return {"type": "state", "match": "7", "game": "clobber", "variant": "3x2",
            "status": "playing", "you": "white", "ply": ply, "turn": turn,
            "position": position, "board": board,
            "last": None, "clock": None, "offers": [], "result": "*", "reason": None, **more}


class Script:
    """A scripted server."""

    def __init__(self):
        forget_tokens()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(LIMIT_S)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"

    def accept(self):
        """Waits for the bridge to connect, and returns its hello."""
        self.peer, _ = self.listener.accept()
        self.peer.settimeout(LIMIT_S)
        self.lines = self.peer.makefile("r")
        assert self.lines.readline() == "\n"  # asks for the greeting
        self.send(type="hello", proto=1, server="script", games=[], code=False, name="guest-1")
        return self.read()

    def send(self, *more, **message):
        """Sends one message, or all of them at once."""
        messages = [*more, message] if message else more
        self.peer.sendall("".join(json.dumps(m) + "\n" for m in messages).encode())

    def welcome(self, token="t0ken"):
        hello = self.accept()
        self.send(type="ok", cmd="hello", name="robot", token=token)
        return hello

    def read(self):
        """Returns the next line without its id."""
        return re.sub(r"^#\S+ ", "", self.lines.readline().rstrip("\n"))

    def wait_for(self, verb):
        """Returns the next line that begins with this verb."""
        while (line := self.read()).split(" ")[0] != verb:
            if not line:
                raise RuntimeError(f"waited in vain for {verb}")
        return line

    def state(self, ply=0, position="PpP/pPp w", **more):
        self.send(state(ply, position, **more))

    def let_go(self):
        """Answers a bridge that leaves, as nothing is on its way any more."""
        self.wait_for("ping")
        self.send(type="pong", id="idle")
        self.wait_for("quit")
        self.drop()

    def drop(self):
        self.lines.close()
        self.peer.close()


def engine_log(folder):
    with open(os.path.join(folder, "log")) as file:
        return file.read().splitlines()


def comes_back(checks):
    """After a lost connection the bridge returns with its token and continues the match."""
    script = Script()
    bridge = Bridge(script.address, "--games", "clobber", "--token", "old", checks=checks)
    checks.check("token=old" in script.accept(), "it comes with the token of --token")
    script.send(type="error", cmd="hello", code="bad-token", message="nobody of that name")
    checks.check("token=" not in script.wait_for("hello"), "and without, where that is unknown")
    script.send(type="ok", cmd="hello", name="robot", token="new")
    with bridge:
        checks.equal(bridge.token, "new", "the new token is kept")
        script.state()
        move = script.wait_for("move")
        checks.check(re.fullmatch(r"move 7 \S+ ply=0", move), "a move", move)
        script.drop()
        checks.check("token=new" in script.welcome("new"), "back with the token")
        script.state(offers=[{"what": "undo", "from": "anna", "color": "black"}])
        checks.equal(script.wait_for("undo"), "undo 7", "an offer that stood is answered")
        checks.equal(script.wait_for("move"), move, "the same move in the same position")
        script.send(type="error", id="7", cmd="move", code="rate-limited", retry_ms=50)
        checks.equal(script.wait_for("move"), move, "a move that came too fast is sent again")
        script.send(type="error", id="7", cmd="move", code="stale-ply")
        script.send(type="error", id="7", cmd="move", code="internal")
        checks.equal(script.wait_for("resign"), "resign 7", "a move that fails gives the match up")
        script.send(type="ping")
        checks.equal(script.wait_for("ping"), "ping", "a ping is answered")


def knows_the_moves(checks):
    """In a match that it comes back to an engine hears every move, so one for GTP needs no ludus-position."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        pat = f"sed -u s/ludus-position/unheard-of/ | tee -a {log} | {' '.join(GTP_ENGINE)}"
        pat = f"({pat}) | sed -u s/ludus-position/nothing/"
        with Server(BUILD, "--no-bots", checks=checks) as server:
            anna = server.connect("anna")
            with Bridge(server.address, "--games", "clobber", "--protocol", "gtp", command=["sh", "-c", pat]) as bridge:
                match = challenge(anna, "clobber:4x4")
                state = anna.wait_for("state", match=match, status="playing")
                for ply in (0, 2):
                    anna.send(f"move {match} {state['legal'][0]} ply={ply}")
                    state = anna.wait_for("state", match=match, ply=ply + 2)
                bridge.process.kill()
                bridge.process.wait()
            anna.send(f"move {match} {state['legal'][0]} ply=4")
            anna.wait_for("state", match=match, ply=5)
            moves = anna.ask(f"record {match}")["moves"]
            with Bridge(server.address, "--games", "clobber", "--protocol", "gtp", checks=checks,
                        command=["sh", "-c", pat]):
                checks.equal(anna.wait_for("state", match=match, ply=6)["status"], "playing", "it plays on")
        with open(log) as file:
            told = file.read().split("clear_board\n")[-1].splitlines()
        checks.equal([line for line in told if line.startswith("play")],
                     [f"play {'wb'[i % 2]} {move}" for i, move in enumerate(moves)], "every move")

    script = Script()
    with tempfile.TemporaryDirectory() as folder:
        bridge = Bridge(script.address, "--games", "clobber", checks=checks,
                        command=[*BAD_ENGINE, "--log", os.path.join(folder, "log")])
        script.welcome()
        with bridge:
            for number, (answer, position) in enumerate((
                    ({"moves": ["a2a1", "b2b1"]}, None), ({"moves": ["a2a1", "b2b1", "a1b1"]}, None),
                    ({"moves": ["a2a1"]}, 0), ({"moves": ["a2a1", "b1c1"]}, 0), ({"moves": [7, None]}, 0),
                    ({"type": "error", "cmd": "record", "code": "rate-limited", "id": "5"}, 0))):
                script.state(match=str(number), ply=2, position="2P/Ppp w")
                checks.equal(script.wait_for("record"), f"record {number}", "it asks for the moves")
                script.send({"type": "record", "match": str(number), "variant": "3x2", "start": "PpP/pPp w", **answer})
                script.wait_for("move")
                told = [line for line in engine_log(folder) if line.startswith("position")][-1]
                checks.equal(told, "position fen 2P/Ppp w" if position == 0 else
                             "position fen PpP/pPp w moves a2a1 b2b1", f"record {number}")
                script.state(match=str(number), ply=2, position="2P/Ppp w", status="over")
            script.state()
            script.wait_for("move")
            script.state(you=None, status="open")
            wait_until(lambda: "match=7 lost: the seat was freed" in bridge.read_log(), "a seat that was freed")
            script.state(match="8")
            checks.check(script.wait_for("move").startswith("move 8 "), "it goes on with other matches")


def moves_and_clocks(checks):
    """The input of an engine, line by line, in both dialects."""
    clock = {"white_ms": 61000, "black_ms": 42000, "increment_ms": 500, "running": "white"}
    for dialect, tail, go in (("ugi", "", "go p1time 61000 p2time 42000 p1inc 500 p2inc 500"),
                              ("uci", " - - 0 1", "go wtime 61000 btime 42000 winc 500 binc 500")):
        script = Script()
        with tempfile.TemporaryDirectory() as folder:
            command = [*BAD_ENGINE, "--log", os.path.join(folder, "log")]
            bridge = Bridge(script.address, "--games", "clobber", "--option", "Style=very wild",
                            "--protocol", "auto" if dialect == "ugi" else "uci", checks=checks,
                            command=command + (["--uci"] if dialect == "uci" else []))
            script.welcome()
            with bridge:
                script.state()
                script.wait_for("move")
                script.state(ply=1, position="1pP/PPp b", last="a2a1")
                script.state(ply=2, position="1PP/P1p w", last="b1b2")  # b1 was not black's
                script.wait_for("move")
                script.state(ply=2, position="2p/PPp w", last="b2c2", clock=clock)
                script.wait_for("move")
            lines = engine_log(folder)
            start = lines.index(dialect + "newgame")
            checks.check("setoption name Style value very wild" in lines[:start], "options", lines)
            checks.equal("setoption name Game value clobber:3x2" in lines, dialect == "ugi",
                         "the option Game where it is offered")
            checks.equal([line for line in lines[start:] if line.split()[0] in ("position", "go")],
                         [f"position fen PpP/pPp w{tail}", "go movetime 20",
                          f"position fen 1PP/P1p w{tail}", "go movetime 20",
                          f"position fen 2p/PPp w{tail}", go], f"{dialect} lines")
            checks.equal(lines[-1], "quit", "it is told to quit")


def history(checks):
    """After moves and take-backs the engine gets the moves from the start."""
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            tempfile.TemporaryDirectory() as folder:
        with Bridge(server.address, "--games", "clobber", checks=checks,
                    command=[*BAD_ENGINE, "--log", os.path.join(folder, "log")]):
            anna = server.connect("anna")
            match = challenge(anna, "clobber")
            played = []
            state = anna.wait_for("state", match=match, status="playing")
            start = state["position"]
            for ply in (2, 4, 2, 4):
                if len(played) == 4:
                    anna.send(f"undo {match}")
                    anna.wait_for("state", match=match, ply=2)
                    del played[2:]
                    continue
                # Without the move that was taken back.
                move = state["legal"][-1 if played else 0]
                anna.send(f"move {match} {move}")
                state = anna.wait_for("state", match=match, ply=ply)
                played += [move, state["last"]]
        told = [line for line in engine_log(folder) if line.startswith("position")]
        checks.equal(told[-1], f"position fen {start} moves {' '.join(played[:3])}", "the last")
        checks.equal(len(told), 3, "one for each turn")


def thinks_long(checks):
    """The bridge does not wait for an outdated move, and asks for one that takes too long."""
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            tempfile.TemporaryDirectory() as folder:
        command = [*BAD_ENGINE, "--slow", "--log", os.path.join(folder, "log")]

        def heard():
            return [line.split()[0] for line in engine_log(folder)
                    if line.split()[0] in ("position", "go", "stop")]

        with Bridge(server.address, "--games", "clobber", "--movetime", "3600000", checks=checks,
                    command=command) as bridge:
            anna = server.connect("anna")
            match = challenge(anna, "clobber")
            state = anna.wait_for("state", match=match, status="playing")
            anna.send(f"move {match} {state['legal'][0]}")
            wait_until(lambda: heard() == ["position", "go"], "the engine at work")
            anna.send(f"undo {match}")
            anna.wait_for("state", match=match, ply=0)
            anna.send(f"move {match} {state['legal'][1]}")
            wait_until(lambda: heard() == ["position", "go", "stop", "position", "go"],
                       "the engine at work on the other position")
            anna.send(f"resign {match}")
        os.remove(os.path.join(folder, "log"))
        with Bridge(server.address, "--games", "clobber", "--token", bridge.token,
                    checks=checks, command=command):
            match = challenge(anna, "clobber", "black")
            checks.equal(anna.wait_for("state", match=match, ply=1)["status"], "playing",
                         "a move after stop is played")


def fairy_of_one_size(checks):
    """The bridge does not offer games that a Fairy-Stockfish does not confirm."""
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", checks=checks,
                   command=[*BAD_ENGINE, "--fairy"]) as bridge:
        anna = server.connect("anna")
        match = challenge(anna, "clobber:10x10")
        checks.equal(anna.wait_for("state", match=match)["status"], "open", "first it is asked")
        checks.equal(anna.wait_for("state", match=match)["reason"], "aborted", "and declines")
        checks.check("refuses the game" in bridge.read_log(), "the log says why")
        match = challenge(anna, "clobber", "black")
        state = anna.wait_for("state", match=match, ply=1)
        checks.equal(state["status"], "playing", "its own size")


def room_for_a_rematch(checks):
    """A match that has just ended leaves room; a promised one takes it."""
    script = Script()
    bridge = Bridge(script.address, "--games", "clobber", "--max-matches", "1", checks=checks)
    script.welcome()
    with bridge:
        script.state()
        script.wait_for("move")
        over = state(1, "1pP/PPp b", status="over", result="1-0", reason="resign")
        offer = {"type": "offer", "match": "7", "what": "rematch", "from": "anna",
                 "color": "black", "open": True}
        script.send(over, offer, {**offer, "match": "6"})
        checks.equal(script.read(), "rematch 7", "a rematch at the moment of the end")
        checks.equal(script.read(), "decline 6", "and no second one")
        script.send({"type": "ok", "cmd": "rematch", "id": "7", "match": "7", "agreed": True},
                    state(0, "PpP/pPp w", match="8"), {**offer, "match": "6"})
        checks.equal(script.read(), "decline 6", "still none when it has begun")
        checks.check(script.wait_for("move").startswith("move 8 "), "the rematch is played")


def endings(checks):
    """Errors that end a bridge with exit code 1 and a sentence."""
    def ends(bridge, words, what):
        checks.equal(bridge.wait(), 1, f"exit code: {what}")
        last = bridge.read_log().splitlines()[-1]
        checks.check(last.startswith("ludus-bridge: ") and words in last, f"error: {what}", last)

    with Server(BUILD, "--no-bots", checks=checks) as server:
        server.connect("ROBOT")
        ends(Bridge(server.address, "--games", "clobber"), "name taken: choose another", "a name in use")
    with Server(BUILD, "--no-bots", "--code", "sesam", checks=checks) as server:
        ends(Bridge(server.address, "--games", "clobber"), "join code required", "no join code")
        ends(Bridge(server.address, "--games", "clobber", "--code", "x"), "wrong join code", "a wrong one")
        bridge = Bridge(server.address, "--games", "clobber", "--code", "sesam")
        token = bridge.wait_until_seated()
        server.connect().ask(f"hello robot token={token} code=sesam")
        ends(bridge, "another client has come back", "replaced")
        bridge = Bridge(server.address, "--games", "clobber", "--code", "sesam", "--token", token,
                        "--retry", "0")
        checks.equal(bridge.wait_until_seated(), token, "back with --token")
    ends(bridge, "the connection is lost", "lost, and --retry 0")
    ends(Bridge(server.address, "--games", "clobber", "--retry", "0"), "refused", "no server")
    ends(Bridge(server.address, "--games", "clobber", command=["/nonexistent/engine"]),
         "No such file", "no such program")
    ends(Bridge(server.address, "--games", "clobber", command=["true"]), "ended", "no engine")
    ends(Bridge(server.address, "--games", "clobber", command=["sh", "-c", "sleep 0.3 & exit 3"]),
         "ended", "an engine that leaves its output to another process")
    ends(Bridge(server.address, "--games", "clobber", command=[*BAD_ENGINE, "--mute"]),
         "does not answer the greeting in time", "a mute engine")
    ends(Bridge(server.address, "--games", "clobber", "--protocol", "ugi", command=["sh", "-c", "echo hi; exit"]),
         "the engine has ended; it said: hi", "an engine that says something else")
    xboard = ["sh", "-c", "while read line; do echo \"Error (unknown command): $line\"; done"]
    ends(Bridge(server.address, "--games", "clobber", command=xboard),
         "does not answer: it speaks XBoard's protocol", "an engine for XBoard")
    ends(Bridge(server.address, "--games", "clobber", "--protocol", "uci",
                command=["sh", "-c", "read line; echo '? unknown command'"]),
         "it speaks GTP: give --protocol gtp", "one for GTP, run as another")
    ends(Bridge(server.address, "--games", "clobber,shakti", "--protocol", "uci",
                command=[*BAD_ENGINE, "--uci"]), "Clobber only", "a game that UCI has not")


def told_to_end(checks):
    """SIGINT and a second SIGTERM, with engines in every state."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server(BUILD, "--no-bots", checks=checks) as server:
            bridge = Bridge(server.address, "--games", "clobber")
            bridge.wait_until_seated()
            anna = server.connect("anna")
            thinking = [challenge(anna, f"clobber:{size}", "black") for size in ("7x1", "1x7")]
            match = challenge(anna, "clobber")
            for wanted in [*thinking, match]:
                anna.send(f"state {wanted}")
            anna.wait_for("state", match=match, status="playing")
            # Each engine is a process, and one of them has a child.
            wait_until(lambda: len(children(bridge.process.pid)) >= 4, "all engines")
            below = children(bridge.process.pid)
            bridge.process.send_signal(number)
            if number == signal.SIGTERM:
                refused = challenge(anna, "clobber:3x3")
                checks.equal(anna.wait_for("state", match=refused, status="over")["reason"],
                             "aborted", "no new match after SIGTERM")
                checks.equal(bridge.process.poll(), None, "it finishes its matches")
                bridge.process.send_signal(number)
            checks.equal(bridge.wait(), 0, f"exit code after signal {number}")
            checks.equal([pid for pid in below if parent_of(pid) is not None], [],
                         f"processes left after signal {number}")
            checks.equal(anna.ask(f"state {match}")["status"], "playing", "the match waits")
    bridge = Bridge("127.0.0.1:1", "--games", "clobber", command=[*BAD_ENGINE, "--mute"])
    wait_until(lambda: children(bridge.process.pid), "the engine that is tried out")
    bridge.process.send_signal(signal.SIGTERM)
    checks.equal(bridge.wait(), 0, "exit code when told to end at the start")


def finishes(checks):
    """After SIGTERM the bridge ends with its last match, and at once without one."""
    rng = random.Random(8)
    with Server(BUILD, "--no-bots", checks=checks) as server:
        bridge = Bridge(server.address, "--games", "clobber")
        bridge.wait_until_seated()
        anna = server.connect("anna")
        match = challenge(anna, "clobber:3x3")
        state = anna.wait_for("state", match=match, status="playing")
        bridge.process.send_signal(signal.SIGTERM)
        anna.send(f"move {match} {state['legal'][0]}")
        played_to_the_end(checks, play_out(anna, match, rng), "a match that was running")
        checks.equal(bridge.wait(), 0, "exit code after the match")
        bridge = Bridge(server.address, "--games", "clobber")
        bridge.wait_until_seated()
        bridge.process.send_signal(signal.SIGTERM)
        checks.equal(bridge.wait(), 0, "exit code without a match")


def logs(checks):
    """What engines say at standard error, and all that they read and write."""
    rng = random.Random(9)
    loud = ["sh", "-c", f"printf 'hi there\\nno end' >&2; exec {' '.join(BAD_ENGINE)}"]
    for option in ("{}", "failed:{}"):
        with tempfile.TemporaryDirectory() as folder, \
                Server(BUILD, "--no-bots", checks=checks) as server:
            path = os.path.join(folder, "log")
            with Bridge(server.address, "--games", "clobber", "--engine-log", option.format(path),
                        checks=checks, command=loud) as bridge:
                anna = server.connect("anna")
                good = challenge(anna, "clobber:3x3")
                play_out(anna, good, rng)
                bad = challenge(anna, "clobber:10x1", "black")
                anna.wait_for("state", match=bad, status="over")
                wait_until(lambda: not children(bridge.process.pid), "all engines gone")
                wait_until(lambda: re.search(rf'match={bad} engine=\d+ stderr="no end"', bridge.read_log()),
                           "the last words of an engine that was killed are logged")
                log = bridge.read_log()
                checks.check(re.search(rf'match={good} engine=\d+ stderr="hi there"', log),
                             "standard error comes with the match", log)
            kept = sorted(os.listdir(folder))
            checks.equal(kept, [f"log.{bad}"] if option != "{}" else
                         sorted(f"log.{name}" for name in (good, bad, "trial")), f"logs of {option}")
            with open(f"{path}.{bad}") as file:
                lines = [line.split(" ", 1)[1] for line in file.read().splitlines()]
            checks.check({"> ugi", "< ugiok", "! hi there", "! no end", "> go movetime 20",
                          "< bestmove a1a1"} <= set(lines), "what the log holds", lines)


def seeks_and_declines(checks):
    script = Script()
    bridge = Bridge(script.address, "--games", "clobber:3x2", "--seek", "clobber:3x2", "--accept-clocks", "none",
                    "--max-matches", "1")
    script.welcome()
    checks.equal(script.wait_for("seek"), "seek clobber:3x2 repeat=yes", "it seeks")
    offered = {"type": "challenge", "match": "8", "from": "anna", "game": "clobber", "variant": "4x4",
                  "clock": None}
    script.send({**offered, "variant": "3x2", "clock": {"base_ms": 1000, "increment_ms": 0}}, offered)
    checks.equal([script.read(), script.read()], ["decline 8 clock", "decline 8 game"], "declined")
    script.send({"type": "paired", "match": "7"}, state(0, "PpP/pPp w"), {**offered, "variant": "3x2"})
    checks.equal(script.wait_for("decline"), "decline 8 busy", "declined while it plays")
    checks.check(script.wait_for("move").startswith("move 7 "), "it plays when it is paired")
    bridge.process.send_signal(signal.SIGTERM)
    checks.equal(script.wait_for("unseek"), "unseek", "after SIGTERM it seeks no more")
    script.send({"type": "ok", "id": "unseek", "cmd": "unseek"})
    script.drop()
    script.welcome()
    checks.equal(script.wait_for("unseek"), "unseek", "it comes back to its match")
    script.send({"type": "ok", "id": "unseek", "cmd": "unseek"}, state(0, "PpP/pPp w"))
    checks.check(script.wait_for("move").startswith("move 7 "), "and plays on")
    script.send(state(1, "1pP/PPp b", status="over", result="1-0", reason="resign"))
    script.let_go()
    checks.equal(bridge.wait(), 0, "exit code")
    script = Script()
    bridge = Bridge(script.address, "--games", "clobber:3x2", "--tournament", "t1")
    script.welcome()
    page = {"type": "tournament", "tournament": "t1", "status": "running", "game": "clobber", "variant": "3x2"}
    checks.equal(script.wait_for("watch"), "watch tournament t1", "a tournament")
    script.send(type="ok", id="watch", cmd="watch")
    checks.equal(script.read(), "tournament show t1 players=1", "it looks who takes part")
    script.send({**page, "id": "show", "players": [{"name": "robot", "left": False}], "total_players": 1},
                {"type": "tournament", "tournament": "t2", "status": "over"}, page, {"type": "ping"})
    checks.equal(script.read(), "ping", "it goes on in its own")
    script.send({**page, "status": "over"})
    script.let_go()
    checks.equal(bridge.wait(), 0, "exit code")
    bridge = Bridge(script.address, "--games", "clobber:4x4", "--tournament", "t1")
    script.welcome()
    script.wait_for("watch")
    script.send(type="ok", id="watch", cmd="watch")
    script.wait_for("tournament")
    script.send({**page, "id": "show", "players": [], "total_players": 0})
    checks.equal(bridge.wait(), 1, "exit code where it could only resign")
    checks.equal(bridge.read_log().splitlines()[-1],
                 "ludus-bridge: --tournament: --games does not have clobber:3x2", "the reason")


def bounds_its_engines(checks):
    """No more engines than --max-matches, whatever a server says; a match runs without its log, too."""
    script = Script()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(logs := os.path.join(folder, "logs"))
        engine = os.path.join(folder, "engine")
        with open(engine, "w") as file:
            file.write(f"#!/bin/sh\nexec {' '.join(BAD_ENGINE)}\n")
        os.chmod(engine, 0o700)
        bridge = Bridge(script.address, "--games", "clobber", "--max-matches", "2", "--engine-log", f"{logs}/x",
                        checks=checks, command=[engine])
        script.welcome()
        with bridge:
            shutil.rmtree(logs)
            os.rename(engine, engine + "s")
            script.send({"type": "challenge", "match": "9", "from": "anna", "game": "clobber"})
            checks.equal(script.wait_for("decline"), "decline 9 later", "an engine that does not start")
            os.rename(engine + "s", engine)
            script.send(*[state(0, "PpP/pPp b", match=str(number)) for number in range(1, 9)])
            checks.equal([script.wait_for("resign") for _ in range(3, 9)], [f"resign {n}" for n in range(3, 9)],
                         "matches beyond it are resigned")
            wait_until(lambda: len(children(bridge.process.pid)) == 2, "two engines")
            script.state(match="2", ply=1)
            checks.check(script.wait_for("move").startswith("move 2 "), "the first ones are played")
            checks.check("match=2 is not logged why=" in bridge.read_log(), "the log says so")


def command_line(checks):
    def run(*words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=LIMIT_S)

    good = ["--name", "robot", "--games", "clobber"]
    for words in ([], good, [*good, "--"], [*good[:2], "--", "cat"], [*good[2:], "--", "cat"],
                  ["--frob"], ["--name"], ["--name", ""], ["--name", "a b", *good[2:], "cat"],
                  ["--name", "x" * 25, *good[2:], "cat"], ["--name", "a\nb", *good[2:], "cat"],
                  [*good, "--games", "chess", "cat"], [*good, "--games", "clobber,", "cat"],
                  [*good, "--games", "clobber:11x11", "cat"],
                  [*good, "--protocol", "xboard", "cat"], [*good, "--movetime", "0", "cat"],
                  [*good, "--max-matches", "-1", "cat"],
                  [*good, "--option", "Hash", "cat"], [*good, "--option", "=1", "cat"],
                  [*good, "--retry", "soon", "cat"],
                  [*good, "--seek", "shakti", "cat"], [*good, "--opponents", "x", "cat"],
                  [*good, "--command", "x " * 65], [*good, "--config", "/nonexistent", "cat"], [*good, "--quiet=yes", "cat"]):
        done = run(*words)
        checks.equal(done.returncode, 2, f"exit code of {words}")
        checks.check(done.stderr.startswith("ludus-bridge: ") and done.stderr.count("\n") == 1,
                     f"one line of error for {words}", done.stderr)
    for words, option in ((["-xy"], "-x"), (["--tls", "-x", "cat"], "-x"), (["-\xe9\xe9"], "-?"),
                          (["--tls=yes"], "--tls=yes")):
        checks.equal(run(*words).stderr,
                     f"ludus-bridge: {option}: unknown option: see --help\n",
                     f"the option of {words}")
    done = run("--version")
    checks.equal((done.returncode, done.stdout.split()[0]), (0, "ludus-bridge"), "--version")
    done = run("--help")
    checks.equal(done.returncode, 0, "--help")
    checks.check("--games GAMES" in done.stdout, "--help lists the options")


if __name__ == "__main__":
    sys.exit(Checks("test_bridge").run([
        fairy_stockfish, fairy_against_house_bot, ludus_bot, several_at_once, both_seats,
        gtp, gtp_lines, a_real_gtp_program,
        misbehaving, floods_are_bounded, what_it_declines, offers, comes_back, knows_the_moves,
        moves_and_clocks, history, thinks_long, fairy_of_one_size, room_for_a_rematch,
        endings, told_to_end, finishes, logs, seeks_and_declines, bounds_its_engines, command_line]))
