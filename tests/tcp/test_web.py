"""The page for browsers over HTTP: files, names of the server, refusals, and what one connection may use.

usage: test_web.py BUILD_DIR
"""
import gzip
import os
import re
import select
import signal
import socket
import ssl
import sys
import time

sys.path[1:1] = [sys.path[0] + "/../support", sys.path[0] + "/../../server"]
from browser import Browser, handshake, request
from harness import Checks, DRAIN_S, LIMIT_S, Server, build_folder, wait_until
from test_tls import Place, start as start_tls
from web_language import tables

BUILD = build_folder()
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(TOP, "client", "web")
TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml; charset=utf-8",
         "js": "text/javascript; charset=utf-8", "webmanifest": "application/manifest+json", "json": "application/json"}


def start(checks, *options, **more):
    return Server(BUILD, "--no-bots", *options, checks=checks, **more)


def language_tables():
    return tables(PAGE, os.path.join(TOP, "client", "languages"), os.path.join(TOP, "common"))


def page_files():
    """Yields the path on the server and the contents of each file of the page, as it is in the sources, and of the tables of languages."""
    yield from language_tables()
    for folder, _, names in os.walk(PAGE):
        for name in names:
            file = os.path.join(folder, name)
            if name.rsplit(".", 1)[-1] in TYPES:
                with open(file, "rb") as opened:
                    yield "/" + os.path.relpath(file, PAGE), opened.read()


def version_of(server):
    """Returns the folder in which the page names its files."""
    with Browser(server.port) as browser:
        return re.search(rb'src="([0-9a-f]{16})/js/main\.js"', browser.ask(request()).body)[1].decode()


def expected_index(data, version):
    """Returns index.html as it is served: it names each file of the games, each language, and all files in the folder of the version."""
    data = re.sub(rb'(.*")js/games/\*\.js(".*\n)', lambda row: b"".join(
        row[1] + b"js/games/" + game.encode() + row[2] for game in sorted(os.listdir(PAGE + "/js/games"))), data)
    data = re.sub(rb'(.*")languages/\*\.json(".*\n)', lambda row: b"".join(
        row[1] + path[1:].encode() + row[2] for path, _ in language_tables()), data)
    return re.sub(rb' (src|href)="(?!#)', rb'\g<0>' + version.encode() + b"/", data)


def files(checks):
    """Each file comes as it is in the sources, packed or not, and not again to a browser that has it."""
    with start(checks) as server, Browser(server.port) as browser:
        version = version_of(server)
        all_files = sorted((path, expected_index(data, version) if path == "/index.html" else data) for path, data in page_files())
        checks.check(len(all_files) > 5, "there is a page", len(all_files))
        for path, data in all_files:
            plain = browser.ask(request(path))
            checks.equal((plain.status, plain.body), (200, data), path)
            checks.equal(plain.headers["content-type"], TYPES[path.rsplit(".", 1)[-1]], f"{path}: the type")
            checks.equal(plain.headers["cache-control"], "no-cache", f"{path}: asked for again")
            with Browser(server.port) as other:
                packed = other.ask(request(path, headers=["Accept-Encoding: br, GZIP;q=1.0"]))
                if packed.headers.get("content-encoding") == "gzip":
                    checks.check(len(packed.body) < len(data), f"{path}: packed is smaller")
                    packed.body = gzip.decompress(packed.body)
                checks.equal(packed.body, data, f"{path}: packed")
                for tag in (plain.headers["etag"], "W/" + packed.headers["etag"], f'"x", {plain.headers["etag"]}', "*"):
                    known = other.ask(request(path, headers=[f"If-None-Match: {tag}"]))
                    checks.equal((known.status, known.body), (304, b""), f"{path}: with {tag}")
                other_tag = other.ask(request(path, headers=['If-None-Match: "x"']))
                checks.equal(other_tag.status, 200, f"{path}: with another tag")
        for weight, packed in (("q=0", False), ("q=0.000", False), (" Q=0 ", False), ("q=0.001", True), ("q=1", True)):
            page = browser.ask(request(headers=[f"Accept-Encoding: gzip;{weight}, br"]))
            checks.equal("content-encoding" in page.headers, packed, f"gzip;{weight}")
        for path in ("/", "/?x=1", "/index.html"):
            checks.equal(browser.ask(request(path)).body, dict(all_files)["/index.html"], path)
        head = browser.ask(request(method="HEAD"), to_head=True)
        checks.equal(int(head.headers["content-length"]), len(dict(all_files)["/index.html"]), "HEAD")
        checks.equal(browser.ask(request("/x")).status, 404, "the connection goes on, without a body after HEAD")


