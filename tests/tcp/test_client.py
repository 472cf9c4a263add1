#!/usr/bin/env python3
"""The terminal client: its command line, and what is typed in a match.

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
import time

sys.path.insert(1, sys.path[0] + "/../support")
from answering_server import AnsweringServer
from full_screen import YOUR_TURN
from stage import Tests, run_tests
from terminal import BUILD, LIMIT_S, command_line, expect_in_order, expect_that

PLAY_SELF = ("--play", "clobber:2x2", "--vs", "me")
test = Tests()


@test
def bad_usage_exits_with_2(bench):
    cases = {
        ("--frob",): "ludus: --frob: unknown option",
        ("-xy",): "ludus: -x: unknown option",
        ("-\xe9\xe9",): "ludus: -?: unknown option",
        ("--help=yes",): "ludus: --help=yes: unknown option",
        ("--name",): "ludus: --name: value missing: NAME\n",
        ("--naem", "x"): "ludus: --naem: unknown option (did you mean --name?): see --help",
        ("--conect=x",): "ludus: --conect=x: unknown option (did you mean --connect?): see --help",
        ("--name", "a b"): "ludus: --name: a name is",
        ("--name", "guest-1"): "ludus: --name: a name is",
        ("--name", "me"): "ludus: --name: 'me' cannot be a name: as a seat, `me` is yourself",
        ("--name", "Open"): "ludus: --name: 'Open' cannot be a name",
        ("record",): "ludus: record: arguments are missing (ludus record MATCH): see --help",
        ("record", "--pgn"): "ludus: record: arguments are missing (ludus record MATCH)",
        ("record", "1", "--name", "me"): "ludus: --name: 'me' cannot be a name",
        ("replay",): "ludus: replay: arguments are missing (ludus replay FILE)",
        ("review", "1", "--json", "--pgn"): "ludus: --json, --pgn: only one of them",
        ("--play", ""): "ludus: --play: value missing: GAME[:VARIANT]",
        ("--play", "clobber\nquit"): "ludus: --play: control characters",
        ("--play", "clobber", "--join", "1"): "ludus: --play, --join, --watch: only one of them",
        ("--vs", "me"): "only with --play",
        ("--play", "clobber", "--vs", "me", "--white", "me"): "not together",
        ("--play", "clobber", "--color", "balck"): "is not white, black or random (did you mean black?): see",
        ("--play", "clobber", "--color", "red"): "ludus: --color: 'red' is not white, black or random: see",
        ("--line", "extra"): "ludus: extra: unknown command: see",
        ("lsit",): "ludus: lsit: unknown command (did you mean list?): see --help",
        ("histroy", "anna"): "did you mean history?",
        ("x" * 5000,): "unknown command: see --help",
        ("--name", "x", "lits"): "ludus: lits: unknown command (did you mean list?): see --help",
        ("--line", "list"): "ludus: --line: not an option of list: write ludus list: see --help",
        ("new", "--game", "shakti"): "ludus: --game: not an option of new: write ludus new GAME[:VARIANT]: see",
        ("--connect", "localhost:1", "join"): "ludus: --connect: not an option of join: write ludus join [HOST[:PORT]]: see",
        ("host", "--connect=x"): "ludus: --connect: not an option of host: write ludus host [GAME[:VARIANT]]...: see",
        ("learn", "shakit"): "ludus: learn: unknown game 'shakit' (did you mean shakti?)",
        ("learn", "chess"): "ludus: learn: unknown game 'chess': the games are clobber, ",
        ("seek", "shakti", "--rating", "1400"): "ludus: --rating: '1400' is not LOW-HIGH, such as 1400-1600: see",
        ("seek", "shakti", "--rating", "1600-1400"): "ludus: --rating: '1600-1400' is not LOW-HIGH",
        ("seek", "shakti", "--bots", "any"): "ludus: --bots: 'any' is not yes, no or only: see --help",
        ("tournament", "shwo", "1"): "ludus: tournament: unknown action 'shwo' (did you mean show?): it is one of new, ",
        ("tournament", "show"): "ludus: tournament show: arguments are missing (ludus tournament show ID): see",
        ("tournament", "list", "1"): "ludus: tournament list: too many arguments (ludus tournament list): see",
        ("tournament", "new", "cup"): "ludus: tournament new: arguments are missing (ludus tournament new NAME GAME",
        ("watch", "loby"): "ludus: watch: 'loby' is no match (did you mean lobby?): see --help",
        ("new", "clobber", "--vs", "me", "--white", "me"): "ludus: --white, --black: not together with --vs or",
    }
    for arguments, text in cases.items():
        expect_in_order(bench.piped(arguments, status=2), text)


@test
def refusals_of_a_command_line_go_to_standard_error(bench):
    """Nothing but results goes to standard output."""
    cases = {
        ("--play", "clober"): "ludus: unknown game 'clober' (did you mean clobber?)\n",
        ("--play", "clobber", "--vs", "bot:hrad"): "ludus: unknown player 'bot:hrad' (did you mean bot:hard?): a seat",
        ("--play", "clobber", "--vs", "nobody9"): "ludus: unknown player 'nobody9': a seat is",
        ("--join", "99999"): "ludus: unknown match '99999'\n",
        ("--watch", "99999", "--line"): "ludus: unknown match '99999'\n",
        ("seek", "chess"): "ludus: unknown game 'chess': the games are",
        ("new", "clober"): "ludus: new clober: unknown game 'clober' (did you mean clobber?)\n",
        ("resign", "99999"): "ludus: resign 99999: unknown match '99999'\n",
    }
    for arguments, text in cases.items():
        done = subprocess.run(command_line(bench.server.address, arguments), text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, env=bench.home.environment(), timeout=LIMIT_S)
        expect_that((done.returncode, done.stdout) == (1, "") and done.stderr.startswith(text), f"{arguments}: {done}")


@test
def options_before_the_command(bench):
    """They count as if they stood behind it, whichever of its options they are."""
    server = bench.server.address
    def said(*words, status=0):
        done = subprocess.run([os.path.join(BUILD, "ludus"), *words], text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, env=bench.home.environment(), timeout=LIMIT_S)
        expect_that(done.returncode == status, f"{words}: {done}")
        return done.stdout
    match = said("--connect", server, "--name", "vorn", "new", "clobber:2x2", "--vs", "me").strip()
    row = said("--connect", server, "--plain", "state", match)
    expect_that(row == said("state", "--plain", match, "--connect", server) and row.startswith(match), row)
    expect_that(said(f"--connect={server}", "--name=vorn", "--ply", "0", "move", match, "a2a1") == "", "move")
    expect_that(said("--conn", server, "--plain=no", "--plain", "state", match).split("\t")[2] == "1", "a beginning")
    expect_that(said("--help", "list") == said("list", "--help"), "--help")
    expect_that(said("--version", "list").startswith("ludus "), "--version")
    said("--connect", server, "--", "list", status=2)
    done = subprocess.run([os.path.join(BUILD, "ludus-bot"), "--seed", "1", "ugi"], input="isready\nquit\n", text=True,
                          capture_output=True, timeout=LIMIT_S)
    expect_that((done.returncode, done.stdout) == (0, "readyok\n"), done)


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
    expect_in_order(said_by("host", "clober"), "ludus: host: unknown game 'clober' (did you mean clobber?)")
    expect_in_order(said_by("rules", "xadresi"), "ludus: rules: unknown game 'xadresi' (did you mean xadrersi?)")
    expect_in_order(said_by("help", "list", "x"), "ludus: help: unexpected argument 'x' (ludus help [COMMAND])")
    expect_in_order(said_by("help", "recrod"), "ludus: recrod: unknown command (did you mean record?)")


@test
def ports_are_numbers(bench):
    for address in ("localhost:99999", "localhost:0", "localhost:x1", "tls://localhost:65536"):
        expect_in_order(bench.piped(["list"], address=address, status=1), "is not a port: write a number from 1 to 65535")
        menu = bench.ludus(address=address).expect("is not a port").end(1)
        expect_that("No server there" not in menu.screen, menu.screen)


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
    full = bench.full("--play", "xadrersi", "--vs", "me").expect(YOUR_TURN).drawn().keys("Kd4", "enter").expect("(Black)")
    full.drawn().keys("nd5", "enter").expect("N@d5").drawn().keys("Nf9", "enter").expect("f9 is off the board")
    full.drawn().keys("pass", "enter").expect("assing")

@test
def join_takes_a_free_seat(bench):
    """`join` skips seats reserved for others. A player with a seat returns to it."""
    server = bench.new_server("--no-bots")
    anna, carla = bench.keep(server.connect("anna")), bench.keep(server.connect("carla"))
    anna.do("new clobber white=me black=carla")
    for line, wanted in ((None, "No match is open there"),
                         ("new shakti white=open black=me", "match 2  shakti"),
                         ("new shakti white=open black=me", "match 2  shakti")):
        if line is not None:
            carla.do(line)
        done = subprocess.run([os.path.join(BUILD, "ludus"), "join", server.address, "--line",
                               "--name", "bob"], input="quit\n", text=True, capture_output=True,
                              env=bench.home.environment(), timeout=LIMIT_S)
        expect_in_order(done.stdout, wanted, *(["white (capitals): bob   black: carla"] if line else []))


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
                    f"ludus: {address}: Connection refused\n", "ludusd", "ludus host", "ludus join")
    bench.ludus(address=address).expect("Connection refused").end(1)
    done = subprocess.run([os.path.join(BUILD, "ludus"), "join", address], text=True,
                          capture_output=True, env=bench.home.environment(), timeout=LIMIT_S)
    expect_that(done.returncode == 1 and "ludusd" not in done.stderr, done.stderr)
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
    full = bench.full("--play", "clobber:3x2", "--vs", "me").expect("Clobber 3x2, casual match ").expect(YOUR_TURN)
    full.drawn().keys("B1A1", "enter").expect("1. b1a1").expect("(Black)").drawn().keys("b2 A2", "enter").expect("b2a2")
    full.drawn().keys("b2a1", "enter").expect("b2 is empty").drawn().keys("a1a2", "enter").expect("2. a1a2").drawn().keys("move c1c2", "enter")
    full.expect("Black wins: White has no moves left.")

@test
def wrong_moves_get_their_sentences(bench):
    full = bench.full(*PLAY_SELF, columns=120, rows=40).expect(YOUR_TURN)
    for text, sentence in (("a1b1", "The stone on a1 is not yours"),
                           ("a2a9", "a9 is off the board"),
                           ("a2b1", "A stone moves one square up"),
                           ("pass", "Passing is not allowed in Clobber"),
                           ("q@a1", "Pieces are not placed in this game"),
                           ("b2", "'b2' is not a move")):
        full.drawn().keys(text, "enter").until(lambda screen: "".join(sentence.split()) in "".join(screen.split()), f"no {sentence}")
    for text, sentence in (("move", '"move" is not a move or a command'),
                           ("hello", '"hello" is not a move or a command'),
                           ("x" * 50, "x" * 40 + '" is not a move')):
        full.drawn().keys(text, "enter").expect(sentence).expect("close").drawn().keys("enter").expect_gone("close").expect(YOUR_TURN)
    full.drawn().keys("a2a1", "enter").expect("(Black)").drawn().keys("quit", "enter").end()

@test
def lists_of_moves(bench):
    full = bench.full(*PLAY_SELF).expect(YOUR_TURN)
    full.drawn().keys("moves", "enter").expect("4 legal moves:").expect("a2a1").drawn().keys("moves b1", "enter").expect("2 legal moves:")
    full.drawn().keys("moves a1", "enter").expect("0 legal moves.").drawn().keys("moves z9", "enter").expect("z9 is off the board")

@test
def hints(bench):
    full = bench.full(*PLAY_SELF, columns=120).expect(YOUR_TURN).drawn().keys("hint", "enter").expect("Hint: ").expect("Enter plays it")
    full.drawn().keys("a2a1", "enter").expect("(Black)").drawn().keys("b2b1", "enter").expect("(White)").drawn().keys("hint", "enter").expect("Hint: a1b1")
    match = re.search(r"match (\d+)", full.screen).group(1)
    watcher = bench.full("--watch", match, columns=120).expect("match")
    watcher.drawn().keys("hint", "enter").expect("Only a player of a running match gets hints.").drawn().keys("escape").expect("> Play now")
    watcher.pick("Type a command").expect("Which command?").drawn().keys("hint", "enter").expect("There is no match on the screen.")

@test
def hints_of_no_bot(bench):
    folder = os.path.join(bench.home.path, "bin")
    os.mkdir(folder)
    program = os.path.join(folder, "ludus")
    shutil.copy(os.path.join(BUILD, "ludus"), program)
    bot = os.path.join(folder, "ludus-bot")

    def hint(why):
        full = bench.full(*PLAY_SELF, program=program, PATH="", columns=120).expect(YOUR_TURN)
        full.drawn().keys("f3").expect(why).drawn().keys("a2a1", "enter").expect("(Black)").drawn().keys("quit", "enter").end()

    hint("No hint: ludus-bot: No such file or directory")
    for script, why in (("exit 1", "No hint: the engine"), ("echo ugiok; sleep 0.1", "No hint: the engine"),
                        ("echo readyok ugiok nonsense; exit", "No hint: ")):
        with open(bot, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(bot, 0o700)
        hint(why)

@test
def undo_draw_flip_board_record_and_rematch(bench):
    full = bench.full("--play", "clobber:2x3", "--vs", "me", columns=120, rows=40).expect(YOUR_TURN)
    full.drawn().keys("undo", "enter").expect("Nothing to take back: you have not moved")
    full.drawn().keys("b1a1", "enter").expect("(Black)").drawn().keys("undo", "enter").expect("Move taken back. It is")
    files = re.search(r"^ *a +b\b", full.screen, re.M).group()
    full.drawn().keys("flip", "enter").expect_gone(files).drawn().keys("flip", "enter").expect(files).drawn().keys("board", "enter")
    full.drawn().keys("b1a1", "enter").expect("1. b1a1").drawn().keys("record", "enter").expect('[Variant "Clobber 2x3"]').expect("1. b1a1 *")
    full.drawn().keys("escape").expect("(Black)").drawn().keys("draw", "enter").expect("Clobber has no draws: one side always wins.")
    full.drawn().keys("resign", "enter").expect("Resign? (y/n)").keys("y").expect("resigned")
    full.drawn().keys("record", "enter").expect('[Reason "resign"]').expect("1. b1a1 1-0").drawn().keys("escape")
    full.expect("Rematch").drawn().keys("rematch", "enter").expect_gone("Rematch").expect(YOUR_TURN)
    full.drawn().keys("abort", "enter").expect("aborted").drawn().keys("rematch", "enter").expect(YOUR_TURN)
    full.drawn().keys("rules", "enter").expect("The rules of Clobber").drawn().keys("escape").expect(YOUR_TURN)
    full.drawn().keys("help", "enter").expect("list the keys").drawn().keys("end").expect("/LINE").drawn().keys("escape").expect(YOUR_TURN)
    full.drawn().keys("quit", "enter").end()
    expect_in_order(full.plain, " is still there; come back with", "ludus --connect ")

@test
def bots_by_strength(bench):
    """Weakest first, whatever the server's order; unknown ones last."""
    levels = ("future", "max", "greedy", "random", "medium")
    players = [{"name": name} for name in ("anna", *(f"bot:{level}" for level in levels))]
    server = bench.keep(AnsweringServer({"who": [{"type": "who", "players": players}]}))
    full = bench.full(address=server.address).expect("> Play now").pick("Play a bot").expect("< bot:greedy >")
    full.drawn().keys("down", "down", "down")
    for level in ("medium", "max", "future", "random", "greedy"):
        full.drawn().keys("right").expect(f"< bot:{level} >")
    server = bench.keep(AnsweringServer({
        "new": [{"type": "error", "code": "unknown-player", "message": "nobody"}],
        "who": [{"type": "who", "players": players[1:]}]}))
    expect_in_order(bench.piped(["--play", "clobber", "--vs", "bot:foo"], address=server.address,
                                status=1), "ludus: nobody\n",
                    "are bot:random, bot:greedy, bot:medium, bot:max, bot:future\n")

