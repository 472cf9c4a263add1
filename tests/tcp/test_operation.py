"""Operating the server: configuration, log, signals and service manager.

usage: test_operation.py BUILD_DIR
"""
import ctypes
import fcntl
import os
import pwd
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../crash")
from harness import Checks, Connection, LIMIT_S, Server, build_folder, wait_until
from ludusd import house_bots
from metrics import GET_METRICS, http, metrics_port

BUILD = build_folder()
LUDUSD = os.path.join(BUILD, "ludusd")


def start(checks, *options, **more):
    return Server(BUILD, "--no-bots", *options, checks=checks, **more)


def run(*words, **more):
    return subprocess.run([LUDUSD, *words], capture_output=True, text=True, timeout=LIMIT_S, **more)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        return file.read()


def check_config(checks):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ludusd.conf")
        write(path, "idle = 50\n")
        done = run("--config", path, "--check-config")
        checks.equal((done.returncode, done.stdout), (0, f"ludusd: {path}: good\n"), "a good file")
        write(path, "idle = 50\nidel = 50\n")
        done = run("--check-config", "--config", path)
        checks.equal((done.returncode, done.stdout, done.stderr),
                     (2, "", f"ludusd: {path}:2: 'idel': unknown option (did you mean idle?): see ludusd --help\n"), "a bad file")
        done = run("--check-config", env={"XDG_CONFIG_HOME": folder})
        checks.equal((done.returncode, done.stdout),
                     (0, "ludusd: no configuration file; the command line is good\n"), "no file")
        os.mkdir(os.path.join(folder, "ludus"))
        os.rename(path, os.path.join(folder, "ludus", "ludusd.conf"))
        done = run("--check-config", env={"XDG_CONFIG_HOME": folder})
        checks.check(": unknown option " in done.stderr, "the default file is read",
                     done.stderr)


