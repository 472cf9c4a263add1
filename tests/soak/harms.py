"""What strangers once harmed others with. Each function gets an Attacker, goes on without end, and yields after each
round; OSError means that the server has disconnected it.
"""
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tcp"))
from test_tls import RawTls

GUESTS, WATCHED, ASKERS = 10, 5, 20
WHILE_S = 1


def key_updates(attacker):
    if attacker.target.tls_port is None:
        return
    peer = RawTls(attacker.target.tls_port, address=attacker.address)
    while True:
        peer.update_keys(500)
        peer.flush()
        yield


def watched_chat(attacker):
    """Guests watch matches of a player and talk."""
    peers = [attacker.enter() for _ in range(GUESTS)]
    victim = attacker.target.people[0]
    for peer in peers:
        rows = [row for row in peer.ask("list")["matches"] if victim in (row["white"], row["black"])]
        for row in rows[:WATCHED]:
            peer.ask(f"watch {row['match']}")
    while True:
        for peer in peers:
            peer.send(*["say " + "blah " * 90] * 20)
        for peer in peers:
            peer.ask("ping")
        yield


def challenges(attacker):
    """Challenges a player again and again, and takes it back."""
    peer = attacker.enter()
    while True:
        peer.send(*[f"new clobber black={attacker.target.people[0]}"] * 100)
        for row in peer.ask("list").get("matches", []):
            peer.send(f"abort {row['match']}")
        peer.ask("ping")
        yield


def records(attacker):
    """Asks for a long match again and again, on twenty connections."""
    host = attacker.enter()
    match = host.ask("new clobber:10x10 white=me black=me")["match"]
    while moves := host.ask(f"moves {match}").get("moves"):
        host.ask(f"move {match} {moves[0]}")
    peers = [attacker.enter() for _ in range(ASKERS)]
    while True:
        for peer in peers:
            peer.send(*[f"record {match} positions=0"] * 50)
        for peer in peers:
            peer.ask("ping")
        yield


def joins(attacker):
    """Joins each match as soon as it is opened, and never moves."""
    peer = attacker.enter()
    peer.ask("watch lobby")
    while True:
        message = peer.read()
        if message["type"] == "lobby" and message["what"] == "opened":
            peer.send(f"join {message['match']}")
        yield


def fills_store(attacker):
    peer = attacker.enter()
    while True:
        for _ in range(100):
            peer.send("new clobber:2x2 white=me black=me", "resign")
        peer.ask("ping")
        yield


def opens_all(attacker):
    """Opens as many matches as it can, and comes again."""
    while True:
        peer = attacker.enter()
        peer.send(*["new clobber"] * 200)
        peer.ask("ping")
        attacker.leave()
        yield


def connects_all(attacker):
    """Keeps as many connections as it gets."""
    while True:
        peer = attacker.connect()
        peer.send("")
        if peer.read()["type"] != "hello":
            attacker.leave()
        yield


def lists(attacker):
    peer = attacker.enter()
    while True:
        peer.send(*["list", "who", "top", "history"] * 50)
        peer.ask("ping")
        yield


HARMS = (key_updates, watched_chat, challenges, records, joins, fills_store, opens_all, connects_all, lists)


def for_a_while(harm):
    """Returns an attack that goes on for a while (attacks.py)."""
    def attack(attacker):
        end = time.monotonic() + WHILE_S
        for _ in harm(attacker):
            if time.monotonic() >= end:
                return
    attack.__name__ = harm.__name__
    return attack
