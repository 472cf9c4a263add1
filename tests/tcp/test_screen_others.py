#!/usr/bin/env python3
"""The client in full screen with others: bots, friends, challenges, lists, and the matches of the past.

usage: python3 tests/tcp/test_screen_others.py BUILD_DIR [TEST...]
"""

import json
import os
import re
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from full_screen import ASCII, HERE, YOUR_TURN, leave
from stage import Tests, run_tests
from terminal import expect_that

test = Tests()


@test
def against_a_bot_from_the_menu(bench):
    bench.peer("waits-first").wait_for_bots(9)
    full = bench.full().expect("> Play now").pick("Play a bot").expect("< Clobber >")
    full.keys("down", "e").expect("files x ranks").keys("2x2", "enter").expect("< 2x2 >")
    full.keys("down", "down", "down", "right").expect("< 1 + 1 >").keys("enter").expect("Clobber 2x2")
    full.expect(YOUR_TURN).expect("1:00").expect("The clocks start with the first move")
    full.keys("a2a1", "enter").expect("1. a2a1    b2b1").keys("a1b1", "enter").expect("has no moves left.")
    full.control("n").expect("Black " + bench.me)


@test
def play_now_finds_a_fitting_bot(bench):
    """One level down after a loss, one up after a win, in the game played last."""
    bench.peer("waits-for-bots").wait_for_bots(9)
    full = bench.full().expect("> Play now").keys("enter").expect("Clobber 5x6").expect("bot:gentle")
    full.expect(YOUR_TURN).keys("b1a1", "enter").expect("1. b1a1    ").keys("f8").keys("y")
    full.expect("resigned").keys("c1c2", "enter").expect("The game is over.")
    full.keys("escape").expect("> Play now").keys("enter")
    full.expect("bot:greedy").expect(YOUR_TURN).keys("abort", "enter").expect("Game aborted.").keys("escape")
    full.pick("Play a bot").expect("< Clobber >").keys("down", "e").keys("2x2", "enter")
    full.expect("< 2x2 >").keys("enter").expect(YOUR_TURN).keys("a2a1", "enter")
    full.expect("b2b1").keys("a1b1", "enter").expect("has no moves left.").keys("escape")
    full.pick("Play now").expect("Clobber 2x2").expect("bot:easy").expect(YOUR_TURN)


@test
def the_same_player_elsewhere(bench):
    """The screen says in how many other windows the player is; a script and another window end nothing."""
    full = bench.full("--name", "anna", "--play", "clobber:2x2", "--vs", "me").expect("Clobber 2x2")
    done = bench.piped(["device", "--name", "anna", "--json"])
    code = json.loads(done)["code"]
    again = bench.server.connect()
    expect_that(again.ask(f"hello anna device={code}")["type"] == "ok", "the code is good")
    full.expect("anna, also here: 1 window")
    match = again.wait_for("state")["match"]
    again.ask(f"move {match} a2a1")
    full.expect("1. a2a1")
    again.close()
    full.expect_gone("also here").keys("b2b1", "enter").expect("b2b1")


@test
def a_friend_joins_talks_and_offers(bench):
    host = bench.full("--play", "shakti", "--vs", "open").expect("Waiting for an opponent")
    home = bench.new_home()
    friend = bench.full(home=home).expect("Play a bot")
    friend.pick("Join a match").expect("Shakti standard, white")
    friend.keys("enter").expect(f"Waiting for {bench.me}")
    host.expect(YOUR_TURN)
    friend.keys("say good luck", "enter")
    host.expect(f"<{home.user}> good luck").keys("d2d3", "enter").expect("1. d2d3")
    friend.expect(YOUR_TURN).keys("f5").expect("Offer a draw? (y/n)").keys("y")
    friend.expect("You offered a draw. Waiting for")
    host.expect(f"{home.user} offers a draw").keys("n")
    friend.expect("declines the draw")
    host.expect_gone("Accept?").keys("f4").expect("You asked to take back a move. Waiting for")
    friend.expect("asks to take back the last move").keys("y")
    host.expect(YOUR_TURN).expect_gone("1. d2d3")
    host.keys("f8").expect("Resign? (y/n)").keys("y").expect("resigned")
    friend.expect("resigned").control("n").expect("You asked for a rematch. Waiting for")
    host.expect("asks for a rematch").keys("y").expect("Shakti standard")
    friend.expect(YOUR_TURN)


