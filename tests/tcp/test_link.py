#!/usr/bin/env python3
"""The client and its server: names, join codes, lost connections, misbehaving servers.

usage: python3 tests/tcp/test_link.py BUILD_DIR

Starts BUILD_DIR/ludusd on a free port. Each step waits for the text that shows its success, for LIMIT_S
at most.
"""

import json
import os
import re
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import HELLO, OK, AnsweringServer, showing
from harness import Connection
from stage import Tests, run_tests
from terminal import Proxy, expect_in_order, expect_that

PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")
test = Tests()


@test
def names_are_kept(bench):
    first = bench.ludus("--name", "anna6", *PLAY_SELF)
    first.answer(("your move\n> ", "a2a1"), ("your move\n> ", "quit")).end()
    tokens = bench.home.file("tokens")
    expect_that(os.stat(tokens).st_mode & 0o777 == 0o600, "the tokens can be read by others")
    line = open(tokens).read()
    expect_that(re.fullmatch(rf"{re.escape(bench.server.address)} anna6 \S+\n", line), line)
    again = bench.ludus("--name", "anna6")
    again.expect("Playing as anna6 on").expect("last move: a2a1").expect("> ")
    other = bench.piped(["--name", "anna6"], status=1, home=bench.new_home())
    expect_in_order(other, "ludus: anna6: name taken: choose another")
    beside = bench.ludus("--name", "anna6").expect("black to move: your move").expect("> ").line("say from beside")
    again.expect("you are here in 2 windows").expect("anna6: from beside").line("say from before")
    beside.expect("anna6: from before").line("quit").end()
    peer = bench.peer("anna6 only=yes token=" + line.split()[2])
    again.expect("another client has come back under this name\n")
    again.expect("ludus: come back with\n  ludus --connect ")
    again.expect(f"{bench.server.address} --name anna6\n").end(1)
    peer.close()
    expect_that(open(tokens).read() == line, "the token has changed")


@test
def rooms_of_chat(bench):
    """Who watches reads what was said before, and in which room."""
    player, watcher = bench.peer("bob77"), bench.peer("carl77")
    match = player.ask("new clobber:2x2 white=me black=me")["match"]
    player.do(f"say {match} early")
    watcher.do(f"watch {match}")
    client = bench.ludus("--name", "watcher77").expect("> ").line(f"watch {match}").expect("(earlier) bob77: early")
    watcher.do(f"say {match} hm")
    client.expect("(watchers) carl77: hm").line("say late").expect("(watchers) watcher77: late")
    client.line("quit").end()
    player.close()
    watcher.close()


@test
def what_was_said_is_shown_once(bench):
    """Who comes back over a lost connection reads what they missed, and nothing twice."""
    proxy = bench.proxy()
    full = bench.full("--name", "lucy", "--play", "clobber:2x3", "--vs", "open", address=proxy.address).expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    friend, other = bench.peer("friendly"), bench.peer("onlooker")
    friend.do(f"join {match}")
    friend.do(f"say {match} before")
    full.expect("<friendly> before")
    proxy.drop()
    friend.do(f"say {match} meanwhile")
    full.expect("<friendly> meanwhile")
    expect_that(full.screen.count("before") <= 1, full.screen)
    other.do(f"watch {match}")
    other.do(f"say {match} unheard")
    friend.do(f"say {match} still here")
    full.expect("<friendly> still here")
    expect_that("unheard" not in full.screen, full.screen)
    friend.do(f"resign {match}")
    other.do(f"say {match} well played")
    full.expect("<onlooker to watchers> well played")