def hang_up(checks):
    """SIGHUP applies what can change, names the rest, and ignores an invalid file."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        path = os.path.join(folder, "ludusd.conf")
        os.symlink(os.path.join(elsewhere, "the.conf"), path)
        write(path, "max-errors = 2\ncode = first\nmax-matches = 5\n")

        def hang_up_with(text):
            write(path, text)
            before = len(server.read_log())
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: "reloaded " in server.read_log()[before:], "reloading")
            return server.read_log()[before:]

        with start(checks, "--config", path, "--max-matches", "1") as server:
            log = hang_up_with("max-errors = 3\ncode = second\nno-bots = no\n"
                               "durability = power\nlog-level = debug\nmax-matches = 9\n")
            for line in ('level=info event=option name=max-errors from="2" to="3" changed=yes',
                         'event=option name=code from=hidden to=hidden changed=yes',
                         'level=warn event=option name=durability from="process" to="power" '
                         'changed=no why="needs a restart"',
                         f'event=reloaded config="{path}" changed=3'):
                checks.check(line + "\n" in log, "the log tells " + line, log)
            checks.check("max-matches" not in log, "the command line still wins", log)
            checks.check("second" not in log, "the code is not in the log", log)
            peer = server.connect()
            checks.equal(peer.ask("hello anna code=first")["code"], "bad-code", "the old code")
            checks.equal(peer.ask("hello anna code=second")["type"], "ok", "the new code")
            checks.equal(peer.ask("new clobber")["type"], "ok", "one match")
            checks.equal(peer.ask("new clobber")["code"], "limit-reached", "and no second")
            for _ in range(3):
                peer.send("fly")
            checks.equal(peer.wait_for("bye")["reason"], "too-many-errors", "the new limit")
            checks.check("level=debug event=refused peer=anna cmd=none code=unknown-command\n"
                         in server.read_log(), "the new level of the log")
            log = hang_up_with("idle = 2\nmax-errors = 0\n")
            checks.check("event=not-reloaded error=" in log and f"{path}:2: max-errors" in log,
                         "what is wrong with the file", log)
            hang_up_with("code = third\nmax-errors = 0\n")
            checks.equal(server.connect().ask("hello carl code=third")["code"], "bad-code",
                         "nothing of an invalid file is taken")
            checks.equal(server.connect().ask("hello carl code=second")["type"], "ok", "the code stays")
            os.remove(path)
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: "No such file" in server.read_log(), "no file")
            checks.equal(server.connect().ask("hello bob code=second")["type"], "ok", "it goes on")


def terminal_gone(checks):
    """SIGHUP ends a server in a terminal, which nobody could stop later."""
    master, terminal = os.openpty()
    process = subprocess.Popen([LUDUSD, "--listen", "127.0.0.1:0", "--data", "none", "--no-bots"],
                               stdout=subprocess.PIPE, stderr=terminal, text=True)
    anna = Connection(int(process.stdout.readline().rsplit(":", 1)[1]))
    os.close(terminal)
    process.send_signal(signal.SIGHUP)
    checks.equal(anna.wait_for("bye")["reason"], "shutdown", "bye")
    checks.equal(process.wait(LIMIT_S), 0, "exit code")
    os.close(master)


def hosted(checks):
    """A server of a player says that it does not come back."""
    with Server(BUILD, "--no-bots", "--hosted", checks=checks) as server:
        anna = server.connect("anna")
        server.process.send_signal(signal.SIGTERM)
        checks.equal(anna.wait_for("bye")["reason"], "closed", "bye")


def closed_descriptors(checks):
    """Without standard input and error, no other file gets their numbers."""
    def close_two():
        os.close(0)
        os.close(2)

    with start(checks, preexec=close_two) as server:
        server.connect("anna")
        checks.equal([os.readlink(f"/proc/{server.process.pid}/fd/{number}") for number in (0, 2)],
                     ["/dev/null", "/dev/null"], "what stands there instead")


def log_file(checks):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ludusd.log")
        with start(checks, "--log", path) as server:
            server.connect("anna")
            wait_until(lambda: "peer=anna" in read(path), "the log")
            os.rename(path, path + ".1")
            server.connect("bert")
            wait_until(lambda: "peer=bert" in read(path + ".1"), "the log that was moved away")
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: os.path.exists(path) and "event=reloaded" in read(path), "a new log")
            server.connect("carl")
            wait_until(lambda: "peer=carl" in read(path), "the new log")
            checks.check("carl" not in read(path + ".1"), "the old one rests")
            checks.equal(server.read_log(), "", "standard error has nothing")
        checks.check("event=stopping signal=15\n" in read(path), "the end is in the log")
        done = run("--listen", "127.0.0.1:0", "--data", "none", "--log", folder)
        checks.equal((done.returncode, done.stderr), (1, f"ludusd: {folder}: Is a directory\n"),
                     "a log that cannot be written")


LINE = re.compile(r"time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ level=(debug|info|warn|error) event=[a-z-]+"
                  r'( [a-z_]+=([^ "=]+|"(\\.|[^"\\])*"))*')


def log_lines(checks):
    """Every line is well-formed, whatever peers send, and none contains a secret."""
    with start(checks, "--log-level", "debug", "--code", "sesam") as server:
        anna = server.connect()
        client = 'client=a"b\\cd" level=error event="x'
        token = anna.ask(f"hello anna code=sesam {client.split()[0]}")["token"]
        for line in (f"hello anna token={token}", f"token={token}", "hello bob code=nearly",
                     f"hello bob token={'f' * 32} code=sesam", "say secret words", "\x01\x02",
                     "watch nowhere\nlevel=error", "new clobber white=me black=open private=yes"):
            anna.send(line)
        private = anna.wait_for("state")["match"]
        anna.ask("say whispered")
        anna.ask(f"abort {private}")
        bob = server.connect()
        checks.equal(bob.ask(f"hello anna code=sesam token={token} client=x=\"y")["type"], "ok",
                     "coming back")
        bob.ask("quit")
        wait_until(lambda: "event=left peer=anna" in server.read_log(), "the end")
        log = server.read_log()
        for line in log.splitlines():
            checks.check(LINE.fullmatch(line) is not None, "the form of a line", line)
        checks.check('event=hello peer=anna bot=no client="a\\"b\\\\cd\\""\n' in log,
                     "quotes are escaped", log)
        for secret in (token, "sesam", "nearly", "f" * 32, private, "whispered", "secret words"):
            checks.check(secret not in log, f"{secret} is not in the log", log)
        checks.check("event=opened match=private-1 game=clobber by=anna\n" in log,
                     "a private match has a number", log)
    with start(checks, "--log-level", "error") as server:
        server.connect("anna").ask("quit")
        checks.equal(server.read_log(), "", "nothing below the level")


def ask_without_reading(lazy, port):
    """Sends until the kernel accepts no more answers, which then wait in the server."""
    lazy.socket.setblocking(False)

    def is_clogged():
        return all(has_unread() for _ in range(10))

    def has_unread():
        try:
            lazy.socket.send(b"help\n" * 100)
        except BlockingIOError:
            pass
        pending = re.search(r"^ludus_pending_bytes (.*)$", http(port, GET_METRICS)[2], re.M)
        return float(pending[1]) > 0
    wait_until(is_clogged, "unread answers")


def clogged(*options):
    """Returns a server that has answers for a peer which does not read, and that peer."""
    server = Server(BUILD, "--bots", "random", "--metrics", "0", *options)
    wait_until(server.children, "its bot")
    lazy = Connection(server.port, receive_buffer=2048)
    ask_without_reading(lazy, metrics_port(server))
    return server, lazy


def drain(checks):
    """Peers that do not read delay the exit for the drain time, be it longer or shorter than the usual one."""
    (long, lazy), (short, other) = clogged("--drain", "8"), clogged("--drain", "1")
    begin = time.monotonic()
    for server in (long, short):
        server.process.send_signal(signal.SIGTERM)
    checks.equal(short.process.wait(LIMIT_S), 0, "exit code")
    checks.check(time.monotonic() - begin > 0.9, "it waits for who does not read")
    checks.check(long.process.poll() is None, "the other one waits longer")
    log = short.read_log()
    checks.check("event=stopped connections=1" in log, "who was cut off", log)
    checks.check("level=info event=bot-ended peer=bot:random" in log, "bots may end, then", log)
    for line in log.splitlines():
        keys = re.findall(r"(?:^| )(\w+)=", re.sub(r'"[^"]*"', "", line))
        checks.equal(len(set(keys)), len(keys), f"each key stands once: {line}")
    checks.equal(long.process.wait(LIMIT_S), 0, "exit code")
    checks.check(time.monotonic() - begin > 7.9, "the whole time")
    lazy.close()
    other.close()


def stop_while_playing(checks):
    """Who plays is told, and the match goes on where it stood."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(BUILD, "--data", folder, "--bots", "random")
        anna = server.connect("anna")
        match = anna.ask("new clobber:2x2 clock=300 black=bot:random")["match"]
        begin = time.monotonic()
        anna.ask(f"move {match} b1b2")
        anna.wait_for("state", status="playing", turn="white")
        server.process.send_signal(signal.SIGTERM)
        checks.equal(anna.wait_for("bye")["reason"], "shutdown", "bye")
        checks.equal(server.process.wait(LIMIT_S), 0, "exit code")
        with Server(BUILD, "--no-bots", "--data", folder, checks=checks) as server:
            back = server.connect()
            back.ask(f"hello anna token={anna.token}")
            state = back.wait_for("state", match=match)
            passed_ms = (time.monotonic() - begin) * 1000
            checks.equal(state["ply"], 2, "the state was written")
            checks.check(300000 - passed_ms <= state["clock"]["white_ms"] <= 300000, "the clock",
                         (state["clock"], passed_ms))


