"""The server over TCP: arriving lines, peers that misbehave or vanish, and shutdown.

usage: test_server.py BUILD_DIR
"""
import os
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Connection, LIMIT_S, Server, build_folder, wait_until

BUILD = build_folder()
LUDUSD = os.path.join(BUILD, "ludusd")
ANY_CHAT = ["--rate", "0", "--chat-rate", "0", "--max-chat", "1024"]


def start(checks, *options, **more):
    return Server(BUILD, "--no-bots", *options, checks=checks, **more)


def lines_in_pieces(checks):
    with start(checks, "--data", "none") as server:
        peer = server.connect()
        for byte in b"#1 ping hello\r\n":
            peer.send_bytes(bytes([byte]))
        checks.equal(peer.read(), {"type": "pong", "id": "1", "text": "hello"}, "byte by byte")
        peer.send_bytes(b"#2 ping\n#3 ping\r\n\n\r\n#4 pi")
        peer.send_bytes(b"ng\n")
        checks.equal([peer.read()["id"] for _ in range(3)], ["2", "3", "4"], "several at once")
        peer.send_bytes(b"#5 ping a\rb\n")
        checks.equal(peer.read()["code"], "bad-encoding", "a CR within a line")


def longest_line(checks, peer, most):
    for end in ("\n", "\r\n"):
        room = most - len("ping ") - len(end)
        peer.send_bytes(("ping " + "x" * room + end).encode())
        checks.equal(len(peer.read()["text"]), room, f"the longest line with {end!r}")
        peer.send_bytes(("ping " + "x" * (room + 1) + end).encode())
        error = peer.read()
        checks.equal((error["code"], error["message"]),
                     ("line-too-long", f"line too long: at most {most} bytes with its end"),
                     f"one byte more with {end!r}")


def line_length(checks):
    with start(checks, "--max-line", "200") as server:
        peer = server.connect()
        checks.equal(peer.greeting["limits"]["line"], 200, "the limit is told")
        longest_line(checks, peer, 200)
    with start(checks) as server:
        peer = server.connect()
        longest_line(checks, peer, 1024)
        peer.send_bytes(b"y" * 1023)
        peer.send_bytes(b"y")
        checks.equal(peer.read()["code"], "line-too-long", "1024 bytes without an end")
        for _ in range(100):
            peer.send_bytes(b"y" * 10000)
        peer.send_bytes(b"\n#6 ping\n")
        checks.equal(peer.read(), {"type": "pong", "id": "6"}, "one error, then the next line")


def resident_kib(server):
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def endless_line(checks):
    with start(checks) as server:
        other, flooder = server.connect(), server.connect()
        before = resident_kib(server)
        for _ in range(320):
            flooder.send_bytes(b"z" * 65536)
        checks.equal(other.ask("ping")["type"], "pong", "others are served during a flood")
        grown = resident_kib(server) - before
        checks.check(grown < 8192, "20 MiB without a line end are not kept", f"{grown} KiB more")
        flooder.send_bytes(b"\n#1 ping\n")
        checks.equal(flooder.read()["code"], "line-too-long", "the flood is one line")
        checks.equal(flooder.read()["id"], "1", "and then all is well")


def many_commands_unread(checks):
    """A peer may send any number of commands before it reads, and gets every answer in order."""
    count = 20000
    with start(checks, "--rate", "0") as server:
        peer = server.connect()
        child = os.fork()
        if child == 0:
            peer.send(*(f"#{i} ping {'x' * 80}" for i in range(count)))
            os._exit(0)
        good = all(peer.read().get("id") == str(i) for i in range(count))
        checks.check(good, "replies in order to 20000 commands")
        os.waitpid(child, 0)
        checks.equal(server.connect().ask("ping")["type"], "pong", "the server answers")


def stirred(peer):
    """Opens a match in which the peer has both seats. Returns it and two commands, each of which sends a
    state to its watchers and undoes the other."""
    match = peer.ask("new clobber:10x10 white=me black=me")["match"]
    move = peer.wait_for("state", match=match)["legal"][0]
    return match, [f"move {match} {move}", f"undo {match}"]


