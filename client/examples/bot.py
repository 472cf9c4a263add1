#!/usr/bin/env python3
"""A bot for a Ludus server: it plays random legal moves in one match.

usage: bot.py HOST:PORT [MATCH]     joins MATCH, or else challenges bot:random at Clobber
"""
import json
import random
import socket
import sys
import time

if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
host, _, port = sys.argv[1].rpartition(":")
server = socket.create_connection((host.strip("[]") or "localhost", int(port)))
lines = server.makefile("r", encoding="utf-8")


def send(line):
    server.sendall((line + "\n").encode())


send(f"hello python-{random.randrange(1000000)} bot=yes")
send(f"join {sys.argv[2]}" if len(sys.argv) == 3 else "new clobber black=bot:random")

for line in lines:
    message = json.loads(line)
    if message["type"] == "ping":  # the server wonders whether we are still there
        send("ping")
    elif message.get("cmd") == "move" and message.get("code") in ("rate-limited", "internal"):
        time.sleep(message.get("retry_ms", 1000) / 1000)
        send(move)  # it is our turn as before, so no state comes
    elif message["type"] == "error" and message["code"] != "stale-ply":
        sys.exit(f"bot.py: {message['message']}")
    elif message["type"] == "state" and message["status"] == "over":
        print(f"match {message['match']}: {message['result']} {message['reason']}, "
              f"we were {message['you']}")
        sys.exit(0)
    elif message["type"] == "state" and message.get("legal"):  # it is our turn
        choice = random.choice(message["legal"])
        move = f"move {message['match']} {choice} ply={message['ply']}"
        send(move)
sys.exit("bot.py: the server has closed the connection")
