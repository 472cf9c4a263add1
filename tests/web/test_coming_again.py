#!/usr/bin/env python3
"""The page in a browser: the server dies and comes again, pages of one player.

usage: python3 tests/web/test_coming_again.py BUILD_DIR [TEST...]
"""
import contextlib
import re
import socket
import sys

sys.path.insert(1, sys.path[0] + "/../support")
import test_page
from page import by_click, by_typing
from web_stage import Tests, run_tests
from terminal import Proxy

# What browsers themselves say of a server that is not there.
REFUSED = r"WebSocket connection to .* failed|establish a connection to the server"
LOST = "The connection is lost"
test = Tests()


def kept(stage):
    """Returns a server with a store."""
    return stage.server("--no-bots", "--data", stage.folder())


def opened(stage, server):
    """Returns two pages at ply 2 of a match."""
    anna, bob = stage.page(server), stage.page(server)
    match = anna.start("clobber", opponent="friend", color="white")
    bob.window.go(anna.there("#link").run("return document.querySelector('#link').value"))
    bob.click('[data-action="join-black"]')
    by_click(anna.mine(0), "a2a1")
    by_click(bob.mine(1), "b2b1")
    anna.mine(2)
    return anna, bob, match


@test
def a_server_that_is_killed(stage):
    """The match goes on where it was, by itself."""
    server = kept(stage)
    anna, bob, match = opened(stage, server)
    names, board = (anna.name(), bob.name()), anna.board()
    for _ in range(2):
        server.kill()
        for page in (anna, bob):
            page.expect(LOST, "#notices")
            stage.checks.equal(page.board(), board, "the board while the server is away")
        server.again()
        for page in (anna, bob):
            page.gone("#lost").at(2)
            stage.checks.equal(page.board(), board, "the board afterwards")
        stage.checks.equal((anna.name(), bob.name(), anna.match()), (*names, match), "names and match")
    by_click(anna.mine(2), "c2c1")
    by_typing(bob.mine(3), "d2d1")
    anna.mine(4)
    for page in (anna, bob):
        stage.quiet(page, but=REFUSED)


@test
def a_server_that_is_stopped(stage):
    server = kept(stage)
    anna, bob, _ = opened(stage, server)
    server.stop()
    bob.expect(LOST, "#notices")
    server.again()
    by_click(anna.gone("#lost").mine(2), "c2c1")
    bob.mine(3)
    for page in (anna, bob):
        stage.quiet(page, but=REFUSED)


