"""Plays at three servers on the databases of CLUSTER.md, PostgreSQL with Patroni, while the leader's machine is killed,
and another one stands still until it has been replaced; then compares all that was told with what is there.

usage: patroni_test.py BUILD [--pairs N] [--think-ms N] [--keep]

Takes the configuration of etcd, Patroni and ludusd, and the commands, out of CLUSTER.md: only addresses, paths and
passwords are others, and what systemctl would start is started here. A machine is an address of the loopback network.
Needs postgresql, patroni and etcd-server, and root or the user postgres.
"""
import argparse
import atexit
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cluster_test
import postgres
from lobby import Lobby
from nemesis import Nemesis
from nodes import Node

MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../server/CLUSTER.md")
START_S = 300                # until Patroni has made the data, and copied it twice
TAKE_OVER_S = 150            # until another one leads: CLUSTER.md says up to 30, on a machine that is not busy
BACK_S = 300                 # until a machine that was replaced follows
PLAY_S = 8                   # in peace, before and after each failure
ALL = ",".join(f"10.0.0.{number}" for number in (1, 2, 3))
PASSWORDS = ("CHOOSE-ONE", "CHOOSE-TWO", "CHOOSE-THREE", "CHOSEN")


def blocks(section):
    """Returns the indented blocks of a section of the manual."""
    with open(MANUAL, encoding="utf-8") as file:
        part = file.read().split(f"\n## {section}\n")[1].split("\n## ")[0]
    found = re.split(r"(?m)^(?! {4}|$).*\n", part)
    return [re.sub("(?m)^ {4}", "", text).strip() + "\n" for text in found if text.strip()]


def block(section, word):
    """Returns the only block of a section with that word."""
    found = [text for text in blocks(section) if word in text]
    if len(found) != 1:
        raise SystemExit(f"patroni-test: CLUSTER.md, {section}: {len(found)} blocks with {word}")
    return found[0]


def commands(section):
    """Returns the commands that the manual gives to the user postgres there, as words without `sudo -u postgres`."""
    lines = "".join(blocks(section)).replace("\\\n", " ").splitlines()
    return [shlex.split(line)[3:] for line in lines if line.startswith("sudo -u postgres ")]


def why_not():
    """Returns why this cannot run here; None if it can."""
    for program, package in (("patroni", "patroni"), ("etcd", "etcd-server")):
        if shutil.which(program) is None:
            return f"{package} is not installed"
    account = postgres.Account()
    if account.uid != (postgres.find_user("postgres") or os).pw_uid:
        return "Patroni's databases let in the user postgres alone: run it as that user, or as root"
    return postgres.why_not()


class Site:
    """Where the three machines are: in a folder, with addresses of a network of their own in that of loopback."""

    def __init__(self, folder):
        self.account = postgres.Account()
        self.folder = folder
        self.network = f"127.{os.getpid() >> 8 & 127 | 128}.{os.getpid() & 255}."
        self.passwords = {word: f"secret-{random.SystemRandom().getrandbits(64):x}" for word in PASSWORDS}

    def of_loopback(self, text):
        """Returns a text of the manual with the addresses and passwords that are meant here."""
        for word, password in self.passwords.items():
            text = text.replace(word, password)
        return text.replace("10.0.0.0/24", "127.0.0.0/8").replace("10.0.0.", self.network)