@test
def watchers_only_watch(bench):
    peer = bench.peer("walter")
    match = peer.do("new clobber:3x2 white=me black=me")["match"]
    full = bench.full("--watch", match, columns=120, rows=40).expect("walter")
    full.drawn().keys("a1b1", "enter").expect("You are watching. Only the players can move.")
    full.drawn().keys("resign", "enter").expect("Only a player of a running match can do that.")
    peer.do(f"move {match} b1a1")
    full.expect("1. b1a1").drawn().keys("say nice", "enter").expect("> nice").drawn().keys("leave", "enter").expect("> Play now")
    full.pick("Type a command").expect("Which command?").drawn().keys(f"go {match}", "enter").expect("1. b1a1")
    expect_in_order(bench.piped(["--watch", "nosuch"], status=1), "ludus: unknown match 'nosuch'")

@test
def a_challenge_to_somebody_away(bench):
    bench.peer("anna2").close()
    gone = bench.full("--name", "dora2", "--play", "clobber", "--vs", "anna2", columns=120, rows=40)
    gone.expect("Waiting for anna2 to accept the challenge").expect("(away now)").drawn().keys("abort", "enter").expect("aborted")
    expect_in_order(bench.piped(["--play", "clobber", "--vs", "nobody"], status=1), "ludus: unknown player 'nobody'")

