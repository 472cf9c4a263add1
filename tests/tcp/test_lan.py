"""Finding servers on the network: the beacon, `ludus host` and `ludus join`, between two network
namespaces. Without root it tests only what loopback can show.

usage: test_lan.py BUILD_DIR
"""
import functools
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from full_screen import FullScreen
from harness import Checks, LIMIT_S, build_folder, wait_until
from network import GROUP, PORT, Network, asker, question, why_not
from terminal import Home, Terminal

BUILD = build_folder()
LUDUSD, LUDUS = os.path.join(BUILD, "ludusd"), os.path.join(BUILD, "ludus")
SILENCE_S = 0.3  # how long to listen for an answer that must not come


class LanServer:
    """ludusd on a machine of the network, or on this one (None)."""

    def __init__(self, machine, *options):
        command = [LUDUSD, "--data", "none", "--no-bots", *options]
        self.log = os.path.join(FOLDER, f"server{len(os.listdir(FOLDER))}.log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                machine.command(*command) if machine else command, stdout=subprocess.PIPE,
                stderr=log, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.address = f"127.0.0.1:{self.port}"
        wait_until(lambda: "event=fence" in self.read_log(), "the server is ready")

    def read_log(self):
        with open(self.log) as file:
            return file.read()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        self.process.wait(LIMIT_S)
        self.process.stdout.close()


class At(Terminal):
    """The client on a machine of the network."""

    words = staticmethod(lambda arguments: [*arguments, "--line"])
    command = staticmethod(lambda machine, words: machine.command(LUDUS, *words))

    def __init__(self, machine, *words, home, **more):
        super().__init__(machine, *words, home=home, **more)
        CLIENTS.append(self)


class FullAt(FullScreen):
    """The client in full screen on a machine of the network."""

    command = staticmethod(At.command)

    def __init__(self, machine, *words, home, **more):
        super().__init__(machine, *words, home=home, **more)
        CLIENTS.append(self)


def is_silent(asking):
    return not select.select([asking], [], [], SILENCE_S)[0]


def ask(asking, data=None):
    asking.sendto(question() if data is None else data, (GROUP, PORT))


def ask_until_answered(asking):
    """Repeats the question, because of many at once one may be lost or stay unanswered."""
    for _ in range(LIMIT_S):
        ask(asking)
        if select.select([asking], [], [], 1)[0]:
            return asking.recvfrom(2048)
    raise RuntimeError("no answer")


def drain(asking):
    answers = []
    while not is_silent(asking):
        answers.append(asking.recv(2048))
    return answers


def check_answer(checks, answer, source, address, port):
    checks.equal(source, (address, PORT), "where the answer comes from")
    checks.check(len(answer) <= len(question()), "it is no longer than the question", len(answer))
    checks.check(re.fullmatch(rb"ludus-here 1 nonce=ab12 id=[0-9a-f]{32} port=%d tls=0 code=yes "
                              rb"version=\S+ name=\S+ games=clobber,\S+\n" % port, answer),
                 "the answer", answer)


def on_loopback(checks):
    with asker("lo", "127.0.0.1") as asking:
        with LanServer(None, "--listen", "0.0.0.0:0", "--lan") as server:
            check_answer(checks, *ask_until_answered(asking), "127.0.0.1", server.port)
        drain(asking)
        with LanServer(None, "--listen", "0.0.0.0:0", "--code", "x"):
            ask(asking)
            checks.check(is_silent(asking), "without --lan nothing is answered")
        with LanServer(None, "--listen", "127.0.0.1:0", "--lan") as server:
            checks.check("event=not-announced" in server.read_log(), "loopback is not announced")
            ask(asking)
            checks.check(is_silent(asking), "nor answered for")


def answers(checks):
    with NET.b.asker() as asking:
        with LanServer(NET.a, "--lan") as server:
            check_answer(checks, *ask_until_answered(asking), NET.a.address, server.port)
        with LanServer(NET.a, "--lan", "--listen", "127.0.0.1:0", "--listen",
                       f"{NET.a.address}:0"):
            with NET.a.asker() as own:
                answer, source = ask_until_answered(own)
                checks.equal(source, (NET.a.address, PORT), "one address only: it is answered for")
        with LanServer(NET.a, "--code", "x", "--listen", "0.0.0.0:0"):
            drain(asking)
            ask(asking)
            checks.check(is_silent(asking), "without --lan nothing is answered")


def bad_questions(checks):
    """Invalid questions, and those too short for an answer, get none."""
    rows = [b"", b"\n", question(size=30), question(size=120), question(size=513),
            question(size=1400), b"\0" * 400, os.urandom(400), question().replace(b"1", b"2", 1),
            question()[:-1] + b"\0", b"ludus-here" + question()[10:], b"hello anna\n",
            question("a" * 33), question("a;b")]
    with LanServer(NET.a, "--lan"), NET.b.asker() as asking:
        for row in rows:
            ask(asking, row)
        asking.sendto(question(), (NET.a.address, PORT))
        checks.check(is_silent(asking), "bad questions, and one to the machine alone")
        ask(asking)
        checks.equal(asking.recv(2048).split()[:3], [b"ludus-here", b"1", b"nonce=ab12"],
                     "the server still answers")


def flood(checks):
    with LanServer(NET.a, "--lan") as server, NET.b.asker() as asking:
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        began = time.monotonic()
        for i in range(20000):
            ask(asking, question() if i % 3 else b"x" * 400)
        with NET.b.inside():
            peer = socket.create_connection((NET.a.address, server.port), LIMIT_S)
        checks.check(b'"type":"hello"' in peer.recv(4096), "who comes meanwhile is greeted")
        peer.close()
        got = len(drain(asking))
        most = 6 + 2 * (time.monotonic() - began) + 1
        checks.check(1 <= got <= most, "few of 20000 questions are answered", (got, most))


def foreign_addresses(checks):
    """Peers on none of the server's networks get no answer, whatever the routes."""
    NET.b.ip("addr", "add", "192.0.2.9/32", "dev", NET.b.interface)
    NET.b.ip("addr", "add", "10.77.0.9/32", "dev", NET.b.interface)
    NET.a.ip("route", "add", "192.0.2.0/24", "dev", NET.a.interface)
    with LanServer(NET.a, "--lan"), NET.b.asker("192.0.2.9") as far, NET.b.asker("10.77.0.9") as near:
        ask(far)
        checks.check(is_silent(far), "a foreign address")
        ask(near)
        checks.check(near.recv(2048).startswith(b"ludus-here"), "a neighbour")


def begin_join(machine, *words):
    return subprocess.Popen(machine.command(LUDUS, "join", *words), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def join(machine, *words):
    process = begin_join(machine, *words)
    output, errors = process.communicate(timeout=LIMIT_S)
    return subprocess.CompletedProcess(words, process.returncode, output, errors)


def nobody(checks):
    """Runs beside the cases without a server on the network."""
    searching = begin_join(NET.b)
    on_loopback(checks)
    host_usage(checks)
    output, errors = searching.communicate(timeout=LIMIT_S)
    checks.equal((searching.returncode, output), (1, ""), "nothing there")
    checks.check("no server was found" in errors and "ludus host" in errors, "the hint", errors)


def join_lists(checks):
    with LanServer(NET.a, "--lan"), \
         LanServer(NET.a, "--lan", "--open", "--listen", "0.0.0.0:0") as other:
        done = join(NET.b)
        lines = sorted(done.stdout.splitlines())
        checks.equal(done.returncode, 0, "found")
        checks.equal([line.split()[0] for line in lines],
                     [NET.a.address, f"{NET.a.address}:{other.port}"], "two servers, two lines")
        checks.equal(["with a join code" in line for line in lines], [True, False], "the code")
        done = join(NET.b, NET.a.address, "--code", "wrong")
        checks.equal((done.returncode, done.stdout, done.stderr),
                     (1, "", f"ludus: {NET.a.address}: wrong join code\n"), "a wrong code")
    for words, what in ((["--tls"], "--tls: only with HOST"), (["x", "y"], "join: unexpected argument 'y'"),
                        (["--code"], "--code: value missing"),
                        (["--frob"], "--frob: unknown option")):
        done = join(NET.b, *words)
        checks.equal(done.returncode, 2, f"exit status with {words}")
        checks.check(what in done.stderr, f"what is wrong with {words}", done.stderr)


class ScriptAt(At):
    """A subcommand at a terminal on a machine of the network."""
    words = staticmethod(list)


class ServerAt(At):
    """ludusd at a terminal on a machine of the network."""
    words = staticmethod(list)
    command = staticmethod(lambda machine, words: machine.command(LUDUSD, "--data", "none", "--no-bots", *words))


def server_at_a_terminal(checks):
    """It shows the page's address as a QR code, where the terminal can."""
    home = Home()
    for words, environment, shown in (((), {}, "blocks"), ((), {"LC_ALL": "C"}, "colours"), (("--no-qr",), {}, "none"),
                                      ((), {"TERM": "dumb"}, "none"), (("--listen", "127.0.0.1:0"), {}, "none")):
        server = ServerAt(NET.a, "--lan", *words, home=home, **environment).expect("listening on ").expect("event=fence")
        server.signal(signal.SIGTERM).end()
        found = "blocks" if "█▀▀▀▀▀█" in server.screen else "colours" if server.raw.count(b"\x1b[") > 1000 else "none"
        checks.equal(found, shown, f"{words} {environment}: {server.screen[-500:]}")
    home.remove()


def device(checks):
    """`ludus device` beside the server gives the address in the network, with the join code, and a QR code of the page."""
    anna, bob = Home(), Home()
    with LanServer(NET.a, "--lan", "--code", "a%b") as server:
        shown = ScriptAt(NET.a, "device", "--connect", server.address, "--name", "anna", "--code", "a%b", home=anna)
        screen = shown.end().screen
        checks.check("scan this:" in screen and "█▀▀▀▀▀█" in screen, "the QR code", screen)
        found = re.search(rf"http://10\.77\.0\.1:{server.port}/#/device/anna/(\S+)&code=a%25b\n", screen)
        checks.check(found, "the page", screen)
        command = re.search(r"in a terminal:\n  ludus (.*)\n", screen).group(1)
        checks.equal(command, f"--connect 10.77.0.1:{server.port} --code a%b --name anna --device {found.group(1)}", "line")
        phone = At(NET.b, *command.split(), home=bob).expect("Playing as anna on 10.77.0.1").expect("> ")
        phone.line("quit").end()
        plain = ScriptAt(NET.a, "device", "--connect", server.address, "--name", "anna", "--code", "a%b", home=anna,
                         NO_COLOR="1")
        checks.check("scan" not in plain.end().screen, "no colours, no QR code", plain.screen)
    for home in (anna, bob):
        home.remove()


def with_tls(checks):
    """A client that finds a server with TLS uses TLS."""
    cert, key = os.path.join(FOLDER, "cert.pem"), os.path.join(FOLDER, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=ludus",
                    "-keyout", key, "-out", cert], check=True, capture_output=True)
    bob = Home()
    with LanServer(NET.a, "--lan", "--open", "--tls-cert", cert, "--tls-key", key):
        join = At(NET.b, "join", home=bob)
        join.expect("Looking for servers").expect("tls://10.77.0.1  ")
        join.expect("Playing as ").expect(" on tls://10.77.0.1").expect("No match is open there")
        join.line("quit").end()
        checks.check(os.path.exists(bob.file("known_hosts")), "its key is remembered")
    bob.remove()


def too_early(checks):
    """Without an open match the client says so, in full screen, too."""
    bob = Home()
    with LanServer(NET.a, "--lan", "--open"):
        join = FullAt(NET.b, "join", home=bob).expect("No match is open there").expect("Play a bot")
        join.pick("Quit").end()
    checks.check(True, "who comes too early is told so")
    bob.remove()


def server_of(host):
    """Returns the process id of the server that `ludus host` has started, or None."""
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{entry}/cmdline") as file:
                if parent == host and "ludusd" in file.read().split("\0")[0]:
                    return int(entry)
        except (OSError, IndexError, ValueError):
            continue
    return None


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def evening(checks):
    """One friend hosts, the other one finds the server, and they play."""
    anna, bob = Home(), Home()
    host = At(NET.a, "host", "clobber:3x2", home=anna)
    host.expect("Match 1 is open. Your friend types").expect("  ludus join ")
    line = re.search(r"ludus join 10\.77\.0\.1 --code ([a-z2-9]{8})\n", host.screen)
    checks.check(line, "the line to type", host.screen)
    page = f"http://10.77.0.1:7117/#code={line.group(1)}"
    checks.check(f"Or they open this in a browser: {page}\n" in host.screen, "the page", host.screen)
    host.expect("waiting for the players\n> ").type("\x03").expect("(Ctrl-C again")  # the server must not get the signal
    join = At(NET.b, "join", home=bob)
    join.answer(("Join code: ", "wrong"), ("Join code: ", line.group(1)))
    host.answer(("your move\n> ", "b1a1"))
    join.expect("black to move: your move")
    server = server_of(host.process.pid)
    checks.check(server is not None, "the server of the host")
    join.line("quit").end()
    host.type("\x03").expect("The server ends if you quit.")
    host.expect("(Ctrl-C again, or quit, ends").line("quit")
    host.expect("Stop the server? The match is saved.").expect("(y/n) ").line("n").expect("> ").line("quit")
    host.expect("Stop the server? The match is saved.").expect("(y/n) ").line("y")
    host.expect("The server has ended.").end()
    checks.check("come back" not in host.screen, "to a server that has ended nobody comes back")
    checks.check(not runs(server), "it ends with the host")
    host = At(NET.a, "host", home=anna)
    host.expect(f"ludus join 10.77.0.1 --code {line.group(1)}\n")  # as before
    host.expect("match 1  clobber 3x2  ply 1").expect("black to move\n> ")
    server = server_of(host.process.pid)
    host.process.kill()
    wait_until(lambda: not runs(server), "the server ends with a host that was killed")
    checks.check(True, "the server ends with a host that was killed")
    host = At(NET.a, "host", "--new-code", home=anna).expect("10.77.0.1 --code ")
    checks.check(line.group(1) not in host.screen, "a new code", host.screen)
    host.answer(("> ", "quit"), ("(y/n) ", "y")).end()
    for home in (anna, bob):
        home.remove()


def is_private(server):
    """Whether a server listens on loopback only."""
    listens = []
    for name in ("tcp", "tcp6"):
        with open(f"/proc/{server}/net/{name}") as file:
            rows = [row.split() for row in file.readlines()[1:]]
        listens += [row[1].split(":")[0] for row in rows if row[3] == "0A"]
    return listens and set(listens) == {"0100007F"}


def alone(checks):
    """`ludus` alone plays at once, finds its matches again, and lets a friend in."""
    anna, bob = Home(), Home()
    full = FullAt(NET.a, home=anna).expect("on a private server that keeps your matches").expect("> Play now")
    server = server_of(full.process.pid)
    checks.check(is_private(server), "nobody else reaches the server")
    full.keys("enter").expect("Your turn (White)").expect("bot:")  # one of those that have come so far
    full.keys("f3").expect("Hint: ").keys("enter").expect("   1. ")
    os.remove(anna.file("private.server"))  # who does not find the server finds its store in use
    beside = At(NET.a, "--name", "eve", home=anna)
    beside.expect("you play on a private one, which keeps nothing").expect("> ").line("quit").end()
    checks.check("keeps" not in beside.screen[beside.found:], "nothing was lost", beside.screen)
    full.control("c").expect("Ctrl-C again").control("c").end()
    checks.check("Unfinished matches are kept for the next `ludus`." in full.plain, "the way back",
                 full.plain[-300:])
    checks.check(not runs(server), "the server ends with the program")
    full = FullAt(NET.a, home=anna).expect("> Back to match 1").keys("enter").expect("   1. ")
    full.expect("Your turn (White)").keys("invite", "enter").expect("Or they open this")
    code = re.search(r"ludus join 10\.77\.0\.1 --code (\S+)", full.screen).group(1)
    full.keys("enter").expect("   1. ")
    join = At(NET.b, "join", home=bob).answer(("Join code: ", f"http://10.77.0.1:7117/#code={code}"))
    join.expect("white (capitals): ").expect("> ").line("who").expect(anna.user)
    join.line("quit").end()
    full.control("c").expect("Ctrl-C again").control("c").end()
    checks.check("The server has ended. Unfinished matches are kept for the next `ludus`." in full.plain,
                 "the way back", full.plain[-300:])
    for home in (anna, bob):
        home.remove()


def run(home, *words):
    """Runs a subcommand on the machine of the private server."""
    return subprocess.run(NET.a.command(LUDUS, *words), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LIMIT_S, env=home.environment())


def in_the_next_pane(checks):
    """Subcommands find the private server, and another `ludus` plays there, too, and keeps it when the first one ends."""
    anna = Home()
    full = FullAt(NET.a, home=anna).expect("> Play now")
    full.keys("enter").expect("Your turn (White)")
    note = anna.file("private.server")
    with open(note) as file:
        host, server, port, code = file.read().split()
    checks.equal((host, int(server), code), (socket.gethostname(), server_of(full.process.pid), "-"), "the note")
    checks.equal(oct(os.stat(note).st_mode & 0o777), "0o600", "nobody else reads it")
    listed = run(anna, "list", "--plain")
    checks.check(listed.returncode == 0 and listed.stdout.startswith("1\t"), "the list", listed)
    move = run(anna, "moves", "1").stdout.split()[0]
    checks.equal(run(anna, "move", "1", move).returncode, 0, "a move is played")
    full.expect(f"   1. {move}")
    for words in (["--connect", "localhost"], ["--code", "x"], ["--tls"]):
        other = run(anna, "list", *words)
        checks.check(other.returncode == 1 and other.stdout == "", f"a server that is named: {words}", other)
    with open(note, "w") as file:
        file.write(f"elsewhere {server} {port} -\n")
    checks.equal(run(anna, "list").returncode, 1, "a note of another machine")
    with open(note) as file:
        checks.equal(file.read(), f"elsewhere {server} {port} -\n", "it is left alone")
    with open(note, "w") as file:
        file.write(f"{host} {server} {port} -\n")
    watched = At(NET.a, "--watch", "1", home=anna).expect("match 1  ")
    watched.line("quit").end()

    second = At(NET.a, home=anna).expect("You play on the private server of your other `ludus`.").expect("match 1  ")
    checks.check(server_of(second.process.pid) is None, "it has no server of its own")
    third = FullAt(NET.a, home=anna).expect("> Back to match 1").keys("enter").expect("   1. ")
    third.keys("invite", "enter").expect("Friends cannot join").control("c").expect("Ctrl-C again").control("c").end()
    full.control("c").expect("Ctrl-C again").control("c").end()
    second.expect("The connection is lost").expect("Connected again.").expect("match 1  ")
    own = server_of(second.process.pid)
    checks.check(own is not None and not runs(int(server)), "the second one has started it again")
    checks.equal(run(anna, "state", "1").returncode, 0, "subcommands find that one")
    os.kill(own, signal.SIGKILL)
    second.expect("The connection is lost").expect("Connected again.").expect("match 1  ")
    checks.equal(run(anna, "state", "1").returncode, 0, "and the one that follows a server that was killed")
    second.line("quit").end()
    checks.check(not os.path.exists(note), "the last one takes the note away")
    checks.equal(run(anna, "list").returncode, 1, "then no server is there")

    full = FullAt(NET.a, home=anna).expect("> Back to match 1").keys("enter").expect("   1. ")
    full.keys("invite", "enter").expect("Or they open this")
    second = At(NET.a, home=anna).expect("match 1  ")
    checks.equal(run(anna, "state", "1").returncode, 0, "open to the network it knows the player by the same token")
    second.line("quit").end()
    full.control("c").expect("Ctrl-C again").control("c").end()
    anna.remove()


def notes_that_are_not_true(checks):
    """Nobody but a ludusd of the player with that store is taken for the private server."""
    anna = Home()
    store, note = anna.file("private"), anna.file("private.server")
    os.makedirs(store)
    os.chmod(anna.path, 0o755)  # its owner is another user below
    waits = ["-c", "read until_the_end", "--config=none", "--data"]
    gone = subprocess.Popen(["true"])
    gone.wait()
    with NET.a.inside():
        stranger = socket.create_server(("127.0.0.1", 0))
    with stranger, LanServer(NET.a, "--listen", "127.0.0.1:0") as other:
        stranger.settimeout(1)
        for what, name, folder, user in (("the server", "ludusd", store, None), ("another program", "ludus", store, None),
                                         ("another store", "ludusd", FOLDER, None), ("another user's", "ludusd", store, 65534),
                                         ("none that runs", gone.pid, None, None),
                                         ("a server of another store", other.process.pid, None, None)):
            process = None
            if isinstance(name, str):
                process = subprocess.Popen([name, *waits, folder], executable="/bin/sh", user=user, stdin=subprocess.PIPE)
            with open(note, "w") as file:
                file.write(f"{socket.gethostname()} {process.pid if process else name} {stranger.getsockname()[1]} -\n")
            asking = subprocess.Popen(NET.a.command(LUDUS, "list"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, env=anna.environment())
            try:
                stranger.accept()[0].close()
                came = True
            except TimeoutError:
                came = False
            asking.communicate(timeout=LIMIT_S)
            checks.equal((came, os.path.exists(note)), (what == "the server", what == "the server"), what)
            if process:
                process.kill()
                process.communicate()
    anna.remove()


def host_beside_another(checks):
    """With the usual port and store taken, the host gets a free port and says what it keeps."""
    anna = Home()
    with open(os.path.join(FOLDER, "first"), "w") as log:
        first = subprocess.Popen(NET.a.command(LUDUSD, "--no-bots"), stdout=subprocess.PIPE,
                                 stderr=log, text=True,
                                 env={**os.environ, **anna.environment()})
    try:
        first.stdout.readline()
        host = At(NET.a, "host", "shakti", "--color", "black", "--clock", "300+5", home=anna)
        host.expect("Match 1 is open. Your friend types").expect("nothing from this evening will be kept")
        line = re.search(r"ludus (join 10\.77\.0\.1:(\d+) --code \S+)\n", host.screen)
        checks.check(line and line.group(2) != "7117", "a line with the port", host.screen)
        bob = Home()
        join = At(NET.b, *line.group(1).split(), home=bob)
        join.expect("white to move: your move").line("quit").end()
        host.expect("white to move\n").expect("> ").line("quit")  # perhaps with bob's absence in between
        host.expect("The match is lost then.").expect("(y/n) ").line("y")
        host.expect("The server has ended. Nothing from this evening is kept.").end()
        full = FullAt(NET.a, "host", "shakti", home=anna).expect("Your store is in use by")
        full.expect("█▀▀▀▀▀█")  # a corner of the QR code
        full.control("c").expect("Ctrl-C again").control("c").end()
        full = FullAt(NET.a, "host", "shakti", "--no-qr", home=anna)
        full.expect("Your store is in use by").expect("In a terminal: ludus join")
        checks.check("█▀▀▀▀▀█" not in full.screen, "no QR code", full.screen)
        full.control("c").expect("Ctrl-C again").control("c").end()
        first.terminate()
        checks.equal(first.wait(LIMIT_S), 0, "the other server is as it was")
    finally:
        first.kill()
        first.stdout.close()
    for home in (anna, bob):
        home.remove()


def host_usage(checks):
    for words, what in ((["chess"], "chess"), (["clobber:99x99"], "99x99"),
                        (["clobber", "shakti"], "name one game"), (["--clock", "5"], "only with"),
                        (["clobber", "--color", "red"], "is not white, black or random"),
                        (["clobber", "--clock", "abc"], "invalid clock 'abc'"),
                        (["clobber", "--clock", "0.01"], "0.1 to 86400 seconds")):
        done = subprocess.run([LUDUS, "host", *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT_S)
        checks.equal((done.returncode, done.stdout), (2, ""), f"exit status with {words}")
        checks.check(what in done.stderr, f"what is wrong with {words}", done.stderr)
    home = Home()
    folder = os.path.join(FOLDER, "alone")
    os.mkdir(folder)
    shutil.copy(LUDUS, folder)
    done = subprocess.run([os.path.join(folder, "ludus"), "host", "clobber"], capture_output=True,
                          stdin=subprocess.DEVNULL, text=True, timeout=LIMIT_S,
                          env={**home.environment(), "PATH": "/nonexistent"})
    checks.equal(done.returncode, 1, "no ludusd: exit status")
    checks.check("ludus: host: ludusd: " in done.stderr, "no ludusd: why", done.stderr)
    home.remove()


def several_games(checks):
    anna = Home()
    host = At(NET.a, "host", "clobber:2x3", "shakti", home=anna)
    host.answer(("Which game? [1] ", "3"), ("Which game? [1] ", "2"))
    host.expect("Match 1 is open. Your friend types").expect("match 1  shakti")
    host.answer(("> ", "quit"), ("(y/n) ", "y")).end()
    anna.remove()


def without_a_network(checks):
    """The host learns that no friend can come."""
    anna = Home()
    NET.a.ip("addr", "flush", "dev", NET.a.interface)
    try:
        host = FullAt(NET.a, "host", "clobber", home=anna)
        host.expect("No network here; in another terminal, type: ludus join localhost:7117 --code")
        host.keys("escape").expect("No network here: friends cannot reach you").keys("q", "q").end()
        At(NET.a, "host", "clobber", home=anna).expect("No network here, so friends cannot reach you.")
    finally:
        NET.a.ip("addr", "add", f"{NET.a.address}/24", "dev", NET.a.interface)
    checks.check(True, "a host without a network is told so")
    anna.remove()


def a_host_sees_all_ways(checks):
    """On a small terminal, too, and without colours or letters but ASCII."""
    for columns, rows, environment in ((80, 24, {}), (60, 20, {}), (40, 16, {}), (80, 24, {"LC_ALL": "C", "NO_COLOR": "1"}),
                                       (40, 16, {"LC_ALL": "C"})):
        anna = Home()
        host = FullAt(NET.a, "host", "clobber", "--name", "anna", home=anna, columns=columns, rows=rows, **environment)
        host.expect("In a browser: http" if columns > 40 else "In a browser:").expect("On a phone: ")
        host.expect("In a terminal: ludus join").drawn()
        shown = re.sub(r"\s", "", host.screen)
        checks.check(re.search(r"http://10\.77\.0\.1:7117/#/m/1&code=[a-z0-9]{8}", shown), "the whole address", host.screen)
        checks.check(re.search(r"--code ?[a-z0-9]{8}", host.screen), "the line for terminals", host.screen)
        checks.check("friend types" not in host.screen, "each once", host.screen)
        host.control("c").expect("Ctrl-C again").control("c").end()
        anna.remove()


def by_the_menu(checks):
    """Both are connected to servers of their own machines; one hosts, the other searches."""
    anna, bob = Home(), Home()
    with LanServer(NET.a, "--listen", "127.0.0.1:0") as here, \
         LanServer(NET.b, "--listen", "127.0.0.1:0") as there:
        host = FullAt(NET.a, "--connect", here.address, "--name", "anna", home=anna)
        host.expect("Quit").pick("Host a match").expect("Where     < this network >")
        host.keys("enter").expect("In a terminal: ludus join").expect("10.77.0.1 --code ")
        code = re.search(r"--code (\S+)", host.screen).group(1)
        server = server_of(host.process.pid)
        join = FullAt(NET.b, "--connect", there.address, "--name", "bob", home=bob)
        join.expect("Quit").pick("Join a match").expect("Look for servers")
        join.keys("enter").expect("Looking for servers").expect("10.77.0.1  ").keys("enter")
        join.expect("The join code").type("wrong").keys("enter")
        join.expect("That is not the join code").type(f"ludus join 10.77.0.1 --code {code.upper()}")
        join.keys("enter")
        join.expect("Waiting for anna (White)")
        host.expect("Your turn (White)").control("c").expect("Ctrl-C again ends the program")
        host.expect("Your friend is still connected. Stop the server?").keys("n").expect_gone("Ctrl-C again")
        host.keys("escape").expect("Back to the menu?").keys("y")
        host.expect(f"Friends: ludus join 10.77.0.1 --code {code}").pick("Quit")
        host.expect("Your friend is still connected. Stop the server? The match is saved.").keys("y").end()
        checks.check("The server has ended. Unfinished matches are kept" in host.plain,
                     "that it has ended", host.plain[-500:])
        checks.check(not runs(server), "the server ends with the host")
        join.end(1)
        checks.check("10.77.0.1: the host has ended the server" in join.plain, "the friend is told",
                     join.plain[-500:])
        checks.check(re.search(f"come back with\r?\n +ludus --connect 10.77.0.1 --code (?i:{code}) --name bob",
                               join.plain), "the way back", join.plain[-500:])
    for home in (anna, bob):
        home.remove()


def closing(case):
    """Runs the case, then ends clients that would disturb the next one."""
    @functools.wraps(case)
    def run(checks):
        try:
            case(checks)
        finally:
            while CLIENTS:
                CLIENTS.pop().close()
    return run


NET = None
FOLDER = None
CLIENTS = []


def main():
    global NET, FOLDER
    checks = Checks("test_lan")
    missing = why_not()
    with tempfile.TemporaryDirectory(prefix="ludus-lan-") as FOLDER:
        if missing:
            print(f"test_lan: {missing}: only what loopback can show is tested")
            return checks.run([on_loopback, host_usage])
        NET = Network()
        try:
            cases = [nobody, answers, bad_questions, flood, foreign_addresses, join_lists, device, server_at_a_terminal, with_tls,
                     too_early, evening, alone, in_the_next_pane, notes_that_are_not_true, host_beside_another, several_games, without_a_network,
                     a_host_sees_all_ways, by_the_menu]
            return checks.run([closing(case) for case in cases])
        finally:
            NET.close()


if __name__ == "__main__":
    sys.exit(main())
