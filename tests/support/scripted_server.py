"""A scripted server: the test says each line of it, and reads what the program under test answers."""
import json
import re
import socket

from harness import LIMIT_S, forget_tokens


class ScriptedServer:
    """A server that takes one connection at a time."""

    def __init__(self):
        forget_tokens()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(LIMIT_S)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.peer = None

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.hang_up()
        self.listener.close()

    def take(self):
        """Takes the next connection, whatever it says."""
        self.peer = self.listener.accept()[0]
        self.peer.settimeout(LIMIT_S)
        self.lines = self.peer.makefile("r")

    def accept(self, greeting=True):
        """Takes the next connection, and greets it unless told not to."""
        self.take()
        assert self.hear() == ""  # asks for the greeting
        if greeting:
            self.say({"type": "hello", "proto": 1, "server": "script", "games": [], "code": False, "name": "guest-1"})

    def say(self, *messages):
        """Sends messages, at once."""
        self.peer.sendall("".join(json.dumps(message) + "\n" for message in messages).encode())

    def hear(self):
        """Returns the next line; "" at the end, too. What is thought of a move is kept apart."""
        line = self.lines.readline().rstrip("\n")
        self.thought = re.findall(r" (eval|pv)=(\S+)", line) if " move " in line else []
        return re.sub(r" (eval|pv)=\S+", "", line) if self.thought else line

    def hang_up(self):
        if self.peer is not None:
            self.lines.close()
            self.peer.close()
            self.peer = None
