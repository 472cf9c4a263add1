"""Starting and stopping the server in rare conditions: addresses, files, users, signals.

usage: test_starting.py BUILD_DIR
"""
import ctypes
import fcntl
import os
import pwd
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Connection, DRAIN_S, LIMIT_S, Server, build_folder, wait_until
from metrics import GET_METRICS, http, metrics_port
from test_operation import ask_without_reading, listeners_of, network_of_its_own, read, run, write
from test_tls import Place

BUILD = build_folder()
LUDUSD = os.path.abspath(os.path.join(BUILD, "ludusd"))


def start(checks, *options, **more):
    return Server(BUILD, "--no-bots", *options, checks=checks, **more)


def begin(*words, **more):
    """Starts a server whose whole output the test reads."""
    return subprocess.Popen([LUDUSD, "--data", "none", *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **more)


def end(checks, process):
    """Ends the server and returns its output and log."""
    process.terminate()
    # communicate() would miss what a readline() has already taken from the pipe.
    printed, log = process.stdout.read(), process.stderr.read()
    process.wait(LIMIT_S)
    checks.equal(process.returncode, 0, f"exit code ({log[-500:]})")
    return printed.splitlines(), log


def lonely_network():
    """Simulates a network where this machine is 10.1.2.3 and alone."""
    network_of_its_own()
    set_address = 0x8916
    with socket.socket() as any_socket:
        address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton("10.1.2.3"))
        fcntl.ioctl(any_socket, set_address, struct.pack("16s16s8x", b"lo:1", address))


def network_of(process):
    """Returns a function that moves a child, before exec, into the network of that process."""
    descriptors = [os.open(f"/proc/{process.pid}/ns/{name}", os.O_RDONLY) for name in ("user", "net")]

    def enter():
        for descriptor in descriptors:
            if ctypes.CDLL(None).setns(descriptor, 0) != 0:
                raise OSError("not to be entered")
    return enter


def on_all_addresses(checks):
    """--lan on the usual ports, which are free in a separate network."""
    with Place() as place:
        try:
            process = begin("--lan", "--bots", "random", *place.certificate("a"),
                            preexec_fn=lonely_network)
        except subprocess.SubprocessError:
            print("test_starting: no namespaces here: --lan is not tested")
            return
        lines = [process.stdout.readline().rstrip("\n") for _ in range(5)]
        code = re.fullmatch(r"ludusd: join code [0-9a-z]{8}", lines[4])
        checks.equal(lines[:4], ["ludusd: listening on 0.0.0.0:7117",
                                 "ludusd: listening on [::]:7117", "ludusd: TLS on 0.0.0.0:7118",
                                 "ludusd: TLS on [::]:7118"], "all addresses")
        checks.check(code is not None, "a random code", lines[4])
        zeros = "0" * 8
        checks.equal(listeners_of(process),
                     {f"{address}:{port}" for address in (zeros, zeros * 4)
                      for port in (f"{7117:04X}", f"{7118:04X}")}, "as the system has it")
        where = network_of(process)
        for words, what in ((["--no-bots"], "127.0.0.1:7117"), (["--lan"], "0.0.0.0:7117"),
                            (["--listen", "127.0.0.1:0", *place.certificate("b")], "127.0.0.1:7118"),
                            (["--listen", "127.0.0.1:0", "--lan", *place.certificate("b")],
                             "0.0.0.0:7118")):
            done = run("--data", "none", "--no-bots", *words, preexec_fn=where)
            checks.equal((done.returncode, done.stderr),
                         (1, f"ludusd: {what}: Address already in use\n"), f"a second one, {words}")
        child = wait_for_child(process)
        checks.check("127.0.0.1:7117" in child, "the bots come over loopback", child)
        printed, log = end(checks, process)
        checks.check(all(line.startswith("ludusd: others join with: ludus join ")
                         for line in printed), "nothing else is printed", printed)

        process = begin("--lan", "--no-bots", "--listen", "10.1.2.3:0", "--listen", "[::1]:0",
                        "--code", "sesam", "--tls-port", "10.1.2.3:0", *place.certificate("a"),
                        preexec_fn=lonely_network)
        ports = [process.stdout.readline().rsplit(":", 1)[1].strip() for _ in range(3)]
        printed, log = end(checks, process)
        invited = "ludusd: others join with: ludus join"
        browser = "ludusd: or in a browser: "
        checks.equal(printed, ["ludusd: join code sesam",
                               f"{invited} 10.1.2.3:{ports[0]} --code sesam",
                               f"{browser}http://10.1.2.3:{ports[0]}/#code=sesam",
                               f"{invited} tls://10.1.2.3:{ports[2]} --code sesam",
                               f"{browser}https://10.1.2.3:{ports[2]}/#code=sesam"],
                     "invitations where others can come in, and only there")

        process = begin("--listen", "[::]:0", "--bots", "random", preexec_fn=lonely_network)
        port = process.stdout.readline().rsplit(":", 1)[1].strip()
        child = wait_for_child(process)
        checks.check(f"[::1]:{port}" in child, "the same over IPv6", child)
        end(checks, process)

        process = begin("--no-bots", *place.certificate("a"), preexec_fn=network_of_its_own)
        for _ in range(4):
            process.stdout.readline()
        checks.equal(sorted(address.rsplit(":", 1)[1] for address in listeners_of(process)),
                     [f"{port:04X}" for port in (7117, 7117, 7118, 7118)], "the usual ports")
        checks.check(not any(address.startswith(zeros + ":") for address in listeners_of(process)),
                     "of loopback", listeners_of(process))
        end(checks, process)


