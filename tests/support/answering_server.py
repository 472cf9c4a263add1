"""A server that answers by itself, as the test has told it before."""
import json
import socket
import threading

from harness import LIMIT_S

OK = {"type": "ok", "token": "T", "match": "1"}
HELLO = {"type": "hello", "proto": 1, "code": False}


class AnsweringServer:
    """`answers` maps verbs to the messages after a command, the first of which is the reply; other verbs get
    OK. Messages are dictionaries, but for the reply also texts, which are sent as they are. It records all
    lines but blank ones."""

    def __init__(self, answers=None, greeting=HELLO, hangs_up=False):
        self.answers = answers or {}
        self.greeting, self.hangs_up = greeting, hangs_up
        self.heard = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.client = None
        threading.Thread(target=self.serve, daemon=True).start()

    def say(self, *messages):
        for message in messages:
            text = message if isinstance(message, str) else json.dumps(message)
            self.client.sendall(text.encode() + b"\n")

    def answer(self, line):
        number, command = line.split(" ", 1) if line.startswith("#") else ("", line)
        verb = command.split(" ")[0]
        self.heard.append(command)
        reply, *events = self.answers.get(verb, [OK])
        self.say({"cmd": verb, **reply, **({"id": number[1:]} if number else {})}, *events)

    def serve(self):
        while True:
            try:
                self.client, _ = self.listener.accept()
            except OSError:
                return
            try:
                self.client.settimeout(LIMIT_S)
                self.say(self.greeting)
                if self.hangs_up:
                    self.hang_up()
                for line in self.client.makefile("r"):
                    if line != "\n":
                        self.answer(line.rstrip("\n"))
            except OSError:
                pass

    def hang_up(self):
        self.client.shutdown(socket.SHUT_RDWR)

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)  # ends accept() in its thread
        except OSError:
            pass
        self.listener.close()
        if self.client is not None:
            self.client.close()


def showing(*messages, **answers):
    """Returns a server whose match begins with these messages."""
    return AnsweringServer({"new": [OK, *messages], "watch": [OK, *messages], **answers})


def state(**changes):
    players = {color: {"name": name, "bot": False, "rating": 1500, "online": True, "seated": True}
               for color, name in (("white", "tester"), ("black", "bob"))}
    return {"type": "state", "match": "1", "game": "clobber", "variant": "2x2",
            "status": "playing", "you": "white", "ply": 0, "turn": "white",
            "position": "Pp/pP w", "board": ["Pp", "pP"], "last": None, "players": players,
            "clock": None, "offers": [], "result": "*", "reason": None, **changes}
