#!/usr/bin/env python3
"""Servers that share a lobby: when a client's server is gone, it goes to another one.

usage: python3 tests/tcp/test_other_server.py BUILD_DIR [TEST...]

Here one server stands behind several doors, each of which names all of them in the greeting.
"""

import json
import os
import ssl
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import wait_until  # which has bots keep their tokens in a folder of the test
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, Proxy, expect_that

test = Tests()


class Door(Proxy):
    """A way to the server that is closed as if the machine had ended."""

    def __init__(self, port, certificate=None):
        self.nodes = []
        self.visits = 0
        self.heard = b""
        self.context = None
        if certificate is not None:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate + ".pem", certificate + ".key")
        super().__init__(port)

    def pump(self, pair, source, target, kind):
        if self.context is not None:
            return self.pump_tls(pair, kind)
        if kind == "reply":
            self.visits += 1
            try:
                target.sendall(self.greeting(source))
            except OSError:
                pass
            return super().pump(pair, source, target, kind)
        try:
            while data := source.recv(65536):
                self.heard += data
                target.sendall(data)
        except OSError:
            pass
        return self.end(pair)

    def greeting(self, source):
        line = b""
        while not line.endswith(b"\n") and (byte := source.recv(1)):
            line += byte
        if not line:
            raise OSError("the server is gone")
        greeting = json.loads(line)
        greeting.update(node=1, nodes=self.nodes)
        return json.dumps(greeting).encode() + b"\n"

    def pump_tls(self, pair, kind):
        """One thread decrypts what the client sends; what the server answers goes the other way."""
        if kind != "command":
            return
        client, server = pair
        try:
            tls = self.context.wrap_socket(client, server_side=True)
            self.visits += 1
            server.sendall(tls.recv(65536))  # the line before which the server does not greet
            tls.sendall(self.greeting(server))
            tls.settimeout(0.02)
            server.settimeout(0.02)
            while True:
                for source, target in ((tls, server), (server, tls)):
                    try:
                        data = source.recv(65536)
                    except TimeoutError:
                        continue
                    if not data:
                        return
                    if source is tls:
                        self.heard += data
                    target.sendall(data)
        except OSError:
            pass
        finally:
            self.end(pair)

    @staticmethod
    def end(pair):
        for end in pair:
            try:
                end.shutdown(2)
            except OSError:
                pass

    def shut(self):
        """Refuses everyone from now on, and drops those that are in."""
        self.listener.shutdown(2)
        self.listener.close()
        self.drop()


def doors(bench, *certificates):
    made = [bench.keep(Door(bench.server.port, certificate)) for certificate in certificates]
    for door in made:
        door.nodes = [other.address for other in made]
    return made


def certificate(bench, name):
    path = os.path.join(bench.home.path, name)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
         "-days", "2", "-subj", "/CN=ludus", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", path + ".key", "-out", path + ".pem"], check=True, capture_output=True)
    return path


@test
def the_client(bench):
    """The match goes on at the other server without a word from the user."""
    first, second = doors(bench, None, None)
    bob = bench.peer("bob")
    client = bench.ludus("--name", "anna", "--play", "clobber:2x2", "--vs", "bob",
                         address=first.address)
    match = bob.wait_for("challenge")["match"]
    bob.do(f"join {match}")
    client.answer(("your move\n> ", "a2a1")).expect("last move: a2a1")
    first.shut()
    client.expect("The connection is lost").expect(f"Connected again, to {second.address}.")
    bob.do(f"move {match} b2b1 ply=1")
    client.expect("last move: b2b1").answer(("your move\n> ", "a1b1"))
    client.expect("over: 1-0, white wins (no-moves)").line("quit").end()
    with open(bench.home.file("tokens"), encoding="utf-8") as file:
        expect_that([line.split()[0] for line in file] == [first.address],
                    "the token is kept for the address that the user gave")


@test
def a_bot_and_a_bridge(bench):
    for words in (["ludus-bot", "--name", "gus", "--level", "greedy"],
                  ["ludus-bridge", "--name", "robot", "--games", "clobber", "--movetime", "10"]):
        first, second = doors(bench, None, None)
        engine = ["--", os.path.join(BUILD, "ludus-bot"), "ugi"] if words[0] == "ludus-bridge" else []
        bot = subprocess.Popen(
            [os.path.join(BUILD, words[0]), "--connect", first.address, *words[1:], *engine],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            anna = bench.peer("anna" + words[2])
            wait_until(lambda: b"legal=off" in first.heard, "the bot did not come")
            match = anna.do(f"new clobber:3x3 white={words[2]} black=me")["match"]
            state = anna.wait_for("state", ply=1)
            first.shut()
            anna.do(f"move {match} {state['legal'][0]}")
            anna.wait_for("state", lambda state: state["ply"] == 3 or state["status"] == "over")
            expect_that(second.visits > 0 and b"token=" in second.heard, "it did not come back")
        finally:
            bot.send_signal(signal.SIGINT)
            bot.wait(LIMIT_S)


@test
def its_key(bench):
    """With TLS another server must have a key that is known: here the key of the one that names it."""
    pair = certificate(bench, "a")
    first, second = doors(bench, pair, pair)
    client = bench.ludus("--tls", "--name", "carl", address=first.address)
    client.expect("> ")
    first.shut()
    client.expect(f"Connected again, to tls://{second.address}.").line("quit").end()
    expect_that(b"hello carl token=" in second.heard, "the name")


@test
def not_its_key(bench):
    """A server with another key gets no token."""
    first, second = doors(bench, certificate(bench, "a"), certificate(bench, "b"))
    client = bench.ludus("--tls", "--name", "dora", address=first.address)
    client.expect("> ")
    first.shut()
    wait_until(lambda: second.visits >= 2, "the client did not try")
    expect_that(second.heard == b"", f"it says {second.heard!r}")
    bench.piped(["--name", "eve"], "quit\n", address=f"tls://{second.address}")  # the user names it
    client.expect(f"Connected again, to tls://{second.address}.").line("quit").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_other_server", test))
