"""Tools for the tests of the terminal client: the client in a pseudo-terminal or with pipes, and connections
that break on purpose.
"""

import errno
import fcntl
import os
import pty
import re
import select
import shutil
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time

from harness import LIMIT_S, build_folder

BUILD = build_folder()
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\r|\a")


class Failure(Exception):
    pass


def expect_that(condition, what):
    if not condition:
        raise Failure(what)


# --- the programs ---------------------------------------------------------------------------


class Home:
    """A person with a temporary state directory, so that the real one stays untouched, who has finished a match of each
    game unless the file that says so is removed."""

    people = 0

    def __init__(self):
        Home.people += 1
        self.user = f"tester{Home.people}"
        self.path = tempfile.mkdtemp(prefix="ludus-test-")
        os.mkdir(self.file(""), 0o700)
        with open(self.file("finished"), "w", encoding="ascii") as file:
            file.writelines(f"{game} yes\n" for game in ("clobber", "xadrersi", "latrunculi", "shakti"))

    def environment(self, **changes):
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("NO_COLOR", "TERM", "XDG_STATE_HOME", "LC_ALL", "LANG")}
        environment.update(TERM="xterm", XDG_STATE_HOME=self.path, USER=self.user,
                           LC_ALL="C.UTF-8", HOME=self.path)
        environment.update(changes)
        return environment

    def file(self, name):
        return os.path.join(self.path, "ludus", name)

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def is_subcommand(words):
    return len(words) > 0 and not words[0].startswith("-")


def command_line(address, arguments):
    """Returns the command line of the client for that address; `ludus replay`, `ludus learn` and `ludus puzzle` need none."""
    program, words = os.path.join(BUILD, "ludus"), list(arguments)
    if words[:1] in (["replay"], ["learn"], ["puzzle"]):
        return [program, *words]
    at = 1 if is_subcommand(words) else 0
    return [program, *words[:at], "--connect", address, *words[at:]]


def by_lines(arguments):
    """Returns the arguments for line mode at a terminal."""
    lines = is_subcommand(arguments) and arguments[0] not in ("replay", "learn")
    return list(arguments) if lines else [*arguments, "--line"]


class Terminal:
    """The client in line mode in a pseudo-terminal. `screen` is its output without escape sequences;
    expect() searches only after the previous match."""

    words = staticmethod(by_lines)
    command = staticmethod(command_line)

    def __init__(self, address, *arguments, home, columns=100, program=None, **environment):
        self.raw = b""
        self.found = 0
        self.master, slave = pty.openpty()
        self.resize(columns)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.descriptors = (self.master, slave)

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        command = self.command(address, self.words(arguments))
        self.process = subprocess.Popen(
            [program or command[0], *command[1:]],
            stdin=slave, stdout=slave, stderr=slave, env=home.environment(**environment),
            preexec_fn=own_terminal)

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        return self

    @property
    def screen(self):
        return ESCAPE.sub("", self.raw.decode("utf-8", "replace"))

    def read_some(self, end_time):
        ready, _, _ = select.select([self.master], [], [], max(0, end_time - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        self.raw += data
        return bool(data)

    def expect(self, text):
        end_time = time.monotonic() + LIMIT_S
        while True:
            at = self.screen.find(text, self.found)
            if at >= 0:
                self.found = at + len(text)
                return self
            if not self.read_some(end_time):
                raise Failure(f"no {text!r} came; the screen since then:\n"
                              f"{self.screen[self.found:]}")

    def type(self, text):
        os.write(self.master, text.encode())
        return self

    def line(self, text):
        return self.type(text + "\r")

    def answer(self, *pairs):
        """Waits for each prompt and types the answer."""
        for prompt, text in pairs:
            self.expect(prompt)
            self.line(text)
        return self

    def signal(self, number):
        self.process.send_signal(number)
        return self

    def end(self, status=0):
        """Waits for the program to exit, which must restore the terminal."""
        end_time = time.monotonic() + LIMIT_S
        while self.process.poll() is None:
            expect_that(time.monotonic() < end_time, "the client does not end")
            self.read_some(time.monotonic() + 0.05)
        while self.read_some(time.monotonic()):
            pass
        after = termios.tcgetattr(self.slave)
        self.close()
        expect_that(self.process.returncode == status,
                    f"exit status {self.process.returncode}, not {status}:\n{self.screen[-2000:]}")
        expect_that(after[:4] == self.before[:4], "the terminal was not restored")
        return self

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for descriptor in self.descriptors:  # closed only once, because the numbers may be in use again
            os.close(descriptor)
        self.descriptors = ()


def piped(address, arguments, text, home, status=0, **environment):
    """Runs the client between pipes and returns its output."""
    done = subprocess.run(command_line(address, arguments),
                          input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=home.environment(**environment), timeout=LIMIT_S * 2)
    output = done.stdout.decode() + done.stderr.decode()
    expect_that(done.returncode == status,
                f"exit status {done.returncode}, not {status}:\n{output}")
    return output


def expect_in_order(text, *parts):
    at = 0
    for part in parts:
        next_at = text.find(part, at)
        expect_that(next_at >= 0, f"no {part!r} behind position {at} of:\n{text}")
        at = next_at + len(part)


class Proxy:
    """A proxy between client and server that drops connections on purpose."""

    def __init__(self, port):
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.pairs = []
        self.changed = threading.Condition()
        self.lose = None      # "command" or "reply": drops the next one with the text
        self.text = b""
        self.refusing = False
        self.pings = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refusing:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self.port))
            pair = (client, server)
            self.pairs.append(pair)
            for source, target, kind in ((client, server, "command"), (server, client, "reply")):
                threading.Thread(target=self.pump, args=(pair, source, target, kind),
                                 daemon=True).start()

    def pump(self, pair, source, target, kind):
        try:
            while data := source.recv(65536):
                with self.changed:
                    self.pings += data.count(b'"type":"ping"')
                    lost = self.lose == kind and self.text in data
                    if lost:
                        self.lose = None
                    self.changed.notify_all()
                if lost:
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def lose_next(self, kind, text):
        with self.changed:
            self.text, self.lose = text, kind

    def drop(self):
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def wait_for_pings(self, count):
        with self.changed:
            expect_that(self.changed.wait_for(lambda: self.pings >= count, LIMIT_S), "no pings")

    def close(self):
        self.listener.close()
        self.drop()
