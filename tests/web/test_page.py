#!/usr/bin/env python3
"""The page in a browser: a short match of every game, by every way to play a move.

usage: python3 tests/web/test_page.py BUILD_DIR [TEST...]

`make web-test` has the longer tests.
"""
import posixpath
import re
import sys

import page as ways
from web_stage import Tests, build_folder, run_tests
from browser import Browser, request
from harness import Server

FIRST = "/js/pages/match.js"
AHEAD = re.compile(r'''rel="modulepreload" href="([^"]+)"''')
NAMED = re.compile(r"""(?:<script[^>]* src=|rel="stylesheet" href=|from )["']([^"':]+)["']""")

# Played out, the games of tests/tcp/test_whole_games.py and one more.
MATCHES = {
    "clobber:4x5": ("d3d4 b2b1 a2a3 d2d1 d5c5 c3b3 b5a5 b3a3 a4b4 c1c2", "0-1"),
    "xadrersi:touch": ("K@b1 N@c2 N@a2 R@d1 Q@e1 Q@e2 N@d3 R@f2 B@f3 N@a3 B@e3 B@g4 R@h5 B@d4 R@c5 K@c6", "1-0"),
    "xadrersi:attack": ("K@b1 N@c2 R@a1 R@b2 B@b5 B@c4 R@b4 Q@c6 Q@e1 B@e3 N@d2 R@a3 B@b6 N@f3 N@d5 K@g3", "0-1"),
    "latrunculi": ("a1a3 d7d6 b1b6 e8e7 c1c6 d6d2 c6c2 g8g5 a3d3", "1-0"),
    "shakti": ("f2d4 f6f4 d2c2 f4g4 d4d5 d6d5 b2a2 g4e2 a2c4 d5c4 c2a4 b6b4", "0-1"),
}
test = Tests()


def page_is_served(checks):
    """Follows the page to its styles and scripts, without a browser."""
    with Server(build_folder(), checks=checks) as server:
        found, ahead, unread = set(), [], ["/", FIRST]
        while unread:
            path = unread.pop()
            if path in found:
                continue
            found.add(path)
            with Browser(server.port) as browser:
                answer = browser.ask(request(path))
            checks.equal(answer.status, 200, path)
            text = answer.body.decode() if answer.status == 200 else ""
            unread += [posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in NAMED.findall(text)]
            ahead = ahead or AHEAD.findall(text)
        checks.check(len(found) > 3, "the page has styles and scripts", found)
        checks.equal(sorted(f"/{name}" for name in ahead), sorted(found - {"/", "/style.css", "/js/main.js"}),
                     "index.html has the modules of a match sent ahead, and no others")


def seated(stage, server, game, names=("anna", "bob")):
    """Returns two pages in a match that a peer has opened for them, that peer, who watches it, and its number."""
    pages = stage.page(server), stage.page(server)
    referee = stage.peer(server, "referee")
    for player, name in zip(pages, names):
        player.take_name(name)
    match = referee.ask(f"new {game} white={names[0]} black={names[1]}")["match"]
    for player in pages:
        player.click(".challenge .primary").there("#match")
    referee.wait_for("state", status="playing")
    return *pages, referee, match


PIECES = {"P": "stone", "S": "soldier", "D": "dux", "K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}


def words_of(state):
    """Returns the pieces on a board as Page.board() has them."""
    pieces = {**PIECES, "W": "warrior"} if state["game"] == "shakti" else PIECES
    return {f"{chr(97 + file)}{len(state['board']) - row}":
            f"{'white' if cell.isupper() else 'black'} {pieces[cell.upper()]}"
            for row, rank in enumerate(state["board"]) for file, cell in enumerate(rank) if cell.isalpha()}


def play_out(stage, game, means):
    """Plays a match to its end; each page uses one means after the other."""
    moves, result = MATCHES[game]
    white, black, referee, _ = seated(stage, stage.server(), game)
    for ply, move in enumerate(moves.split()):
        player, other = (white, black) if ply % 2 == 0 else (black, white)
        means[ply % len(means)](player.mine(ply), move)
        for page in (player, other):
            page.at(ply + 1)
        state = referee.wait_for("state", ply=ply + 1)
        stage.checks.equal(state["last"], move, f"{game}: move {ply + 1} as netcat sees it")
    board = words_of(state)
    for page, color in ((white, "1-0"), (black, "0-1")):
        page.there('#match[data-status="over"]')
        stage.checks.equal(page.text(".headline"), "You won" if result == color else "You lost", f"{game}: the end")
        stage.checks.equal(page.board(), board, f"{game}: the last board")


@test
def clobber(stage):
    play_out(stage, "clobber:4x5", ways.WAYS)


@test
def xadrersi_touch(stage):
    play_out(stage, "xadrersi:touch", ways.WAYS)


@test
def xadrersi_attack(stage):
    play_out(stage, "xadrersi:attack", ways.WAYS)


@test
def latrunculi(stage):
    play_out(stage, "latrunculi", ways.WAYS)


@test
def shakti(stage):
    play_out(stage, "shakti", ways.WAYS)


if __name__ == "__main__":
    sys.exit(run_tests("test_page", test, [page_is_served]))
