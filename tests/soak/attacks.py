"""The attacks. Each one gets an Attacker, does its worst once, and keeps its connections; OSError means
that the server has disconnected it.
"""
import ssl

from harms import HARMS, for_a_while

GAMES = ("clobber:5x6", "clobber:10x10", "xadrersi:touch", "xadrersi:attack", "latrunculi", "shakti")
VERBS = ("hello", "games", "lessons", "explain", "puzzle", "analyse", "new", "list", "join", "decline", "watch", "leave", "move", "moves", "state",
         "resign", "abort", "claim", "draw", "undo", "rematch", "say", "who", "top", "history", "record",
         "set", "ping", "stats", "help")
MATCHES_OPENED = 100  # as many as the server lets one player open
PIPELINED = 10000
LISTS = 2500  # their answers exceed the kernel's buffer for a socket
CONNECTIONS = 450


def never_reads(attacker):
    """Asks for much and reads nothing."""
    peer = attacker.enter(receive_buffer=4096)
    peer.send(*["new clobber:10x10 black=open"] * 10, *["list"] * LISTS)


def sends_no_line_end(attacker):
    peer = attacker.enter()
    for _ in range(40):
        peer.send_bytes(b"x" * 65536)


def byte_by_byte(attacker):
    peer = attacker.enter()
    for byte in b"#1 ping one byte at a time\n" * 8 + b"#1 pi":
        peer.send_bytes(bytes([byte]))


def opens_everything(attacker):
    """Opens as many matches as allowed, some against bots and people, watches everything, and ends half
    of its own matches."""
    target, rng = attacker.target, attacker.rng
    peer = attacker.enter(name=attacker.name)
    for row in peer.ask("list")["matches"]:
        if attacker.name in (row["white"], row["black"]):
            peer.send(f"resign {row['match']}", f"abort {row['match']}")
    for _ in range(MATCHES_OPENED):
        seat = rng.choice(["open"] * 8 + target.bots + target.people)
        private = rng.choice(("", " private=yes"))
        peer.ask(f"new {rng.choice(GAMES)} {rng.choice(('white', 'black'))}={seat}{private}")
    for row in peer.ask("list")["matches"]:
        peer.send(f"watch {row['match']}")
    peer.send("watch lobby")
    for row in peer.ask("list")["matches"]:
        if attacker.name in (row["white"], row["black"]) and rng.random() < 0.5:
            peer.ask(f"abort {row['match']}")


def wrong_words(attacker):
    """Sends invalid and nearly valid lines until it is disconnected."""
    rng = attacker.rng
    peer = attacker.enter()
    lines = []
    for _ in range(400):
        kind = rng.random()
        if kind < 0.3:
            lines.append(rng.randbytes(rng.randrange(200)).replace(b"\n", b" "))
        elif kind < 0.4:
            lines.append(b"y" * rng.randrange(1000, 3000))
        else:
            words = [rng.choice(VERBS)]
            for _ in range(rng.randrange(6)):
                words.append(rng.choice(("1", "-1", "99999999999999999999", "a1b1", "white=me", "clock=1+",
                                         "position=", "lobby", "K@e4", "ply=x", "name=\u2028", "#7")))
            lines.append(" ".join(words).encode())
    peer.pump(b"\n".join(lines) + b"\n", len(lines))


def pipelines(attacker):
    """Sends ten thousand commands without waiting for an answer."""
    peer = attacker.enter()
    lines = ["ping pong"] * PIPELINED
    for i in range(0, PIPELINED, 100):
        lines[i] = attacker.rng.choice(("list", "who", "games", "top", "stats", "history"))
    peer.pump(("\n".join(lines) + "\n").encode(), PIPELINED)


def watches(attacker):
    """Watches all matches with many connections, half of which never read."""
    for i in range(20):
        peer = attacker.enter(receive_buffer=4096 if i % 2 else None)
        if i == 0:
            matches = [row["match"] for row in peer.ask("list").get("matches", [])]
        peer.send("watch lobby", *[f"watch {match}" for match in attacker.rng.sample(
            matches, min(50, len(matches)))])
    for peer in attacker.peers[::2]:
        peer.drop_all(0.05)
        peer.send("leave lobby", *[f"leave {match}" for match in matches[:20]])