def expect_nothing_of(full, *texts):
    """The text is neither in the panel nor on the page of the chat."""
    for text in texts:
        full.expect_gone(text)
    full.control("g").expect("Messages").expect("Enter close")
    for text in texts:
        expect_that(text not in full.screen, full.screen)
    full.keys("enter").expect(YOUR_TURN)


@test
def what_is_said_in_a_match_begins_empty(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).keys("a1a2", "enter")
    full.expect("The stone on a1 is not yours").keys("a2a1", "enter").expect("(Black)")
    full.expect_gone("The stone on a1").keys("moves", "enter").expect("legal move:")
    full.keys("f8").expect("Resign?").expect("legal move:")  # still in the panel
    full.keys("y").expect("resigned").keys("escape").expect("Play a bot")
    full.pick("Type a command").expect("Which command?").keys("frob", "enter")
    full.expect("Unknown command.").pick("Two players at this keyboard")
    full.expect("< Clobber >").keys("enter").expect(YOUR_TURN)
    expect_nothing_of(full, "legal move:", "resigned", "no command")


@test
def what_was_said_in_a_match_stays_there(bench):
    full = bench.full("--play", "clobber:2x3", "--vs", "open").expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    friend = bench.peer("chatty")
    friend.do(f"join {match}")
    friend.do(f"say {match} hello you")
    full.expect("<chatty> hello you").keys("escape").expect("Back to the menu?").keys("y")
    full.expect("> Back to match")
    friend.do(f"say {match} still there?")
    full.expect(f"[match {match}] <chatty> still there?").pick("Two players at this keyboard")
    full.expect("< Clobber >").keys("enter").expect(YOUR_TURN).keys("b1a1", "enter").expect("(Black)")
    friend.do(f"say {match} and now?")
    full.expect(f"[match {match}] <chatty> and now?")
    full.keys(f"go {match}", "enter").expect(f"match {match}").expect(YOUR_TURN)
    full.expect("<chatty> hello you").expect("<chatty> still there?").expect("<chatty> and now?")
    full.expect_gone("[match")


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
    far = bench.new_server("--no-bots", "--code", "sesame")
    bench.ludus("--name", "anna16", "--code", "sesame", "--play", "clobber:5x6", "--vs", "open",
                address=far.address, home=bench.new_home()).expect("waiting for the players")
    full = bench.full().expect("> Play now")
    go_to_friend(full, "[::1").expect("'[::1' is not an address: write HOST:PORT")
    go_to_friend(full, far.address).expect("The join code").keys("escape").expect("> Join a match")
    go_to_friend(full, far.address).expect("The join code").keys("wrong", "enter")
    full.expect("That is not the join code").keys("Sesame", "enter")
    full.expect("Waiting for anna16 (White)").keys("escape").expect("Back to the menu?").keys("y")
    empty = bench.new_server("--no-bots")
    go_to_friend(full.expect(f"on {far.address}").expect("> Join a match"), empty.address)
    full.expect("No match is open there").expect(f"on {empty.address}")


@test
def go_stands_only_where_it_can_be_typed(bench):
    """The menu has a row for each match; a match itself has no `go`."""
    full, peer = bench.full().expect("> Play now"), bench.peer("goer")
    match = peer.do(f"new clobber:5x6 white=me black={bench.me}")["match"]
    full.pick("Accept the challenge").expect("Waiting for goer")
    full.keys("escape").expect("Back to the menu?").keys("y").expect(f"Match {match} is saved")
    full.expect("> Back to match").expect_gone("continues it. ")
    peer.do(f"move {match} b1a1")
    full.expect(f"Match {match} (Clobber 5x6 against goer): your turn.")
    peer.do(f"draw {match}")
    full.expect(f"Match {match}: goer offers a draw.")
    expect_no_go(full, full.screen)
    full = bench.full("--name", bench.me, "--watch", match).expect("goer offers a draw. Accept? (y/n)")
    expect_no_go(full, full.screen)
    full = bench.full("--play", "clobber:2x2", *HERE).expect(f"`go {match}` shows it.")
    full.keys("go", "enter").expect("goer offers a draw. Accept?").keys("n").expect("Declined.")
    full.keys("c1d1", "enter").expect("Waiting for goer").keys("escape").expect("Back to the menu").keys("y").expect("Play a bot")
    full.keys("escape").control("c").expect("Ctrl-C again").control("c").end()
    output = bench.piped(["--play", "chess"], status=1)
    expect_that("unknown game" in output and "`go" not in output, output)
    lines = bench.ludus("--name", bench.me, "--watch", match).expect("white to move\n").answer(("> ", "quit")).end()
    expect_that(f"`go {match}`" not in lines.screen, lines.screen)