def slow_reader(checks):
    """A watcher that never reads is disconnected; the match and the other peers do not notice."""
    with start(checks, "--max-pending", "65536", *ANY_CHAT) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        match = anna.ask("new clobber:2x2 black=bob")["match"]
        bob.ask(f"join {match}")
        lazy = Connection(server.port, receive_buffer=4096)
        other, stir = stirred(anna)
        lazy.send(f"watch {match}", f"watch {other}")
        wait_until(lambda: any(row["watchers"] == 1 for row in anna.ask("list")["matches"]),
                   "the watcher")
        sent = 0
        while any(row["watchers"] == 1 for row in anna.ask("list")["matches"]) and sent < 40000:
            anna.send(*stir * 50)
            sent += 100
        checks.check(sent < 40000, "the slow reader is closed", f"after {sent} states")
        checks.equal(anna.ask(f"move {match} b1b2")["type"], "ok", "the match goes on")
        bob_state = bob.wait_for("state", ply=1)
        checks.equal(bob_state["last"], "b1b2", "the other player got all of it")
        kinds = set()
        while (message := lazy.read()) is not None:
            kinds.add(message.get("reason", message["type"]))
        checks.check("slow-reader" in kinds, "it is told why, behind what it had not read", kinds)


def reset_while_slow(checks):
    """Slow readers that vanish in the turn of the loop that finds them slow."""
    with start(checks, "--max-pending", "65536", *ANY_CHAT) as server:
        anna = server.connect("anna")
        match, stir = stirred(anna)

        def watchers(count):
            peers = [Connection(server.port, receive_buffer=2048) for _ in range(count)]
            for peer in peers:
                peer.send(f"watch {match}")
            wait_until(lambda: anna.ask("list")["matches"][0]["watchers"] == count, "watchers")
            return peers

        peers, lines = watchers(10), 0
        while "slow-reader" not in server.read_log() and lines < 10000:
            anna.ask(stir[lines % 2])
            lines += 1
        if lines % 2:
            anna.ask(stir[1])
        checks.check(lines < 10000, "a reader is slow after some lines", lines)
        for peer in peers:
            peer.close()
        wait_until(lambda: anna.ask("list")["matches"][0]["watchers"] == 0, "no watchers")
        # The lines over the limit and the resets arrive together while the server is stopped.
        for short in range(0, 16, 2):
            peers = watchers(10)
            for i in range((lines - short) // 2 * 2):
                anna.ask(stir[i % 2])
            server.process.send_signal(signal.SIGSTOP)
            anna.send(*stir * 8)
            for peer in peers:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
                peer.close()
            server.process.send_signal(signal.SIGCONT)
            wait_until(lambda: anna.ask("list")["matches"][0]["watchers"] == 0, "no watchers")
        checks.equal(anna.ask("ping")["type"], "pong", "the server lives")


def counted_limits(checks):
    """Limits on watched matches and on rows of a list."""
    with start(checks, "--max-matches", "300") as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        for _ in range(201):
            anna.ask("new clobber:2x2")
        listed = anna.ask("list")
        checks.equal((len(listed["matches"]), listed["total"]), (200, 201), "the newest 200 rows")
        checks.equal(listed["matches"][0]["match"], "201", "newest first")
        for number in range(1, 101):
            bob.ask(f"watch {number}")
        checks.equal(bob.ask("watch 101")["code"], "limit-reached", "100 watches are the limit")
        checks.equal(bob.ask("new clobber white=open black=open")["code"], "limit-reached",
                     "also for one's own matches")
        checks.equal(bob.ask("watch 100")["type"], "ok", "those one has count once")
        bob.ask("leave 1")
        checks.equal(bob.ask("watch 101")["type"], "ok", "one that was left makes room")


def long_welcome(checks):
    """A player that returns to many matches gets the states of the latest, beyond the output limit."""
    with start(checks, "--max-pending", "65536", "--max-matches", "300") as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        for _ in range(200):
            anna.ask("new latrunculi white=open")
        anna.close()
        for number in range(1, 201):
            bob.ask(f"join {number}")
        bob.close()
        back = server.connect()
        back.ask(f"hello bob token={bob.token}")
        seen = [back.wait_for("state")["match"] for _ in range(50)]
        checks.equal(sorted(seen, key=int), [str(number) for number in range(151, 201)], "50 states on coming back")
        checks.equal(back.ask("ping")["type"], "pong", "and the connection goes on")


def half_closed(checks):
    """After a peer shuts down its sending side, the server answers everything, then says bye."""
    with start(checks) as server:
        anna, bob = server.connect("anna"), server.connect("bob")
        match = anna.ask("new clobber:3x2")["match"]
        bob.ask(f"join {match}")
        bob.send_bytes(f"#1 state {match}\n#2 ping\n#3 pin".encode())
        bob.socket.shutdown(socket.SHUT_WR)
        checks.equal(bob.wait_for("state", id="1")["match"], match, "answered after half-closing")
        checks.equal(bob.read(), {"type": "pong", "id": "2"}, "up to the last whole line")
        checks.equal(bob.read(), {"type": "bye", "reason": "quit"}, "then bye")
        checks.equal(bob.read(), None, "and the end")
        checks.equal(anna.wait_for("presence")["online"], False, "the other is told")
        checks.equal(anna.ask(f"move {match} b1b2")["ply"], 1, "the match goes on")
        back = server.connect()
        back.ask(f"hello bob token={bob.token}")
        checks.equal(back.wait_for("state")["ply"], 1, "coming back gives the state")
        checks.equal(back.ask(f"move {match} a1a2 ply=1")["ply"], 2, "and play goes on")


def vanishing_peers(checks):
    with start(checks) as server:
        anna = server.connect("anna")
        match = anna.ask("new clobber:3x2 black=open")["match"]
        bob = server.connect("bob")
        bob.ask(f"join {match}")
        # Half a line, and a reset instead of an orderly close.
        bob.send_bytes(b"move 1 ")
        bob.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        bob.close()
        checks.equal(anna.wait_for("presence")["online"], False, "a reset connection is noticed")
        checks.equal(anna.ask(f"move {match} b1b2")["type"], "ok", "the match goes on")
        for _ in range(200):
            peer = server.connect()
            peer.send("new clobber:2x2", "watch lobby", f"watch {match}", "say hi", "pi")
            if random.random() < 0.5:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
            peer.close()
        wait_until(lambda: anna.ask("stats")["connections"] == 1, "200 peers that vanished")
        stats = anna.ask("stats")
        checks.equal((stats["matches_open"], stats["matches_playing"]), (0, 1),
                     "what the vanished guests opened is gone")


def full_house(checks):
    with start(checks, "--max-connections", "3") as server:
        peers = [server.connect() for _ in range(3)]
        late = server.connect()
        checks.equal(late.greeting["code"], "server-busy", "one connection too many is told")
        checks.equal(late.read(), {"type": "bye", "reason": "limit"}, "and closed")
        checks.equal(late.read(), None, "really closed")
        checks.equal(peers[0].ask("ping")["type"], "pong", "the others are served")
        peers.pop().close()
        wait_until(lambda: peers[0].ask("stats")["connections"] == 2, "a free place")
        checks.equal(server.connect().greeting["type"], "hello", "the place is given again")


def out_of_descriptors(checks):
    """Without free descriptors the server refuses connections, does not spin, and recovers. Matches go
    on."""
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    def ticks(server):
        with open(f"/proc/{server.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    with start(checks, preexec=few) as server:
        first, second = server.connect("anna"), server.connect("bob")
        match = first.ask("new clobber:3x3 black=bob")["match"]
        second.ask(f"join {match}")
        sockets = []
        begin = time.monotonic()
        for _ in range(60):
            peer = socket.create_connection(("127.0.0.1", server.port))
            peer.settimeout(LIMIT_S)
            sockets.append(peer)
        wait_until(lambda: "refused" in server.read_log(), "the refusal")
        checks.equal(first.ask(f"move {match} b1a1")["type"], "ok", "the match goes on")
        state = second.wait_for("state", ply=1)
        checks.equal(second.ask(f"move {match} {state['legal'][0]}")["type"], "ok", "for both")
        before = ticks(server)
        for _ in range(20):
            first.ask("ping")
        checks.check(ticks(server) - before < 50, "it does not spin", ticks(server) - before)
        wait_until(lambda: server.read_log().count("refused") >= 2, "another refusal")
        passed = time.monotonic() - begin
        checks.check(server.read_log().count("refused") <= passed + 1,
                     "one line of the log a second", server.read_log())
        for peer in sockets:
            peer.close()
        wait_until(lambda: first.ask("stats")["connections"] <= 2, "the descriptors")
        checks.equal(server.connect().greeting["type"], "hello", "new ones are let in again")


def ending(checks):
    server = Server(BUILD, "--no-bots")
    anna = server.connect("anna")
    anna.ask("new clobber")
    for number in (signal.SIGTERM, signal.SIGINT):
        server.process.send_signal(number)
        checks.equal(anna.wait_for("bye"), {"type": "bye", "reason": "shutdown"}, "bye shutdown")
        checks.equal(anna.read(), None, "the connection ends")
        checks.equal(server.process.wait(LIMIT_S), 0, f"exit code after signal {number}")
        if number == signal.SIGTERM:
            server = Server(BUILD, "--no-bots")
            anna = server.connect("anna")


def run(*words):
    return subprocess.run([LUDUSD, *words], capture_output=True, text=True, timeout=LIMIT_S)


def command_line(checks):
    for words in (["--frob"], ["word"], ["--listen"], ["--max-errors", "none"],
                  ["--max-errors", "0"], ["--code", ""], ["--config", "/nonexistent"],
                  ["--no-bots=maybe"], ["--code", "x" * 100], ["--bots", "Greedy"],
                  ["--bots", "nope"], ["--tls-port", "nope"], ["--durability", "luck"],
                  ["--bots", "random,random"], ["--listen", "nonsense"],
                  ["--listen", "127.0.0.1:99999"]):
        done = run(*words)
        checks.equal(done.returncode, 2, f"exit code of {words}")
        checks.check(done.stderr.startswith("ludusd: ") and done.stderr.count("\n") == 1,
                     f"one line of error for {words}", done.stderr)
    database = ["--database", "host=/nowhere", "--node", "1"]
    for words, what in ((["--repair"], "repair: only with check"), (["--code", "a b"], "code: cannot be typed"),
                        (["--code", "a\tb"], "code: cannot be typed"), (["--tls-cert", "c"], "tls-key is missing"),
                        (["--tls-key", "k"], "tls-cert is missing"), (["--tls-port", "7118"], "give all three"),
                        (["--node", "1"], "database is missing"), (["--advertise", "a.example:1"], "database is missing"),
                        (["--advertise", "ludus://a.example:1"], "write ADDR:PORT"),
                        (["--database", "host=/nowhere"], "node is missing"), ([*database, "--data", "x"], "excludes data"),
                        ([*database, "--durability", "power"], "excludes data and durability"),
                        ([*database, "--keep-days", "7"], "excludes keep-days"), (["--data", "none", "--keep-days", "7"], "no store"),
                        (["--database", "dbname=a password = b"], "everybody sees a password"),
                        (["--database", "postgresql://a:b@c/d"], "everybody sees a password"),
                        (["import"], "name a store to import"), (["import", "x" * 5000], "import: directory name too long"),
                        (["import", "x"], "import: database is missing"), (["backup"], "backup: file missing"),
                        (["backup", "x" * 5000], "backup: file missing, or its name too long"), (["restore"], "restore: file missing"),
                        (["--data", "none", "backup", "x"], "no store with data none"),
                        ([*database, "restore", "x"], "by pg_dump, pg_restore"), (["check", "x"], "x: unexpected argument"),
                        (["--trusted-proxy", "nowhere"], "trusted-proxy"),
                        (["--trusted-proxy=" + ",".join(["10.0.0.1"] * 99)], "at most 32 addresses")):
        done = run(*words)
        checks.check(done.returncode == 2 and what in done.stderr and done.stderr.count("\n") == 1, f"the error of {words}"[:80],
                     (done.returncode, done.stderr))
    checks.equal(run("--version").stdout.split()[0], "ludusd", "--version")
    checks.check("--listen ADDR:PORT" in run("--help").stdout, "--help")
    checks.equal(run("-h").stdout, run("--help").stdout, "-h")
    for words in (["--listen", "192.0.2.1:0", "--no-bots"],
                  ["--listen", "nowhere.invalid:0", "--no-bots"],
                  ["--bot-program", "/nonexistent"], ["--bot-program", "/"]):
        done = run("--data", "none", *words)
        checks.equal(done.returncode, 1, f"exit code of {words}")
        checks.check(done.stderr.startswith("ludusd: "), f"the error of {words}", done.stderr)
    with start(checks) as server:
        done = run("--data", "none", "--no-bots", "--listen", server.address)
        checks.equal(done.returncode, 1, "exit code for a port in use")
        checks.check("in use" in done.stderr, "the error for a port in use", done.stderr)


def configuration(checks):
    def with_file(text):
        file = tempfile.NamedTemporaryFile("w", suffix=".conf")
        file.write(text)
        file.flush()
        return file

    with with_file("# a comment\n\n  code = sesam  \nmax-errors=2\nno-bots = yes\n") as file:
        with Server(BUILD, "--config", file.name, checks=checks) as server:
            peer = server.connect()
            checks.equal(peer.greeting["code"], True, "the code of the file")
            checks.equal(peer.ask("list")["code"], "code-needed", "it is asked for")
            peer.send("fly")
            checks.equal(peer.wait_for("bye")["reason"], "too-many-errors", "its other limit")
        with Server(BUILD, "--code", "other", "--config", file.name, checks=checks) as server:
            reply = server.connect().ask("hello anna code=other")
            checks.equal(reply["type"], "ok", "the command line wins over the file")
    for text, what in (("frob = 1\n", "'frob': unknown option"), ("code\n", "name = value"),
                       ("max-errors = x\n", "a number"), ("no-bots = maybe\n", "yes or no")):
        with with_file(text) as file:
            done = run("--config", file.name)
            checks.equal(done.returncode, 2, f"exit code for {text!r}")
            checks.check(f"{file.name}:1:" in done.stderr and what in done.stderr,
                         f"the error for {text!r}", done.stderr)


def on_the_network(checks):
    process = subprocess.Popen([LUDUSD, "--listen", "127.0.0.1:0", "--data", "none", "--no-bots",
                                "--code", "sesam"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    port = int(process.stdout.readline().rsplit(":", 1)[1])
    checks.equal(process.stdout.readline(), "ludusd: join code sesam\n", "the code is printed")
    peer = Connection(port)
    checks.equal(peer.greeting["code"], True, "a code is needed")
    checks.equal(peer.ask("games")["code"], "code-needed", "nothing is told without it")
    checks.equal(peer.ask("hello anna code=sesam")["type"], "ok", "with it all is well")
    process.terminate()
    checks.equal(process.wait(LIMIT_S), 0, "exit code")

    for words, coded in ((["--lan", "--code", "sesam"], True), (["--lan", "--open"], False)):
        process = subprocess.Popen([LUDUSD, "--listen", "0.0.0.0:0", "--listen", "127.0.0.1:0",
                                    "--data", "none", "--no-bots", *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        process.stdout.readline()
        checks.equal(Connection(port).greeting["code"], coded, f"a code with {words}")
        process.terminate()
        rest = process.stdout.read().splitlines()
        checks.equal(rest[:1] == ["ludusd: join code sesam"], coded, f"printed with {words}")
        ends = {"ludusd: others join with: ludus join ": f":{port}{' --code sesam' * coded}",
                "ludusd: or in a browser: http://": f":{port}/{'#code=sesam' * coded}"}
        checks.check(all(any(line.startswith(start) and line.endswith(end)
                             for start, end in ends.items()) for line in rest[coded:]),
                     "invitations", rest)
        checks.equal(process.wait(LIMIT_S), 0, "exit code")


if __name__ == "__main__":
    sys.exit(Checks("test_server").run([
        lines_in_pieces, line_length, endless_line, many_commands_unread, slow_reader,
        reset_while_slow, counted_limits, long_welcome, half_closed, vanishing_peers, full_house, out_of_descriptors, ending, command_line, configuration,
        on_the_network]))
