"""What the cluster test stands on: PostgreSQL that fails over, and links that break; and `make cluster`.

usage: test_engine.py BUILD_DIR
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cluster"))
import postgres
import run_cluster
from engine import Engine
from harness import LIMIT_S, Checks, Connection, build_folder
from ludusd import free_port
from relay import Relay


class Echo:
    """Sends every byte back."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            peer, _ = self.socket.accept()
            threading.Thread(target=self.serve, args=(peer,), daemon=True).start()

    def serve(self, peer):
        try:
            while data := peer.recv(100):
                peer.sendall(data)
        except OSError:
            pass


def links(checks):
    """A held link keeps what is sent until it is healed; a cut one ends its connections."""
    port = free_port()
    relay = Relay({"a-1": (port, Echo().port)})
    for way in ("up", "down", "both"):
        with socket.create_connection(("127.0.0.1", port), LIMIT_S) as peer:
            peer.sendall(b"1")
            checks.equal(peer.recv(9), b"1", "an echo")
            relay.tell("hold", "a-*", way)
            peer.sendall(b"2")
            peer.settimeout(0.2)
            try:
                checks.equal(peer.recv(9), None, f"held {way}")
            except TimeoutError:
                checks.check(True, "held")
            relay.tell("heal", "a-*")
            peer.settimeout(LIMIT_S)
            checks.equal(peer.recv(9), b"2", f"what was held {way}")
            relay.tell("delay", "a-1", "1")
            peer.sendall(b"3")
            checks.equal(peer.recv(9), b"3", "what was delayed")
            relay.tell("cut", "a-1")
            try:
                checks.equal(peer.recv(9), b"", "after a cut")
            except ConnectionError:
                checks.check(True, "cut")
            checks.check(refuses(port), "a cut link takes no connections")
            relay.tell("heal", "*")
    relay.close()


def refuses(port):
    try:
        socket.create_connection(("127.0.0.1", port), LIMIT_S).close()
    except ConnectionRefusedError:
        return True
    return False


def failing_over(checks):
    """What was committed survives two primaries; the old ones come back."""
    path = tempfile.mkdtemp(prefix="engine-", dir=build_folder())
    os.chmod(path, 0o755)
    engine = Engine(path)
    try:
        engine.sql("CREATE TABLE kept (number int)")
        for number in range(2):
            old = engine.primary
            engine.sql(f"INSERT INTO kept VALUES ({number})")
            old.kill()
            engine.fail_over()
            checks.check(engine.primary is not old, "another primary")
            engine.bring_back(old)
            engine.wait_for_standbys()
        checks.equal(engine.sql("SELECT number FROM kept ORDER BY 1"), [["0"], ["1"]], "rows")
        rights = engine.sql("SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles "
                            "WHERE rolname = 'ludus'")
        checks.equal(rights, [["f"] * 4], "rights of the role")
        owner = os.stat(engine.members[0].data).st_uid
        checks.check(owner != 0, "PostgreSQL does not run as root", owner)
        processes = engine.primary.processes()
        checks.check(len(processes) > 5, "its processes are known", processes)
    finally:
        engine.close()
    checks.equal(os.listdir(path), [], "left behind")
    os.rmdir(path)


def running_until_interrupted(checks):
    """`make cluster`: a match between two servers; nothing is left behind."""
    before = folders()
    process = subprocess.Popen([sys.executable, run_cluster.__file__, build_folder()], text=True,
                               stdout=subprocess.PIPE)
    shown = []
    while not shown or "Ctrl-C" not in shown[-1]:
        if not (line := process.stdout.readline()):
            break
        shown.append(line)
    ports = [int(line.split()[2].rsplit(":", 1)[1]) for line in shown if "--connect" in line]
    pids = [int(line.rsplit(" ", 1)[1]) for line in shown if "# process" in line]
    if checks.equal((len(ports), len(pids)), (3, 6), "servers and processes"):
        anna, bob = Connection(ports[0], "anna"), Connection(ports[1], "bob")
        match = anna.ask("new clobber:2x2 black=bob")["match"]
        checks.equal(bob.ask(f"join {match}")["type"], "ok", "joining at another server")
        anna.wait_for("state", match=match, status="playing")
        checks.equal(anna.ask(f"move {match} a2a1")["type"], "ok", "a move")
        checks.equal(bob.wait_for("state", match=match, ply=1)["last"], "a2a1", "told at the other server")
    process.send_signal(signal.SIGINT)
    checks.equal(process.wait(LIMIT_S), 0, "exit code")
    process.stdout.close()
    checks.equal([pid for pid in pids if os.path.exists(f"/proc/{pid}")], [], "processes left behind")
    checks.equal(folders() - before, set(), "files left behind")


def folders():
    return {name for name in os.listdir(build_folder()) if name.startswith("cluster-")}


if __name__ == "__main__":
    cases = [links]
    if reason := postgres.why_not():
        print(f"test_engine: SKIPPED all but links: {reason}")
    else:
        cases += [failing_over, running_until_interrupted]
    sys.exit(Checks("test_engine").run(cases))
