"""A server whose memory runs out (../faults/starve.c), over TCP: whoever comes next is served, and
what was acknowledged is kept. Covers libevent, the sockets and the start.

usage: test_starve.py [BUILD [EVERY]]   tries only every so many pieces of memory; 1: all
"""
import json
import os
import shutil
import socket
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, name) for name in ("crash", "faults")]
from harness import LIMIT_S, Checks, build_folder
from ludusd import Ludusd, free_port
from starve import FOR_EVER, Starve

BUILD = build_folder()
EVERY = int(sys.argv[2]) if len(sys.argv) > 2 else 0
MOVES = ("a2a1", "b2b1", "a1b1")
RUNNING = 3


class World:
    """A server that may end and is started again, and what it has acknowledged."""

    def __init__(self, t, folder, *options):
        self.t = t
        self.starve = Starve(BUILD, os.path.join(folder, "control"))
        self.stored = "none" not in options
        self.metrics_port = free_port()
        self.server = Ludusd(BUILD, os.path.join(folder, "data"), free_port(),
                             ["--no-bots", "--metrics", str(self.metrics_port), *options],
                             self.starve.environment)
        self.start()
        self.played = {}  # match: moves that were acknowledged
        self.names = self.ends = 0

    def start(self):
        self.server.start_and_wait()
        self.server.process.stdout.readline()  # the place of the metrics: it listens there, too

    def look(self, what):
        """After each trial: the server is there, or has ended in a way that is promised."""
        self.starve.off()
        if self.answers():
            return
        code = self.server.process.wait(LIMIT_S)
        self.t.check(self.stored and code == 1 and "event=out-of-memory" in self.server.read_log(),
                     f"{what}: ends", (code, self.server.read_log()[-500:]))
        self.ends += 1
        self.server.process.stdout.close()
        self.start()

    def answers(self):
        try:
            client = Client(self, "still there")
        except OSError:
            return False
        client.close()
        return client.greeting is not None

    def new_name(self):
        self.names += 1
        return f"name{self.names}"

    def ask_metrics(self):
        """The answer, or what there is of it."""
        answer = b""
        try:
            with socket.create_connection(("127.0.0.1", self.metrics_port), LIMIT_S) as peer:
                peer.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
                while data := peer.recv(65536):
                    answer += data
        except ConnectionError:
            pass
        return answer

    def stop(self):
        self.t.check(self.ask_metrics().startswith(b"HTTP/1.1 200 OK"), "metrics in the end")
        self.t.equal(self.server.stop(), 0, "the server stops")
        log = self.server.read_log()
        self.t.check("Sanitizer" not in log and "runtime error" not in log, "no crash", log[-3000:])
        self.starve.close()


class Client:
    """One to whom anything may happen, but nothing that is half."""

    def __init__(self, world, what):
        self.world, self.what = world, what
        self.here = True
        self.socket = socket.create_connection(("127.0.0.1", world.server.port), LIMIT_S)
        self.lines = self.socket.makefile("rb")
        self.greeting = self.read()

    def read(self):
        """The next message; None once the connection has ended."""
        try:
            line = self.lines.readline()
        except OSError:
            line = b""
        message = json.loads(line) if line.endswith(b"\n") else None
        self.here = self.here and message is not None and message["type"] != "bye"
        return message

    def ask(self, text):
        """The reply; None when the connection ends first."""
        try:
            self.socket.sendall(f"#q {text}\n".encode())
        except OSError:
            self.here = False
        while self.here:
            message = self.read()
            if message is not None and message.get("id") == "q":
                if message["type"] == "error":
                    self.world.t.check(message["code"] == "internal", f"{self.what}: {text}",
                                       message)
                return message
        return None

    def succeeds(self, text, tries=4):
        """Asks until it is done; what was refused may be tried again."""
        for _ in range(tries):
            reply = self.ask(text)
            if reply is None or reply["type"] != "error":
                return reply
        return None

    def play(self):
        """A whole match, as far as one lets him; notes what was acknowledged."""
        self.ask(f"hello {self.world.new_name()}")
        self.world.ask_metrics()
        opened = self.succeeds("new clobber:2x2 white=me black=me")
        if opened is None:
            return
        played = self.world.played.setdefault(opened["match"], [])
        for move in MOVES:
            reply = self.succeeds(f"move {opened['match']} {move} ply={len(played)}")
            if reply is None:
                return
            played.append(move)
        for text in ("record " + opened["match"], "list", "who", "top", "history", "quit"):
            self.succeeds(text)

    def close(self):
        self.lines.close()
        self.socket.close()


