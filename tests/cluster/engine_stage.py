"""Two servers on one PostgreSQL with standbys, in which a test can hold up or break what it likes."""
import contextlib
import functools
import os
import shutil
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(1, sys.path[0] + "/../support")
from databases import DATABASE, Databases
from harness import LIMIT_S, Connection, build_folder, wait_until
from nodes import Node, on_database

STILL_S = 0.7  # in which nothing must come
SOON_S = 4     # in which what can be tried again should happen; without a database for 10 s, everyone leaves
GAME = "clobber:5x6"
KEEP = ["--keep-finished", "40"]
TRIES = 6
MOVES = ("b1c1", "e1d1", "a2b2", "d2c2", "d3e3")  # legal one after the other


class Table:
    """A running match between Anna at the first server and Bob at the second."""

    def __init__(self, stage, options="", game=GAME):
        Table.count = getattr(Table, "count", 0) + 1
        self.stage, self.names = stage, (f"anna{Table.count}", f"bob{Table.count}")
        self.anna = Connection(stage.nodes[0].port, self.names[0])
        self.bob = Connection(stage.nodes[1].port, self.names[1])
        self.match = self.anna.ask(f"new {game} {options}")["match"]
        self.bob.ask(f"join {self.match}")
        for player in (self.anna, self.bob):
            player.wait_for("state", match=self.match, status="playing")

    def versions(self):
        return [int(row[0]) for row in self.stage.sql(
            f"SELECT version FROM ludus.entry WHERE match = {self.match} ORDER BY version")]

    def move(self, ply):
        """Plays a move and waits until the other side is told."""
        mover, other = (self.anna, self.bob) if ply % 2 == 0 else (self.bob, self.anna)
        reply = mover.ask(f"move {self.match} {MOVES[ply]} ply={ply} eval={ply} pv={MOVES[ply]}")
        state = other.wait_for("state", match=self.match, ply=ply + 1)
        return reply["type"] == "ok" and state is not None

    @staticmethod
    def moves(match, white, black):
        """Plays two moves of clobber:2x2."""
        white.ask(f"move {match} a2a1")
        black.wait_for("state", match=match, ply=1)
        black.ask(f"move {match} b2b1")
        white.wait_for("state", match=match, ply=2)

    def record(self):
        """Returns what both servers say of the match, each with its own memory."""
        return [player.ask(f"record {self.match}") for player in (self.anna, self.bob)]

    def close(self):
        self.anna.close()
        self.bob.close()


