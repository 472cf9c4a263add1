#!/usr/bin/env python3
"""A server that is killed and restarted on its port: all programs come back by themselves.

usage: python3 tests/tcp/test_coming_back.py BUILD_DIR [TEST...]

Matches continue, and tokens stay valid.
"""

import os
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from bots import AT_ONCE, MANY, plays_all, wait_for_player, with_many_matches
from harness import kept_token
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, expect_that

test = Tests()


def mortal_server(bench):
    """Returns a server with a store, to be killed."""
    return bench.new_server("--no-bots", "--data", os.path.join(bench.home.path, "data"))


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
    peer = bench.keep(mortal.connect(name))
    match = peer.do(f"new clobber:3x3 white=me black={opponent}")["match"]
    state = peer.wait_for("state", lambda state: "legal" in state, match=match, status="playing")
    peer.do(f"move {match} {state['legal'][0]}")
    peer.wait_for("state", lambda state: state["ply"] >= 2 or state["status"] == "over", match=match)


@test
def the_client(bench):
    mortal = mortal_server(bench)
    client = bench.ludus("--name", "anna", "--play", "clobber:2x2", "--vs", "me",
                         address=mortal.address)
    client.answer(("your move\n> ", "a2a1")).expect("last move: a2a1").expect("your move\n> ")
    token = token_of(bench, "anna")
    for _ in range(2):
        mortal.kill()
        client.expect("The connection is lost; trying to come back")
        mortal.again()
        client.expect("Connected again.")
        client.expect("  2  . p\n  1  P P").expect("last move: a2a1\nblack to move: your move\n> ")
    expect_that(token_of(bench, "anna") == token, "another token")
    client.line("b2b1").expect("ply 2").line("a1b1").expect("over: 1-0, white wins (no-moves)").line("quit").end()
    again = bench.ludus("--name", "anna", address=mortal.address)
    again.expect("Playing as anna on").expect("> ").line("quit").end()


@test
def a_bot(bench):
    mortal = mortal_server(bench)
    bot = bench.keep(Program("ludus-bot", "--connect", mortal.address, "--name", "gus"))
    bot.expect("connected to .* as gus")
    play_one_match(bench, mortal, "anna", "gus")
    mortal.kill()
    bot.expect("lost the connection to ")
    mortal.again()
    bot.expect("connected to .* as gus")
    play_one_match(bench, mortal, "bob", "gus")
    bench.keep(mortal.connect("gus token=" + kept_token(mortal.address, "gus") + " only=yes"))  # it is still valid


@test
def a_bridge(bench):
    mortal = mortal_server(bench)
    bridge = bench.keep(Program("ludus-bridge", "--connect", mortal.address, "--name", "robot",
                                "--games", "clobber", "--movetime", "10", "--",
                                os.path.join(BUILD, "ludus-bot"), "ugi"))
    bridge.expect("robot plays at ")
    play_one_match(bench, mortal, "anna", "robot")
    mortal.kill()
    mortal.again()
    wait_for_player(bench.keep(mortal.connect("watcher")), "robot")
    play_one_match(bench, mortal, "bob", "robot")
    bench.keep(mortal.connect("robot token=" + kept_token(mortal.address, "robot") + " only=yes"))


@test
def many_matches(bench):
    mortal = mortal_server(bench)
    anna, token, matches = with_many_matches(mortal, "gus")
    bench.keep(anna)
    anna.do("new clobber:2x2 black=gus private=yes")
    gus = bench.keep(mortal.connect())
    reply = gus.do(f"hello gus token={token}")
    expect_that(reply.get("matches") == MANY + 1, f"the reply counts the matches: {reply}")
    gus.send("ping")
    told = []
    while (message := gus.read())["type"] != "pong":
        told.append((message["type"], message["match"]))
    newest = [("state", match) for match in matches[1 - AT_ONCE:]]
    expect_that(told[:-1] == newest and told[-1][0] == "challenge", f"the newest come: {told}")
    page = gus.do("list mine from=50")
    expect_that([row["match"] for row in page["matches"]] == matches[:MANY + 1 - AT_ONCE][::-1], f"the rest: {page}")
    expect_that(page["total"] == MANY + 1, "all are counted")
    gus.send("list mine status=open", "ping")
    gus.wait_for("list", where=lambda page: page["total"] == 1)
    expect_that(gus.read()["type"] == "challenge", "a challenge comes again with its row")
    expect_that(gus.do("list mine xadrersi")["total"] == 0 and gus.do("list mine bot=yes")["total"] == 0, "filters")
    for line in ("list mine clobber shakti", "list clobber mine", "list clobber shakti"):
        expect_that(gus.ask(line)["code"] == "bad-arguments", line)
    expect_that(gus.do("resign " + matches[0])["type"] == "ok" and gus.do("list mine")["total"] == MANY, "one is over")
    guest = bench.keep(mortal.connect())
    expect_that(guest.do("list mine")["total"] == 0, "a stranger has none")


@test
def a_bot_with_many_matches(bench):
    mortal = mortal_server(bench)
    anna, token, matches = with_many_matches(mortal, "gus")
    bench.keep(anna)
    bot = bench.keep(Program("ludus-bot", "--connect", mortal.address, "--name", "gus", "--token", token))
    plays_all(anna, matches)
    bot.process.kill()  # one that is asked to stop plays its matches to the end


if __name__ == "__main__":
    sys.exit(run_tests("test_coming_back", test))
