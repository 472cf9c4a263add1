"""TLS: the server's protocol, and the servers that clients trust.

usage: test_tls.py BUILD_DIR
"""
import ctypes
import json
import os
import re
import select
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Connection, LIMIT_S, Server, build_folder, open_socket, wait_until

BUILD = build_folder()


class Place:
    """A directory with certificates and the state of clients."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.environment = {**os.environ, "XDG_STATE_HOME": self.file("state"), "HOME": self.folder,
                            "TERM": "dumb"}

    def file(self, name):
        return os.path.join(self.folder, name)

    def certificate(self, name, address="127.0.0.1"):
        """Makes a self-signed certificate for an address, and returns the options that name it."""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=ludus", "-addext", f"subjectAltName=IP:{address}",
             "-keyout", self.file(name + ".key"), "-out", self.file(name + ".pem")],
            check=True, capture_output=True)
        return ["--tls-cert", self.file(name + ".pem"), "--tls-key", self.file(name + ".key")]

    def run(self, program, *words, **environment):
        return subprocess.run([os.path.join(BUILD, program), *words], text=True, timeout=LIMIT_S,
                              capture_output=True, stdin=subprocess.DEVNULL,
                              env={**self.environment, **environment})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


def start(checks, *options, port="127.0.0.1:0"):
    server = Server(BUILD, "--tls-port", port, *options, checks=checks)
    line = server.process.stdout.readline()
    checks.check(line.startswith("ludusd: TLS on 127.0.0.1:"), "the line about TLS", line)
    server.tls_port = int(line.rsplit(":", 1)[1])
    server.tls_address = f"127.0.0.1:{server.tls_port}"
    return server


class TlsConnection(Connection):
    def __init__(self, port, trusted):
        context = ssl.create_default_context(cafile=trusted)
        raw = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S)
        self.socket = context.wrap_socket(raw, server_hostname="127.0.0.1")
        self.buffer = b""
        self.greeting = self.read()


class RawTls:
    """A TLS client that decides which records it sends. It gathers them, and sends them at once."""

    def __init__(self, port, version=0, address="127.0.0.1"):
        self.tls = ctypes.CDLL("libssl.so.3")
        crypto = ctypes.CDLL("libcrypto.so.3")
        for name in ("SSL_CTX_new", "TLS_client_method", "SSL_new", "BIO_new", "BIO_s_mem"):
            getattr(self.tls, name).restype = ctypes.c_void_p
        self.take = crypto.BIO_read
        context = self.tls.SSL_CTX_new(self.pointer(self.tls.TLS_client_method()))
        if version:
            self.tls.SSL_CTX_ctrl(self.pointer(context), 124, version, None)  # at most this version
        self.ssl = self.pointer(self.tls.SSL_new(self.pointer(context)))
        self.socket = open_socket(port, address)
        self.socket.setblocking(True)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self.socket.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", LIMIT_S, 0))
        self.tls.SSL_set_fd(self.ssl, self.socket.fileno())
        if self.tls.SSL_connect(self.ssl) != 1:
            raise ConnectionError("no handshake")
        self.out = self.pointer(self.tls.BIO_new(self.pointer(self.tls.BIO_s_mem())))
        self.tls.SSL_set0_wbio(self.ssl, self.out)

    @staticmethod
    def pointer(value):
        return ctypes.c_void_p(value)

    def update_keys(self, count):
        for _ in range(count):
            self.tls.SSL_key_update(self.ssl, 0)
            self.tls.SSL_do_handshake(self.ssl)

    def renegotiates(self):
        """Asks for another handshake, and returns whether the server agrees."""
        self.socket.setblocking(False)
        self.tls.SSL_renegotiate(self.ssl)
        while (done := self.tls.SSL_do_handshake(self.ssl)) != 1 and \
                self.tls.SSL_get_error(self.ssl, done) == 2:  # SSL_ERROR_WANT_READ
            self.flush()
            select.select([self.socket], [], [], LIMIT_S)
        return done == 1

    def write(self, data):
        self.tls.SSL_write(self.ssl, data, len(data))

    def flush(self):
        data = ctypes.create_string_buffer(1 << 20)
        count = self.take(self.out, data, 1 << 20)
        self.socket.sendall(data.raw[:max(0, count)])

    def read(self):
        """Returns the next data, or None at the end, or when none comes for long."""
        data = ctypes.create_string_buffer(1 << 16)
        count = self.tls.SSL_read(self.ssl, data, 1 << 16)
        return data.raw[:count] if count > 0 else None


def empty_records(checks):
    """Records without a line count like commands: others come first, and too many are the end."""
    with Place() as place, start(checks, "--no-bots", "--rate", "0", *place.certificate("a")) as server:
        flooder, others = RawTls(server.tls_port), [server.connect() for _ in range(8)]
        for other in others:
            other.ask("watch lobby")
        flooder.update_keys(2000)
        flooder.write(b"new clobber\n")
        server.process.send_signal(signal.SIGSTOP)
        flooder.flush()
        for other in others:
            other.send("#1 ping")
        server.process.send_signal(signal.SIGCONT)
        checks.equal([other.read()["type"] for other in others], ["pong"] * 8,
                     "others do not wait for 2000 records")
        checks.equal(others[0].read()["type"], "lobby", "the line behind them is read")
    with Place() as place, start(checks, "--no-bots", "--rate", "50", *place.certificate("a")) as server:
        flooder = RawTls(server.tls_port)
        flooder.write(b"ping\n")
        flooder.update_keys(100)
        flooder.write(b"#1 stats\n")
        flooder.flush()
        text = b""
        while b'"id":"1"' not in text:
            text += flooder.read()
        checks.check(b"rate-limited" in text, "records are counted", text)
        flooder.update_keys(500)
        flooder.flush()
        while (data := flooder.read()) is not None:
            text += data
        checks.check(text.endswith(b'{"type":"bye","reason":"too-many-errors"}\n'), "the end", text[-90:])
    with Place() as place, start(checks, "--no-bots", "--limit-loopback", "--address-rate", "50", *place.certificate("a")) as server:
        flooder = RawTls(server.tls_port)
        flooder.update_keys(150)
        try:
            flooder.flush()
            told = flooder.read()
        except ConnectionResetError:
            told = None
        checks.equal(told, None, "too many before the first line")
        time.sleep(1)
        checks.equal(server.connect().ask("ping")["type"], "pong", "others from there, a little later")


def renegotiation(checks):
    """With TLS 1.2 a peer cannot have the costly handshake done again."""
    with Place() as place, start(checks, "--no-bots", *place.certificate("a")) as server:
        peer = RawTls(server.tls_port, version=0x303)
        checks.check(b"hello" in peer.read(), "TLS 1.2")
        checks.check(not peer.renegotiates(), "another handshake is refused")


def a_match(checks):
    """A player with TLS meets one without. Long answers and many lines at once arrive complete."""
    with Place() as place, start(checks, "--no-bots", "--rate", "0", *place.certificate("a")) as server:
        anna, bob = TlsConnection(server.tls_port, place.file("a.pem")), server.connect("bob")
        checks.equal(anna.socket.version(), "TLSv1.3", "the version")
        checks.equal(anna.greeting["type"], "hello", "the greeting")
        match = anna.ask("new clobber:2x2")["match"]
        bob.ask(f"join {match}")
        checks.equal(anna.ask(f"move {match} a2a1")["ply"], 1, "a move through TLS")
        checks.equal(bob.wait_for("state", ply=1)["last"], "a2a1", "arrives")
        anna.send(*[f"#{i} games" for i in range(500)])
        checks.check(all(anna.wait_for("games", id=str(i)) for i in range(500)), "500 answers")
        for byte in b"#x ping\n":
            anna.send_bytes(bytes([byte]))
        checks.equal(anna.wait_for("pong")["id"], "x", "byte by byte")
        anna.send("quit")
        checks.equal(anna.wait_for("bye")["reason"], "quit", "bye")
        checks.equal(anna.read(), None, "and an orderly end")
        checks.equal(bob.wait_for("state", status="over")["reason"], "aborted", "the guest is gone")


def half_closed(checks):
    """A peer that has ended its side of TLS still gets all answers."""
    with Place() as place, start(checks, "--no-bots", *place.certificate("a")) as server:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = ssl.create_default_context(cafile=place.file("a.pem")).wrap_bio(
            incoming, outgoing, server_hostname="127.0.0.1")

        def finish(step):
            while True:
                try:
                    return step()
                except ssl.SSLWantReadError:
                    if outgoing.pending:
                        peer.sendall(outgoing.read())
                    incoming.write(peer.recv(65536))

        with socket.create_connection(("127.0.0.1", server.tls_port), timeout=LIMIT_S) as peer:
            finish(tls.do_handshake)
            tls.write(b"help\n" * 200)
            try:
                tls.unwrap()
            except ssl.SSLWantReadError:
                pass  # the server's side is still open
            peer.sendall(outgoing.read())
            peer.shutdown(socket.SHUT_WR)
            answers = b""
            try:
                while True:
                    answers += finish(lambda: tls.read(65536))
            except ssl.SSLZeroReturnError:
                pass
        checks.equal(answers.count(b'{"type":"help"'), 200, "answers")
        checks.check(answers.endswith(b'{"type":"bye","reason":"quit"}\n'), "and a bye", answers[-80:])


def openssl_client(checks):
    with Place() as place, start(checks, "--no-bots", *place.certificate("a")) as server:
        def client(*words):
            return subprocess.run(
                ["openssl", "s_client", "-connect", server.tls_address, "-quiet", "-CAfile",
                 place.file("a.pem"), "-verify_return_error", *words],
                input=b"#1 ping\nquit\n", capture_output=True, timeout=LIMIT_S)
        for version in ("-tls1_3", "-tls1_2"):
            lines = [json.loads(line) for line in client(version, "-ign_eof").stdout.splitlines()]
            checks.equal([line["type"] for line in lines], ["hello", "pong", "bye"], version)
        checks.check(client("-tls1_1", "-cipher", "ALL:@SECLEVEL=0").returncode != 0, "not the old ones")


def nonsense(checks):
    """A peer that speaks no TLS, or is silent, is disconnected and harms nobody."""
    with Place() as place, start(checks, "--no-bots", "--first-line", "1",
                                 *place.certificate("a")) as server:
        with socket.create_connection(("127.0.0.1", server.tls_port), timeout=LIMIT_S) as plain:
            plain.sendall(b"hello anna\n")
            try:
                answer = plain.recv(65536)
            except ConnectionError:
                answer = b""
            checks.check(b"hello" not in answer, "plain text is not answered", answer)
        silent = [socket.create_connection(("127.0.0.1", server.tls_port)) for _ in range(20)]
        other = server.connect()
        checks.equal(other.ask("ping")["type"], "pong", "the others are served")
        wait_until(lambda: other.ask("stats")["connections"] == 1, "the silent ones are closed")
        for peer in silent:
            peer.close()
        lazy = TlsConnection(server.tls_port, place.file("a.pem"))
        lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        checks.equal(lazy.wait_for("bye")["reason"], "idle", "who says nothing")


def trust(checks):
    """The client stores an unknown key the first time and then requires it; certificates from a trusted
    authority are not stored."""
    with Place() as place:
        known = place.file("state/ludus/known_hosts")
        first, second = place.certificate("a"), place.certificate("b")
        with start(checks, "--bots", "random", *first) as server:
            address = server.tls_address
            watch = ["--connect", f"tls://{address}", "--line", "--play", "clobber:2x3", "--white",
                     "bot:random", "--black", "bot:random"]
            trusted = place.run("ludus", *watch, SSL_CERT_FILE=place.file("a.pem"))
            checks.equal(trusted.returncode, 0, f"signed by one we trust {trusted.stderr}")
            checks.check(not os.path.exists(known), "then nothing is kept")
            new = place.run("ludus", *watch)
            checks.check(new.returncode == 0 and f"{address} is new here" in new.stderr,
                         "the first time it is told", new.stderr)
            with open(known, encoding="utf-8") as file:
                line = file.read()
            checks.check(re.fullmatch(address + " SHA256:[0-9a-f]{64}\n", line), "what is kept", line)
            checks.equal(os.stat(known).st_mode & 0o777, 0o600, "for nobody else to write")
            again = place.run("ludus", "record", "2", "--connect", address, "--tls")
            checks.equal((again.returncode, again.stderr), (0, ""), "then nothing is said")
            checks.equal(json.loads(again.stdout)["type"], "record", "a record by --tls")
        with start(checks, "--no-bots", *second, port=address) as server:
            other = place.run("ludus", "record", "1", "--connect", address, "--tls")
            checks.equal(other.returncode, 1, "another key")
            checks.check("this is not the key that it had" in other.stderr, "is refused", other.stderr)
            checks.check("No server there" not in other.stderr, "by who is there", other.stderr)
            clear = place.run("ludus", "list", "--connect", f"tls://{server.address}")
            checks.equal((clear.returncode, clear.stderr),
                         (1, f"ludus: {server.address}: TLS: the other side does not speak it\n"),
                         "no TLS there")
            bot = place.run("ludus-bot", "--connect", address, "--tls", "--join", "1")
            checks.check(bot.returncode == 1 and "not the key" in bot.stderr, "by bots", bot.stderr)
            with open(known, encoding="utf-8") as file:
                checks.equal(file.read(), line, "and not kept")
            plain = place.run("ludus-bot", "--connect", f"tls://{address.replace('.1:', '.2:')}")
            checks.equal(plain.returncode, 1, "nobody there")


def another_host(checks):
    """A trusted certificate counts for its host only, and a known key for the whole address only."""
    with Place() as place, start(checks, "--no-bots", *place.certificate("a", "192.0.2.1")) as server:
        address, known = server.tls_address, place.file("state/ludus/known_hosts")
        os.makedirs(os.path.dirname(known))
        with open(known, "w", encoding="utf-8") as file:
            for other in (address[:-1], address + "0"):
                file.write(f"{other} SHA256:{'0' * 64}\n")
        os.chmod(known, 0o600)
        listed = place.run("ludus", "list", "--connect", address, "--tls",
                           SSL_CERT_FILE=place.file("a.pem"))
        checks.check(listed.returncode == 0 and f"{address} is new here" in listed.stderr,
                     "not its host, and not known by a part of its address", listed.stderr)
        with open(known, encoding="utf-8") as file:
            checks.equal(len(file.readlines()), 3, "its key is kept")


def bots(checks):
    """A bot and a bridge play each other over TLS."""
    with Place() as place, start(checks, "--no-bots", "--code", "sesam",
                                 *place.certificate("a")) as server:
        common = ["--connect", server.tls_address, "--tls", "--code", "sesam"]
        words = [["ludus-bot", *common, "--name", "robert", "--level", "greedy"],
                 ["ludus-bridge", *common, "--name", "bridget", "--games", "clobber", "--movetime",
                  "10", "--", os.path.join(BUILD, "ludus-bot"), "ugi"]]
        players = [subprocess.Popen([os.path.join(BUILD, row[0]), *row[1:]], env=place.environment,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                   for row in words]
        anna = server.connect()
        anna.ask("hello anna code=sesam")
        wait_until(lambda: anna.ask("who")["total"] == 3, "both players")
        reply = anna.ask("new clobber:3x3 white=robert black=bridget")
        over = anna.wait_for("state", match=reply["match"], status="over")
        checks.equal(over["reason"], "no-moves", "a match between them")
        for player in players:
            player.send_signal(signal.SIGINT)
            player.wait(LIMIT_S)


def bad_options(checks):
    with Place() as place:
        good, other = place.certificate("a"), place.certificate("b")
        for words, what, status in (
                (["--tls-port", "0"], "tls-cert", 2), (good[2:], "tls-cert", 2),
                (["--tls-cert", "/nonexistent", *good[2:]],
                 "/nonexistent: not a certificate: No such file", 1),
                ([*good[:2], *other[2:]], "b.key", 1),
                ([*good, "--tls-port", "192.0.2.1:0"], "192.0.2.1", 1)):
            done = place.run("ludusd", "--listen", "127.0.0.1:0", "--data", "none", "--no-bots", *words)
            checks.equal(done.returncode, status, f"exit code of {words}")
            checks.check(done.stderr.startswith("ludusd: ") and what in done.stderr,
                         f"the error of {words}", done.stderr)


if __name__ == "__main__":
    sys.exit(Checks("test_tls").run([
        a_match, half_closed, empty_records, renegotiation, openssl_client, nonsense, trust, another_host, bots, bad_options]))
