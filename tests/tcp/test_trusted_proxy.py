"""Proxies that say for whom they speak: believed from trusted addresses, and refused from others.

usage: test_trusted_proxy.py BUILD_DIR
"""
import shutil
import signal
import socket
import ssl
import subprocess
import sys

sys.path[1:1] = [sys.path[0] + "/../support", sys.path[0] + "/../cluster"]
from browser import Browser, request
from harness import Checks, LIMIT_S, Server, build_folder, wait_until
from operating import example
from ports import hold_port
from test_tls import Place

BUILD = build_folder()
V2 = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c%b\x7f\0\0\1\x12\x67\x1b\xcd"
TIGHT = ("--limit-loopback", "--address-connections", "2")


def start(checks, *options, trusted="127.0.0.1"):
    return Server(BUILD, "--no-bots", *(["--trusted-proxy", trusted] if trusted else []), *options, checks=checks)


def v1(address):
    return f"PROXY TCP4 {address} 127.0.0.1 4711 7117\r\n".encode()


def v2(address):
    return V2 % socket.inet_aton(address)


def speak(server, *pieces):
    """Sends that on a connection, and returns it with the first line that comes, or b"" for the end."""
    peer = socket.create_connection(("127.0.0.1", server.port), LIMIT_S)
    for piece in pieces:
        peer.sendall(piece)
    try:
        return peer, peer.makefile("rb").readline()
    except ConnectionError:
        return peer, b""


def greeted(server, *pieces):
    peer, line = speak(server, *pieces)
    return peer, b'"type":"hello"' in line


def lines(checks):
    """Each peer that a proxy names has limits of its own."""
    for what, header in (("version 1", v1), ("version 2", v2)):
        with start(checks, *TIGHT) as server:
            kept = [greeted(server, header("203.0.113.7"), b"\n") for _ in range(2)]
            checks.check(all(good for _, good in kept), f"{what}: two of an address")
            third, good = greeted(server, header("203.0.113.7"), b"\n")
            checks.check(not good, f"{what}: not three")
            others = [greeted(server, header(f"203.0.113.{i}"), b"\n") for i in range(8, 12)]
            checks.check(all(good for _, good in others), f"{what}: others")
            kept[0][0].close()
            wait_until(lambda: greeted(server, header("203.0.113.7"), b"\n")[1], "one more when one has left")
            byte_by_byte = [bytes([byte]) for byte in header("198.51.100.1") + b"\n"]
            checks.check(greeted(server, *byte_by_byte)[1], f"{what}: byte by byte")
            checks.check(greeted(server, header("198.51.100.2"))[1], f"{what}: who says nothing is greeted later")
            checks.equal(server.connect().greeting["type"], "hello", f"{what}: the proxy for itself")


def from_others(checks):
    """A header from an address that is not trusted ends the connection."""
    for trusted in (None, "192.0.2.0/24,::2"):
        with start(checks, trusted=trusted) as server:
            for header in (v1, v2):
                peer, line = speak(server, header("203.0.113.7") + b"hello anna\n")
                checks.equal(line, b"", f"{header.__name__}, trusted: {trusted}")
            with Browser(server.port) as browser:
                answer = browser.ask(request(headers=["X-Forwarded-For: 203.0.113.7"]))
                checks.equal((answer.status, b"--trusted-proxy" in answer.body, browser.is_closed()), (403, True, True),
                             f"X-Forwarded-For, trusted: {trusted}")
            with Browser(server.port) as browser:
                checks.equal(browser.ask(request(headers=["Forwarded: for=203.0.113.7"])).status, 403, "Forwarded")
            checks.equal(server.connect().ask("stats")["connections"], 1, "nobody else is there")
            checks.check("proxy-refused" in server.read_log(), "the log tells")


def broken(checks):
    with start(checks) as server:
        for text in (b"PROXY TCP4 nonsense\r\n", b"PROXY " + b"x" * 200, V2[:12] + b"\x91\x11\0\0"):
            peer, line = speak(server, text)
            checks.equal(line, b"", f"{text[:24]}")
        peer, line = speak(server, v1("203.0.113.7") + v1("203.0.113.8"))
        checks.equal(line, b"", "a peer that names another one itself")
        with Browser(server.port) as browser:
            browser.send(v1("203.0.113.7"))
            checks.equal(browser.ask(request(headers=["X-Forwarded-For: 203.0.113.8"])).status, 403, "or by HTTP")


def shake_hands(port, *pieces):
    """Sends that on a port with TLS, shakes hands, and returns the socket with what is greeted then; b"" for the end."""
    peer = socket.create_connection(("127.0.0.1", port), LIMIT_S)
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        for piece in pieces:
            peer.sendall(piece)
        peer = ssl._create_unverified_context().wrap_socket(peer)
        peer.sendall(b"\n")
        return peer, peer.makefile("rb").readline()
    except OSError:
        return peer, b""