class Stage:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="rules-", dir=build_folder())
        os.chmod(self.folder, 0o755)
        self.databases = Databases(self.folder)
        self.nodes = []
        for number in (1, 2):
            node = Node(build_folder(), self.folder, number, ["--no-bots", "--idle", "86400", *KEEP])
            node.words += on_database(self.databases.conninfo(), number, node.address)
            node.start()
            node.wait()
            self.nodes.append(node)

    def run(self, checks, tests):
        """Runs tests, one after the other. One that fails leaves its faults to none that follows."""
        def on_whole_stage(test):
            @functools.wraps(test)
            def run_test(checks):
                self.mend(checks)
                test(checks)
            return run_test

        return checks.run([*(on_whole_stage(test) for test in tests), self.servers_end_well])

    def servers_end_well(self, checks):
        for node in self.nodes:
            checks.equal(node.stop(), 0, f"the end of server {node.number}")

    def mend(self, checks):
        """Starts databases and servers that are down, and waits until players can come."""
        if not self.databases.primary.runs():
            self.databases.primary.start()
        for standby in self.databases.standbys():
            standby.thaw()
            if not standby.runs():
                self.databases.bring_back(standby)
        for node in self.nodes:
            if not node.runs():
                checks.equal(node.process.returncode, -signal.SIGKILL, "a server ends only where it is killed")
                node.start()
            wait_until(lambda: self.lets_in(node), f"server {node.number} lets players in")

    @staticmethod
    def lets_in(node):
        try:
            guest = Connection(node.port)
        except OSError:
            return False
        try:
            return guest.ask("ping") is not None
        except OSError:
            return False
        finally:
            guest.close()

    def sql(self, statement):
        return self.databases.sql(statement)

    def end_sessions(self, like):
        """Ends the connections by which the servers keep batches ("LIKE"), or the others ("NOT LIKE")."""
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ludusd' "
                 f"AND query {like} 'CALL keep%'")

    @contextlib.contextmanager
    def locked(self, table):
        """Locks a table meanwhile: nothing is written there, but read, as the second connections do by themselves."""
        primary = self.databases.primary
        lock = threading.Thread(target=lambda: primary.run(
            "psql", "-d", primary.conninfo(database=DATABASE), "-c",
            f"BEGIN; LOCK ludus.{table} IN EXCLUSIVE MODE; SELECT pg_sleep({LIMIT_S})", check=False))
        lock.start()
        wait_until(lambda: self.sql("SELECT count(*) FROM pg_locks WHERE mode = 'ExclusiveLock' AND granted "
                                    f"AND relation = 'ludus.{table}'::regclass")[0][0] == "1", "the lock")
        try:
            yield
        finally:
            self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            lock.join()

    @contextlib.contextmanager
    def matches_held_up(self):
        """Has whatever opens a match wait at the end of its transaction meanwhile."""
        primary = self.databases.primary
        self.sql("CREATE FUNCTION ludus.hold_up() RETURNS trigger LANGUAGE plpgsql AS "
                 "'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END'")
        self.sql("CREATE CONSTRAINT TRIGGER hold_up AFTER INSERT ON ludus.match DEFERRABLE INITIALLY DEFERRED "
                 "FOR EACH ROW EXECUTE FUNCTION ludus.hold_up()")
        lock = threading.Thread(target=lambda: primary.run(
            "psql", "-d", primary.conninfo(database=DATABASE), "-c",
            f"SELECT pg_advisory_lock(7), pg_sleep({LIMIT_S})", check=False))
        lock.start()
        wait_until(lambda: self.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted")[0][0] == "1",
                   "the lock")
        try:
            yield
        finally:
            self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
            lock.join()
            self.sql("DROP FUNCTION ludus.hold_up CASCADE")

    def batches(self, wait="%"):
        """Returns how many batches are on their way; with `wait`, those that wait for such an event."""
        return int(self.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'ludusd' AND "
                            "state = 'active' AND query LIKE 'CALL keep%' AND "
                            f"coalesce(wait_event_type || '/' || wait_event, '') LIKE '{wait}'")[0][0])

    def wait_for_batch(self, wait):
        wait_until(lambda: self.batches(wait) > 0, f"a batch that waits: {wait}")

    @contextlib.contextmanager
    def without_standbys(self):
        """Freezes the standbys meanwhile, when no batch is on its way: the next one waits."""
        try:
            wait_until(self.freeze_standbys, "no batch")
            yield
        finally:
            self.thaw_standbys()

    def freeze_standbys(self):
        for standby in self.databases.standbys():
            standby.freeze()
        if self.batches() == 0:
            return True
        self.thaw_standbys()
        return False

    def thaw_standbys(self):
        for standby in self.databases.standbys():
            standby.thaw()

    @contextlib.contextmanager
    def unsafe_move(self):
        """Yields a running match whose first move is visible, but no standby has it. Where another batch was
        first, the move waits behind that one; then another match is tried."""
        for _ in range(TRIES):
            table = Table(self)
            with self.without_standbys():
                table.anna.send(f"#q move {table.match} {MOVES[0]}")
                self.wait_for_batch("%/SyncRep")
                self.end_sessions("LIKE")
                if is_soon(lambda: table.versions() == [1, 2, 3]):
                    yield table
                    return
            table.close()
        raise RuntimeError("another batch is always first")

    def close(self):
        for node in self.nodes:
            node.stop()
        self.databases.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def hear(connection, still_s=STILL_S):
    """Returns all that comes until nothing does for a while, but for news of servers."""
    connection.socket.settimeout(still_s)
    heard = []
    try:
        while (message := connection.read()) is not None:
            heard += [message] if message["type"] != "nodes" else []
        heard.append(None)
    except TimeoutError:
        pass
    finally:
        connection.socket.settimeout(LIMIT_S)
    return heard


def is_soon(condition):
    """Waits until condition() is true, though not long. Returns whether it is."""
    end = time.monotonic() + SOON_S
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def is_silent(connection, *others):
    """Returns whether none of them is told anything for a while, which is one for all. That they are sent away tells
    nothing: so it goes on a slow machine, where the database is away for 10 s."""
    heard = hear(connection) + [message for other in others for message in hear(other, 0.01)]
    return all(message is None or message["type"] == "bye" for message in heard)