@test
def seeking_an_opponent(bench):
    client = bench.full("--name", "seeker1", *PLAY_SELF, columns=120, rows=40).expect(YOUR_TURN)
    client.drawn().keys("seek", "enter").expect("`seek GAME`").drawn().keys("seek chess", "enter").expect("Unknown game 'chess'").drawn().keys("enter")
    client.expect(YOUR_TURN).drawn().keys("seek clobber rating=2000-1000", "enter").expect("rating=: write the lowest").drawn().keys("enter")
    client.expect(YOUR_TURN)
    client.drawn().keys("seek clobber:3x2", "enter").expect("The server looks for an opponent")
    client.drawn().keys("unseek", "enter").expect("You no longer seek an opponent.").drawn().keys("resign", "enter").expect("Resign? (y/n)").keys("y").expect("resigned")
    client.drawn().keys("seek clobber:3x2", "enter").expect("The server looks for an opponent")
    peer = bench.peer("seeker2")
    peer.do("seek clobber:3x2")
    client.expect("Clobber 3x2, rated match ").expect("seeker2").expect("(White)").drawn().keys("resign", "enter").expect("Resign? (y/n)").keys("y").expect("resigned")
    client = bench.full("--name", "seeker3", "--play", "clobber", "--vs", "seeker2", columns=120, rows=40).expect("Waiting for seeker2")
    match = peer.wait_for("challenge")["match"]
    peer.do(f"decline {match} busy")
    client.expect(f"seeker2 declines match {match}: busy.")