def wait_for_child(process):
    """Returns the command line of the server's house bot."""
    found = {}

    def is_there():
        found.update(Server.children(type("", (), {"process": process})))
        return bool(found)
    wait_until(is_there, "a house bot")
    with open(f"/proc/{found['random']}/cmdline") as file:
        return file.read().split("\0")


def too_many_addresses(checks):
    with Place() as place:
        listens = ["--listen", "127.0.0.1:0"] * 16
        done = place.run("ludusd", "--data", "none", "--no-bots", *listens, "--listen", "127.0.0.1:0")
        checks.equal((done.returncode, done.stderr), (2, "ludusd: --listen: at most 16 addresses\n"),
                     "seventeen")
        done = place.run("ludusd", "--data", "none", "--no-bots", *listens, *place.certificate("a"),
                         "--tls-port", "0")
        checks.equal((done.returncode, done.stderr),
                     (1, "ludusd: 127.0.0.1:0: at most 16 addresses\n"), "sixteen and TLS")


def refused_with_tls(checks):
    """A TLS client over the limit is disconnected silently, because it has no session."""
    with Place() as place, start(checks, "--max-connections", "1", "--tls-port", "127.0.0.1:0",
                                 *place.certificate("a")) as server:
        port = int(server.process.stdout.readline().rsplit(":", 1)[1])
        first = server.connect()
        with socket.create_connection(("127.0.0.1", port)) as late:
            late.settimeout(LIMIT_S)
            try:
                checks.equal(late.recv(100), b"", "the end, and nothing before it")
            except ConnectionError:
                pass
        checks.equal(first.ask("ping")["type"], "pong", "the first one is served")


def relative_files(checks):
    """Log and configuration by relative paths."""
    with tempfile.TemporaryDirectory() as folder:
        log, config = os.path.join(folder, "a.log"), os.path.join(folder, "a.conf")
        write(config, "idle = 50\n")
        process = begin("--no-bots", "--listen", "127.0.0.1:0", "--log", "a.log", "--config", "a.conf",
                        cwd=folder)
        process.stdout.readline()
        wait_until(lambda: "event=fence" in read(log) or "event=root" in read(log), "the log")
        write(config, "idle = 60\n")
        os.rename(log, log + ".1")
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: os.path.exists(log) and "event=reloaded" in read(log), "the new log")
        checks.check('name=idle from="50" to="60" changed=yes' in read(log), "the new option",
                     read(log))
        end(checks, process)


