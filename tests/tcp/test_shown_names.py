#!/usr/bin/env python3
"""Players in the terminal by the names that they have in their own letters: lists, matches, tables, messages, and
the columns of `ludus list`; not what scripts read.

usage: python3 tests/tcp/test_shown_names.py BUILD_DIR [TEST...]

tests/screens/ has the expected screens; UPDATE_SCREENS=1 in the environment writes them anew.
"""

import re
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from emulator import width_of
from full_screen import YOUR_TURN
from golden_screen import expect_screen
from stage import Tests, run_tests
from terminal import expect_that

SIZES = ((40, 16), (80, 24))
LOCALES = {"ascii": {"LC_ALL": "C"}, "utf8": {"LC_ALL": "C.UTF-8"}}
WIDEST = "田中" * 16  # no name takes more columns
THAI = "กิตติ"  # five code points in three columns
MENU_KEYS = "F1 help  Enter choose  F2 rules"

test = Tests()


def named(server, name, display):
    peer = server.connect(name)
    peer.do(f"set display={display}")
    return peer


def people(bench):
    """Returns a server, joao as the client is there, and three players with a display name."""
    server = bench.new_server("--bots", "easy", "--challenges", "0")
    first = server.connect()
    first.wait_for_bots(1)  # the list of players has them in the order in which they came
    first.close()
    bench.piped(["display", "João", "--name", "joao"], address=server.address)
    return server, [bench.keep(named(server, *each)) for each in (("taro", "田中"), ("kitti", THAI), ("nana", WIDEST))]


def columns_of(text):
    return sum(width_of(letter) for letter in text)


def leave(full):
    """Goes back to the menu, whose last line is drawn last."""
    full.keys("escape").expect("> ")
    full.until(lambda screen: screen.rstrip().split("\n")[-1].strip() == MENU_KEYS, "this is not the menu")


def expect_sizes(full, letters, name):
    for columns, rows in SIZES:
        full.resize(columns, rows)
        expect_screen(full, f"names-{name}-{letters}-{columns}x{rows}")


@test
def lists_a_match_and_a_table(bench):
    """João at his terminal: 田中, somebody with marks, and somebody who needs all the room. In ASCII it has the names to
    type."""
    server, (taro, kitti, nana) = people(bench)
    running = nana.do("new latrunculi white=me black=open")["match"]
    kitti.do(f"join {running}")
    cup = nana.do("tournament new cup clobber:2x2 format=round-robin")["tournament"]
    for player in (nana, taro, kitti):
        player.do(f"tournament join {cup}")
    for letters, locale in LOCALES.items():
        match = taro.do("new clobber:2x2 black=me white=open")["match"]
        full = bench.full("--name", "joao", address=server.address, columns=80, rows=24, **locale).expect("> Play now")
        full.click("Join a match").expect(f"{match}: ")
        expect_sizes(full, letters, "join")
        full.click(f"{match}: ").expect(YOUR_TURN)
        expect_sizes(full, letters, "turn")
        full.keys("a2a1", "enter").expect("Waiting for")
        expect_sizes(full, letters, "match")
        taro.do(f"resign {match}")
        full.expect("You win!")
        expect_sizes(full, letters, "end")
        leave(full)
        full.click("Matches").expect("Esc back").expect("1-0 resign")
        expect_sizes(full, letters, "matches")
        leave(full)
        full.click("Players online").expect("Esc back").expect("(you)")
        expect_sizes(full, letters, "players")
        full.pick("田中" if letters == "utf8" else "taro").expect("Enter start").expect("Challenge 田中" if letters == "utf8" else "Challenge taro")
        full.keys("escape").expect("Esc back").expect("(you)")
        leave(full)
        full.resize(120, 40).expect(f"{WIDEST[:11]}~ - {THAI}: Latrunculi" if letters == "utf8" else "nana - kitti: Latrunculi")
        full.resize(80, 24).click("Tournaments").expect("cup: ").keys("enter").expect("rank")
        expect_sizes(full, letters, "standings")
        full.keys("escape").expect("> ").control("c").expect("Ctrl-C again")
        full.control("c").end()
    nana.do(f"resign {running}")
    nana.do(f"tournament start {cup}")
    full = bench.full("--name", "joao", address=server.address, columns=80, rows=24).expect("> Play now")
    full.click("Tournaments").expect("cup: ").keys("enter").expect("Round 1")
    expect_that(re.search(f"^ *(田中|{THAI}|{WIDEST[:11]}~) - (田中|{THAI}|{WIDEST[:11]}~)  playing$", full.drawn().screen, re.M), full.screen)


