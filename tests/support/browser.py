"""A browser's side of HTTP and WebSocket over raw sockets, for tests that send what no browser would."""
import base64
import hashlib
import json
import os
import socket
import struct

from harness import LIMIT_S

TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
KEY = "dGhlIHNhbXBsZSBub25jZQ=="  # of RFC 6455, 1.3
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def request(path="/", method="GET", host="localhost", version="HTTP/1.1", headers=()):
    """Returns a request; a header with the value None is left out, and so is Host."""
    lines = [f"{method} {path} {version}", *([] if host is None else [f"Host: {host}"]), *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def handshake(host="localhost", origin="http://localhost", key=KEY, version="13", protocol="ludus.v1", headers=()):
    """Returns the request for a WebSocket; a part that is None is left out."""
    parts = [("Origin", origin), ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", version),
             ("Sec-WebSocket-Protocol", protocol)]
    return request("/ws", host=host, headers=["Upgrade: websocket", "Connection: keep-alive, Upgrade",
                                              *(f"{name}: {value}" for name, value in parts if value is not None),
                                              *headers])


def frame(payload=b"", opcode=TEXT, fin=True, rsv=0, mask=b"\x0f\xf0\x55\xaa", length=None):
    """Returns a frame as a client sends it; without a mask as a server does. `length` is what it claims."""
    payload = payload.encode() if isinstance(payload, str) else payload
    claimed = len(payload) if length is None else length
    short = claimed if claimed < 126 else 126 if claimed < 1 << 16 else 127
    head = struct.pack("BB", fin << 7 | rsv << 4 | opcode, (0x80 if mask else 0) | short)
    head += b"" if short < 126 else struct.pack(">H" if short == 126 else ">Q", claimed)
    if not mask:
        return head + payload
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class Answer:
    """What a server has answered to a request."""

    def __init__(self, head, body):
        first, *lines = head.decode("latin-1").split("\r\n")
        self.first, self.body = first, body
        self.status = int(first.split()[1])
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}

    def __repr__(self):
        return f"{self.first} {self.headers} {self.body[:80]!r}"


class Browser:
    """A connection that speaks HTTP, and after upgrade() WebSocket."""

    def __init__(self, port, context=None):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is not None:
            self.socket = context.wrap_socket(self.socket)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *pieces):
        for piece in pieces:
            self.socket.sendall(piece)

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            data = b""
        self.buffer += data
        return data != b""

    def _take(self, count):
        """Returns exactly `count` bytes, or None at the end."""
        while len(self.buffer) < count:
            if not self._more():
                return None
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def answer(self, to_head=False):
        """Returns the next answer, or None when the server has closed the connection."""
        while b"\r\n\r\n" not in self.buffer:
            if not self._more():
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        answer = Answer(head, b"")
        if not to_head and answer.status >= 200:
            answer.body = self._take(int(answer.headers.get("content-length", 0)))
        return answer

    def ask(self, *pieces, to_head=False):
        self.send(*pieces)
        return self.answer(to_head)

    def is_closed(self):
        """Waits for the end; False if anything comes first."""
        return self.buffer == b"" and not self._more()

    def rest(self):
        """Returns everything up to the end."""
        while self._more():
            pass
        data, self.buffer = self.buffer, b""
        return data

    def upgrade(self, **parts):
        """Opens the WebSocket and returns the greeting."""
        answer = self.ask(handshake(**parts))
        if answer is None or answer.status != 101:
            raise RuntimeError(f"no WebSocket: {answer}")
        return self.message()

    def frame(self):
        """Returns the next frame as (opcode, payload), or None at the end."""
        head = self._take(2)
        if head is None:
            return None
        size = head[1]  # a mask would make this larger than any test expects
        if size in (126, 127):
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        assert head[0] & 0xf0 == 0x80, f"the server sends whole frames without extensions: {head!r}"
        return head[0] & 0xf, self._take(size)

    def message(self):
        """Returns the next JSON message; None at the close frame or the end."""
        while (found := self.frame()) is not None and found[0] != CLOSE:
            if found[0] == TEXT:
                return json.loads(found[1])
        return None

    def command(self, line):
        """Sends a line and returns its reply; drops events before it."""
        self.send(frame("#q " + line))
        while (message := self.message()) is not None and message.get("id") != "q":
            pass
        return message

    def close_code(self):
        """Reads up to the close frame: its code, None without a code, "end" without that frame."""
        while (found := self.frame()) is not None:
            if found[0] == CLOSE:
                return int.from_bytes(found[1][:2], "big") if found[1] else None
        return "end"


def accept_of(key):
    """Returns the answer to a key, by RFC 6455, 4.2.2."""
    salted = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return base64.b64encode(hashlib.sha1(salted.encode()).digest()).decode()


def new_key():
    return base64.b64encode(os.urandom(16)).decode()
