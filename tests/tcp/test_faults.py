"""Programs on a bad network (../faults/sockets.c) play whole matches in spite of partial reads and
writes, interrupted calls, broken connections, and a system short of resources."""
import errno
import json
import os
import shutil
import socket
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../crash")
sys.path.insert(1, sys.path[0] + "/../faults")
from harness import LIMIT_S, Checks, Server, build_folder, wait_until
from referee import Referee
from socket_faults import SHORT, SocketFaults

BUILD = build_folder()
GAMES = ("clobber:4x5", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti")


class World:
    """A server with faults in its calls and in those of its peers."""

    def __init__(self, t, *options, seed=1):
        self.t = t
        self.folder = tempfile.mkdtemp(prefix="faults-", dir=BUILD)
        self.server_faults = self.faults("server", seed)
        self.faults_of_others = self.faults("others", seed + 1)
        self.server = Server(BUILD, *options, checks=t, environment=self.environment(
            self.server_faults))
        self.programs = []

    def faults(self, name, seed):
        return SocketFaults(BUILD, os.path.join(self.folder, name), seed)

    def environment(self, faults):
        return {**os.environ, "XDG_STATE_HOME": self.folder, **faults.environment}

    def start(self, program, *words):
        process = subprocess.Popen(
            [os.path.join(BUILD, program), "--connect", self.server.address, *words], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment(self.faults_of_others))
        self.programs.append(process)
        return process

    def bots(self, *names):
        for name in names:
            self.start("ludus-bot", "--name", name, "--level", "random", "--quiet")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for process in self.programs:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate(timeout=LIMIT_S)
        self.server_faults.off()
        self.server.__exit__(kind, error, trace)
        log = self.server.read_log()
        self.t.check("Sanitizer" not in log and "runtime error" not in log, "no crash",
                     log[-2000:])
        shutil.rmtree(self.folder)


def wait_for_players(connection, *names):
    wait_until(lambda: set(names) <= {p["name"] for p in connection.ask("who")["players"]},
               f"{names} are here")


def check_record(t, referee, record, what):
    """The moves are legal and lead to the result."""
    game = f"{record['game']}:{record['variant']}"
    answer = referee.ask(game, record["start"], record["moves"])
    t.check(answer is not None and answer[1:] == (record["result"], record["reason"]) and
            len(record["times_ms"]) == len(record["moves"]) and record["result"] != "*",
            f"{what}: the record is right", (record, answer))


def watch_to_the_end(connection, match):
    """Reads every state of a match, checks that none is missing, and returns the last one."""
    ply = -1
    while True:
        state = connection.wait_for("state", match=match)
        if state is None or not ply <= state["ply"] <= ply + 1:
            raise RuntimeError(f"match {match}: after ply {ply} came {state}")
        ply = state["ply"]
        if state["status"] == "over":
            return state


def bots_play_every_game(t):
    """Server and bots read and write partially and are interrupted all the time."""
    referee = Referee(BUILD)
    with World(t, "--no-bots") as world:
        world.server_faults.bad_line()
        world.faults_of_others.bad_line()
        watcher = world.server.connect("watcher")
        world.bots("ann", "ben")
        wait_for_players(watcher, "ann", "ben")
        for game in GAMES:
            match = watcher.ask(f"new {game} white=ann black=ben")["match"]
            state = watch_to_the_end(watcher, match)
            record = watcher.ask(f"record {match}")
            t.equal((record["result"], len(record["moves"])), (state["result"], state["ply"]),
                    f"{game}: what was watched is what is recorded")
            check_record(t, referee, record, game)
        for call in ("read", "write", "wait"):
            t.check(world.server_faults.count(call) > 100 and
                    world.faults_of_others.count(call) > 50, f"there were faults: {call}",
                    (world.server_faults.count(call), world.faults_of_others.count(call)))
        watcher.close()
    referee.close()


def a_person_plays(t):
    """The client in line mode plays every move that it was given, and none twice."""
    with World(t, "--no-bots", seed=7) as world:
        world.server_faults.bad_line()
        world.faults_of_others.bad_line()
        for game, moves in (("clobber:3x2", "b1a1 b2a2 a1a2 c1c2"),
                            ("clobber:2x2", "a2a1 b2b1 a1b1")):
            client = world.start("ludus", "--line", "--play", game, "--vs", "me")
            shown, errors = client.communicate("\n".join(moves.split()) + "\n", timeout=LIMIT_S)
            t.check("over: " in shown and errors == "" and client.returncode == 0,
                    f"{game} is played to its end", (shown[-500:], errors, client.returncode))
        anna = world.server.connect("anna")
        for match, moves in (("1", "b1a1 b2a2 a1a2 c1c2"), ("2", "a2a1 b2b1 a1b1")):
            t.equal(anna.ask(f"record {match}")["moves"], moves.split(), f"match {match}")
        anna.close()


def a_bot_comes_back(t):
    """Connections break during matches: bots with a name return and continue."""
    referee = Referee(BUILD)
    with World(t, "--no-bots", seed=3) as world:
        watcher = world.server.connect("watcher")
        world.bots("ann", "ben")
        wait_for_players(watcher, "ann", "ben")
        # Who has not read yet that they are in, and under which token, would not come back.
        watch_on(watcher, watcher.ask("new clobber:2x2 white=ann black=ben")["match"])
        for error, call in ((errno.ECONNRESET, "read"), (errno.EPIPE, "write")):
            match = watcher.ask("new latrunculi white=ann black=ben")["match"]
            for _ in range(2):
                before = watcher.wait_for("state", match=match)
                world.faults_of_others.next(call, error)
                wait_until(lambda: world.faults_of_others.waits(call) == 0, f"{call} fails")
                t.check(before["status"] != "over", "while they play", before)
            watch_on(watcher, match)
            check_record(t, referee, watcher.ask(f"record {match}"), f"{call} fails")
        watcher.close()
    referee.close()


def watch_on(connection, match):
    while connection.wait_for("state", match=match)["status"] != "over":
        pass


def one_connection_breaks(t):
    """The server's calls fail for one peer, which is disconnected; the others play on."""
    with World(t, "--no-bots", seed=5) as world:
        anna, ben = world.server.connect("anna"), world.server.connect("ben")
        match = anna.ask("new clobber:3x2 black=ben")["match"]
        ben.ask(f"join {match}")
        moves = iter(((anna, "b1a1"), (ben, "b2a2"), (anna, "a1a2"), (ben, "c1c2")))
        for number, (call, error) in enumerate((
                ("read", errno.ECONNRESET), ("write", errno.EPIPE),
                ("write", errno.ECONNRESET), ("write", errno.ENOBUFS))):
            name = f"victim{number}"
            victim = world.server.connect(name)
            world.server_faults.next(call, error)
            victim.send("ping")
            wait_until(lambda: victim.read() is None, f"{call} fails, and the peer is gone")
            t.equal(world.server_faults.waits(call), 0, f"{call} has failed")
            wait_until(lambda: name not in [p["name"] for p in anna.ask("who")["players"]],
                       f"{call}: the server has noticed")
            victim.close()
            player, move = next(moves)
            t.equal(player.ask(f"move {match} {move}")["type"], "ok", f"{call}: others play on")
        t.equal(anna.ask(f"record {match}")["result"], "0-1", "the match is over")
        anna.close()
        ben.close()


def a_call_is_put_off(t):
    """Calls that fail for the moment are repeated until they succeed."""
    with World(t, "--no-bots", seed=5) as world:
        anna = world.server.connect("anna")
        for call, error in (("read", errno.EAGAIN), ("read", errno.EINTR),
                            ("write", errno.EAGAIN), ("write", errno.EINTR), ("write", SHORT),
                            ("read", SHORT), ("wait", errno.EINTR)):
            before = world.server_faults.count(call)
            world.server_faults.next(call, error, 3)
            for text in "abc":
                t.equal(anna.ask(f"ping {text}")["text"], text, f"{call} put off: {error}")
            world.server_faults.off()
            t.check(world.server_faults.count(call) > before, f"{call} was put off")
        anna.close()


ACCEPT_ERRORS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, errno.EINTR,
                 errno.ECONNABORTED, errno.EAGAIN, errno.EPROTO)


