#!/usr/bin/env python3
"""The page in a browser: servers and networks that do not do what they should, and hands that are too quick.

usage: python3 tests/web/test_trouble.py BUILD_DIR [TEST...]
"""
import base64
import hashlib
import http.server
import json
import struct
import sys
import threading
import time
import urllib.request

sys.path.insert(1, sys.path[0] + "/../support")
from browser import CLOSE, frame
from harness import wait_until
from page import Page, action
from web_stage import Tests, run_tests

test = Tests()
AWAY = 1001


class Odd(http.server.ThreadingHTTPServer):
    """A server that has the page of another one, greets at each WebSocket, and closes it with a code. It keeps
    when each came."""

    def __init__(self, server, code=AWAY):
        super().__init__(("127.0.0.1", 0), OddRequest)
        self.origin, self.code, self.times = f"http://{server.address}", code, []
        self.port, self.address = self.server_port, f"127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class OddRequest(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if "Sec-WebSocket-Key" in self.headers:
            self.greet_and_close()
        elif self.path == "/ws":
            self.send_error(426)
        else:
            with urllib.request.urlopen(self.server.origin + self.path) as answer:
                body = answer.read()
            self.send_response(200)
            for name, value in (("Content-Type", answer.headers["Content-Type"]), ("Content-Length", len(body))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    def greet_and_close(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 4.2.2
        self.server.times.append(time.monotonic())
        self.send_response(101)
        for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Protocol", "ludus.v1"),
                            ("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())):
            self.send_header(name, value)
        self.end_headers()
        hello = json.dumps({"type": "hello", "proto": 1, "games": ["clobber"], "code": False, "limits": {"line": 1024},
                            "name": "guest-1"}).encode()
        self.wfile.write(frame(hello, mask=None) + frame(struct.pack(">H", self.server.code), opcode=CLOSE, mask=None))
        while self.rfile.read(1):  # a connection with unread input would be reset, and the code lost
            pass
        self.close_connection = True

    def log_message(self, *_):
        pass


def odd_page(stage, code=AWAY):
    """Returns the page at a server that closes its WebSockets with a code, and that server."""
    odd = Odd(stage.server("--no-bots"), code)
    stage.peers.append(odd)
    page = Page(stage.driver.windows[0] if stage.driver.windows else stage.driver.window(), odd)
    stage.pages.append(page)
    page.window.go(page.top)
    return page, odd


@test
def a_server_that_greets_and_leaves(stage):
    """The pause between tries grows, though each gets a greeting."""
    page, odd = odd_page(stage)
    page.wait("return document.querySelector('#lost') !== null")
    wait_until(lambda: len(odd.times) > 5, "six tries")
    pauses = [later - earlier for earlier, later in zip(odd.times, odd.times[1:])]
    stage.checks.check(all(pause > least for pause, least in zip(pauses, (0.09, 0.29, 0.69, 1.49, 2.9))), "pauses", pauses)


@test
def a_server_that_does_not_understand(stage):
    """Close codes that say so end it, until somebody presses a button."""
    for code in (1003, 1007, 1009):
        page, odd = odd_page(stage, code)
        page.expect("does not understand this page", "#refused")
        stage.checks.equal(len(odd.times), 1, f"{code}: one try")
        page.click("#refused button").wait("return document.querySelector('#refused') !== null")
        wait_until(lambda odd=odd: len(odd.times) == 2, "the second try")
        page.requests()


@test
def a_line_that_is_too_long(stage):
    """It is not sent: the server would close the connection, again and again."""
    server = stage.server("--no-bots", "--log-level", "debug", "--max-line", "200")
    page = stage.page(server).take_name("anna")
    came = server.read_log().count("event=connected")
    page.go("#/m/" + "x" * 1020).expect("No such match").go("#/history/" + "x" * 1020).there("#history .problem")
    match = page.start("clobber", opponent="both")
    page.run("document.querySelector('#say').value = arguments[0]", "ä" * 100)
    page.click("#say").press("enter").expect("too long", "#chat .problem")
    stage.checks.equal(page.run("return document.querySelector('#say').value"), "ä" * 100, "it can be made shorter")
    page.click("#say").run("document.querySelector('#say').value = 'short'")
    page.press("enter").expect("anna short", "#chat-lines")
    stage.checks.equal((page.match(), server.read_log().count("event=connected")), (match, came), "the same connection")


@test
def a_page_that_cannot_be_fetched(stage):
    """Address and page stay together, and the page says what it lacks; it comes when the server does."""
    server = stage.server("--no-bots")
    page = stage.page(server)
    page.devtools("Network.setBlockedURLs", urls=["*/js/pages/players.js"]).devtools("Network.enable")
    page.click('header nav a[href="#/players"]').expect("This page did not load", "#not-loaded")
    stage.checks.equal(page.run("return location.hash"), "#/players", "the address")
    page.click('header nav a[href="#/rules"]').there(".rules").gone("#not-loaded")
    page.click('header nav a[href="#/players"]').there("#not-loaded")
    page.devtools("Network.setBlockedURLs", urls=[])
    page.click("#not-loaded button").here().there("#here").gone("#not-loaded")
    page.devtools("Network.setBlockedURLs", urls=["*/js/pages/history.js"])
    page.run("location.hash = '#/history/anna'")
    page.there("#not-loaded").devtools("Network.setBlockedURLs", urls=[])
    server.kill()
    server.again()
    page.there("#history")
    stage.quiet(page, but="ERR_BLOCKED|WebSocket connection to .* failed|Failed to")


@test
def an_address_that_is_none(stage):
    page = stage.page(stage.server("--no-bots"))
    for route in ("__proto__", "constructor", "toString", "nothing/at/all", "%00", "m"):
        page.go("#/players").there("#here").run("location.hash = arguments[0]", f"#/{route}")
        page.expect("No such match") if route == "m" else page.there(".cards")


@test
def a_double_click_on_start(stage):
    """It opens one match, of one player."""
    server = stage.server("--bots", "random")
    page, peer = stage.page(server), stage.peer(server)
    for _ in range(3):
        page.go("#/new/clobber").there("#setup").choose(opponent="bot", level="random")
        page.run("const start = document.querySelector('#start'); start.click(); start.click(); start.click()")
        page.match()
    stage.checks.equal(peer.ask("stats")["matches_total"] + peer.ask("stats")["matches_playing"], 3, "matches")
    stage.checks.equal(len([each for each in peer.ask("who bot=no")["players"] if each["name"] != page.name()]), 1, "players")


@test
def a_double_click_on_a_deed(stage):
    """What is pressed again before it is done is done once: here the second word would ask for another move back."""
    anna, bob = stage.met("clobber", "a2a1 b2b1 c2c1")
    anna.click(action("undo"))
    bob.there(action("accept")).run("const yes = document.querySelector('[data-action=accept]'); yes.click(); yes.click()")
    bob.at(2).write("#say", "done").press("enter")
    anna.mine(2).expect("bob done", "#chat-lines")
    stage.checks.equal(anna.run("return document.querySelector('[data-offer]')"), None, "no other offer")


@test
def rules_that_are_tried(stage):
    """They leave nothing behind, however the page is left; one is tried at a time."""
    server = stage.server("--no-bots")
    page, peer = stage.page(server).take_name("anna"), stage.peer(server)
    doubles = ("return [...document.querySelectorAll('[id]')].map(node => node.id)"
               ".filter((id, i, all) => all.indexOf(id) !== i)")
    page.go("#/rules/latrunculi").click('.example:nth-of-type(1) [data-action="try"]')
    page.there('.example:nth-of-type(1) [data-ply="0"]').click('.example:nth-of-type(2) [data-action="try"]')
    page.there('.example:nth-of-type(2) [data-ply="0"]')
    stage.checks.equal(page.run(doubles), [], "each id is there once")
    page.gone('.example:nth-of-type(1) [data-ply]')
    stage.checks.equal((page.name(), page.run("return document.title")), ("anna", "Rules of Latrunculi XXI · Ludus"), "who and where")
    page.run("location.hash = '#/'")
    page.there(".cards").go("#/rules/clobber").click('.example:first-of-type [data-action="try"]')
    page.click(*(f'.example:first-of-type [data-square="{name}"]' for name in ("b5", "c5")))
    page.expect("Black cannot move", ".example:first-of-type").click('.example:first-of-type [data-action="try"]')
    page.there('.example:first-of-type [data-ply="0"]')
    page.window.go("about:blank")
    wait_until(lambda: [peer.ask("stats")[what] for what in ("matches_playing", "connections")] == [0, 1], "nothing is left")
    page.go().gone("#mine .row")


@test
def rules_with_a_join_code(stage):
    server = stage.server("--no-bots", "--code", "sesame99")
    page = stage.page(server)
    page.go("#/&code=sesame99").there(".cards").go("#/rules/clobber").click('.example:first-of-type [data-action="try"]')
    page.there('.example:first-of-type [data-ply="0"]')
    server.kill()
    page.gone('.example:first-of-type [data-ply="0"]').expect("Try it on this board", ".example:first-of-type")
    server.again()
    page.gone("#lost").click('.example:first-of-type [data-action="try"]').there('.example:first-of-type [data-ply="0"]')
    stage.quiet(page, but="WebSocket connection to .* failed")


if __name__ == "__main__":
    sys.exit(run_tests("test_trouble", test))
