"""The servers of a cluster: ludusd processes that tests kill, freeze and start again."""
import atexit
import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/../crash")
from ludusd import LIMIT_S
from ports import hold_port


class Node:
    """One server with a fixed port. `options` says where it keeps matches. Its log is added to."""

    def __init__(self, build, folder, number, options):
        self.number, self.port = number, hold_port()
        self.address = f"127.0.0.1:{self.port}"
        self.log_path = os.path.join(folder, f"server-{number}.log")
        self.words = ["setpriv", "--pdeathsig", "KILL", os.path.join(build, "ludusd"), "--listen",
                      self.address, "--rate", "0", "--max-matches", "1000", *options]
        self.process = None
        self.frozen = False
        atexit.register(self.kill)

    def start(self):
        """Starts the server without waiting until it listens."""
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"})
        self.frozen = False

    def wait(self):
        """Waits until the server listens."""
        end_s = time.monotonic() + LIMIT_S
        while not self.listens():
            if not self.runs() or time.monotonic() > end_s:
                raise RuntimeError(f"server {self.number} does not start: {self.read_log()[-1500:]}")
            time.sleep(0.02)

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        if self.runs():
            self.process.kill()
            self.process.wait()
        self.frozen = False

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)
        self.frozen = True

    def thaw(self):
        if self.frozen and self.runs():
            self.process.send_signal(signal.SIGCONT)
        self.frozen = False

    def stop(self):
        """Stops the server in good order and returns its exit code."""
        if not self.runs():
            return None if self.process is None else self.process.returncode
        self.thaw()
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            return "hangs"

    def read_log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()


def on_database(conninfo, number, address):
    """Returns the options of a server that shares a database."""
    return ["--engine", conninfo, "--node", str(number), "--advertise", address]
