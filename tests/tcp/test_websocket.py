"""WebSockets by RFC 6455: a table of frames and what must come back, after the cases of the Autobahn test suite.

Of that suite's cases these have no counterpart here: 9 (throughput of messages of megabytes, which are refused),
12 and 13 (compression, which is not offered), 6.4 (failing before a message is complete, which the RFC allows but
does not ask for), and 10 (automatic fragmentation, which the server does not do).

usage: test_websocket.py BUILD_DIR
"""
import json
import signal
import socket
import struct
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
from browser import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Browser, accept_of, frame, handshake, new_key, request
from harness import Checks, DRAIN_S, LIMIT_S, Server, build_folder

BUILD = build_folder()


def start(checks, *options, **more):
    return Server(BUILD, "--no-bots", *options, checks=checks, **more)


def pong(text):
    return {"type": "pong", **({"text": text} if text else {})}


def closing(code, reason=b""):
    return frame(struct.pack(">H", code) + reason, CLOSE)


def parts(text, *sizes):
    """Returns a text message in fragments of these sizes, the last one with the rest."""
    text, pieces = text.encode() if isinstance(text, str) else text, []
    for size in sizes:
        pieces, text = [*pieces, text[:size]], text[size:]
    pieces.append(text)
    return [frame(piece, TEXT if i == 0 else CONTINUATION, fin=i == len(pieces) - 1) for i, piece in enumerate(pieces)]


LONGEST = "ping " + "x" * 1018  # 1023 bytes, a line without its end
UTF8 = "κόσμε ✓ 😀"
INVALID_UTF8 = (b"\xff", b"\x80", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x80\x80\x80",
                b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xce", b"\xe1\xbd", b"\xf0\x90\x80", b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited")

