#!/usr/bin/env python3
"""The terminal client, driven through a pseudo-terminal and through pipes.

usage: python3 tests/tcp/test_client.py BUILD_DIR

Starts BUILD_DIR/ludusd on a free port. Each step waits for the text that shows its success, for LIMIT_S
at most.
"""

import os
import re
import shutil
import socket
import subprocess
import sys

from answering_server import AnsweringServer
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, expect_in_order, expect_that

PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")
test = Tests()


@test
def bad_usage_exits_with_2(bench):
    cases = {
        ("--frob",): "ludus: --frob: unknown option",
        ("-xy",): "ludus: -x: unknown option",
        ("-\xe9\xe9",): "ludus: -?: unknown option",
        ("--help=yes",): "ludus: --help=yes: unknown option",
        ("--name",): "ludus: --name: value missing",
        ("--name", "a b"): "ludus: --name: a name is",
        ("--name", "guest-1"): "ludus: --name: a name is",
        ("--name", "me"): "ludus: --name: 'me' cannot be a name: as a seat, `me` is yourself",
        ("--name", "Open"): "ludus: --name: 'Open' cannot be a name",
        ("record",): "ludus: record: arguments are missing: MATCH",
        ("record", "--pgn"): "ludus: record: arguments are missing: MATCH",
        ("record", "1", "--name", "me"): "ludus: --name: 'me' cannot be a name",
        ("replay",): "ludus: replay: arguments are missing: FILE",
        ("review", "1", "--json", "--pgn"): "ludus: --json, --pgn: only one of them",
        ("--play", ""): "ludus: --play: nothing given",
        ("--play", "clobber\nquit"): "ludus: --play: control characters",
        ("--play", "clobber", "--join", "1"): "ludus: --play, --join, --watch: only one of them",
        ("--vs", "me"): "only with --play",
        ("--play", "clobber", "--vs", "me", "--white", "me"): "not together",
        ("--play", "clobber", "--color", "red"): "ludus: --color: 'red' is neither",
        ("--line", "extra"): "ludus: extra: unknown command: see",
        ("lsit",): "ludus: lsit: unknown command (did you mean list?): see --help",
        ("histroy", "anna"): "did you mean history?",
        ("x" * 5000,): "unknown command: see --help",
        ("--name", "x", "list"): "ludus: list: a command comes first: ludus list, then",
    }
    for arguments, text in cases.items():
        expect_in_order(bench.piped(arguments, status=2), text)


def said_by(*words):
    done = subprocess.run([os.path.join(BUILD, "ludus"), *words], text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=LIMIT_S)
    return done.stdout + done.stderr


@test
def help_is_found_by_all_its_names(bench):
    whole, of_list = bench.piped(["--help"]), bench.piped(["list", "--help"])
    expect_in_order(whole, "Usage: ludus [OPTION]...")
    expect_in_order(of_list, "Usage: ludus list")
    for arguments in (["-h"], ["help"], ["help", "help"], ["help", "-h"]):
        expect_that(bench.piped(arguments) == whole, arguments)
    expect_that(bench.piped(["list", "-h"]) == of_list, "-h of a command")
    expect_that(said_by("help", "list") == of_list, "help of a command")
    expect_in_order(said_by("help", "recrod"), "ludus: recrod: unknown command (did you mean record?)")


@test
def ports_are_numbers(bench):
    for address in ("localhost:99999", "localhost:0", "localhost:x1", "tls://localhost:65536"):
        expect_in_order(bench.piped(["list"], address=address, status=1), "is not a port: write a number from 1 to 65535")
        menu = bench.ludus(address=address).expect("is not a port").end(1)
        expect_that("is a server running" not in menu.screen, menu.screen)


@test
def lost_output_is_a_failure(_bench):
    """In all four programs: what could not be written is said, and the exit status is 1."""
    for line in ("ludus --help", "ludus --version", "ludus help list", "ludus-bot --help", "ludus-bot --version",
                 "ludus-bot gauntlet --help", "ludus-bot solve clobber:3x3", "ludus-bridge --help", "ludus-bridge --version",
                 "ludusd --help", "ludusd --version", "ludusd --check-config"):
        program, *words = line.split()
        with open("/dev/full", "w") as full:
            done = subprocess.run([os.path.join(BUILD, program), *words], stdout=full, stderr=subprocess.PIPE,
                                  text=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S)
        expect_that(done.returncode == 1 and done.stderr.startswith(f"{program}: standard output: "), (line, done))