@test
def a_name_of_ones_own(bench):
    """A second terminal of a person is a second window of the same player; another person gets another name."""
    first = bench.ludus(USER="Zoë B. Ware").expect("Playing as ZoBWare on").expect("> ")
    second = bench.ludus(USER="Zoë B. Ware").expect("Playing as ZoBWare on").expect("> ")
    first.expect("you are here in 2 windows")
    stranger = bench.ludus(USER="ZoBWare", home=bench.new_home()).expect("Playing as ZoBWare-2 on")
    first.line("quit").end()
    bench.ludus(USER="ZoBWare").expect("Playing as ZoBWare on").expect("> ").line("quit").end()
    second.line("quit").end()
    stranger.expect("> ").line("quit").end()
    for user in ("", "me", "OPEN"):
        bench.ludus(USER=user).expect("Playing as player on").expect("> ").line("quit").end()
    # The client works even where it can store nothing.
    output = bench.piped(["--name", "anna7", *PLAY_SELF], "quit\n", XDG_STATE_HOME="/dev/null")
    expect_in_order(output, "white (capitals): anna7")
    expect_in_order(output, "ludus: /dev/null/ludus/tokens: Not a directory: the name will not be")


@test
def join_codes(bench):
    server = bench.new_server("--no-bots", "--code", "sesame")
    expect_in_order(bench.piped([], address=server.address, status=1),
                    f"ludus: {server.address}: this server wants its join code: give --code CODE")
    expect_in_order(bench.piped(["--code", "wrong"], address=server.address, status=1),
                    "wrong join code")
    client = bench.ludus(address=server.address).expect(f"The server at {server.address} wants its join code.")
    client.answer(("Join code: ", ""), ("Join code: ", "sesame"))
    client.answer(("> ", "new clobber")).expect("waiting for the players").line("quit").end()
    client = bench.ludus("--code", "sesame", "--play", "clobber", address=server.address)
    client.expect("--code sesame --join ").answer(("> ", "quit")).end()
    expect_in_order(bench.piped(["--code", "sesame"], "list\n", address=server.address), "> list", "clobber:5x6")


@test
def guesses_of_somebody_else(bench):
    """Where another program at this address has tried wrong codes, the client waits until it is heard."""
    server = bench.new_server("--no-bots", "--code", "sesame", "--limit-loopback")
    guesser = Connection(server.port)
    for code in ("a", "b", "c"):
        guesser.ask(f"hello guesser code={code}")
    time.sleep(1)
    guesser.ask("hello guesser code=d")
    output = bench.piped(["--code", "sesame", "--name", "friend"], "list\n", address=server.address)
    expect_in_order(output, "no open or running matches")
    expect_in_order(output, "too many wrong join codes: wait", "s; trying again then.")


@test
def a_guest_with_the_code(bench):
    """With the right code one can play as a guest when the server accepts no new name."""
    server = bench.new_server("--no-bots", "--code", "sesame", "--limit-loopback", "--address-names", "1")
    expect_in_order(bench.piped(["--code", "sesame"], "list\n", address=server.address), "> list", "no open or running matches")
    other = bench.new_home()
    expect_in_order(bench.piped(["--code", "sesame"], "list\n", address=server.address, home=other),
                    "> list", "no open or running matches")
    expect_in_order(bench.piped(["--code", "sesame", "--name", "zoe"], address=server.address,
                                home=other, status=1), f"ludus: {server.address}: too many new names from your address")
    expect_in_order(bench.piped(["--code", "wrong"], address=server.address, home=other, status=1),
                    "wrong join code")


@test
def a_lost_connection_comes_back(bench):
    proxy = bench.proxy()
    client = bench.ludus("--name", "anna8", "--play", "clobber:3x2", "--vs", "me", address=proxy.address)
    client.answer(("your move\n> ", "b1a1")).expect("last move: b1a1").expect("your move\n> ").type("b2").expect("b2")
    proxy.drop()
    client.expect("The connection is lost; trying to come back").expect("Connected again.")
    client.expect("last move: b1a1").expect("your move\n> b2").type("a2\r").expect("last move: b2a2")
    proxy.drop()
    client.expect("Connected again.").expect("last move: b2a2").line("resign").expect("over: 0-1, black wins (resign)")
    proxy.drop()
    client.expect("Connected again.").expect("> ").line("quit").end()