def log_that_cannot_be_opened(checks):
    """The server keeps the old log."""
    with tempfile.TemporaryDirectory() as folder:
        old, new = os.path.join(folder, "old"), os.path.join(folder, "new")
        os.mkdir(old)
        with start(checks, "--log", os.path.join(old, "log")) as server:
            server.connect("anna")
            os.rename(old, new)
            server.process.send_signal(signal.SIGHUP)
            log = os.path.join(new, "log")
            wait_until(lambda: "event=reloaded" in read(log), "reloading")
            checks.check(f'event=log-not-reopened error="{old}/log: No such file' in read(log),
                         "the log tells", read(log))
            server.connect("bert")
            wait_until(lambda: "peer=bert" in read(log), "the old log")


def engines_that_cannot_be(checks):
    """What is wrong behind --engine ends the program with a line that says so."""
    nowhere = "hostaddr=127.0.0.1 port=1"
    with tempfile.TemporaryDirectory() as folder:
        missing = os.path.join(folder, "missing")
        for words, said in (
                (("--node", "1", "--engine", nowhere, "--listen", "0.0.0.0:0"), "advertise is missing"),
                (("--node", "1", "--engine", nowhere, "--listen", "[::]:0"), "advertise is missing"),
                (("--node", "1", "--engine", nowhere, "--listen", "127.0.0.1:0"), "refused"),
                (("--node", "1", "--engine", nowhere, "--lan", "--advertise", "192.0.2.1:7117"), "refused"),
                (("check", "--engine", "nonsense"), "missing \"=\""),
                (("check", "--engine", nowhere), "refused"),
                (("--export", missing, "--engine", nowhere), "refused"),
                (("import", missing, "--engine", nowhere), "No such file")):
            done = run(*words)
            checks.check(done.returncode == 1 and said in done.stderr and done.stdout == "", " ".join(words), done)
        checks.check(not os.path.exists(missing), "no folder is made")


def asked_twice(checks):
    """A second signal ends the server at once, whatever is unread; SIGHUP has no effect by then."""
    server = Server(BUILD, "--drain", str(DRAIN_S), "--no-bots", "--metrics", "0")
    lazy = Connection(server.port, receive_buffer=2048)
    ask_without_reading(lazy, metrics_port(server))
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: "event=stopping signal=15" in server.read_log(), "the first one")
    server.process.send_signal(signal.SIGHUP)
    checks.check(server.process.poll() is None, "it waits")
    server.process.send_signal(signal.SIGINT)
    checks.equal(server.process.wait(DRAIN_S - 5), 0, "exit code")
    log = server.read_log()
    checks.check("event=reload" not in log and "event=stopped connections=1" in log, "the log", log)