@test
def an_ipv6_address_needs_no_brackets(bench):
    for address in ("::1", "tls://::1", "[::1]", "fe80::1"):
        said = said_by("list", "--connect", address)
        expect_that("not known" not in said and "not an address" not in said, (address, said))


@test
def pieces_are_placed_without_an_at(bench):
    lines = bench.ludus("--play", "xadrersi", "--vs", "me").answer(
        ("white to move> ", "Kd4"), ("black to move> ", "nd5"), ("white to move> ", "Nf9"))
    lines.expect("f9 is off the board")
    lines.line("pass").expect("pass")


@test
def join_takes_a_free_seat(bench):
    """`join` skips seats reserved for others. A player with a seat returns to it."""
    server = bench.new_server("--no-bots")
    anna, carla = bench.keep(server.connect("anna")), bench.keep(server.connect("carla"))
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
    done = subprocess.run([os.path.join(BUILD, "ludus"), "join", address], text=True,
                          capture_output=True, env=bench.home.environment(), timeout=LIMIT_S)
    expect_that(done.returncode == 1 and "make run" not in done.stderr, done.stderr)
    expect_in_order(done.stderr, f"ludus: {address}: Connection refused\nludus: ask your friend whether",
                    "firewall", "`ludus join` alone looks for servers")


@test
def another_server_there(bench):
    mail = bench.keep(AnsweringServer(greeting="220 mail.example ESMTP", hangs_up=True))
    expect_in_order(bench.piped([], address=mail.address, status=1),
                    f"ludus: {mail.address}: no Ludus server answers there\n")
    newer = bench.keep(AnsweringServer(greeting={"type": "hello", "proto": 2}))
    expect_in_order(bench.piped([], address=newer.address, status=1),
                    f"ludus: {newer.address}: the server speaks protocol 2, this program 1")
    full = bench.keep(AnsweringServer(greeting={"type": "bye", "reason": "limit"}))
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
    client.expect("b2 is empty").answer(("white to move> ", "a1a2"))
    client.answer(("black to move> ", "move c1c2"))
    client.expect("Result: 0-1 (no-moves)").expect("Black wins: White has no moves left.")
    client.answer(("menu> ", "q")).end()


@test
def wrong_moves_get_their_sentences(bench):
    client = bench.ludus(*PLAY_SELF)
    prompt = "white to move> "
    for text, sentence in (("a1b1", "The stone on a1 is not yours: white moves"),
                           ("a2a9", "a9 is off the board"),
                           ("a2b1", "A stone moves one square up, down, left or right"),
                           ("pass", "Passing is not allowed in Clobber"),
                           ("q@a1", "Pieces are not placed in this game"),
                           ("b2", "'b2' is not a move"),
                           ("move", "\"move\" is not a move or a command"),
                           ("hello", "\"hello\" is not a move or a command"),
                           ("x" * 3000 + "1", "is not a move or a command"),
                           ("", "")):
        client.answer((prompt, text)).expect(sentence)
    client.answer((prompt, "a2a1"), ("black to move> ", "quit")).end()


