#!/usr/bin/env python3
"""The client in full screen: keys, and the screens that they lead to.

usage: python3 tests/tcp/test_screen.py BUILD_DIR [TEST...]

tests/screens/ has the expected screens. With UPDATE_SCREENS=1 in the environment the test rewrites them;
review them before a commit.
"""

import json
import os
import random
import re
import shutil
import signal
import socket
import sys
import termios
import time

from emulator import Emulator
from full_screen import KEYS
from golden_screen import expect_screen
from stage import Closing, Tests, run_tests
from terminal import BUILD, LIMIT_S, Script, Server, expect_that
from test_review import Folder

UTF8 = {"LC_ALL": "C.UTF-8"}
ASCII = {"LC_ALL": "C"}
HERE = ("--vs", "me")
YOUR_TURN = "Your turn ("

test = Tests()


# --- screens as files -------------------------------------------------------------------------

POSITIONS = {
    "clobber": ("clobber:5x6", "Ppp1P/p1Ppp/1PP1P/p1P2/Pp1Pp/pPPp1 b"),
    "xadrersi": ("xadrersi:touch", "8/8/8/8/8/QKqN4/2Nr4/1n1n4[RRBBkrbb] w - b1"),
    "latrunculi": ("latrunculi", "3s1ss1/S2d2s1/S1sS4/8/8/4ss2/1D2S3/2S5 b 4"),
    "shakti": ("shakti", "*5*/2****1/1*****1/w**w1*1/2*1**1/1***1k1/*2K2* w 0"),
}


def leave(full):
    said = "Ctrl-C again ends the program"
    full.control("c").until(lambda screen: screen.rstrip().endswith(said), f"no {said!r} at the end")
    full.control("c").end()


def screens_of(bench, game, letters, locale):
    play, position = POSITIONS[game]
    full = bench.full("--name", f"{game[:3]}-{letters}", "--play", play, *HERE, "--position", position,
                      **locale)
    full.expect(YOUR_TURN)
    expect_screen(full, f"{game}-{letters}-white-80x24")
    full.control("f")
    expect_screen(full, f"{game}-{letters}-black-80x24")
    full.resize(120, 40)
    expect_screen(full, f"{game}-{letters}-black-120x40")
    full.control("f")
    expect_screen(full, f"{game}-{letters}-white-120x40")
    leave(full)


@test
def clobber_screens(bench):
    screens_of(bench, "clobber", "ascii", ASCII)
    screens_of(bench, "clobber", "utf8", UTF8)


@test
def xadrersi_screens(bench):
    screens_of(bench, "xadrersi", "ascii", ASCII)
    screens_of(bench, "xadrersi", "utf8", UTF8)


@test
def latrunculi_screens(bench):
    screens_of(bench, "latrunculi", "ascii", ASCII)
    screens_of(bench, "latrunculi", "utf8", UTF8)


@test
def shakti_screens(bench):
    screens_of(bench, "shakti", "ascii", ASCII)
    screens_of(bench, "shakti", "utf8", UTF8)


@test
def the_smallest_screens(bench):
    for game in POSITIONS:
        play, position = POSITIONS[game]
        full = bench.full("--name", game[:3], "--play", play, *HERE, "--position", position,
                          columns=40, rows=16, **ASCII)
        full.expect(YOUR_TURN)
        expect_screen(full, f"{game}-ascii-white-40x16")
        leave(full)


@test
def menu_and_rules_screens(bench):
    full = bench.full("--name", "anna-menu", **ASCII).expect("Quit")
    expect_that("Play a bot" in full.screen, full.screen)
    full.pick("Rules of the games").expect("The rules of which game?")
    for title in ("Clobber", "Xadrersi", "Latrunculi XXI", "Shakti"):
        full.keys("enter").expect(f"The rules of {title}").keys("pgdn").expect(" -> ")
        full.keys("enter").expect("The rules of which game?").keys("down")
    full.keys("escape").expect("Play a bot").pick("Quit").end()


# --- whole games by keys ----------------------------------------------------------------------


def played(bench, game, position, moves, result, **options):
    arguments = ["--play", game, *HERE] + (["--position", position] if position else [])
    full = bench.full(*arguments, **{**UTF8, **options}).expect(YOUR_TURN)
    for move in moves[:-1]:
        side = "(Black)" if "(White)" in full.screen else "(White)"
        full.play(move).expect(side)
    full.play(moves[-1]).expect(result)
    return full


@test
def a_game_of_clobber_by_keys(bench):
    full = played(bench, "clobber:2x2", None, ["a2a1", "b2b1", "a1b1"], "has no moves left.")
    full.expect("  1. a2a1    b2b1").expect("  2. a1b1")
    leave(full.keys("escape").expect("Play a bot"))


@test
def the_end_of_xadrersi_by_keys(bench):
    played(bench, "xadrersi", "8/8/8/8/b7/QKqNR3/r1Nr4/bn1nBB2[Rk] w - a4", ["R@d4", "K@c4"],
           "has fewer points.")


@test
def the_end_of_latrunculi_by_keys(bench):
    played(bench, "latrunculi", "8/7S/8/8/8/2S5/6s1/1d4D1 b 58", ["b1b3", "c3g3"],
           "has no soldiers left.")


@test
def the_end_of_shakti_by_keys(bench):
    played(bench, "shakti", "*1**2*/1w****1/1*****1/w**2*1/2****1/1****1K/*2k2* w 0",
           ["g2e4", "b6d4"], "is checkmated.", **ASCII)


@test
def passing_in_shakti(bench):
    full = bench.full("--play", "shakti", *HERE, "--position",
                      "*******/*******/******1/******k/*******/*******/*K***** w 0", **ASCII)
    full.expect("You have no move (White). Enter passes").keys("enter").expect("(Black)")