@test
def a_move_counts_once_whatever_is_lost(bench):
    for lost in ("command", "reply"):
        proxy = bench.proxy()
        full = bench.full(*PLAY_SELF, address=proxy.address).expect("Your turn (White)")
        proxy.lose_next(lost, b"move")
        full.drawn().keys("a2a1", "enter").expect("Connected again.").expect("Your turn (Black)").expect("1. a2a1")
        full.drawn().keys("record", "enter").expect("1. a2a1 *")
        full.drawn().keys("enter").expect("Your turn (Black)").drawn().keys("b2b1", "enter").expect("1. a2a1    b2b1").drawn().keys("resign", "enter")
        full.expect("Resign? (y/n)").keys("y").expect("resigned")
        proxy.close()


@test
def a_server_that_stays_away(bench):
    proxy = bench.proxy()
    client = bench.ludus(*PLAY_SELF, address=proxy.address).expect("your move\n> ")
    proxy.refusing = True
    proxy.drop()
    client.expect("The connection is lost; trying to come back for 10 minutes").type("\x03")
    client.expect("once the server answers again, ")
    client.expect(f"come back with\n  ludus --connect {proxy.address} --name {bench.me}\n").end(1)
    proxy.refusing = False
    match = bench.peer("idle").do("new clobber white=me black=me")["match"]  # nobody moves
    watcher = bench.ludus("--watch", match, address=proxy.address).expect("white to move\n> ")
    proxy.refusing = True
    proxy.drop()
    watcher.expect("The connection is lost").type("\x03")
    watcher.expect("come back with\n").expect(f"--connect {proxy.address} --watch ").end(1)


def way_back(bench, match, name):
    return (f"ludus: match {match} is still there; come back with\n"
            f"  ludus --connect {bench.server.address} --name {name}\n")


def leave(full):
    full.control("c").expect("Ctrl-C again").control("c").end()
    return full.plain


@test
def who_quits_is_told_the_way_back(bench):
    full = bench.full("--name", "anna14", *PLAY_SELF).expect("Your turn (White)")
    match = re.search(r"match (\d+)", full.screen).group(1)
    expect_that(way_back(bench, match, "anna14") in leave(full), full.plain)
    full = bench.full("--name", "anna14").expect("> Back to match").drawn().keys("q", "q").end()
    expect_that(way_back(bench, match, "anna14") in full.plain, full.plain)
    full = bench.full("--name", "anna14", "--watch", match).expect("Your turn (White)")
    expect_that(way_back(bench, match, "anna14") in leave(full), full.plain)
    full = bench.full("--name", "anna14", *PLAY_SELF).expect("Your turn (White)").drawn().keys("menu", "enter").expect("> Back to match")
    full.drawn().keys("q", "q").end()
    expect_in_order(full.plain, "ludus: matches ", f"{match}, ", "are still there; come back with\n  ludus --connect ")


@test
def who_cannot_come_back_is_told_no_way(bench):
    """The client prints no command to come back for a player without a match, or a watcher."""
    match = bench.peer("idle15").do("new clobber white=me black=me")["match"]
    shown = [leave(bench.full(*words, **more).expect(text)) for words, more, text in (
        (("--watch", match), {}, "Waiting for idle15"), (("--name", "anna15", "--watch", match), {}, "Waiting for idle15"),
        (("--name", "anna15"), {}, "> Play now"),
        (("--name", "bob15", *PLAY_SELF), {"XDG_STATE_HOME": "/dev/null"}, "Your turn (White)"))]
    shown.append(bench.ludus("--name", "anna15").answer(("> ", "quit")).end().screen)
    for text in shown:
        expect_that("come back" not in text, text)


@test
def a_server_that_starts_anew(bench):
    server = bench.new_server("--no-bots")
    client = bench.ludus("--name", "anna9", *PLAY_SELF, address=server.address)
    client.expect("your move\n> ")
    server.stop()
    client.expect("The connection is lost")
    server.again()
    client.expect("Connected again.").expect("Unknown match").expect("> ").line("new clobber:2x1 white=me black=me")
    client.answer(("your move\n> ", "b1a1")).expect("over: 1-0").answer(("> ", "quit")).end()
    # A server that forgot the name gives it another token, which the client stores, too.
    bench.ludus("--name", "anna9", address=server.address).expect("Playing as anna9 on").line("quit").end()