def kept_files(checks):
    """In the folder of their version all files but the page itself may be kept for ever; there is no other such folder."""
    with start(checks) as server:
        version = version_of(server)

        def ask(path, *headers):
            with Browser(server.port) as browser:
                return browser.ask(request(path, headers=headers))
        for path, data in page_files():
            answer = ask(f"/{version}{path}")
            if path == "/index.html":
                checks.equal(answer.status, 404, "the page changes")
                continue
            checks.equal((answer.status, answer.body), (200, data), path)
            checks.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable", path)
            known = ask(f"/{version}{path}", f"If-None-Match: {answer.headers['etag']}")
            checks.equal((known.status, known.headers["cache-control"]), (304, answer.headers["cache-control"]), f"{path}: known")
        other = version[:-1] + ("0" if version[-1] != "0" else "1")
        for path in (f"/{version}", f"/{version}/", f"/{version}//style.css", f"/{version}/x", f"/{version}/ws", f"/{version}/{version}/style.css",
                     f"/{other}/style.css", f"/{version.upper() if version.upper() != version else other}/style.css", f"/{version}style.css"):
            checks.equal(ask(path).status, 404, path)


def missing_files(checks):
    with start(checks) as server, Browser(server.port) as browser:
        for path in ("/x", "/js", "/js/", "//", "/../ludusd", "/%2e%2e/x", "/index.html/", "/js/types.d.ts", "/metrics",
                     "/WS", "/ws/", "*", "x"):
            checks.equal(browser.ask(request(path)).status, 404, path)


