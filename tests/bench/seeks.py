"""Measures pairing: how soon everyone who seeks is paired, and what a seek costs beside a ping.

usage: seeks.py BUILD [SEEKERS]

Opens N connections (1000), each with a name, and has them seek: first so that nobody fits anybody, as all want to
be white, then everyone at once. Prints the milliseconds from the last of these lines to the last `paired`, and the
median time of a seek and of a ping, one after the other on a connection of its own.
"""
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import time

PATIENCE_S = 60
ROUNDS = 300


class Seeker:
    def __init__(self, port, number):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.ask(f"hello seeker{number}", b'"cmd":"hello"')

    def ask(self, line, awaited):
        self.socket.sendall(line.encode() + b"\n")
        self.await_text(awaited)

    def await_text(self, awaited):
        got = b""
        while awaited not in got:
            more = self.socket.recv(1 << 16)
            if not more:
                raise SystemExit(f"seeks: the server has closed a connection: {got[-200:]}")
            got += more


def all_paired(seekers):
    """Has everyone seek at once. Returns the time from the last line to the last `paired`."""
    selector = selectors.DefaultSelector()
    for seeker in seekers:
        selector.register(seeker.socket, selectors.EVENT_READ, bytearray())
    for seeker in seekers:
        seeker.socket.sendall(b"seek clobber\n")
    sent_s = time.monotonic()
    left = len(seekers)
    while left:
        for key, _ in selector.select(PATIENCE_S):
            key.data.extend(key.fileobj.recv(1 << 16))
            if b'"type":"paired"' in key.data:
                selector.unregister(key.fileobj)
                left -= 1
    return time.monotonic() - sent_s


def median_us(seeker, line, awaited, after=None):
    times = []
    for _ in range(ROUNDS):
        begin_s = time.monotonic()
        seeker.ask(line, awaited)
        times.append(time.monotonic() - begin_s)
        if after:
            seeker.ask(after, b'"cmd":"' + after.split()[0].encode())
    return statistics.median(times) * 1e6


def main():
    build, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    server = subprocess.Popen([os.path.join(build, "ludusd"), "--listen", "127.0.0.1:0", "--data", "none", "--no-bots"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = int(re.search(r":(\d+)$", server.stdout.readline().strip())[1])
        seekers = [Seeker(port, number) for number in range(count)]
        lone = Seeker(port, count)
        for seeker in seekers:
            seeker.ask("seek shakti color=white", b'"cmd":"seek"')
        ping_us = median_us(lone, "ping", b'"pong"')
        seek_us = median_us(lone, "seek shakti color=white", b'"cmd":"seek"', after="unseek")
        print(f"{count} seeks stand: a ping {ping_us:.0f} us, a seek that fits none {seek_us:.0f} us "
              f"({seek_us / ping_us:.1f} pings)")
        print(f"{count} seek at once: paired {all_paired(seekers) * 1000:.0f} ms after the last line")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
