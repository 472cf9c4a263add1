"""Shared by the tests over TCP: their own server, connections to it, and counting.

Nothing here sleeps for a fixed time: each wait is for an event, with a limit that only a hanging program
reaches.
"""
import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

LIMIT_S = 180  # for anything that should happen at once: a slow and busy machine needs a part of it
DRAIN_S = 60  # the longest --drain: who ends sooner has not waited for it

# Bots keep their tokens here, not where those of the person who runs the tests are.
STATE = os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()
atexit.register(shutil.rmtree, STATE, True)


def kept_token(address, name):
    """Returns the token that a bot has kept, or None."""
    if not os.path.exists(path := os.path.join(STATE, "ludus", "tokens")):
        return None
    with open(path) as file:
        return next((line.split()[2] for line in file if line.split()[:2] == [address, name]), None)


def forget_tokens():
    """For a new server, whose port may have been another's before."""
    if os.path.exists(path := os.path.join(STATE, "ludus", "tokens")):
        os.remove(path)


class Checks:
    """Prints the checks that fail, and counts test cases: checks of one name are a case, which fails if one of
    them does."""

    def __init__(self, name):
        self.name, self.cases, self.failed = name, set(), set()

    def check(self, good, what, shown=""):
        self.cases.add(what)
        if not good:
            self.failed.add(what)
            print(f"{self.name}: FAILED: {what}{': ' if shown != '' else ''}{shown}", flush=True)
        return good

    def equal(self, got, want, what):
        return self.check(got == want, what, f"got {got!r}, expected {want!r}")

    def run_case(self, case):
        try:
            case(self)
        except Exception as error:  # a broken test is a failed test
            self.check(False, case.__name__, f"{type(error).__name__}: {error}")

    def run(self, cases, at_once=1):
        """Runs the functions; an exception is a failed case. `at_once` of them wait together, where each has a
        server of its own."""
        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(self.run_case, cases))
        print(f"{self.name}: {len(self.cases) - len(self.failed)} passed, {len(self.failed)} failed")
        return 1 if self.failed or not self.cases else 0


class Tests(list):
    """The tests of a file; a decorator that adds a function to them."""

    def __call__(self, function):
        self.append(function)
        return function


def read_again(file):
    """Returns the contents of a file that a program may be writing. Opens it anew, because the program
    shares the file offset."""
    with open(f"/proc/self/fd/{file.fileno()}", errors="replace") as again:
        return again.read()


class Server:
    """A ludusd on a free port; a context manager that ends it and checks its exit. Peers may be silent for as
    long as a test takes, unless it gives an --idle of its own."""

    def __init__(self, build, *options, checks=None, preexec=None, environment=None):
        self.checks, self.preexec = checks, preexec
        self.command = [os.path.join(build, "ludusd"), *([] if "--data" in options else ["--data", "none"]),
                        *([] if "--idle" in options or "--config" in options else ["--idle", "86400"]), *options]
        # So that a build with sanitizers does not count freed memory.
        self.environment = {"ASAN_OPTIONS": "quarantine_size_mb=1", **(environment or os.environ)}
        self.log = tempfile.TemporaryFile(mode="w+")
        self.start("127.0.0.1:0")

    def start(self, address):
        self.process = subprocess.Popen([*self.command, "--listen", address], stdout=subprocess.PIPE, stderr=self.log,
                                        text=True, preexec_fn=self.preexec, env=self.environment)
        line = self.process.stdout.readline()
        if not line.startswith("ludusd: listening on "):
            raise RuntimeError(f"the server does not start: {line!r} {self.read_log()}")
        self.port = int(line.rsplit(":", 1)[1])
        self.address = f"127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        code = self.stop()
        if self.checks is not None and kind is None:
            self.checks.check(code == 0, "exit code of the server", f"{code}: {self.read_log()[-2000:]}")

    def read_log(self):
        return read_again(self.log)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def again(self):
        """Starts the server, which has ended, on its port again."""
        self.start(self.address)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "hangs"

    def connect(self, name=None, **more):
        return Connection(self.port, name, **more)

    def children(self):
        """Returns the process ids of the house bots, by level."""
        found = {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/stat") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
                with open(f"/proc/{entry}/cmdline") as file:
                    words = file.read().split("\0")
            except (OSError, IndexError):
                continue
            if parent == self.process.pid and "--house" in words:
                found[words[words.index("--house") + 1]] = int(entry)
        return found


BEHIND_PROXY = "LUDUS_TESTS_BEHIND_PROXY"  # set in the environment: connections come as through one proxy


def open_socket(port, address=None, receive_buffer=None):
    """Returns a socket that is connected to the server, from an address of its own or what a proxy says is one."""
    connected = socket.socket()
    if receive_buffer:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    if address and BEHIND_PROXY not in os.environ:
        connected.bind((address, 0))
    connected.settimeout(LIMIT_S)
    connected.connect(("127.0.0.1", port))
    if BEHIND_PROXY in os.environ:
        connected.sendall(f"PROXY TCP4 {address or '127.0.0.2'} 127.0.0.1 {connected.getsockname()[1]} {port}\r\n".encode())
    return connected


class Connection:
    """A connection that sends lines and reads messages. A silent one waits for the greeting; others ask for it
    by a blank line."""

    def __init__(self, port, name=None, receive_buffer=None, silent=False, address=None):
        self.socket = open_socket(port, address, receive_buffer)
        self.buffer = b""
        if not silent:
            self.socket.sendall(b"\n")
        self.greeting = self.read()
        if name is not None:
            self.token = self.ask(f"hello {name}")["token"]

    def send(self, *lines):
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def send_bytes(self, data):
        self.socket.sendall(data)

    def read(self):
        """Returns the next message, or None when the server has closed the connection."""
        while b"\n" not in self.buffer:
            try:
                data = self.socket.recv(65536)
            except ConnectionError:
                return None
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def wait_for(self, kind, where=lambda message: True, **fields):
        """Reads until a message of that type with those fields that fits, and returns it; None at the end."""
        while True:
            message = self.read()
            if message is None or (message["type"] == kind and where(message) and
                                   all(message.get(k) == v for k, v in fields.items())):
                return message

    def ask(self, line):
        """Sends a command and returns its reply; drops events before it."""
        self.send("#q " + line)
        while True:
            message = self.read()
            if message is None or message.get("id") == "q":
                return message

    def do(self, line):
        """Sends a command that must go well, and returns its reply."""
        reply = self.ask(line)
        if reply is None or reply["type"] == "error":
            raise RuntimeError(f"{line}: {reply}")
        return reply

    def wait_for_bots(self, count):
        """Waits until `count` bots are there."""
        wait_until(lambda: len(self.ask("who bot=yes")["players"]) >= count, f"{count} bots come")

    def close(self):
        self.socket.close()


def wait_until(condition, what):
    """Waits until condition() is true."""
    end = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"waited in vain: {what}")
        time.sleep(0.01)


def games_of(build):
    """The games that the programs know, each with its variants, as --help lists them."""
    text = subprocess.run([os.path.join(build, "ludus"), "--help"], text=True, capture_output=True,
                          timeout=LIMIT_S, check=True).stdout
    rows = text.partition("\nGames:\n")[2].partition("\n\n")[0].split("\n")
    return {name: variants for name, *variants in map(str.split, rows)}


def build_folder():
    return sys.argv[1] if len(sys.argv) > 1 else "build"