def accepting_fails(t):
    """While accept() fails nobody connects; then all do, and the server has not spun."""
    with World(t, "--no-bots") as world:
        anna = world.server.connect("anna")
        for error in ACCEPT_ERRORS:
            before = world.server_faults.calls("accept")
            world.server_faults.next("accept", error)
            lost = 0
            while True:
                try:
                    world.server.connect().close()
                    break
                except (ConnectionError, json.JSONDecodeError, TypeError, AttributeError):
                    lost += 1
            t.check(lost <= 1, f"{errno.errorcode[error]}: the next one comes in", lost)
            t.check(world.server_faults.calls("accept") - before < 20,
                    f"{errno.errorcode[error]}: no spinning", world.server_faults.calls("accept"))
            t.equal(world.server_faults.waits("accept"), 0, "accepting has failed")
            t.equal(anna.ask("ping")["type"], "pong", "who is in is served")
        world.server_faults.set("accept", (errno.EMFILE, 1000, 0))
        stranger = Stranger(world.server.port)
        wait_until(lambda: world.server_faults.count("accept") >= 2, "accepting fails")
        t.equal(anna.ask("new clobber")["type"], "ok", "who is in plays on")
        world.server_faults.off()
        t.check(stranger.is_answered(), "who has waited comes in")
        anna.close()


class Stranger:
    """A peer that waits to be accepted."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT_S)

    def is_answered(self):
        line = self.socket.makefile().readline()
        self.socket.close()
        return line.startswith("{")


if __name__ == "__main__":
    sys.exit(Checks("test_faults").run([
        bots_play_every_game, a_person_plays, a_bot_comes_back, one_connection_breaks,
        a_call_is_put_off, accepting_fails]))