@test
def house_bots_that_are_not_there(bench):
    output = bench.piped(["--play", "clobber", "--vs", "bot:foo"], status=1)
    expect_in_order(output, "'bot:foo'", "the house bots here are bot:")
    expect_that("bot:random" in output and "bot:greedy" in output, output)
    fresh = bench.new_server("--no-bots")
    output = bench.piped(["--play", "clobber", "--vs", "bot:foo"], status=1, address=fresh.address)
    expect_in_order(output, "'bot:foo'", "there are no house bots here")


@test
def of_several_offers_accept_asks_which(bench):
    client = bench.full("--name", "anna10", "--play", "clobber:3x2", columns=120, rows=40).expect("--join ")
    match = re.search(r"--join (\d+)", client.screen).group(1)
    peer = bench.peer("bob10")
    peer.do(f"join {match}")
    client.expect(YOUR_TURN).drawn().keys("b1a1", "enter")
    peer.wait_for("state", ply=1)
    for line in (f"move {match} b2a2", f"undo {match}", f"draw {match}"):
        peer.do(line)
    client.expect("bob10 offers a draw").drawn().keys("accept", "enter").expect("which one? `accept draw`, `accept undo`")
    client.drawn().keys("enter").expect("Accept?").drawn().keys("decline draw", "enter").expect("declined together").drawn().keys("enter")
    client.expect("bob10 offers a draw. Accept?").drawn().keys("accept rematch", "enter")
    client.expect("There is nothing to accept.").drawn().keys("accept UNDO", "enter").expect("Move taken back. It is")
    peer.do(f"draw {match}")
    client.expect("bob10 offers a draw")
    peer.do("new clobber:2x2 white=anna10")
    client.expect("challenges you").drawn().keys("decline", "enter").expect("`decline draw`, `decline challenge`")
    client.drawn().keys("enter").expect("bob10 offers a draw. Accept?")
    client.drawn().keys("decline challenge", "enter").expect("Declined.").drawn().keys("accept", "enter").expect("Draw: both agreed.")
    match = peer.do("new clobber:2x2 white=anna10 black=me")["match"]
    client.expect(f"match {match}): accept").drawn().keys("leave", "enter").expect("> Accept the challenge")
    peer.do(f"abort {match}")
    client.expect("was withdrawn.").expect("> Play now").pick("Type a command").expect("Which command?").drawn().keys("accept", "enter")
    client.expect("There is nothing to accept.")