@test
def messages(bench):
    """Whoever does something is called by the same name in each of them."""
    server, (taro, kitti, _) = people(bench)
    full = bench.full("--name", "joao", "--play", "clobber:2x2", "--vs", "taro", address=server.address, columns=120, rows=40)
    full.expect("Waiting for 田中 to accept the challenge")
    match = taro.wait_for("challenge")["match"]
    taro.do(f"decline {match} busy")
    full.expect(f"田中 declines match {match}: busy.").keys("leave", "enter").expect("> Play now")
    challenge = kitti.do("new clobber:3x3 white=joao")["match"]
    full.expect(f"{THAI} challenges you to")
    full.drawn().pick("Accept the challenge").expect(YOUR_TURN)
    kitti.do(f"say {challenge} hello")
    full.expect(f"<{THAI}> hello")
    elsewhere = taro.do("new clobber:3x3 white=joao")["match"]
    full.expect("田中 challenges you to").drawn().keys("accept", "enter").expect(f"match {elsewhere}").expect(YOUR_TURN)
    full.drawn().keys("a2a1", "enter").expect("Waiting for 田中")
    kitti.do(f"draw {challenge}")
    full.expect(f"Match {challenge}: {THAI} offers a draw")
    kitti.do(f"say {challenge} and?")
    full.expect(f"[match {challenge}] <{THAI}> and?")
    taro.do(f"resign {elsewhere}")
    full.expect("You win! 田中 resigned.").drawn().keys("leave", "enter").expect("> Back to match")
    taro.do(f"rematch {elsewhere}")
    full.expect(f"田中 asks for a rematch of match {elsewhere}")


def cells(shown, title):
    """Returns the columns of a table as a terminal has them: one list a row, cut where titles begin."""
    lines = [line for line in shown.screen.split("\n") if line.strip()]
    heads = next(i for i, line in enumerate(lines) if line.split()[:len(title.split())] == title.split())
    starts = [match.start() for match in re.finditer(r"\S+", lines[heads])]
    rows = []
    for line in lines[heads + 1:]:
        grid = "".join(letter + "\0" * (width_of(letter) - 1) if width_of(letter) else "" for letter in line)
        rows.append([grid[start:end].replace("\0", "").strip() for start, end in zip(starts, starts[1:] + [None])])
    return rows


@test
def columns_for_people(bench):
    """A list of players has the names to type, too; scripts get these only."""
    server, (taro, kitti, nana) = people(bench)
    address = server.address
    for one, other, name in ((taro, kitti, "taro"), (nana, taro, "nana")):
        match = other.do(f"new clobber:2x2 black=me white={name} rated=yes")["match"]
        one.do(f"join {match}")
        for player, move in ((one, "a2a1"), (other, "b2b1"), (one, "a1b1")):
            player.do(f"move {match} {move}")
    taro.do("new latrunculi white=me black=open")
    rows = cells(bench.ludus("who", address=address, columns=120).end(), "name bot")
    expect_that([row[0] for row in rows][1:4] == ["田中 (taro)", "กตต (kitti)", f"{WIDEST} (nana)"], rows)
    expect_that([row[1] for row in rows] == ["yes", "no", "no", "no", "no"], rows)
    rows = cells(bench.ludus("who", address=address, columns=40).end(), "name bot")
    expect_that([row[0] for row in rows][1:3] == ["田中 (taro)", "กตต (kitti)"] and rows[3][0].endswith("~"), rows)
    rows = cells(bench.ludus("list", address=address, columns=100).end(), "match game")
    expect_that([row[3:5] for row in rows] == [["田中", "-"]], rows)
    rows = cells(bench.ludus("top", "clobber:2x2", address=address, columns=160).end(), "game variant")
    expect_that({row[3] for row in rows} == {"田中 (taro)", "กตต (kitti)", f"{WIDEST} (nana)"}, rows)
    rows = cells(bench.ludus("history", "taro", address=address, columns=100).end(), "match date")
    expect_that([row[4:6] for row in rows] == [["nana", "田中"], ["田中", "kitti"]], rows)
    taro.do(f"join {kitti.do('new clobber:3x3 white=me black=open')['match']}")
    rows = cells(bench.ludus("inbox", "--name", "kitti", address=address, columns=100).end(), "match game")
    expect_that([row[4] for row in rows] == ["田中"], rows)
    for columns in (40, 60, 80):
        for words in (["who"], ["top"], ["list"], ["history", "taro"]):
            shown = bench.ludus(*words, address=address, columns=columns).end().screen
            expect_that(all(columns_of(line.rstrip()) <= columns for line in shown.split("\n")), f"{columns}: {words}: {shown}")
            expect_that("\ufffd" not in shown and "?" not in shown, shown)
    for words in (["who"], ["top"], ["list"], ["history", "taro"]):
        shown = bench.ludus(*words, address=address, columns=160, LC_ALL="C").end().screen
        expect_that(shown.isascii() and "taro" in shown and "?" not in shown, shown)
        for plain in (bench.piped(words, address=address), bench.ludus(*words, "--plain", address=address).end().screen):
            expect_that(plain.isascii() and re.search("(^|\t)taro\t", plain, re.M), plain)


@test
def a_state_for_people(bench):
    server, (taro, kitti, _) = people(bench)
    match = taro.do("new clobber:2x2 white=me black=open")["match"]
    kitti.do(f"join {match}")
    expect_that(f"white 田中, black {THAI}\n" in bench.piped(["state", match], address=server.address), "in words")
    expect_that("white taro, black kitti\n" in bench.piped(["state", match], address=server.address, LC_ALL="C"), "in ASCII")


if __name__ == "__main__":
    sys.exit(run_tests("test_shown_names", test, "--no-bots", at_once=2))