@test
def lists_of_moves(bench):
    client = bench.ludus(*PLAY_SELF)
    client.answer(("white to move> ", "moves")).expect("4 legal moves:\n  ").expect("a2a1")
    client.answer(("white to move> ", "moves b1")).expect("2 legal moves:").expect("b1")
    client.answer(("white to move> ", "moves a1")).expect("0 legal moves.")
    client.answer(("white to move> ", "moves z9")).expect("z9 is off the board")
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
    client.answer(("white to move> ", "undo")).expect("Nothing to take back: you have not moved")
    client.answer(("white to move> ", "b1a1"), ("black to move> ", "undo"))
    client.expect("Taken back: the match is at ply 0 again.").expect("  1  p P")
    client.answer(("white to move> ", "flip")).expect("  1  P p\n  2  p P\n  3  P p\n     b a")
    client.answer(("white to move> ", "flip"), ("white to move> ", "board")).expect("     a b")
    client.answer(("white to move> ", "b1a1"), ("black to move> ", "record"))
    client.expect('[Variant "2x3"]').expect("\n1. b1a1 *\n")
    client.answer(("black to move> ", "draw")).expect("Draw: both agreed.")
    client.answer(("menu> ", "record")).expect('[Reason "draw-agreed"]').expect("\n1. b1a1 1/2-1/2\n")
    client.answer(("menu> ", "rematch")).expect("The rematch is match ")
    client.answer(("white to move> ", "abort")).expect("Result: * (aborted)")
    client.answer(("menu> ", "rematch")).answer(("white to move> ", "rules"))
    client.expect("Clobber\n  Each turn, capture an enemy stone").expect("Variants: ")
    client.answer(("white to move> ", "help")).expect("resign").expect("/LINE")
    client.answer(("white to move> ", "quit"))
    client.expect(" is still there; come back with\n  ludus --connect ").end()


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
    client.expect("You have no moves left. bot:random wins.")
    client.answer(("menu> ", "Q")).end()


@test
def bots_by_strength(bench):
    """Weakest first, whatever the server's order; unknown ones last."""
    levels = ("future", "max", "greedy", "random", "medium")
    games = [{"name": "clobber", "title": "Clobber", "variants": ["2x2"], "default": "2x2"}]
    players = [{"name": name} for name in ("anna", *(f"bot:{level}" for level in levels))]
    server = bench.keep(AnsweringServer({"games": [{"type": "games", "games": games}],
                                         "who": [{"type": "who", "players": players}]}))
    client = bench.ludus(address=server.address)
    client.answer(("menu> ", "2"), ("Game [clobber]> ", ""))
    client.expect("  1  bot:random\n  2  bot:greedy\n  3  bot:medium\n  4  bot:max\n"
                  "  5  bot:future\n")
    client.answer(("Black is [bot:greedy]> ", "menu"), ("menu> ", "q")).end()
    server = bench.keep(AnsweringServer({
        "new": [{"type": "error", "code": "unknown-player", "message": "nobody"}],
        "who": [{"type": "who", "players": players[1:]}]}))
    expect_in_order(bench.piped(["--play", "clobber", "--vs", "bot:foo"], address=server.address,
                                status=1), "Nobody.\n",
                    "are bot:random, bot:greedy, bot:medium, bot:max, bot:future.\n")


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
                ("You are [white]> ", "black"), ("as 5 + 3 [none]> ", ""))
    anna.expect("Waiting for an opponent, who types:\n  ludus --connect ")
    anna.expect("--join ")
    bob = bench.ludus("--name", "bob1", home=bench.new_home())
    bob.answer(("menu> ", "6")).expect("Clobber 3x2, white free, black anna1")
    bob.answer(("Match [", "")).expect("white bob1 (you), black anna1")
    anna.expect("The game begins.").expect("     c b a").answer(("waiting for white> ", "a1a2"))
    anna.expect("It is white's turn. Wait for bob1 to move.")
    bob.answer(("white to move> ", "say hello anna"))
    anna.expect("<bob1> hello anna")
    bob.answer(("white to move> ", "draw")).expect("You offered a draw. Waiting for anna1.")
    anna.expect("bob1 offers a draw: accept or decline?").line("decline").expect("Declined.")
    bob.expect("anna1 declines the draw.").answer(("white to move> ", "b1a1"))
    anna.expect("by white (ply 1)").line("b2a2")
    bob.expect("by black (ply 2)").answer(("white to move> ", "undo"))
    anna.expect("bob1 asks to take back the last move: accept or decline?").line("accept")
    bob.expect("Taken back: the match is at ply 0 again.")
    anna.expect("Taken back").line("accept").expect("There is nothing to accept.").line("resign")
    bob.expect("Result: 1-0 (resign)").answer(("menu> ", "say good game"))
    anna.expect("Result: 1-0").expect("<bob1> good game").answer(("menu> ", "rematch"))
    bob.expect("anna1 asks for a rematch: accept or decline?").line("accept")
    bob.expect("The rematch is match").expect("white anna1, black bob1 (you)")
    anna.expect("white anna1 (you), black bob1").answer(("white to move> ", "quit"))
    bob.expect("anna1 is away. ").line("menu").expect("stays open. `go ")
    bob.answer(("menu> ", "q"))
    anna.end()
    bob.end()


