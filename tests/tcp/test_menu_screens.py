#!/usr/bin/env python3
"""The menu, its forms and lists, the help and the end of a match as they must be drawn, in ASCII and in
UTF-8, at three sizes.

usage: python3 tests/tcp/test_menu_screens.py BUILD_DIR

tests/screens/ has the expected screens; UPDATE_SCREENS=1 in the environment writes them anew.
"""

import sys

sys.path.insert(1, sys.path[0] + "/../support")
from golden_screen import expect_screen
from stage import Tests, run_tests
from terminal import expect_that

SIZES = ((40, 16), (80, 24), (120, 40))
LOCALES = {"ascii": {"LC_ALL": "C"}, "utf8": {"LC_ALL": "C.UTF-8"}}
FORMS = {"bot": "Play a bot", "both": "Two players at this keyboard", "host": "Host a match",
         "bots": "Watch two bots"}
LISTS = {"matches": ("Matches", "dora"), "players": ("Players online", "carl"), "join": ("Join a match", "carl")}
MENU_KEYS = "F1 help  Enter choose  F2 rules"

test = Tests()


def expect_sizes(full, letters, name, sizes=SIZES):
    """Holds a screen against its files at all sizes, and ends at the largest."""
    for columns, rows in sizes:
        expect_screen(full.resize(columns, rows), f"{name}-{letters}-{columns}x{rows}")


def leave(full, row):
    """Goes back to the menu. Its last line is drawn last: from then on nothing of the old screen is left."""
    full.keys("escape").expect(f"> {row}")
    full.until(lambda screen: screen.rstrip().split("\n")[-1].strip() == MENU_KEYS, "this is not the menu")


def menu_screens(full, letters):
    full.expect("> Play now")
    expect_sizes(full, letters, "menu", ((200, 60), *SIZES))  # the wide ones show the match of carl and dora
    full.keys("f1").expect("list the keys")
    expect_sizes(full, letters, "keys-menu")
    leave(full, "Play now")
    for name, row in FORMS.items():
        full.click(row).expect("Enter start")
        expect_sizes(full, letters, f"form-{name}")
        leave(full, row)
    for name, (row, text) in LISTS.items():
        full.click(row).expect("Esc back").expect(text)  # beside the menu they play, too
        expect_sizes(full, letters, f"list-{name}")
        leave(full, row)


@test
def the_menu_its_forms_and_lists(bench):
    first = bench.server.connect()
    first.wait_for_bots(1)  # the list of players has them in the order in which they came
    first.close()
    carl, dora = bench.peer("carl"), bench.peer("dora")
    carl.do("new clobber:5x6 black=me white=open clock=300+5")
    dora.do(f"join {carl.do('new latrunculi black=me white=open')['match']}")
    clients = {}
    for letters, locale in LOCALES.items():  # one after the other, as the list of players shows
        clients[letters] = bench.full("--name", f"anna-{letters[0]}", home=bench.new_home(), columns=120, rows=40,
                                      **locale).expect("> Play now")
    for letters, full in clients.items():
        menu_screens(full, letters)
    for number, (letters, full) in enumerate(clients.items()):
        match = bench.peer(f"erna-{number}").do("new clobber:2x2 black=me white=open")["match"]
        ending_screens(full, bench.things[-1], match, letters)


def ending_screens(full, peer, match, letters):
    full.click("Join a match").click(f"{match}: ").expect("Your turn (")
    full.keys("f1").expect("list the keys")
    expect_sizes(full, letters, "keys-match")
    full.keys("escape").expect("Your turn (").keys("a2a1", "enter").expect("Waiting for")
    peer.do(f"move {match} b2b1")
    full.expect("Your turn (").keys("a1b1", "enter").expect("has no moves left.")
    expect_sizes(full, letters, "ending")


@test
def a_match_of_others_beside_the_menu(bench):
    """It is followed, takes no clicks, and makes room for the list. While nobody plays, nothing is kept for it."""
    server = bench.new_server("--bots", "easy")
    carl, dora = server.connect("carl"), server.connect("dora")
    match = carl.do("new clobber:2x2 white=me black=open")["match"]
    dora.do(f"join {match}")
    full = bench.full(address=server.address, columns=100, rows=24).expect("carl - dora: Clobber 2x2,").expect("move 0")
    carl.do(f"move {match} a2a1")
    full.expect("move 1").click("carl - dora").keys("down").expect("> Play a bot").resize(80, 24).expect_gone("carl - dora").expect("Quit")
    dora.do(f"resign {match}")
    full.resize(120, 40).expect("carl - dora: Clobber 2x2, 1-0").expect("Two bots play: ").expect("move 2")
    expect_that(carl.do("list")["matches"] == [], "the server has no work")
    full.keys("p").expect("Your turn (")


if __name__ == "__main__":
    sys.exit(run_tests("test_menu_screens", test, "--bots", "easy"))  # several would come in any order