class Manager:
    """A service manager as its service sees it: a notification socket and an environment."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(LIMIT_S)
        self.socket.bind(name.replace("@", "\0", 1))
        self.environment = {**os.environ, "NOTIFY_SOCKET": name}

    def news(self):
        return self.socket.recv(4096).decode()

    def wait_for(self, wanted):
        while (news := self.news()) != wanted:
            if news != "WATCHDOG=1":
                raise RuntimeError(f"{wanted} was expected, not {news}")
        return True


def notify(checks):
    with tempfile.TemporaryDirectory() as folder:
        for name in (os.path.join(folder, "notify"), f"@ludus-test-{os.getpid()}"):
            manager = Manager(name)
            environment = {**manager.environment, "WATCHDOG_USEC": "60000"}
            with start(checks, environment=environment) as server:
                checks.equal(manager.news(), "READY=1", f"ready, on {name}")
                server.connect("anna")
                for _ in range(2):
                    checks.equal(manager.news(), "WATCHDOG=1", "it lives")
                os.kill(server.process.pid, signal.SIGHUP)
                while (news := manager.news()) == "WATCHDOG=1":
                    pass
                checks.check(re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", news) is not None,
                             "reloading", news)
                checks.check(manager.wait_for("READY=1"), "ready again")
            checks.check(manager.wait_for("STOPPING=1"), "stopping")
        # A watchdog for another process, and a manager that has exited.
        with start(checks, environment={"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1",
                                        "NOTIFY_SOCKET": "/nonexistent"}) as server:
            server.connect("anna")
            checks.check("event=not-told state=READY" in server.read_log(), "the log tells")


# Places two descriptors and executes the server, which keeps the process id.
HAND_OVER = """
import fcntl, os, sys
copies = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 100) for number in sys.argv[1:3]]
for place, copy in enumerate(copies):
    os.dup2(copy, 3 + place)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[3], sys.argv[3:])
