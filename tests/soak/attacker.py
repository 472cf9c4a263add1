"""An attacker: connections from its own address.

Any operation may raise OSError, because the server may disconnect the attacker at any moment. Callers
expect that.
"""
import json
import select
import socket
import struct
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import open_socket

PATIENCE_S = 10  # for any wait
CROWD = 10       # names that attackers use again


class Target:
    """The attacked server, and the attackers' knowledge of it."""

    def __init__(self, port, tls_port=None, code=None, people=(), bots=()):
        self.port, self.tls_port, self.code = port, tls_port, code
        self.people, self.bots = list(people), list(bots)
        self.tokens = {}  # by name, for names of attackers


class Peer:
    """One connection of an attacker."""

    def __init__(self, address, port, receive_buffer=None):
        self.socket = open_socket(port, address, receive_buffer)
        self.socket.settimeout(PATIENCE_S)
        self.buffer = b""

    def send_bytes(self, data):
        self.socket.sendall(data)

    def send(self, *lines):
        self.send_bytes("".join(line + "\n" for line in lines).encode())

    def read(self):
        """Returns the next message; raises ConnectionError at the end."""
        while b"\n" not in self.buffer:
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionResetError("closed by the server")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def ask(self, line):
        """Sends a command and returns its reply; drops events before it."""
        self.send("#q " + line)
        while True:
            message = self.read()
            if message.get("id") == "q":
                return message

    def pump(self, data, replies):
        """Sends all of it while reading, until `replies` lines have come, or the end."""
        self.socket.setblocking(False)
        end = time.monotonic() + PATIENCE_S
        while (data or replies > 0) and time.monotonic() < end:
            readable, writable, _ = select.select([self.socket], [self.socket] if data else [], [], 1)
            if writable:
                data = data[self.socket.send(data[:65536]):]
            if readable:
                got = self.socket.recv(1 << 18)
                if not got:
                    break
                replies -= got.count(b"\n")
        self.socket.settimeout(PATIENCE_S)

    def drop_all(self, seconds):
        """Reads and forgets what comes in that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.socket], [], [], left)[0] and not self.socket.recv(1 << 18):
                return

    def reset(self):
        """Resets the connection."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()


class Attacker:
    """Keeps its connections until leave(). A roaming attacker has many addresses."""

    def __init__(self, target, rng, address="127.0.0.1", name=None, roams=False):
        self.target, self.rng, self.address = target, rng, address
        self.name = name or f"x{rng.getrandbits(48):x}"
        self.peers, self.roams = [], roams

    def connect(self, receive_buffer=None, port=None):
        peer = Peer(self.address, port or self.target.port, receive_buffer)
        self.peers.append(peer)
        return peer

    def hello(self, name):
        """Returns the line that takes the name or returns to it."""
        code = f" code={self.target.code}" if self.target.code else ""
        token = f" token={self.target.tokens[name]}" if name in self.target.tokens else ""
        return f"hello {name}{token}{code}"

    def enter(self, receive_buffer=None, name=None, crowd="nobody"):
        """Returns an admitted connection: under the given name, or as a guest if possible, or under one
        of a few shared names."""
        peer = self.connect(receive_buffer)
        if name is None and self.target.code:
            name = f"{crowd}-{self.rng.randrange(CROWD)}"
        if name is not None:
            reply = peer.ask(self.hello(name))
            self.target.tokens[name] = reply.get("token", self.target.tokens.get(name))
        return peer

    def leave(self):
        """Closes all connections, some of them by a reset."""
        for peer in self.peers:
            try:
                peer.reset() if self.rng.random() < 0.5 else peer.close()
            except OSError:
                pass
        self.peers.clear()