@test
def challenges_are_questions(bench):
    full = bench.full().expect("> Play now")
    bench.peer("carl").do(f"new clobber:2x2 black={bench.me}")
    full.pick("Accept the challenge").expect("Waiting for carl")
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
    full.control("g").expect("Messages").keys("enter").expect(YOUR_TURN)
    full.keys("escape").expect("Back to the menu?").keys("n").expect(YOUR_TURN)
    full.keys("escape").expect("Back to the menu?").keys("y").expect("> Back to match")
    full.keys("enter").expect(YOUR_TURN)


@test
def a_running_match_as_it_was(bench):
    full = bench.full("--play", "clobber:2x3", "--vs", "open", columns=100).expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    home = bench.new_home()
    friend = bench.full("--join", match, home=home).expect(f"Waiting for {bench.me}")
    full.expect(YOUR_TURN).keys("a2a1", "enter").expect(f"Waiting for {home.user}")
    friend.expect(YOUR_TURN).expect("< back").keys("b2b1", "enter").expect(f"Waiting for {bench.me}")
    full.expect(YOUR_TURN).keys("<").expect("Looking back: move 1 of 2 (your turn)")
    full.expect("( ████████ )").keys("<", "<").expect("the start (0 of 2)").expect_gone("( ████████ )")
    full.keys(">").expect("move 1 of 2").keys("end").expect("Your turn (White)")
    full.keys("home").expect("the start (0 of 2)").keys("down").expect("Your turn (White)")
    friend.keys("<").expect("move 1 of 2.")
    full.keys("<").expect("move 1 of 2").keys("a1b1", "enter").expect(f"Waiting for {home.user}")
    friend.expect("move 1 of 3 (your turn)").keys("enter").expect("Your turn (Black)")
    friend.keys("f8").expect("Resign? (y/n)").keys("y").expect("resigned")
    full.expect("resigned").keys(",", ",", ".").expect("Looking back: move 2 of 3")
    full.keys("escape").expect("resigned").keys("escape").expect("Play a bot")


@test
def whoever_comes_later_sees_how_it_was(bench):
    peer = bench.peer("passer")
    match = peer.do("new clobber:2x2 white=me black=me position=pP/Pp w")["match"]
    peer.do(f"move {match} a1a2")
    full = bench.full("--watch", match).expect("(Black)").expect("1. a1a2")
    full.keys("home").expect("Looking back: the start (0 of 1).")
    peer.do(f"undo {match}")
    full.expect_gone("Looking back").expect("(White)")


@test
def a_file_is_replayed(bench):
    path = os.path.join(bench.home.path, "a.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write('[Game "clobber"]\n[Variant "2x2"]\n[White "anna"]\n[Black "bob"]\n'
                   '[Result "1-0"]\n[Reason "no-moves"]\n\n1. a2a1 b2b1 2. a1b1 1-0\n')
    full = bench.full("replay", path).expect("Start (0 of 3")
    full.keys("right", "right").expect("Move 2 of 3").keys("left").expect("Move 1 of 3")
    full.control("b").expect("The bell is on").expect_gone("Move 1 of").control("b").expect("The bell is off")
    full.keys("end").expect("Move 3 of 3: 1-0 no-moves").keys("home").expect("Start (0 of 3")
    full.keys("q").end()
    full = bench.full().expect("Play a bot")
    full.pick("Replay a file").expect("Replay which file?")
    full.keys(path, "enter").expect("Start (0 of 3").keys("escape").expect("Play a bot")


