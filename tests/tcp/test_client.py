#!/usr/bin/env python3
"""Drives the terminal client the way a person does: through a pseudo-terminal, and through pipes.

usage: python3 tests/tcp/test_client.py BUILD_DIR

Starts BUILD_DIR/ludusd on a free port. Nothing here depends on the clock: every step waits for
the text that shows that it is done, at most LIMIT_S.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import termios

from stage import Closing, run_tests
from terminal import (
    BUILD, LIMIT_S, Peer, Proxy, Script, Server, expect_in_order, expect_that)

# --- the tests ------------------------------------------------------------------------------

TESTS = []


def test(function):
    TESTS.append(function)
    return function


PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")


@test
def bad_usage_exits_with_2(bench):
    cases = {
        ("--frob",): "ludus: --frob: no such option",
        ("-xy",): "ludus: -x: no such option",
        ("-\xe9\xe9",): "ludus: -?: no such option",
        ("--help=yes",): "ludus: --help=yes: no such option",
        ("--name",): "ludus: --name: a value is missing",
        ("--name", "a b"): "ludus: --name: a name is",
        ("--name", "guest-1"): "ludus: --name: a name is",
        ("--name", "me"): "ludus: --name: 'me' is no name: where seats are given, `me` is yourself",
        ("--name", "Open"): "ludus: --name: 'Open' is no name",
        ("record",): "ludus: record: arguments are missing: MATCH",
        ("record", "--pgn"): "ludus: record: arguments are missing: MATCH",
        ("record", "1", "--name", "me"): "ludus: --name: 'me' is no name",
        ("replay",): "ludus: replay: which file?",
        ("--play", ""): "ludus: --play: nothing given",
        ("--play", "clobber\nquit"): "ludus: --play: control characters",
        ("--play", "clobber", "--join", "1"): "ludus: --play, --join, --watch: only one of them",
        ("--vs", "me"): "only with --play",
        ("--play", "clobber", "--vs", "me", "--white", "me"): "not together",
        ("--play", "clobber", "--color", "red"): "ludus: --color: 'red' is neither",
        ("--line", "extra"): "ludus: extra: there is no such command",
        ("--name", "x", "list"): "ludus: list: a command stands first: ludus list, then",
    }
    for arguments, text in cases.items():
        expect_in_order(bench.piped(arguments, status=2), text)


@test
def join_takes_a_free_seat(bench):
    """Not one in a match that waits for somebody else; who sits in one comes back to it."""
    server = bench.keep(Closing(Server("--no-bots"))).thing
    anna, carla = bench.keep(Peer(server, "anna")), bench.keep(Peer(server, "carla"))
    anna.do("new clobber white=me black=carla")
    for line, wanted in ((None, "No match is open there"),
                         ("new shakti white=open black=me", "match 2: white bob (you)"),
                         ("new shakti white=open black=me", "match 2: white bob (you)")):
        if line is not None:
            carla.do(line)
        done = subprocess.run([os.path.join(BUILD, "ludus"), "join", server.address, "--line",
                               "--name", "bob"], input="quit\n", text=True, capture_output=True,
                              env=bench.home.environment(), timeout=LIMIT_S)
        expect_in_order(done.stdout, wanted)


@test
def help_and_version(bench):
    text = bench.piped(["--help"])
    expect_in_order(text, "Usage: ludus", "--connect HOST:PORT", "--play GAME[:VARIANT]",
                    "--line", "line by line", "Examples:")
    expect_that(max(map(len, text.splitlines())) <= 80, "a line of the help is too long")
    expect_that(re.fullmatch(r"ludus \d+\.\d+\.\d+\n", bench.piped(["--version"])), "version")


@test
def no_server_there(bench):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = "127.0.0.1:%d" % unused.getsockname()[1]
    expect_in_order(bench.piped(["--play", "clobber"], address=address, status=1),
                    f"ludus: {address}: Connection refused\n", "make run", "ludusd")
    bench.ludus(address=address).expect("Connection refused").end(1)


@test
def another_server_there(bench):
    mail = Script(greeting="220 mail.example ESMTP", hangs_up=True)
    expect_in_order(bench.piped([], address=mail.address, status=1),
                    f"ludus: {mail.address}: no Ludus server answers there\n")
    newer = Script(greeting='{"type":"hello","proto":2}')
    expect_in_order(bench.piped([], address=newer.address, status=1),
                    f"ludus: {newer.address}: the server speaks protocol 2, this program 1")
    full = Script(greeting='{"type":"bye","reason":"limit"}')
    expect_in_order(bench.piped([], address=full.address, status=1),
                    f"ludus: {full.address}: the server takes nobody in: limit")


@test
def two_people_play_a_whole_game(bench):
    client = bench.ludus()
    client.answer(("menu> ", "1"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "3x2"))
    client.expect("Clobber 3x2, match ").expect("  2  P p P\n  1  p P p\n     a b c")
    client.expect("Type a move, such as ").answer(("white to move> ", "B1A1"))
    client.expect("  1  P . p").expect("Last move: b1a1 by white (ply 1)").expect("Black to move")
    client.answer(("black to move> ", "b2 A2"), ("white to move> ", "b2a1"))
    client.expect("No: b2 is empty").answer(("white to move> ", "a1a2"))
    client.answer(("black to move> ", "move c1c2"))
    client.expect(f"Result: 0-1 (no-moves): black ({bench.me}) wins, white cannot move")
    client.answer(("menu> ", "q")).end()


@test
def wrong_moves_get_their_sentences(bench):
    client = bench.ludus(*PLAY_SELF)
    prompt = "white to move> "
    for text, sentence in (("a1b1", "No: the stone on a1 is not yours: white moves"),
                           ("a2a9", "No: a9 is off the board"),
                           ("a2b1", "a stone moves one square along a file or rank"),
                           ("pass", "No: passing is not allowed in Clobber"),
                           ("q@a1", "No: pieces are not placed in this game"),
                           ("b2", "No: 'b2' is not a move"),
                           ("move", "'move' is no move and no command"),
                           ("hello", "'hello' is no move and no command"),
                           ("x" * 3000 + "1", "is no move and no command"),
                           ("", "")):
        client.answer((prompt, text)).expect(sentence)
    client.answer((prompt, "a2a1"), ("black to move> ", "quit")).end()


@test
def lists_of_moves(bench):
    client = bench.ludus(*PLAY_SELF)
    client.answer(("white to move> ", "moves")).expect("4 legal moves:\n  ").expect("a2a1")
    client.answer(("white to move> ", "moves b1")).expect("2 legal moves:").expect("b1")
    client.answer(("white to move> ", "moves a1")).expect("0 legal moves.")
    client.answer(("white to move> ", "moves z9")).expect("No: z9 is off the board")
    client.answer(("white to move> ", "quit")).end()


@test
def hints(bench):
    text = bench.piped(("--play", "clobber:2x2", "--vs", "me"), "hint\na2a1\nb2b1\nhint\na1b1\n")
    expect_in_order(text, "Hint: ", "Black to move", "White to move", "Hint: a1b1", "1-0 (no-moves)")
    ludus = bench.ludus("--play", "clobber:5x6", "--vs", "bot:random").expect("white to move>")
    ludus.line("hint").expect("Hint: ").expect("white to move>")
    watcher = bench.ludus("--watch", re.search(r"match (\d+)", ludus.screen).group(1))
    watcher.expect("watching>").line("hint").expect("No hint: it is not your turn.")
    ludus.line("menu").expect("menu>").line("hint").expect("There is no match on the screen.")


@test
def hints_of_no_bot(bench):
    folder = os.path.join(bench.home.path, "bin")
    os.mkdir(folder)
    program = os.path.join(folder, "ludus")
    shutil.copy(os.path.join(BUILD, "ludus"), program)
    bot = os.path.join(folder, "ludus-bot")
    arguments = [program, "--connect", bench.server.address, *PLAY_SELF]

    def hint():
        done = subprocess.run(arguments, input="hint\na2a1\n", env=bench.home.environment(PATH=""),
                              capture_output=True, text=True, timeout=LIMIT_S, check=True)
        expect_in_order(done.stdout, "Black to move")
        return done.stdout

    expect_in_order(hint(), "No hint: ludus-bot: No such file or directory.")
    for script, why in (("exit 1", "No hint: the engine"), ("echo ugiok; sleep 0.1", "No hint: the engine"),
                        ("echo readyok ugiok nonsense; exit", "No hint: ")):
        with open(bot, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(bot, 0o700)
        expect_in_order(hint(), why)


@test
def undo_draw_flip_board_record_and_rematch(bench):
    client = bench.ludus("--play", "clobber:2x3", "--vs", "me")
    client.answer(("white to move> ", "undo")).expect("No: there is no move of yours to take back")
    client.answer(("white to move> ", "b1a1"), ("black to move> ", "undo"))
    client.expect("Taken back: the match is at ply 0 again.").expect("  1  p P")
    client.answer(("white to move> ", "flip")).expect("  1  P p\n  2  p P\n  3  P p\n     b a")
    client.answer(("white to move> ", "flip"), ("white to move> ", "board")).expect("     a b")
    client.answer(("white to move> ", "b1a1"), ("black to move> ", "record"))
    client.expect('[Variant "2x3"]').expect("\n1. b1a1 *\n")
    client.answer(("black to move> ", "draw")).expect("Result: 1/2-1/2 (draw-agreed): a draw")
    client.answer(("menu> ", "record")).expect('[Reason "draw-agreed"]').expect("\n1. b1a1 1/2-1/2\n")
    client.answer(("menu> ", "rematch")).expect("The rematch is match ")
    client.answer(("white to move> ", "abort")).expect("Result: * (aborted)")
    client.answer(("menu> ", "rematch")).answer(("white to move> ", "rules"))
    client.expect("Clobber\n  Take a neighbouring enemy stone").expect("Variants: ")
    client.answer(("white to move> ", "help")).expect("resign").expect("/LINE")
    client.answer(("white to move> ", "quit"))
    client.expect(f"waits for you: `ludus --name {bench.me}`").end()


@test
def against_a_bot_as_white(bench):
    client = bench.ludus()
    client.answer(("menu> ", "2"), ("Game [clobber]> ", "clobber"), ("Variant [5x6]> ", "2x2"),
                  ("Black is [bot:greedy]> ", ""))
    client.expect(f"white {bench.me} (you), black bot:greedy").expect("  2  P p\n  1  p P")
    client.expect("White to move: it is your turn")
    client.answer(("white to move> ", "a2a1")).expect("Last move: b2b1 by black (ply 2)")
    client.answer(("white to move> ", "a1b1")).expect("Result: 1-0")
    client.answer(("menu> ", "rematch")).expect(f"white bot:greedy, black {bench.me} (you)")
    client.expect("     b a").expect("by white (ply 1)")
    client.answer(("black to move> ", "resign")).expect("Result: 1-0 (resign)")
    client.answer(("menu> ", "q")).end()


@test
def a_bot_begins(bench):
    client = bench.ludus()
    client.answer(("menu> ", "3"), ("Game [clobber]> ", "1"), ("Variant [5x6]> ", "2x1"),
                  ("White is [bot:greedy]> ", "bot:random"))
    client.expect(f"white bot:random, black {bench.me} (you)").expect("     b a")
    client.expect("Last move: b1a1 by white (ply 1)")
    client.expect("Result: 1-0 (no-moves): white (bot:random) wins, black cannot move")
    client.answer(("menu> ", "Q")).end()


@test
def bots_by_strength(bench):
    """The weakest first, in whichever order they have come; unknown ones at the end."""
    levels = ("future", "max", "greedy", "random", "medium")
    server = Script(replies={
        "games": {"games": [{"name": "clobber", "title": "Clobber", "variants": ["2x2"],
                             "default": "2x2"}]},
        "who": {"players": [{"name": name} for name in
                            ("anna", *(f"bot:{level}" for level in levels))]}})
    client = bench.ludus(address=server.address)
    client.answer(("menu> ", "2"), ("Game [clobber]> ", ""))
    client.expect("  1  bot:random\n  2  bot:greedy\n  3  bot:medium\n  4  bot:max\n"
                  "  5  bot:future\n")
    client.answer(("Black is [bot:greedy]> ", "menu"), ("menu> ", "q")).end()


@test
def bots_are_watched(bench):
    client = bench.ludus()
    client.answer(("menu> ", "4"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "2x3"),
                  ("White is [bot:greedy]> ", "1"), ("Black is [bot:greedy]> ", "2"))
    client.expect("Clobber 2x3").expect("by white (ply 1)").expect("by black (ply 2)")
    client.expect("Result: ").answer(("menu> ", "q")).end()


@test
def a_watched_match_ends_the_program(bench):
    for game in ("clobber:3x3", "xadrersi", "latrunculi", "shakti"):
        seats = ("--white", "bot:greedy", "--black", "bot:random")
        if game == "clobber:3x3":
            bench.ludus("--play", game, *seats).expect("(ply 1)").expect("Result: ").end()
        else:
            expect_in_order(bench.piped(["--play", game, *seats]), "White to move", "(ply 1)",
                            "Black to move", "(ply 2)", "Result: ")
    expect_that(not os.path.exists(bench.home.file("tokens")), "watching bots needs no name")


@test
def open_match_joined_by_a_friend(bench):
    anna = bench.ludus("--name", "anna1")
    anna.answer(("menu> ", "5"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "3x2"),
                ("You are [white]> ", "black"), ("seconds [none]> ", ""))
    anna.expect("waits for somebody. A friend joins it by\n  ludus --connect ")
    anna.expect("--join ")
    bob = bench.ludus("--name", "bob1", home=bench.new_home())
    bob.answer(("menu> ", "6")).expect("Clobber 3x2, white free, black anna1")
    bob.answer(("Match [", "")).expect("white bob1 (you), black anna1")
    anna.expect("The match begins.").expect("     c b a").answer(("waiting for white> ", "a1a2"))
    anna.expect("It is white's turn: wait for bob1 to move.")
    bob.answer(("white to move> ", "say hello anna"))
    anna.expect("<bob1> hello anna")
    bob.answer(("white to move> ", "draw")).expect("Asked for: draw. anna1 has to agree.")
    anna.expect("bob1 offers a draw: accept or decline?").line("decline").expect("Declined.")
    bob.expect("anna1 declines: no draw.").answer(("white to move> ", "b1a1"))
    anna.expect("by white (ply 1)").line("b2a2")
    bob.expect("by black (ply 2)").answer(("white to move> ", "undo"))
    anna.expect("bob1 asks to take back the last move: accept or decline?").line("accept")
    bob.expect("Taken back: the match is at ply 0 again.")
    anna.expect("Taken back").line("accept").expect("There is nothing to accept.").line("resign")
    bob.expect("Result: 1-0 (resign): white (bob1) wins").answer(("menu> ", "say good game"))
    anna.expect("Result: 1-0").expect("<bob1> good game").answer(("menu> ", "rematch"))
    bob.expect("anna1 asks for a rematch: accept or decline?").line("accept")
    bob.expect("The rematch is match").expect("white anna1, black bob1 (you)")
    anna.expect("white anna1 (you), black bob1").answer(("white to move> ", "quit"))
    bob.expect("anna1 is away; ").line("menu").expect("goes on: `go ")
    bob.answer(("menu> ", "q"))
    anna.end()
    bob.end()


@test
def no_match_to_join_or_watch(bench):
    fresh = bench.keep(Closing(Server("--no-bots")))
    client = bench.ludus(address=fresh.thing.address)
    client.answer(("menu> ", "6")).expect("There is no open match.")
    client.answer(("menu> ", "7")).expect("There is no running match.")
    client.answer(("menu> ", "9")).expect("Please type one of 1 to 8, or q.")
    client.answer(("menu> ", "2"), ("Game [clobber]> ", "6"))
    client.expect("Please type a number from 1 to 4").answer(("Game [clobber]> ", "menu"))
    client.answer(("menu> ", "1"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "99x1"))
    client.expect("No: '99x1' is no size of Clobber").answer(("menu> ", "resign"))
    client.expect("There is no match on the screen.").answer(("menu> ", "quit")).end()


@test
def watching_from_the_menu(bench):
    peer = bench.peer("walter")
    match = peer.do("new clobber:3x2 white=me black=me")["match"]
    client = bench.ludus()
    client.answer(("menu> ", "7")).expect(f"match {match}: Clobber 3x2, white walter, black walter")
    client.answer(("]> ", match)).answer(("watching> ", "a1b1"))
    client.expect("You are watching: only the players move.")
    client.answer(("watching> ", "resign")).expect("No: you do not play in that match")
    peer.do(f"move {match} b1a1")
    client.expect("by white (ply 1)").answer(("watching> ", "say nice"))
    client.expect(f"<{bench.me}> nice").answer(("watching> ", "menu"), ("menu> ", f"go {match}"))
    client.expect("by white (ply 1)").answer(("watching> ", "leave"), ("menu> ", "q")).end()
    second = bench.ludus("--watch", match)
    second.expect("Black to move").answer(("watching> ", "quit")).end()
    expect_in_order(bench.piped(["--watch", "nosuch"], status=1), "No: there is no match 'nosuch'")


@test
def the_rules_in_short(bench):
    client = bench.ludus().answer(("menu> ", "8"))
    for title in ("Clobber", "Xadrersi", "Latrunculi XXI", "Shakti"):
        client.expect(title + "\n  ").expect("Variants: ")
    client.answer(("menu> ", "q")).end()


@test
def challenges_are_questions(bench):
    anna = bench.ludus("--name", "anna2").expect("menu> ")
    bob = bench.ludus("--name", "bob2", "--play", "clobber:3x2", "--vs", "anna2",
                      "--color", "black", home=bench.new_home())
    bob.expect("waiting for anna2 to accept the challenge.").expect("waiting> ")
    anna.expect("bob2 challenges you to Clobber 3x2, you are white").type("accept\r")
    anna.expect("white anna2 (you), black bob2").expect("white to move> ")
    bob.expect("The match begins.").expect("     c b a")
    bob.line("resign").expect("Result: 1-0").expect("menu> ")
    anna.expect("Result: 1-0").answer(("menu> ", "2"))
    peer = bench.peer("carl2")
    peer.do("new clobber white=anna2")
    anna.expect("carl2 challenges you").answer(("Game [clobber]> ", "decline")).expect("Declined.")
    anna.line("decline").expect("There is nothing to decline.")
    peer.wait(lambda message: message["type"] == "state" and message["status"] == "over")
    anna.line("menu").answer(("menu> ", "q")).end()
    bob.line("q").end()
    gone = bench.ludus("--name", "dora2", "--play", "clobber", "--vs", "anna2",
                       home=bench.new_home())
    gone.expect("accept the challenge (away now).").answer(("waiting> ", "abort"))
    gone.expect("Result: * (aborted)").answer(("menu> ", "q")).end()
    expect_in_order(bench.piped(["--play", "clobber", "--vs", "nobody"], status=1),
                    "No: ", "nobody here is called 'nobody'")


@test
def house_bots_that_are_not_there(bench):
    output = bench.piped(["--play", "clobber", "--vs", "bot:foo"], status=1)
    expect_in_order(output, "No: ", "'bot:foo'", "The house bots here are bot:")
    expect_that("bot:random" in output and "bot:greedy" in output, output)
    fresh = bench.keep(Closing(Server("--no-bots"))).thing
    output = bench.piped(["--play", "clobber", "--vs", "bot:foo"], status=1, address=fresh.address)
    expect_in_order(output, "No: ", "There are no house bots here.")


@test
def of_several_offers_accept_asks_which(bench):
    client = bench.ludus("--name", "anna10", "--play", "clobber:3x2").expect("--join ")
    client.expect("\n").expect("waiting> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer = bench.peer("bob10")
    peer.do(f"join {match}")
    client.answer(("white to move> ", "b1a1"))
    peer.wait(lambda message: message["type"] == "state" and message["ply"] == 1)
    peer.do(f"move {match} b2a2")
    peer.do(f"undo {match}")
    peer.do(f"draw {match}")
    client.expect("offers a draw: accept or decline?").line("accept")
    client.expect("which one? `accept draw`, `accept undo`").line("decline draw")
    client.expect("declined together: `decline`").line("accept rematch")
    client.expect("There is nothing to accept.").line("accept UNDO")
    client.expect("Taken back: the match is at ply 1 again.").expect("waiting for black> ")
    peer.do(f"draw {match}")
    client.expect("offers a draw: accept or decline?")
    peer.do("new clobber:2x2 white=anna10")
    client.expect("challenges you").line("decline").expect("`decline draw`, `decline challenge`")
    client.line("decline challenge").expect("Declined.").line("accept").expect("(draw-agreed)")
    match = peer.do("new clobber:2x2 white=anna10 black=me")["match"]
    client.expect("challenges you").expect("menu> ")
    peer.do(f"abort {match}")
    client.expect("stands no more.").line("accept").expect("There is nothing to accept.")
    client.line("q").end()


@test
def standing_offers_are_shown_again(bench):
    proxy = bench.proxy()
    client = bench.ludus("--name", "anna11", "--play", "clobber:3x2", address=proxy.address)
    client.expect("--join ").expect("\n").expect("waiting> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer = bench.peer("bob11")
    peer.do(f"join {match}")
    client.answer(("white to move> ", "undo")).expect("No: ")
    peer.do(f"draw {match}")
    client.expect("bob11 offers a draw: accept or decline?")
    proxy.drop()
    client.expect("Connected again.").expect("White to move: it is your turn")
    client.expect("bob11 offers a draw: accept or decline?").line("board").expect("White to move")
    client.expect("bob11 offers a draw: accept or decline?").line("menu").expect("menu> ")
    proxy.drop()
    client.expect("Connected again.").expect(f"Match {match}: bob11 offers: draw.").line("go")
    client.expect("White to move").expect("bob11 offers a draw: accept or decline?").line("decline")
    client.expect("Declined.").line("b1a1")
    peer.wait(lambda message: message["type"] == "state" and message["ply"] == 1)
    client.expect("(ply 1)").line("undo").expect("Asked for: undo.").line("menu").expect("menu> ")
    client.line("go").expect("Black to move").expect("You have asked for: undo. bob11 has to agree.")
    client.line("resign").expect("menu> ").line("q").end()


@test
def a_rematch_is_accepted_in_the_menu(bench):
    peer = bench.peer("bob12")
    client = bench.ludus("--name", "anna12", "--play", "clobber:3x2", "--vs", "bob12")
    client.expect("waiting> ")
    match = peer.wait(lambda message: message["type"] == "challenge")["match"]
    peer.do(f"join {match}")
    client.answer(("white to move> ", "menu")).expect("menu> ")
    peer.do(f"resign {match}")
    client.expect(f"Match {match} is over: 1-0 (resign).")
    peer.do(f"rematch {match}")
    client.expect(f"bob12 asks for a rematch (of match {match}): accept or decline?")
    client.line("decline").expect("Declined.").line("accept").expect("There is nothing to accept.")
    peer.do(f"rematch {match}")
    client.expect("accept or decline?").line("accept").expect("The rematch is match ")
    client.expect("white bob12, black anna12 (you)").expect("waiting for white> ")
    client.line("resign").expect("Result: 1-0").expect("menu> ").line("q").end()


@test
def the_time_to_claim_is_told(bench):
    server = bench.keep(Closing(Server("--no-bots", "--grace", "1"))).thing
    peer = Peer(server, "bob13")
    client = bench.ludus("--name", "anna13", "--play", "clobber:3x2", "--vs", "bob13",
                         address=server.address)
    client.expect("waiting> ")
    peer.do(f"join {peer.wait(lambda message: message['type'] == 'challenge')['match']}")
    client.expect("white to move> ").type("say hal").expect("hal")
    peer.close()
    client.expect("bob13 is away; you can claim the win in 1 s: `claim`")
    client.expect("bob13 is still away; you can claim the win now: `claim`")
    client.expect("white to move> say hal").type("\x15claim\r").expect("Result: 1-0 (forfeit)")
    client.expect("menu> ").line("q").end()
    expect_that(client.screen.count("now: `claim`") == 1, "told more than once")


def widest(text):
    return max(map(len, text.splitlines()))


@test
def lines_are_broken_between_words(bench):
    before = bench.ludus("--name", "anna14", "--play", "clobber:2x1", "--vs", "me")
    before.answer(("white to move> ", "b1a1"), ("menu> ", "q")).end()
    client = bench.ludus("--name", "anna14", "--play", "xadrersi", "--vs", "me", columns=40,
                         TERM="dumb")
    client.expect("  8  . . . . . . . .\n").expect("     a b c d e f g h\n")
    client.expect("In hand: white KQRRBBNN, black kqrrbbnn\n").expect("Type a\n    move, such as")
    for command in ("moves", "rules", "history", "top", "who", "xyzzy", "say " + "word " * 30):
        client.answer(("white to move> ", command))
    client.expect("<anna14> word word").answer(("white to move> ", "help"))
    client.expect("  say TEXT         a word to all who\n                   play or watch\n")
    client.expect("/LINE").expect("such as\n                   /stats\n")
    typed = client.screen.replace("say " + "word " * 30, "")
    expect_that(widest(typed) <= 40, f"{widest(typed)} columns of 40:\n{typed}")
    client.resize(0).answer(("white to move> ", "help"))  # nobody knows how wide: 80
    client.expect("rematch or\n                   challenge\n").expect("such as /stats\n")
    client.resize(20).answer(("white to move> ", "say " + "ä" * 16 + " " + "ä" * 8 + " bc ä"))
    client.expect("<anna14>\n    " + "ä" * 16 + "\n    " + "ä" * 8 + " bc ä\n")
    client.answer(("white to move> ", "/list")).expect('{"type":"list"').expect("}\n")
    client.answer(("white to move> ", "quit")).end()
    output = bench.piped(["--name", "anna14", *PLAY_SELF], "help\n")
    expect_that(widest(output) > 80, "lines into a pipe are not broken")


@test
def typed_text_survives_chat(bench):
    client = bench.ludus("--name", "anna3", "--play", "clobber:3x2").expect("--join ")
    peer = bench.peer("bob3")
    client.expect("\n").expect("waiting> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer.do(f"join {match}")
    client.expect("white to move> ").type("say half a wo").expect("say half a wo")
    peer.do(f"say {match} are you there")
    client.expect("<bob3> are you there\nwhite to move> say half a wo").type("rd\r")
    client.expect("<anna3> half a word")
    # Longer than the line, the cursor in its middle: all of it is taken away and put back.
    long = "say " + "long " * 30 + "end"
    client.expect("white to move> ").type(long).expect("end").type("\x1b[D" * 3)
    peer.do(f"say {match} once more")
    client.expect("<bob3> once more\nwhite to move> say long").expect("end").type("the \r")
    client.expect("long the end")
    # A lone Escape does not hold anything up.
    client.expect("white to move> ").type("b1\x1b")
    peer.do(f"say {match} and again")
    client.expect("<bob3> and again\nwhite to move> b1").type("\x15\x15b1a1\r").expect("(ply 1)")
    client.line("quit").end()


@test
def editing_history_and_completion(bench):
    client = bench.ludus("--play", "clobber:3x2", "--vs", "me")
    client.expect("white to move> ").type("b1a2\x7f1\r").expect("by white (ply 1)")
    client.expect("black to move> ").type("undo\r").expect("Taken back").expect("white to move> ")
    client.type("\x1b[A\x1b[A\r").expect("by white (ply 1)").expect("black to move> ")
    client.type("b2\t\t").expect("b2a2  b2c2").type("A\t").expect("a2").type("\r")
    client.expect("Last move: b2a2 by black (ply 2)").answer(("white to move> ", "quit")).end()
    expect_that("b1a1" in open(bench.home.file("history")).read(), "no history was kept")
    again = bench.ludus(*PLAY_SELF).expect("white to move> ").type("\x1b[A\x1b[A\x1b[A\r")
    again.expect("Last move: b1a1").answer(("black to move> ", "quit")).end()


@test
def interrupts_and_end_of_input(bench):
    client = bench.ludus(*PLAY_SELF).expect("white to move> ").type("rubbish\x03")
    client.expect("(Ctrl-C again, or quit, ends the program.)").expect("white to move> ")
    client.line("a2a1").expect("by white (ply 1)").expect("black to move> ").type("\x03")
    client.expect("(Ctrl-C again").type("\x03").end(0)
    bench.ludus(*PLAY_SELF).expect("white to move> ").type("\x04").end(0)
    bench.ludus().expect("menu> ").type("\x04").end(0)
    bench.ludus(*PLAY_SELF).expect("white to move> ").signal(signal.SIGTERM).end(1)
    bench.ludus(*PLAY_SELF).expect("white to move> ").type("\x1c").end(1)


@test
def signals_leave_a_sane_terminal(bench):
    for number, status in ((signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGSEGV, -signal.SIGSEGV),
                           (signal.SIGABRT, -signal.SIGABRT), (signal.SIGBUS, -signal.SIGBUS)):
        ludus = bench.ludus(*PLAY_SELF).expect("white to move>")
        ludus.signal(number).end(status)


@test
def suspended_and_continued(bench):
    client = bench.ludus(*PLAY_SELF).expect("white to move> ").type("a2").expect("a2").type("\x1a")
    os.waitid(os.P_PID, client.process.pid, os.WSTOPPED | os.WNOWAIT)
    expect_that(termios.tcgetattr(client.slave)[3] & termios.ICANON, "raw while it is stopped")
    client.signal(signal.SIGCONT).expect("white to move> a2").type("a1\r").expect("(ply 1)")
    client.answer(("black to move> ", "quit")).end()


@test
def colours_on_a_terminal_only(bench):
    for environment, colored in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
                                 ({"TERM": "dumb"}, False)):
        client = bench.ludus(*PLAY_SELF, **environment)
        client.expect("white to move> ").line("a2a1").expect("by white (ply 1)")
        client.answer(("black to move> ", "quit")).end()
        marked = b"\x1b[1m\x1b[7mP\x1b[0m" in client.raw
        expect_that(marked == colored, f"{environment}: colours {marked}")
        expect_that((b"\x1b[35mp" in client.raw) == colored, f"{environment}: black pieces")
        if environment.get("TERM") == "dumb":
            expect_that(b"\x1b" not in client.raw, "escape sequences on a dumb terminal")


@test
def pipes_get_plain_text(bench):
    text = "foo\na2a1\nmoves\nb1a1\nb1b2\r\na1b1\nquit\n"
    output = bench.piped(["--play", "clobber:2x2", "--vs", "me"], text)
    expect_in_order(output, "white to move> foo\n'foo' is no move", "white to move> a2a1",
                    "by white (ply 1)", "black to move> moves", "black to move> b1a1",
                    "No: the stone on b1 is not yours", "black to move> b1b2")
    expect_that(not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", output), "control characters")


@test
def moves_typed_ahead_wait_for_their_turn(bench):
    position = "PpPpPp/pPpPpP w"
    moves = "\n".join(["moves"] + ["a2b2", "b1a1", "c2d2", "f1f2", "d1d2", "e2e1", "c2b2"] * 3)
    for vs, color in (("bot:random", "white"), ("bot:greedy", "black")):
        output = bench.piped(["--play", "clobber", "--position", position, "--vs", vs, "--color",
                              color], moves + "\nresign\n")
        expect_in_order(output, "legal moves:", "Result: ")
        for line in re.findall(r"^(\w+) to move> ", output, re.M):
            expect_that(line == color, f"a line was read at the turn of {line}:\n{output}")
        expect_that("'s turn" not in output, "a move was sent out of turn")


@test
def the_menu_by_a_pipe(bench):
    output = bench.piped([], "2\n\n2x1\n\nb1a1\nrecord\n8\nq\n")
    expect_in_order(output, "menu> 2", "Game [clobber]> \n", "Variant [5x6]> 2x1",
                    "white to move> b1a1",
                    f"Result: 1-0 (no-moves): white ({bench.me}) wins", "menu> record",
                    "\n1. b1a1 1-0\n", "menu> 8", "Shakti", "menu> q")
    expect_in_order(bench.piped([], "7"), "menu> 7")
    expect_in_order(bench.piped([], ""), f"you are {bench.me}\n")


@test
def the_end_of_a_pipe_does_not_hang(bench):
    output = bench.piped(["--play", "clobber:2x2", "--vs", "bot:greedy"], "")
    expect_in_order(output, "White to move", "The input has ended; match")
    output = bench.piped(["--play", "clobber:2x2", "--vs", "bot:greedy"], "a2a1")
    expect_in_order(output, "by white (ply 1)", "by black (ply 2)", "The input has ended")
    output = bench.piped(["--play", "clobber:2x1", "--vs", "bot:greedy"], "b1a1")
    expect_in_order(output, "by white (ply 1)", "Result: 1-0")
    output = bench.piped(["--play", "clobber"], "")
    expect_in_order(output, "waits for somebody", "The input has ended")
    bench.peer("eve4")
    output = bench.piped(["--play", "clobber", "--vs", "eve4"], "")
    expect_in_order(output, "waiting for eve4")


@test
def nobody_reads_the_output(bench):
    reading, writing = os.pipe()
    os.close(reading)
    client = subprocess.Popen([os.path.join(BUILD, "ludus"), "--connect", bench.server.address,
                               *PLAY_SELF], stdin=subprocess.PIPE, stdout=writing,
                              stderr=subprocess.DEVNULL, env=bench.home.environment())
    os.close(writing)
    expect_that(client.wait(LIMIT_S) == 1, "exit status")
    client.stdin.close()


@test
def all_games_are_drawn(bench):
    output = bench.piped(["--play", "xadrersi", "--vs", "me"], "k@d4\nQ@d5\nK@a1\nmoves e4\n")
    expect_in_order(output, "Xadrersi touch, match", "Score: white 0, black 0",
                    "In hand: white KQRRBBNN, black kqrrbbnn", "Last move: K@d4 by white (ply 1)",
                    "In hand: white QRRBBNN, black kqrrbbnn", "by black (ply 2)", "Score: white ",
                    "black krrbbnn", "The queen is called: white places it now", "No: ")
    full = "8/8/8/8/3K4/8/8/8[QRRBBNNkqrrbbnn] b - d4"
    output = bench.piped(["--play", "xadrersi", "--vs", "me", "--position", full], "record\n")
    expect_in_order(output, "black to move> record", f'[Start "{full}"]')
    mate = "*2*2*/1****2/1w*1*2/KW****1/2****1/1w***2/*2W1k* w 0"
    output = bench.piped(["--play", "shakti", "--vs", "me", "--position", mate], "")
    expect_in_order(output, "  4  K W * * * * .", "Result: 0-1 (checkmate): black ",
                    "wins, white is in check and cannot move")
    output = bench.piped(["--play", "latrunculi", "--vs", "me"], "a1a2\n")
    expect_in_order(output, "  7  . . . d", "  1  S S", "  2  S . . .", "  1  . S")
    output = bench.piped(["--play", "shakti", "--position", "nonsense", "--vs", "me"], status=1)
    expect_in_order(output, "No: ")


@test
def raw_lines_reach_the_server(bench):
    client = bench.ludus(*PLAY_SELF, "--name", "raw5")
    client.answer(("white to move> ", "/list")).expect('"type":"list"').expect('"white":"raw5"')
    client.answer(("white to move> ", "/frob")).expect('"code":"unknown-command"')
    client.answer(("white to move> ", "/")).expect('"type":"error"')
    client.answer(("white to move> ", "/set format=text")).expect("stays JSON here")
    client.answer(("white to move> ", "/" + "x" * 2000)).expect("That line is too long")
    client.answer(("white to move> ", "/move a2a1")).expect('"type":"ok"').expect("(ply 1)")
    client.answer(("black to move> ", "/quit")).expect('"type":"bye"').end()


@test
def names_are_kept(bench):
    first = bench.ludus("--name", "anna6", *PLAY_SELF)
    first.answer(("white to move> ", "a2a1"), ("black to move> ", "quit")).end()
    tokens = bench.home.file("tokens")
    expect_that(os.stat(tokens).st_mode & 0o777 == 0o600, "the tokens can be read by others")
    line = open(tokens).read()
    expect_that(re.fullmatch(rf"{re.escape(bench.server.address)} anna6 \S+\n", line), line)
    again = bench.ludus("--name", "anna6")
    again.expect("your turn. `go ").expect("you are anna6").expect("  go ").expect("your turn")
    again.answer(("menu> ", "go")).expect("by white (ply 1)")
    other = bench.piped(["--name", "anna6"], status=1, home=bench.new_home())
    expect_in_order(other, "ludus: anna6: somebody else has that name")
    takes_over = bench.ludus("--name", "anna6").expect("menu> ")
    again.expect("another client has come back under this name").end(1)
    takes_over.line("q").end()
    expect_that(open(tokens).read() == line, "the token has changed")


@test
def a_name_of_ones_own(bench):
    first = bench.ludus(USER="Zoë B. Ware").expect("you are ZoBWare\n").expect("menu> ")
    second = bench.ludus(USER="Zoë B. Ware").expect("you are ZoBWare-2\n").expect("menu> ")
    stranger = bench.ludus(USER="ZoBWare", home=bench.new_home()).expect("you are ZoBWare-3\n")
    first.line("q").end()
    bench.ludus(USER="ZoBWare").expect("you are ZoBWare\n").expect("menu> ").line("q").end()
    second.line("q").end()
    stranger.expect("menu> ").line("q").end()
    for user in ("", "me", "OPEN"):
        bench.ludus(USER=user).expect("you are player\n").expect("menu> ").line("q").end()
    # Where nothing can be kept, one plays all the same.
    output = bench.piped(["--name", "anna7", *PLAY_SELF], "quit\n", XDG_STATE_HOME="/dev/null")
    expect_in_order(output, "white anna7 (you)")
    expect_in_order(output, "ludus: /dev/null/ludus/tokens: Not a directory: the name will not be")


@test
def join_codes(bench):
    server = bench.keep(Closing(Server("--no-bots", "--code", "sesame"))).thing
    expect_in_order(bench.piped([], address=server.address, status=1),
                    f"ludus: {server.address}: this server wants its join code: give --code CODE")
    expect_in_order(bench.piped(["--code", "wrong"], address=server.address, status=1),
                    "that is not the join code of this server")
    client = bench.ludus(address=server.address).answer(("Join code: ", "sesame"))
    client.answer(("menu> ", "5"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", ""),
                  ("You are [white]> ", ""), ("[none]> ", "none")).expect("--code sesame --join ")
    client.answer(("waiting> ", "quit")).end()
    expect_in_order(bench.piped(["--code", "sesame"], "q\n", address=server.address), "menu> q")


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
    client.expect(f"come back by\n  ludus --connect {proxy.address} --name {bench.me}\n").end(1)
    proxy.refusing = False
    match = bench.peer("idle").do("new clobber white=me black=me")["match"]  # nobody moves
    watcher = bench.ludus("--watch", match, address=proxy.address).expect("White to move")
    proxy.refusing = True
    proxy.drop()
    watcher.expect("The connection is lost").type("\x03")
    watcher.expect("come back by\n").expect(f"--connect {proxy.address} --watch ").end(1)


@test
def a_server_that_starts_anew(bench):
    closing = bench.keep(Closing(Server("--no-bots")))
    server = closing.thing
    client = bench.ludus("--name", "anna9", *PLAY_SELF, address=server.address)
    client.expect("white to move> ")
    server.stop()
    client.expect("The connection is lost")
    server.start(server.address)
    client.expect("Connected again.").expect("No: there is no match").expect("  q  quit\nmenu> ")
    client.line("").answer(("menu> ", "1"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "2x1"),
                  ("white to move> ", "b1a1")).expect("Result: 1-0").answer(("menu> ", "q")).end()
    # The server that forgot the name has given it another token, which is kept as well.
    bench.ludus("--name", "anna9", address=server.address).expect("you are anna9").line("q").end()


@test
def pings_are_answered(bench):
    server = bench.keep(Closing(Server("--no-bots", "--idle", "2"))).thing
    proxy = bench.keep(Proxy(server.port))
    client = bench.ludus(*PLAY_SELF, address=proxy.address).expect("white to move> ")
    proxy.wait_for_pings(4)
    client.line("a2a1").expect("by white (ply 1)").answer(("black to move> ", "quit")).end()
    expect_that("lost" not in client.screen, "the connection was lost")


BOARD = '"board":["Pp"],"position":"Pp w","turn":"white","ply":0'
STATE = '{"type":"state","match":"1","game":"clobber","status":"playing",' + BOARD


@test
def what_others_write_is_only_text(bench):
    script = Script(
        STATE + ',"players":{"white":{"name":"\\u001b[31mred","online":true},"black":null}}',
        '{"type":"chat","match":"1","from":"e\\u001bve",'
        '"text":"a\\u001b]0;x\\u0007b\\u009bc\\nd\\u007f"}',
        STATE.replace("playing", "over") + ',"result":"1-0","reason":"x\\u001b[2J"}')
    output = bench.piped(["--play", "clobber", "--white", "a", "--black", "b"],
                         address=script.address)
    expect_in_order(output, "white ?[31mred, black nobody yet",
                    "<e?ve> a?]0;x?b??c?d?", "Result: 1-0 (x?[2J): white () wins")
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
    script = Script(*odd, last)
    output = bench.piped(["--play", "clobber", "--white", "a", "--black", "b"],
                         address=script.address)
    expect_in_order(output, "Result: * (aborted): the match was broken off")


if __name__ == "__main__":
    sys.exit(run_tests("test_client", TESTS))
