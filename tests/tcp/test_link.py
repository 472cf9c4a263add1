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

from answering_server import showing
from stage import Tests, run_tests
from terminal import Proxy, expect_in_order, expect_that

PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")
test = Tests()


@test
def names_are_kept(bench):
    first = bench.ludus("--name", "anna6", *PLAY_SELF)
    first.answer(("white to move> ", "a2a1"), ("black to move> ", "quit")).end()
    tokens = bench.home.file("tokens")
    expect_that(os.stat(tokens).st_mode & 0o777 == 0o600, "the tokens can be read by others")
    line = open(tokens).read()
    expect_that(re.fullmatch(rf"{re.escape(bench.server.address)} anna6 \S+\n", line), line)
    again = bench.ludus("--name", "anna6")
    again.expect("your turn. `go ").expect("Playing as anna6 on").expect("  go ").expect("your turn")
    again.answer(("menu> ", "go")).expect("by white (ply 1)")
    other = bench.piped(["--name", "anna6"], status=1, home=bench.new_home())
    expect_in_order(other, "ludus: anna6: name taken: choose another")
    takes_over = bench.ludus("--name", "anna6").expect("menu> ")
    again.expect("another client has come back under this name\n")
    again.expect("ludus: match ").expect(" is still there; come back with\n  ludus --connect ")
    again.expect(f"{bench.server.address} --name anna6\n").end(1)
    takes_over.line("q").end()
    expect_that(open(tokens).read() == line, "the token has changed")