class Machine:
    """One of them: etcd, Patroni, and the PostgreSQL that Patroni runs."""

    def __init__(self, site, number):
        self.site, self.number, self.name = site, number, f"db{number}"
        self.address = f"{site.network}{number}"
        self.folder = os.path.join(site.folder, self.name)
        os.mkdir(self.folder, 0o700)
        site.account.own(self.folder)
        self.data, self.config = (os.path.join(self.folder, name) for name in ("data", "config.yml"))
        etcd = self.here(block("PostgreSQL with Patroni", "ETCD_NAME="))
        self.etcd_settings = dict(line.split("=", 1) for line in etcd.split())
        site.account.write(self.config, self.here(block("PostgreSQL with Patroni", "scope: ludus")))
        self.processes = {}
        atexit.register(self.kill)

    def here(self, text):
        """Returns what the manual says of the first machine as it is on this one."""
        lines = [line if "10.0.0.3" in line else line.replace("10.0.0.1", f"10.0.0.{self.number}").replace("db1", self.name)
                 for line in text.splitlines()]
        text = self.site.of_loopback("\n".join(lines) + "\n")
        for path, own in (("/var/lib/postgresql/15/ludus", self.data), ("/var/lib/postgresql/ludus.pgpass", self.folder + "/pgpass"),
                          ("/var/run/postgresql", self.folder), ("/usr/lib/postgresql/15/bin", postgres.binaries()),
                          ("/var/lib/etcd/ludus", self.folder + "/etcd"), ("/etc/patroni/config.yml", self.config)):
            text = text.replace(path, own)
        return text

    def start(self):
        """Starts what is not running, as the services would."""
        for program, words in (("etcd", ["etcd"]), ("patroni", ["patroni", self.config])):
            if program not in self.processes:
                with open(os.path.join(self.site.folder, f"{self.name}-{program}.log"), "a") as log:
                    self.processes[program] = subprocess.Popen(
                        [*self.site.account.prefix, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                        start_new_session=True, env={**os.environ, **self.etcd_settings, "LC_ALL": "C"})

    def run(self, words, said="", check=True):
        """Runs a command of the manual as postgres on this machine. Whatever asks for a password reads `said`."""
        words = shlex.split(self.here(shlex.join(words)))
        done = subprocess.run([*self.site.account.prefix, *words], input=said, text=True, capture_output=True, cwd="/",
                              start_new_session=True, timeout=60, env={**os.environ, "PGHOST": self.folder})
        if check and done.returncode != 0:
            raise RuntimeError(f"{shlex.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def postmaster(self):
        """Returns the process id of PostgreSQL; None if there is none."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                pid = int(file.readline())
            with open(f"/proc/{pid}/cmdline") as file:
                return pid if self.data in file.read() else None
        except (OSError, ValueError):
            return None

    def signal(self, number):
        """Sends a signal to everything that runs on it."""
        for process in self.processes.values():
            process.send_signal(number)
        if (pid := self.postmaster()) is not None:
            postgres.signal_server(pid, number)

    def kill(self):
        self.signal(signal.SIGKILL)
        for process in self.processes.values():
            process.wait()
        self.processes.clear()
        while self.postmaster() is not None:
            time.sleep(0.05)


class Machines:
    """All three, in the role of `databases.Databases`."""

    def __init__(self, folder):
        self.site = Site(folder)
        self.members = [Machine(self.site, number) for number in (1, 2, 3)]
        self.passfile = os.path.join(folder, "passfile")
        with open(self.passfile, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(f"*:*:*:ludus:{self.site.passwords['CHOSEN']}\n")
        for member in self.members:
            member.start()
        self.wait_until(lambda: sorted(self.roles().values()) == ["Leader", "Replica", "Sync Standby"], START_S,
                        "one leads, one is synchronous, one follows")
        for words in commands("PostgreSQL with Patroni"):
            if words[0] in ("createuser", "createdb"):
                self.leader().run(words, said=f"{self.site.passwords['CHOSEN']}\n" * 2)

    def rows(self, member):
        """Returns what a machine tells of all, by the command of the manual."""
        words = next(words for words in commands("PostgreSQL with Patroni") if words[0] == "patronictl")
        text = member.run([*words, "-f", "json"], check=False)
        return json.loads(text) if text.startswith("[") else []

    def roles(self, member=None):
        """Returns the role of each machine that runs, by name, as one of them tells it."""
        return {row["Member"]: row["Role"] for row in self.rows(member or self.members[0])
                if row["State"] in ("running", "streaming")}

    def leader(self, asked=None):
        roles = self.roles(asked)
        return next((member for member in self.members if roles.get(member.name) == "Leader"), None)

    @staticmethod
    def wait_until(is_so, limit_s, what, pause_s=0.5):
        end_s = time.monotonic() + limit_s
        while not is_so():
            if time.monotonic() > end_s:
                raise RuntimeError(f"not in {limit_s} s: {what}")
            time.sleep(pause_s)

    def conninfo(self, without=None):
        """Returns the `database` of the servers, with the password in a file, and without the machine that is not to be
        asked."""
        line = re.search(r"(?m)^database = (.*)$", block("The servers", "database = "))[1]
        if without is not None:
            line = line.replace(ALL, ",".join(host for host in ALL.split(",") if host != f"10.0.0.{without.number}"))
        return self.site.of_loopback(line).replace(f"password={self.site.passwords['CHOSEN']}", f"passfile={self.passfile}")

    def sql(self, statement, without=None):
        text = subprocess.run([os.path.join(postgres.binaries(), "psql"), "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d",
                               self.conninfo(without), "-c", statement], text=True, capture_output=True, check=True, timeout=20,
                              stdin=subprocess.DEVNULL).stdout
        return [line.split("\t") for line in text.splitlines()]

    def commits(self, without):
        """Returns whether a commit comes back that waits for a standby."""
        try:
            self.sql("SELECT pg_logical_emit_message(true, 'probe', '')", without)
        except subprocess.SubprocessError:
            return False
        return True

    def close(self):
        for member in self.members:
            member.kill()
            atexit.unregister(member.kill)
            shutil.rmtree(member.folder)


class PatroniLobby(Lobby):
    def __init__(self, build, folder):
        self.relay, self.folder, self.program = None, folder, os.path.join(build, "ludusd")
        self.databases = Machines(folder)
        self.nodes = [self.make_node(build, number) for number in (1, 2, 3)]

    def make_node(self, build, number):
        """Returns a server with the configuration of the manual, and an address of its own."""
        node = Node(build, self.folder, number, ["--no-bots"])
        text = self.databases.site.of_loopback(block("The servers", "database = "))
        text = text.replace("node = 1", f"node = {number}").replace("192.0.2.1:7117", node.address)
        config = os.path.join(self.folder, f"ludusd-{number}.conf")
        with open(config, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(text)
        node.words += ["--config", config]
        return node


class PatroniNemesis(Nemesis):
    """Kills the leader's machine, then lets another one stand still until it has been replaced, and wake."""

    def run(self, _):
        time.sleep(PLAY_S)
        self.replace_leader("primary killed", Machine.kill, Machine.start)
        self.replace_leader("old primary wakes", lambda machine: machine.signal(signal.SIGSTOP),
                            lambda machine: machine.signal(signal.SIGCONT))
        self.file.close()

    def replace_leader(self, fault, end, bring_back):
        machines = self.lobby.databases
        old = machines.leader()
        other = next(member for member in machines.members if member is not old)
        end(old)
        self.note(fault, old.name)
        began = time.monotonic()
        machines.wait_until(lambda: machines.commits(old), TAKE_OVER_S, f"another one leads than {old.name}", 0.05)
        self.note(fault, old.name, True)
        print(f"{fault}: {old.name}; the next commit after {time.monotonic() - began:.1f} s", flush=True)
        time.sleep(PLAY_S)
        bring_back(old)
        machines.wait_until(lambda: sorted(machines.roles(other).values()) == ["Leader", "Replica", "Sync Standby"] and
                            machines.roles(other)[old.name] != "Leader", BACK_S, f"{old.name} follows")
        self.note("old primary back", old.name)
        time.sleep(PLAY_S)


class PatroniRun(cluster_test.Run):
    def make_lobby(self, servers):
        return PatroniLobby(self.build, self.folder)

    def make_nemesis(self):
        return PatroniNemesis(self.lobby, random.Random(self.seed))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # not without ending what runs
    parser = argparse.ArgumentParser(description="Plays on the databases of CLUSTER.md while their leader fails.")
    parser.add_argument("build", nargs="?", default="build", help="where the programs are")
    parser.add_argument("--pairs", type=int, default=6, help="of players")
    parser.add_argument("--think-ms", type=int, default=100, help="before a move, on average")
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    if reason := why_not():
        print(f"patroni-test: {reason}")
        return 1
    folder = tempfile.mkdtemp(prefix="patroni-")  # a short path: it has a socket
    os.chmod(folder, 0o755)
    run = PatroniRun(options.build, folder, random.SystemRandom().randrange(1 << 32), 3, options.pairs, options.think_ms)
    try:
        run.run(None)
    except Exception:
        print(f"the logs are in {folder}")
        raise
    return cluster_test.conclude(run, folder, options.keep)


if __name__ == "__main__":
    sys.exit(main())