@test
def what_is_on_the_screen_can_be_saved(bench):
    path = os.path.join(bench.home.path, "a.pgn")
    full = bench.full("--play", "clobber:2x2", *HERE, columns=120).expect(YOUR_TURN).keys("a2a1", "enter")
    match = re.search(r"match (\d+)", full.expect("(Black)").screen).group(1)
    full.keys("f7").expect(f"> ludus-{match}.pgn").control("u").keys("/no/such/folder/x.pgn", "enter")
    full.expect("Not saved: No such file").expect("> /no/such/folder/x.pgn").keys("escape")
    full.expect("(Black)").keys("f7").expect("> ludus-").drawn().keys("escape")
    full.expect_gone("> ludus-").keys("f7").expect("> ludus-").control("u").keys(path, "enter")
    full.expect(f"Saved as {path}").keys("b2b1", "enter").expect("(White)")
    full.keys("f7").expect("> ludus-").control("u").keys(path, "enter").expect("a.pgn exists. Replace it? (y/n)")
    full.keys("n").expect("Not saved.").keys("f7").expect("> ludus-").control("u").keys(path, "enter")
    full.click("y yes").expect(f"Saved as {path}")
    replay = bench.full("replay", path, columns=120).expect("Start (0 of 2").keys("f7").expect(f"> ludus-{match}.pgn")
    replay.control("u").keys(path + "2", "enter").expect("Saved as ").keys("q").end()
    with open(path, encoding="utf-8") as first, open(path + "2", encoding="utf-8") as second:
        text = first.read()
        expect_that(text == second.read() and "1. a2a1" in text and "b2b1" in text, text)


@test
def files_are_named_with_help(bench):
    """Tab completes, ~ is the home directory, and what others are to read they can read."""
    home = bench.home.path
    os.makedirs(os.path.join(home, "games", "spring"))
    full = bench.full("--play", "clobber:2x2", *HERE, columns=120).expect(YOUR_TURN).keys("a2a1", "enter")
    full.expect("(Black)").keys("f7").expect("> ludus-").control("u").keys("~/gam\t").expect("> ~/games/")
    full.keys("sp\t").expect("> ~/games/spring/").keys("one.pgn", "enter").expect("Saved as ")
    path = os.path.join(home, "games", "spring", "one.pgn")
    expect_that(os.stat(path).st_mode & 0o777 == 0o644, oct(os.stat(path).st_mode))
    shutil.copy(path, os.path.join(home, "games", "spring", "only.pgn"))
    full.keys("escape").expect("Back to the menu").keys("y").pick("Replay a file").expect("Replay which file?")
    full.keys("~/games/spring/\t").expect("> ~/games/spring/on").keys("\t").expect("one.pgn").expect("only.pgn")
    full.keys("x\t").expect("No file begins like that.").keys("backspace", "l\t").expect("> ~/games/spring/only.pgn")
    full.keys("enter").expect("Start (0 of 1").keys("escape").expect("> Replay a file")


@test
def what_was_said_goes_with_the_next_key(bench):
    full = bench.full().expect("> Play now")
    full.pick("Replay a file").expect("Replay which file?").keys("no-such-file", "enter")
    full.expect("no-such-file: No such file").expect("> no-such-file").keys("x").expect("> no-such-filex")
    full.expect_gone("No such file").keys("escape").expect("> Replay a file")


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
    full.expect(f"Clobber 2x2: {bench.me} - past 1-0 no-moves").keys("enter").expect("Start (0 of 3")
    full.keys("end").expect("Move 3 of 3: 1-0").keys("escape").expect("Enter steps through a game")
    full.keys("escape").expect("> My games")


@test
def a_player_of_the_list_is_challenged(bench):
    peer = bench.peer("listed")
    full = bench.full().expect("> Play now").pick("Players online").expect("Enter challenges a player")
    full.click(bench.me).expect("You cannot challenge yourself.").click("listed").expect("Challenge listed").expect("You are")
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
    full.click(f"Clobber 2x2: {bench.me}").expect("Start (0 of 1")
    full.keys("escape").expect("Enter joins, watches or steps")


@test
def a_match_that_begins_below_a_page(bench):
    """Premoves are possible only once the state is followed."""
    full = bench.full("--play", "clobber:2x2", "--white", "open", "--clock", "60+0").expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    full.keys("f1").expect("Keys")
    bench.peer("belower").do(f"join {match}")
    full.expect_title("ludus").resize(90, 24).expect("Keys").keys("escape").expect("Premove, or type")


