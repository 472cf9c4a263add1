"""The programs and the unit tests under Valgrind's memcheck: no errors, no leaks.

usage: valgrind.py BUILD

A server with a store and TLS runs matches of every game, between bots and people who leave and return;
it reloads its configuration, serves its metrics and stops. The bots, the client in line mode and the
bridge also run under Valgrind.
"""
import glob
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
import harness
from harness import Checks, Server, wait_until
from scenes import GAMES, think, wait_for_end

BUILD = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else "build")
SUPPRESSIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "valgrind.supp")
LIMIT_S = harness.LIMIT_S = 3600  # everything takes thirty times as long, also on a busy machine
# test_house and test_review_jobs start a missing program, which Valgrind reports too late. The others
# compute for minutes here, with code that test_races and the bots below use as well.
LEFT_OUT = {"test_house", "test_review_jobs", "test_solve", "test_clobber_bot", "test_search", "test_play",
            "test_stress", "test_xadrersi_traits"}


class Folder:
    """A directory with wrappers that start the programs under Valgrind, and their reports."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="valgrind-", dir=BUILD)
        for program in ("ludusd", "ludus", "ludus-bot", "ludus-bridge"):
            self.wrap(program)
        self.environment = {**os.environ, "HOME": self.path, "XDG_STATE_HOME": self.path,
                            "XDG_CONFIG_HOME": self.path, "TERM": "dumb"}

    def file(self, name):
        return os.path.join(self.path, name)

    def command(self, program):
        return ["valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite",
                "--show-leak-kinds=definite", "--track-fds=no", "--num-callers=20",
                f"--suppressions={SUPPRESSIONS}", f"--log-file={self.file('%p.report')}", program]

    def wrap(self, program):
        with open(self.file(program), "w") as script:
            words = " ".join(self.command(os.path.join(BUILD, program)))
            script.write(f'#!/bin/sh\nexec {words} "$@"\n')
        os.chmod(self.file(program), 0o755)

    def reports(self):
        """Returns Valgrind's report on each program, if there is one."""
        for name in sorted(glob.glob(self.file("*.report"))):
            with open(name) as file:
                text = file.read()
            # The programs can do without the calls unknown to Valgrind, such as Landlock.
            told = [line for line in text.splitlines()
                    if not re.search(r"WARNING: unhandled|You may be able to write your own|"
                                     r"Nevertheless it's not|Please read|syscall: \d+$", line)]
            if re.search(r"==\d+== +\S", "\n".join(told)):
                yield "\n".join(told)


def parts(t, folder):
    """The unit tests except those that take too long."""
    for source in sorted(glob.glob("tests/unit/*/test_*.c")):
        name = os.path.basename(source)[:-2]
        if name in LEFT_OUT:
            continue
        begun_s = time.monotonic()
        done = subprocess.run(folder.command(os.path.join(BUILD, "tests", name)), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=LIMIT_S, env=folder.environment)
        t.check(done.returncode == 0 and ", 0 failed" in done.stdout, name, done.stdout[-800:])
        print(f"  {name}, {time.monotonic() - begun_s:.0f} s", flush=True)


def engines(t, folder):
    """The engine searches with two threads, is stopped, and exits during a search."""
    for game in GAMES:
        think(t, folder.file("ludus-bot"), game, 2, LIMIT_S, folder.environment)
        print(f"  ludus-bot ugi, {game}", flush=True)


def certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=ludus", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", folder.file("key.pem"), "-out", folder.file("cert.pem")],
        check=True, capture_output=True)
    return ["--tls-cert", folder.file("cert.pem"), "--tls-key", folder.file("key.pem"),
            "--tls-port", "127.0.0.1:0"]


class Place:
    """A server, and programs that connect to it."""

    def __init__(self, t, folder):
        with open(folder.file("ludusd.conf"), "w") as file:
            file.write("idle = 600\nfirst-line = 600\n")
        self.t, self.folder = t, folder
        self.server = Server(folder.path, "--data", folder.file("data"), "--no-bots", "--config",
                             folder.file("ludusd.conf"), "--metrics", "0", *certificate(folder),
                             checks=t, environment=folder.environment)
        self.tls_port, self.metrics = None, None
        while self.tls_port is None or self.metrics is None:
            line = self.server.process.stdout.readline()
            if line.startswith("ludusd: TLS on "):
                self.tls_port = int(line.rsplit(":", 1)[1])
            elif line.startswith("ludusd: metrics on "):
                self.metrics = line.split()[-1]
        self.programs = []

    def start(self, program, *words):
        process = subprocess.Popen([self.folder.file(program), "--connect", self.server.address,
                                    *words], text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.folder.environment)
        self.programs.append(process)
        return process

    def stop(self):
        for process in self.programs:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate(timeout=LIMIT_S)
        self.t.equal(self.server.stop(), 0, "the server stops")


