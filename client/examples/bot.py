#!/usr/bin/env python3
"""A bot for a Ludus server: it plays random legal moves in one match.

usage: bot.py HOST:PORT [MATCH]     joins MATCH, or else challenges bot:random at Clobber
"""
import json
import random
import socket
import sys

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
    elif message["type"] == "error" and message["code"] != "stale-ply":
        sys.exit(f"bot.py: {message['message']}")
    elif message["type"] == "state" and message["status"] == "over":
        print(f"match {message['match']}: {message['result']} {message['reason']}, "
              f"we were {message['you']}")
        sys.exit(0)
    elif message["type"] == "state" and message.get("legal"):  # it is our turn
        move = random.choice(message["legal"])
        send(f"move {message['match']} {move} ply={message['ply']}")
sys.exit("bot.py: the server has closed the connection")
