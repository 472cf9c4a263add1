#!/usr/bin/env python3
"""A bot for a Ludus server, to copy: replace choose().

usage: player.py NAME [HOST:PORT] [seek=GAME[:VARIANT]] [clock=BASE+INC] [tournament=ID]
It accepts challenges, or looks for opponents with seek= or tournament=, and plays many matches at once. It
comes back after a lost connection, with the token that it keeps in the file NAME.token. Ctrl-C ends it.
"""
import contextlib
import json
import pathlib
import random
import socket
import sys
import threading
import time

GAMES, MATCHES_MAX = {"clobber", "xadrersi", "latrunculi", "shakti"}, 8


def choose(state):
    """Returns a move: it is our turn. protocol.md describes `state`; with a clock,
    state["clock"][state["turn"] + "_ms"] are left. It must not take more than 20 s, or the server misses us."""
    return random.choice(state["legal"])


class Player:
    def __init__(self, name, address="localhost:7117", **wishes):
        self.name, self.wishes, self.file, self.welcome = name, wishes, pathlib.Path(name + ".token"), False
        host, _, port = address.rpartition(":")
        port.isdigit() or sys.exit(f"player.py: {address}: write HOST:PORT")
        self.address = (host.strip("[]") or "localhost", int(port))

    def send(self, line):
        with contextlib.suppress(OSError):  # play(), which reads, notices a lost connection
            self.server.sendall((line + "\n").encode())

    def send_later(self, seconds, line):  # in a thread that Ctrl-C does not wait for
        threading.Thread(target=lambda: (time.sleep(seconds), self.send(line)), daemon=True).start()

    def hello(self):
        token = f" token={self.file.read_text().strip()}" if self.file.exists() else ""
        self.send(f"hello {self.name} bot=yes only=yes client=player.py max={MATCHES_MAX}{token}")

    def play(self):
        self.matches, self.moves = set(), {}
        with socket.create_connection(self.address, 90) as self.server:  # it is never silent for 90 s
            self.hello()
            for message in map(json.loads, self.server.makefile("r", encoding="utf-8")):
                getattr(self, "on_" + message["type"], lambda message: None)(message)

    def on_ok(self, message):
        if message["cmd"] != "hello":
            return
        self.file.touch(0o600)
        self.file.write_text(message["token"])
        self.welcome = True
        print(f"{self.name} plays at {self.address[0]}:{self.address[1]}", flush=True)
        "matches" in message and self.send("#50 list mine from=50")  # more than the 50 that come by themselves
        if "seek" in self.wishes:
            clock = "clock=" + self.wishes["clock"] if "clock" in self.wishes else ""
            self.send(f"seek {self.wishes['seek']} {clock} repeat=yes")
        if "tournament" in self.wishes:
            self.send(f"tournament join {self.wishes['tournament']}")

    def on_error(self, message):
        cmd, passes = message.get("cmd"), message["code"] in ("rate-limited", "server-busy", "internal")
        if cmd == "move" and passes:  # nothing has changed, so no state comes
            self.send_later(message.get("retry_ms", 1000) / 1000, self.moves[message["id"]])
        elif cmd == "hello" and message["code"] in ("name-taken", "bad-token") and self.file.exists():
            self.file.unlink()  # the server does not know us any more
            self.hello()
        elif cmd == "hello":
            raise ConnectionError(message["message"]) if passes else SystemExit(f"player.py: {message['message']}")
        elif cmd in ("seek", "tournament"):
            print(f"{cmd}: {message['message']}", flush=True)

    def on_state(self, state):
        match = state["match"]
        if state["status"] == "over" and match in self.matches:
            self.matches.remove(match)
            print(f"match {match}: {state['result']} {state['reason']}, we were {state['you']}", flush=True)
        elif state["status"] != "over" and state["you"]:
            for offer in state["offers"] if match not in self.matches else []:  # made while we were away
                self.on_offer({**offer, "match": match, "open": True})
            self.matches.add(match)
            if state.get("legal"):
                self.moves[match] = f"#{match} move {match} {choose(state)} ply={state['ply']}"
                self.send(self.moves[match])

    def on_list(self, page):
        rows, from_row = page["matches"], int(page["id"]) + len(page["matches"])
        self.send("\n".join([f"state {row['match']}" for row in rows] + [f"#{from_row} list mine from={from_row}"] * bool(rows)))

    def on_challenge(self, challenge):
        why = "busy" if len(self.matches) >= MATCHES_MAX else "" if challenge["game"] in GAMES else "game"
        self.send(f"decline {challenge['match']} {why}" if why else f"join {challenge['match']}")

    def on_offer(self, offer):
        if offer["open"] and offer["from"] != self.name:
            agreed = offer["what"] == "undo" or offer["what"] == "rematch" and len(self.matches) < MATCHES_MAX
            self.send(f"{offer['what'] if agreed else 'decline'} {offer['match']}")

    def on_presence(self, presence):
        if presence["claim_ms"] is not None and presence["name"] != self.name:  # the opponent has gone
            self.send_later(presence["claim_ms"] / 1000 + 0.1, f"claim {presence['match']}")

    def on_ping(self, message):
        self.send("ping")

    def on_bye(self, message):
        message["reason"] in ("replaced", "too-many-errors", "limit") and sys.exit(f"player.py: the server says goodbye: {message['reason']}")


def main():
    words = [word.split("=", 1) for word in sys.argv[1:]]
    player = Player(*[word[0] for word in words if len(word) == 1], **dict(word for word in words if len(word) == 2))
    pause_s, lost = 0.1, time.monotonic()
    while time.monotonic() < lost + 300:
        try:
            player.play()
        except OSError as error:
            print(f"{error}: trying again", flush=True)
        if player.welcome:
            pause_s, lost, player.welcome = 0.1, time.monotonic(), False
        time.sleep(pause_s := min(2 * pause_s, 5))
    sys.exit("player.py: no server")


with contextlib.suppress(KeyboardInterrupt):
    main() if len(sys.argv) > 1 else sys.exit(__doc__)
