#!/usr/bin/env python3
"""The page in a browser: the ways into matches, and what is left of them afterwards.

usage: python3 tests/web/test_ways_in.py BUILD_DIR [TEST...]
"""
import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from page import action, by_click, square
from web_stage import Tests, build_folder, run_tests
from harness import games_of, wait_until

test = Tests()


@test
def two_at_one_screen(stage):
    page = stage.page(stage.server("--no-bots"))
    page.start("clobber", opponent="both", variant="4x5")
    ply = 0
    while page.run("return document.querySelector('#match').dataset.status") == "playing":
        ply += 1
        by_click(page, next_move(page))
        page.at(ply)
    page.expect("wins", "#status").expect("cannot move", "#status")


def next_move(page):
    """Returns a legal move of Clobber, as the board shows it."""
    board = {name: words.split()[0] for name, words in page.board().items()}
    turn = page.run("return document.querySelector('#match').dataset.turn")
    for name, color in sorted(board.items()):
        for file, rank in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            target = f"{chr(ord(name[0]) + file)}{int(name[1:]) + rank}"
            if color == turn and board.get(target, turn) != turn:
                return name + target
    return None


@test
def against_a_bot(stage):
    page = stage.page(stage.server("--bots", "random"))
    page.start("clobber", opponent="bot", level="random", color="black", variant="4x5")
    page.wait("return document.querySelector('#match').dataset.ply !== '0'")
    while page.run("return document.querySelector('#match').dataset.status") == "playing":
        ply = int(page.run("return document.querySelector('#match').dataset.ply"))
        move = next_move(page) if ply % 2 else None
        if move:
            by_click(page.mine(ply), move)
        page.wait("const {ply, status} = document.querySelector('#match').dataset;"
                  "return Number(ply) > arguments[0] || status === 'over'", ply)
    page.expect("You ", ".headline")


@test
def watching(stage):
    server = stage.server("--no-bots")
    page, white, black = stage.page(server), stage.peer(server, "anna"), stage.peer(server, "bob")
    match = white.ask("new clobber:4x4 white=me black=open")["match"]
    page.expect("Waiting for an opponent", "#lobby")
    black.ask(f"join {match}")
    page.expect("Being played", "#lobby").click(f'#lobby [data-match="{match}"]').at(0)
    for ply, (peer, move) in enumerate(((white, "b1a1"), (black, "b2a2"))):
        peer.ask(f"move {match} {move}")
        page.at(ply + 1)
    page.click(square("d1"), square("d2"))
    stage.checks.equal(page.run("return document.querySelector('#match').dataset.mine"), "false", "no seat")
    stage.checks.equal(page.run("return document.querySelector('#move').checkVisibility()"), False, "no line for moves")
    white.ask(f"resign {match}")
    page.expect("Black wins", "#status")


@test
def joining_by_link(stage):
    anna, bob = stage.pair("--no-bots")
    anna.start("shakti", opponent="friend", color="black")
    link = anna.there("#link").run("return document.querySelector('#link').value")
    stage.checks.check(link.startswith(anna.top + "m/"), "of which chats show a preview", link)
    bob.window.go(link)
    bob.here().click(action("join-white"))
    by_click(bob.mine(0), "f2d4")
    anna.mine(1)
    stage.checks.equal(anna.run("return document.querySelector('#seat-near').dataset.seat"), "black", "her colour")


@test
def joining_by_code(stage):
    """The code comes with the link, or is typed; a wrong one is refused."""
    server = stage.server("--no-bots", "--code", "sesame99")
    anna, bob = stage.page(server), stage.page(server)
    for text, shown in (("wrong", "#code-form .problem"), ("sesame99", ".cards")):
        anna.there("#code-form").write("#code", text).press("enter").there(shown)
    anna.gone("#code-form").start("clobber", opponent="friend", color="white")
    link = anna.there("#link").run("return document.querySelector('#link').value")
    stage.checks.check(link.startswith(anna.top + "#/m/") and link.endswith("&code=sesame99"), "the link has the code, where browsers send it to nobody", link)
    bob.window.go("about:blank")
    bob.window.go(link)
    bob.here().click(action("join-black"))
    by_click(anna.mine(0), "a2a1")
    bob.mine(1)
    stage.checks.check("sesame99" not in bob.run("return location.href"), "the code leaves the address")


@test
def a_code_alone(stage):
    page = stage.page(stage.server("--no-bots", "--code", "sesame99"))
    page.window.go("about:blank")
    page.window.go(page.top + "#code=sesame99")
    page.here().gone("#code-form").start("clobber", opponent="both")
    page.mine(0)


@test
def stepping(stage):
    moves = "a2a1 b2b1 c2c1 d2d1".split()
    anna, bob = stage.met("clobber", " ".join(moves[:2]))
    boards = [bob.board()]
    for ply, name in ((1, "back"), (0, "back")):
        bob.click(f'[data-step="{name}"]').there(f'#moves [data-ply="{ply}"][aria-current]' if ply else "#match")
        boards.insert(0, bob.board())
    stage.checks.equal([len(board) for board in boards], [30, 29, 28], "one stone fewer at each move")
    by_click(anna.mine(2), moves[2])
    bob.mine(3)
    stage.checks.equal(len(bob.board()), 27, "a move brings the board up to date")
    by_click(bob, moves[3])
    anna.mine(4).surely("resign")
    bob.expect("You won", "#status")
    for key, count in (("<", 27), ("<", 28), (">", 27)):
        bob.press(key)
        bob.wait("return [...document.querySelectorAll('#match .board [aria-label]')]"
                 ".filter(cell => /stone/.test(cell.getAttribute('aria-label'))).length === arguments[0]", count)
    for name, board in (("first", boards[0]), ("latest", None), ("back", None)):
        bob.click(f'[data-step="{name}"]')
        if board:
            stage.checks.equal(bob.board(), board, name)
    bob.click('#moves [data-ply="2"]').there('#moves [data-ply="2"][aria-current]')
    stage.checks.equal(bob.board(), boards[2], "the board after move 2")
    bob.click('[data-step="turn"]')
    stage.checks.equal(bob.board(), boards[2], "the same board turned")


