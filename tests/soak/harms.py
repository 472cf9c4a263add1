"""What strangers once harmed others with. Each function gets an Attacker, goes on without end, and yields after each
round; OSError means that the server has disconnected it.
"""
import itertools
import sys
import time

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../tcp")
from browser import frame, handshake
from test_tls import RawTls

GUESTS, WATCHED, ASKERS = 10, 5, 20
WHILE_S = 1
PING = 9  # opcode of a WebSocket


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
        for row in peer.ask("list mine").get("matches", []):
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


def undoes(attacker):
    """Plays both sides, and takes moves back, in a match that is not short."""
    peer = attacker.enter()
    match = peer.ask("new clobber:10x10 white=me black=me")["match"]
    for _ in range(30):
        peer.ask(f"move {match} {peer.ask(f'moves {match}')['moves'][0]}")
    move = peer.ask(f"moves {match}")["moves"][0]
    while True:
        peer.send(*[f"move {match} {move}", f"undo {match}"] * 50)
        peer.ask("ping")
        yield


def pings(attacker):
    """WebSocket pings, which no line counts."""
    peer = attacker.connect()
    peer.send_bytes(handshake())
    while True:
        peer.send_bytes(frame(b"x" * 100, PING) * 500)
        peer.drop_all(0.01)
        yield


def all_tournaments(attacker):
    """Opens tournaments under as many names as it gets, and keeps them."""
    for number in itertools.count():
        peer = attacker.enter(name=f"{attacker.name}-{number}")
        for _ in range(10):
            peer.ask("tournament new T clobber:2x2 format=swiss start=2592000")
        peer.close()
        attacker.peers.clear()
        yield


def pauses(attacker):
    """Pauses a tournament and lets it go on, again and again."""
    peer, other = (attacker.enter(name=f"{attacker.name}-{word}") for word in ("one", "two"))
    tournament = peer.ask("tournament new T clobber:2x2 format=arena")["tournament"]
    for each in (peer, other):
        each.ask(f"tournament join {tournament}")
    peer.ask(f"tournament start {tournament}")
    while True:
        peer.send(*[f"tournament pause {tournament}", f"tournament resume {tournament}"] * 50)
        peer.ask("ping")
        yield


def links(attacker):
    """Asks for pages and pictures of matches that are held, stored, long, and not there."""
    match = attacker.enter().ask("new clobber:10x10 white=me black=me")["match"]
    paths = itertools.cycle((f"{match}.png", f"{match}.svg", match, "5.png", "5.svg?ply=5000", "99999999.png"))
    while True:
        peer = attacker.connect()
        peer.send_bytes(b"".join(b"GET /m/%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % next(paths).encode() for _ in range(20)))
        peer.drop_all(0.1)
        peer.close()
        attacker.peers.remove(peer)
        yield


def analyses(attacker):
    """Asks for more analyses than there may be at a time, and leaves before they are done."""
    while True:
        for game in ("clobber:10x10", "latrunculi", "shakti", "xadrersi:touch", "xadrersi:attack") * 4:
            attacker.enter().send(f"analyse {game}")
        time.sleep(1)
        attacker.leave()
        yield


HARMS = (key_updates, watched_chat, challenges, records, joins, fills_store, opens_all, connects_all, lists,
         undoes, pings, all_tournaments, pauses, links, analyses)

# With what is in the store of strangers.py: names that come back by tokens, of which the first has a long history,
# and the second many matches; a long match; and a series of many players.


def histories(attacker):
    """Asks for the end of a long history."""
    peer = attacker.enter()
    while True:
        peer.send(*[f"history seed-0 from={number * 1000}" for number in range(50)], "history seed-0 clobber:7x7")
        peer.ask("ping")
        yield


def long_matches(attacker):
    """Asks for a review, and for positions, of a long match that is only in the store."""
    peers = [attacker.enter() for _ in range(ASKERS)]
    while True:
        for peer in peers:
            peer.send(*["review 5", "record 5 positions=0", "record 5 positions=9000"] * 20)
        for peer in peers:
            peer.ask("ping")
        yield


def empty_lists(attacker):
    """Lists that fit nothing, among many matches."""
    peer = attacker.enter()
    while True:
        peer.send(*["list clobber bot=yes status=open", "list xadrersi:attack", "list from=100000", "list mine bot=yes"] * 50)
        peer.ask("ping")
        yield


def comes_back(attacker):
    """Comes back to a name with many matches, and reads all that comes."""
    while True:
        peer = attacker.enter(name="seed-1")
        peer.ask("ping")
        attacker.leave()
        yield


def swiss(attacker):
    """Has as many names as there are take part in a Swiss, starts and aborts it."""
    director = attacker.enter(name="seed-0")
    for number in itertools.count():
        tournament = director.ask(f"tournament new S{number} clobber:2x2 format=swiss")["tournament"]
        for name in attacker.target.tokens:
            peer = attacker.enter(name=name)
            peer.ask(f"tournament join {tournament}")
            peer.close()
            attacker.peers.remove(peer)
        director.ask(f"tournament start {tournament}")
        time.sleep(1)
        director.ask(f"tournament abort {tournament}")
        yield


def series(attacker):
    """Asks for the standings of a series with many players, from many places on, on twenty connections."""
    peers = [attacker.enter() for _ in range(ASKERS)]
    while True:
        for peer in peers:
            peer.send(*[f"tournament series seeds players={first}" for first in range(1, 20000, 1000)])
        for peer in peers:
            peer.ask("ping")
        yield


STORE_HARMS = (histories, long_matches, empty_lists, comes_back, swiss, series)


def for_a_while(harm):
    """Returns an attack that goes on for a while (attacks.py)."""
    def attack(attacker):
        end = time.monotonic() + WHILE_S
        for _ in harm(attacker):
            if time.monotonic() >= end:
                return
    attack.__name__ = harm.__name__
    return attack