@test
def standing_offers_are_shown_again(bench):
    proxy = bench.proxy()
    client = bench.full("--name", "anna11", "--play", "clobber:3x2", address=proxy.address, columns=120, rows=40)
    match = re.search(r"--join (\d+)", client.expect("--join ").screen).group(1)
    peer = bench.peer("bob11")
    peer.do(f"join {match}")
    client.expect(YOUR_TURN).drawn().keys("undo", "enter").expect("Nothing to take back: you have not moved.")
    peer.do(f"draw {match}")
    client.expect("bob11 offers a draw: accept").drawn().keys("up").expect("bob11 offers a draw. Accept?")
    proxy.drop()
    client.until(lambda screen: "bob11 offers a draw: accept" in screen.partition("Connected again.")[2], "no offer after coming back")
    client.expect("bob11 offers a draw. Accept?").drawn().keys("menu", "enter").expect("> Back to match")
    proxy.drop()
    client.expect(f"Match {match}: bob11 offers a draw.")
    client.pick("Back to match").expect("bob11 offers a draw. Accept?")
    client.drawn().keys("n").expect("Declined.").drawn().keys("b1a1", "enter")
    peer.wait_for("state", ply=1)
    client.expect("Waiting for bob11").drawn().keys("undo", "enter").expect("You asked to take back a move. Waiting for bob11.")
    client.drawn().keys("menu", "enter").expect("> Back to match").drawn().keys("enter")
    client.expect("You asked to take back a move. Waiting for bob11.")
    client.drawn().keys("resign", "enter").expect("Resign? (y/n)").keys("y").expect("resigned")

