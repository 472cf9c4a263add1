"""ludus-bridge at a server: which matches it takes, how it comes back, and how it ends.

usage: test_bridge.py BUILD_DIR
"""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from bridges import (BAD_ENGINE, BUILD, PROGRAM, Bridge, BridgeServer, challenge, children, play_out,
                     played_to_the_end, state, wait_for_children, wait_for_ends)
from harness import Checks, LIMIT_S, Server, wait_until


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


def thoughts(checks):
    """What the engine said of its moves is in the record: its value, and the legal beginning of its line."""
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", checks=checks, command=[*BAD_ENGINE, "--score", "cp_-35"]):
        anna = server.connect("anna")
        match = anna.ask("new clobber:3x3 white=robot black=robot")["match"]
        anna.wait_for("state", match=match, status="over")
        record = anna.ask(f"record {match}")
        checks.equal(record["evals"], [-35] * len(record["moves"]), "values")
        checks.equal(record["pvs"], [[move] for move in record["moves"]], "lines")


def both_seats(checks):
    """Challenged for both seats, the engine plays itself."""
    with Server(BUILD, "--no-bots", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", checks=checks):
        anna = server.connect("anna")
        match = anna.ask("new clobber:3x3 white=robot black=robot")["match"]
        over = anna.wait_for("state", match=match, status="over")
        checks.equal(over["reason"], "no-moves", "a match against itself")


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


def comes_back(checks):
    """After a lost connection the bridge returns with its token and continues the match."""
    script = BridgeServer()
    bridge = Bridge(script.address, "--games", "clobber", "--token", "old", checks=checks)
    checks.check("token=old" in script.come(), "it comes with the token of --token")
    script.say({"type": "error", "cmd": "hello", "code": "bad-token", "message": "nobody of that name"})
    checks.check("token=" not in script.wait_for("hello"), "and without, where that is unknown")
    script.say({"type": "ok", "cmd": "hello", "name": "robot", "token": "new"})
    with bridge:
        checks.equal(bridge.token, "new", "the new token is kept")
        script.state()
        move = script.wait_for("move")
        checks.check(re.fullmatch(r"move 7 \S+ ply=0( eval=0 pv=\S+)?", move), "a move", move)
        script.hang_up()
        checks.check("token=new" in script.welcome("new"), "back with the token")
        script.state(offers=[{"what": "undo", "from": "anna", "color": "black"}])
        checks.equal(script.wait_for("undo"), "undo 7", "an offer that stood is answered")
        checks.equal(script.wait_for("move"), move, "the same move in the same position")
        script.say({"type": "error", "id": "7", "cmd": "move", "code": "rate-limited", "retry_ms": 50})
        checks.equal(script.wait_for("move"), move, "a move that came too fast is sent again")
        script.say({"type": "error", "id": "7", "cmd": "move", "code": "rate-limited", "retry_ms": 50})
        script.state(offers=[{"what": "draw", "from": "anna", "color": "black"}])
        checks.equal(script.wait_for("move"), move, "also after a state that changes nothing")
        script.say({"type": "error", "id": "7", "cmd": "move", "code": "server-busy", "retry_ms": 1})
        checks.equal(script.wait_for("move"), move, "and when the server was busy")
        script.say({"type": "error", "id": "7", "cmd": "move", "code": "stale-ply"})
        script.say({"type": "error", "id": "7", "cmd": "move", "code": "illegal-move"})
        checks.equal(script.wait_for("resign"), "resign 7", "a move that fails gives the match up")
        script.say({"type": "ping"})
        checks.equal(script.wait_for("ping"), "ping", "a ping is answered")


def hears_of_a_challenge(checks):
    """A state of a match that it has not joined yet changes nothing."""
    script = BridgeServer()
    bridge = Bridge(script.address, "--games", "clobber", checks=checks)
    script.welcome()
    with bridge:
        script.say({"type": "challenge", "match": "7", "from": "anna", "game": "clobber", "variant": "3x2"},
                   state(0, "PpP/pPp w", status="open", you=None))
        checks.equal(script.wait_for("join"), "join 7", "it joins when its engine is ready")
        script.state()
        checks.check(script.wait_for("move").startswith("move 7 "), "and plays")


def room_for_a_rematch(checks):
    """A match that has just ended leaves room; a promised one takes it."""
    script = BridgeServer()
    bridge = Bridge(script.address, "--games", "clobber", "--max-matches", "1", checks=checks)
    script.welcome()
    with bridge:
        script.state()
        script.wait_for("move")
        over = state(1, "1pP/PPp b", status="over", result="1-0", reason="resign")
        offer = {"type": "offer", "match": "7", "what": "rematch", "from": "anna",
                 "color": "black", "open": True}
        script.say(over, offer, {**offer, "match": "6"})
        checks.equal(script.hear(), "rematch 7", "a rematch at the moment of the end")
        checks.equal(script.hear(), "decline 6", "and no second one")
        script.say({"type": "ok", "cmd": "rematch", "id": "7", "match": "7", "agreed": True},
                    state(0, "PpP/pPp w", match="8"), {**offer, "match": "6"})
        checks.equal(script.hear(), "decline 6", "still none when it has begun")
        checks.check(script.wait_for("move").startswith("move 8 "), "the rematch is played")


def ends_with(checks, bridge, words, what):
    checks.equal(bridge.wait(), 1, f"exit code: {what}")
    last = bridge.read_log().splitlines()[-1]
    checks.check(last.startswith("ludus-bridge: ") and words in last, f"error: {what}", last)


def a_mute_engine(checks):
    """It has been waited for since the other cases began."""
    ends_with(checks, MUTE, "does not answer the greeting in time", "a mute engine")


def endings(checks):
    """Errors that end a bridge with exit code 1 and a sentence."""
    def ends(bridge, words, what):
        ends_with(checks, bridge, words, what)

    with Server(BUILD, "--no-bots", checks=checks) as server:
        server.connect("ROBOT")
        ends(Bridge(server.address, "--games", "clobber"), "name taken: choose another", "a name in use")
    with Server(BUILD, "--no-bots", "--code", "sesam", checks=checks) as server:
        ends(Bridge(server.address, "--games", "clobber"), "join code required", "no join code")
        ends(Bridge(server.address, "--games", "clobber", "--code", "x"), "wrong join code", "a wrong one")
        bridge = Bridge(server.address, "--games", "clobber", "--code", "sesam")
        token = bridge.wait_until_seated()
        server.connect().ask(f"hello robot token={token} code=sesam only=yes")
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


def declines(checks, peer, what):
    """Challenges the bridge, which has been told to end."""
    match = challenge(peer, "clobber:3x3")
    while (state := peer.wait_for("state", match=match))["status"] == "open":
        pass
    checks.equal(state["reason"], "aborted", what)


def told_to_end(checks):
    """SIGINT and a second SIGTERM, with engines in every state."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server(BUILD, "--no-bots", checks=checks) as server:
            bridge = Bridge(server.address, "--games", "clobber")
            bridge.wait_until_seated()
            anna, bob = server.connect("anna"), server.connect("bob")
            for peer, game, color in ((bob, "clobber:7x1", "black"), (anna, "clobber:1x7", "black"),
                                      (anna, "clobber", "white")):
                match = challenge(peer, game, color)
                peer.wait_for("state", match=match, status="playing")
            # Each engine is a process, and one of them has a child.
            below = wait_for_children(bridge.process.pid, 4)
            bridge.process.send_signal(number)
            if number == signal.SIGTERM:
                declines(checks, bob, "no new match after SIGTERM")
                checks.equal(bridge.process.poll(), None, "it finishes its matches")
                bridge.process.send_signal(number)
            checks.equal(bridge.wait(), 0, f"exit code after signal {number}")
            wait_for_ends(below)
            checks.equal(anna.ask(f"state {match}")["status"], "playing", "the match waits")
    bridge = Bridge("127.0.0.1:1", "--games", "clobber", command=[*BAD_ENGINE, "--mute"])
    wait_for_children(bridge.process.pid)  # the engine that is tried out
    bridge.process.send_signal(signal.SIGTERM)
    checks.equal(bridge.wait(), 0, "exit code when told to end at the start")


def finishes(checks):
    """After SIGTERM, or when its terminal is closed, the bridge ends with its last match, and at once without one."""
    rng = random.Random(8)
    for numbers in ([signal.SIGTERM], [signal.SIGHUP, signal.SIGHUP]):
        with Server(BUILD, "--no-bots", checks=checks) as server:
            bridge = Bridge(server.address, "--games", "clobber")
            bridge.wait_until_seated()
            anna = server.connect("anna")
            match = challenge(anna, "clobber:3x3")
            state = anna.wait_for("state", match=match, status="playing")
            for number in numbers:
                bridge.process.send_signal(number)
            declines(checks, anna, f"no new match after {numbers}")
            anna.send(f"move {match} {state['legal'][0]}")
            played_to_the_end(checks, play_out(anna, match, rng), f"a match that was running at {numbers}")
            checks.equal(bridge.wait(), 0, "exit code after the match")
            bridge = Bridge(server.address, "--games", "clobber")
            bridge.wait_until_seated()
            for number in numbers:
                bridge.process.send_signal(number)
            checks.equal(bridge.wait(), 0, f"exit code without a match after {numbers}")
    with Server(BUILD, "--no-bots", checks=checks) as server:
        bridge = Bridge(server.address, "--games", "clobber", command=["nohup", *BAD_ENGINE])
        bridge.wait_until_seated()
        anna = server.connect("anna")
        anna.wait_for("state", match=challenge(anna, "clobber:7x1", "black"), status="playing")
        below = wait_for_children(bridge.process.pid)
        bridge.process.kill()
        bridge.process.wait(LIMIT_S)
        wait_for_ends(below)  # the engines of a bridge that is killed end with it


def starts_no_match(checks):
    """A challenge whose engine is not ready yet when the bridge is told to end is declined."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(fifo := os.path.join(folder, "fifo"))
        slow = ["sh", "-c", f"test ! -e {folder}/tried || read line <{fifo}; touch {folder}/tried; exec {' '.join(BAD_ENGINE)}"]
        script = BridgeServer()
        bridge = Bridge(script.address, "--games", "clobber", command=slow)
        script.welcome()
        bridge.wait_until_seated()
        for engine in children(bridge.process.pid):  # the one that is up
            os.kill(engine, signal.SIGKILL)
        wait_until(lambda: "without a match failed why=\"the engine has ended\"" in bridge.read_log(), "it has gone")
        script.say({"type": "challenge", "match": "7", "from": "anna", "game": "clobber", "variant": "3x2"})
        below = wait_for_children(bridge.process.pid)
        bridge.process.send_signal(signal.SIGTERM)
        checks.equal(script.wait_for("decline"), "decline 7 later", "at once")
        script.let_go()
        checks.equal(bridge.wait(), 0, "exit code")
        wait_for_ends(below)


def commands_in_files(checks):
    """The command of a configuration file is split as a shell does it."""
    with tempfile.TemporaryDirectory() as folder, Server(BUILD, "--no-bots", checks=checks) as server:
        path = os.path.join(folder, "my engine")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\necho \"words: $#, $1\" >&2\nexec {' '.join(BAD_ENGINE)}\n")
        os.chmod(path, 0o700)
        for number, (command, words) in enumerate([(f"'{path}' 'a  b' c", "2, a  b"), (f'"{path}"', "0, "), (path, "0, "),
                                                   (path.replace(" ", "\\ ") + ' "x y"', "1, x y")]):
            with open(os.path.join(folder, "conf"), "w") as file:
                file.write(f"connect = {server.address}\nname = robot{number}\ngames = clobber\ncommand = {command}\n")
            process = subprocess.Popen([PROGRAM, "--config", file.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            shown = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            log = process.communicate(timeout=LIMIT_S)[1]
            checks.check(" plays at " in shown and f'stderr="words: {words}"' in log, f"command = {command}", shown + log)


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
                wait_until(lambda: len(children(bridge.process.pid)) <= 1, "no engine but a spare one")
                wait_until(lambda: re.search(rf'match={bad} engine=\d+ stderr="no end"', bridge.read_log()),
                           "the last words of an engine that was killed are logged")
                log = bridge.read_log()
                checks.check(re.search(r'match=- engine=\d+ stderr="hi there"', log), "before there is a match", log)
            kept = sorted(os.listdir(folder))
            checks.equal(kept, [f"log.{bad}"] if option != "{}" else
                         sorted(f"log.{name}" for name in (good, bad)), f"logs of {option}")
            with open(f"{path}.{bad}") as file:
                lines = [line.split(" ", 1)[1] for line in file.read().splitlines()]
            checks.check({"> ugi", "< ugiok", "! hi there", "! no end", "> go movetime 20",
                          "< bestmove a1a1"} <= set(lines), "what the log holds", lines)


def seeks_and_declines(checks):
    script = BridgeServer()
    bridge = Bridge(script.address, "--games", "clobber:3x2", "--seek", "clobber:3x2", "--accept-clocks", "none",
                    "--max-matches", "1")
    script.welcome()
    checks.equal(script.wait_for("seek"), "seek clobber:3x2 repeat=yes max=1", "it seeks")
    offered = {"type": "challenge", "match": "8", "from": "anna", "game": "clobber", "variant": "4x4",
                  "clock": None}
    script.say({**offered, "variant": "3x2", "clock": {"base_ms": 1000, "increment_ms": 0}}, offered)
    checks.equal([script.hear(), script.hear()], ["decline 8 clock", "decline 8 game"], "declined")
    script.say({"type": "paired", "match": "7"}, state(0, "PpP/pPp w"), {**offered, "variant": "3x2"})
    checks.equal(script.wait_for("decline"), "decline 8 busy", "declined while it plays")
    checks.check(script.wait_for("move").startswith("move 7 "), "it plays when it is paired")
    bridge.process.send_signal(signal.SIGTERM)
    checks.equal(script.wait_for("unseek"), "unseek", "after SIGTERM it seeks no more")
    script.say({"type": "ok", "id": "unseek", "cmd": "unseek"})
    script.hang_up()
    script.welcome()
    checks.equal(script.wait_for("unseek"), "unseek", "it comes back to its match")
    script.say({"type": "ok", "id": "unseek", "cmd": "unseek"}, state(0, "PpP/pPp w"))
    checks.check(script.wait_for("move").startswith("move 7 "), "and plays on")
    script.say(state(1, "1pP/PPp b", status="over", result="1-0", reason="resign"))
    script.let_go()
    checks.equal(bridge.wait(), 0, "exit code")
    script = BridgeServer()
    bridge = Bridge(script.address, "--games", "clobber:3x2", "--tournament", "t1")
    script.welcome()
    page = {"type": "tournament", "tournament": "t1", "status": "running", "game": "clobber", "variant": "3x2"}
    checks.equal(script.wait_for("watch"), "watch tournament t1", "a tournament")
    script.say({"type": "ok", "id": "watch", "cmd": "watch"})
    checks.equal(script.hear(), "tournament show t1 players=1", "it looks who takes part")
    script.say({**page, "id": "show", "players": [{"name": "robot", "left": False}], "total_players": 1},
                {"type": "tournament", "tournament": "t2", "status": "over"}, page, {"type": "ping"})
    checks.equal(script.hear(), "ping", "it goes on in its own")
    script.say({**page, "status": "over"})
    script.let_go()
    checks.equal(bridge.wait(), 0, "exit code")
    bridge = Bridge(script.address, "--games", "clobber:4x4", "--tournament", "t1")
    script.welcome()
    script.wait_for("watch")
    script.say({"type": "ok", "id": "watch", "cmd": "watch"})
    script.wait_for("tournament")
    script.say({**page, "id": "show", "players": [], "total_players": 0})
    checks.equal(bridge.wait(), 1, "exit code where it could only resign")
    checks.equal(bridge.read_log().splitlines()[-1],
                 "ludus-bridge: --tournament: --games does not have clobber:3x2", "the reason")


def places_become_free(checks):
    """Neither players who never move nor those who leave keep the bridge from others."""
    with Server(BUILD, "--no-bots", "--grace", "1", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--first-move", "1", checks=checks) as bridge:
        anna, bob, carl = server.connect("anna"), server.connect(), server.connect("carl")
        silent = [challenge(peer, "clobber", color) for peer in (anna, bob) for color in ("white", "black")]
        for match in silent:
            wait_until(lambda: carl.ask(f"state {match}")["status"] == "over", "a match without a first move ends")
            checks.equal(carl.ask(f"state {match}")["reason"], "aborted", "no first move")
        log = bridge.read_log()
        checks.equal([match for match in silent if f"match={match} aborting: no first move" not in log], [],
                     "all four had a place")
        state = carl.wait_for("state", match=challenge(carl, "clobber"), where=lambda state: state["status"] != "open")
        checks.equal(state["status"], "playing", "and another one has")
    with Server(BUILD, "--no-bots", "--grace", "1", checks=checks) as server, \
            Bridge(server.address, "--games", "clobber", "--first-move", "0", "--max-matches", "1", checks=checks) as bridge:
        anna, carl = server.connect("anna"), server.connect("carl")
        match = challenge(carl, "clobber")
        state = carl.wait_for("state", match=match, status="playing")
        for ply in (0, 2):
            state = carl.wait_for("state", match=match, ply=ply) if ply else state
            carl.send(f"move {match} {state['legal'][0]} ply={ply}")
        carl.wait_for("state", match=match, ply=4)
        carl.close()
        wait_until(lambda: anna.ask(f"state {match}")["status"] == "over", "the win is claimed")
        checks.equal(anna.ask(f"state {match}")["reason"], "forfeit", "one who has left loses")
        log = bridge.read_log()
        checks.check(f"match={match} claiming: the opponent is gone or silent" in log, "the log says why", log)
        state = anna.wait_for("state", match=challenge(anna, "clobber"), where=lambda state: state["status"] != "open")
        checks.equal(state["status"], "playing", "its place is another's")


def bounds_its_engines(checks):
    """No more engines than --max-matches, whatever a server says; a match runs without its log, too."""
    script = BridgeServer()
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
            os.kill(children(bridge.process.pid)[0], signal.SIGKILL)
            wait_until(lambda: "without a match failed" in bridge.read_log(), "the engine that is up has gone")
            shutil.rmtree(logs)
            os.rename(engine, engine + "s")
            script.say({"type": "challenge", "match": "9", "from": "anna", "game": "clobber"})
            checks.equal(script.wait_for("decline"), "decline 9 later", "an engine that does not start")
            os.rename(engine + "s", engine)
            script.say(*[state(0, "PpP/pPp b", match=str(number)) for number in range(1, 9)])
            checks.equal([script.wait_for("resign") for _ in range(3, 9)], [f"resign {n}" for n in range(3, 9)],
                         "matches beyond it are resigned")
            wait_until(lambda: len(children(bridge.process.pid)) == 2, "two engines")
            script.state(match="9", game="chess", status="open")
            checks.equal(script.wait_for("abort"), "abort 9", "one that has not begun is aborted")
            checks.check("match=9 turned away answer=abort why=" in bridge.read_log(), "the log says how it is left")
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
                  [*good, "--command", "x " * 65], [*good, "--command", "'a b"], [*good, "--config", "/nonexistent", "cat"], [*good, "--quiet=maybe", "cat"]):
        done = run(*words)
        checks.equal(done.returncode, 2, f"exit code of {words}")
        checks.check(done.stderr.startswith("ludus-bridge: ") and done.stderr.count("\n") == 1,
                     f"one line of error for {words}", done.stderr)
    for words, option in ((["-xy"], "-x"), (["--tls", "-x", "cat"], "-x"), (["-\xe9\xe9"], "-?"),
                          (["--frob=yes"], "--frob=yes")):
        checks.equal(run(*words).stderr,
                     f"ludus-bridge: {option}: unknown option: see --help\n",
                     f"the option of {words}")
    done = run("--version")
    checks.equal((done.returncode, done.stdout.split()[0]), (0, "ludus-bridge"), "--version")
    done = run("--help")
    checks.equal(done.returncode, 0, "--help")
    checks.check("--games GAMES" in done.stdout, "--help lists the options")


if __name__ == "__main__":
    MUTE = Bridge("127.0.0.1:9", "--games", "clobber", command=[*BAD_ENGINE, "--mute"])
    sys.exit(Checks("test_bridge").run([
        several_at_once, thoughts, both_seats, what_it_declines, offers, comes_back, hears_of_a_challenge, room_for_a_rematch,
        endings, told_to_end, finishes, starts_no_match, commands_in_files, logs, seeks_and_declines, places_become_free,
        bounds_its_engines, command_line, a_mute_engine]))