@test
def a_name_of_ones_own(bench):
    first = bench.ludus(USER="Zoë B. Ware").expect("Playing as ZoBWare on").expect("menu> ")
    second = bench.ludus(USER="Zoë B. Ware").expect("Playing as ZoBWare-2 on").expect("menu> ")
    stranger = bench.ludus(USER="ZoBWare", home=bench.new_home()).expect("Playing as ZoBWare-3 on")
    first.line("q").end()
    bench.ludus(USER="ZoBWare").expect("Playing as ZoBWare on").expect("menu> ").line("q").end()
    second.line("q").end()
    stranger.expect("menu> ").line("q").end()
    for user in ("", "me", "OPEN"):
        bench.ludus(USER=user).expect("Playing as player on").expect("menu> ").line("q").end()
    # The client works even where it can store nothing.
    output = bench.piped(["--name", "anna7", *PLAY_SELF], "quit\n", XDG_STATE_HOME="/dev/null")
    expect_in_order(output, "white anna7 (you)")
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
    client.answer(("menu> ", "5"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", ""),
                  ("You are [white]> ", ""), ("[none]> ", "none")).expect("--code sesame --join ")
    client.answer(("waiting> ", "quit")).end()
    expect_in_order(bench.piped(["--code", "sesame"], "q\n", address=server.address), "menu> q")


@test
def a_guest_with_the_code(bench):
    """With the right code one can play as a guest when the server accepts no new name."""
    server = bench.new_server("--no-bots", "--code", "sesame", "--limit-loopback", "--address-names", "1")
    expect_in_order(bench.piped(["--code", "sesame"], "q\n", address=server.address), "menu> q")
    other = bench.new_home()
    expect_in_order(bench.piped(["--code", "sesame"], "q\n", address=server.address, home=other),
                    "menu> q")
    expect_in_order(bench.piped(["--code", "sesame", "--name", "zoe"], address=server.address,
                                home=other, status=1), f"ludus: {server.address}: too many new names from your address")
    expect_in_order(bench.piped(["--code", "wrong"], address=server.address, home=other, status=1),
                    "wrong join code")


@test
def a_lost_connection_comes_back(bench):
    proxy = bench.proxy()
    client = bench.ludus("--name", "anna8", "--play", "clobber:3x2", "--vs", "me",
                         address=proxy.address)
    client.answer(("white to move> ", "b1a1")).expect("black to move> ").type("b2")
    client.expect("b2")
    proxy.drop()
    client.expect("The connection is lost; trying to come back").expect("Connected again.")
    client.expect("by white (ply 1)").expect("black to move> b2").type("a2\r").expect("(ply 2)")
    proxy.drop()
    client.expect("Connected again.").expect("by black (ply 2)")
    client.answer(("white to move> ", "resign")).expect("Result: 0-1").expect("menu> ")
    proxy.drop()
    client.expect("Connected again.").expect("menu> ").line("q").end()


@test
def a_move_counts_once_whatever_is_lost(bench):
    for lost in ("command", "reply"):
        proxy = bench.proxy()
        client = bench.ludus(*PLAY_SELF, address=proxy.address).expect("white to move> ")
        proxy.lose_next(lost, b"move")
        client.line("a2a1").expect("Connected again.").expect("by white (ply 1)")
        client.answer(("black to move> ", "record")).expect("\n1. a2a1 *\n")
        client.answer(("black to move> ", "quit")).end()
        home = bench.new_home()
        proxy.lose_next(lost, b"move")
        output = bench.piped(["--play", "clobber:3x1", "--vs", "me"], "b1a1\nc1b1\n",
                             address=proxy.address, home=home)
        expect_in_order(output, "white to move> b1a1", "Connected again.", "by white (ply 1)",
                        "Result: 1-0")
        proxy.close()


@test
def a_server_that_stays_away(bench):
    proxy = bench.proxy()
    client = bench.ludus(*PLAY_SELF, address=proxy.address).expect("white to move> ")
    proxy.refusing = True
    proxy.drop()
    client.expect("The connection is lost; trying to come back for 10 minutes").type("\x03")
    client.expect("ludus: match ").expect(" is still there; once the server answers again, ")
    client.expect(f"come back with\n  ludus --connect {proxy.address} --name {bench.me}\n").end(1)
    proxy.refusing = False
    match = bench.peer("idle").do("new clobber white=me black=me")["match"]  # nobody moves
    watcher = bench.ludus("--watch", match, address=proxy.address).expect("White to move")
    proxy.refusing = True
    proxy.drop()
    watcher.expect("The connection is lost").type("\x03")
    watcher.expect("come back with\n").expect(f"--connect {proxy.address} --watch ").end(1)


def way_back(bench, match, name):
    return (f"ludus: match {match} is still there; come back with\n"
            f"  ludus --connect {bench.server.address} --name {name}\n")


def match_of(client):
    return re.search(r"match (\d+)", client.expect("White to move").screen).group(1)


@test
def who_quits_is_told_the_way_back(bench):
    client = bench.ludus("--name", "anna14", *PLAY_SELF)
    match = match_of(client)
    client.type("\x03").expect("(Ctrl-C again").type("\x03")
    client.expect(way_back(bench, match, "anna14")).end()
    client = bench.ludus("--name", "anna14").answer(("menu> ", "q"))
    client.expect(way_back(bench, match, "anna14")).end()
    full = bench.full("--name", "anna14", "--watch", match).expect("Your turn (White)")
    full.control("c").expect("Ctrl-C again").control("c").end()
    expect_that(way_back(bench, match, "anna14") in full.plain, full.plain)
    client = bench.ludus("--name", "anna14", *PLAY_SELF).answer(("white to move> ", "menu"))
    client.answer(("menu> ", "q")).expect("ludus: matches ").expect(f"{match}, ")
    client.expect("are still there; come back with\n  ludus --connect ").end()
    expect_in_order(bench.piped(["--watch", match, "--name", "anna14"], "resign\nquit\n"),
                    "Result: 0-1 (resign)", "ludus: match ", " is still there; come back with\n")


@test
def who_cannot_come_back_is_told_no_way(bench):
    """The client prints no command to come back for a player without a match, or a watcher."""
    match = bench.peer("idle15").do("new clobber white=me black=me")["match"]
    guest = bench.ludus("--watch", match).expect("White to move").line("menu")
    guest.answer(("menu> ", "1"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "2x2"),
                 ("white to move> ", "quit")).end()
    watcher = bench.ludus("--name", "anna15", "--watch", match).answer(("watching> ", "quit")).end()
    idle = bench.ludus("--name", "anna15").answer(("menu> ", "q")).end()
    forgetful = bench.ludus("--name", "bob15", *PLAY_SELF, XDG_STATE_HOME="/dev/null")
    forgetful.answer(("white to move> ", "quit")).end()
    for client in (guest, watcher, idle, forgetful):
        expect_that("come back" not in client.screen, client.screen)


@test
def a_server_that_starts_anew(bench):
    server = bench.new_server("--no-bots")
    client = bench.ludus("--name", "anna9", *PLAY_SELF, address=server.address)
    client.expect("white to move> ")
    server.stop()
    client.expect("The connection is lost")
    server.again()
    client.expect("Connected again.").expect("Unknown match").expect("  q  quit\nmenu> ")
    client.line("").answer(("menu> ", "1"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "2x1"),
                  ("white to move> ", "b1a1")).expect("Result: 1-0").answer(("menu> ", "q")).end()
    # A server that forgot the name gives it another token, which the client stores, too.
    bench.ludus("--name", "anna9", address=server.address).expect("Playing as anna9 on").line("q").end()


@test
def pings_are_answered(bench):
    server = bench.new_server("--no-bots", "--idle", "4")
    proxy = bench.keep(Proxy(server.port))
    client = bench.ludus(*PLAY_SELF, address=proxy.address).expect("white to move> ")
    proxy.wait_for_pings(2)  # the second comes to those that have answered the first
    client.line("a2a1").expect("by white (ply 1)").answer(("black to move> ", "quit")).end()
    expect_that("lost" not in client.screen, "the connection was lost")


BOARD = '"board":["Pp"],"position":"Pp w","turn":"white","ply":0'
STATE = '{"type":"state","match":"1","game":"clobber","status":"playing",' + BOARD


@test
def what_others_write_is_only_text(bench):
    server = bench.keep(showing(
        STATE + ',"players":{"white":{"name":"\\u001b[31mred","online":true},"black":null}}',
        '{"type":"chat","match":"1","from":"e\\u001bve",'
        '"text":"a\\u001b]0;x\\u0007b\\u009bc\\nd\\u007f"}',
        STATE.replace("playing", "over") + ',"result":"1-0","reason":"x\\u001b[2J"}'))
    output = bench.piped(["--play", "clobber", "--white", "a", "--black", "b"],
                         address=server.address)
    expect_in_order(output, "white ?[31mred, black nobody yet",
                    "<e?ve> a?]0;x?b??c?d?", "Result: 1-0 (x?[2J)")
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
    output = bench.piped(["--play", "clobber", "--white", "a", "--black", "b"],
                         address=server.address)
    expect_in_order(output, "Result: * (aborted)", "Game aborted.")


if __name__ == "__main__":
    sys.exit(run_tests("test_link", test))