@test
def typed_moves_and_wrong_ones(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    full.keys("a1a2", "enter").expect("The stone on a1 is not yours")
    full.keys("zz", "enter").expect("\"zz\" is not a move or a command (F1")
    full.keys("a2b9", "backspace", "2", "enter").expect("(Black)")
    full.keys("left", "up", "enter").expect("Choose a black piece")


@test
def the_mouse(bench):
    full = bench.full("--play", "clobber:2x2", *HERE, **ASCII).expect(YOUR_TURN)
    full.click("Poo]").expect(">%%p%%<").click("p%%<").expect("(Black)")


@test
def menus_and_pages_by_the_mouse(bench):
    full = bench.full(rows=24).expect("> Play now").wheel(up=False).expect("> Play a bot")
    full.wheel(up=True).expect("> Play now").click("Rules of the games").expect("which game?")
    full.click("Shakti").expect("The rules of Shakti").wheel(up=False).expect_gone("Pieces stand")
    full.wheel(up=True).expect("Pieces stand").keys("enter").expect("which game?").keys("escape")
    full.expect("Quit").click("Quit").end()


@test
def home_and_end_in_menus_and_pages(bench):
    full = bench.full(rows=20).expect("> Play now").keys("end").expect("> Quit").keys("home")
    full.expect("> Play now").pick("Rules of the games").expect("> Clobber")
    full.keys("end").expect("> Shakti").keys("enter").expect("Pieces stand").keys("end")
    full.expect_gone("Pieces stand").keys("home").expect("Pieces stand").keys("enter")
    full.expect("> Shakti").keys("home").expect("> Clobber").keys("escape").expect("> Rules")
    full.keys("end", "enter").end()


@test
def the_wheel_scrolls_the_moves(bench):
    full = bench.full("--play", "clobber:8x8", *HERE, rows=18).expect(YOUR_TURN)
    for pair in range(8):
        rank = 8 - pair
        first, second = ("b", "a") if rank % 2 == 0 else ("a", "b")
        full.keys(f"{second}{rank}{first}{rank}", "enter").expect("(Black)")
        full.keys(f"d{rank}c{rank}" if rank % 2 == 0 else f"c{rank}d{rank}", "enter")
        full.expect("(White)")
    full.expect("  8. ").expect_gone("  1. ")
    for _ in range(7):
        full.wheel(up=True)
    full.expect("  1. ").wheel(up=False).expect("  2. ")


@test
def a_hint_knows_the_moves_so_far(bench):
    """Or it would repeat positions. It also says what the move does."""
    folder, log = os.path.join(bench.home.path, "bin"), os.path.join(bench.home.path, "heard")
    os.mkdir(folder)
    shutil.copy(os.path.join(BUILD, "ludus"), folder)
    with open(os.path.join(folder, "ludus-bot"), "w", encoding="utf-8") as script:
        script.write(f'#!/bin/sh\nwhile read -r line; do echo "$line" >>"{log}"; echo "$line"; done |\n'
                     f'"{os.path.abspath(BUILD)}/ludus-bot" "$@"\n')
    os.chmod(script.name, 0o755)
    full = bench.full("--play", "clobber:2x2", *HERE, program=os.path.join(folder, "ludus"))
    full.expect(YOUR_TURN).keys("a2a1", "enter").expect("(Black)").keys("f3").expect(
        "Hint: b2b1 leaves your opponent 1 move. Enter plays it.").keys("enter")
    full.expect("(White)").keys("f3").expect("Hint: a1b1 wins the game").keys("escape")
    with open(log, encoding="utf-8") as heard:
        expect_that("moves a2a1 b2b1\n" in heard.read(), "the moves are not told")


@test
def a_hint_can_be_played(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    full.keys("f3").expect("Hint: ").keys("enter").expect("(Black)")


@test
def a_hint_ends_with_the_match(bench):
    folder = bench.keep(Folder("echo $$ >\"$0.pid\"\nexec sleep 600\n"))
    path = os.path.join(folder.path, "ludus-bot.pid")
    full = bench.full("--play", "clobber:2x2", *HERE, program=folder.program).expect(YOUR_TURN)
    full.keys("f3").expect("Thinking about a hint")
    full.until(lambda _: os.path.exists(path) and os.path.getsize(path) > 0, "no bot")
    with open(path, encoding="utf-8") as file:
        bot = f"/proc/{file.read().strip()}"
    full.control("r").expect("Resign?").keys("y").expect("resigned").keys("f1").expect("Keys")
    expect_that(not os.path.exists(bot), "the bot still thinks")


# --- others -----------------------------------------------------------------------------------


@test
def against_a_bot_from_the_menu(bench):
    full = bench.full().expect("> Play now").pick("Play a bot").expect("< Clobber >")
    full.keys("down", "e").expect("files x ranks").keys("2x2", "enter").expect("< 2x2 >")
    full.keys("down", "down", "down", "right").expect("< 1 + 1 >").keys("enter").expect("Clobber 2x2")
    full.expect(YOUR_TURN).expect("1:00").expect("The clocks start with the first move")
    full.keys("a2a1", "enter").expect("1. a2a1    b2b1").keys("a1b1", "enter").expect("has no moves left.")
    full.control("n").expect("Black " + bench.me)


@test
def play_now_finds_a_fitting_bot(bench):
    """One level down after a loss, one up after a win, in the game played last."""
    full = bench.full().expect("> Play now").keys("enter").expect("Clobber 5x6").expect("bot:greedy")
    full.expect(YOUR_TURN).keys("b1a1", "enter").expect("1. b1a1    ").control("r").keys("y")
    full.expect("resigned").keys("escape").expect("> Play now").keys("enter")
    full.expect("bot:random").expect(YOUR_TURN).keys("abort", "enter").expect("Game aborted.").keys("escape")
    full.pick("Play a bot").expect("< Clobber >").keys("down", "e").keys("2x2", "enter")
    full.expect("< 2x2 >").keys("enter").expect(YOUR_TURN).keys("a2a1", "enter")
    full.expect("b2b1").keys("a1b1", "enter").expect("has no moves left.").keys("escape")
    full.pick("Play now").expect("Clobber 2x2").expect("bot:easy").expect(YOUR_TURN)


@test
def a_friend_joins_talks_and_offers(bench):
    host = bench.full("--play", "clobber:5x6", "--vs", "open").expect("Waiting for an opponent")
    home = bench.new_home()
    friend = bench.full(home=home).expect("Play a bot")
    friend.pick("Join a match").expect("Clobber 5x6, white")
    friend.keys("enter").expect("Waiting for")
    host.expect(YOUR_TURN)
    friend.keys("say good luck", "enter")
    host.expect(f"<{home.user}> good luck").keys("b1a1", "enter").expect("1. b1a1")
    friend.expect(YOUR_TURN).keys("f5").expect("Offer a draw? (y/n)").keys("y")
    friend.expect("You offered a draw. Waiting for")
    host.expect(f"{home.user} offers a draw").keys("n")
    friend.expect("declines the draw")
    host.expect_gone("Accept?").keys("f4").expect("You asked to take back a move. Waiting for")
    friend.expect("asks to take back the last move").keys("y")
    host.expect(YOUR_TURN).expect_gone("1. b1a1")
    host.control("r").expect("Resign? (y/n)").keys("y").expect("resigned")
    friend.expect("resigned").control("n").expect("You asked for a rematch. Waiting for")
    host.expect("asks for a rematch").keys("y").expect("Clobber 5x6")
    friend.expect(YOUR_TURN)


def expect_nothing_of(full, *texts):
    """The text is neither in the panel nor on the page of the chat."""
    for text in texts:
        full.expect_gone(text)
    full.control("g").expect("What was said").expect("Enter close")
    for text in texts:
        expect_that(text not in full.screen, full.screen)
    full.keys("enter").expect(YOUR_TURN)


@test
def what_is_said_in_a_match_begins_empty(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).keys("a1a2", "enter")
    full.expect("The stone on a1 is not yours").keys("a2a1", "enter").expect("(Black)")
    full.expect("The stone on a1")  # still in the panel
    full.keys("f5").expect("End the game as a draw?").keys("y").expect("Draw: both agreed.").keys("escape").expect("Play a bot")
    full.pick("Type a command").expect("Which command?").keys("frob", "enter")
    full.expect("Unknown command.").pick("Two players, one keyboard")
    full.expect("< Clobber >").keys("enter").expect(YOUR_TURN)
    expect_nothing_of(full, "not yours", "draw-agreed", "no command")


@test
def what_was_said_in_a_match_stays_there(bench):
    full = bench.full("--play", "clobber:2x3", "--vs", "open").expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    friend = bench.peer("chatty")
    friend.do(f"join {match}")
    friend.do(f"say {match} hello you")
    full.expect("<chatty> hello you").keys("escape").expect("Leave for the menu?").keys("y")
    full.expect("> Back to match")
    friend.do(f"say {match} still there?")
    full.expect(f"[match {match}] <chatty> still there?").pick("Two players, one keyboard")
    full.expect("< Clobber >").keys("enter").expect(YOUR_TURN).keys("b1a1", "enter").expect("(Black)")
    friend.do(f"say {match} and now?")
    full.expect(f"[match {match}] <chatty> and now?")
    full.keys(f"go {match}", "enter").expect(f"match {match}").expect(YOUR_TURN)
    full.expect("<chatty> hello you").expect("<chatty> still there?").expect("<chatty> and now?")
    expect_that("[match" not in full.screen, full.screen)


def expect_no_go(full, text):
    expect_that("`go" not in text, text)
    leave(full)
    expect_that("`go" not in full.plain, full.plain)


def go_to_friend(full, address):
    full.pick("Join a match").expect("Type the address").pick("Type the address of a server")
    return full.expect("Your friend's address").keys(address, "enter")


@test
def a_friend_s_address_can_be_typed(bench):
    """With the join code, if the server requires one."""
    far = bench.keep(Closing(Server("--no-bots", "--code", "sesame"))).thing
    bench.ludus("--name", "anna16", "--code", "sesame", "--play", "clobber:5x6", "--vs", "open",
                address=far.address, home=bench.new_home()).expect("waiting> ")
    full = bench.full().expect("> Play now")
    go_to_friend(full, "[::1").expect("'[::1' is not an address: write HOST:PORT")
    go_to_friend(full, far.address).expect("The join code").keys("escape").expect("> Join a match")
    go_to_friend(full, far.address).expect("The join code").keys("wrong", "enter")
    full.expect("That is not the join code").keys("Sesame", "enter")
    full.expect("Waiting for anna16 (White)").keys("escape").expect("Leave for the menu?").keys("y")
    empty = bench.keep(Closing(Server("--no-bots"))).thing
    go_to_friend(full.expect(f"on {far.address}").expect("> Join a match"), empty.address)
    full.expect("No match is open there").expect(f"on {empty.address}")


@test
def go_stands_only_where_it_can_be_typed(bench):
    """The menu has a row for each match; a match itself has no `go`."""
    full, peer = bench.full().expect("> Play now"), bench.peer("goer")
    match = peer.do(f"new clobber:5x6 white=me black={bench.me}")["match"]
    full.expect("> Accept the challenge").keys("enter").expect("Waiting for goer")
    full.keys("escape").expect("Leave for the menu?").keys("y").expect(f"Match {match} stays open.")
    full.expect("> Back to match").expect_gone("stays open. ")
    peer.do(f"move {match} b1a1")
    full.expect(f"Match {match} (Clobber 5x6 against goer): your turn.")
    peer.do(f"draw {match}")
    full.expect(f"Match {match}: goer offers a draw.")
    expect_no_go(full, full.screen)
    full = bench.full("--name", bench.me, "--watch", match).expect("goer offers a draw. Accept? (y/n)")
    expect_no_go(full, full.screen)
    full = bench.full("--play", "clobber:2x2", *HERE).expect(f"`go {match}` shows it.")
    full.keys("go", "enter").expect("goer offers a draw. Accept?").keys("n").expect("Declined.")
    full.keys("c1d1", "enter").expect("Waiting for goer").keys("escape").expect("Leave").keys("y").expect("Play a bot")
    full.keys("escape").control("c").expect("Ctrl-C again").control("c").end()
    output = bench.piped(["--play", "chess"], status=1)
    expect_that(output.startswith("Unknown game") and "`go" not in output, output)
    lines = bench.ludus("--name", bench.me, "--watch", match).answer(("waiting for white> ", "quit")).end()
    expect_that(f"`go {match}`" not in lines.screen, lines.screen)


@test
def challenges_are_questions(bench):
    full = bench.full().expect("> Play now")
    bench.peer("carl").do(f"new clobber:2x2 black={bench.me}")
    full.expect("> Accept the challenge").keys("enter").expect("Waiting for carl")
    peer = bench.peer("cora")
    peer.do(f"new clobber:3x3 white={bench.me} black=me")
    full.expect("You are challenged").keys("n").expect("Declined.").expect("Waiting for carl")
    peer.do(f"new clobber:3x3 white={bench.me} black=me")
    full.expect("You are challenged").keys("y").expect("Clobber 3x3").expect(YOUR_TURN)
    full.keys("go", "enter").expect("Clobber 2x2")


@test
def clocks_tick(bench):
    full = bench.full("--play", "clobber:5x6", *HERE, "--clock", "300+0").expect("5:00")
    full.keys("b1a1", "enter").expect("1. b1a1").keys("c1d1", "enter").expect("c1d1")

    def shown(screen):
        return min(re.findall(r"[45]:\d\d", screen), default="5:00")

    for _ in range(2):
        before = shown(full.screen)
        full.until(lambda screen, before=before: shown(screen) < before, f"the clock stays at {before}")


@test
def pages_lists_and_flip(bench):
    full = bench.full("--play", "clobber:5x6", *HERE).expect(YOUR_TURN)
    full.keys("f1").expect("Keys").expect("list the keys").keys("pgdn").expect("what it can take, ? hint")
    full.keys("end").expect("end the program")
    full.keys("enter").expect(YOUR_TURN)
    full.keys("moves", "enter").expect("49 legal moves:").keys("escape").expect(YOUR_TURN)
    full.control("o").expect("1 group in play")
    full.control("t").expect("Colours: ").control("p").expect("Pieces as letters")
    full.control("g").expect("What was said").keys("enter").expect(YOUR_TURN)
    full.keys("escape").expect("Leave for the menu?").keys("n").expect(YOUR_TURN)
    full.keys("escape").expect("Leave for the menu?").keys("y").expect("> Back to match")
    full.keys("enter").expect(YOUR_TURN)


@test
def a_running_match_as_it_was(bench):
    full = bench.full("--play", "clobber:2x3", "--vs", "open", columns=100).expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    home = bench.new_home()
    friend = bench.full("--join", match, home=home).expect("Waiting for")
    full.expect(YOUR_TURN).keys("a2a1", "enter").expect("Waiting for")
    friend.expect(YOUR_TURN).expect("< back").keys("b2b1", "enter").expect("Waiting for")
    full.expect(YOUR_TURN).keys("<").expect("Position after move 1 of 2 (your turn)")
    full.expect("│(▐███▌)│").keys("<", "<").expect("move 0 of 2").expect_gone("(▐███▌)")
    full.keys(">").expect("move 1 of 2").keys("end").expect("Your turn (White)")
    full.keys("home").expect("move 0 of 2").keys("down").expect("Your turn (White)")
    friend.keys("<").expect("move 1 of 2.")
    full.keys("<").expect("move 1 of 2").keys("a1b1", "enter").expect("Waiting for")
    friend.expect("move 1 of 3 (your turn)").keys("enter").expect("Your turn (Black)")
    friend.control("r").expect("Resign? (y/n)").keys("y").expect("resigned")
    full.expect("resigned").keys(",", ",", ".").expect("Position after move 2 of 3")
    full.keys("escape").expect("resigned").keys("escape").expect("Play a bot")


@test
def whoever_comes_later_sees_how_it_was(bench):
    peer = bench.peer("passer")
    match = peer.do("new clobber:2x2 white=me black=me position=pP/Pp w")["match"]
    peer.do(f"move {match} a1a2")
    full = bench.full("--watch", match).expect("(Black)").expect("1. a1a2")
    full.keys("home").expect("Position after move 0 of 1.")
    peer.do(f"undo {match}")
    full.expect_gone("Position after").expect("(White)")


@test
def a_file_is_replayed(bench):
    path = os.path.join(bench.home.path, "a.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write('[Game "clobber"]\n[Variant "2x2"]\n[White "anna"]\n[Black "bob"]\n'
                   '[Result "1-0"]\n[Reason "no-moves"]\n\n1. a2a1 b2b1 2. a1b1 1-0\n')
    full = bench.full("replay", path).expect("Ply 0 of 3")
    full.keys("right", "right").expect("Ply 2 of 3").keys("left").expect("Ply 1 of 3")
    full.control("b").expect("The bell is on").expect_gone("Ply 1 of").control("b").expect("The bell is off")
    full.keys("end").expect("Ply 3 of 3: 1-0 no-moves").keys("home").expect("Ply 0 of 3")
    full.keys("q").end()
    full = bench.full().expect("Play a bot")
    full.pick("Replay a file").expect("Replay which file?")
    full.keys(path, "enter").expect("Ply 0 of 3").keys("escape").expect("Play a bot")


@test
def what_is_on_the_screen_can_be_saved(bench):
    path = os.path.join(bench.home.path, "a.pgn")
    full = bench.full("--play", "clobber:2x2", *HERE, columns=120).expect(YOUR_TURN).keys("a2a1", "enter")
    match = re.search(r"match (\d+)", full.expect("(Black)").screen).group(1)
    full.keys("f7").expect(f"> ludus-{match}.pgn").control("u").keys("/no/such/folder/x.pgn", "enter")
    full.expect("Not saved: No such file").keys("f7").expect("> ludus-").drawn().keys("escape")
    full.expect_gone("> ludus-").keys("f7").expect("> ludus-").control("u").keys(path, "enter")
    full.expect(f"Saved as {path}").keys("b2b1", "enter").expect("(White)")
    full.keys("f7").expect("> ludus-").control("u").keys(path, "enter").expect("a.pgn exists. Replace it? (y/n)")
    full.keys("n").expect("Not saved.").keys("f7").expect("> ludus-").control("u").keys(path, "enter")
    full.click("y yes").expect(f"Saved as {path}")
    replay = bench.full("replay", path, columns=120).expect("Ply 0 of 2").keys("f7").expect(f"> ludus-{match}.pgn")
    replay.control("u").keys(path + "2", "enter").expect("Saved as ").keys("q").end()
    with open(path, encoding="utf-8") as first, open(path + "2", encoding="utf-8") as second:
        text = first.read()
        expect_that(text == second.read() and "1. a2a1" in text and "b2b1" in text, text)


@test
def what_was_said_goes_with_the_next_key(bench):
    full = bench.full().expect("> Play now")
    full.pick("Replay a file").expect("Replay which file?").keys("no-such-file", "enter")
    full.expect("no-such-file: No such file").keys("down").expect("> Ratings")
    full.expect_gone("no-such-file")


@test
def finished_matches_are_stepped_through(bench):
    full = bench.full().expect("> Play now").pick("My games")
    full.expect("You have not finished a game yet.")
    peer = bench.peer("past")
    match = peer.do("new clobber:2x2 black=me white=open")["match"]
    full.pick("Join a match").expect("past").keys("enter")
    full.expect(YOUR_TURN).keys("a2a1", "enter").expect("Waiting for past")
    peer.do(f"move {match} b2b1")
    full.expect(YOUR_TURN).keys("a1b1", "enter").expect("has no moves left.").keys("escape")
    full.expect("> Join a match").pick("My games").expect("Enter steps through a game")
    full.expect(f"Clobber 2x2: {bench.me} - past 1-0 no-moves").keys("enter").expect("Ply 0 of 3")
    full.keys("end").expect("Ply 3 of 3: 1-0").keys("escape").expect("Enter steps through a game")
    full.keys("escape").expect("> My games")


@test
def a_player_of_the_list_is_challenged(bench):
    peer = bench.peer("listed")
    full = bench.full().expect("> Play now").pick("Players online").expect("Enter challenges a player")
    full.click(bench.me).expect("That is you.").click("listed").expect("Challenge listed").expect("You are")
    full.keys("down", "e").expect("files x ranks").keys("2x2", "enter").expect("< 2x2 >")
    full.keys("down", "right", "down", "right").expect("< black >").expect("< 1 + 1 >").keys("enter")
    match = re.search(r"match (\d+)", full.expect("Waiting for listed to accept the challenge").screen).group(1)
    peer.do(f"join {match}")
    full.expect("Clobber 2x2").expect("Waiting for listed (White)").expect("1:00")


@test
def matches_of_the_list_are_joined_watched_and_replayed(bench):
    peer = bench.peer("lister")
    match = peer.do("new clobber:2x2 black=me white=open")["match"]
    other = peer.do("new shakti white=me black=me")["match"]
    full = bench.full().expect("> Play now").pick("Matches").expect(f"{other}: Shakti").click(f"{match}: Clobber 2x2")
    full.expect(YOUR_TURN).keys("a2a1", "enter").expect("Waiting for lister")
    peer.do(f"resign {match}")
    full.expect("lister resigned").keys("escape").expect("> Matches").keys("enter").expect("Enter joins").keys("end")
    full.expect("> 202").expect(f"Clobber 2x2: {bench.me} - lister 1-0 resign").pick(f"{other}: Shakti").expect(", watching")
    full.keys("escape").expect("> Matches").keys("enter").expect("Enter joins").keys("end")
    full.click(f"Clobber 2x2: {bench.me}").expect("Ply 0 of 1")
    full.keys("escape").expect("Enter joins, watches or steps")


@test
def a_match_that_begins_below_a_page(bench):
    """Premoves are possible only once the state is followed."""
    full = bench.full("--play", "clobber:2x2", "--white", "open", "--clock", "60+0").expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    full.keys("f1").expect("Keys")
    bench.peer("belower").do(f"join {match}")
    full.expect_title("ludus").resize(90, 24).expect("Keys").keys("escape").expect("Move ahead, or type")


@test
def a_premove_is_played_at_once(bench):
    peer = bench.peer("premoved")
    full = bench.full("--play", "clobber:3x3", "--vs", "open", "--clock", "60+0", **ASCII).expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    peer.do(f"join {match}")
    full.expect(YOUR_TURN).keys("b1a1", "enter").expect("Move ahead, or type a command")
    full.keys("c2c1", "enter").expect("Your premove: c2c1 (Esc takes it back)").expect("|= ooo =|").keys("escape")
    full.expect("is taken back").expect_gone("|= ooo =|").keys("z9z8", "enter").expect("is not a move on this board")
    full.choose("c2").choose("c1").expect("Your premove: c2c1")
    peer.do(f"move {match} c1c2")
    full.expect("Your premove c2c1 is dropped. The stone on c2 is not yours").keys("b3c3", "enter")
    full.expect("Move ahead").choose("a2").choose("a3").expect("Your premove: a2a3")
    peer.do(f"move {match} c2c3")
    full.expect("  3. a2a3").expect("You win!")


@test
def the_box_at_the_end_has_what_can_be_done(bench):
    """By keys, and by clicks; as a row where there is no room."""
    full = bench.full("--play", "clobber:2x2", *HERE, **ASCII).expect(YOUR_TURN).control("r").expect("Resign?").keys("y")
    full.expect("|> Rematch          ^N |").keys("down").expect("|> Review           F6 |").keys("k", "up")
    full.expect("|> Menu").click("Save").expect("> ludus-").drawn().keys("escape").expect("|> Menu").keys("say hi", "enter")
    full.expect("<" + bench.me + "> hi").click("Review  ").expect("Reviewed. Mistakes").keys("q")
    full.expect("|> Menu").resize(40, 16).expect("[Menu]").keys("right").expect("[Rematch]").keys("home")
    full.expect("[Rematch]").keys("enter").expect(YOUR_TURN)
    watcher = bench.full("--watch", re.search(r"match (\d+)", full.screen).group(1), home=bench.new_home(),
                         columns=40, rows=16).expect(", watching")
    full.control("r").expect("Resign?").keys("y").expect("[Rematch]")
    watcher.expect("[Review]").expect_gone("Rematch").click("Menu").expect("> Play now")


# --- keys that must not surprise ---------------------------------------------------------------


@test
def control_d_asks_before_it_leaves(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).control("d")
    full.expect("Leave for the menu?").control("d").expect_gone("Leave for").expect(YOUR_TURN)
    full.keys("a2", KEYS["enter"]).control("d").expect("Leave for the menu?").keys("y").expect("Play a bot")
    full.keys("enter").expect(YOUR_TURN).keys("ab").expect("> ab").control("d")
    full.keys("c").expect("> abc")  # typed text stays, and nothing is asked


@test
def control_u_only_clears_the_line(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).keys("a2a1", "enter")
    full.expect("(Black)").keys("xyz").expect("> xyz").control("u").control("u")
    full.expect("Arrows and Enter").keys("home").expect("Position after move 0 of 1").keys("end", "f4")
    full.expect("(White)").expect_gone("1. a2a1")


@test
def a_click_below_a_menu_chooses_nothing(bench):
    full = bench.full(rows=16).expect("more below")
    row = next(y for y, line in enumerate(full.screen.split("\n")) if "more below" in line)
    for y in range(row + 1, 16):
        full.type(f"\x1b[<0;9;{y}M\x1b[<0;9;{y}m")
    full.keys("down").expect("> Play a bot").click("Find an opponent").expect("< 5 + 3 >")


@test
def a_question_takes_no_text(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).keys("escape")
    full.expect("Leave for the menu?").keys("zz", "n").expect(YOUR_TURN).expect("Arrows and Enter")
    full.keys("q").expect("Leave for the menu?").keys("uit").expect("> quit").control("u")
    full.control("r").expect("Resign? (y/n)").click("n no").expect(YOUR_TURN)
    full.control("r").expect("Resign? (y/n)").keys("escape").expect(YOUR_TURN)


@test
def alt_and_a_letter_are_no_escape(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    full.type("\x1bx").type("\x1bn").keys("a2").expect("> a2").type("\x1bq").keys("a1")
    full.expect("> a2a1").keys("enter").expect("(Black)")


@test
def letters_move_the_cursor_unless_a_word_follows(bench):
    full = bench.full("--play", "clobber:8x8", *HERE, **ASCII).expect("|[P]| p")
    full.keys("l").expect("P |[p]").keys("h").expect("|[P]| p").keys("k").expect("|[p]| P")
    full.keys("j").expect("|[P]| p").keys("k", "h7").expect("> h7").keys("g7", "enter").expect("(Black)")
    full.keys("help", "enter").expect("Keys").keys("q").expect_gone("list the keys")


@test
def forms_take_clicks_and_no_nonsense(bench):
    full = bench.full().expect("> Play now").pick("Play a bot").expect("< Clobber >").expect("< 5x6 >")
    full.click("6 >").expect("< 4x5 >").click("< 4x5").expect("< 5x6 >").click("Variant").keys("e")
    full.expect("files x ranks").keys("< xx >", "enter").expect("< 5x6 >").expect("'< xx >'")
    full.click("none >").expect("< 1 + 1 >").click("e type").expect("such as 5 + 3")
    full.keys("abc", "enter").expect("'abc' is not a clock").keys("e").expect("such as 5 + 3")
    full.keys("2:30 + 1", "enter").expect("< 2:30 + 1 >").click("Enter start").expect("2:30")


@test
def the_hand_and_the_moves_take_clicks(bench):
    full = bench.full("--play", "xadrersi", *HERE).expect("Place [K]").keys("Kd4", "enter")
    full.expect("(Black)").expect("Place [Q]").click("B  N").expect("placing B").keys("backtab")
    full.expect("placing R").keys("tab", "tab", "tab").expect("placing Q").keys("nd5", "enter").expect("(White)").click("K@d4")
    full.expect("Position after move 1 of 2").click("N@d5").expect("(White)")


@test
def the_bar_and_the_help_can_be_clicked_on(bench):
    full = bench.full("--play", "clobber:2x2", *HERE, columns=100).expect(YOUR_TURN).click("F2 rules")
    full.expect("The rules of Clobber").click("Esc back").expect(YOUR_TURN).click("F1 help")
    full.expect("more rows below").click("Ctrl-F").expect(YOUR_TURN)
    full.expect("      b       a").click("F1 help").expect("more rows below").click("y, n")
    full.expect(YOUR_TURN).click("F1 help").expect("more rows below").click("Mouse").expect(YOUR_TURN)
    full.click("Esc menu").expect("Leave for the menu?").click("y yes")
    full.expect("Play a bot")


@test
def every_place_has_its_keys(bench):
    """F1 lists them everywhere, F2 has rules everywhere, and Esc goes back."""
    full = bench.full().expect("> Play now").keys("?").expect("Keys").keys("q").expect("Play now")
    full.pick("Rules of the games").expect("which game?").keys("4").expect("The rules of Shakti").keys("f1").expect("Keys")
    full.drawn().keys("escape").expect("Pieces stand").keys("escape").expect("which game?").keys("escape")
    full.expect("Play a bot").keys("3").expect("< Clobber >").keys("f2").expect("The rules of Clobber").drawn()
    full.keys("escape").expect("< Clobber >").keys("j", "j", "e").expect("such as 5 + 3").keys("?")
    full.expect("> ?").keys("f1").expect("Keys").keys("escape").expect("> ?").keys("escape")
    full.expect("< Clobber >").keys("escape").expect("Play a bot").keys("q").end()


@test
def a_raw_line_is_answered_in_words(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    full.keys("/new shakti white=me black=open", "enter").expect("match: ")
    full.keys("/stats", "enter").expect("connections").expect("Esc back")
    full.keys("escape").expect(YOUR_TURN).keys("/nonsense", "enter").expect("nknown command")
    expect_that('{"' not in full.screen, full.screen)


@test
def long_lists_fit_the_terminal(bench):
    peer = bench.peer("a-name-of-24-letters-xyz")
    match = peer.do(f"new clobber:10x10 black=me white=open")["match"]
    full = bench.full("--join", match).expect(YOUR_TURN).keys("a10b10", "enter").expect("a10b10")
    full.control("r").expect("Resign?").keys("y").expect("resigned")
    full.keys("history", "enter")

    def rows(screen):
        return [line for line in screen.split("\n") if re.match(r" *\d+ +20", line)]

    full.until(lambda screen: rows(screen) and all("resign" in row and "~" in row for row in rows(screen)),
               "no row with ~ and the reason came")
    output = bench.ludus("history", columns=80).end().screen
    expect_that(all(len(line) <= 80 for line in output.split("\n")), output)


@test
def the_title_says_whose_turn_it_is(bench):
    """Restored at the end, also when a signal kills the program, and while it is suspended."""
    peer = bench.peer("titled")
    for locale, mine in ((ASCII, "* your turn"), (UTF8, "\u25cf your turn")):
        full = bench.full("--play", "clobber:2x2", "--vs", "open", home=bench.new_home(), **locale)
        full.expect("Waiting for").expect_title("ludus")
        match = re.search(r"match (\d+)", full.screen).group(1)
        peer.do(f"join {match}")
        full.expect(YOUR_TURN).expect_title(mine).keys("escape").expect("Leave for").keys("y")
        full.expect("> Back to match").expect_title(mine).keys("enter").expect(YOUR_TURN).keys("a2a1", "enter")
        full.expect_title("ludus").control("z")
        os.waitid(os.P_PID, full.process.pid, os.WSTOPPED)
        full.expect_title("shell").signal(signal.SIGCONT)
        full.expect_title("ludus").expect("Waiting for").signal(signal.SIGSEGV)
        full.end(-signal.SIGSEGV)
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).expect_title("ludus")


# --- the terminal -----------------------------------------------------------------------------


@test
def it_gets_larger_and_smaller(bench):
    full = bench.full("--play", "latrunculi", *HERE, **ASCII).expect(YOUR_TURN)
    full.resize(30, 10).expect("Ludus needs 40x16").resize(40, 16).expect(YOUR_TURN)
    full.resize(3, 2).resize(200, 60).expect(YOUR_TURN).expect("White: 8 soldiers")


def dies_of(bench, number):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    expect_that(full.emulator.alternate and not full.emulator.cursor_shown, "no full screen")
    full.signal(number)
    return full


@test
def signals_leave_a_sane_terminal(bench):
    for number in (signal.SIGTERM, signal.SIGHUP):
        dies_of(bench, number).end(1)
    for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS):
        dies_of(bench, number).end(-number)


@test
def stopped_and_continued(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).control("z")
    os.waitid(os.P_PID, full.process.pid, os.WSTOPPED)
    full.read_some(time.monotonic() + 0.1)
    expect_that(not full.emulator.alternate, "stopped in full screen")
    full.signal(signal.SIGCONT)
    full.until(lambda _: full.emulator.alternate, "not in full screen again").expect(YOUR_TURN)
    leave(full)


@test
def stopped_without_a_word(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    modes = termios.tcgetattr(full.slave)
    full.signal(signal.SIGSTOP)
    os.waitid(os.P_PID, full.process.pid, os.WSTOPPED)
    termios.tcsetattr(full.slave, termios.TCSANOW, full.before)  # as a shell does
    full.emulator.resize(80, 24)  # and overwrites the screen
    full.signal(signal.SIGCONT).expect(YOUR_TURN).expect("Clobber 2x2")
    expect_that(termios.tcgetattr(full.slave)[:4] == modes[:4], "the modes are the shell's")
    leave(full)


@test
def the_terminal_goes(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    os.close(full.slave)
    os.close(full.master)
    full.descriptors = ()
    expect_that(full.process.wait(LIMIT_S) == 1, "it ends otherwise")


@test
def a_lost_connection_comes_back(bench):
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    full.keys("b1a1", "enter").expect("(Black)")
    proxy.refusing = True
    proxy.drop()
    full.expect("No connection").resize(100, 30).expect("No connection")
    proxy.refusing = False
    full.expect("Your turn (Black)").expect("1. b1a1").expect("Connected again")


@test
def a_server_that_stays_away(bench):
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    proxy.refusing = True
    proxy.drop()
    full.expect("No connection").control("c")
    full.end(1)
    expect_that("come back with" in full.screen, full.screen)


@test
def a_server_that_is_killed_and_starts_anew(bench):
    server = Server("--data", os.path.join(bench.home.path, "data"))
    bench.keep(Closing(server))
    full = bench.full("--play", "clobber:5x6", *HERE, address=server.address).expect(YOUR_TURN)
    full.keys("b1a1", "enter").expect("(Black)")
    server.process.kill()
    server.process.wait()
    full.expect("No connection")
    server.start(server.address)
    full.expect("Your turn (Black)").keys("c1d1", "enter").expect("1. b1a1    c1d1")


@test
def killed_while_it_connects(bench):
    proxy = bench.proxy()
    full = bench.full("--play", "clobber:5x6", *HERE, address=proxy.address).expect(YOUR_TURN)
    port = proxy.listener.getsockname()[1]
    proxy.listener.shutdown(socket.SHUT_RDWR)  # or it would stay open until the next client
    proxy.close()
    full.expect("No connection")
    with socket.socket() as deaf:  # accepts nobody once its queue is full
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        deaf.bind(("127.0.0.1", port))
        deaf.listen(0)
        callers = [socket.socket() for _ in range(3)]
        for caller in callers:
            caller.setblocking(False)
            caller.connect_ex(("127.0.0.1", port))
        full.read_some(time.monotonic() + 1.5)
        full.signal(signal.SIGTERM)
        end = time.monotonic() + LIMIT_S
        while full.process.poll() is None and time.monotonic() < end:
            full.read_some(time.monotonic() + 0.05)
        for caller in callers:
            caller.close()
    expect_that(full.process.returncode in (1, -signal.SIGTERM), "it goes on")
    full.end(full.process.returncode)  # 1 when the signal came between two attempts


@test
def random_keys_do_no_harm(bench):
    chance = random.Random(7)
    controls = [chr(ord(letter) & 31) for letter in "adfglnoprtu"]
    pool = [KEYS[name] for name in ("up", "down", "left", "right", "tab", "enter", "f1", "f2", "f3", "f4",
                                    "f5", "pgup", "backtab", "backspace")] + list("abcdefghjkl12345678KQRBN@n? ") + controls
    for game in POSITIONS:
        full = bench.full("--name", game[:4], "--play", POSITIONS[game][0], *HERE)
        full.expect(YOUR_TURN)
        for _ in range(60):
            full.type("".join(chance.choice(pool) for _ in range(4)))
            full.type(f"\x1b[<0;{chance.randint(1, 80)};{chance.randint(1, 24)}M")
            full.read_some(time.monotonic() + 0.01)
        expect_that(full.process.poll() is None, full.screen)
        leave(full)


@test
def without_colours(bench):
    full = bench.full("--play", "clobber:5x6", *HERE, NO_COLOR="1").expect(YOUR_TURN)
    expect_that(not re.search(rb"\x1b\[[0-9;]*[34][0-9]m", full.raw), "colours")
    full = bench.full("--play", "clobber:5x6", *HERE).expect(YOUR_TURN)
    expect_that(re.search(rb"\x1b\[[0-9;]*[34][0-9]", full.raw), "no colours")


@test
def dumb_terminals_get_lines(bench):
    for options in ({"TERM": "dumb"}, {"TERM": "no-such-terminal"}):
        full = bench.full("--play", "clobber:2x2", *HERE, **options).expect("white to move>")
        expect_that(not full.emulator.alternate, "full screen")


STATE = {"type": "state", "match": "1", "game": "clobber", "variant": "2x2", "status": "playing",
         "you": "white", "ply": 0, "turn": "white", "position": "pP/Pp w", "board": ["pP", "Pp"],
         "last": None, "clock": None, "offers": [], "result": "*", "reason": None}


def state(**changes):
    return json.dumps({**STATE, **changes})


def frames_of(full):
    """All screens that were painted, one after the other."""
    emulator, frames = Emulator(full.emulator.columns, full.rows), []
    for letter in full.raw.decode("utf-8", "replace"):
        emulator.feed(letter)
        if (emulator.y, emulator.x) == (full.rows - 1, 0):
            frames.append(emulator.text())
    return frames


@test
def an_answer_that_comes_at_once_is_seen(bench):
    """The board and the moves show the player's own move for a moment; turn and clocks do not wait."""
    players = {color: {"name": color, "online": True} for color in ("white", "black")}
    answer = [state(players=players, ply=1, turn="black", position="1p/PP b", board=[".p", "PP"], last="a2a1"),
              state(players=players, ply=2, position="2/Pp w", board=["..", "Pp"], last="b2b1")]
    script = Script(state(players=players, position="Pp/pP w", board=["Pp", "pP"]), events={"move": answer})
    full = bench.full("--watch", "1", address=script.address, **ASCII).expect(YOUR_TURN)
    full.keys("a2a1", "enter").expect("b2b1")
    paused = [frame for frame in frames_of(full) if "1. a2a1" in frame and "b2b1" not in frame]
    expect_that(paused and YOUR_TURN in paused[-1], "\n".join(frames_of(full)))


@test
def what_others_send_is_only_text(bench):
    wide = "\u4f60\u597d" * 30
    evil = "\x1b[2J\x1b]0;x\x07\u009b31m" + wide
    players = {"white": {"name": "me", "online": True}, "black": {"name": evil, "online": True}}
    lines = [state(players=players),
             json.dumps({"type": "chat", "match": "1", "from": evil, "text": evil * 3 + "done"})]
    for locale in (ASCII, UTF8):
        script = Script(*lines)
        full = bench.keep(bench.full("--watch", "1", address=script.address, **locale))
        full.expect("Black").expect("a       b")
        rows = [line for line in full.screen.split("\n") if "2 " in line[:8] or "1 " in line[:8]]
        expect_that("p" in rows[0] or "▓" in rows[0], full.screen)


@test
def odd_states_do_no_harm(bench):
    lines = [state(game="go", position="nonsense", board=["*****"] * 10),
             state(position="pP/Pp w junk", ply=5),
             state(ply=-3, last="\u00e9"), state(ply=2000000000, last="a1b99"),
             state(game="xadrersi", position="8 w", board=["........"] * 8),
             state(game="xadrersi", variant="touch", board=["." * 8] * 8,
                   position="8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -"),
             state(game="xadrersi", variant="touch", position="?", board=["\u00e9" * 5] * 10),
             state(board=["pP", "Pp"], clock={"white_ms": 1e300, "black_ms": -5}),
             state(game="shakti", position="*5*/7/7/7/7/7/*5* w 0", board=["*" * 7] * 7),
             json.dumps({"type": "chat", "match": "1", "from": "x", "text": "the end"})]
    full = bench.full("--watch", "1", address=Script(*lines).address).expect("<x> the end")
    full.keys("enter", "up", "tab", "f3", "escape").expect("Leave for the menu?").keys("y").expect("Back to match 1")


if __name__ == "__main__":
    sys.exit(run_tests("test_screen", test))