@test
def no_match_to_join_or_watch(bench):
    fresh = bench.new_server("--no-bots")
    client = bench.ludus(address=fresh.address)
    client.answer(("menu> ", "6")).expect("There is no open match.")
    client.answer(("menu> ", "7")).expect("There is no running match.")
    client.answer(("menu> ", "10")).expect("Please type p, a number from 1 to 9, or q.")
    client.answer(("menu> ", "2"), ("Game [clobber]> ", "6"))
    client.expect("Please type a number from 1 to 4").answer(("Game [clobber]> ", "menu"))
    client.answer(("menu> ", "1"), ("Game [clobber]> ", ""), ("Variant [5x6]> ", "99x1"))
    client.expect("Invalid size '99x1' of Clobber").answer(("menu> ", "resign"))
    client.expect("There is no match on the screen.").answer(("menu> ", "quit")).end()


@test
def q_quits_at_every_question(bench):
    game, variant = ("Game [clobber]> ", ""), ("Variant [5x6]> ", "")
    color = ("You are [white]> ", "black")
    for item, answers, question in (("2", [], "Game [clobber]> "),
                                    ("1", [game], "Variant [5x6]> "),
                                    ("3", [game, variant], "White is [bot:greedy]> "),
                                    ("5", [game, variant], "You are [white]> "),
                                    ("5", [game, variant, color], "as 5 + 3 [none]> ")):
        bench.ludus().answer(("menu> ", item), *answers, (question, "q")).end()
    bench.ludus().answer(("menu> ", " Q ")).end()
    bench.peer("oscar").do("new clobber:3x2 black=open")
    bench.ludus().answer(("menu> ", "6"), ("]> ", "q")).end()


@test
def watching_from_the_menu(bench):
    peer = bench.peer("walter")
    match = peer.do("new clobber:3x2 white=me black=me")["match"]
    client = bench.ludus()
    client.answer(("menu> ", "7")).expect(f"match {match}: Clobber 3x2, white walter, black walter")
    client.answer(("]> ", match)).answer(("watching> ", "a1b1"))
    client.expect("You are watching. Only the players can move.")
    client.answer(("watching> ", "resign")).expect("You do not play in that match")
    peer.do(f"move {match} b1a1")
    client.expect("by white (ply 1)").answer(("watching> ", "say nice"))
    client.expect(f"<{bench.me}> nice").answer(("watching> ", "menu"), ("menu> ", f"go {match}"))
    client.expect("by white (ply 1)").answer(("watching> ", "leave"), ("menu> ", "q")).end()
    second = bench.ludus("--watch", match)
    second.expect("Black to move").answer(("watching> ", "quit")).end()
    expect_in_order(bench.piped(["--watch", "nosuch"], status=1), "Unknown match 'nosuch'")


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
    bob.expect("The game begins.").expect("     c b a")
    bob.line("resign").expect("Result: 1-0").expect("menu> ")
    anna.expect("Result: 1-0").answer(("menu> ", "2"))
    peer = bench.peer("carl2")
    peer.do("new clobber white=anna2")
    anna.expect("carl2 challenges you").answer(("Game [clobber]> ", "decline")).expect("Declined.")
    anna.line("decline").expect("There is nothing to decline.")
    peer.wait_for("state", status="over")
    anna.line("menu").answer(("menu> ", "q")).end()
    bob.line("q").end()
    gone = bench.ludus("--name", "dora2", "--play", "clobber", "--vs", "anna2",
                       home=bench.new_home())
    gone.expect("accept the challenge (away now).").answer(("waiting> ", "abort"))
    gone.expect("Result: * (aborted)").answer(("menu> ", "q")).end()
    expect_in_order(bench.piped(["--play", "clobber", "--vs", "nobody"], status=1),
                    "Unknown player 'nobody'")