@test
def a_server_that_forgets(stage):
    """The page takes its name anew, and says that the match is gone."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    page.start("shakti", opponent="both")
    server.kill()
    page.expect(LOST, "#notices")
    server.again()
    page.gone("#lost").expect("No such match").expect("anna", "#you")
    page.start("shakti", opponent="both")
    by_click(page.mine(0), "d2d3")
    page.mine(1)
    stage.quiet(page, but=REFUSED)


@test
def a_network_that_drops(stage):
    """A move that is made while the connection is away is refused in words, and can be made later."""
    server = stage.server("--no-bots")
    proxy = Proxy(server.port)
    stage.peers.append(proxy)
    page = stage.page(server)
    page.top = f"http://{proxy.address}/"
    page.go().start("clobber", opponent="both")
    page.mine(0)
    proxy.refusing = True
    proxy.drop()
    page.expect(LOST, "#notices")
    before = page.board()
    by_click(page, "a2a1")
    page.expect("no connection", "#problem")
    stage.checks.equal(page.board(), before, "the board")
    proxy.refusing = False
    by_click(page.gone("#lost").mine(0), "a2a1")
    page.mine(1)
    stage.quiet(page, but=REFUSED + "|ERR_EMPTY_RESPONSE|ERR_CONNECTION")


@test
def a_page_that_is_loaded_again(stage):
    anna, bob, match = opened(stage, stage.server("--no-bots"))
    names = anna.name(), bob.name()
    for page in (anna, bob):
        page.window.post("refresh")
        page.here().at(2)
    stage.checks.equal((anna.name(), bob.name(), anna.match()), (*names, match), "names and match")
    by_click(anna.mine(2), "c2c1")
    bob.mine(3)
    bob.go().there(f'#mine [data-match="{match}"]').click(f'#mine [data-match="{match}"]').mine(3)


class Counter(test_page.Proxy):
    """Notes what browsers ask a server for."""

    def __init__(self, server):
        self.asked = []
        super().__init__(server, "")

    def copy(self, source, to):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if to.getpeername()[1] == self.server.port:
                    self.asked += [path.decode() for path in re.findall(rb"^GET (\S+) HTTP", data, re.M)]
                to.sendall(data)
            to.shutdown(socket.SHUT_WR)


@test
def a_second_visit(stage):
    """It asks for the page and the socket, and for nothing else: the files have names that change with their contents."""
    server = stage.server("--no-bots")
    proxy = Counter(server)
    page = stage.page(server)
    page.top = f"http://127.0.0.1:{proxy.port}/"
    match = page.go().start("clobber", opponent="both")
    for route, shown in (("#/", ".cards .scene"), (f"#/m/{match}", "#match .cell.own")):
        for visit in ("first", "second"):
            page.window.go("about:blank")
            proxy.asked.clear()
            page.go(route).there(shown)
            if visit == "second":
                stage.checks.equal(sorted(proxy.asked), ["/", "/ws"], f"asked for at {route}")
    proxy.listener.close()


@test
def many_matches(stage):
    """More than come by themselves: the page asks for the others."""
    server = stage.server("--no-bots")
    page = stage.page(server).take_name("anna")
    player = page.run("return JSON.parse(localStorage.getItem('ludus.player'))")
    peer = stage.peer(server)
    peer.ask(f"hello anna token={player['token']}")
    for _ in range(60):
        peer.ask("new clobber:2x2 white=me black=me")
    page.window.post("refresh")
    page.here().go("#/").wait("return document.querySelectorAll('#mine [data-match]').length === 60")
    stage.quiet(page)


@test
def the_host_ends_the_server(stage):
    """A server that a player hosted: the page says so, and waits to be told."""
    server = stage.server("--no-bots", "--hosted", "--data", stage.folder())
    page = stage.page(server)
    page.start("clobber", opponent="both")
    by_click(page.mine(0), "a2a1")
    page.mine(1)
    server.stop()
    page.expect("The host has ended the server.", "#closed")
    server.again()
    page.click("#closed button").gone("#closed").mine(1)


@test
def another_tab(stage):
    """The same player in a second tab: a move in one shows in the other. When another client takes the name for itself,
    the page says so, and comes back."""
    server = stage.server("--no-bots")
    page = stage.page(server)
    match = page.start("clobber", opponent="both")
    first = page.window.tab()
    second = page.window.new_tab()
    page.go(f"#/m/{match}").mine(0)
    by_click(page, "a2a1")
    page.mine(1)
    page.window.use(first)
    by_click(page.mine(1), "b2b1")
    page.mine(2)
    page.window.use(second)
    page.mine(2)
    page.window.close_tab()
    page.window.use(first)
    player = page.run("return JSON.parse(localStorage.getItem('ludus.player'))")
    server.connect().ask(f"hello {player['name']} token={player['token']} only=yes")
    page.expect("other windows", "#replaced").click("#replaced button").gone("#replaced").mine(2)


@test
def another_device(stage):
    """A code of one browser makes another one the same player, who is asked before."""
    server = stage.server("--no-bots")
    page, phone = stage.page(server), stage.page(server)
    page.take_name("anna")
    phone.take_name("bob")
    match = page.start("clobber", opponent="both")
    page.go("#/you").click('[data-action="device"]').there("#device #link")
    link = page.run("return document.querySelector('#link').value")
    phone.window.go(link)
    phone.expect("In this browser you are bob so far", ".you").expect("Play as anna", '[data-action="use"]')
    phone.click('[data-action="use"]').there('#mine [data-match]')
    stage.checks.equal(phone.name(), "anna", "the name there")
    phone.go(f"#/m/{match}")
    by_click(phone.mine(0), "a2a1")
    page.go(f"#/m/{match}").mine(1)
    phone.window.go(link)
    phone.click('[data-action="use"]').expect("no device code of anna", "#problem")


@test
def a_name_from_another_device(stage):
    """A guest on two devices takes a name on one: the other one goes on and comes back under it."""
    server = stage.server("--no-bots")
    page, phone = stage.page(server), stage.page(server)
    page.go("#/you").click('[data-action="device"]').there("#device #link")
    phone.window.go(page.run("return document.querySelector('#link').value"))
    phone.click('[data-action="use"]').wait("return document.querySelector('#you').textContent === arguments[0]", page.name())
    page.take_name("carla")
    phone.wait("return document.querySelector('#you').textContent === 'carla'")
    phone.go()
    stage.checks.equal(phone.name(), "carla", "the name after it came back")


if __name__ == "__main__":
    sys.exit(run_tests("test_coming_again", test))