def joins_and_leaves(attacker):
    """Opens matches, joins them, plays a move or two, and disconnects."""
    for _ in range(5):
        host, guest = attacker.enter(crowd="host"), attacker.enter(crowd="guest")
        game = attacker.rng.choice(GAMES)
        match = host.ask(f"new {game} black=open clock=1+0")["match"]
        guest.ask(f"join {match}")
        for peer in (host, guest)[:attacker.rng.randrange(3)]:
            peer.send(f"moves {match}", f"move {match} a1b1", f"draw {match}", f"say {match} hello")
            legal = peer.ask(f"moves {match}").get("moves", [])
            if legal:
                peer.send(f"move {match} {attacker.rng.choice(legal)}")
        if attacker.target.code:  # otherwise the match ends with its guests
            host.ask(f"resign {match}")
        attacker.leave()


def takes_names(attacker):
    """Takes a new name with each connection."""
    for _ in range(40):
        peer = attacker.connect()
        peer.send(attacker.hello(f"x{attacker.rng.getrandbits(48):x}"), "who", "quit")
        attacker.leave()


def wrong_codes(attacker):
    """Guesses join codes, and tokens of people who are online."""
    target, rng = attacker.target, attacker.rng
    for _ in range(5):
        peer = attacker.connect()
        for _ in range(5):
            peer.send(f"hello y{rng.getrandbits(32):x} code={rng.getrandbits(40):x}", "list")
        for name in target.people:
            peer.send(f"hello {name} token={rng.getrandbits(128):032x}")
        peer.ask("ping")


def chats(attacker):
    """Sends long chat lines wherever possible."""
    peer = attacker.enter()
    for row in peer.ask("list")["matches"][:20]:
        peer.send(f"watch {row['match']}", f"say {row['match']} {'blah ' * 90}")
    peer.send(*["say " + "blah " * 90] * 50)
    peer.drop_all(0.05)


def half_a_handshake(attacker):
    """TLS: garbage, part of a handshake, a complete one followed by silence, and a reset."""
    if attacker.target.tls_port is None:
        return
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(incoming, outgoing).do_handshake()
    except ssl.SSLWantReadError:
        pass
    greeting = outgoing.read()
    for part in (greeting[:20], greeting, attacker.rng.randbytes(100), b""):
        attacker.connect(port=attacker.target.tls_port).send_bytes(part)
    peer = attacker.connect(port=attacker.target.tls_port)
    secure = context.wrap_socket(peer.socket, do_handshake_on_connect=False)
    peer.socket = secure
    secure.do_handshake()
    secure.sendall((attacker.hello("tls") + "\n" + "list\n" * 50).encode())


def resets(attacker):
    """Connects, asks, and resets the connection before the answer arrives."""
    for _ in range(30):
        peer = attacker.enter()
        peer.send("list", "who", f"new {attacker.rng.choice(GAMES)} black=open")
        peer.reset()
        attacker.peers.remove(peer)


def connects(attacker):
    """Opens as many connections as possible, from several addresses if it roams."""
    for i in range(CONNECTIONS):
        if i % 90 == 0 and attacker.roams:
            attacker.address = f"127.2.{attacker.rng.randrange(256)}.{attacker.rng.randrange(1, 255)}"
        attacker.connect()


def posts(attacker):
    """Sends commands in requests of HTTP, as a page elsewhere makes a browser do."""
    for head in ("POST / HTTP/1.1", "GET / HTTP/1.1", "OPTIONS * HTTP/1.1"):
        peer = attacker.connect()
        peer.send_bytes(f"{head}\r\nHost: 127.0.0.1\r\nOrigin: http://elsewhere\r\nContent-Length: 29\r\n\r\n"
                        "hello posted\nnew clobber\nquit\n".encode())
        peer.drop_all(0.05)


ATTACKS = (never_reads, sends_no_line_end, byte_by_byte, opens_everything, wrong_words, pipelines,
           watches, joins_and_leaves, takes_names, wrong_codes, chats, half_a_handshake, resets,
           connects, posts, *map(for_a_while, HARMS))