@test
def seeking_an_opponent(bench):
    client = bench.ludus("--name", "seeker1").expect("menu> ")
    client.line("seek").expect("`seek GAME`").line("seek chess").expect("Unknown game 'chess'")
    client.line("seek clobber rating=2000-1000").expect("\nrating=: write the lowest and the highest")
    client.line("seek clobber:3x2").expect("The server looks for an opponent")
    client.line("unseek").expect("You no longer seek an opponent.")
    client.line("seek clobber:3x2").expect("looks for an opponent")
    peer = bench.peer("seeker2")
    peer.do("seek clobber:3x2")
    client.expect("Opponent found: seeker2, Clobber 3x2, you are white")
    client.expect("white to move> ").line("resign").expect("0-1").line("quit").end()
    client = bench.ludus("--name", "seeker3", "--play", "clobber", "--vs", "seeker2").expect("waiting> ")
    match = peer.wait_for("challenge")["match"]
    peer.do(f"decline {match} busy")
    client.expect(f"seeker2 declines match {match}: busy.").line("quit").end()


@test
def house_bots_that_are_not_there(bench):
    output = bench.piped(["--play", "clobber", "--vs", "bot:foo"], status=1)
    expect_in_order(output, "'bot:foo'", "The house bots here are bot:")
    expect_that("bot:random" in output and "bot:greedy" in output, output)
    fresh = bench.new_server("--no-bots")
    output = bench.piped(["--play", "clobber", "--vs", "bot:foo"], status=1, address=fresh.address)
    expect_in_order(output, "'bot:foo'", "There are no house bots here.")


