"""A name whose first reply was lost on its way: it is free again, and a name that was used is not."""
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, Server, build_folder, wait_until

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: closing cuts the connection, as a network that fails does


def reply_lost(checks):
    """Cut before its reply can be read, many times: the next one gets the name."""
    with Server(build_folder(), "--no-bots", "--data", "none", checks=checks) as server:
        asker = server.connect()
        for number in range(20):
            peer = socket.create_connection(("127.0.0.1", server.port))
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            peer.sendall(b"hello anna\n")
            wait_until(lambda: asker.ask("stats")["names"] == 1, "the name")
            peer.close()
            wait_until(lambda: asker.ask("stats")["names"] == 0, "its end")
        checks.equal(asker.ask("hello anna")["type"], "ok", "the name is free")


def reply_seen(checks):
    with Server(build_folder(), "--no-bots", "--data", "none", checks=checks) as server:
        anna = server.connect()
        token = anna.ask("hello anna")["token"]
        anna.send("")
        anna.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        asker = server.connect()
        wait_until(lambda: asker.ask("stats")["commands_total"] > 0, "the line")
        anna.close()
        wait_until(lambda: asker.ask("stats")["connections"] == 1, "the end of the connection")
        checks.equal(asker.ask("hello anna").get("code"), "name-taken", "somebody else")
        checks.equal(asker.ask(f"hello anna token={token}")["type"], "ok", "anna herself")


def killed_between(checks):
    """The server is killed after the reply: the name was kept, and belongs to whoever has the token."""
    with tempfile.TemporaryDirectory() as folder:
        options = ("--no-bots", "--data", os.path.join(folder, "data"))
        with Server(build_folder(), *options) as server:
            anna = server.connect()
            token = anna.ask("hello anna")["token"]
            server.kill()
        with Server(build_folder(), *options, checks=checks) as server:
            other = server.connect()
            checks.equal(other.ask("hello anna").get("code"), "name-taken", "after a crash")
            checks.equal(server.connect().ask(f"hello anna token={token}")["type"], "ok", "the token after a crash")


def free_after_restart(checks):
    with tempfile.TemporaryDirectory() as folder:
        options = ("--no-bots", "--data", os.path.join(folder, "data"))
        with Server(build_folder(), *options) as server:
            anna, asker = server.connect(), server.connect()
            token = anna.ask("hello anna")["token"]
            anna.close()
            wait_until(lambda: asker.ask("stats")["names"] == 0, "the end of the name")
            server.kill()
        with Server(build_folder(), *options, checks=checks) as server:
            checks.equal(server.connect().ask(f"hello anna token={token}").get("code"), "bad-token", "the lost token")
            checks.equal(server.connect().ask("hello anna")["type"], "ok", "the name after a crash")


def own_programs(checks):
    """Our programs keep the name, though they end as soon as they have it."""
    example = os.path.join(os.path.dirname(__file__), "../../client/examples/player.py")
    with Server(build_folder(), "--no-bots", "--data", "none", checks=checks) as server, \
            tempfile.TemporaryDirectory() as folder:
        at = f"127.0.0.1:{server.port}"
        own = {**os.environ, "XDG_STATE_HOME": folder, "HOME": folder}
        asker = server.connect()
        for name, words in (("example", [sys.executable, os.path.abspath(example), "example", at]),
                            ("robot", [os.path.join(os.path.abspath(build_folder()), "ludus-bot"), "--connect", at, "--name",
                                       "robot", "--level", "random"])):
            with subprocess.Popen(words, cwd=folder, env=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as program:
                said = program.stdout.readline().decode()
                wait_until(lambda: asker.ask("stats")["connections"] == 2, "the program")
                program.send_signal(signal.SIGKILL)
            wait_until(lambda: asker.ask("stats")["connections"] == 1, "its end")
            checks.equal(server.connect().ask(f"hello {name}").get("code"), "name-taken", f"{name}, which said {said}")


if __name__ == "__main__":
    sys.exit(Checks("test_lost_name").run([reply_lost, reply_seen, killed_between, free_after_restart, own_programs], at_once=3))
