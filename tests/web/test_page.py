#!/usr/bin/env python3
"""The page in a browser: a short match of every game, by every way to play a move.

usage: python3 tests/web/test_page.py BUILD_DIR [TEST...]

`make web-test` has the longer tests.
"""
import contextlib
import http.server
import posixpath
import re
import socket
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/../support")
import page as ways
from web_stage import Tests, build_folder, run_tests
from browser import Browser, request
from harness import Server, games_of, wait_until

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
            if path.endswith(FIRST):  # the page loads the pictures of the server's games by itself
                unread += [f"{path.removesuffix(FIRST)}/js/games/{game}.js" for game in games_of(build_folder())]
        found = {re.sub(r"^/[0-9a-f]{16}/", "/", path) for path in found}
        ahead = [re.sub(r"^[0-9a-f]{16}/", "", path) for path in ahead]
        checks.check(len(found) > 3, "the page has styles and scripts", found)
        checks.equal(sorted(f"/{name}" for name in ahead), sorted(found - {"/", "/style.css", "/js/main.js", "/js/start.js"}),
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


class Proxy:
    """Passes connections on to a server, with a Host of its own, as nginx does that was not told otherwise."""

    def __init__(self, server, host):
        self.server, self.host = server, host.encode()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                front = self.listener.accept()[0]
            except OSError:
                return
            back = socket.create_connection(("127.0.0.1", self.server.port))
            for source, to in ((front, back), (back, front)):
                threading.Thread(target=self.copy, args=(source, to), daemon=True).start()

    def copy(self, source, to):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                to.sendall(re.sub(rb"\r\nHost: [^\r]*", b"\r\nHost: " + self.host, data))
            to.shutdown(socket.SHUT_WR)


class Ahead(http.server.BaseHTTPRequestHandler):
    """A page that has a browser connect to a server, as it does by itself for an address that is being typed."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'<!doctype html><link rel="icon" href="data:,">'
                         b'<link rel="preconnect" href="http://127.0.0.1:%d/">' % self.server.ahead)

    def log_message(self, *_):
        pass


def is_connected(server):
    """Returns whether the server has a connection, be it one that says nothing."""
    with open("/proc/net/tcp") as table:
        return any(row.split()[1].endswith(f":{server.port:04X}") and row.split()[3] == "01" for row in table)


@test
def a_socket_opened_ahead(stage):
    """A browser connects before it asks for anything: nothing comes before its answer."""
    page, server = stage.page(stage.server("--no-bots")), stage.server("--no-bots")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ahead) as other:
        other.ahead = server.port
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page.window.go(f"http://127.0.0.1:{other.server_port}/")
        wait_until(lambda: is_connected(server), "a socket opened ahead")
        time.sleep(0.5)  # a hand types the rest of the address
        page.requests()
        page.server, page.top = server, f"http://127.0.0.1:{server.port}/"
        page.go().there(".cards")
        other.shutdown()


@test
def behind_a_proxy(stage):
    """A proxy that changes the page's address is named on the page."""
    server = stage.server()
    page = stage.page(server)
    proxy = Proxy(server, "localhost")
    page.top = f"http://127.0.0.1:{proxy.port}/"
    page.window.go(page.top)
    page.expect(f"A proxy in between asks the server for localhost instead of 127.0.0.1:{proxy.port}", "#not-started")
    stage.quiet(page, but="403|426|Failed to load")
    proxy.listener.close()


if __name__ == "__main__":
    sys.exit(run_tests("test_page", test, [page_is_served]))
