"""ludus-bridge: engines of every kind, good and bad ones, and all that they read.

usage: test_bridge_engines.py BUILD_DIR
"""
import itertools
import os
import random
import re
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from bad_engine import WRONG
from bridges import (BAD_ENGINE, BUILD, Bridge, BridgeServer, challenge, children, engine_log, play_out,
                     played_to_the_end)
from harness import Checks, Server, games_of, wait_until

FAIRY = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
GNUGO = shutil.which("gnugo", path=os.environ.get("PATH", "") + ":/usr/games")
GTP_ENGINE = [sys.executable, os.path.join("client", "examples", "gtp_clobber.py")]


def fairy_stockfish(checks):
    if FAIRY is None:
        print("test_bridge_engines: fairy-stockfish is not installed: no match with it")
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
        print("test_bridge_engines: there is no ludus-bot: no match with it")
        return
    rng = random.Random(2)
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", ",".join(games_of(BUILD)), "--option",
                   "Level=random", checks=checks, command=[program, "ugi"]):
        anna = server.connect("anna")
        played = [f"{game}:{variant}" for game, variants in games_of(BUILD).items()
                  for variant in (["3x4"] if game == "clobber" else variants)]
        for game in played:
            for color in ("white", "black"):
                state = play_out(anna, challenge(anna, game, color), rng)
                played_to_the_end(checks, state, f"ludus-bot in {game}")


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
    script = BridgeServer()
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
        print("test_bridge_engines: SKIPPED a real GTP program: gnugo is not installed")
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

        def begin(size, wrong, declines):
            peer = server.connect(f"peer-{size}")
            color = "white" if wrong.endswith("not its turn") else "black"
            return peer, challenge(peer, f"clobber:{size}", color), wrong, declines

        # It takes seconds to see that one hangs. The others begin in turn: many at once would start too slowly.
        hanging = [begin(size, *how) for size, how in WRONG.items() if how[0].startswith("hangs")]
        others = (begin(size, *how) for size, how in WRONG.items() if not how[0].startswith("hangs"))
        for peer, match, wrong, declines in itertools.chain(others, hanging):
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
        wait_until(lambda: len(children(bridge.process.pid)) <= 3, "no engines but those without a match")
        log = bridge.read_log()
        for words in ("the engine has ended", "the engine hangs: no bestmove",
                      "the engine hangs: no readyok", "the engine floods", "bestmove a1a1: ",
                      "no such game"):
            checks.check(words in log, f"the log says '{words}'", log)
        checks.check("\x1b" not in log, "the log has no control characters")


def engines_of(log):
    """Returns the process of the engine of each match."""
    return dict(re.findall(r"match=(\d+) engine=(\d+) (?:taken|started)", log))


def kept_between_matches(checks):
    """One process plays match after match; one that cannot play a second one loses none by that."""
    lost = {"crashes": "the engine has ended", "hangs": "no readyok in time", "deaf": "bestmove "}
    for words, how in (([], None), (["--restart"], None), *(([], how) for how in lost)):
        rng, more = random.Random(11), ["--second", how] if how else []
        with tempfile.TemporaryDirectory() as folder, Server(BUILD, "--no-bots", checks=checks) as server, \
                Bridge(server.address, "--games", "clobber", "--startup", "2", *words, checks=checks,
                       command=[*BAD_ENGINE, "--log", f"{folder}/log", "--chatter", "700000", *more]) as bridge:
            anna, what = server.connect("anna"), f"{words} {more}"
            first = children(bridge.process.pid)
            for size in ("3x3", "2x3", "3x4", "3x3"):
                played_to_the_end(checks, play_out(anna, challenge(anna, f"clobber:{size}"), rng), f"{what}: {size}")
                wait_until(lambda: re.search(r"over result=[^\n]*\n(.*\n)*$", bridge.read_log()), "the bridge knows")
            log = bridge.read_log()
            pids, said = list(engines_of(log).values()), engine_log(folder)
            if how:
                checks.check(re.search(rf'match=2 engine={first[0]} replaced by=\d+ why="[^"]*{lost[how]}', log), what, log)
                checks.equal(log.count("cannot play two matches"), 1, f"{what}: said once")
                checks.equal(len(set(pids)), 3, f"{what}: then each match has its own: {pids}")
            else:
                checks.equal(len(set(pids)), 4 if words else 1, f"{what}: processes of {pids}")
                checks.equal(pids[0], str(first[0]), "the first one is up before there is a match")
                checks.equal((said.count("ugi"), said.count("uginewgame")), (4 if words else 1, 4), f"{what}: greetings, games")
            checks.check("stderr is cut" not in log, f"{what}: each match may have 1 MB of standard error")


def memory_is_bounded(checks):
    """One that leaks is replaced between matches once it has half of --memory, and never has more than that."""
    rng = random.Random(12)
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--memory", "400", checks=checks,
                   command=[*BAD_ENGINE, "--leak", "80"]) as bridge:
        anna = server.connect("anna")
        for number in range(5):
            played_to_the_end(checks, play_out(anna, challenge(anna, "clobber:2x3"), rng), f"match {number} of a leak")
            wait_until(lambda: bridge.read_log().count(" over result=") == number + 1, "the bridge knows")
        log = bridge.read_log()
        checks.equal(len(set(engines_of(log).values())), 2, f"it is replaced after three: {log}")
        checks.check("replaced by=" not in log, "but not within a match", log)
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--memory", "200", checks=checks,
                   command=[*BAD_ENGINE, "--leak", "300"]) as bridge:
        anna = server.connect("anna")
        over = anna.wait_for("state", match=challenge(anna, "clobber:2x3"), status="over")
        checks.equal(over["reason"], "aborted", "one that takes too much fails")
        checks.check("the engine has ended" in bridge.read_log(), "by itself", bridge.read_log())


def up_before_a_match(checks):
    """With --seek, an engine is up before the server pairs the player, and the next one as soon as that one plays."""
    script = BridgeServer()
    bridge = Bridge(script.address, "--games", "clobber:3x2", "--seek", "clobber:3x2", "--max-matches", "1", checks=checks)
    script.welcome()
    script.wait_for("seek")
    with bridge:
        first = children(bridge.process.pid)
        checks.equal(len(first), 1, "one is up")
        script.say({"type": "paired", "match": "7"})
        script.state()
        script.wait_for("move")
        wait_until(lambda: len(children(bridge.process.pid)) == 2, "another one follows")
        spare = [pid for pid in children(bridge.process.pid) if pid not in first]
        os.kill(spare[0], 9)
        wait_until(lambda: f"engine={spare[0]} without a match failed" in bridge.read_log(), "one that dies is noticed")
        script.hang_up()
        script.welcome()
        script.state()
        checks.check(script.wait_for("move").startswith("move 7 "), "after a lost connection it plays on")
        checks.equal(children(bridge.process.pid), first, "with the same engine")


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

    script = BridgeServer()
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
                script.say({"type": "record", "match": str(number), "variant": "3x2", "start": "PpP/pPp w", **answer})
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
        script = BridgeServer()
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


if __name__ == "__main__":
    sys.exit(Checks("test_bridge_engines").run([
        fairy_stockfish, fairy_against_house_bot, ludus_bot, gtp, gtp_lines, a_real_gtp_program, misbehaving, kept_between_matches,
        memory_is_bounded, up_before_a_match, floods_are_bounded, knows_the_moves, moves_and_clocks, history, thinks_long, fairy_of_one_size]))
