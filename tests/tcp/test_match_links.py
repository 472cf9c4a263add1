"""Links to matches: the page that programs read and people are led by, and the board as SVG and PNG.

usage: test_match_links.py BUILD_DIR
"""
import ssl
import struct
import sys
import tempfile
import time
import zlib
from html.parser import HTMLParser
from xml.etree import ElementTree

sys.path.insert(1, sys.path[0] + "/../support")
from browser import Browser, request
from harness import Checks, Server, build_folder
from test_tls import Place, start as start_tls

BUILD = build_folder()
SVG = "{http://www.w3.org/2000/svg}"
MOVES = ("a2a1", "b2b1", "a1b1")  # of clobber:2x2: White wins


def start(checks, *options):
    return Server(BUILD, "--no-bots", *options, checks=checks)


def ask(server, path, **more):
    with Browser(server.port) as browser:
        return browser.ask(request(path, **more), to_head=more.get("method") == "HEAD")


def play(player, moves=MOVES, options="", game="clobber:2x2"):
    match = player.do(f"new {game} white=me black=me {options}")["match"]
    for move in moves:
        player.do(f"move {match} {move}")
    return match


class Page(HTMLParser):
    """The title, the tags by name, and where the page leads."""

    def __init__(self, answer):
        super().__init__()
        self.tags, self.links, self.pictures, self.title, self.scripts, self.reading = {}, [], [], "", 0, False
        self.feed(answer.body.decode())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.reading = tag == "title"
        self.scripts += tag == "script"
        if tag == "meta" and "content" in values:
            self.tags[values.get("name") or values.get("property") or values["http-equiv"]] = values["content"]
        if tag == "a":
            self.links.append(values["href"])
        if tag == "img":
            self.pictures.append(values["src"])

    def handle_data(self, data):
        self.title += data if self.reading else ""
        self.reading = False