def check_record(t, world, client, match, what):
    """One more move than was acknowledged may be there: its answer was lost."""
    record = client.ask(f"record {match}")
    moves, played = record.get("moves", ()), world.played[match]
    t.check(moves[:len(played)] == played and moves == list(MOVES[:len(moves)]) and
            len(moves) <= len(played) + 1 and record["match"] == match,
            f"{what}: match {match} is as it was acknowledged", (record, played))


def is_served(t, world, what):
    """The next one finds all in order."""
    client = Client(world, f"after {what}")
    t.check(client.greeting is not None and client.greeting["type"] == "hello",
            f"after {what}: greeted", client.greeting)
    before = set(world.played)
    client.play()
    new = set(world.played) - before
    t.check([len(world.played[match]) for match in new] == [len(MOVES)], f"after {what}: plays",
            (new, world.server.read_log()[-500:]))
    client.close()


def try_all(t, world, every, lasting):
    piece, tries = 1, 0
    while True:
        what = f"piece {piece}{' and all then' if lasting else ''}"
        world.starve.refuse(piece, FOR_EVER if lasting else piece)
        client = Client(world, what)
        client.play()
        client.close()
        failed = world.starve.failed()
        world.look(what)
        is_served(t, world, what)
        if failed == 0:
            break
        piece += every
        tries += 1
    t.check(tries >= 5, "there were failures", tries)


def check_all(t, world):
    client = Client(world, "at the end")
    for match in list(world.played)[-900:]:
        check_record(t, world, client, match, "at the end")
    client.close()


def in_folder(work):
    folder = tempfile.mkdtemp(prefix="starve-", dir=BUILD)
    try:
        work(folder)
    finally:
        shutil.rmtree(folder)


ROOM = ("--keep-finished=1000", "--max-names=100000", "--address-connections=1000")


def without_a_store(t):
    def work(folder):
        world = World(t, folder, "--data", "none", *ROOM)
        try_all(t, world, EVERY or 23, False)
        try_all(t, world, EVERY or 53, True)
        check_all(t, world)
        world.stop()
    in_folder(work)


def with_a_store(t):
    def work(folder):
        world = World(t, folder, *ROOM)
        try_all(t, world, EVERY or 53, False)
        try_all(t, world, EVERY or 97, True)
        check_all(t, world)
        world.server.kill()
        world.server.start_and_wait()
        check_all(t, world)
        world.stop()
        code, text = world.server.check()
        t.check(code == 0, "ludusd check is content", text)
    in_folder(work)


def fill(client):
    """Matches that run and one that is over, of one name."""
    client.ask("hello ada")
    for number in range(RUNNING + 1):
        match = client.ask("new clobber:2x2 white=me black=me")["match"]
        for move in MOVES[:2 if number < RUNNING else 3]:
            client.ask(f"move {match} {move}")


def count_matches(t, client):
    counts = [(client.ask(question) or {}).get("total") for question in ("list", "history ada")]
    t.equal(counts, [RUNNING, 1], f"{client.what}: the matches that run, and that are over")


def the_start(t):
    """It succeeds with all matches, or is refused in a sentence; then it works with enough memory."""
    def work(folder):
        starve = Starve(BUILD, os.path.join(folder, "control"))
        data = os.path.join(folder, "data")
        server = Ludusd(BUILD, data, free_port(), ["--no-bots", "--metrics", "0"], starve.environment)

        def ask(what, question, *arguments):
            client = Client(type("", (), {"server": server, "t": t}), what)
            question(*arguments, client)
            client.close()

        server.start_and_wait()
        ask("before", fill)
        t.equal(server.stop(), 0, "a server with matches stops")
        piece = 1
        while True:
            before = len(server.read_log()) if os.path.exists(server.log_path) else 0
            starve.refuse(piece)
            line = server.start().readline()
            starve.off()
            failed = starve.failed()
            if line:
                ask(f"piece {piece} of the start", count_matches, t)
                t.equal(server.stop(), 0, f"piece {piece} of the start: stops")
            else:
                code, said = server.reap(), server.read_log()[before:]
                t.check(code == 1 and [line for line in said.splitlines() if not line.startswith(
                            "time=")] == said.splitlines()[-1:] and "\nludusd: " in "\n" + said,
                        f"piece {piece} of the start: one sentence", (code, said))
            if failed == 0:
                break
            piece += EVERY or (1 if piece < 5 else 211)
        server.start_and_wait()
        ask("with enough memory", count_matches, t)
        t.equal(server.stop(), 0, "stops")
        t.equal(server.check()[0], 0, "ludusd check is content")
    in_folder(work)


if __name__ == "__main__":
    sys.exit(Checks("test_starve").run([without_a_store, with_a_store, the_start]))
