"""What web pages can make a browser send to the port of the protocol: nothing of it is a command.

usage: test_web_intruders.py BUILD_DIR
"""
import shutil
import socket
import ssl
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder
from test_tls import Place, start as start_tls

BUILD = build_folder()
COMMANDS = "hello intruder\r\nnew clobber white=open black=open\r\n"
FORM = ("POST / HTTP/1.1\r\nHost: localhost:7117\r\nOrigin: http://evil.example\r\nContent-Type: text/plain\r\n"
        f"Content-Length: {len(COMMANDS)}\r\n\r\n{COMMANDS}")
# What arrives, and the statuses that the answer may have.
ATTACKS = (
    ("a form", FORM, "405"),
    ("a form without a head", "POST / HTTP/1.1\r\n" + COMMANDS, "405"),
    ("line feeds only", FORM.replace("\r\n", "\n"), "405"),
    ("blank lines first", "\r\n\n" + FORM, "400 405"),
    ("a method of the page", FORM.replace("POST", "hello"), "405"),
    ("another version", FORM.replace("HTTP/1.1", "HTTP/2.0"), "405"),
    ("a long path", FORM.replace("POST /", "POST /" + "x" * 3000), "405 414"),
    ("a long address", FORM.replace("POST /", "POST http://localhost/" + "x" * 900000), "405 414 431"),
    ("a header first", "Host: localhost\r\n" + COMMANDS, "400"),
    ("a long header first", "Cookie: " + "x" * 3000 + "\r\n" + COMMANDS, "400"),
    ("a TLS handshake", "\x16\x03\x01\x02\n" + COMMANDS, "400"),
    ("a long TLS handshake", "\x16\x03\x01\x02" + "x" * 3000 + "\n" + COMMANDS, "400"),
)


def answer(peer):
    """Reads to the end: the status of HTTP, or "", and whether anything was obeyed or told."""
    data = b""
    try:
        while piece := peer.recv(65536):
            data += piece
    except ConnectionError:
        pass  # input that was not read resets the connection, after the answer
    greeting, http, rest = data.partition(b"HTTP/1.1 ")
    return rest[:3].decode(), greeting.count(b"\n") <= 1 and b'"type"' not in rest, data


def nothing_has_happened(checks, server, what):
    other = server.connect()
    checks.equal(other.ask("list")["matches"], [], f"{what}: no match")
    checks.check(all("intruder" != row["name"] for row in other.ask("who")["players"]), f"{what}: no name")
    other.close()


def attack(checks, peer, pieces, what, statuses):
    with peer:
        try:
            for piece in pieces:
                peer.sendall(piece)
        except OSError:
            pass  # refused before it has said everything
        status, silent, data = answer(peer)
    checks.check(status in statuses.split(), what, data[-200:])
    checks.check(silent, f"{what}: nothing is obeyed", data[-500:])


def attacks(checks):
    with Server(BUILD, "--no-bots", checks=checks) as server:
        for what, text, statuses in ATTACKS:
            peer = socket.create_connection(("127.0.0.1", server.port), LIMIT_S)
            attack(checks, peer, [text.encode("latin-1")], what, statuses)
            nothing_has_happened(checks, server, what)


def split_in_two(checks):
    with Server(BUILD, "--no-bots", checks=checks) as server:
        data = FORM.encode()
        for at in range(1, len(data), 3):
            peer = socket.create_connection(("127.0.0.1", server.port), LIMIT_S)
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            attack(checks, peer, [data[:at], data[at:]], f"split at {at}", "405")
        nothing_has_happened(checks, server, "split")


def over_tls(checks):
    trusting = ssl._create_unverified_context()
    with Place() as place, start_tls(checks, "--no-bots", *place.certificate("a")) as server:
        for what, text, statuses in ATTACKS:
            raw = socket.create_connection(("127.0.0.1", server.tls_port), LIMIT_S)
            attack(checks, trusting.wrap_socket(raw), [text.encode("latin-1")], what + ", in TLS", statuses)
        nothing_has_happened(checks, server, "in TLS")


def by_curl(checks):
    """Sends a form with a program that speaks HTTP as browsers do."""
    if shutil.which("curl") is None:
        return
    with Server(BUILD, "--no-bots", checks=checks) as server:
        url = f"http://localhost:{server.port}/"
        done = subprocess.run(["curl", "-s", "--http0.9", "--data-binary", COMMANDS, url],
                              capture_output=True, timeout=LIMIT_S)
        checks.check(b'"ok"' not in done.stdout, "curl", done.stdout)
        nothing_has_happened(checks, server, "curl")


def players_are_not_refused(checks):
    """After its first line a client may say what it likes."""
    with Server(BUILD, "--no-bots", checks=checks) as server:
        peer = server.connect()
        checks.equal(peer.ask("ping")["type"], "pong", "a line")
        checks.equal(peer.ask("ping POST / HTTP/1.1")["type"], "pong", "a command that quotes a request")
        peer.send("GET / HTTP/1.1")
        checks.equal(peer.read()["code"], "unknown-command", "a request after a line is a line")
        peer.send("Host: x")
        checks.equal(peer.read()["code"], "unknown-command", "and so is a header")


if __name__ == "__main__":
    raise SystemExit(Checks("test_web_intruders").run(
        [attacks, split_in_two, over_tls, by_curl, players_are_not_refused]))
