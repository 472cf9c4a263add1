"""What the cluster test stands on: PostgreSQL that fails over, links that break, and short runs.

usage: test_nemesis.py BUILD_DIR

Without PostgreSQL, only one server with a store of its own is broken. `make cluster-test` is the long run.
"""
import os
import shutil
import socket
import sys
import tempfile
import threading

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "cluster"))
import cluster_test
import postgres
from engine import Engine
from harness import LIMIT_S, Checks, build_folder
from ludusd import free_port
from relay import Relay

SEED, SECONDS, STOP_S = 1, 8, 2


def folder():
    path = tempfile.mkdtemp(prefix="nemesis-", dir=build_folder())
    os.chmod(path, 0o755)
    return path


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
    path = folder()
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


def a_run(checks, servers, **options):
    path = folder()
    run = cluster_test.Run(build_folder(), path, SEED, servers, longest_stop_s=STOP_S, **options)
    run.run(SECONDS)
    run.report()
    checks.equal({rule: lines for rule, lines in run.problems.items() if lines}, {}, "violations")
    checks.check(run.summary.acknowledged["move"] > 20, "moves", run.summary.acknowledged)
    checks.check(run.summary.faults, "faults", run.summary.faults)
    shutil.rmtree(path)


def one_server(checks):
    a_run(checks, 0, pairs=4, think_ms=50, pause_s=(0.5, 2.0))


if __name__ == "__main__":
    cases = [links, one_server]
    if reason := postgres.why_not():
        print(f"test_nemesis: SKIPPED all but one server: {reason}")
    else:
        cases += [failing_over]
    sys.exit(Checks("test_nemesis").run(cases))