@test
def a_rematch_is_accepted_in_the_menu(bench):
    peer = bench.peer("bob12")
    client = bench.full("--name", "anna12", "--play", "clobber:3x2", "--vs", "bob12", columns=120, rows=40)
    client.expect("Waiting for bob12")
    match = peer.wait_for("challenge")["match"]
    peer.do(f"join {match}")
    client.expect(YOUR_TURN).drawn().keys("menu", "enter").expect("> Back to match")
    peer.do(f"resign {match}")
    client.expect(f"Match {match} is over: 1-0 (resign).")
    for answer, shown in (("decline", "Declined."), ("accept", "There is nothing to accept.")):
        if answer == "decline":
            peer.do(f"rematch {match}")
            client.expect(f"bob12 asks for a rematch of match {match}: accept or decline?")
        client.pick("Type a command").expect("Which command?").drawn().keys(answer, "enter").expect(shown)
    peer.do(f"rematch {match}")
    client.expect("accept or decline?").pick("Type a command").expect("Which command?").drawn().keys("accept", "enter")
    client.expect("Waiting for bob12 (White)").drawn().keys("resign", "enter").expect("Resign? (y/n)").keys("y").expect("resigned")

@test
def the_time_to_claim_is_told(bench):
    server = bench.new_server("--no-bots", "--grace", "1")
    peer = server.connect("bob13")
    client = bench.full("--name", "anna13", "--play", "clobber:3x2", "--vs", "bob13", address=server.address,
                        columns=120, rows=40).expect("Waiting for bob13")
    peer.do(f"join {peer.wait_for('challenge')['match']}")
    client.expect(YOUR_TURN).drawn().keys("say hal").expect("hal")
    peer.close()
    client.expect("bob13 is away. You can claim the win in 1 s:").expect("bob13 is still away. You can claim the win")
    client.expect("> say hal").control("u").drawn().keys("claim", "enter").expect("bob13 left the game.")