def wait_for_players(connection, *names):
    wait_until(lambda: set(names) <= {p["name"] for p in connection.ask("who")["players"]},
               f"{names} are here")


def bots_play(t, place):
    watcher = place.server.connect("watcher")
    place.start("ludus-bot", "--name", "ann", "--level", "max", "--threads", "2")
    place.start("ludus-bot", "--name", "ben", "--level", "greedy")
    place.start("ludus-bridge", "--name", "fay", "--games", "clobber,latrunculi", "--",
                os.path.join(BUILD, "ludus-bot"), "ugi")
    wait_for_players(watcher, "ann", "ben", "fay")
    pairs = [(game, "ann", "ben") for game in GAMES] + [("clobber:4x4", "fay", "ben")]
    for game, white, black in pairs:
        match = watcher.ask(f"new {game} white={white} black={black} clock=30+0.5")["match"]
        wait_for_end(watcher, match)
        t.check(watcher.ask(f"record {match}")["result"] != "*", f"{game} is played")
        print(f"  ludusd, ludus-bot: {game}", flush=True)
    watcher.close()


def people_talk(t, place):
    """Most commands in both formats, with people who leave, return and vanish."""
    anna, carl, gus = (place.server.connect(name) for name in ("anna", "carl", None))
    carl.send("set format=text", "watch lobby")
    match = anna.ask("new clobber:3x2 black=open clock=300+5")["match"]
    gus.ask(f"join {match}")
    carl.send(f"watch {match}")
    for line in ("move b1a1", "say hello", "undo", "moves", "state", "record 1", "history", "top",
                 "who", "list", "games", "help", "stats", "frobnicate", "set legal=off", "draw",
                 "new shakti private=yes", "abort", "watch lobby", "leave lobby"):
        anna.ask(line)
        carl.send(line)
    gus.ask("undo")
    anna.send_bytes(b"x" * 5000 + b"\n\xff\xfe\n")
    gus.socket.close()  # without a quit, which loses the match
    token = anna.token
    anna.close()
    again = place.server.connect()
    t.equal(again.ask(f"hello anna token={token}")["type"], "ok", "anna comes back")
    again.ask("quit")
    again.close()
    carl.send("quit")
    while carl.socket.recv(65536):
        pass
    carl.close()


def client_plays(t, place):
    client = place.start("ludus", "--line", "--play", "clobber:3x2", "--vs", "me")
    shown, errors = client.communicate("b1a1\nb2a2\na1a2\nrecord\nc1c2\nquit\n", timeout=LIMIT_S)
    t.check("over: " in shown, "the client plays", (shown[-500:], errors))


def tls(t, place):
    context = ssl.create_default_context(cafile=place.folder.file("cert.pem"))
    for farewell in (True, False):
        raw = socket.create_connection(("127.0.0.1", place.tls_port), LIMIT_S)
        with context.wrap_socket(raw, server_hostname="127.0.0.1") as peer:
            peer.sendall(b"hello tess%d\ngames\nhelp\n" % farewell + b"quit\n" * farewell)
            lines = peer.makefile("rb")
            t.check(lines.readline().startswith(b"{"), "TLS: greeted")
            while farewell and lines.readline():
                pass
    with socket.create_connection(("127.0.0.1", place.tls_port), LIMIT_S) as stranger:
        stranger.sendall(b"this is no TLS\n")
        try:
            while stranger.recv(100):
                pass
        except ConnectionError:
            pass


def operation(t, place):
    place.server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: "event=reload" in place.server.read_log(), "the configuration is read again")
    with urllib.request.urlopen(place.metrics, timeout=LIMIT_S) as answer:
        t.check(b"ludus_build_info" in answer.read(), "metrics")


def programs(t, folder):
    place = Place(t, folder)
    for part in (people_talk, client_plays, tls, operation, bots_play):
        part(t, place)
        print(f"  {part.__name__}", flush=True)
    idle = place.server.connect()  # those still connected at the end
    place.stop()
    idle.close()
    done = subprocess.run([folder.file("ludusd"), "check", "--data", folder.file("data")],
                          timeout=LIMIT_S, env=folder.environment, capture_output=True)
    t.equal(done.returncode, 0, "ludusd check")


def main():
    t, folder = Checks("valgrind"), Folder()

    def no_errors(checks):
        for report in folder.reports():
            checks.check(False, "Valgrind has found something", "\n" + report)
        checks.check(len(glob.glob(folder.file("*.report"))) > 30, "Valgrind has run")

    try:
        return t.run([lambda t: programs(t, folder), lambda t: engines(t, folder),
                      lambda t: parts(t, folder), no_errors])
    finally:
        shutil.rmtree(folder.path)


if __name__ == "__main__":
    sys.exit(main())