@test
def of_several_offers_accept_asks_which(bench):
    client = bench.ludus("--name", "anna10", "--play", "clobber:3x2").expect("--join ")
    client.expect("\n").expect("waiting> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer = bench.peer("bob10")
    peer.do(f"join {match}")
    client.answer(("white to move> ", "b1a1"))
    peer.wait_for("state", ply=1)
    peer.do(f"move {match} b2a2")
    peer.do(f"undo {match}")
    peer.do(f"draw {match}")
    client.expect("offers a draw: accept or decline?").line("accept")
    client.expect("which one? `accept draw`, `accept undo`").line("decline draw")
    client.expect("declined together: type `decline`").line("accept rematch")
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
    client.expect("was withdrawn.").line("accept").expect("There is nothing to accept.")
    client.line("q").end()


@test
def standing_offers_are_shown_again(bench):
    proxy = bench.proxy()
    client = bench.ludus("--name", "anna11", "--play", "clobber:3x2", address=proxy.address)
    client.expect("--join ").expect("\n").expect("waiting> ")
    match = re.search(r"--join (\S+)", client.screen).group(1)
    peer = bench.peer("bob11")
    peer.do(f"join {match}")
    client.answer(("white to move> ", "undo")).expect("Nothing to take back: you have not moved.")
    peer.do(f"draw {match}")
    client.expect("bob11 offers a draw: accept or decline?")
    proxy.drop()
    client.expect("Connected again.").expect("White to move: it is your turn")
    client.expect("bob11 offers a draw: accept or decline?").line("board").expect("White to move")
    client.expect("bob11 offers a draw: accept or decline?").line("menu").expect("menu> ")
    proxy.drop()
    client.expect("Connected again.").expect(f"Match {match}: bob11 offers a draw.").line("go")
    client.expect("White to move").expect("bob11 offers a draw: accept or decline?").line("decline")
    client.expect("Declined.").line("b1a1")
    peer.wait_for("state", ply=1)
    client.expect("(ply 1)").line("undo").expect("You asked to take back a move. Waiting for").line("menu").expect("menu> ")
    client.line("go").expect("Black to move").expect("You asked to take back a move. Waiting for bob11.")
    client.line("resign").expect("menu> ").line("q").end()


@test
def a_rematch_is_accepted_in_the_menu(bench):
    peer = bench.peer("bob12")
    client = bench.ludus("--name", "anna12", "--play", "clobber:3x2", "--vs", "bob12")
    client.expect("waiting> ")
    match = peer.wait_for("challenge")["match"]
    peer.do(f"join {match}")
    client.answer(("white to move> ", "menu")).expect("menu> ")
    peer.do(f"resign {match}")
    client.expect(f"Match {match} is over: 1-0 (resign).")
    peer.do(f"rematch {match}")
    client.expect(f"bob12 asks for a rematch of match {match}: accept or decline?")
    client.line("decline").expect("Declined.").line("accept").expect("There is nothing to accept.")
    peer.do(f"rematch {match}")
    client.expect("accept or decline?").line("accept").expect("The rematch is match ")
    client.expect("white bob12, black anna12 (you)").expect("waiting for white> ")
    client.line("resign").expect("Result: 1-0").expect("menu> ").line("q").end()


@test
def the_time_to_claim_is_told(bench):
    server = bench.new_server("--no-bots", "--grace", "1")
    peer = server.connect("bob13")
    client = bench.ludus("--name", "anna13", "--play", "clobber:3x2", "--vs", "bob13",
                         address=server.address)
    client.expect("waiting> ")
    peer.do(f"join {peer.wait_for('challenge')['match']}")
    client.expect("white to move> ").type("say hal").expect("hal")
    peer.close()
    client.expect("bob13 is away. You can claim the win in 1 s: `claim`")
    client.expect("bob13 is still away. You can claim the win now: `claim`")
    client.expect("white to move> say hal").type("\x15claim\r").expect("Result: 1-0 (forfeit)")
    client.expect("menu> ").line("q").end()
    expect_that(client.screen.count("now: `claim`") == 1, "told more than once")


@test
def all_games_are_drawn(bench):
    output = bench.piped(["--play", "xadrersi", "--vs", "me"], "k@d4\nQ@d5\nK@a1\nmoves e4\n")
    expect_in_order(output, "Xadrersi touch, match", "Score: white 0, black 0",
                    "In hand: white KQRRBBNN, black kqrrbbnn", "Last move: K@d4 by white (ply 1)",
                    "In hand: white QRRBBNN, black kqrrbbnn", "by black (ply 2)", "Score: white ",
                    "black krrbbnn", "The queen is called: white places it now")
    full = "8/8/8/8/3K4/8/8/8[QRRBBNNkqrrbbnn] b - d4"
    output = bench.piped(["--play", "xadrersi", "--vs", "me", "--position", full], "record\n")
    expect_in_order(output, "black to move> record", f'[Start "{full}"]')
    mate = "*2*2*/1****2/1w*1*2/KW****1/2****1/1w***2/*2W1k* w 0"
    output = bench.piped(["--play", "shakti", "--vs", "me", "--position", mate], "")
    expect_in_order(output, "  4  K W * * * * .", "Result: 0-1 (checkmate)",
                    "Black wins: White is checkmated.")
    output = bench.piped(["--play", "latrunculi", "--vs", "me"], "a1a2\n")
    expect_in_order(output, "  7  . . . d", "  1  S S", "  2  S . . .", "  1  . S")
    output = bench.piped(["--play", "shakti", "--position", "nonsense", "--vs", "me"], status=1)
    expect_in_order(output, "osition")


@test
def raw_lines_reach_the_server(bench):
    client = bench.ludus(*PLAY_SELF, "--name", "raw5")
    client.answer(("white to move> ", "/list")).expect('"type":"list"').expect('"white":"raw5"')
    client.answer(("white to move> ", "/frob")).expect('"code":"unknown-command"')
    client.answer(("white to move> ", "/")).expect('"type":"error"')
    client.answer(("white to move> ", "/set format=text")).expect("must stay JSON here")
    client.answer(("white to move> ", "/" + "x" * 2000)).expect("That line is too long")
    client.answer(("white to move> ", "/move a2a1")).expect('"type":"ok"').expect("(ply 1)")
    client.answer(("black to move> ", "/quit")).expect('"type":"bye"').end()


if __name__ == "__main__":
    sys.exit(run_tests("test_client", test))