def pixels_of(png):
    """Returns the width, the height and a function that tells the colour at a place; checks each chunk's sum."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n", png[:8]
    at, chunks = 8, {}
    while at < len(png):
        size, = struct.unpack(">I", png[at:at + 4])
        kind, data, total = png[at + 4:at + 8], png[at + 8:at + 8 + size], png[at + 8 + size:at + 12 + size]
        assert struct.unpack(">I", total)[0] == zlib.crc32(kind + data), kind
        chunks[kind], at = data, at + 12 + size
    width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colours, list(chunks)) == (8, 3, [b"IHDR", b"PLTE", b"IDAT", b"IEND"]), chunks.keys()
    rows = zlib.decompress(chunks[b"IDAT"])
    assert len(rows) == height * (width + 1) and set(rows[::width + 1]) == {0}, "rows"
    return width, height, lambda x, y: chunks[b"PLTE"][3 * rows[y * (width + 1) + 1 + x]:][:3].hex()


def pages(checks):
    """A page says who plays and how it stands, shows a picture, and leads to the match, with no script."""
    with start(checks) as server:
        anna = server.connect("anna")
        match = play(anna)
        top, title = f"http://localhost:{server.port}/m/{match}", "Clobber 2x2: anna - anna, 1-0 (no-moves), 3 moves"
        for query, shown, route in (("", title, ""), ("?ply=3", title, "/3"), ("?fbclid=Ix-1&ply=1", title.replace("3 moves", "after 1 of 3 moves"), "/1"),
                                    ("?utm_source=x&", title, "")):
            answer = ask(server, f"/m/{match}{query}", host=f"localhost:{server.port}")
            page, ply = Page(answer), f"?ply={route[1:]}" if route else ""
            checks.equal((answer.status, answer.headers["content-type"]), (200, "text/html; charset=utf-8"), query)
            checks.equal((page.title, page.tags["og:title"]), (shown, shown), query)
            checks.equal((page.tags["og:url"], page.tags["og:image"]), (top + ply, f"{top}.png{ply}"), query)
            checks.equal((page.tags["refresh"], page.links), (f"0; url=../#/m/{match}{route}", [f"../#/m/{match}{route}"]), query)
            checks.equal((page.pictures, page.scripts), ([f"{match}.svg{ply}"], 0), query)
            checks.equal((page.tags["og:image:width"], page.tags["og:image:height"], page.tags["twitter:card"]),
                         ("600", "315", "summary_large_image"), query)
            checks.check(len(page.tags["description"]) > 20 and "robots" not in page.tags, "described", page.tags)
        head = ask(server, f"/m/{match}", method="HEAD")
        checks.equal((head.status, int(head.headers["content-length"]) > 500), (200, True), "HEAD")
        anna.do("set display=Ana Zé")
        checks.equal(Page(ask(server, f"/m/{match}")).title.split(",")[0], "Clobber 2x2: Ana Zé - Ana Zé", "by display names")
        waits = anna.do("new shakti black=me white=open")["match"]
        checks.equal(Page(ask(server, f"/m/{waits}")).title, "Shakti standard: ? - Ana Zé, not over yet, 0 moves", "an open seat")
        server.connect("bob").do(f"join {waits}")
        checks.check("being played" in Page(ask(server, f"/m/{waits}")).tags["description"], "it runs")


def pictures(checks):
    """Both pictures show the board at a ply, the last move marked."""
    with start(checks) as server:
        anna = server.connect("anna")
        match = play(anna)
        white, black, last = "fbf7ec", "2b2723", "dfb64d"
        # By colours of a1, b1, a2, b2 beside the letters of pieces; a2 is left by the first move, b2 by the second.
        for query, stones, shown in (("?ply=0", 4, [black, white, white, black]), ("?ply=1", 3, [white, white, last, black]),
                                     ("?ply=2", 2, [white, black, None, last]), ("", 1, [last, white, None, None])):
            answer = ask(server, f"/m/{match}.svg{query}")
            checks.equal((answer.status, answer.headers["content-type"]), (200, "image/svg+xml; charset=utf-8"), query)
            picture = ElementTree.fromstring(answer.body)
            checks.equal(len(list(picture.iter(SVG + "circle"))), stones, f"stones {query}")
            marked = [square for square in picture.iter(SVG + "rect") if square.get("fill") == "#" + last]
            checks.equal(len(marked), 0 if query == "?ply=0" else 2, f"the last move {query}")
            answer = ask(server, f"/m/{match}.png{query}")
            checks.equal((answer.status, answer.headers["content-type"]), (200, "image/png"), query)
            width, height, colour = pixels_of(answer.body)
            checks.equal((width, height, colour(0, 0), colour(599, 314)), (600, 315, "5c4632", "5c4632"), query)
            found = [colour(x, y) for y in (231, 82) for x in (186, 335)]
            checks.equal([got for got, want in zip(found, shown) if want], [want for want in shown if want], f"squares {query}")
        for game, count in (("xadrersi", 0), ("latrunculi", 18), ("shakti", 6), ("clobber:10x10", 100)):
            match = play(anna, (), game=game)
            picture = ElementTree.fromstring(ask(server, f"/m/{match}.svg").body)
            checks.equal(len(list(picture.iter(SVG + "circle"))), count, f"stones of {game}")
            width, height, colour = pixels_of(ask(server, f"/m/{match}.png").body)
            checks.check(len({colour(x, y) for x in range(150, 450, 5) for y in range(0, 315, 5)}) >= 3, f"a picture of {game}")
            holes = len(list(picture.iter(SVG + "rect"))) - 1
            checks.equal(holes, {"xadrersi": 64, "latrunculi": 64, "shakti": 45, "clobber:10x10": 100}[game], f"squares of {game}")


def keeping(checks):
    """What stays as it is may be kept for ever: pictures of a finished match. Everything else is asked for again."""
    final, again = "public, max-age=31536000, immutable", "public, no-cache"
    with start(checks) as server:
        anna = server.connect("anna")
        over, running = play(anna), play(anna, MOVES[:1])
        hidden, hidden_too = play(anna, options="private=yes"), play(anna, MOVES[:1], "private=yes")
        for path, kept in ((f"{over}.svg?ply=1", final), (f"{over}.png?ply=3", final), (f"{over}.svg", final), (over, again),
                           (f"{running}.svg?ply=1", again), (f"{running}.svg?ply=0", again), (f"{running}.png", again),
                           (f"{hidden}.svg?ply=1", final.replace("public", "private")), (f"{hidden_too}.svg", "private, no-cache"),
                           (hidden, "private, no-cache")):
            checks.equal(ask(server, f"/m/{path}").headers["cache-control"], kept, path)


def wrong_links(checks):
    """What no match can be called is refused; a match or ply that is not there is not found. The server goes on."""
    with start(checks) as server:
        match = play(server.connect("anna"))
        bad = ["%31", "1/", "1/2", "..", "../x", "1.svg.svg", "1.gif", ".svg", ".png", "a+b", "1<script>", "é", "x" * 24,
               "x" * 5000, "'", '"', "1?ply=", "1?ply=-1", "1?ply=x", "1?ply=1.5", "1?ply=01", "1?ply=99999999999999999999", "1?ply=1&ply=x",
               "1.svg?ply=%31", "1;ply=1", "1\x00"]
        missing = ["999", "0", "x", "x" * 23, "-1", "1_", f"{match}?ply=4", f"{match}.svg?ply=4", f"{match}.png?ply=2147483647", "999.svg", "999.png",
                   "SVG", "xx.svg"]
        for name in bad:
            checks.equal(ask(server, f"/m/{name}").status, 400, f"bad: {name[:40]!r}")
        for name in missing:
            answer = ask(server, f"/m/{name}")
            checks.equal((answer.status, answer.body), (404, b"404 Not Found\n"), f"missing: {name}")
        for path in ("/m", "/m/", "/m/?ply=1", "/M/1", "//m/1"):
            checks.equal(ask(server, path).status, 404, path)
        checks.equal(ask(server, f"/m/{match}", method="POST").status, 405, "another method")
        checks.equal(ask(server, f"/m/{match}", host="evil.example").status, 403, "a foreign name")
        with Browser(server.port) as browser:
            for _ in range(3):
                checks.equal([browser.ask(request(f"/m/{name}")).status for name in (match, "999", f"{match}.png")], [200, 404, 200],
                             "one connection")


def private_matches(checks):
    """A private match is for who has its id; no other answer, and no log, tells that it is there."""
    with start(checks, "--log-level", "debug") as server:
        anna = server.connect("anna")
        match = play(anna, options="private=yes")
        page = Page(ask(server, f"/m/{match}"))
        checks.equal((page.tags["robots"], page.tags["refresh"]), ("noindex", f"0; url=../#/m/{match}"), "the page")
        checks.check(b"private: whoever has this link can see it" in ask(server, f"/m/{match}").body, "the page says so")
        number = anna.do("list")["total"] + 1
        for name in (str(number), f"private-{number}", "1", match[:-1], match[:-1] + ("A" if match[-1] != "A" else "B"), match.lower()):
            if name != match:
                answer, unknown = ask(server, f"/m/{name}"), ask(server, "/m/77777")
                checks.equal((answer.first, answer.body, answer.headers), (unknown.first, unknown.body, unknown.headers), name)
        checks.check("event=request" in server.read_log() and match not in server.read_log(), "the log", server.read_log())


def join_codes(checks):
    """A server with a join code tells strangers nothing: each page is the same, and leads to where the code is asked for."""
    with start(checks, "--code", "sesame77") as server:
        anna = server.connect()
        anna.ask("hello anna code=sesame77")
        match = play(anna)
        there, other = ask(server, f"/m/{match}?ply=1"), ask(server, "/m/777?ply=1")
        checks.equal(there.body.replace(b"/" + match.encode() + b"/", b"/777/"), other.body, "the same page")
        checks.equal((there.status, there.headers), (other.status, {**other.headers, "content-length": there.headers["content-length"]}), "and head")
        page = Page(there)
        checks.equal((page.title, page.tags["refresh"], page.pictures), ("Ludus", f"0; url=../#/m/{match}/1", []), "it only leads on")
        for path in (f"{match}.svg", f"{match}.png", "777.svg"):
            checks.equal(ask(server, f"/m/{path}").status, 404, path)


def stored_matches(checks):
    """A match that has left memory comes from the store, after a restart, too."""
    with tempfile.TemporaryDirectory() as folder, start(checks, "--data", folder, "--keep-finished", "1") as server:
        anna = server.connect("anna")
        match, title = play(anna), "Clobber 2x2: anna - anna, 1-0 (no-moves), 3 moves"
        for _ in range(3):
            play(anna)
        checks.equal(Page(ask(server, f"/m/{match}")).title, title, "from the store")
        first = ask(server, f"/m/{match}.svg?ply=2").body
        server.stop()
        server.again()
        checks.equal((Page(ask(server, f"/m/{match}")).title, ask(server, f"/m/{match}.svg?ply=2").body), (title, first), "after a restart")
        checks.equal(ask(server, "/m/4711").status, 404, "a match that never was")


def limits(checks):
    """Pictures and look-ups count as several commands, and few pictures are drawn, so that nobody keeps the server busy with them."""
    counts = {}
    with tempfile.TemporaryDirectory() as folder, start(checks, "--limit-loopback", "--address-rate", "40", "--data", folder) as server:
        match = play(server.connect("anna"))
        for path in ("/x", f"/m/{match}", f"/m/{match}.png", "/m/4711"):
            with Browser(server.port) as browser:
                while (answer := browser.ask(request(path))).status in (200, 404):
                    counts[path] = counts.get(path, 0) + 1
                checks.equal(answer.status, 429, path)
            server.stop()
            server.again()
        checks.check(counts["/x"] > counts[f"/m/{match}"] > counts[f"/m/{match}.png"], "the dearer, the fewer", counts)
        checks.check(counts["/x"] > 3 * counts["/m/4711"], "what is looked up", counts)
    with start(checks, "--limit-loopback") as server:
        match = play(server.connect("anna"))
        drawn, begun = 0, time.monotonic()
        while ask(server, f"/m/{match}.png").status == 200 and drawn < 300:
            drawn += 1
        checks.check(30 <= drawn <= 31 + 5 * (time.monotonic() - begun), "pictures of one address", drawn)
        checks.equal([ask(server, f"/m/{match}{end}").status for end in (".png", ".svg", "", ".png?ply=77")], [429, 200, 200, 404], "only those")
        time.sleep(0.5)
        checks.equal(ask(server, f"/m/{match}.png").status, 200, "a little later")


def addresses(checks):
    """The addresses that others read are whole: with TLS, behind a trusted proxy, in its folder. Nobody else has a say."""
    headers = ["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https", "X-Forwarded-Prefix: /ludus"]

    def image(answer):
        return Page(answer).tags["og:image"]
    with start(checks, "--trusted-proxy", "127.0.0.1", "--web-host", "ludus.example") as server:
        match = play(server.connect("anna"))
        checks.equal(image(ask(server, f"/m/{match}", host="ludus.example", headers=headers)),
                     f"https://ludus.example/ludus/m/{match}.png", "a trusted proxy")
        checks.equal(image(ask(server, f"/m/{match}", host="[::1]:80", headers=["X-Forwarded-Prefix: /\"><b>"])),
                     f"http://[::1]:80/m/{match}.png", "no folder")
        checks.equal(ask(server, f"/m/{match}", headers=headers[1:2] * 2).status, 400, "two of one header")
    with start(checks) as server:
        match = play(server.connect("anna"))
        checks.equal(image(ask(server, f"/m/{match}", headers=headers[1:])), f"http://localhost/m/{match}.png", "no trusted proxy")
    with Place() as place, start_tls(checks, "--no-bots", *place.certificate("a")) as server:
        match = play(server.connect("anna"))
        with Browser(server.tls_port, ssl._create_unverified_context()) as browser:
            checks.equal(image(browser.ask(request(f"/m/{match}"))), f"https://localhost/m/{match}.png", "TLS")


if __name__ == "__main__":
    raise SystemExit(Checks("test_match_links").run(
        [pages, pictures, keeping, wrong_links, private_matches, join_codes, stored_matches, limits, addresses], at_once=3))