def bots_that_cannot_run(checks):
    """The server runs without them and retries."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "bot")
        write(program, "#!/nonexistent/interpreter\n")
        os.chmod(program, 0o755)
        with Server(BUILD, "--bots", "random", "--bot-program", program, checks=checks) as server:
            anna = server.connect("anna")
            wait_until(lambda: "event=bot-failed" in server.read_log(), "the failure")
            checks.check(f'peer=bot:random program="{program}" error="No such file or directory"'
                         in server.read_log(), "the log tells", server.read_log())
            checks.equal(anna.ask("new clobber black=bot:random")["type"], "ok",
                         "a match waits for it")


def metrics_without_descriptors(checks):
    """Without free descriptors the metrics do not spin, and answer later."""
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    def sleeps():
        """A server that spins is running or ready to run, however busy the machine is."""
        time.sleep(0.02)
        with open(f"/proc/{server.process.pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "S"

    with start(checks, "--metrics", "0", preexec=few) as server:
        port = metrics_port(server)
        peers = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
        wait_until(lambda: "event=refused" in server.read_log(), "no descriptors")
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        slept = sum(sleeps() for _ in range(30))
        checks.check(slept > 15, "it does not spin", slept)
        for peer in peers:
            peer.close()
        for peer in waiting:
            peer.settimeout(LIMIT_S)
            peer.sendall(GET_METRICS.encode())
            checks.check(peer.recv(100).startswith(b"HTTP/1.1 200 OK"), "they are answered")
            peer.close()
        checks.equal(http(port, GET_METRICS)[0], "HTTP/1.1 200 OK", "and the next one")


def nobody_as_nobody(checks):
    """--user needs no privileges for the present user; without privileges it accepts no other."""
    if os.geteuid() != 0:
        return  # test_operation tests that
    nobody = pwd.getpwnam("nobody")

    def become():
        os.setgroups([])
        os.setresgid(nobody.pw_gid, nobody.pw_gid, nobody.pw_gid)
        os.setresuid(nobody.pw_uid, nobody.pw_uid, nobody.pw_uid)

    # The leak check of a build with sanitizers needs a capability that the process lacks.
    more = {"preexec_fn": become,
            "env": {**os.environ, "HOME": "/nonexistent", "LSAN_OPTIONS": "detect_leaks=0"}}
    try:
        done = run("--version", **more)
    except PermissionError:
        print("test_starting: the build is for root alone: other users are not tested")
        return
    checks.equal(done.returncode, 0, "it runs as nobody")
    done = run("--user", "daemon", **more)
    checks.check(done.returncode == 1 and done.stderr.startswith(
        "ludusd: user daemon: cannot change users: start as root\n"), "daemon", done.stderr)
    with start(checks, "--user", "nobody", preexec=become, environment=more["env"]) as server:
        checks.equal(server.connect().ask("hello anna")["type"], "ok", "it serves")
        checks.check("event=root" not in server.read_log(), "it is not root")


def make_run(checks):
    """Messages when the server cannot start, and how to use another port or store."""
    with tempfile.TemporaryDirectory() as folder, start(checks) as server:
        file = os.path.join(folder, "a file")
        write(file, "")
        for data, fault in ((folder, f"{server.address}: Address already in use"),
                            (file, f"{file}: not a directory"), ("~/a file", f"{file}: not a directory")):
            done = subprocess.run(["make", "-so", "deps", "run", "SUB_MAKE=true", f"BUILD={BUILD}",
                                   f"PORT={server.port}", f"DATA={data}"], capture_output=True, text=True,
                                  timeout=LIMIT_S, env={**os.environ, "HOME": folder, "MAKEFLAGS": "", "MAKELEVEL": "0"})
            checks.equal((done.returncode, done.stdout), (2, ""), "no start")
            checks.check(f"ludusd: {fault}\nAnother port: make run PORT=N " in done.stderr
                         and "; another store: make run DATA=DIR.\n" in done.stderr, fault, done.stderr)


def make_run_says_where(checks):
    """`make run` prints the address for browsers first, and all of its words in one write."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, \
            subprocess.Popen(["sh", "server/run.sh", BUILD, str(port), f"{folder}/data"], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, start_new_session=True) as run:
        said = os.read(run.stdout.fileno(), 4096).decode()
        os.killpg(run.pid, signal.SIGINT)
        run.wait(LIMIT_S)
    first, last = said.strip().splitlines()[0], said.strip().splitlines()[-1]
    checks.equal(first.split(), ["Play", "in", "a", "browser:", f"http://localhost:{port}/"], "the first line")
    checks.equal(last, f"ludusd: listening on 127.0.0.1:{port}", "the last line")


if __name__ == "__main__":
    sys.exit(Checks("test_starting").run([
        on_all_addresses, too_many_addresses, refused_with_tls, relative_files,
        log_that_cannot_be_opened, engines_that_cannot_be, asked_twice, bots_that_cannot_run, metrics_without_descriptors,
        nobody_as_nobody, make_run, make_run_says_where]))