def with_tls(checks):
    """On a port with TLS the header comes before the handshake."""
    with Place() as place:
        for options in ((), ("--no-web",)):
            with start(checks, *TIGHT, "--tls-port", "127.0.0.1:0", *place.certificate("a"), *options) as server:
                port = int(server.process.stdout.readline().rsplit(":", 1)[1])
                kept = [shake_hands(port, header("203.0.113.7")) for header in (v1, v2)]
                checks.check(all(b'"hello"' in line for _, line in kept), "two of an address", kept)
                checks.equal(shake_hands(port, v2("203.0.113.7"))[1], b"", "not three")
                peer, line = shake_hands(port, *(bytes([byte]) for byte in v2("203.0.113.8")))
                checks.check(b'"hello"' in line, "byte by byte", line)
                peer.close()
                checks.check(b'"hello"' in shake_hands(port)[1], "the proxy itself")
                for text in (b"PROXY nonsense\r\n", b"PXY\r\n\r\n", b"\r\n\r\nhello\r\n"):
                    checks.equal(shake_hands(port, text)[1], b"", f"{text}")
        with start(checks, "--tls-port", "127.0.0.1:0", *place.certificate("a"), trusted=None) as server:
            port = int(server.process.stdout.readline().rsplit(":", 1)[1])
            checks.equal(shake_hands(port, v2("203.0.113.7"))[1], b"", "from others")


def without_web(checks):
    with start(checks, "--no-web", *TIGHT) as server:
        kept = [greeted(server, v1("203.0.113.7")) for _ in range(2)]
        checks.check(all(good for _, good in kept), "who comes through a proxy is greeted at once")
        checks.check(not greeted(server, v1("203.0.113.7"))[1], "not three")
        checks.check(greeted(server, b"\n")[1], "the proxy itself")


def browsers(checks):
    """Requests on one connection of the proxy may be for many browsers; each has limits of its own."""
    with start(checks, "--address-rate", "20", *TIGHT[:1]) as server, Browser(server.port) as browser:
        def ask(who, **more):
            return browser.ask(request("/x", headers=[f"X-Forwarded-For: {who}", *more.get("headers", ())])).status
        checks.equal(ask("203.0.113.7"), 404, "the first")
        checks.equal([ask(f"198.51.100.{i}") for i in range(1, 20)], [404] * 19, "others")
        with Browser(server.port) as other:
            for _ in range(5000):
                answer = other.ask(request("/x", headers=["X-Forwarded-For: 203.0.113.7"]))
                if answer.status != 404:
                    break
            checks.equal(answer.status, 429, "one that asks too much")
        checks.equal(ask("198.51.100.77, 127.0.0.1"), 404, "the last hop that is not trusted")
        with Browser(server.port) as other:
            both = ["X-Forwarded-For: 198.51.100.1", "Forwarded: for=203.0.113.7"]
            checks.equal(other.ask(request(headers=both)).status, 400, "headers that differ")


def sockets_of_browsers(checks):
    with start(checks, *TIGHT) as server:
        def upgrade(who):
            browser = Browser(server.port)
            try:
                return browser, browser.upgrade(headers=[f"X-Forwarded-For: {who}"])["type"]
            except RuntimeError as error:
                return browser, str(error)
        kept = [upgrade("203.0.113.7") for _ in range(2)]
        checks.equal([kind for _, kind in kept], ["hello", "hello"], "two of an address")
        checks.check("429" in upgrade("203.0.113.7")[1], "not three")
        others = [upgrade(f"203.0.113.{i}") for i in range(8, 12)]
        checks.equal({kind for _, kind in others}, {"hello"}, "others")
        for browser, _ in kept + others:
            browser.socket.close()


def haproxy(checks):
    """The example of OPERATING.md, with lines by the PROXY protocol and the page by X-Forwarded-For."""
    if shutil.which("haproxy") is None:
        print("test_trusted_proxy: haproxy SKIPPED: apt-get install haproxy")
        return
    with Place() as place, start(checks, *TIGHT, "--web-host", "ludus.example.org") as server:
        ports = [hold_port() for _ in range(2)]
        place.certificate("a")
        with open(place.file("both.pem"), "w") as both:
            both.write(open(place.file("a.pem")).read() + open(place.file("a.key")).read())
        config = example("HAProxy").replace("/etc/ssl/ludus.pem", place.file("both.pem"))
        for known, used in ((":443 ", f"127.0.0.1:{ports[0]} "), (":7118 ", f"127.0.0.1:{ports[1]} "),
                            ("127.0.0.1:7117", server.address)):
            checks.check(known in config, f"the example has {known}")
            config = config.replace(known, used)
        with open(place.file("haproxy.cfg"), "w") as file:
            file.write(config + "\n")
        process = subprocess.Popen(["haproxy", "-q", "-db", "-f", place.file("haproxy.cfg")], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            context = ssl._create_unverified_context()

            def answers():
                try:
                    with Browser(ports[0], context) as browser:
                        return browser.ask(request(host="ludus.example.org", headers=["Forwarded: for=9.9.9.9"])).status == 200
                except OSError:
                    return process.poll() is not None
            wait_until(answers, "the page through haproxy")
            checks.equal(process.poll(), None, "haproxy runs")
            with socket.create_connection(("127.0.0.1", ports[1]), LIMIT_S) as raw, context.wrap_socket(raw) as peer:
                peer.sendall(b"hello anna\n")
                checks.check(b'"hello"' in peer.recv(4096), "lines through haproxy")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LIMIT_S)


if __name__ == "__main__":
    raise SystemExit(Checks("test_trusted_proxy").run(
        [lines, from_others, broken, with_tls, without_web, browsers, sockets_of_browsers, haproxy], at_once=3))
