#!/usr/bin/env python3
"""The client in full screen: keys, and the screens that they lead to.

usage: python3 tests/tcp/test_screen.py BUILD_DIR [TEST...]

tests/screens/ has the expected screens. With UPDATE_SCREENS=1 in the environment the test rewrites them;
review them before a commit.
"""

import os
import re
import shutil
import signal
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from full_screen import ASCII, HERE, KEYS, POSITIONS, UTF8, YOUR_TURN, leave
from golden_screen import expect_screen
from stage import Tests, run_tests
from terminal import BUILD, expect_that
from test_review import Folder

test = Tests()


# --- screens as files ------------------------------------------------------------------------


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
    for columns, rows in ((120, 40), (200, 60), (60, 20)):
        full.resize(columns, rows)
        expect_screen(full, f"{game}-{letters}-white-{columns}x{rows}")
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
        for letters, locale in (("ascii", ASCII), ("utf8", UTF8)):
            full = bench.full("--name", game[:2] + letters[0], "--play", play, *HERE, "--position", position,
                              columns=40, rows=16, **locale)
            full.expect(YOUR_TURN)
            expect_screen(full, f"{game}-{letters}-white-40x16")
            leave(full)


def cells(full, position):
    """Returns what is in the middle of the squares, where brackets and marks never are: a list for each letter of
    the position, with . for empty squares and * for holes."""
    rows, board = full.screen.split("\n"), {}
    ranks = re.sub(r"\d+", lambda number: "." * int(number[0]), re.split(r"[ \[]", position)[0]).split("/")
    bottom = next(i for i, row in enumerate(rows) if re.match(r" +a +b +c", row))
    left, width = rows[bottom].index("a"), rows[bottom].index("b") - rows[bottom].index("a")
    lines = [next(i for i, row in enumerate(rows) if re.match(rf" *{rank}\b", row)) for rank in range(len(ranks), 0, -1)]
    height = lines[1] - lines[0]
    across, down = range(1), range(1)
    if height > 2:  # pieces are drawn
        across = range(1 - (width - 1) // 2, width - 1 - (width - 1) // 2)
        down = range(-((height - 1) // 2), height - (height - 1) // 2)
    for rank, y in zip(ranks, lines):
        for file, piece in enumerate(rank):
            drawn = ["".join(rows[y + dy].ljust(200)[left + file * width + dx] for dx in across) for dy in down]
            board.setdefault(piece, set()).add("\n".join(drawn))
    return board


def expect_told_apart(full, position):
    board = cells(full.drawn(), position)
    for one in board:
        for other in board:
            expect_that(one == other or not board[one] & board[other], f"{one} and {other} look alike:\n{full.screen}")


@test
def without_colours_no_two_pieces_look_alike(bench):
    """By characters alone: a terminal may show neither bold nor reversed text."""
    for game, (play, position) in POSITIONS.items():
        for letters, locale in (("ascii", ASCII), ("utf8", UTF8)):
            full = bench.full("--name", f"{game}-{letters}", "--play", play, *HERE, "--position", position, NO_COLOR="1",
                              columns=41, rows=16, **locale).expect(YOUR_TURN)
            for columns, rows in ((40, 16), (60, 20), (80, 24), (120, 40), (160, 50), (200, 60)):
                full.resize(columns, rows).until(lambda screen: screen.rstrip().split("\n")[-1].startswith(" Esc menu"), "no bar")
                expect_told_apart(full, position)
            leave(full)
    play, position = POSITIONS["shakti"]
    full = bench.full("--play", play, *HERE, "--position", position, **UTF8).expect(YOUR_TURN)
    full.control("t").expect("Colours: blue board").control("t").expect("Colours: none")
    expect_told_apart(full, position)
    full.expect("♔ White's king, ♚ Black's").expect(". tile, ▓ hole").keys("f1").keys("end")
    full.resize(200, 60).expect("♔ White's king, ♚ Black's")
    full.keys("q").control("t").expect("Colours: brown board").expect_gone("White's king")
    leave(full)


@test
def without_colours_dots_show_the_squares(bench):
    for game in ("xadrersi", "latrunculi", "shakti"):
        play, position = POSITIONS[game]
        full = bench.full("--name", f"{game[:3]}-plain", "--play", play, *HERE, "--position", position, NO_COLOR="1", **UTF8)
        expect_screen(full.expect(YOUR_TURN), f"{game}-utf8-plain-80x24")
        leave(full)


@test
def no_mark_where_every_square_is_in_reach(bench):
    full = bench.full("--play", "xadrersi", *HERE, **UTF8).expect("placing K").drawn()
    expect_that(not re.search(r"(?m)^ +[1-8] .* o |░o░", full.screen), full.screen)
    full.play("K@d4").expect("(Black)").drawn()
    expect_that(len(re.findall(r" o |░o░", full.screen)) == 8, full.screen)
    leave(full)


def refused(full, name, typed, start):
    """A refusal is said once, leaves the board and the input alone, and goes with the next key."""
    full.keys(typed, "enter").expect(start)
    expect_screen(full, name)
    expect_that(full.screen.count(start) == 1 and "\n >" in full.screen, full.screen)
    full.control("u").expect_gone(start)


@test
def refusals_are_said_once_and_cover_nothing(bench):
    for columns, rows in ((40, 16), (60, 20), (80, 24)):
        play, position = POSITIONS["xadrersi"]
        full = bench.full("--name", f"x{columns}", "--play", play, *HERE, "--position", position, columns=columns, rows=rows, **ASCII)
        refused(full.expect(YOUR_TURN), f"refused-xadrersi-{columns}x{rows}", "K@h8", "White has no king left")
        leave(full)
        play, position = POSITIONS["shakti"]
        full = bench.full("--name", f"s{columns}", "--play", play, *HERE, "--position", position.replace(" w", " b"), columns=columns, rows=rows, **ASCII)
        refused(full.expect(YOUR_TURN), f"refused-shakti-{columns}x{rows}", "d4b3", "b3 is not in sight")
        leave(full)
    full = bench.full("--name", "c40", "--play", "clobber:10x10", *HERE, columns=40, rows=16, **ASCII)
    refused(full.expect(YOUR_TURN), "refused-clobber-40x16", "b1d2", "A stone moves")
    leave(full)


@test
def a_square_is_enough_with_a_piece_in_hand(bench):
    peer = bench.peer("squares")
    full = bench.full("--play", "xadrersi", "--vs", "squares", **UTF8).expect("Waiting for squares")
    match = peer.wait_for("challenge")["match"]
    peer.do(f"join {match}")
    full.expect("placing K").keys("z4", "enter").expect_gone("> z4").keys("h4", "enter").expect("1. K@h4")
    full.expect("Place [Q]").keys("tab").expect("[R]").keys("d4", "enter").expect("Your premove: R@d4 (Esc takes it back)")
    full.expect("=▀▀▀=").keys("escape").expect("is taken back").expect_gone("=▀▀▀=").keys("tab").keys("G3", "enter")
    full.expect("Your premove: B@g3")
    peer.do(f"move {match} Q@g5")
    full.expect("Your premove B@g3 is dropped.").control("u").expect("placing Q")
    leave(full)


@test
def clobber_has_no_draws(bench):
    full = bench.full("--play", "clobber:3x2", *HERE).expect(YOUR_TURN)
    full.keys("f5").expect("Clobber has no draws: one side always wins.").control("u").expect_gone("has no draws")
    full.keys("Draw", "enter").expect("Clobber has no draws: one side always wins.").expect_gone("(y/n)")
    leave(full)


def height_of(full):
    """Returns the rows of a square of the board on the screen."""
    ranks = [y for y, line in enumerate(full.drawn().screen.split("\n")) if re.match(r" *[12] ", line)]
    return ranks[1] - ranks[0]


@test
def the_size_of_boards_is_chosen(bench):
    full = bench.full("--play", "shakti", *HERE, columns=120, rows=40, **UTF8).expect(YOUR_TURN)
    expect_that(height_of(full) == 4, full.screen)
    full.keys("f9").expect("Board: size 3 of 4")
    expect_that(height_of(full) == 3, full.screen)
    full.control("_").expect("Board: size 2 of 4").control("_").expect("Board: size 1 of 4")
    expect_that(height_of(full) == 1, full.screen)
    full.control("_").expect("Board: size 1 of 4")
    full.keys("f9").expect("Board: size 4 of 4").type("\x1b[27;6;43~").expect("Board: size 4 of 4")
    full.keys("f9").expect("Board: size 3 of 4")
    leave(full)
    full = bench.full("--play", "shakti", *HERE, columns=120, rows=40, **UTF8).expect(YOUR_TURN)
    expect_that(height_of(full) == 3, f"the choice is kept:\n{full.screen}")
    full.resize(80, 24)
    expect_that(height_of(full) == 2, f"a smaller one, where that has no room:\n{full.screen}")
    full.resize(200, 60)
    expect_that(height_of(full) == 3, f"none larger, where it has:\n{full.screen}")
    full.type("\x1b[61;5u").expect("Board: size 4 of 6").type("\x1b[43;5u").expect("Board: size 5 of 6")
    full.type("\x1b[43;5u").expect("Board: size 6 of 6").resize(80, 24)
    expect_that(height_of(full) == 2, "the largest means as large as fits")
    full.resize(200, 60)
    expect_that(height_of(full) == 7, full.screen)
    leave(full)


@test
def menu_and_rules_screens(bench):
    full = bench.full("--name", "anna-menu", **ASCII).expect("Quit")
    expect_that("Play a bot" in full.screen, full.screen)
    full.pick("Rules of the games").expect("The rules of which game?")
    for title in ("Clobber", "Xadrersi", "Latrunculi XXI", "Shakti"):
        full.keys("enter").expect(f"The rules of {title}").keys("pgdn", "down", "down", "down").expect(" -> ")
        full.keys("enter").expect("The rules of which game?").keys("down")
    full.keys("escape").expect("Play a bot").pick("Quit").end()


# --- whole games by keys ---------------------------------------------------------------------


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
           "wins ")


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
    full.keys("zz", "enter").expect("\"zz\" is not a move or a command. F1 lists")
    full.keys("a2b9", "backspace", "2", "enter").expect("(Black)")
    full.keys("left", "up", "enter").expect("Choose a black piece")


@test
def the_mouse(bench):
    full = bench.full("--play", "clobber:2x2", *HERE, **ASCII).expect(YOUR_TURN)
    full.click("Poooo ]").expect("> %%%%pp%%%% <").click("%%%% <").expect("(Black)")


def stones(full):
    """Returns the places of the stones on a board of Clobber in ASCII, from the top left."""
    rows = full.drawn().screen.split("\n")
    return [(y + 1, match.start() + 3) for y, line in enumerate(rows) for match in re.finditer("%p+%|oP+o", line)
            if rows[y - 1][match.start():match.end()] != match[0]]


@test
def pieces_are_dragged(bench):
    """A piece goes where the button is released; on a wrong square it says why, and no key after it plays anything."""
    full = bench.full("--play", "clobber:3x2", "--vs", "me", **ASCII).expect(YOUR_TURN)
    a2, b2, c2, a1, b1, c1 = stones(full)
    full.drag(a2, c1).expect("A stone moves one square").keys("escape").expect("Back to the menu?").keys("n")
    full.expect(YOUR_TURN).drag(b2, c2).drag(c2, (1, 1)).drag((1, 1), b2).keys("f1").expect("Keys").keys("escape")
    full.expect(YOUR_TURN).drag(b1, b1).expect("[ ooooPPoooo ]").drag(b1, b2).expect("1. b1b2").expect("(Black)")
    full.drag(a1, a2).expect("a1a2").expect("(White)")


@test
def pieces_in_hand_and_of_lessons_are_dragged(bench):
    full = bench.full("--play", "xadrersi", "--vs", "me").expect("Place [K]").drawn()
    king = full.place_of("[K]")
    full.drag((king[0], king[1] + 1), (11, 21)).expect("1. K@d4").expect("(Black)").drawn()
    rook = full.place_of(" R ")
    full.drag((rook[0], rook[1] + 1), (4, 7)).expect("a8 is not next to a piece.").expect("[R]")
    full = bench.full("learn", "clobber", **ASCII).expect("lesson 1 of 6")
    white, black = stones(full)
    full.drag(white, black).expect("Right. ")


@test
def premoves_are_dragged(bench):
    peer = bench.peer("bob30")
    full = bench.full("--name", "anna30", "--play", "clobber:3x2", "--vs", "bob30", "--clock", "300+5", **ASCII).expect("Waiting for bob30")
    match = peer.wait_for("challenge")["match"]
    peer.do(f"join {match}")
    a2, b2, _, a1, b1, _ = stones(full.expect(YOUR_TURN))
    full.drag(b1, a1).expect("Waiting for bob30").drawn().drag(a2, b2).expect("Your premove: a2b2")
    peer.do(f"move {match} c1c2")
    full.expect("2. a2b2")


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
        "Hint: b2b1. Enter plays it.").keys("enter")
    full.expect("(White)").keys("f3").expect("Hint: a1b1 wins the game").keys("escape")
    with open(log, encoding="utf-8") as heard:
        expect_that("moves a2a1 b2b1\n" in heard.read(), "the moves are not told")


@test
def a_hint_can_be_played(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    full.keys("f3").expect("Hint: ").keys("enter").expect("(Black)")


@test
def a_hint_makes_a_match_casual(bench):
    rival = bench.peer("hintless")
    full = bench.full("--name", "hinted", "--play", "clobber:3x3", "--vs", "hintless", columns=120)
    match = rival.wait_for("challenge")["match"]
    full.expect("Clobber 3x3, rated match")
    rival.do(f"join {match}")
    full.expect(YOUR_TURN).keys("f3").expect("Hint: ").expect("casual match").expect("no longer counts")
    rival.do(f"resign {match}")
    full.expect("You win")
    rival.do("new clobber:3x3 white=hinted")
    full.expect("(y/n)").keys("y").expect("rated match").expect(YOUR_TURN).keys("b1a1", "enter").expect("Waiting for hintless")
    rival.do("move c1c2")
    full.expect(YOUR_TURN).keys("f3").expect("this match is rated, and both sides have moved").expect("rated match")


@test
def matches_against_house_bots_count_if_that_is_wished(bench):
    full = bench.full().expect("> Play now").pick("Play a bot").expect("Rated     < no >").keys("enter")
    full.expect("casual match").keys("f8", "y").expect("resigned").keys("escape").expect("> Play a bot")
    full.keys("enter").expect("Rated     < no >")
    full.keys(*["down"] * 5, "right").expect("Rated     < yes >").expect("changes your rating").keys("enter").expect("rated match")
    bench.full("--play", "clobber", "--vs", "bot:greedy", "--rated").expect("rated match")
    bench.full("--play", "clobber", "--unrated").expect("casual match")


@test
def who_watches_bots_sets_the_pace(bench):
    """The match is over in a moment; the board follows, and does not tell the end before it is there."""
    peer = bench.peer("arranger")
    match = peer.do("new clobber:4x5 white=bot:greedy black=bot:random")["match"]
    peer.wait_for("state", match=match, status="over")
    full = bench.full().expect("> Play now").pick("Watch two bots").keys("enter").expect("Played back: move 1")
    full.keys(" ").expect("Paused after move").expect("Space go on")
    shown = re.search(r"Paused after move (\d+)", full.screen).group(1)
    peer.ask("ping")
    full.keys("<").expect(f"Paused after move {int(shown) - 1}").keys(">").expect(f"Paused after move {shown}")
    full.keys("-").expect("A move every 2 seconds").keys("+", "+", "+", "+", "+").expect("8 moves a second")
    expect_that("wins" not in full.screen and "Save" not in full.screen, full.screen)
    full.keys(" ").expect("wins").expect("Review").keys("escape").expect("> Watch two bots")


@test
def a_replay_plays(bench):
    path = os.path.join(bench.home.path, "played.pgn")
    white, black = bench.peer("playsback"), bench.peer("playsback2")
    match = white.do("new clobber:2x2")["match"]
    black.do(f"join {match}")
    for player, move in ((white, "a2a1"), (black, "b2b1"), (white, "a1b1")):
        player.do(f"move {match} {move}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(bench.piped(["record", match, "--pgn"]))
    full = bench.full("replay", path).expect("Start (0 of 3)").expect("Space play").keys("+", "+", " ")
    full.expect("Move 1 of 3").expect("Move 3 of 3").expect("Space play").keys("-", "-", "-", " ").expect("Start (0 of 3)")
    full.expect("Space pause").keys(" ").expect("Space play").expect("Start (0 of 3)")


@test
def a_hint_ends_with_the_match(bench):
    folder = bench.keep(Folder("echo $$ >\"$0.pid\"\nexec sleep 600\n"))
    path = os.path.join(folder.path, "ludus-bot.pid")
    full = bench.full("--play", "clobber:2x2", *HERE, program=folder.program).expect(YOUR_TURN)
    full.keys("f3").expect("Thinking about a hint")
    full.until(lambda _: os.path.exists(path) and os.path.getsize(path) > 0, "no bot")
    with open(path, encoding="utf-8") as file:
        bot = f"/proc/{file.read().strip()}"
    full.keys("f8").expect("Resign?").keys("y").expect("resigned").keys("f1").expect("Keys")
    expect_that(not os.path.exists(bot), "the bot still thinks")


# --- keys that must not surprise -------------------------------------------------------------


@test
def control_d_asks_before_it_leaves(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).control("d")
    full.expect("Back to the menu?").control("d").expect_gone("Back to the menu").expect(YOUR_TURN)
    full.keys("a2", KEYS["enter"]).control("d").expect("Back to the menu?").keys("y").expect("Play a bot")
    full.keys("enter").expect(YOUR_TURN).keys("ab").expect("> ab").control("d")
    full.keys("c").expect("> abc")  # typed text stays, and nothing is asked


@test
def control_u_only_clears_the_line(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).keys("a2a1", "enter")
    full.expect("(Black)").keys("xyz").expect("> xyz").control("u").control("u")
    full.expect("Arrows and Enter").keys("home").expect("Looking back: the start (0 of 1)").keys("end", "f4")
    full.expect("(White)").expect_gone("1. a2a1")


@test
def a_click_below_a_menu_chooses_nothing(bench):
    full = bench.full(rows=16).expect("more below")
    row = next(y for y, line in enumerate(full.screen.split("\n")) if "more below" in line)
    for y in range(row + 1, 16):
        full.type(f"\x1b[<0;9;{y}M\x1b[<0;9;{y}m")
    full.keys("down").expect("> Play a bot").click("Find an opponent").expect("< 5 + 3 >")


@test
def a_question_gives_way_to_every_other_key(bench):
    """Only y and n answer; any other key ends the question and does its own work."""
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).keys("f8").expect("Resign? (y/n)")
    full.keys("say yes", "enter").expect("yes").expect(YOUR_TURN).expect_gone("Resign?")
    full.keys("f8").expect("Resign?").keys("f1").expect("list the keys").keys("q").expect(YOUR_TURN)
    full.keys("f8").expect("Resign?").control("t").expect("Colours: ").keys("f8").expect("Resign?").keys("a2a1", "enter")
    full.expect("(Black)").keys("f8").expect("Resign?").keys("f4").expect("(White)")
    full.keys("f8").expect("Resign? (y/n)").click("n no").expect(YOUR_TURN)
    full.keys("f8").expect("Resign? (y/n)").keys("escape").expect(YOUR_TURN)
    full.keys("escape").expect("Back to the menu?").keys("quit").expect("> quit").control("u").expect("Arrows and Enter")
    full.control("r").keys("resign", "enter").expect("Resign? (y/n)").keys("n").expect(YOUR_TURN)
    full.keys("resign", "enter").expect("Resign? (y/n)").keys("y").expect("resigned")


@test
def a_question_ends_with_what_it_is_about(bench):
    peer = bench.peer("asker")
    match = peer.do("new clobber:2x2 white=me black=open")["match"]
    full = bench.full("--join", match).expect("Waiting for asker").keys("f8").expect("Resign? (y/n)")
    peer.do(f"resign {match}")
    full.expect("asker resigned")


@test
def a_question_over_the_screen_gives_way(bench):
    path = os.path.join(bench.home.path, "there.pgn")
    with open(path, "w", encoding="utf-8") as file:
        file.write("kept")
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    for keys, shown in (("say yes", "> say yes"), ("f1", "list the keys"), ("\x1b[200~y\x1b[201~", "> y")):
        full.keys("f7").expect("Save as").control("u").keys(path, "enter").expect("Replace it? (y/n)").keys(keys)
        full.expect(shown).keys("escape").expect("Not saved" if keys == "f1" else "Arrows and Enter")
    with open(path, encoding="utf-8") as file:
        expect_that(file.read() == "kept", "the file is overwritten")


@test
def pasted_text_is_one_line(bench):
    """Nothing of it is a key or is sent before Enter, wherever it is pasted."""
    def paste(text):
        full.type(f"\x1b[200~{text}\x1b[201~")
        return full

    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    expect_that(full.emulator.pastes, "pastes are not marked")
    paste("say one\r\ntwo\rthree\tfour\x1bOAq").expect("> say one two three fourq").keys("enter").expect("one two three fourq")
    paste("a2a1\nresign\ny\n").expect("> a2a1 resign y").control("u").expect("Arrows and Enter")
    full.keys("f8").expect("Resign?")
    paste("yes").expect("> yes").expect(YOUR_TURN).control("u")
    full.type("\x1b[200~a2").expect("> a2").type("a1\n").expect("> a2a1").type("\x1b[201~").keys("enter").expect("(Black)")
    paste("y" * 600).expect("y" * 70).control("u").keys("escape").expect("Back to the menu").keys("y").expect("> Back to match")
    paste("17\nq3\n").keys("down").expect("> Play now").pick("Replay a file")
    paste("/no/such\nfile\n").expect("> /no/such file").keys("enter").expect("/no/such file")


@test
def alt_and_a_letter_are_no_escape(bench):
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN)
    full.type("\x1bx").type("\x1bn").keys("a2").expect("> a2").type("\x1bq").keys("a1")
    full.expect("> a2a1").keys("enter").expect("(Black)")


@test
def every_letter_begins_a_move_or_a_command(bench):
    """None moves the cursor, asks or leaves; F1 names no letter but those that answer."""
    full = bench.full("--play", "clobber:10x10", *HERE, rows=18, **ASCII).expect("1  p [P]")
    for letter in "hjklqprye":
        full.keys(letter).expect(f"> {letter}").expect("1  p [P]").control("u").expect_gone(f"> {letter}")
    full.keys("h7g7", "enter").expect("(Black)").keys("j6", "i6", "enter").expect("(White)")
    full.keys("help", "enter").expect("Esc, Ctrl-D ").expect("y, n ").expect("Arrows  ").keys("q").expect_gone("list the keys")


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
    full.expect("Looking back: move 1 of 2").click("N@d5").expect("(White)")


@test
def the_bar_and_the_help_can_be_clicked_on(bench):
    full = bench.full("--play", "clobber:2x2", *HERE, columns=100, rows=32).expect(YOUR_TURN).click("F2 rules")
    full.expect("The rules of Clobber").click("Esc back").expect(YOUR_TURN).click("F1 help")
    full.expect("more rows below").click("Ctrl-F").expect(YOUR_TURN)
    full.expect("      b             a").click("F1 help").expect("more rows below").click("y, n")
    full.expect(YOUR_TURN).click("F1 help").expect("more rows below").click("Mouse").expect(YOUR_TURN)
    full.click("Esc menu").expect("Back to the menu?").click("y yes")
    full.expect("Play a bot")


@test
def every_place_has_its_keys(bench):
    """F1 lists them everywhere, F2 has rules everywhere, and Esc goes back."""
    full = bench.full().expect("> Play now").keys("?").expect("Keys").keys("q").expect("Play now")
    full.pick("Rules of the games").expect("which game?").keys("4").expect("The rules of Shakti").keys("f1").expect("Keys")
    full.drawn().keys("escape").expect("Pieces stand").keys("escape").expect("which game?").keys("escape")
    full.expect("Play a bot").keys("k").expect("< Clobber >").keys("f2").expect("The rules of Clobber").drawn()
    full.keys("escape").expect("< Clobber >").keys("j", "j", "e").expect("such as 5 + 3").keys("?")
    full.expect("> ?").keys("f1").expect("Keys").keys("escape").expect("> ?").keys("escape")
    full.expect("< Clobber >").keys("escape").expect("Play a bot").keys("q", "q").end()


@test
def one_escape_too_many_ends_nothing(bench):
    """The menu asks; a key for something else does that instead."""
    for key in ("escape", "q"):
        full = bench.full().expect("> Play now").keys(key).expect("Leave Ludus? (y/n)")
        full.keys("down").expect("> Play").expect_gone("Leave Ludus?")  # q was on the last row
        full.keys(key).expect("Leave Ludus?").keys("n").expect_gone("Leave Ludus?").drawn()
        full.keys(key).expect("Leave Ludus?").keys("y").end()
    bench.full().expect("> Play now").pick("Quit").end()  # that was meant


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
    full.keys("f8").expect("Resign?").keys("y").expect("resigned")
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
        full.expect(YOUR_TURN).expect_title(mine).keys("escape").expect("Back to the menu").keys("y")
        full.expect("> Back to match").expect_title(mine).keys("enter").expect(YOUR_TURN).keys("a2a1", "enter")
        full.expect_title("ludus").control("z")
        os.waitid(os.P_PID, full.process.pid, os.WSTOPPED)
        full.expect_title("shell").signal(signal.SIGCONT)
        full.expect_title("ludus").expect("Waiting for").signal(signal.SIGSEGV)
        full.end(-signal.SIGSEGV)
    full = bench.full("--play", "clobber:2x2", *HERE).expect(YOUR_TURN).expect_title("ludus")


if __name__ == "__main__":
    sys.exit(run_tests("test_screen", test))
