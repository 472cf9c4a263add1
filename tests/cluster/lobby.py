"""A lobby for tests: servers, the engine that they share, and links between them that can break."""
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "crash"))
from engine import Engine
from ludusd import free_port
from nodes import Node, on_engine
from relay import Relay

CHECK_S = 120


class Lobby:
    """`engine` and `relay` are None for one server with a store of its own."""

    def __init__(self, build, folder, servers, relayed=True, options=("--no-bots",)):
        self.engine, self.relay, self.folder = None, None, folder
        self.program = os.path.join(build, "ludusd")
        if servers == 0:
            self.nodes = [Node(build, folder, 1, ["--data", os.path.join(folder, "data"), *options])]
            return
        self.engine = Engine(folder)
        links = {f"{number}-{member.name}": (free_port(), member.port)
                 for number in range(1, servers + 1) for member in self.engine.members}
        self.relay = Relay(links) if relayed else None
        self.nodes = []
        for number in range(1, servers + 1):
            ports = [links[f"{number}-{member.name}"][0] for member in self.engine.members]
            conninfo = self.engine.conninfo(ports if relayed else None)
            node = Node(build, folder, number, options)
            node.words += on_engine(conninfo, number, node.address)
            self.nodes.append(node)

    def start(self):
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.wait()

    def versions(self):
        """Returns (match, entries, first version, last version) of the engine's log; [] without an engine."""
        if self.engine is None:
            return []
        return self.engine.sql(
            "SELECT match, count(*), min(version), max(version) FROM ludus.entry GROUP BY match")

    def stop(self):
        """Stops the servers in good order and returns their exit codes."""
        return [node.stop() for node in self.nodes]

    def check(self):
        """Lets ludusd replay every match that is kept; returns the exit code and the output."""
        where = ["--engine", self.engine.conninfo()] if self.engine else \
            ["--data", os.path.join(self.folder, "data")]
        done = subprocess.run([self.program, "check", *where], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CHECK_S)
        return done.returncode, done.stdout

    def close(self):
        """Ends everything."""
        self.stop()
        if self.relay is not None:
            self.relay.close()
        if self.engine is not None:
            self.engine.close()