@test
def a_pace_for_eyes(stage):
    """Bots play a match in no time: who watches sees it move by move, at a pace of their own, and its end at the end."""
    server = stage.server("--no-bots")
    page, white, black = stage.page(server), stage.peer(server), stage.peer(server)
    white.ask("hello whitebot bot=yes")
    black.ask("hello blackbot bot=yes")
    match = white.ask("new clobber:2x2 black=blackbot")["match"]
    black.ask(f"join {match}")
    page.go(f"#/m/{match}").there('#match[data-status="playing"]').there("[data-pace=run]")
    for player, move in ((white, "a2a1"), (black, "b2b1"), (white, "a1b1")):
        player.do(f"move {match} {move}")
    page.there('#match[data-ply="3"][data-status="over"]').expect("Two bots play, at your pace.", "#status")
    page.press(" ").expect("Paused.", "#status")
    page.press("+").expect("2 moves a second", "#pace").press("+").press("+").expect("4 moves a second", "#pace")
    page.press("-").press("-").expect("a move a second", "#pace").press(" ").expect("White wins", "#status")
    page.there('#moves [data-ply="3"][aria-current]').click("[data-pace=run]").there('#moves [data-ply="1"][aria-current]')
    page.click('[data-step="first"]').there('[data-pace=run][aria-label="Play the moves"]')
    page.click("[data-pace=run]").expect("White wins", "#status").there('#moves [data-ply="3"][aria-current]')


@test
def downloading(stage):
    """The file is what `ludus record --pgn` prints, of a match with a clock and another start, too."""
    anna, bob = stage.met("xadrersi", "K@d4 Q@d5 Q@e4")
    matches = [anna.match()]
    bob.mine(3).surely("resign")
    zoe = stage.peer(anna.server, "zoe")
    matches.append(zoe.do("new clobber white=me black=me clock=60+1.5 rated=no position=pP/Pp b")["match"])
    for move in ("a2a1", "b2b1", "a1b1"):
        zoe.do(f"move {matches[1]} {move}")
    folder = stage.folder()
    anna.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
    for count, match in enumerate(matches, 1):
        anna.go(f"#/m/{match}").click(action("download"))
        wait_until(lambda: sum(name.endswith(".pgn") for name in os.listdir(folder)) == count, "a file")
        name, = (name for name in os.listdir(folder) if f"-{match}-" in name)
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        printed = subprocess.run([os.path.join(build_folder(), "ludus"), "record", "--connect", anna.server.address,
                                  match, "--pgn"], check=True, capture_output=True, text=True, timeout=60).stdout
        stage.checks.equal(text, printed, f"the file of match {match}")
    stage.checks.check("{ [%clk 0:01:0" in text and '[FEN "pP/Pp b"]' in text, "the clock and the start", text)


@test
def challenging(stage):
    anna, bob = stage.pair("--no-bots")
    anna.take_name("anna"), bob.take_name("bob")
    for answer in ("button:not(.primary)", ".primary"):
        anna.go("#/players").click('[data-player="bob"] .button', "#start")
        bob.expect("anna challenges you", ".challenge").click(f".challenge {answer}")
        if answer == ".primary":
            anna.at(0).there('#match[data-status="playing"]')
        else:
            anna.expect("Broken off", "#status")
    bob.there('#match[data-status="playing"]')


@test
def trying_the_rules(stage):
    """Each example in the rules is a board to play on."""
    page = stage.page(stage.server("--no-bots"))
    first = ".example:first-of-type"
    for game in games_of(build_folder()):
        page.go(f"#/rules/{game}").click(f'{first} [data-action="try"]')
        page.there(f'{first} [data-ply="0"]').there(f'{first} [data-square]')
        if game == "clobber":
            page.click(*(f'{first} [data-square="{name}"]' for name in ("b5", "c5")))
            page.expect("Black cannot move", first)
        page.run("location.hash = '#/'")
        page.there(".cards")
    stage.checks.equal(stage.peer(page.server).ask("list")["matches"], [], "no match is left behind")


@test
def history_and_ratings(stage):
    anna, bob = stage.met("clobber", "a2a1 b2b1")
    anna.mine(2).surely("resign")
    bob.expect("You won", "#status")
    bob.go("#/history").expect("against anna", "#history").expect("Won", "#history")
    bob.click("#history a.row").expect("White resigned", "#status")
    bob.go("#/players").expect("bob", "#top").expect("anna", "#top")
    bob.take_name("robert").go("#/history").expect("No finished matches yet", "#history")


@test
def a_match_that_is_not_there(stage):
    page = stage.page(stage.server("--no-bots"))
    for match in ("4711", "nonsense", "%00", "<b>", "1&code=x"):
        page.go("#/m/" + match).expect("No such match")
    page.go("#/nothing").there(".cards")


if __name__ == "__main__":
    sys.exit(run_tests("test_ways_in", test))