@test
def a_guest_with_another_window(bench):
    """A guest is told that they have taken a name in another window, and comes back under it."""
    busy = {"type": "error", "code": "server-busy", "message": "no more names"}
    server = bench.keep(AnsweringServer({"hello": [busy], "quit": [{"type": "bye", "reason": "quit"}]}, greeting={**HELLO, "name": "guest-7"}))
    client = bench.ludus(address=server.address).expect("Playing as a guest on").expect("> ")
    server.answers["hello"] = [{**OK, "name": "anna", "token": "TOKEN"}]
    server.say({"type": "name", "name": "anna", "token": "TOKEN"})
    client.expect("You are anna now: another window of yours has taken that name.")
    server.hang_up()
    client.expect("Connected again.").line("quit").end()
    expect_that(any(line.startswith("hello anna token=TOKEN") for line in server.heard), server.heard)
    expect_that(f"{server.address} anna TOKEN\n" in open(bench.home.file("tokens")).read(), "the token was not kept")


@test
def pings_are_answered(bench):
    server = bench.new_server("--no-bots", "--idle", "4")
    proxy = bench.keep(Proxy(server.port))
    full = bench.full(*PLAY_SELF, address=proxy.address).expect("Your turn (White)")
    proxy.wait_for_pings(2)  # the second comes to those that have answered the first
    full.drawn().keys("a2a1", "enter").expect("Your turn (Black)")
    expect_that("lost" not in full.screen, "the connection was lost")


BOARD = '"board":["Pp"],"position":"Pp w","turn":"white","ply":0'
STATE = '{"type":"state","match":"1","game":"clobber","status":"playing",' + BOARD


@test
def what_others_write_is_only_text(bench):
    server = bench.keep(showing(
        STATE + ',"players":{"white":{"name":"\\u001b[31mred","online":true},"black":null}}',
        '{"type":"chat","match":"1","from":"e\\u001bve",'
        '"text":"a\\u001b]0;x\\u0007b\\u009bc\\nd\\u007f"}',
        STATE.replace("playing", "over") + ',"result":"1-0","reason":"x\\u001b[2J"}'))
    output = bench.piped(["watch", "1"], address=server.address)
    expect_in_order(output, "white ?[31mred, black nobody yet", "<e?ve> a?]0;x?b??c?d?", "Result: 1-0 (x?[2J)")
    expect_that(not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", output), "control characters")


@test
def odd_messages_do_no_harm(bench):
    odd = ["", "nonsense", "[]", "42", "null", "{}", "[" * 5000, '{"type":5}',
           '{"type":"unheard"}', '{"type":"ok","id":"7777"}', '{"type":"ping"}',
           '{"type":"state"}', '{"type":"state","match":"1"}',
           STATE.replace('"ply":0', '"ply":"x"') + "}",
           STATE.replace('["Pp"]', '["Pp","p"]') + "}",
           STATE.replace('["Pp"]', "[]") + "}",
           STATE.replace('["Pp"]', "[1,2]") + "}",
           STATE.replace('["Pp"]', '["' + "p" * 200 + '"]') + "}",
           STATE.replace('["Pp"]', json.dumps(["p"] * 50)) + "}",
           STATE + ',"players":7,"offers":{"a":1},"last":"z99z99","score":[]}',
           STATE + ',"legal":[1,null,"' + "a" * 99 + '"],"you":"both"}',
           STATE.replace('"1"', '"' + "9" * 500 + '"') + ',"you":"both"}',
           '{"type":"offer"}',
           '{"type":"offer","match":"1","what":"draw","color":"white","open":true}',
           '{"type":"chat"}', '{"type":"presence","match":"1"}', '{"type":"challenge"}',
           '{"type":"rematch","match":"1"}', '{"type":"error"}', '{"type":"bye"}']
    last = STATE.replace("playing", "over") + ',"result":"*","reason":"aborted"}'
    server = bench.keep(showing(*odd, last))
    output = bench.piped(["watch", "1"], address=server.address)
    expect_in_order(output, "Result: * (aborted)", "Game aborted.")


if __name__ == "__main__":
    sys.exit(run_tests("test_link", test))