@test
def all_games_are_drawn(bench):
    """`ludus state` draws them as text."""
    peer = bench.peer("drawer")

    def state(game, *moves):
        match = peer.do(f"new {game}")["match"]
        for move in moves:
            peer.do(f"move {match} {move}")
        return bench.piped(["state", match, "--name", "drawer-2"])

    both = "white=me black=me"
    expect_in_order(state(f"xadrersi {both}"), "Xadrersi touch, match", ": white drawer, black drawer\n",
                    "Score: white 0, black 0", "In hand: white KQRRBBNN, black kqrrbbnn", "White to move")
    expect_in_order(state(f"xadrersi {both}", "K@d4"), "Last move: K@d4 by white (ply 1)",
                    "In hand: white QRRBBNN, black kqrrbbnn", "Black to move")
    expect_in_order(state(f"xadrersi {both}", "K@d4", "Q@d5"), "by black (ply 2)", "Score: white ", "black krrbbnn",
                    "Black placed its queen: white places its own now")
    mate = "*2*2*/1****2/1w*1*2/KW****1/2****1/1w***2/*2W1k* w 0"
    expect_in_order(state(f"shakti {both} position={mate}"), "  4  K W * * * * .", "Result: 0-1 (checkmate)",
                    "Black wins: White is checkmated.")
    expect_in_order(state(f"latrunculi {both}", "a1a2"), "  7  . . . d", "  2  S . . .", "  1  . S")
    expect_in_order(state(f"clobber:3x2 {both} clock=300+5"), "Clobber 3x2", "  2  P p P\n  1  p P p\n     a b c",
                    "Clocks: white 5:00, black 5:00")
    output = bench.piped(["--play", "shakti", "--position", "nonsense", "--vs", "me"], status=1)
    expect_in_order(output, "osition")

@test
def raw_lines_reach_the_server(bench):
    client = bench.full(*PLAY_SELF, "--name", "raw5", columns=120, rows=40).expect(YOUR_TURN)
    client.drawn().keys("/list", "enter").expect("white raw5").drawn().keys("enter").expect(YOUR_TURN)
    client.drawn().keys("/frob", "enter").expect("Unknown command 'frob'").drawn().keys("/set format=text", "enter").expect("must stay JSON here")
    client.drawn().keys("enter").drawn().keys("/hello other", "enter").expect("You have a name here.").drawn().keys("enter")
    client.expect(YOUR_TURN).drawn().keys("/move a2a1", "enter").expect("1. a2a1").drawn().keys("/quit", "enter").end()

if __name__ == "__main__":
    sys.exit(run_tests("test_client", test))