PROTECTION = {
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin", "cross-origin-opener-policy": None}


def protection(checks):
    """Every answer, a refusal too, tells the browser to trust nothing else."""
    with start(checks) as server, Browser(server.port) as browser:
        for path, host, status in (("/", "localhost", 200), ("/x", "localhost", 404), ("/", "evil.example", 403)):
            answer = browser.ask(request(path, host=host))
            checks.equal(answer.status, status, path)
            for name, value in PROTECTION.items():
                checks.equal(answer.headers.get(name), value, f"{status}: {name}")
            policy = dict(part.strip().split(" ", 1)
                          for part in answer.headers["content-security-policy"].split(";"))
            checks.equal((policy["default-src"], policy["frame-ancestors"], policy["base-uri"]), ("'none'",) * 3,
                         "the policy")
            checks.check("unsafe" not in str(policy) and "*" not in str(policy), "nothing unsafe", policy)


def names(checks):
    """An address or a name of the server, with any port; anything else could mean this server by a trick."""
    machine = socket.gethostname()
    good = ["localhost", "LocalHost:80", "localhost.", "127.0.0.1", "127.0.0.1:7117", "192.168.1.2:99999", "[::1]",
            "[fe80::1]:7117", "[::ffff:127.0.0.1]", machine, machine.upper() + ":1", machine.split(".")[0] + ".local",
            "ludus.example", "play.ludus.example:8080", "LUDUS.example."]
    bad = ["evil.example", "localhost.evil.example", "ludus.example.evil", "xludus.example", "", ".", ":", ":80",
           "localhost:x", "localhost:", "localhost:123456", "127.0.0.1.evil.example", "127.1", "0x7f.1", "2130706433",
           "[::1", "::1", "[]", "[evil.example]", "[::1]x", "[::1%lo]", "localhost,evil", "localhost evil", "a@localhost",
           "localhost/", "evil.example#localhost", "ludus.example,play.ludus.example", "\xff"]
    with start(checks, "--web-host", "ludus.example,play.ludus.example") as server:
        for host, status in [(host, 200) for host in good] + [(host, 403) for host in bad]:
            with Browser(server.port) as browser:
                answer = browser.ask(request(host=host))
                checks.equal(answer.status, status, f"Host: {host!r}")
        for host, headers, version, status in (
                (None, [], "HTTP/1.1", 400), (None, [], "HTTP/1.0", 403),
                ("localhost", ["Host: localhost"], "HTTP/1.1", 400), ("localhost", [], "HTTP/1.0", 200)):
            with Browser(server.port) as browser:
                answer = browser.ask(request(host=host, headers=headers, version=version))
                checks.equal(answer.status, status, f"{version} with {host} {headers}")


def origins(checks):
    """A page of somebody else gets neither a WebSocket nor a file."""
    table = (("localhost", "http://localhost", 101), ("localhost", "https://localhost", 101),
             ("localhost", "HTTP://LOCALHOST", 101), ("127.0.0.1:7117", "http://127.0.0.1:7117", 101),
             ("[::1]:7117", "http://[::1]:7117", 101), ("localhost", None, 403), ("localhost", "null", 403),
             ("localhost", "", 403), ("localhost", "http://", 403), ("localhost", "localhost", 403),
             ("localhost", "http://localhost:80", 101), ("localhost:80", "http://localhost", 101),
             ("localhost:443", "https://localhost", 101), ("localhost", "https://localhost:443", 101),
             ("localhost:80", "https://localhost", 403), ("localhost", "http://localhost:443", 403),
             ("[::1]:443", "https://[::1]", 101), ("localhost:8443", "https://localhost", 403),
             ("localhost:7117", "http://localhost", 403),
             ("localhost:7117", "http://localhost:7118", 403), ("localhost", "http://127.0.0.1", 403),
             ("localhost", "http://evil.example", 403), ("localhost", "http://localhost.evil.example", 403),
             ("localhost", "http://localhost/", 403), ("localhost", "ftp://localhost", 403),
             ("localhost", "file://localhost", 403), ("localhost", "http://localhost http://evil.example", 403),
             ("evil.example", "http://evil.example", 403))
    with start(checks) as server:
        for host, origin, status in table:
            with Browser(server.port) as browser:
                checks.equal(browser.ask(handshake(host=host, origin=origin)).status, status,
                             f"/ws of {host} from {origin}")
            if origin is not None and origin:
                with Browser(server.port) as browser:
                    answer = browser.ask(request(host=host, headers=[f"Origin: {origin}"]))
                    checks.equal(answer.status, 200 if status == 101 else 403, f"/ of {host} from {origin}")


def foreign_names(checks):
    """Whoever sets up a proxy is told what is wrong, in the answer and once in the log."""
    host = "403 Forbidden: '{}' is no name of this server: start it with --web-host, or ask for its address\n"
    origin = ("403 Forbidden: a page of '{}' asks, but for '{}': a proxy in between must pass Host on as it is, "
              "with its port\n")
    with start(checks) as server:
        for ask, text in (
                (request(host="ludus.example"), host.format("ludus.example")),
                (request(host="x" * 60 + ".example"), host.format("x" * 48)),
                (request(host="a\xffb"), host.format("a?b")),
                (request(host="ludus.example", headers=["Origin: https://ludus.example"]),
                 host.format("ludus.example")[:-1] + " (from a page of 'https://ludus.example')\n"),
                (handshake(host="127.0.0.1:7117", origin="https://ludus.example"),
                 origin.format("https://ludus.example", "127.0.0.1:7117")),
                (handshake(host="localhost", origin=None), "403 Forbidden: a WebSocket needs Origin\n"),
                (request("/ws", host="localhost:7117"),
                 "426 Upgrade Required: this is for WebSockets of pages of localhost:7117\n")):
            with Browser(server.port) as browser:
                checks.equal(browser.ask(ask).body.decode(), text, text)
        lines = [line for line in server.read_log().splitlines() if "event=request" in line and "level=info" in line]
        checks.equal(len(lines), 1, "lines in the log")
        checks.check("status=403" in lines[0] and "ludus.example" in lines[0], "the first one", lines[0])


def refusals(checks):
    """Each of these is refused and ends the connection, so that nothing behind it is taken for a request."""
    table = (("PUT / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405), ("OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
             ("get / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405), ("PRI * HTTP/2.0\r\n\r\n", 405),
             ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505), ("GET / HTTP/0.9\r\n\r\n", 505),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n", 413),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +0\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\ntransfer-encoding:\tx\r\nContent-Length: 0\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nX: y\r\n Transfer-Encoding: chunked\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nX\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \0\r\n\r\n", 400),
             ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
             ("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET / x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
             ("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x" * 9000 + "\r\n\r\n", 431),
             ("GET /" + "x" * 9000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 431))
    with start(checks) as server:
        for text, status in table:
            with Browser(server.port) as browser:
                answer = browser.ask(text.encode("latin-1") + request("/smuggled"))
                checks.equal((answer.status, answer.headers.get("connection")), (status, "close"), text[:90])
                checks.check(browser.is_closed(), f"closed: {text[:90]}", browser.buffer[:80])
        with Browser(server.port) as browser:
            checks.equal(browser.ask(b"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200,
                         "a full address that agrees with Host")
            checks.equal(browser.ask(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n").status, 200,
                         "an empty body")


def upgrades(checks):
    """A handshake lacks nothing, or is refused."""
    table = (("complete", {}, 101), ("no subprotocol", {"protocol": None}, 101),
             ("one of several", {"protocol": "chat, ludus.v1"}, 101), ("another one", {"protocol": "ludus.v2"}, 400),
             ("no key", {"key": None}, 400), ("a short key", {"key": "abc="}, 400), ("no base64", {"key": "!" * 22 + "=="}, 400),
             ("a long key", {"key": "a" * 32}, 400), ("no version", {"version": None}, 426),
             ("an old version", {"version": "8"}, 426), ("two keys", {"headers": ["Sec-WebSocket-Key: x"]}, 400))
    with start(checks) as server:
        for what, parts, status in table:
            with Browser(server.port) as browser:
                answer = browser.ask(handshake(**parts))
                checks.equal(answer.status, status, what)
                if status == 101:
                    checks.equal(answer.headers["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", what)
                    checks.equal(answer.headers.get("sec-websocket-protocol"),
                                 None if what == "no subprotocol" else "ludus.v1", what)
        for what, text in (("no upgrade", request("/ws", headers=["Origin: http://localhost"])),
                           ("HTTP/1.0", handshake().replace(b"HTTP/1.1", b"HTTP/1.0")),
                           ("no Connection", handshake().replace(b"keep-alive, Upgrade", b"keep-alive")),
                           ("to something else", handshake().replace(b"Upgrade: websocket", b"Upgrade: h2c"))):
            with Browser(server.port) as browser:
                answer = browser.ask(text)
                checks.equal((answer.status, answer.headers["sec-websocket-version"]), (426, "13"), what)
        with Browser(server.port) as browser:
            checks.equal(browser.ask(handshake().replace(b"GET", b"HEAD"), to_head=True).status, 405, "HEAD")


def pieces(checks):
    """A request may come in any pieces; several are answered in order, however fast they come."""
    text = request("/index.html")
    with start(checks) as server:
        with Browser(server.port) as browser:
            browser.send(*(bytes([byte]) for byte in text))
            checks.equal(browser.answer().status, 200, "byte by byte")
            browser.send(text + request("/x") + text[:9], text[9:] + request("/y"))
            checks.equal([browser.answer().status for _ in range(4)], [200, 404, 200, 404], "in order")
        for at in range(1, len(text)):
            with Browser(server.port) as browser:
                checks.equal(browser.ask(text[:at], text[at:]).status, 200, f"split at {at}")
        with Browser(server.port) as browser:
            browser.send(text)
            browser.socket.shutdown(socket.SHUT_WR)
            checks.equal((browser.answer().status, browser.is_closed()), (200, True), "half closed")
        with Browser(server.port) as browser:
            browser.send(text[:-1])
            browser.socket.shutdown(socket.SHUT_WR)
            checks.check(browser.is_closed(), "half closed in the middle")


def one_connection(checks):
    """The number of requests on a connection is limited; the last answer says so."""
    with start(checks) as server, Browser(server.port) as browser:
        browser.send(request("/x") * 150)
        last = [browser.answer() for _ in range(100)]
        checks.equal([answer.headers.get("connection") for answer in last], [None] * 99 + ["close"], "a hundred")
        checks.check(browser.is_closed(), "no more")
        with Browser(server.port) as other:
            answer = other.ask(request(headers=["Connection: Close"]))
            checks.equal((answer.headers.get("connection"), other.is_closed()), ("close", True), "asked to close")


def clients_and_browsers(checks):
    """A client that speaks first is greeted at once, a silent one later: browsers connect before they ask."""
    with start(checks) as server:
        began = time.monotonic()
        while True:  # until the machine is not too busy to ask in time
            with Browser(server.port) as ahead:
                opened = time.monotonic()
                greeted = select.select([ahead.socket], [], [], 1)[0] != []
                answer = ahead.ask(request())
                if time.monotonic() - opened < 2.5 or time.monotonic() - began > LIMIT_S:
                    break
        checks.equal((greeted, answer and answer.status), (False, 200), "a browser that has connected ahead")
        with socket.create_connection(("127.0.0.1", server.port), LIMIT_S) as peer:
            peer.sendall(b"\n")
            checks.check(b'"hello"' in peer.recv(4096), "after a blank line")
        checks.equal(server.connect(silent=True).greeting["type"], "hello", "silent")
        with Browser(server.port) as browser, Browser(server.port) as spare:
            browser.ask(request())
            checks.equal(spare.ask(request()).status, 200, "a spare connection of a browser")
            checks.equal(server.connect(silent=True).greeting["type"], "hello",
                         "silent, beside a browser")
            browser.send(request())
            checks.equal(browser.answer().status, 200, "the browser goes on")


def slow_requests(checks):
    with start(checks, "--first-line", "1") as server:
        for what, text in (("the beginning of a line", b"GET /"), ("no end of the headers", request()[:-2])):
            with Browser(server.port) as browser:
                browser.send(text)
                checks.check(browser.is_closed(), what)
    with start(checks, "--first-line", "1", "--idle", "3") as server, Browser(server.port) as browser:
        checks.equal(browser.ask(request()).status, 200, "a request in time")
        time.sleep(1.5)
        checks.equal(browser.ask(request()).status, 200, "a later one, on a connection that has had an answer")
        checks.check(browser.is_closed(), "then none")


def is_cut_off(peer):
    try:
        peer.send(b"x")
    except TimeoutError:
        pass  # the server reads no more, and nothing more fits
    except ConnectionError:
        return True
    return False


def unread_answers(checks):
    """A browser that reads nothing is cut off, however many requests it has sent."""
    with start(checks, "--slow", "1") as server, socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        peer.connect(("127.0.0.1", server.port))
        peer.settimeout(0.2)
        largest = max(page_files(), key=lambda row: len(row[1]))[0]
        try:
            peer.sendall(request(largest) * 99)
        except TimeoutError:
            pass
        wait_until(lambda: is_cut_off(peer), "the browser is cut off")
        checks.equal(server.connect().ask("ping")["type"], "pong", "others go on")


def limits_of_addresses(checks):
    with start(checks, "--limit-loopback", "--address-connections", "3") as server:
        held = [Browser(server.port) for _ in range(3)]
        for browser in held:
            checks.equal(browser.ask(request("/x")).status, 404, "within the limit")
        with Browser(server.port) as late:
            checks.check(b"server-busy" in late.rest(), "one too many")
    with start(checks, "--limit-loopback", "--address-rate", "20") as server, Browser(server.port) as browser:
        statuses = []
        browser.send(request("/x") * 50)
        while not statuses or statuses[-1] == 404:
            answer = browser.answer()
            statuses.append(answer.status)
        checks.equal((statuses[-1], answer.headers["retry-after"], answer.headers["connection"]), (429, "1", "close"),
                     "too many requests")
        checks.check(10 <= len(statuses) <= 30, "two commands each, those of two seconds at once", len(statuses))
    with start(checks, "--max-connections", "2") as server:
        with Browser(server.port) as one, Browser(server.port) as two, Browser(server.port) as three:
            checks.equal((one.ask(request("/x")).status, two.ask(request("/x")).status), (404, 404), "two")
            checks.check(b"server-busy" in three.rest(), "browsers count as connections")


def without_web(checks):
    with start(checks, "--no-web") as server:
        with Browser(server.port) as browser:
            browser.send(request())
            checks.check(b"HTTP/1.1 405" in browser.rest(), "no page")
        with Browser(server.port) as browser:
            checks.check(b'"hello"' in browser.socket.recv(4096), "the greeting comes at once")


def over_tls(checks):
    context = ssl._create_unverified_context()
    with Place() as place, start_tls(checks, "--no-bots", *place.certificate("a")) as server:
        with Browser(server.tls_port, context) as browser:
            answer = browser.ask(request(host="localhost:7118"))
            checks.equal((answer.status, answer.body), (200, expected_index(dict(page_files())["/index.html"], version_of(server))), "https")
            checks.equal(browser.ask(request("/x")).status, 404, "https goes on")
            greeting = browser.upgrade(origin="https://localhost")
            checks.equal(greeting["type"], "hello", "wss")
            checks.equal(browser.command("ping")["type"], "pong", "wss goes on")
        context.set_alpn_protocols(["h2", "http/1.1"])
        with Browser(server.tls_port, context) as ahead:
            with socket.create_connection(("127.0.0.1", server.tls_port), LIMIT_S) as raw, \
                    ssl._create_unverified_context().wrap_socket(raw) as peer:
                checks.check(b'"hello"' in peer.recv(4096), "lines over TLS")
            checks.equal((ahead.socket.selected_alpn_protocol(), ahead.ask(request()).status), ("http/1.1", 200),
                         "who speaks HTTP by ALPN is not greeted")
        with Browser(server.tls_port, context) as other:
            checks.equal(other.ask(b"hello anna\r\n\r\n").status, 400, "lines by ALPN for HTTP")
        context.set_alpn_protocols(["imap"])
        with Browser(server.tls_port, context) as other:
            other.send(b"\n")
            checks.check(b'"hello"' in other.socket.recv(4096), "another protocol by ALPN is none")


def stop_with_visitors(checks):
    """Visitors do not delay the end of the server."""
    with start(checks, "--drain", str(DRAIN_S)) as server, Browser(server.port) as browser, Browser(server.port) as silent:
        browser.send(request()[:-1])
        server.process.send_signal(signal.SIGTERM)
        checks.equal(server.process.wait(DRAIN_S - 5), 0, "it ends")
        checks.check(browser.is_closed() and silent is not None, "visitors are cut off")


if __name__ == "__main__":
    raise SystemExit(Checks("test_web").run(
        [files, kept_files, missing_files, protection, names, origins, foreign_names, refusals, upgrades, pieces, one_connection,
         clients_and_browsers, slow_requests, unread_answers, limits_of_addresses, without_web, over_tls,
         stop_with_visitors], at_once=3))
