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

sys.path.insert(1, sys.path[0] + "/../support")
sys.path.insert(1, sys.path[0] + "/../cluster")
sys.path.insert(1, sys.path[0] + "/../crash")
import postgres
import run_cluster
from databases import Databases
from harness import LIMIT_S, Checks, Connection, build_folder
from nodes import Node
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
    relay = Relay({"a-1": Echo().port})
    port = relay.ports["a-1"]
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
    with socket.create_connection(("127.0.0.1", port), LIMIT_S) as later:
        later.sendall(b"4")
        checks.equal(later.recv(9), b"4", "it is there")
        relay.tell("strand", "a-1")
        relay.tell("deliver", "a-1")
        try:
            checks.equal(later.recv(9), b"", "reset, as it was there before")
        except ConnectionError:
            checks.check(True, "reset")
    checks.check(not refuses(port), "others can come")
    relay.close()


def ports_stay(checks):
    """Nobody gets the port of a server or of a link between two starts of who listens there."""
    with tempfile.TemporaryDirectory() as folder:
        port = Node(build_folder(), folder, 1, []).port
        checks.check(refuses(port), "no server runs")
        checks.check(is_taken(port), "a server's port is taken")
        with socket.socket() as server:  # as ludusd and PostgreSQL do
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("127.0.0.1", port))
            server.listen()
            checks.check(not refuses(port), "a server can listen there")
        checks.check(refuses(port) and is_taken(port), "and end, and the port stays")
    relay = Relay({"a-1": Echo().port})
    relay.tell("cut", "a-1")
    checks.check(refuses(relay.ports["a-1"]) and is_taken(relay.ports["a-1"]), "the port of a link that is cut")
    relay.tell("heal", "a-1")
    checks.check(not refuses(relay.ports["a-1"]), "it is healed")
    relay.close()


def is_taken(port):
    try:
        with socket.socket() as other:
            other.bind(("127.0.0.1", port))
    except OSError:
        return True
    return False


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
    databases = Databases(path)
    try:
        databases.sql("CREATE TABLE kept (number int)")
        for number in range(2):
            old = databases.primary
            databases.sql(f"INSERT INTO kept VALUES ({number})")
            old.kill()
            databases.fail_over()
            checks.check(databases.primary is not old, "another primary")
            databases.bring_back(old)
            databases.wait_for_standbys()
        checks.equal(databases.sql("SELECT number FROM kept ORDER BY 1"), [["0"], ["1"]], "rows")
        rights = databases.sql("SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles "
                            "WHERE rolname = 'ludus'")
        checks.equal(rights, [["f"] * 4], "rights of the role")
        owner = os.stat(databases.members[0].data).st_uid
        checks.check(owner != 0, "PostgreSQL does not run as root", owner)
        processes = databases.primary.processes()
        checks.check(len(processes) > 5, "its processes are known", processes)
    finally:
        databases.close()
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
    cases = [links, ports_stay]
    if reason := postgres.why_not():
        print(f"test_engine: SKIPPED all but links and ports: {reason}")
    else:
        cases += [failing_over, running_until_interrupted]
    sys.exit(Checks("test_engine").run(cases))