# (case of the suite, what it is, frames, what comes back: messages, (opcode, payload) of control frames, a close code)
CASES = [
    ("1.1.1", "an empty message is a blank line", [frame(""), frame("ping 1")], [pong("1")]),
    ("1.1.2", "125 bytes", [frame("ping " + "*" * 120)], [pong("*" * 120)]),
    ("1.1.3", "126 bytes", [frame("ping " + "*" * 121)], [pong("*" * 121)]),
    ("1.1.4", "127 bytes", [frame("ping " + "*" * 122)], [pong("*" * 122)]),
    ("1.1.5", "128 bytes", [frame("ping " + "*" * 123)], [pong("*" * 123)]),
    ("1.1.6", "as long as a line", [frame(LONGEST)], [pong("x" * 1018)]),
    ("1.1.7", "longer than a line", [frame(LONGEST + "x")], [1009]),
    ("1.1.8", "64 KiB", [frame("*" * 65536)], [1009]),
    ("1.2.1", "binary, empty", [frame(b"", BINARY)], [1003]),
    ("1.2.2", "binary", [frame(b"ping", BINARY)], [1003]),
    ("2.1", "a ping without payload", [frame(b"", PING)], [(PONG, b"")]),
    ("2.2", "a ping with payload", [frame(b"Hello", PING)], [(PONG, b"Hello")]),
    ("2.3", "a ping with bytes of any value", [frame(b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff", PING)],
     [(PONG, b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff")]),
    ("2.4", "a ping of 125 bytes", [frame(b"\xfe" * 125, PING)], [(PONG, b"\xfe" * 125)]),
    ("2.5", "a ping of 126 bytes", [frame(b"\xfe" * 126, PING)], [1002]),
    ("2.7", "a pong that nobody asked for", [frame(b"", PONG), frame("ping")], [pong("")]),
    ("2.8", "a pong with payload", [frame(b"unsolicited", PONG), frame("ping")], [pong("")]),
    ("2.9", "a pong, then a ping", [frame(b"x", PONG), frame(b"y", PING)], [(PONG, b"y")]),
    ("2.10", "ten pings", [frame(b"%d" % i, PING) for i in range(10)], [(PONG, b"%d" % i) for i in range(10)]),
    *((f"3.{bits}", f"reserved bits {bits}", [frame("ping", rsv=bits)], [1002]) for bits in range(1, 8)),
    ("3.6", "reserved bits of a ping", [frame(b"x", PING, rsv=6)], [1002]),
    ("3.7", "reserved bits of a close frame", [frame(b"", CLOSE, rsv=7)], [1002]),
    ("3.x", "reserved bits after a message", [frame("ping 1"), frame("ping 2", rsv=4), frame("ping 3")], [pong("1"), 1002]),
    *((f"4.1.{code}", f"opcode {code}", [frame("x", code)], [1002]) for code in range(3, 8)),
    *((f"4.2.{code}", f"opcode {code}", [frame("x", code)], [1002]) for code in range(11, 16)),
    ("5.1", "a ping in fragments", [frame(b"a", PING, fin=False), frame(b"b", CONTINUATION)], [1002]),
    ("5.2", "a pong in fragments", [frame(b"a", PONG, fin=False), frame(b"b", CONTINUATION)], [1002]),
    ("5.3", "two fragments", parts("ping abcdef", 7), [pong("abcdef")]),
    ("5.6", "a ping between fragments", [parts("ping ab", 3)[0], frame(b"x", PING), parts("ping ab", 3)[1]],
     [(PONG, b"x"), pong("ab")]),
    ("5.9", "a continuation of nothing", [frame("ping", CONTINUATION)], [1002]),
    ("5.10", "a continuation that ends nothing", [frame("ping", CONTINUATION, fin=False)], [1002]),
    ("5.12", "a continuation after a message", [frame("ping 1"), frame("x", CONTINUATION)], [pong("1"), 1002]),
    ("5.15", "a continuation after fragments", [*parts("ping 1", 3), frame("x", CONTINUATION, fin=False)], [pong("1"), 1002]),
    ("5.16", "a continuation before a message", [frame("x", CONTINUATION, fin=False), frame("ping")], [1002]),
    ("5.18", "a message within a message", [frame("pi", fin=False), frame("ng")], [1002]),
    ("5.19", "many fragments, with pings", [piece for i, part in enumerate(parts("ping abcde", *[1] * 9))
                                             for piece in (part, frame(b"%d" % i, PING))],
     [*((PONG, b"%d" % i) for i in range(9)), pong("abcde"), (PONG, b"9")]),
    ("5.20", "empty fragments", parts("ping a", 0, 0, 4, 0), [pong("a")]),
    ("5.x", "fragments as long as a line", parts(LONGEST, 1000), [pong("x" * 1018)]),
    ("5.y", "fragments longer than a line", parts(LONGEST + "x", 1000), [1009]),
    ("5.z", "a binary message in fragments", [frame(b"x", BINARY, fin=False)], [1003]),
    ("6.1", "an empty message in fragments", [*parts("", 0, 0), frame("ping")], [pong("")]),
    ("6.2", "characters of many bytes", [frame("ping " + UTF8)], [pong(UTF8)]),
    *((f"6.2.{size}", f"characters split after {size} bytes", parts("ping " + UTF8, size), [pong(UTF8)])
      for size in range(5, 5 + len(UTF8.encode()))),
    *((f"6.3.{i}", f"no UTF-8: {text!r}", [frame(b"ping " + text)], [1007]) for i, text in enumerate(INVALID_UTF8)),
    ("6.x", "control characters", [frame("ping a\nquit")], ["bad-encoding"]),
    ("6.y", "a carriage return at the end", [frame("ping\r")], ["bad-encoding"]),
    ("6.z", "a zero byte", [frame("ping \0")], ["bad-encoding"]),
    ("7.1.1", "a close frame", [frame("ping 1"), closing(1000)], [pong("1"), 1000]),
    ("7.1.2", "two close frames", [closing(1000), closing(1000)], [1000]),
    ("7.1.3", "a ping after a close frame", [closing(1000), frame(b"x", PING)], [1000]),
    ("7.1.4", "a message after a close frame", [closing(1000), frame("ping")], [1000]),
    ("7.1.5", "a close frame within a message", [frame("pi", fin=False), closing(1000), frame("ng", CONTINUATION)], [1000]),
    ("7.3.1", "a close frame without a code", [frame(b"", CLOSE)], [None]),
    ("7.3.2", "half a code", [frame(b"\x03", CLOSE)], [1002]),
    ("7.3.4", "a reason", [closing(1000, b"Hello World!")], [1000]),
    ("7.3.5", "the longest reason", [closing(1000, b"*" * 123)], [1000]),
    ("7.3.6", "too long a reason", [closing(1000, b"*" * 124)], [1002]),
    ("7.5.1", "a reason that is not UTF-8", [closing(1000, b"\xce\xba\xed\xa0\x80")], [1007]),
    *((f"7.7.{code}", f"code {code}", [closing(code)], [code])
      for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)),
    *((f"7.9.{code}", f"code {code}", [closing(code)], [1002])
      for code in (0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535)),
    ("mask", "a message without a mask", [frame("ping", mask=b"")], [1002]),
    ("mask", "a ping without a mask", [frame(b"x", PING, mask=b"")], [1002]),
    ("mask", "a mask of zeros", [frame("ping 0", mask=b"\0\0\0\0")], [pong("0")]),
    ("length", "a length in too many bytes", [b"\x81\xfe\x00\x05" + b"\0\0\0\0" + b"ping "], [1002]),
    ("length", "a length in far too many bytes", [b"\x81\xff" + struct.pack(">Q", 5) + b"\0\0\0\0" + b"ping "], [1002]),
    ("length", "a negative length", [b"\x81\xff" + b"\xff" * 8 + b"\0\0\0\0" + b"ping "], [1002]),
    ("length", "an enormous length", [frame("ping", length=1 << 62)], [1009]),
    ("length", "an enormous length of a fragment", [frame("p", fin=False), frame("ing", CONTINUATION, length=1 << 40)], [1009]),
]


def comes_back(found):
    """Returns a frame of the server as the table writes it."""
    opcode, payload = found
    if opcode == CLOSE:
        return int.from_bytes(payload[:2], "big") if payload else None
    if opcode != TEXT:
        return found
    message = json.loads(payload)
    return message["code"] if message["type"] == "error" else message


def run_case(checks, server, case, how):
    number, what, frames, expected = case
    with Browser(server.port) as browser:
        browser.upgrade()
        data = b"".join(frames)
        pieces = {"at once": [data], "byte by byte": [data[i:i + 1] for i in range(len(data))]}[how]
        try:
            browser.send(*pieces)
        except OSError:
            pass  # closed before everything was sent
        found = [comes_back(browser.frame() or (CLOSE, b"\0\0")) for _ in expected]
        checks.equal(found, expected, f"{number}: {what}, {how}")
        if not expected or not (expected[-1] is None or isinstance(expected[-1], int)):
            checks.equal(browser.command("ping end"), {"type": "pong", "id": "q", "text": "end"}, f"{number}: it goes on")
        else:
            checks.check(browser.is_closed(), f"{number}: then nothing", browser.buffer)


def cases(checks):
    with start(checks) as server:
        for case in CASES:
            run_case(checks, server, case, "at once")
            if sum(map(len, case[2])) < 300:
                run_case(checks, server, case, "byte by byte")


def early_frames(checks):
    """Frames may come with the handshake, and the accepting key is that of the RFC."""
    with start(checks) as server, Browser(server.port) as browser:
        key = new_key()
        browser.send(handshake(key=key) + frame("ping 1") + frame("ping 2"))
        checks.equal(browser.answer().headers["sec-websocket-accept"], accept_of(key), "the key")
        checks.equal([browser.message().get("text") for _ in range(3)], [None, "1", "2"], "greeting, then answers")


def a_match(checks):
    """A player in a browser and one at a socket."""
    with start(checks) as server, Browser(server.port) as browser:
        browser.ask(request())
        checks.equal(browser.upgrade()["type"], "hello", "the greeting, after a page on one connection")
        anna, bob = browser.command("hello anna"), server.connect("bob")
        match = browser.command("new clobber white=me black=bob")["match"]
        bob.send(f"join {match}")
        for ply in range(4):
            state = bob.wait_for("state", ply=ply)
            checks.equal(state["you"], "black", "bob's seat")
            if ply % 2 == 0:
                browser.send(frame(f"move {match} {legal_of(browser, ply)}"))
            else:
                bob.send(f"move {match} {state['legal'][0]}")
        checks.equal(bob.wait_for("state", ply=4)["status"], "playing", "four plies")
        browser.send(frame("quit"))
        while (message := browser.message()) is not None and message["type"] != "bye":
            pass
        checks.equal((message, browser.close_code()), ({"type": "bye", "reason": "quit"}, 1000), "quit")
        checks.equal(bob.wait_for("presence", name="anna")["online"], False, "anna is gone")
        with Browser(server.port) as again:
            again.upgrade()
            again.command(f"hello anna token={anna['token']}")
            checks.equal(bob.wait_for("presence", name="anna")["online"], True, "anna is back")


def legal_of(browser, ply):
    while (message := browser.message()) is not None:
        if message["type"] == "state" and message["ply"] == ply and message.get("legal"):
            return message["legal"][0]


def many_lines(checks):
    """Text of several lines is several messages; many messages at once are answered in order."""
    with start(checks) as server, Browser(server.port) as browser:
        browser.upgrade()
        browser.send(b"".join(frame(f"#{i} ping") for i in range(2000)))
        checks.equal([browser.message()["id"] for _ in range(2000)], [str(i) for i in range(2000)], "in order")
        browser.send(frame("set format=text"), frame("new clobber:5x6 white=me black=me"))
        lines = [browser.frame() for _ in range(10)]
        checks.check(all(opcode == TEXT and b"\n" not in line for opcode, line in lines), "a line each", lines)
        checks.check(any(b"a b c d e" in line or b"P p P" in line for _, line in lines), "a board", lines)


def replaced(checks):
    with start(checks) as server, Browser(server.port) as browser:
        browser.upgrade()
        token = browser.command("hello anna")["token"]
        server.connect().send(f"hello anna token={token} only=yes")
        checks.equal((browser.message(), browser.close_code()), ({"type": "bye", "reason": "replaced"}, 1000), "replaced")
        browser.send(frame("ping"), closing(1000))
        checks.check(browser.is_closed(), "closed when both have said so")


def stop(checks):
    with start(checks, "--drain", str(DRAIN_S)) as server, Browser(server.port) as browser:
        browser.upgrade()
        server.process.send_signal(signal.SIGTERM)
        checks.equal((browser.message(), browser.close_code()), ({"type": "bye", "reason": "shutdown"}, 1001), "shutdown")
        browser.send(closing(1001))
        checks.equal(server.process.wait(DRAIN_S - 5), 0, "the server waits for the close frame only")


def silence(checks):
    """A silent page is asked for a pong; one that is gone is cut off."""
    with start(checks, "--idle", "4", "--first-line", "60") as server, Browser(server.port) as here, Browser(server.port) as gone:
        for browser in (here, gone):
            browser.upgrade()
            browser.send(frame("set legal=on"))
            checks.equal(browser.message()["type"], "ok", "a first line")
        for _ in range(2):
            opcode, payload = here.frame()
            checks.equal(opcode, PING, "a ping")
            here.send(frame(payload, PONG))
        checks.equal(here.command("ping")["type"], "pong", "a page that answers stays")
        checks.equal(gone.frame()[0], PING, "the other one is asked, too")
        checks.equal((gone.message(), gone.close_code()), ({"type": "bye", "reason": "idle"}, 1000), "and cut off")
    with start(checks, "--first-line", "1") as server, Browser(server.port) as browser:
        browser.upgrade()
        checks.equal(browser.message(), {"type": "bye", "reason": "idle"}, "no first line in time")


def slow_reader(checks):
    """A page that does not read is cut off; others do not notice."""
    with start(checks, "--max-pending", "65536", "--rate", "0") as server:
        sender, slow = server.connect("anna"), Browser(server.port)
        match = sender.ask("new clobber:10x10 white=me black=me")["match"]
        move = sender.wait_for("state")["legal"][0]
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)  # what a smaller one holds back comes slowly
        slow.upgrade()
        slow.command(f"watch {match}")
        end = time.monotonic() + LIMIT_S
        while "reason=slow-reader" not in server.read_log() and time.monotonic() < end:
            sender.send(*[f"move {match} {move}", f"undo {match}"] * 100)
            sender.do("ping")
        checks.check("reason=slow-reader" in server.read_log(), "cut off")
        checks.equal(sender.ask("ping")["type"], "pong", "others go on")
        seen = None
        while (found := slow.frame()) is not None and found[1] is not None:
            seen = found
        checks.check(seen is not None and seen[0] in (TEXT, CLOSE), "every frame that came is whole", seen)
        slow.socket.close()


def join_code(checks):
    with start(checks, "--code", "secret") as server, Browser(server.port) as browser:
        checks.equal(browser.upgrade()["code"], True, "the code is needed")
        checks.equal(browser.command("who")["code"], "code-needed", "nothing without it")
        checks.equal(browser.command("hello anna code=secret")["type"], "ok", "with it")


if __name__ == "__main__":
    raise SystemExit(Checks("test_websocket").run(
        [cases, early_frames, a_match, many_lines, replaced, stop, silence, slow_reader, join_code], at_once=3))