@test
def a_premove_is_played_at_once(bench):
    peer = bench.peer("premoved")
    full = bench.full("--play", "clobber:3x3", "--vs", "open", **ASCII).expect("Waiting for")
    match = re.search(r"match (\d+)", full.screen).group(1)
    peer.do(f"join {match}")
    full.expect(YOUR_TURN).keys("b1a1", "enter").expect("Premove, or type a command").expect("Enter premove")
    full.keys("c2c1", "enter").expect("Your premove: c2c1 (Esc takes it back)").expect("Esc no premove")
    full.expect("=  oooooo  =").keys("escape").expect("is taken back").expect_gone("=  oooooo  =").expect("Esc menu")
    full.keys("z9z8", "enter").expect("is not a move on this board")
    full.choose("c2").choose("c1").expect("Your premove: c2c1")
    peer.do(f"move {match} c1c2")
    full.expect("Your premove c2c1 is dropped. The stone on c2 is not yours").keys("b3c3", "enter")
    full.expect("  2. b3c3").expect("Premove, or").choose("a2").choose("a3").expect("Your premove: a2a3")
    peer.do(f"move {match} c2c3")
    full.expect("  3. a2a3").expect("You win!")


@test
def the_box_at_the_end_has_what_can_be_done(bench):
    """By keys, and by clicks; as a row where there is no room."""
    full = bench.full("--play", "clobber:2x2", *HERE, **ASCII).expect(YOUR_TURN).keys("f8").expect("Resign?").keys("y")
    full.expect("|> Review           F6 |").keys("up").expect("|> Rematch          ^N |").keys("up")
    full.expect("|> Menu").click("Save").expect("> ludus-").drawn().keys("escape").expect("|> Menu").keys("say hi", "enter")
    full.expect("<" + bench.me + "> hi").click("Review  ").expect("Reviewed. Mistakes").keys("q")
    full.expect("|> Menu").resize(40, 16).expect("[Menu]").keys("right").expect("[Rematch]").keys("home")
    full.expect("[Rematch]").keys("enter").expect(YOUR_TURN)
    watcher = bench.full("--watch", re.search(r"match (\d+)", full.screen).group(1), home=bench.new_home(),
                         columns=40, rows=16).expect(", watching")
    full.keys("f8").expect("Resign?").keys("y").expect("[Review]")
    watcher.expect("[Review]").expect_gone("Rematch").click("Menu").expect("> Play now")


@test
def subcommands_run_beside_the_full_screen(bench):
    """A script of the same player ends no screen, whatever is on it; another terminal is counted."""
    def script(*words):
        return bench.piped([*words, "--name", "anna40"]) and None

    full = bench.full("--name", "anna40").expect("> Play now").drawn()
    script("new", "clobber:2x2", "--white", "me", "--black", "me")
    match = re.search(r"match (\d+)", full.expect("   Back to match").drawn().screen).group(1)
    script("move", match, "a2a1")
    for row, seen in (("Play a bot", "< bot:"), ("Learn a game", "Learn which game?"), ("Tournaments", "follows it")):
        full.click(row).expect(seen).drawn()
        script("say", match, "hello")
        script("tournament", "new", row[:4], "clobber", "format=round-robin")
        full.expect(seen).drawn().keys("escape").expect("Players online").drawn()
    full.click("Back to match").expect("1. a2a1").drawn()
    script("move", match, "b2b1")
    full.expect("b2b1").drawn().keys("menu", "enter").expect("> Back to match").drawn()
    second = bench.full("--name", "anna40").expect("also here: 1 window")
    second.drawn().keys("q", "q").end()
    full.expect("Players online").drawn().keys("q", "q").end()


@test
def the_cursor_of_the_menu_stays(bench):
    """On its row when something is said, even where rows come above it."""
    peer = bench.peer("caller")
    proxy = bench.proxy()
    full = bench.full("--name", "stayer", address=proxy.address).expect("> Play now")
    peer.do("new clobber:2x2 white=me black=stayer")
    full.expect("1   Accept the challenge").expect("p > Play now").keys("up").expect("> Accept the challenge")
    second = peer.do("new clobber:3x2 white=me black=stayer")["match"]
    full.expect(f"> Accept the challenge, match {second}").keys("enter").expect("Waiting for caller").keys("escape")
    full.expect("Back to the menu?").keys("y").expect(f"> Back to match {second}").drawn()
    for move in ("a1b1", "b2a2"):
        peer.do(f"say {second} {move}")
        full.expect(f"<caller> {move}").expect(f"> Back to match {second}")
    proxy.drop()
    full.expect("1   Accept the challenge").expect(f"2 > Back to match {second}").drawn()
    full.pick("Learn a game").expect("which game?").keys("escape").expect("> Learn a game")
    peer.do(f"say {second} once more")
    full.expect("<caller> once more").expect("> Learn a game")