"""


def activation(checks):
    """The server uses sockets that it was passed, and serves earlier connections to them."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    numbers = [listener.fileno() for listener in listeners]
    ports = [listener.getsockname()[1] for listener in listeners]
    early = socket.create_connection(("127.0.0.1", ports[1]))
    early.sendall(b"hello early\n")

    def begin(count, *words):
        return subprocess.Popen(
            [sys.executable, "-c", HAND_OVER, *map(str, numbers), LUDUSD, "--data", "none", *words],
            pass_fds=numbers, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "LISTEN_FDS": str(count), "LISTEN_FDNAMES": "a:b"})

    process = begin(2, "--bots", "random")
    lines = [process.stdout.readline() for _ in ports]
    checks.equal(lines, [f"ludusd: listening on 127.0.0.1:{port}\n" for port in ports],
                 "both sockets, nothing else")
    early.settimeout(LIMIT_S)
    answers = early.makefile()
    checks.check('"type":"hello"' in answers.readline() and '"early"' in answers.readline(),
                 "who came before it is served")
    peer = Connection(ports[0], "anna")
    match = peer.ask("new clobber:2x2 black=bot:random")["match"]
    peer.ask(f"move {match} b1b2")
    checks.check(peer.wait_for("state", match=match, ply=2) is not None, "the house bot came")
    with open(f"/proc/{process.pid}/environ") as file:
        checks.check("LISTEN_FDS" in file.read(), "it was started so")
    child = Server.children(type("", (), {"process": process}))["random"]
    with open(f"/proc/{child}/environ") as file:
        checks.check("LISTEN_" not in file.read(), "no child believes that it was meant")
    process.terminate()
    checks.equal(process.wait(LIMIT_S), 0, "exit code")
    waiting = socket.create_connection(("127.0.0.1", ports[0]))
    checks.check(waiting is not None, "the socket outlives the server")
    process = begin(1, "--no-bots", "--listen", "127.0.0.1:0")
    lines = [process.stdout.readline() for _ in range(2)]
    checks.equal(lines[0], f"ludusd: listening on 127.0.0.1:{ports[0]}\n", "one socket")
    checks.check(lines[1].startswith("ludusd: listening on 127.0.0.1:") and lines[1] != lines[0],
                 "and the address that was named", lines)
    process.terminate()
    checks.equal(process.wait(LIMIT_S), 0, "exit code")
    with open("/dev/null") as null, tempfile.TemporaryFile() as other:
        numbers[:] = [other.fileno(), null.fileno()]
        process = begin(1, "--no-bots")
        said = process.communicate(timeout=LIMIT_S)
        checks.equal((process.returncode, said),
                     (1, ("", "ludusd: descriptor 3: not a listening TCP socket\n")),
                     "no socket")


def network_of_its_own():
    """Gives this process a network with only loopback. For a child, before exec."""
    new_user, new_network, set_flags, up = 0x10000000, 0x40000000, 0x8914, 1
    if ctypes.CDLL(None).unshare(new_user | new_network) != 0:
        raise OSError("no network of its own")
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", up))


