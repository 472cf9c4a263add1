"""A ludusd with a store that a test may kill and start again on the same port."""
import atexit
import os
import random
import signal
import socket
import subprocess

LIMIT_S = 180  # for anything that should happen at once


_taken = []  # a socket for each port that this process was given


def free_port(rng=random):
    """Returns a port outside the ephemeral range, which no other caller on this machine gets until this
    process ends: whoever asked for it listens later, and some stop and listen again."""
    while True:
        port = rng.randrange(15000, 30000)
        mark = socket.socket(socket.AF_UNIX)
        try:
            mark.bind(f"\0ludus-test-port-{port}")
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            continue
        _taken.append(mark)
        return port


def house_bots(port):
    """Returns the process ids of the house bots that play on that port, whoever started them."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline") as file:
                words = file.read().split("\0")
        except OSError:
            continue
        if "--house" in words and f"127.0.0.1:{port}" in words:
            found.append(int(entry))
    return found


class Ludusd:
    """The server program on one port and one directory, running or not."""

    def __init__(self, build, folder, port, options=(), environment=None):
        self.program = os.path.join(build, "ludusd")
        self.folder, self.port = folder, port
        self.options = list(options)
        self.environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1",
                            **(environment or {})}
        self.log_path = folder + ".log"
        self.process = None
        atexit.register(self.end)

    def end(self):
        """Ends the server even when a test breaks."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def start(self):
        """Starts the server and returns its standard output without waiting."""
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                [self.program, "--listen", f"127.0.0.1:{self.port}", "--data", self.folder,
                 "--rate", "0", "--challenges", "0", "--idle", "86400", *self.options], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=log, env=self.environment)
        return self.process.stdout

    def start_and_wait(self):
        line = self.start().readline()
        if not line.startswith(b"ludusd: listening on "):
            raise RuntimeError(f"the server does not start: {self.read_log()[-500:]}")

    def kill(self):
        """Kills the server."""
        self.process.send_signal(signal.SIGKILL)
        self.reap()

    def stop(self):
        """Stops the server and returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.reap()

    def reap(self):
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "hangs"
        finally:
            self.process.stdout.close()

    def check(self):
        """Runs `ludusd check` and returns its exit code and output."""
        done = subprocess.run([self.program, "check", "--data", self.folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
                              env=self.environment, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.strip()

    def read_log(self):
        with open(self.log_path) as file:
            return file.read()
