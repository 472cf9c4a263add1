"""A server that runs out of memory ends with one line in the log, and its acknowledged changes are there
after a restart.

usage: test_out_of_memory.py [BUILD]
"""
import os
import resource
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder

BUILD = build_folder()
SPARE_MB = 16
PEERS = 1000  # more than enough to fill it
OPTIONS = ["--no-bots", "--slow", "600"]


def has_sanitizer():
    with open(os.path.join(BUILD, "ludusd"), "rb") as file:
        return b"__asan_init" in file.read()


def megabytes(server, name):
    with open(f"/proc/{server.process.pid}/status") as file:
        return next(int(line.split()[1]) >> 10 for line in file if line.startswith(name + ":"))


def start(folder, environment=None):
    return Server(BUILD, "--data", os.path.join(folder, "data"), "--log", os.path.join(folder, "log"),
                  *OPTIONS, environment=environment)


def start_with_little_memory(folder):
    """Leaves SPARE_MB to fill. The sanitizer's allocator has a separate limit."""
    if has_sanitizer():
        with Server(BUILD, *OPTIONS) as other:
            limit = megabytes(other, "VmRSS") + SPARE_MB
        return start(folder, {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:"
                              f"allocator_may_return_null=1:soft_rss_limit_mb={limit}"})
    server = start(folder)
    limit = (megabytes(server, "VmSize") + SPARE_MB) << 20
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, limit))
    return server


def fill(server):
    """Sends requests from peers that never read, until the server has exited."""
    peers = []
    try:
        for _ in range(PEERS):
            peers.append(server.connect())
            peers[-1].send(*["help"] * 1000)
    except (OSError, TypeError):
        pass
    return peers


def ends_and_comes_back(checks):
    with tempfile.TemporaryDirectory(prefix="ludus-memory-") as folder:
        server = start_with_little_memory(folder)
        anna = server.connect("anna")
        match = anna.ask("new clobber:4x5 white=me black=me")["match"]
        checks.equal(anna.ask(f"move {match} a2a1")["type"], "ok", "a move")
        fill(server)
        checks.equal(server.process.wait(LIMIT_S), 1, "the exit status")
        with open(os.path.join(folder, "log")) as file:
            lines = [line for line in file if "event=out-of-memory" in line]
        checks.equal(len(lines), 1, "lines about it in the log")
        with start(folder) as server:
            back = server.connect()
            back.ask(f"hello anna token={anna.token}")
            checks.equal(back.ask(f"state {match}")["ply"], 1, "the match at the next start")


if __name__ == "__main__":
    sys.exit(Checks("test_out_of_memory").run([ends_and_comes_back]))