def listeners_of(process):
    """Returns the listening addresses in the network of a process, from the kernel."""
    found = set()
    for name in ("tcp", "tcp6"):
        with open(f"/proc/{process.pid}/net/{name}") as file:
            rows = [line.split() for line in file.readlines()[1:]]
        found |= {row[1] for row in rows if row[3] == "0A"}
    return found


def listen_as_manager(values):
    """Listens as lines ListenStream= demand, on a free port instead of 7117; an empty line clears those
    before it. Returns the addresses."""
    wanted = []
    for value in values:
        wanted = [*wanted, value] if value else []
    port, sockets = 0, []
    try:
        for value in wanted:
            host = value.rpartition(":")[0].strip("[]") or "::"  # a port alone means IPv6
            sockets.append(socket.create_server((host, port), reuse_port=False,
                                                family=socket.AF_INET6 if ":" in host
                                                else socket.AF_INET))
            port = sockets[0].getsockname()[1]
        return [listener.getsockname()[0] for listener in sockets]
    finally:
        for listener in sockets:
            listener.close()


def addresses_of_the_unit(checks):
    """The addresses in the unit, and those that it and the manual suggest for the network."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../server")
    unit, manual = (read(os.path.join(folder, name)) for name in ("ludusd.socket", "ludusd.8"))
    checks.check("\nBindIPv6Only=ipv6-only\n" in unit, "IPv4 and IPv6 are apart")
    own = re.findall(r"^ListenStream=(.*)$", unit, re.M)
    named = re.findall(r"^#     ListenStream=(.*)$", unit, re.M)
    checks.equal(re.findall(r"^ListenStream=(.*)$", manual, re.M), named, "in the manual")
    try:
        listen_as_manager(["[::1]:7117"])
    except OSError:
        print("test_operation: no IPv6 here: the addresses of the unit are not tested")
        return
    checks.equal(listen_as_manager(own), ["127.0.0.1", "::1"], "this machine only")
    checks.equal(listen_as_manager(own + named), ["0.0.0.0", "::"], "the network")


def loopback_by_default(checks):
    try:
        process = subprocess.Popen([LUDUSD, "--data", "none", "--no-bots"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True,
                                   preexec_fn=network_of_its_own)
    except subprocess.SubprocessError:
        print("test_operation: no namespaces here: the default addresses are not tested")
        return
    checks.equal(process.stdout.readline(), "ludusd: listening on 127.0.0.1:7117\n", "the default")
    port = f"{7117:04X}"
    loopback = {f"0100007F:{port}", f"00000000000000000000000001000000:{port}"}
    found = listeners_of(process)
    checks.check(found and found <= loopback, "loopback and nothing else", found)
    process.terminate()
    checks.equal(process.wait(LIMIT_S), 0, "exit code")


def process_ids(server):
    """Returns the ids and capabilities of the server, from the kernel."""
    with open(f"/proc/{server.process.pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return [lines[name].split() for name in ("Uid", "Gid", "Groups", "CapEff", "NoNewPrivs")]


def another_user(checks):
    """Started as root, the server becomes the user, or says why not."""
    done = run("--user", "no-such-user")
    checks.equal((done.returncode, done.stderr),
                 (1, "ludusd: user no-such-user: no such user\n"), "no such user")
    done = run("--user", "root")
    checks.equal((done.returncode, done.stderr),
                 (1, "ludusd: user root: still root: name another user\n"), "root")
    if os.geteuid() != 0:
        done = run("--user", "nobody")
        checks.equal((done.returncode, done.stderr),
                     (1, "ludusd: user nobody: cannot change users: start as root\n"), "not root")
        return
    nobody = pwd.getpwnam("nobody")
    # The leak check of a build with sanitizers needs a capability that the process has dropped.
    environment = {**os.environ, "LSAN_OPTIONS": "detect_leaks=0", "XDG_STATE_HOME": "/root"}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        data = os.path.join(folder, "data")
        os.mkdir(data, 0o700)
        words = ("--listen", "127.0.0.1:0", "--no-bots", "--user", "nobody", "--data", data)
        done = run(*words, env=environment)
        checks.equal((done.returncode, done.stderr),
                     (1, f"ludusd: {data} belongs to root, and nobody may not write there: "
                         f"chown -R nobody {data}\n"), "a folder of root")
        os.chown(data, nobody.pw_uid, nobody.pw_gid)
        write(os.path.join(data, "ludus.db"), "")
        os.chmod(os.path.join(data, "ludus.db"), 0o600)
        done = run(*words, env=environment)
        checks.check(f"{data}/ludus.db belongs to root" in done.stderr, "a file of root",
                     done.stderr)
        os.remove(os.path.join(data, "ludus.db"))
        with start(checks, "--user", "nobody", "--data", data, environment=environment) as server:
            wait_until(lambda: "event=fence" in server.read_log(), "the server is ready")
            uid, gid = [str(nobody.pw_uid)] * 4, [str(nobody.pw_gid)] * 4
            checks.equal(process_ids(server), [uid, gid, gid[:1], ["0" * 16], ["1"]], "its rights")
            checks.equal(server.connect().ask("hello anna")["type"], "ok", "it serves")
            checks.check("event=root" not in server.read_log(), "it is not root")
        checks.equal(os.stat(os.path.join(data, "ludus.db")).st_uid, nobody.pw_uid, "its store")
    with start(checks) as server:
        wait_until(lambda: "level=warn event=root" in server.read_log(), "a warning of root")


SCRIPT = """#!/bin/sh
cat {secret} >{data}/stolen
echo x >{folder}/written
echo x >{conf}/written
echo x >{data}/done
exec sleep 1000
"""


def house_bots_are_confined(checks):
    """A house bot that has a filter of calls plays."""
    with Server(BUILD, "--bots", "easy", checks=checks) as server:
        anna = server.connect("anna")
        wait_until(lambda: "bot:easy" in [p["name"] for p in anna.ask("who")["players"]], "the bot")
        filters = re.findall(r"Seccomp:\t(\d)", "".join(read(f"/proc/{pid}/status") for pid in house_bots(server.port)))
        anna.ask("new clobber:2x2 black=bot:easy")
        anna.ask("move a2a1")
        while anna.read().get("ply", 0) < 2:
            pass
        checks.check(filters == ["2"] or "san" in BUILD, "a filter", filters)


def fence(checks):
    """The server and its children can use only its own files."""
    for options, fenced in (((), True), (("--no-fence",), False)):
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)
            data, program = path("data"), path("bot")
            write(path("secret"), "secret")
            os.makedirs(path("conf"))
            write(path("conf/ludusd.conf"), "max-errors = 90\n")
            write(program, SCRIPT.format(secret=path("secret"), data=data, folder=folder,
                                         conf=path("conf")))
            os.chmod(program, 0o700)
            with Server(BUILD, "--data", data, "--bots", "random", "--bot-program", program,
                        "--config", path("conf/ludusd.conf"), "--log", path("log/log") if os.makedirs(path("log")) is None else "",
                        *options, checks=checks) as server:
                wait_until(lambda: os.path.exists(os.path.join(data, "done")), "the program")
                anna = server.connect("anna")
                checks.equal(anna.ask("new clobber")["type"], "ok", "the store can be written")
                os.rename(path("log/log"), path("log/old"))
                server.process.send_signal(signal.SIGHUP)
                wait_until(lambda: os.path.exists(path("log/log")), "the log opened anew")
                log = read(path("log/old"))
            if fenced and "no Landlock in this kernel" in log:
                print("test_operation: no Landlock here: the fence is not tested")
                return
            checks.equal("event=fence state=stands\n" in log, fenced, "the log tells")
            checks.equal(read(os.path.join(data, "stolen")), "" if fenced else "secret",
                         f"a secret, with a fence: {fenced}")
            checks.equal(os.path.exists(path("written")), not fenced,
                         f"another folder, with a fence: {fenced}")
            checks.equal(os.path.exists(path("conf/written")), not fenced,
                         f"the configuration's folder, with a fence: {fenced}")


if __name__ == "__main__":
    sys.exit(Checks("test_operation").run([
        check_config, hang_up, terminal_gone, hosted, closed_descriptors, log_file, log_lines, drain,
        stop_while_playing, notify, activation, addresses_of_the_unit, loopback_by_default, another_user, fence,
        house_bots_are_confined]))
