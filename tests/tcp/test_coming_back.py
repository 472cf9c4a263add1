#!/usr/bin/env python3
"""A server that is killed and restarted on its port: all programs come back by themselves.

usage: python3 tests/tcp/test_coming_back.py BUILD_DIR [TEST...]

With a store (--data DIR) matches continue and tokens stay valid; without one, the names return to a
server that has forgotten them.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from harness import kept_token
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, Peer, Server, expect_that

test = Tests()


class Mortal:
    """A server that can be killed and restarted on its port, with a store if it supports one."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ludus-test-")
        self.process = None
        try:
            self.server = Server("--no-bots", "--data", self.folder)
            self.remembers = True
        except Exception:  # a server without that option exits at once
            self.server = Server("--no-bots")
            self.remembers = False
        self.address = self.server.address

    def kill(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait(LIMIT_S)
        self.server.process.stdout.close()

    def start(self):
        self.server.start(self.address)

    def peer(self, name, token=None):
        return Peer(self.server, name if token is None else f"{name} token={token}")

    def close(self):
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Program:
    """A bot or a bridge; its standard output is read line by line."""

    def __init__(self, *words):
        self.process = subprocess.Popen([os.path.join(BUILD, words[0]), *words[1:]], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def expect(self, pattern):
        for line in self.process.stdout:
            found = re.search(pattern, line)
            if found:
                return found
        raise AssertionError(f"{pattern!r} was not printed")

    def close(self):
        self.process.terminate()
        self.process.wait(LIMIT_S)
        self.process.stdout.close()


def token_of(bench, name):
    with open(bench.home.file("tokens"), encoding="utf-8") as file:
        return [line.split()[2] for line in file if line.split()[1] == name][-1]


def play_one_match(bench, mortal, name, opponent):
    """`name` challenges the opponent; returns when the opponent has moved."""
    peer = bench.keep(mortal.peer(name))
    match = peer.do(f"new clobber:3x3 white=me black={opponent}")["match"]
    state = peer.wait(lambda m: m["type"] == "state" and m["status"] == "playing" and "legal" in m)
    peer.do(f"move {match} {state['legal'][0]}")
    peer.wait(lambda m: m["type"] == "state" and m["match"] == match and
              (m["ply"] >= 2 or m["status"] == "over"))


def wait_for_player(watcher, name):
    names = []
    while name not in names:
        watcher.file.write("who\n")
        watcher.file.flush()
        reply = watcher.wait(lambda message: message["type"] == "who")
        names = [player["name"] for player in reply["players"]]


@test
def the_client(bench):
    mortal = bench.keep(Mortal())
    client = bench.ludus("--name", "anna", "--play", "clobber:2x2", "--vs", "me",
                         address=mortal.address)
    client.answer(("white to move> ", "a2a1")).expect("by white (ply 1)").expect("black to move> ")
    token = token_of(bench, "anna")
    for _ in range(2):
        mortal.kill()
        client.expect("The connection is lost; trying to come back")
        mortal.start()
        client.expect("Connected again.")
        if not mortal.remembers:
            client.expect("Unknown match").expect("menu> ")
            break
        client.expect("  2  . p\n  1  P P").expect("Last move: a2a1 by white (ply 1)")
        client.expect("black to move> ")
    expect_that(not mortal.remembers or token_of(bench, "anna") == token, "another token")
    if mortal.remembers:
        client.line("b2b1").expect("by black (ply 2)").answer(("white to move> ", "a1b1"))
        client.expect("Result: 1-0 (no-moves)").expect("menu> ")
    client.line("q").end()
    again = bench.ludus("--name", "anna", address=mortal.address)
    again.expect("Playing as anna on").expect("menu> ").line("q").end()


@test
def a_bot(bench):
    mortal = bench.keep(Mortal())
    bot = bench.keep(Program("ludus-bot", "--connect", mortal.address, "--name", "gus"))
    bot.expect("connected to .* as gus")
    play_one_match(bench, mortal, "anna", "gus")
    mortal.kill()
    bot.expect("lost the connection to ")
    mortal.start()
    bot.expect("connected to .* as gus")
    play_one_match(bench, mortal, "bob", "gus")
    bench.keep(mortal.peer("gus", kept_token(mortal.address, "gus")))  # it is still valid


@test
def a_bridge(bench):
    mortal = bench.keep(Mortal())
    bridge = bench.keep(Program("ludus-bridge", "--connect", mortal.address, "--name", "robot",
                                "--games", "clobber", "--movetime", "10", "--",
                                os.path.join(BUILD, "ludus-bot"), "ugi"))
    bridge.expect("robot plays at ")
    play_one_match(bench, mortal, "anna", "robot")
    mortal.kill()
    mortal.start()
    wait_for_player(bench.keep(mortal.peer("watcher")), "robot")
    play_one_match(bench, mortal, "bob", "robot")
    bench.keep(mortal.peer("robot", kept_token(mortal.address, "robot")))


if __name__ == "__main__":
    sys.exit(run_tests("test_coming_back", test))