@test
def no_usage_of_the_protocol(bench):
    """Typed commands with words too many are answered in their own words, and clocks may have minutes."""
    full = bench.full("--play", "clobber:3x2", *HERE, **ASCII).expect(YOUR_TURN)
    for typed, said in (("moves a1 b1", "Too many words: write `moves [SQUARE]`."),
                        ("undo that", "Too many words: write `undo`."),
                        ("seek clobber x", "does not understand these words"),
                        ("seek clobber clock=5x", "Invalid clock '5x'"),
                        ("seek clobber:3x2 clock=5m+3", "The server looks for")):
        full.keys(typed, "enter").expect(said)
    expect_that("usage" not in full.screen, full.screen)
    seek, = [seek for seek in bench.peer("sought").do("seeks")["seeks"] if seek["variant"] == "3x2"]
    expect_that(seek["clock"] == {"base_ms": 300000, "increment_ms": 3000}, seek)


@test
def bots_in_order_of_strength(bench):
    """Forms and lists say how strong a bot is; one's own row is marked; a colour may be left to chance."""
    bench.peer("waits-for-all").wait_for_bots(9)
    full = bench.full("--name", "nina", **ASCII).expect("> Play now").pick("Play a bot")
    full.expect("< bot:gentle >  3 of 9, for a first game").keys("down", "down", "left").expect("< random >")
    full.keys("down", "left").expect("< bot:random >  1 of 9, moves at random").keys("left")
    full.expect("< bot:max >  9 of 9, as strong as it gets").keys("escape").pick("Players online").expect("(you)").drawn()
    lines = full.screen.split("\n")
    places = [next(y for y, line in enumerate(lines) if f" bot:{level} " in line)
              for level in ("random", "greedy", "gentle", "easy", "medium", "hard", "expert", "master", "max")]
    expect_that(places == sorted(places), full.screen)
    expect_that(re.search(r" nina +\(you\)", full.screen) and
                next(y for y, line in enumerate(lines) if "(you)" in line) < places[0], full.screen)
    full.pick("nina").expect("You cannot challenge yourself.")


@test
def letters_of_the_menu_never_move(bench):
    """All of it is on a screen of 80x24, with rows above that wait, too; Esc and q leave it alike."""
    places = {"b": "Bot", "h": "You are", "f": "Against", "w": "White", "j": "Look for servers", "t": "Open a tournament",
              "l": "> Clobber", "z": "One move wins", "a": "Analysis board", "r": "which game?", "o": "(you)", "v": "Replay which file?", "c": "Which command?"}

    def rows():
        return dict(re.findall(r"^.{9}(\S) [> ] (\S[^:\n]*)", full.drawn().screen, re.M))

    full = bench.full("--name", "mena", **ASCII).expect("> Play now: Clobber 5x6 against bot:")
    before = rows()
    expect_that("".join(before) == "pbkhfjtmwvlzargsocq", full.screen)
    for group in ("Play   p", "Watch  m", "Learn  l", "You    g"):
        full.expect(f"  {group}")
    for letter, shown in places.items():
        full.keys(letter).expect(shown).keys("escape").expect(f"{letter} > {before[letter]}")
    ask = "Back to the menu?"
    full.keys("k").expect("< Clobber >").keys("enter").expect(YOUR_TURN).keys("escape").expect(ask).keys("y")
    full.expect("1   Back to match").keys("down").expect("q   Quit")  # which the message covered
    after = rows()
    expect_that(after.pop("1").startswith("Back to match") and after == before, full.screen)
    full.keys("1").expect(YOUR_TURN).keys("escape").expect(ask).keys("y").expect("Back to match").keys("escape", "escape").end()
    bench.full("--name", "mena", **ASCII).expect("Play now").keys("q", "q").end()


if __name__ == "__main__":
    sys.exit(run_tests("test_screen_others", test))
