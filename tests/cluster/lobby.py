"""A lobby for tests: servers, the database that they share, and links between them that can break."""
import os
import subprocess
import time

from databases import Databases
from nodes import Node, on_database
from relay import Relay

CHECK_S = 120
START_S = 300  # until all servers listen


class Lobby:
    """`databases` and `relay` are None for one server with a store of its own."""

    def __init__(self, build, folder, servers, relayed=True, options=("--no-bots",)):
        self.databases, self.relay, self.folder = None, None, folder
        self.program = os.path.join(build, "ludusd")
        if servers == 0:
            self.nodes = [Node(build, folder, 1, ["--data", os.path.join(folder, "data"), *options])]
            return
        self.databases = Databases(folder)
        if relayed:
            self.relay = Relay({f"{number}-{member.name}": member.port
                                for number in range(1, servers + 1) for member in self.databases.members})
        self.nodes = []
        for number in range(1, servers + 1):
            ports = [self.relay.ports[f"{number}-{member.name}"] for member in self.databases.members] if relayed else None
            conninfo = self.databases.conninfo(ports)
            node = Node(build, folder, number, options)
            node.words += on_database(conninfo, number, node.address)
            self.nodes.append(node)

    def start(self):
        for node in self.nodes:
            node.start()
        self.wait()

    def wait(self):
        """Waits until all listen. As the service does, one that finds no database, as that of a busy machine may be slow,
        is started again."""
        end_s = time.monotonic() + START_S
        while not all([node.listens() for node in self.nodes]):
            if time.monotonic() > end_s:
                raise RuntimeError("not all servers start")
            for node in self.nodes:
                if not node.runs() and node.process.returncode == 1:
                    node.start()
            time.sleep(0.1)

    def versions(self):
        """Returns (match, entries, first version, last version) of the database's log; [] without a database."""
        if self.databases is None:
            return []
        return self.databases.sql(
            "SELECT match, count(*), min(version), max(version) FROM ludus.entry GROUP BY match")

    def stop(self):
        """Stops the servers in good order and returns their exit codes."""
        return [node.stop() for node in self.nodes]

    def check(self):
        """Lets ludusd replay every match that is kept; returns the exit code and the output."""
        where = ["--engine", self.databases.conninfo()] if self.databases else \
            ["--data", os.path.join(self.folder, "data")]
        done = subprocess.run([self.program, "check", *where], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CHECK_S)
        return done.returncode, done.stdout

    def close(self):
        """Ends everything."""
        self.stop()
        if self.relay is not None:
            self.relay.close()
        if self.databases is not None:
            self.databases.close()
